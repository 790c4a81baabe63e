"""Papers, cuts, and how pieces lie on a sheet.

Page labels: what a viewer shows and finds in place of a page's number.

Paper, and what stands above and below on every page.

Where pieces lie on a sheet of paper: as many as fit, each back exactly behind its front.

All in millimetres from the page's lower left corner; a slot is the lower left corner of a piece's trimmed
box. The block of slots stays inside the unprinted edge together with its bleed and marks. Where a sheet is folded
its fronts lie left of the fold or above it, their backs mirrored beyond.

How a kit is printed: all that is asked of the press, in one value, an `Edition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import Literal

import msgspec

from generator.errors import DataError, DoesNotFitError, among
from generator.model.picture import XY
from generator.model.words import Lang, Words
from generator.notation.printers import TRUE, Printer
from generator.notation.toml import read
from generator.notation.words import words
from generator.press.layout.styles import BLACK, LIGHT, QUIET, RULE
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.legible import FLOOR
from generator.press.pdf.units import MM
from generator.said import say
from generator.store.folders import shipped


def label_pages(canvas: Canvas, before: int, name: str, first: int, total: int) -> None:
    """Label the pages behind so many by name, from that number on; by the name alone where it has but one page."""
    canvas.label_pages(before, name, first if total > 1 else 0)


EDGE = 6.5
"""Nothing is printed nearer to the paper's edge."""
_TOP, _BOTTOM = 15.6 * MM, 13.4 * MM
"""What the running header and the footer take of a page from its edge on, with the white towards the text."""
_HEAD, _HEAD_RULE, _FOOT, _FOOT_RULE = 9.6 * MM, 12.4 * MM, 7.6 * MM, 10.9 * MM
"""How far from the edge of the paper their baselines and their rules lie, unless a printer needs more white."""
_ASCENT, _DESCENT, _APART = 2.8 * MM, 0.9 * MM, 1.8 * MM
"""What a line of the header rises above its baseline, of the footer hangs below it, and how far off its rule lies."""
_LINE, _LAST, _NEAR = 2.45 * MM, 14.3 * MM, 0.8 * MM
"""From line to line of a long header, how far from the edge its last may lie, and how far off its rule then is."""
_BESIDE = 6
"""The left text has this part of the first line at least, or the right one does not stand beside it."""
_BARE = 10 * MM
"""The same at the top of a page that bears no running header."""
_SIZE = 7.5


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of paper and its margin at the sides, in mm."""

    name: Words
    width: float
    height: float
    margin: float

    def sides(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in mm."""
        return (self.height, self.width) if landscape else (self.width, self.height)

    def size(self, landscape: bool = False) -> tuple[float, float]:
        """Width and height in points, to the thousandth."""
        width, height = self.sides(landscape)
        return round(width * MM, 3), round(height * MM, 3)

    def column(self, landscape: bool = False, *, bare: bool = False) -> tuple[float, float]:
        """Width and height, in points, of what a page has for its text; a bare one has no running header."""
        width, height = self.size(landscape)
        return width - 2 * self.margin * MM, height - (_BARE if bare else _TOP) - _BOTTOM

    def corner(self, landscape: bool = False, *, bare: bool = False) -> tuple[float, float]:
        """The upper left corner of that column, in points from the page's lower left."""
        return self.margin * MM, self.size(landscape)[1] - (_BARE if bare else _TOP)


@cache
def papers() -> dict[str, Paper]:
    """The papers of data/papers.toml by name."""
    return read(shipped("data") / "papers.toml", dict[str, Paper], "data/papers.toml")


def paper_named(name: str) -> Paper:
    """The paper of that name; WrongUsageError where there is none."""
    return papers()[among(name, papers(), say('no paper "{name}"', name=name))]


