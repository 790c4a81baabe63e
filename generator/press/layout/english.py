"""Break English paragraphs into lines at spaces, and draw them. Spaces may shrink a little so that a word fits."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from unicodedata import east_asian_width

import msgspec

from generator.press.layout.flowables import Flowable
from generator.press.layout.line_breaks import tie_words
from generator.press.layout.lines import BREAK, SHARE, Letter, LinedParagraph, MarkedText, letters_text, text_runs
from generator.press.layout.markup import Node
from generator.press.layout.styles import Style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, Canvas
from generator.press.pdf.tags import END
from generator.press.pdf.units import numbers, rgb

_BREAKING_SPACE = re.compile(r"[^\S\u00a0]+")
"""Matches the white space between English words, except no-break spaces."""
_NO_BREAK = "\u00a0"
_SPACE_SHRINK = 0.05
"""Maximum shrinkage of a space as a fraction of its width."""
_SIGN_GAP = 0.6
"""Minimum distance between a list bullet and its text, in ems."""
_letter_style = itemgetter(1, 2)
"""Return the weight and colour of a letter."""
_MIN_MOVE, _TOLERANCE = 1e-6, 1e-8
"""Shifts and overflows below these lengths are ignored, in points."""


class Word(msgspec.Struct, frozen=True):
    """An unbreakable word as runs of one style, with its width in points.

    The space after the word has the style of the word's last letter.
    """

    runs: Sequence[Letter]
    wide: float
    space: Sequence[Letter] = ()
    gap: float = 0.0
    """Width of the space in points."""
    breaks: bool = False
    """Whether this object represents an explicit line break."""
    split: bool = False
    """Whether the rest of the word is on the next line."""

    @property
    def splittable(self) -> bool:
        """Whether the word has at least two letters and can therefore be split if it is longer than a line."""
        return len(letters_text(self.runs)) > 1

    def split_at(self, room: float, size: float, min_letters: int) -> tuple[Word, Word]:
        """Split the word into the letters that fit a width in points, but at least `min_letters`, and the rest.

        The word is split at a no-break space if it has one, and otherwise with a hyphen between two letters.
        """
        letters = [(c, bold, colour) for text, bold, colour in self.runs for c in text]
        ends = list(accumulate(fonts.width(c, size, bold) for c, bold, _ in letters))
        fit = max(min_letters, bisect_right(ends, room))
        if spaces := [at for at in range(1, fit + 1) if at < len(letters) and letters[at][0] == _NO_BREAK]:
            fit = spaces[-1]
            space = ends[fit] - ends[fit - 1]
            del letters[fit], ends[fit]
            ends[fit:] = [end - space for end in ends[fit:]]
        elif self._is_letters(letters, fit):
            hyphen = fonts.width("-", size, letters[fit - 1][1])
            while fit > max(min_letters, 2) and ends[fit - 1] + hyphen > room:
                fit -= 1
            if fit >= 2:
                letters.insert(fit, ("-", *letters[fit - 1][1:]))
                ends[fit:] = [ends[fit - 1] + hyphen, *(end + hyphen for end in ends[fit:])]
                fit += 1
            else:
                fit = min_letters
        head, rest = (
            [(letters_text(run), *look) for look, run in groupby(part, key=lambda letter: letter[1:])]
            for part in (letters[:fit], letters[fit:])
        )
        wide = ends[fit - 1] if fit else 0.0
        return Word(head, wide, split=True), Word(rest, ends[-1] - wide, self.space, self.gap)

    @staticmethod
    def _is_letters(letters: Sequence[Letter], at: int) -> bool:
        """Return whether a split at this index is inside a word of letters that are hyphenated.

        Codes are not, and Japanese is written without hyphens.
        """
        return 0 < at < len(letters) and all(
            c in "’'" or (c.isalpha() and east_asian_width(c) not in ("W", "F")) for c, _, _ in letters
        )


class TextLine(msgspec.Struct, frozen=True):
    """The words on a line and the line's free width in points, which is negative if the spaces must shrink."""

    words: Sequence[Word]
    free: float

    @property
    def runs(self) -> list[Letter]:
        """The line's text as runs of one style, with one space between words."""
        runs_so_far = [run for word in self.words for run in (*word.runs, *word.space)]
        if runs_so_far and self.words[-1].space:
            runs_so_far.pop()
        return [("".join([run[0] for run in runs]), *look) for look, runs in groupby(runs_so_far, key=_letter_style)]


