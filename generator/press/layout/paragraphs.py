"""Paragraphs: where their lines break, and how they are drawn.

In English lines break at spaces, which may be a little narrower where a word so fits. A paragraph looks as ReportLab
sets it, whose own takes three times as long.

In Japanese:

* A line is filled as far as what stays together allows; a word in katakana is parted rather than that a line ends
  before 85 % of the column.
* A paragraph does not end on a line of one or two letters: the lines before it hand some down.
* Between kana or kanji and Latin letters or digits there is a quarter of an em; a space that stands there already is
  as wide. None follows what ends a sentence.
* Headings break between phrases: behind hiragana where they can, inside a compound only where the column is narrower.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import Any

import msgspec

from generator.press.layout.flowables import Flowable
from generator.press.layout.line_breaks import NOT_FIRST, unbroken
from generator.press.layout.markup import Node, squeeze
from generator.press.layout.styles import Align, Style
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT, Canvas
from generator.press.pdf.units import numbers, rgb

Letter = tuple[str, bool, str]
"""A character, or several alike, whether it is bold, and its colour (empty: the paragraph's own)."""
_BREAK = "\n"
FULL = 0.85
"""A line that ends before this share of the column takes part of the word in katakana that follows."""
SHORT = 2
"""A last line of so few letters is none."""
GAP = 0.25
"""Between kana or kanji and Latin letters or digits, in ems."""
_NARROWEST = 0.55
"""The share of the column to which lines are narrowed, at most, for the sake of the last one."""
_HEAD = 2
"""Letters of a parted word that stand together, at least, before the break and behind it."""

_WORDS = r"[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]"
_LATIN = r"[0-9A-Za-z\u00c0-\u024f]"
_MEET = re.compile(rf"(?<={_WORDS})(?=[-+−±]?{_LATIN})|(?<={_LATIN})(?={_WORDS})|(?<=[0-9]%)(?={_WORDS})")
"""Where the two scripts meet."""
_VOID = re.compile(
    r"(?<=[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f」』）】])[ ]+|[ ]+(?=[\u3001\u3002「『（【])"
)
"""Spaces beside what brings white of its own."""
_KATAKANA = re.compile(r"[ァ-ヶー]+")
_STEM = r"[\u3005\u30a1-\u30ff\u4e00-\u9fff0-9A-Za-z]"
_COMPOUND = re.compile(rf"{_STEM}{_STEM}")
"""Two letters of one compound."""
_TIED = re.compile(rf"{_STEM}{_STEM}|\S[\u3041-\u3096]")
"""Two letters of one compound, or hiragana with what it follows."""

_WHITE = re.compile(r"[^\S\u00a0]+")
"""Where English words part."""
_NARROWER = 0.05
"""The share of itself by which a space may be narrower."""
_SHARE: Mapping[Align, float] = {"left": 0.0, "centre": 0.5, "right": 1.0}
"""How much of what a line leaves free lies before it."""
_BESIDE = 0.6
"""From a list's sign to its text, at least, in ems."""
_LOOK = itemgetter(1, 2)
"""What a letter looks like."""
_STEP, _NOUGHT = 1e-6, 1e-8
"""No line is moved by less, and none is too long by less, in points."""

Span = tuple[int, int]
"""From one letter to before another."""


class Line(msgspec.Struct, frozen=True):
    """A line of a paragraph."""

    letters: Sequence[Letter]
    last: bool = True
    """Nothing follows it but a break that was asked for."""

    @property
    def text(self) -> str:
        """What stands on it."""
        return written(self.letters)


class _Lined(Flowable):
    """Lines one below the other, all of one style."""

    lines: list[Any]
    style: Style

    def split(self, width: float, height: float) -> list[Flowable]:
        """Between two lines; no single line stays behind."""
        fit = int(height / self.style.leading)
        if fit >= len(self.lines):
            return [self]
        return self.parted(fit, width) if fit > 1 else []

    def parted(self, fit: int, width: float) -> list[Flowable]:
        """So many lines of it, two at least, and the rest, in a column of that width."""
        raise NotImplementedError


class Lines(_Lined):
    """A paragraph broken for a column of so many points; a list's sign stands before its first line."""

    def __init__(self, lines: list[Line], style: Style, bullet: str | None = None) -> None:
        self.lines, self.style, self.bullet = lines, style, bullet
        self.before, self.after, self.heads = style.before, style.after, style.heads

    @property
    def text(self) -> str:
        """All letters, without breaks."""
        return "".join(line.text for line in self.lines)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as its lines."""
        self.width, self.height = width, len(self.lines) * self.style.leading
        return width, self.height

    def parted(self, fit: int, width: float) -> list[Flowable]:
        """Its first lines, and the rest."""
        parts = Lines(self.lines[:fit], self.style, self.bullet), Lines(self.lines[fit:], self.style)
        parts[1].before, parts[1].after = 0.0, self.after
        return list(parts)

    def draw(self, canvas: Canvas) -> None:
        """The lines, and the sign before the first."""
        style, size = self.style, self.style.size
        share = _SHARE[style.align]
        y = self.height - size
        if self.bullet:
            self._put(canvas, 0.0, y, [(c, False, "") for c in self.bullet])
        for line in (each.letters for each in self.lines):
            free = share and self.width - style.indent - wide(line, size)
            self._put(canvas, style.indent + share * free, y, line)
            bold = bool(line) and line[0][1]
            canvas.link_text(written(line), style.indent + share * free, y, size, bold)
            y -= style.leading

    def _put(self, canvas: Canvas, x: float, y: float, line: Sequence[Letter]) -> None:
        size = self.style.size
        canvas.write(f"BT 1 0 0 1 {x:.3f} {y:.3f} Tm")
        meets = _meets(written(line))
        start = 0
        for (bold, colour), run in groupby(line, key=lambda letter: letter[1:]):
            canvas.fill(colour or self.style.colour)
            text = written(run)
            cuts = sorted({start, start + len(text), *(at for at in meets if start <= at < start + len(text))})
            for here, end in pairwise(cuts):
                for inner, codes in fonts.spelled(canvas.file, text[here - start : end - start], bold):
                    canvas.write(f"{inner} {size:g} Tf")
                    if here in meets:
                        # Moves are told in thousandths of the size that was set last.
                        canvas.write(f"[{-1000 * GAP:g}] TJ")
                        meets.discard(here)
                    canvas.write(f"({codes}) Tj")
            start += len(text)
        canvas.write("ET")


class OneLine(Flowable):
    """A text that is known to fit on one line: what a paragraph looks like, at a part of the cost.

    Its letters stand `spaced` points apart from one another.
    """

    def __init__(self, text: str, style: Style, spaced: float = 0.0) -> None:
        self.text, self.style, self.spaced = text, style, spaced
        self.before, self.after, self.heads = style.before, style.after, style.heads

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """A line's height wherever it stands."""
        self.width = width
        return width, self.style.leading

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """What ReportLab's calls would write, at once, for a print has thousands of such lines."""
        if not self.text:
            # A record has hundreds of cells to write in.
            return
        style = self.style
        size, bold = style.size, style.bold
        right, up = style.indent, style.leading - size
        if style.align != "left":
            # Half of what is free lies before a line in the middle, all of it before one at the right.
            wide = fonts.width(self.text, size, bold) + self.spaced * (len(self.text) - 1)
            right = _SHARE[style.align] * (self.width - wide)
        told = fonts.shown(canvas.file, self.text, size, bold)
        before, after = (f" {numbers(self.spaced)} Tc", " 0 Tc") if self.spaced else ("", "")
        canvas.write(
            f"q\n1 0 0 1 {numbers(x, y)} cm\n{rgb(style.colour)} rg\n"
            f"BT 1 0 0 1 {numbers(right, up)} Tm{before} {told} T*{after} ET\nQ"
        )
        canvas.link_text(self.text, x + right, y + up, size, bold)


class Word(msgspec.Struct, frozen=True):
    """What no line parts, in runs that look alike, and how wide it is; the space behind it looks like its text."""

    runs: Sequence[Letter]
    wide: float
    space: Sequence[Letter] = ()
    gap: float = 0.0
    """How wide the space is."""
    breaks: bool = False
    """It is no word, but a break that was asked for."""

    @property
    def parts(self) -> bool:
        """Whether it has two letters at least, between which a line may end where it is longer than a line."""
        return len(written(self.runs)) > 1

    def parted(self, room: float, size: float, least: int) -> tuple[Word, Word]:
        """As many of its letters as that room takes, but so many at least, and the rest, for type of that size."""
        letters = [(c, bold, colour) for text, bold, colour in self.runs for c in text]
        ends = list(accumulate(fonts.width(c, size, bold) for c, bold, _ in letters))
        fit = max(least, bisect_right(ends, room))
        head, rest = (
            [(written(run), *look) for look, run in groupby(part, key=lambda letter: letter[1:])]
            for part in (letters[:fit], letters[fit:])
        )
        wide = ends[fit - 1] if fit else 0.0
        return Word(head, wide), Word(rest, ends[-1] - wide, self.space, self.gap)


class Said(msgspec.Struct, frozen=True):
    """A line of words, and what it leaves of its room: less than nothing where its spaces are narrower for it."""

    words: Sequence[Word]
    free: float

    @property
    def runs(self) -> list[Letter]:
        """What stands on it, with one space between two words."""
        told = [run for word in self.words for run in (*word.runs, *word.space)]
        if told and self.words[-1].space:
            told.pop()
        return [("".join([run[0] for run in runs]), *look) for look, runs in groupby(told, key=_LOOK)]


class Prose(_Lined):
    """An English paragraph, whose lines may lead somewhere; it is broken once for a width.

    A list's sign stands before its first line; its lines end `spare` points before the column does.
    """

    def __init__(self, words: Sequence[Word], style: Style, bullet: str | None = None, spare: float = 0.0) -> None:
        self.words, self.style, self.bullet, self.spare = words, style, bullet, spare
        self.before, self.after, self.heads = style.before, style.after, style.heads
        self.lines: list[Said] = []
        self.width = -1.0

    @property
    def text(self) -> str:
        """All letters, without breaks."""
        return "".join(written((*word.runs, *word.space)) for word in self.words)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as its lines."""
        if self.width != width:
            room = width - self.style.indent - self.spare
            size = self.style.size
            self.lines, self.width = _filled(self.words, room - self._overhang(), room, size), width
        self.height = len(self.lines) * self.style.leading
        return width, self.height

    def parted(self, fit: int, width: float) -> list[Flowable]:
        """Its first lines, and the rest."""
        parts = []
        for lines, bullet in ((self.lines[:fit], self.bullet), (self.lines[fit:], None)):
            part = Prose([word for line in lines for word in line.words], self.style, bullet, self.spare)
            part.lines, part.width, part.after = lines, width, self.after
            parts.append(part)
        return [*parts]

    def draw_on(self, canvas: Canvas, x: float, y: float) -> None:
        """Its lines, at once."""
        style, size, up = self.style, self.style.size, self.height - self.style.size
        texts = []
        if self.bullet:
            sign = _Pen(canvas, style)
            sign.put([(self.bullet, False, "")])
            texts.append((0.0, sign))
        looks = [*dict.fromkeys(run[1:] for word in self.words for run in word.runs)]
        pen = _Pen(canvas, style)
        for number, line in enumerate(self.lines):
            text = pen.line(line, 0.0 if number else self._overhang())
            if len(looks) == 1 and style.align == "left":
                high = y + up - number * style.leading
                canvas.link_text(text, x + style.indent, high, size, looks[0][0])
        texts.append((style.indent, pen))
        told = [f"BT 1 0 0 1 {numbers(right, up)} Tm {' '.join(text.told)} ET" for right, text in texts]
        canvas.write("\n".join(("q", f"1 0 0 1 {numbers(x, y)} cm", *told, "Q")))

    def _overhang(self) -> float:
        """How far the first line begins behind the others, where its sign needs more room than they leave it."""
        if not self.bullet:
            return 0.0
        size, indent = self.style.size, self.style.indent
        return max(0.0, fonts.width(self.bullet, size) + _BESIDE * size - indent)


class _Pen:
    """Text operators in the making."""

    def __init__(self, canvas: Canvas, style: Style) -> None:
        self.canvas, self.style = canvas, style
        self.sizes = fonts.scale(style.size, style.leading)
        self.told: list[str] = []
        self.font = ""
        self.hue = ""

    def line(self, line: Said, begin: float) -> str:
        """A line as its style aligns it, so far behind where lines begin, and its text."""
        runs = line.runs
        said = written(runs)
        spaces = len(line.words) - 1 + said.count("\u00a0")
        narrow = line.free < -_NOUGHT and spaces > 0
        share = 0.0 if narrow else _SHARE[self.style.align]
        right = begin + share * line.free
        self._move(right)
        if narrow:
            self.told.append(f"{numbers(line.free / spaces)} Tw")
        self.put(runs)
        self.told.append("T*")
        if narrow:
            self.told.append("0 Tw")
        self._move(-right)
        return said

    def put(self, runs: Iterable[Letter]) -> None:
        """Text that goes on from where the last one ended."""
        for text, bold, colour in runs:
            if (hue := rgb(colour or self.style.colour)) != self.hue:
                self.hue = hue
                self.told.append(f"{hue} rg")
            for inner, codes in fonts.spelled(self.canvas.file, text, bold):
                if inner != self.font:
                    self.font = inner
                    self.told.append(f"{inner} {self.sizes}")
                self.told.append(f"({codes}) Tj")

    def _move(self, right: float) -> None:
        if abs(right) > _STEP:
            if self.told and self.told[-1].endswith(" Td"):
                right += float(self.told.pop().split()[0])
            self.told.append(f"{numbers(right)} 0 Td")


def prose(parts: Sequence[Node | str], style: Style) -> list[Word]:
    """English inline content as words of that style."""
    words: list[Word] = []
    runs: list[Letter] = []
    wide = 0.0
    for text, bold, colour in _runs(parts, style.bold, ""):
        if text == _BREAK:
            words += [*([Word(runs, wide)] if runs else ()), Word((), 0.0, breaks=True)]
            runs, wide = [], 0.0
            continue
        size = style.size
        space, gap = ((" ", bold, colour),), fonts.width(" ", size, bold)
        # What parts the entries of a line ends one line rather than beginning the next.
        for number, piece in enumerate(_WHITE.split(text.replace(JOINT, "\u00a0" + JOINT.lstrip()))):
            if number and runs:
                words.append(Word(runs, wide, space, gap))
                runs, wide = [], 0.0
            if piece:
                runs.append((piece, bold, colour))
                wide += fonts.width(piece, size, bold)
    return [*words, Word(runs, wide)] if runs else words


def _filled(words: Sequence[Word], first: float, room: float, size: float) -> list[Said]:
    """Lines of type of that size, each as full as it goes in its room, in points."""
    lines: list[Said] = []
    line: list[Word] = []
    used = gap = gaps = 0.0
    free, ahead = first, deque(words)
    while ahead:
        word = ahead.popleft()
        wide = used + gap + word.wide
        if not word.breaks:
            if wide <= free + _NARROWER * gaps or not (line or word.parts):
                line.append(word)
                used, gap, gaps = wide, word.gap, gaps + word.gap
                continue
            if word.wide > free:
                head, word = word.parted(free - used - gap, size, 0 if line else 1)
                if head.runs:
                    line.append(head)
                    used += gap + head.wide
            ahead.appendleft(word)
        lines.append(Said(line, free - used))
        line, used, gap, gaps, free = [], 0.0, 0.0, 0.0, room
    return [*lines, Said(line, free - used)] if line else lines


def paragraph(parts: Sequence[Node | str], style: Style, width: float, bullet: str | None = None) -> Lines:
    """Inline content as a paragraph for a column of that width, in points."""
    return Lines(broken(parts, style, width - style.indent), style, bullet)


def plain(text: str) -> bool:
    """Whether a text is set as it is, with no room between scripts and no space too many."""
    return not (_MEET.search(text) or _VOID.search(text))


def broken(parts: Sequence[Node | str], style: Style, width: float) -> list[Line]:
    """Inline content in lines that are no wider than that, in points."""
    runs = _runs(parts, style.bold, "")
    letters = _clean([(c, bold, colour) for text, bold, colour in runs for c in text])
    lines: list[Line] = []
    for breaks, run in groupby(letters, key=lambda letter: letter[0] == _BREAK):
        given = list(run)
        if breaks:
            # A break ends a line; each further one leaves a line empty, as does one that comes first.
            lines += [Line([]) for _ in given[bool(lines) :]]
        else:
            lines += _Setting(given, style, width).lines()
    return lines or [Line([])]


def written(letters: Iterable[Letter]) -> str:
    """The text of so many letters."""
    return "".join([c for c, _, _ in letters])


def wide(line: Sequence[Letter], size: float) -> float:
    """The width of a line, in points."""
    runs = groupby(line, key=lambda letter: letter[1])
    return sum(fonts.width(written(run), size, bold) for bold, run in runs) + len(_meets(written(line))) * GAP * size


def _meets(text: str) -> set[int]:
    """The letters before which there is a quarter of an em."""
    return {found.start() for found in _MEET.finditer(text)}


def _runs(parts: Sequence[Node | str], bold: bool, colour: str) -> Iterator[Letter]:
    """Inline content as texts that look alike, and breaks."""
    for part in parts:
        if isinstance(part, str):
            yield squeeze(part), bold, colour
        elif part.tag == "br":
            yield _BREAK, bold, colour
        else:
            own = colour if part.tag == "b" else part.colour()
            yield from _runs(part.children, bold or part.tag == "b", own)


def _clean(letters: list[Letter]) -> list[Letter]:
    """Without spaces that follow one another, stand at an end of a line, or beside what brings white of its own."""
    text = written(letters)
    void = {at for found in _VOID.finditer(text) for at in range(*found.span())}
    void |= {at for found in re.finditer(r"^ +| +$|(?<= ) +", text, re.MULTILINE) for at in range(*found.span())}
    return [letter for at, letter in enumerate(letters) if at not in void] if void else letters


class _Setting:
    """The letters between two breaks, with the place of each on one endless line."""

    def __init__(self, letters: list[Letter], style: Style, width: float) -> None:
        self.letters, self.width, self.text = letters, width, written(letters)
        size = style.size
        gaps = _meets(self.text)
        advances = [fonts.width(c, size, bold) for c, bold, _ in letters]
        steps = [a + (GAP * size if at in gaps else 0.0) for at, a in enumerate(advances)]
        self.right = list(accumulate(steps))
        self.left = [end - a for end, a in zip(self.right, advances, strict=True)]
        self.em = size
        self.heading = style.bold

    def lines(self) -> list[Line]:
        """The letters in lines."""
        spans = self._spans()
        return [Line(self.letters[start:end], end == spans[-1][1]) for start, end in spans]

    def _spans(self) -> list[Span]:
        if self.right[-1] <= self.width:
            return [(0, len(self.letters))]
        units = self._units()
        kinds = [self._joined_at(units, _TIED), self._joined_at(units, _COMPOUND)] if self.heading else []
        kept = [kind for kind in kinds if all(self._long(*unit) <= self.width for unit in kind)]
        tried = [self._settled(kind) for kind in (*kept, units)]
        return next((lines for lines in tried if not self._scrap(lines)), tried[0])

    def _settled(self, units: list[Span]) -> list[Span]:
        """The lines, narrowed as far as it takes that the last one is no scrap, with none more for it."""
        best = lines = self._filled(units, self.width)
        if not self._scrap(lines):
            return lines
        room = self.width
        while (room := room - self.em / 2) >= _NARROWEST * self.width:
            trial = self._filled(units, room)
            if len(trial) > len(lines):
                break
            if not self._scrap(trial):
                if all(self._long(*line) >= FULL * self.width for line in trial[:-1]):
                    return trial
                best = trial if best is lines else best
        return best if best is not lines else self._handed_down(units, lines)

    def _handed_down(self, units: list[Span], lines: list[Span]) -> list[Span]:
        """The lines with the last one begun earlier, however loose that leaves the one before it."""
        start, stop = lines[-2][0], lines[-1][1]
        for at, _ in reversed(units):
            begin = at + (self.text[at] == " ")
            trial = [*lines[:-2], (start, at), (begin, stop)]
            if start < at and not self._scrap(trial) and self._long(begin, stop) <= self.width:
                return trial
        return lines

    def _scrap(self, lines: list[Span]) -> bool:
        return len(lines) > 1 and sum(c.isalnum() for c in self.text[slice(*lines[-1])]) <= SHORT

    def _filled(self, units: list[Span], width: float) -> list[Span]:
        """Each line as full as it goes in so much room."""
        lines: list[Span] = []
        begin = end = -1
        for start, stop in units:
            while True:
                if begin < 0:
                    begin = end = start + (self.text[start] == " ")
                if self._long(begin, stop) <= width:
                    end = stop
                    break
                loose = end == begin or self._long(begin, end) < FULL * self.width
                cut = self._cut(begin, max(start, begin), stop, width) if loose else 0
                end = cut or end
                if end == begin:
                    # Not even one letter fits: it stands there nevertheless.
                    end = stop
                    break
                lines.append((begin, end))
                start, begin = end, -1
        return [*lines, (begin, end)]

    def _cut(self, begin: int, start: int, stop: int, width: float) -> int:
        """Where a unit is parted so that its head still fits the line; nought where it is not."""
        whole = self._long(start, stop) > self.width
        fits = [k for k in range(start + 1, stop) if self._long(begin, k) <= width and self.text[k] not in NOT_FIRST]
        if not whole:
            fits = [k for k in fits if self._joined(k - _HEAD, start) and self._joined(k, start, stop)]
        return fits[-1] if fits and (whole or not self.heading) else 0

    def _joined(self, at: int, start: int, stop: int | None = None) -> bool:
        """Whether a word in katakana goes on from that letter for as long as a part of it must be."""
        end = at + _HEAD
        return at >= start and (stop is None or end <= stop) and bool(_KATAKANA.fullmatch(self.text, at, end))

    def _long(self, start: int, end: int) -> float:
        while end > start and self.text[end - 1] == " ":
            end -= 1
        return self.right[end - 1] - self.left[start] if end > start else 0.0

    def _units(self) -> list[Span]:
        """What stays together, with the space before it."""
        ends = list(accumulate(map(len, unbroken(self.text))))
        return list(pairwise([0, *ends]))

    def _joined_at(self, units: list[Span], joint: re.Pattern[str]) -> list[Span]:
        """The units joined where their last letter and the next one's first are such a joint."""
        found: list[Span] = []
        for start, end in units:
            if found and joint.match(self.text, start - 1):
                start = found.pop()[0]
            found.append((start, end))
        return found