class Furniture(msgspec.Struct, frozen=True):
    """The running header and the footer of a page, in points: what they say, how large and where."""

    lines: tuple[str, ...]
    """The left of the header, from `head` above the paper's lower edge on down."""
    right: str
    below: tuple[str, ...]
    """The footer: left, middle, right."""
    sizes: tuple[float, float]
    """Of their types: the header's, the footer's."""
    head: float
    foot: float
    rules: tuple[float, ...]
    left: float
    width: float
    """Where both begin, and how wide they are."""

    def write(self, canvas: Canvas) -> None:
        """All of it."""
        self.write_left(canvas)
        self.write_rest(canvas)

    def write_left(self, canvas: Canvas) -> None:
        """The left of the header."""
        canvas.fill(BLACK)
        for at, line in enumerate(self.lines):
            canvas.text(self.left, self.head - at * _LINE, line, self.sizes[0], bold=True)

    def write_rest(self, canvas: Canvas) -> None:
        """All but the left of the header."""
        head, foot = self.sizes
        left, middle, right = self.below
        canvas.fill(QUIET)
        canvas.text(self.left + self.width, self.head, self.right, head, share=1.0)
        canvas.fill(BLACK)
        canvas.text(self.left, self.foot, left, foot, bold=True)
        canvas.fill(QUIET)
        canvas.text(self.left + self.width / 2, self.foot, middle, foot, share=0.5)
        canvas.text(self.left + self.width, self.foot, right, foot, share=1.0)
        canvas.stroke(LIGHT, RULE)
        for y in self.rules:
            canvas.line(self.left, y, self.left + self.width, y)


def furniture(
    paper: Paper, landscape: bool, above: tuple[str, str], below: tuple[str, ...], keep: float = EDGE
) -> Furniture:
    """The running header (left, right) and the footer (left, middle, right) of a page.

    They stay `keep` mm from the paper's edge. A header without words has no line below it; one that is too long goes
    on in the lines below. DoesNotFitError where the footer does not fit on its line.
    """
    page, height = paper.size(landscape)
    margin = paper.margin * MM
    width = page - 2 * margin
    least, foot = keep * MM + _ASCENT, max(_FOOT, keep * MM + _DESCENT)
    lines, right = _headed(above, width, 1 + max(0, int((_LAST - least) / _LINE)))
    head = max(_HEAD if len(lines) == 1 else 0.0, least)
    last = head + _LINE * (len(lines) - 1)
    rules = max(_HEAD_RULE, last + (_APART if len(lines) == 1 else _NEAR)), max(_FOOT_RULE, foot + _ASCENT)
    size = _fitting((lines[0], right), width, say("header")) if len(lines) == 1 else FLOOR
    return Furniture(
        tuple(lines),
        right,
        below,
        (size, _fitting(below, width, say("footer"))),
        height - head,
        foot,
        (*([height - rules[0]] if any(above) else []), rules[1]),
        margin,
        width,
    )


def shortened(text: str, width: float, bold: bool = False) -> str:
    """As much of a text as has room in the smallest type, with dots where something is left out."""
    if fonts.width(text, FLOOR, bold=bold) <= width:
        return text
    end = len(text)
    while end and fonts.width(f"{text[:end].rstrip()}…", FLOOR, bold=bold) > width:
        end -= 1
    return f"{text[:end].rstrip()}…"


def _headed(above: tuple[str, str], width: float, most: int) -> tuple[list[str], str]:
    """The header's left text in at most so many lines of the smallest type, and the right one, beside the first.

    Where they have no room so, the right one goes on behind the left one; where that is not enough, lines end within
    words. What even then is left over ends in dots.
    """
    left, right = above
    both = " · ".join(filter(None, above))
    for text, beside, between in ((left, right, True), (both, "", True), (left, right, False), (both, "", False)):
        rooms = [width - fonts.width(beside, FLOOR, bold=True) - 6 * MM, *[width] * (most - 1)]
        *lines, last = _broken(text, rooms, between)
        kept = shortened(last, rooms[len(lines)], bold=True)
        if kept == last and rooms[0] > width / _BESIDE:
            break
    return [*lines, kept], beside


