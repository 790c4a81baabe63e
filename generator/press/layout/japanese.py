"""Japanese paragraphs: where their lines break, and how they are drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise

import msgspec

from generator.press.layout.flowables import Flowable
from generator.press.layout.line_breaks import NOT_FIRST, unbreakable_units
from generator.press.layout.lines import BREAK, SHARE, Letter, LinedParagraph, letters_text, text_runs
from generator.press.layout.markup import Node
from generator.press.layout.styles import Style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas

# A line is filled as far as what stays together allows; a word in katakana is parted rather than that a line ends
# before 85 % of the column. A paragraph does not end on a line of one or two letters: the lines before it hand some
# down. Between kana or kanji and Latin letters or digits there is a quarter of an em; a space that stands there is as
# wide, and none follows what ends a sentence. Headings break between phrases: behind hiragana if they can, inside a
# compound only if the column is narrower.

MIN_LINE_FILL = 0.85
"""A line that ends before this share of the column takes part of the word in katakana that follows."""
SHORT_LAST_LINE = 2
"""A last line of so few letters is none."""
SCRIPT_GAP = 0.25
"""Between kana or kanji and Latin letters or digits, in ems."""
_NARROWEST = 0.55
"""The share of the column to which lines are narrowed, at most, for the sake of the last one."""
_MIN_PART = 2
"""Letters of a parted word that stand together, at least, before the break and behind it."""

_WORDS = r"[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]"
_LATIN = r"[0-9A-Za-z\u00c0-\u024f]"
_SCRIPT_CHANGE = re.compile(rf"(?<={_WORDS})(?=[-+−±]?{_LATIN})|(?<={_LATIN})(?={_WORDS})|(?<=[0-9]%)(?={_WORDS})")
"""Where the two scripts meet."""
_EXTRA_SPACE = re.compile(
    r"(?<=[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f」』）】])[ ]+|[ ]+(?=[\u3001\u3002「『（【])"
)
"""Spaces beside what brings white of its own."""
_KATAKANA = re.compile(r"[ァ-ヶー]+")
_STEM = r"[\u3005\u30a1-\u30ff\u4e00-\u9fff0-9A-Za-z]"
_COMPOUND = re.compile(rf"{_STEM}{_STEM}")
"""Two letters of one compound."""
_TIED = re.compile(rf"{_STEM}{_STEM}|\S[\u3041-\u3096]")
"""Two letters of one compound, or hiragana with what it follows."""


Span = tuple[int, int]
"""From one letter to before another."""


class JapaneseLine(msgspec.Struct, frozen=True):
    """A line of a paragraph."""

    letters: Sequence[Letter]
    last: bool = True
    """Nothing follows it but a break that was asked for."""

    @property
    def text(self) -> str:
        """What stands on it."""
        return letters_text(self.letters)


class JapaneseParagraph(LinedParagraph):
    """A paragraph broken for a column of so many points; a list's sign stands before its first line."""

    def __init__(self, lines: list[JapaneseLine], style: Style, bullet: str | None = None) -> None:
        self.lines, self.style, self.bullet = lines, style, bullet
        self.before, self.after, self.keep_with_next = style.before, style.after, style.keep_with_next

    @property
    def text(self) -> str:
        """All letters, without breaks."""
        return "".join(line.text for line in self.lines)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as its lines."""
        self.width, self.height = width, len(self.lines) * self.style.leading
        return width, self.height

    def split_lines(self, fit: int, width: float) -> list[Flowable]:
        """Its first lines, and the rest."""
        parts = (
            JapaneseParagraph(self.lines[:fit], self.style, self.bullet),
            JapaneseParagraph(self.lines[fit:], self.style),
        )
        parts[1].before, parts[1].after = 0.0, self.after
        return list(parts)

    def draw(self, canvas: Canvas) -> None:
        """The lines, and the sign before the first."""
        style, size = self.style, self.style.size
        share = SHARE[style.align]
        y = self.height - size
        if self.bullet:
            self._put(canvas, 0.0, y, [(c, False, "") for c in self.bullet])
        for line in (each.letters for each in self.lines):
            free = share and self.width - style.indent - line_width(line, size)
            self._put(canvas, style.indent + share * free, y, line)
            bold = bool(line) and line[0][1]
            canvas.link_text(letters_text(line), style.indent + share * free, y, size, bold)
            y -= style.leading

    def _put(self, canvas: Canvas, x: float, y: float, line: Sequence[Letter]) -> None:
        size = self.style.size
        canvas.write(f"BT 1 0 0 1 {x:.3f} {y:.3f} Tm")
        meets = _script_changes(letters_text(line))
        start = 0
        for (bold, colour), run in groupby(line, key=lambda letter: letter[1:]):
            canvas.fill(colour or self.style.colour)
            text = letters_text(run)
            cuts = sorted({start, start + len(text), *(at for at in meets if start <= at < start + len(text))})
            for here, end in pairwise(cuts):
                for inner, codes in fonts.encode_text(canvas.file, text[here - start : end - start], bold):
                    canvas.write(f"{inner} {size:g} Tf")
                    if here in meets:
                        # Moves are told in thousandths of the size that was set last.
                        canvas.write(f"[{-1000 * SCRIPT_GAP:g}] TJ")
                        meets.discard(here)
                    canvas.write(f"({codes}) Tj")
            start += len(text)
        canvas.write("ET")


def make_paragraph(
    parts: Sequence[Node | str], style: Style, width: float, bullet: str | None = None
) -> JapaneseParagraph:
    """Inline content as a paragraph for a column of that width, in points."""
    return JapaneseParagraph(break_lines(parts, style, width - style.indent), style, bullet)


def needs_no_spacing(text: str) -> bool:
    """Whether a text is set as it is, with no room between scripts and no space too many."""
    return not (_SCRIPT_CHANGE.search(text) or _EXTRA_SPACE.search(text))


def break_lines(parts: Sequence[Node | str], style: Style, width: float) -> list[JapaneseLine]:
    """Inline content in lines that are no wider than that, in points."""
    runs = text_runs(parts, style.bold, "")
    letters = _without_extra_spaces([(c, bold, colour) for text, bold, colour in runs for c in text])
    lines: list[JapaneseLine] = []
    for breaks, run in groupby(letters, key=lambda letter: letter[0] == BREAK):
        given = list(run)
        if breaks:
            # A break ends a line; each further one leaves a line empty, as does one that comes first.
            lines += [JapaneseLine([]) for _ in given[bool(lines) :]]
        else:
            lines += _LineBreaker(given, style, width).lines()
    return lines or [JapaneseLine([])]


def line_width(line: Sequence[Letter], size: float) -> float:
    """The width of a line, in points."""
    runs = groupby(line, key=lambda letter: letter[1])
    return (
        sum(fonts.width(letters_text(run), size, bold) for bold, run in runs)
        + len(_script_changes(letters_text(line))) * SCRIPT_GAP * size
    )


def _script_changes(text: str) -> set[int]:
    """The letters before which there is a quarter of an em."""
    return {found.start() for found in _SCRIPT_CHANGE.finditer(text)}


def _without_extra_spaces(letters: list[Letter]) -> list[Letter]:
    """Without spaces that follow one another, stand at an end of a line, or beside what brings white of its own."""
    text = letters_text(letters)
    void = {at for found in _EXTRA_SPACE.finditer(text) for at in range(*found.span())}
    void |= {at for found in re.finditer(r"^ +| +$|(?<= ) +", text, re.MULTILINE) for at in range(*found.span())}
    return [letter for at, letter in enumerate(letters) if at not in void] if void else letters


class _LineBreaker:
    """The letters between two breaks, with the place of each on one endless line."""

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
        """The letters in lines."""
        spans = self._spans()
        return [JapaneseLine(self.letters[start:end], end == spans[-1][1]) for start, end in spans]

    def _spans(self) -> list[Span]:
        if self.right[-1] <= self.width:
            return [(0, len(self.letters))]
        units = self._units()
        kinds = [self._joined_units(units, _TIED), self._joined_units(units, _COMPOUND)] if self.heading else []
        kept = [kind for kind in kinds if all(self._width(*unit) <= self.width for unit in kind)]
        tried = [self._without_short_end(kind) for kind in (*kept, units)]
        return next((lines for lines in tried if not self._ends_short(lines)), tried[0])

    def _without_short_end(self, units: list[Span]) -> list[Span]:
        """The lines, narrowed as far as it takes that the last one is no scrap, with none more for it."""
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
        """The lines with the last one begun earlier, however loose that leaves the one before it."""
        start, stop = lines[-2][0], lines[-1][1]
        for at, _ in reversed(units):
            begin = at + (self.text[at] == " ")
            trial = [*lines[:-2], (start, at), (begin, stop)]
            if start < at and not self._ends_short(trial) and self._width(begin, stop) <= self.width:
                return trial
        return lines

    def _ends_short(self, lines: list[Span]) -> bool:
        return len(lines) > 1 and sum(c.isalnum() for c in self.text[slice(*lines[-1])]) <= SHORT_LAST_LINE

    def _fill_lines(self, units: list[Span], width: float) -> list[Span]:
        """Each line as full as it goes in so much room."""
        lines: list[Span] = []
        begin = end = -1
        for start, stop in units:
            while True:
                if begin < 0:
                    begin = end = start + (self.text[start] == " ")
                if self._width(begin, stop) <= width:
                    end = stop
                    break
                loose = end == begin or self._width(begin, end) < MIN_LINE_FILL * self.width
                cut = self._cut_position(begin, max(start, begin), stop, width) if loose else 0
                end = cut or end
                if end == begin:
                    # Not even one letter fits: it stands there nevertheless.
                    end = stop
                    break
                lines.append((begin, end))
                start, begin = end, -1
        return [*lines, (begin, end)]

    def _cut_position(self, begin: int, start: int, stop: int, width: float) -> int:
        """Where a unit is parted so that its head still fits the line; nought where it is not."""
        whole = self._width(start, stop) > self.width
        fits = [k for k in range(start + 1, stop) if self._width(begin, k) <= width and self.text[k] not in NOT_FIRST]
        if not whole:
            fits = [k for k in fits if self._is_katakana(k - _MIN_PART, start) and self._is_katakana(k, start, stop)]
        return fits[-1] if fits and (whole or not self.heading) else 0

    def _is_katakana(self, at: int, start: int, stop: int | None = None) -> bool:
        """Whether a word in katakana goes on from that letter for as long as a part of it must be."""
        end = at + _MIN_PART
        return at >= start and (stop is None or end <= stop) and bool(_KATAKANA.fullmatch(self.text, at, end))

    def _width(self, start: int, end: int) -> float:
        while end > start and self.text[end - 1] == " ":
            end -= 1
        return self.right[end - 1] - self.left[start] if end > start else 0.0

    def _units(self) -> list[Span]:
        """What stays together, with the space before it."""
        ends = list(accumulate(map(len, unbreakable_units(self.text))))
        return list(pairwise([0, *ends]))

    def _joined_units(self, units: list[Span], joint: re.Pattern[str]) -> list[Span]:
        """The units joined where their last letter and the next one's first are such a joint."""
        found: list[Span] = []
        for start, end in units:
            if found and joint.match(self.text, start - 1):
                start = found.pop()[0]
            found.append((start, end))
        return found