class EnglishParagraph(LinedParagraph):
    """An English paragraph, which may contain links.

    The bullet of a list item is placed before the first line. Lines end `spare` points before the end of the column.
    The lines are computed once for each width.
    """

    def __init__(self, words: Sequence[Word], style: Style, bullet: str | None = None, spare: float = 0.0) -> None:
        self.words, self.style, self.bullet, self.spare = words, style, bullet, spare
        self.before, self.after, self.keep_with_next = style.before, style.after, style.keep_with_next
        self.lines: list[TextLine] = []
        self.width = -1.0

    @property
    def text(self) -> str:
        """The text of the paragraph without line breaks."""
        return "".join(letters_text((*word.runs, *word.space)) for word in self.words)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Break the paragraph into lines, and return its width and height."""
        if self.width != width:
            room = width - self.style.indent - self.spare
            size = self.style.size
            self.lines, self.width = _fill_lines(self.words, room - self._overhang(), room, size), width
        self.height = len(self.lines) * self.style.leading
        return width, self.height

    def split_lines(self, fit: int, width: float) -> list[Flowable]:
        """Return a paragraph with the first `fit` lines and a paragraph with the rest."""
        parts = []
        for lines, bullet in ((self.lines[:fit], self.bullet), (self.lines[fit:], None)):
            part = EnglishParagraph([word for line in lines for word in line.words], self.style, bullet, self.spare)
            part.lines, part.width, part.after = lines, width, self.after
            parts.append(part)
        return [*parts]

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the bullet and all lines. The lines are a single PDF text object, as is the bullet."""
        style, up = self.style, self.height - self.style.size
        texts = list[tuple[float, list[str]]]()
        styles = {run[1:] for word in self.words for run in word.runs}
        linked = len(styles) == 1 and style.align == "left"

        def put_bullet() -> None:
            sign = _Pen(canvas, style)
            sign.put([(self.bullet or "", False, "")])
            texts.append((0.0, sign.marked.finish()))

        with self.tagged(canvas, put_bullet if self.bullet else None):
            pen = _Pen(canvas, style)
            for number, line in enumerate(self.lines):
                place = (x + style.indent, y + up - number * style.leading) if linked else None
                more = number < len(self.lines) - 1 or (self.place is not None and not self.place.ends)
                pen.line(line, 0.0 if number else self._overhang(), place, more)
            texts.append((style.indent, pen.marked.finish()))
        operators = [f"BT 1 0 0 1 {numbers(right, up)} Tm {' '.join(text)} ET" for right, text in texts]
        canvas.write("\n".join(("q", f"1 0 0 1 {numbers(x, y)} cm", *operators, "Q")))

    def _overhang(self) -> float:
        """Return how far the first line is indented because its bullet is wider than the indent, in points."""
        if not self.bullet:
            return 0.0
        size, indent = self.style.size, self.style.indent
        return max(0.0, fonts.width(self.bullet, size) + _SIGN_GAP * size - indent)