def _broken(text: str, rooms: Sequence[float], between: bool) -> list[str]:
    """A text in lines of these widths, between words where a line is half full by then; the last takes the rest."""
    lines, rest = list[str](), text
    for room in rooms[:-1]:
        if fonts.width(rest, FLOOR, bold=True) <= room:
            break
        fits = max((n for n in range(len(rest) + 1) if fonts.width(rest[:n], FLOOR, bold=True) <= room), default=0)
        space = rest.rfind(" ", 1, fits + 1) if between else 0
        cut = space if space > fits / 2 else fits
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*lines, rest]


def _fitting(texts: tuple[str, ...], width: float, place: str) -> float:
    """The type size at which the texts stand side by side; DoesNotFitError where none does."""
    for size in (_SIZE, FLOOR):
        widths = [fonts.width(text, size, bold=True) for text in texts]
        needed = sum(widths) + 6 * MM if len(texts) == 2 else 2 * max(widths[0], widths[-1]) + widths[1] + 8 * MM
        if needed <= width:
            return size
    raise DoesNotFitError(
        say("the {place} does not fit on one line: {texts}", place=place, texts=" | ".join(texts)),
        hint=say("shorten the title"),
    )


Cut = Literal["card", "hex", "tile", "square"]
Flip = Literal["long", "short"]
Fold = Literal["", "upright", "level"]
"""How the line lies along which a sheet is folded, if it is."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Segment = tuple[XY, XY]

FOOT = 3.4
"""The strip for the line that says what the page is."""
MOST_GAP = 30.0
LEAST_MARK, MOST_MARK = 1.0, 4.0
BLEEDS: dict[Cut, float] = {"card": 3.0, "tile": 1.5, "square": 1.5, "hex": 1.5}
"""How far a face goes on beyond the trim, where its neighbour leaves the room: less round small things, for ink."""
_TIGHT = 2.0
"""The same round cards without gaps: so nine of the usual ones lie on a page of A4, with their marks."""
_WHITE: dict[Cut, float] = {"card": 0.0, "tile": 2 * LEAST_MARK, "square": 2 * LEAST_MARK, "hex": 0.0}
"""What stays white between two bleeds, with room for marks."""
GAPS: dict[Cut, float] = {cut: 2 * bleed + _WHITE[cut] for cut, bleed in BLEEDS.items()}
"""From trim to trim where nobody says otherwise."""
TILE = (0.94, 0.64)
"""Width and height of the rectangle that lies on a hex, in widths of the hex."""
TALL = 2 / 3**0.5
"""The height of a hex that is 1 wide from side to side."""
_BIT = 1e-6


class CardSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card's trimmed size in mm."""

    name: Words
    width: float
    height: float


class Imposing(msgspec.Struct, frozen=True):
    """How a run is put on paper; None takes what suits the pieces."""

    size: str = "poker"
    gap: float | None = None
    flip: Flip = "long"
    single: bool = False
    """Fronts only."""
    fold: bool = False
    """Fronts and backs on one side of the paper, to be folded along the line between them."""
    hex: float | None = None
    """The width of a cell from side to side, in place of the run's own."""


PLAIN = Imposing()


@cache
def card_sizes() -> dict[str, CardSize]:
    """The sizes of data/cards.toml by name."""
    return read(shipped("data") / "cards.toml", dict[str, CardSize], "data/cards.toml")


def card_size(name: str) -> CardSize:
    """The size of that name; WrongUsageError where there is none."""
    return card_sizes()[among(name, card_sizes(), say('no card size "{name}"', name=name))]


def trim(cut: Cut, cell: float, how: Imposing, share: float = 1.0) -> XY:
    """Width and height of a piece after cutting, for a map's cell that wide and that share of it."""
    if cut == "card":
        size = card_size(how.size)
        return size.width, size.height
    whole = how.hex or cell
    wide = whole * share
    if cut == "hex":
        return wide, wide * TALL
    return (wide, wide) if cut == "square" else (whole * TILE[0], whole * TILE[1])


