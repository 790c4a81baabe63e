"""Break Japanese paragraphs into lines, and draw them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import accumulate, groupby, pairwise

import msgspec

from generator.press.layout.flowables import Flowable
from generator.press.layout.line_breaks import NOT_FIRST, unbreakable_units
from generator.press.layout.lines import BREAK, SHARE, Letter, LinedParagraph, MarkedText, letters_text, text_runs
from generator.press.layout.markup import Node
from generator.press.layout.styles import Style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.tags import END

# Lines are filled with unbreakable units. A katakana word that follows no space is split if the line would otherwise
# be less than 85 % full. A paragraph does not end with a line of one or two letters, which is avoided by narrowing
# earlier lines. Between kana or kanji and Latin letters or digits there is a quarter of an em, which also replaces a
# space. No space follows the end of a sentence. Headings break between phrases, after hiragana if possible. They
# break inside a compound only if the column is too narrow for the compound.

MIN_LINE_FILL = 0.85
"""If a line fills less than this fraction of the column, part of the following katakana word is moved to it."""
SHORT_LAST_LINE = 2
"""A last line with at most this number of letters is avoided."""
SCRIPT_GAP = 0.25
"""Space between kana or kanji and Latin letters or digits, in ems."""
_NARROWEST = 0.55
"""Minimum fraction of the column to which lines are narrowed to avoid a short last line."""
SPACES = (" ", "\u3000")
"""Spaces at which a line can end. They are not printed at the start or end of a line."""
_MIN_PART = 2
"""Minimum number of letters of a split word on each line."""

_WORDS = r"[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]"
_LATIN = r"[0-9A-Za-z\u00c0-\u024f]"
_SCRIPT_CHANGE = re.compile(rf"(?<={_WORDS})(?=[-+−±]?{_LATIN})|(?<={_LATIN})(?={_WORDS})|(?<=[0-9]%)(?={_WORDS})")
"""Matches positions between the two scripts."""
_EXTRA_SPACE = re.compile(
    r"(?<=[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f」』）】])[ ]+|[ ]+(?=[\u3001\u3002「『（【])"
)
"""Matches spaces next to punctuation that already includes white space."""
_KATAKANA = re.compile(r"[ァ-ヶー]+")
_STEM = r"[\u3005\u30a1-\u30ff\u4e00-\u9fff0-9A-Za-z]"
_COMPOUND = re.compile(rf"{_STEM}{_STEM}")
"""Matches two letters of one compound."""
_TIED = re.compile(rf"{_STEM}{_STEM}|\S[\u3041-\u3096]")
"""Matches two letters of one compound, or a letter followed by hiragana."""


Span = tuple[int, int]
"""Start (inclusive) and end (exclusive) of a range of letters."""


class JapaneseLine(msgspec.Struct, frozen=True):
    """A line of a Japanese paragraph."""

    letters: Sequence[Letter]
    last: bool = True
    """Whether the line is the last of the paragraph or precedes an explicit line break."""
    spaced: bool = False
    """Whether a space between two Latin words, or a line break, was dropped at the end of the line."""

    @property
    def text(self) -> str:
        """The text of the line."""
        return letters_text(self.letters)


class JapaneseParagraph(LinedParagraph):
    """A paragraph broken into lines for a column. The bullet of a list item is placed before the first line."""

    def __init__(self, lines: list[JapaneseLine], style: Style, bullet: str | None = None) -> None:
        self.lines, self.style, self.bullet = lines, style, bullet
        self.before, self.after, self.keep_with_next = style.before, style.after, style.keep_with_next

    @property
    def text(self) -> str:
        """The text of the paragraph without line breaks."""
        return "".join(line.text for line in self.lines)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the available width and the height of the lines."""
        self.width, self.height = width, len(self.lines) * self.style.leading
        return width, self.height

    def split_lines(self, fit: int, width: float) -> list[Flowable]:
        """Return a paragraph with the first `fit` lines and a paragraph with the rest."""
        parts = (
            JapaneseParagraph(self.lines[:fit], self.style, self.bullet),
            JapaneseParagraph(self.lines[fit:], self.style),
        )
        parts[1].before, parts[1].after = 0.0, self.after
        return list(parts)

    def draw(self, canvas: Canvas) -> None:
        """Draw the lines, and the bullet before the first line."""
        style, size = self.style, self.style.size
        share = SHARE[style.align]
        y = self.height - size

        def put_bullet() -> None:
            sign = MarkedText(canvas)
            self._put(sign, 0.0, y, [(c, False, "") for c in self.bullet or ""])
            self._flush(sign, sign.finish())

        with self.tagged(canvas, put_bullet if self.bullet else None):
            marked = MarkedText(canvas)
            for each in self.lines:
                line = each.letters
                free = share and self.width - style.indent - line_width(line, size)
                self._put(marked, style.indent + share * free, y, line, each.spaced)
                y -= style.leading
            self._flush(marked, marked.finish())

    def _put(self, marked: MarkedText, x: float, y: float, line: Sequence[Letter], spaced: bool = False) -> None:
        """Write a line. If `spaced`, it ends with a space, so that programs that read it do not join two words."""
        size, canvas = self.style.size, marked.canvas
        whole = letters_text(line)
        meets, starts = _script_changes(whole), _link_starts(marked, whole)
        first_bold = bool(line) and line[0][1]
        if line and not starts:
            marked.begin()
            self._flush(marked, marked.operators)
        elif starts:
            # A mark must begin and end in the same text object.
            self._flush(marked, marked.finish())
        canvas.write(f"BT 1 0 0 1 {x:.3f} {y:.3f} Tm")
        spans, span = _span_starts(marked, whole, starts), ""
        start = 0
        for (bold, colour), run in groupby(line, key=lambda letter: letter[1:]):
            canvas.fill(colour or self.style.colour)
            text = letters_text(run)
            end_of_run = start + len(text)
            inside = {at for at in (*meets, *starts, *spans) if start <= at < end_of_run}
            cuts = sorted({start, end_of_run, *inside})
            for here, end in pairwise(cuts):
                if here in spans:
                    if span:
                        canvas.write(END)
                    span = spans[here]
                if here in starts:
                    key, part = starts[here]
                    marked.begin(key)
                    if key:
                        canvas.link_part(part, whole[:here], key, x, y, size, first_bold)
                    self._flush(marked, marked.operators)
                if span and here in spans:
                    canvas.write(span)
                piece = text[here - start : end - start]
                if spaced and end == len(whole) and canvas.tags.active:
                    piece += " "
                for inner, codes in fonts.encode_text(canvas.file, piece, bold):
                    canvas.write(f"{inner} {size:g} Tf")
                    if here in meets:
                        # The operator TJ moves by thousandths of the current type size.
                        canvas.write(f"[{-1000 * SCRIPT_GAP:g}] TJ")
                        meets.discard(here)
                    canvas.write(f"({codes}) Tj")
            start = end_of_run
        if span:
            canvas.write(END)
        if starts:
            self._flush(marked, marked.finish())
        canvas.write("ET")

    @staticmethod
    def _flush(marked: MarkedText, operators: list[str]) -> None:
        """Write the operators of marks to the page."""
        for operator in operators:
            marked.canvas.write(operator)
        operators.clear()