class _Pen:
    """A collector of the operators of a text object."""

    def __init__(self, canvas: Canvas, style: Style) -> None:
        self.canvas, self.style = canvas, style
        self.sizes = fonts.font_size_operators(style.size, style.leading)
        self.marked = MarkedText(canvas)
        self.operators = self.marked.operators
        self.font = ""
        self.hue = ""

    def line(self, line: TextLine, begin: float, place: tuple[float, float] | None, more: bool) -> None:
        """Write a line, aligned by its style and shifted right by `begin` points.

        `place` is the start of the line on the page if the line may contain links. If more lines follow, the line
        ends with a space, so that programs that read the text do not join two words.
        """
        runs = line.runs
        text = letters_text(runs)
        spaces = len(line.words) - 1 + text.count("\u00a0")
        narrow = line.free < -_TOLERANCE and spaces > 0
        share = 0.0 if narrow else SHARE[self.style.align]
        right = begin + share * line.free
        self._move(right)
        if narrow:
            self.operators.append(f"{numbers(line.free / spaces)} Tw")
        spaced = more and runs and self.canvas.tags.active and not text.endswith(("-", "\u2010"))
        gap = " " if spaced else ""
        if place and self.canvas.links:
            _, bold, colour = runs[0] if runs else ("", False, "")
            for part, key, ahead in self.marked.parts(text):
                self.put([(part, bold, colour)], key)
                if key:
                    self.canvas.link_part(part, ahead, key, *place, self.style.size, bold)
            if gap:
                self.put([(gap, bold, colour)])
        else:
            self.put([*runs[:-1], (runs[-1][0] + gap, *runs[-1][1:])] if gap else runs)
        self.operators.append("T*")
        if narrow:
            self.operators.append("0 Tw")
        self._move(-right)

    def put(self, runs: Iterable[Letter], key: str = "") -> None:
        """Write letters after the text written last. `key` is the bookmark that they lead to."""
        for text, bold, colour in runs:
            if not text:
                continue
            self.marked.begin(key)
            if (hue := rgb(colour or self.style.colour)) != self.hue:
                self.hue = hue
                self.operators.append(f"{hue} rg")
            for part, span in self.canvas.tags.split_languages(text, self.style.lang):
                if span:
                    self.operators.append(span)
                for inner, codes in fonts.encode_text(self.canvas.file, part, bold):
                    if inner != self.font:
                        self.font = inner
                        self.operators.append(f"{inner} {self.sizes}")
                    self.operators.append(f"({codes}) Tj")
                if span:
                    self.operators.append(END)

    def _move(self, right: float) -> None:
        if abs(right) > _MIN_MOVE:
            if self.operators and self.operators[-1].endswith(" Td"):
                right += float(self.operators.pop().split()[0])
            self.operators.append(f"{numbers(right)} 0 Td")


def split_words(parts: Sequence[Node | str], style: Style) -> list[Word]:
    """Split English inline content into words of the given style."""
    words: list[Word] = []
    runs: list[Letter] = []
    wide = 0.0
    for text, bold, colour in text_runs(parts, style.bold, ""):
        if text == BREAK:
            words += [*([Word(runs, wide)] if runs else ()), Word((), 0.0, breaks=True)]
            runs, wide = [], 0.0
            continue
        size = style.size
        space, gap = ((" ", bold, colour),), fonts.width(" ", size, bold)
        # A separator between entries must not start a line, so it is tied to the preceding word.
        whole = tie_words(text.replace(JOINT, _NO_BREAK + JOINT.lstrip()))
        for number, piece in enumerate(_BREAKING_SPACE.split(whole)):
            if number and runs:
                words.append(Word(runs, wide, space, gap))
                runs, wide = [], 0.0
            if piece:
                runs.append((piece, bold, colour))
                wide += fonts.width(piece, size, bold)
    return [*words, Word(runs, wide)] if runs else words


def _fill_lines(words: Sequence[Word], first: float, room: float, size: float) -> list[TextLine]:
    """Arrange words on lines that are as full as possible.

    `first` is the width of the first line and `room` that of the other lines, in points.
    """
    lines: list[TextLine] = []
    line: list[Word] = []
    used = gap = gaps = 0.0
    free, ahead = first, deque(words)
    while ahead:
        word = ahead.popleft()
        wide = used + gap + word.wide
        if not word.breaks:
            if wide <= free + _SPACE_SHRINK * gaps or not (line or word.splittable):
                line.append(word)
                used, gap, gaps = wide, word.gap, gaps + word.gap
                continue
            if word.wide > free:
                head, word = word.split_at(free - used - gap, size, 0 if line else 1)
                if head.runs:
                    line.append(head)
                    used += gap + head.wide
            ahead.appendleft(word)
        lines.append(TextLine(line, free - used))
        line, used, gap, gaps, free = [], 0.0, 0.0, 0.0, room
    return [*lines, TextLine(line, free - used)] if line else lines