class Layout(msgspec.Struct, frozen=True):
    """The slots of a page in reading order, and the page they lie on."""

    page: XY
    piece: XY
    cut: Cut
    gap: float
    rows: tuple[tuple[XY, ...], ...]
    edge: float = EDGE
    fold: Fold = ""

    @property
    def landscape(self) -> bool:
        """Whether the page lies on its long side."""
        return self.page[0] > self.page[1]

    @property
    def slots(self) -> tuple[XY, ...]:
        """Every slot."""
        return tuple(slot for row in self.rows for slot in row)

    @property
    def inner(self) -> float:
        """The bleed towards a neighbour: half the gap at most."""
        return min(BLEEDS[self.cut], self.gap / 2)

    @property
    def outer(self) -> float:
        """The bleed where there is no neighbour; hexes have some all round, and bleed alike on every side."""
        return self.inner if self.cut == "hex" else _bleed(self.cut, self.gap)

    def upright(self, flip: Flip) -> bool:
        """Whether the sheet turns over about its upright middle; else about the level one."""
        if self.fold:
            return self.fold == "upright"
        return (flip == "long") is not self.landscape

    def behind(self, slot: XY, flip: Flip) -> XY:
        """The slot that lies exactly behind one on the front: on the back of the sheet, or beyond its fold."""
        (x, y), (w, h) = slot, self.piece
        return (self.page[0] - x - w, y) if self.upright(flip) else (x, self.page[1] - y - h)

    def bleeds(self, index: int) -> tuple[float, float, float, float]:
        """How far the piece in that slot bleeds to the left, below, to the right and above."""
        row, column = divmod(index, len(self.rows[0]))
        last_row, last_column = len(self.rows) - 1, len(self.rows[0]) - 1
        return (
            self.inner if column else self.outer,
            self.inner if row < last_row else self.outer,
            self.inner if column < last_column else self.outer,
            self.inner if row else self.outer,
        )

    def marks(self, used: int) -> tuple[Segment, ...]:
        """Crop marks for the first `used` slots: outside every trim and bleed, short of the paper's edge."""
        if self.cut == "hex":
            return ()
        (w, h), columns = self.piece, len(self.rows[0])
        far_left, bottom, far_right, top = room(self.page, self.edge, self.fold)
        found: dict[Segment, None] = {}
        for index, (x, y) in enumerate(self.slots[:used]):
            row, column = divmod(index, columns)
            left, below, right, above = self.bleeds(index)
            beside = (index - 1, column > 0), (index + 1, column < columns - 1)
            under_over = (index + columns, row < len(self.rows) - 1), (index - columns, row > 0)
            sides = ((beside[0], left, x - left - far_left), (beside[1], right, far_right - x - w - right))
            for i, ((other, there), bleed, outside) in enumerate(sides):
                if length := self._mark(there, other < used, bleed, outside):
                    a = x - bleed if i == 0 else x + w + bleed
                    b = a - length if i == 0 else a + length
                    found.update(dict.fromkeys(((a, level), (b, level)) for level in (y, y + h)))
            ends = ((under_over[0], below, y - below - bottom), (under_over[1], above, top - y - h - above))
            for i, ((other, there), bleed, outside) in enumerate(ends):
                if length := self._mark(there, other < used, bleed, outside):
                    a = y - bleed if i == 0 else y + h + bleed
                    b = a - length if i == 0 else a + length
                    found.update(dict.fromkeys(((level, a), (level, b)) for level in (x, x + w)))
        return tuple(found)

    def _mark(self, neighbour: bool, used: bool, bleed: float, outside: float) -> float:
        """How long a mark may be: up to the neighbour's bleed, a blank slot's trim, or the edge; 0 for none."""
        room = self.gap - bleed - (bleed if used else 0.0) if neighbour else outside
        return min(room, MOST_MARK) if room >= LEAST_MARK - _BIT else 0.0


def room(page: XY, edge: float, fold: Fold = "") -> Box:
    """What a page has for fronts with bleed and marks: all inside its edge and above its foot, or half of it."""
    left, bottom, right, top = edge, edge + FOOT, page[0] - edge, page[1] - edge
    if fold == "upright":
        return left, bottom, page[0] / 2, top
    if fold == "level":
        # The backs must keep off the foot, too.
        return left, page[1] / 2, right, top - FOOT
    return left, bottom, right, top