def _link_starts(marked: MarkedText, line: str) -> dict[int, tuple[str, str]]:
    """Return where links of a line begin and end: bookmark and text by position. Ends have an empty bookmark."""
    if not marked.canvas.links:
        return {}
    starts, at = dict[int, tuple[str, str]](), 0
    for part, key, _ in marked.parts(line):
        starts[at] = key, part
        at += len(part)
    return starts if any(key for key, _ in starts.values()) else {}


def _span_starts(marked: MarkedText, line: str, links: Collection[int]) -> dict[int, str]:
    """Return where words of the other language begin and end in a line.

    These are positions with the operator that begins such words, or with an empty string. At the beginning and end of
    a link, which has marks of its own, words of the other language begin anew.
    """
    spans, at = dict[int, str](), 0
    for part, span in marked.tags.split_languages(line, "ja"):
        inside = [link for link in links if at < link < at + len(part)]
        spans |= dict.fromkeys((at, *inside), span)
        at += len(part)
    return spans if any(spans.values()) else {}


def make_paragraph(
    parts: Sequence[Node | str], style: Style, width: float, bullet: str | None = None
) -> JapaneseParagraph:
    """Return inline content as a paragraph for a column of this width in points."""
    return JapaneseParagraph(break_lines(parts, style, width - style.indent), style, bullet)


def needs_no_spacing(text: str) -> bool:
    """Return whether a text can be set unchanged because no space must be added between scripts or removed."""
    return not (_SCRIPT_CHANGE.search(text) or _EXTRA_SPACE.search(text))


def break_lines(parts: Sequence[Node | str], style: Style, width: float) -> list[JapaneseLine]:
    """Break inline content into lines of at most this width in points."""
    runs = text_runs(parts, style.bold, "")
    letters = _without_extra_spaces([(c, bold, colour) for text, bold, colour in runs for c in text])
    lines: list[JapaneseLine] = []
    for breaks, run in groupby(letters, key=lambda letter: letter[0] == BREAK):
        given = list(run)
        if breaks:
            # A break ends a line. Each further break, or a break at the start, adds an empty line.
            if lines and lines[-1].letters:
                lines[-1] = msgspec.structs.replace(lines[-1], spaced=True)
            lines += [JapaneseLine([]) for _ in given[bool(lines) :]]
        else:
            lines += _LineBreaker(given, style, width).lines()
    return lines or [JapaneseLine([])]


def line_width(line: Sequence[Letter], size: float) -> float:
    """Return the width of a line in points."""
    runs = groupby(line, key=lambda letter: letter[1])
    return (
        sum(fonts.width(letters_text(run), size, bold) for bold, run in runs)
        + len(_script_changes(letters_text(line))) * SCRIPT_GAP * size
    )


def _script_changes(text: str) -> set[int]:
    """Return the indices of letters that follow a quarter-em space."""
    return {found.start() for found in _SCRIPT_CHANGE.finditer(text)}


def _without_extra_spaces(letters: list[Letter]) -> list[Letter]:
    """Remove repeated spaces, and spaces at the ends of lines or next to punctuation that includes white space."""
    text = letters_text(letters)
    void = {at for found in _EXTRA_SPACE.finditer(text) for at in range(*found.span())}
    void |= {at for found in re.finditer(r"^ +| +$|(?<= ) +", text, re.MULTILINE) for at in range(*found.span())}
    return [letter for at, letter in enumerate(letters) if at not in void] if void else letters