def lay_out(
    paper: Paper, cut: Cut, piece: XY, count: int, gap: float | None = None, edge: float = EDGE, fold: bool = False
) -> Layout:
    """The layout that takes fewest sheets for so many pieces, upright where it can; DataError where none fits."""
    apart = GAPS[cut] if gap is None else gap
    sizes = ((paper.width, paper.height), (paper.height, paper.width))
    folds: tuple[Fold, ...] = ("upright", "level") if fold else ("",)
    layouts = [
        Layout(page, piece, cut, apart, _rows(room(page, edge, line), cut, piece, apart), edge, line)
        for page in sizes
        for line in folds
    ]
    fitting = [layout for layout in layouts if layout.slots]
    if not fitting:
        size = say("{width:g} × {height:g} mm", width=piece[0], height=piece[1])
        raise DataError(say("a piece of {size} does not fit on the paper", size=size), hint=say("take a smaller one"))
    return min(fitting, key=lambda layout: ceil(count / len(layout.slots)))


def _bleed(cut: Cut, gap: float) -> float:
    """How far faces go on where there is no neighbour."""
    return _TIGHT if cut == "card" and not gap else BLEEDS[cut]


def _rows(within: Box, cut: Cut, piece: XY, gap: float) -> tuple[tuple[XY, ...], ...]:
    """The slots row by row from above, in the middle of the room."""
    around = min(BLEEDS[cut], gap / 2) if cut == "hex" else _bleed(cut, gap) + LEAST_MARK
    left, bottom, right, top = within
    wide, high = right - left - 2 * around, top - bottom - 2 * around
    h, across = piece[1], piece[0] + gap
    up = across * TALL * 0.75 if cut == "hex" else h + gap
    columns = int((wide + gap) / across + _BIT)
    lines = int((high - h) / up + _BIT) + 1 if high >= h else 0
    if not columns or not lines:
        return ()
    shift = across / 2 if cut == "hex" and lines > 1 else 0.0
    block = columns * across - gap
    if shift and block + shift > wide + _BIT:
        odd = columns - 1
    else:
        odd, block = columns, block + shift
    x0 = (left + right - block) / 2
    y0 = (bottom + top + (lines - 1) * up + h) / 2 - h
    return tuple(
        tuple(
            (x0 + (shift if r % 2 else 0.0) + c * across, y0 - r * up)
            for c in range(odd if shift and r % 2 else columns)
        )
        for r in range(lines)
    )


class Edition(msgspec.Struct, frozen=True):
    """What was asked for; everything but the language has a default."""

    lang: Lang
    paper: str = "a4"
    ink: str = "full"
    also: Lang | None = None
    """A second language: every sheet in it too, behind its own pages in the first one; cards have their face in it
    on the back instead, unless only fronts are printed."""
    imposing: Imposing = PLAIN
    templates: tuple[Path, ...] = ()
    """Folders looked through before the shipped one."""
    fillable: bool = False
    """Record sheets have fields to fill in on a screen."""
    turned: bool = False
    """Maps are seen from the far edge."""
    printer: Printer = TRUE
    """What the printer will do to the pages, which they make up for."""

    @property
    def langs(self) -> tuple[Lang, ...]:
        """The language, or both."""
        return (self.lang, self.also) if self.also else (self.lang,)

    @property
    def sheet(self) -> Paper:
        """The paper; WrongUsageError where there is none of that name."""
        return paper_named(self.paper)

    def told(self, lang: Lang, cut: bool = True) -> str:
        """What whoever prints it must know, in a few sentences: paper, scale; which edge and bleed of what is cut."""
        say, how = words("", lang)["printing"], self.imposing
        sides = "fold" if how.fold else "single" if how.single else how.flip
        bleed = say["bleed"].format(cards=f"{BLEEDS['card']:g}", tokens=f"{BLEEDS['square']:g}")
        told = [say["paper"].format(paper=self.sheet.name[lang]), *([say[sides], bleed] if cut else [])]
        if self.printer != TRUE:
            told.append(say["printer"].format(values=self.printer))
        return ("" if lang == "ja" else " ").join(told)