class _LineBreaker:
    """A line breaker for the letters between two explicit breaks.

    The breaker computes widths from the positions of the letters on one endless line.
    """

    def __init__(self, letters: list[Letter], style: Style, width: float) -> None:
        self.letters, self.width, self.text = letters, width, letters_text(letters)
        size = style.size
        gaps = _script_changes(self.text)
        advances = [fonts.width(c, size, bold) for c, bold, _ in letters]
        steps = [a + (SCRIPT_GAP * size if at in gaps else 0.0) for at, a in enumerate(advances)]
        self.right = list(accumulate(steps))
        self.left = [end - a for end, a in zip(self.right, advances, strict=True)]
        self.em = size
        self.heading = style.bold

    def lines(self) -> list[JapaneseLine]:
        """Return the letters in lines."""
        spans = self._spans()
        ends = [*(start for start, _ in spans[1:]), len(self.letters)]
        return [
            JapaneseLine(self.letters[start:end], end == spans[-1][1], self._drops_space(end, next_start))
            for (start, end), next_start in zip(spans, ends, strict=True)
        ]

    def _drops_space(self, end: int, next_start: int) -> bool:
        """Return whether a line ends at a space that no line contains."""
        return end < next_start < len(self.text) and " " in self.text[end:next_start]

    def _spans(self) -> list[Span]:
        if self.right[-1] <= self.width:
            return [(0, len(self.letters))]
        units = self._units()
        kinds = [self._joined_units(units, _TIED), self._joined_units(units, _COMPOUND)] if self.heading else []
        kept = [kind for kind in kinds if all(self._width(*unit) <= self.width for unit in kind)]
        tried = [self._without_short_end(kind) for kind in (*kept, units)]
        return next((lines for lines in tried if not self._ends_short(lines)), tried[0])

    def _without_short_end(self, units: list[Span]) -> list[Span]:
        """Return lines without a short last line, by narrowing the column unless that needs an additional line."""
        best = lines = self._fill_lines(units, self.width)
        if not self._ends_short(lines):
            return lines
        room = self.width
        while (room := room - self.em / 2) >= _NARROWEST * self.width:
            trial = self._fill_lines(units, room)
            if len(trial) > len(lines):
                break
            if not self._ends_short(trial):
                if all(self._width(*line) >= MIN_LINE_FILL * self.width for line in trial[:-1]):
                    return trial
                best = trial if best is lines else best
        return best if best is not lines else self._last_line_earlier(units, lines)

    def _last_line_earlier(self, units: list[Span], lines: list[Span]) -> list[Span]:
        """Return lines in which the last line starts earlier, even if that makes the previous line short."""
        start, stop = lines[-2][0], lines[-1][1]
        for at, _ in reversed(units):
            begin = at + (self.text[at] in SPACES)
            trial = [*lines[:-2], (start, at), (begin, stop)]
            if start < at and not self._ends_short(trial) and self._width(begin, stop) <= self.width:
                return trial
        return lines

    def _ends_short(self, lines: list[Span]) -> bool:
        return len(lines) > 1 and sum(c.isalnum() for c in self.text[slice(*lines[-1])]) <= SHORT_LAST_LINE

    def _fill_lines(self, units: list[Span], width: float) -> list[Span]:
        """Return lines of units that are each as full as the width allows."""
        lines: list[Span] = []
        begin = end = -1
        for start, stop in units:
            while True:
                if begin < 0:
                    begin = end = start + (self.text[start] in SPACES)
                if self._width(begin, stop) <= width:
                    end = stop
                    break
                # A word after a space stays whole, because a ragged line is easier to read than a split word.
                spaced = end > begin and self.text[start] in SPACES
                loose = not spaced and (end == begin or self._width(begin, end) < MIN_LINE_FILL * self.width)
                cut = self._cut_position(begin, max(start, begin), stop, width) if loose else 0
                end = cut or end
                if end == begin:
                    # The line has no room for a single letter, but the letter must go somewhere.
                    end = stop
                    break
                lines.append((begin, end))
                start, begin = end, -1
        return [*lines, (begin, end)]

    def _cut_position(self, begin: int, start: int, stop: int, width: float) -> int:
        """Return where to split a unit so that its first part fits on the line, or 0 if that is impossible.

        `width` may be that of a narrowed column. It does not limit a line that would be loose without a part of a
        word in katakana.
        """
        whole = self._width(start, stop) > self.width
        room = width if whole else self.width
        fits = [k for k in range(start + 1, stop) if self._width(begin, k) <= room and self.text[k] not in NOT_FIRST]
        if whole and (spaces := [k for k in fits if self.text[k] in SPACES]):
            return spaces[-1]
        if not whole:
            fits = [k for k in fits if self._is_katakana(k - _MIN_PART, start) and self._is_katakana(k, start, stop)]
        return fits[-1] if fits and (whole or not self.heading) else 0

    def _is_katakana(self, at: int, start: int, stop: int | None = None) -> bool:
        """Return whether katakana continues from `at` for at least the minimum length of a part."""
        end = at + _MIN_PART
        return at >= start and (stop is None or end <= stop) and bool(_KATAKANA.fullmatch(self.text, at, end))

    def _width(self, start: int, end: int) -> float:
        while end > start and self.text[end - 1] in SPACES:
            end -= 1
        return self.right[end - 1] - self.left[start] if end > start else 0.0

    def _units(self) -> list[Span]:
        """Return the unbreakable units of the text, each with the space before it."""
        ends = list(accumulate(map(len, unbreakable_units(self.text))))
        return list(pairwise([0, *ends]))

    def _joined_units(self, units: list[Span], joint: re.Pattern[str]) -> list[Span]:
        """Join adjacent units if the letters at the boundary match `joint`."""
        found: list[Span] = []
        for start, end in units:
            if found and joint.match(self.text, start - 1):
                start = found.pop()[0]
            found.append((start, end))
        return found
