"""Arrange pieces on sheets of paper, with each back exactly behind its front."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from math import ceil
from typing import Literal

import msgspec

from generator.errors import DataError, WrongUsageError, near_or
from generator.localization import tr
from generator.model.picture import XY
from generator.model.words import Words
from generator.notation.toml import read
from generator.press.layout.dies import Die
from generator.press.layout.paper import EDGE, Paper, find_paper
from generator.store.folders import shipped_path

# Lengths are in mm from the page's lower left corner. A slot is the lower left corner of a piece's trim box. The
# block of slots, including bleed and marks, stays inside the unprinted edge. On a folded sheet, the fronts are left
# of the fold or above it, and their backs are mirrored on the other side.

Cut = Literal["card", "hex", "tile", "square"]
Flip = Literal["long", "short"]
Fold = Literal["", "upright", "level"]
"""Direction of the fold line, or empty if there is no fold."""
Box = tuple[float, float, float, float]
"""Left, bottom, right and top in mm."""
Segment = tuple[XY, XY]
"""The two ends of a line, in mm."""
FOOT = 3.4
"""Height of the strip for the line of text at the bottom of a sheet, in mm."""
MAX_GAP = 30.0
"""Maximum distance between the trim boxes of two pieces, in mm."""
MIN_MARK, MAX_MARK = 1.0, 4.0
"""Minimum and maximum length of a crop mark, in mm."""
BLEEDS: dict[Cut, float] = {"card": 3.0, "tile": 1.5, "square": 1.5, "hex": 1.5}
"""Bleed in mm beyond the trim box if there is room for it. Small pieces have less bleed to save ink."""
_GAPLESS_BLEED = 2.0
"""Bleed around cards without gaps, in mm. With this value, nine poker cards and their marks fit on A4."""
_WHITE_BETWEEN: dict[Cut, float] = {"card": 0.0, "tile": 2 * MIN_MARK, "square": 2 * MIN_MARK, "hex": 0.0}
"""White space in mm between two bleeds, for marks."""
GAPS: dict[Cut, float] = {cut: 2 * bleed + _WHITE_BETWEEN[cut] for cut, bleed in BLEEDS.items()}
"""Default distance between trim boxes, in mm."""
_HEX_WHITE = 2.0
"""White space in mm between the bleeds of two hexes with crop marks."""
TILE = (0.94, 0.64)
"""Width and height of the tile that is placed on a hex, relative to the width of the hex."""
HEX_HEIGHT = 2 / 3**0.5
"""Height of a hex whose left and right sides are 1 apart."""
MIN_CARD, MAX_CARD = 25.0, 200.0
"""Minimum and maximum length in mm of a side of a card with a size of the user's own."""
_TOLERANCE = 1e-6
"""Tolerance for rounding errors, in mm."""


class CardSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The size of a card in mm after cutting."""

    name: Words
    width: float
    height: float


class Imposition(msgspec.Struct, frozen=True):
    """Options for arranging a run of pieces on paper. None selects the default for the kind of piece."""

    size: str = "poker"
    gap: float | None = None
    flip: Flip = "long"
    single: bool = False
    """Whether to print only the fronts."""
    fold: bool = False
    """Whether fronts and backs are printed on one side of the paper, which is then folded between them."""
    hex: float | None = None
    """Width of a map's hex or square in mm, between opposite sides. None selects the width defined by the run."""
    backs_only: bool = False
    """Whether to print only the backs, where they would be behind their fronts."""
    crop_marks: bool = False
    """Whether hexes have crop marks instead of a line along the cut. Other pieces always have crop marks."""
    die: Die | None = None
    """The sheet with cut or perforated places on which the pieces are printed, or None for plain paper."""


DEFAULT_IMPOSITION = Imposition()


@cache
def card_sizes() -> dict[str, CardSize]:
    """Return the card sizes of data/cards.toml, keyed by name."""
    return read(shipped_path("data") / "cards.toml", dict[str, CardSize], "data/cards.toml")


def card_size(name: str) -> CardSize:
    """Return the card size with this name, or of this size, such as `63x88mm` or `2.5x3.5in`.

    Raises:
        WrongUsageError: If the name is unknown, or a side is too short or too long.
    """
    if match := _OWN_SIZE.fullmatch(unicodedata.normalize("NFKC", name).strip().lower()):
        return _own_size(name, float(match[1]), float(match[2]), match[3] or "mm")
    known = card_sizes()
    if name not in known:
        message = tr('there is no card size named "{name}"', name=name)
        hint = tr("give a size, such as 63x88mm, or one of these names: {names}", names=[*known])
        raise WrongUsageError(message, hint=near_or(name, known, hint))
    return known[name]


_OWN_SIZE = re.compile(r"(\d+(?:\.\d+)?) *[x×*] *(\d+(?:\.\d+)?) *(mm|cm|in)?")
_UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4}
"""The units of card sizes in mm."""


def _own_size(raw: str, width: float, height: float, unit: str) -> CardSize:
    """Return a card size of the user's own, given in a unit.

    Raises:
        WrongUsageError: If a side is too short or too long.
    """
    sides = round(width * _UNITS[unit], 3), round(height * _UNITS[unit], 3)
    if not all(MIN_CARD <= side <= MAX_CARD for side in sides):
        raise WrongUsageError(
            tr("the card size {raw} is out of range", raw=raw),
            hint=tr("give sides from {least:g} to {most:g} mm", least=MIN_CARD, most=MAX_CARD),
        )
    label = f"{sides[0]:g} × {sides[1]:g} mm"
    return CardSize(Words(label, label), *sides)


def trimmed_size(cut: Cut, cell: float, imposition: Imposition, share: float = 1.0) -> XY:
    """Return the width and height of a piece in mm after cutting.

    `cell` is the width of a cell of the map in mm, and `share` the width of the piece relative to the cell.
    """
    if imposition.die and imposition.die.cut == cut:
        return imposition.die.piece
    if cut == "card":
        size = card_size(imposition.size)
        return size.width, size.height
    whole = imposition.hex or cell
    wide = whole * share
    if cut == "hex":
        return wide, wide * HEX_HEIGHT
    return (wide, wide) if cut == "square" else (whole * TILE[0], whole * TILE[1])


class Layout(msgspec.Struct, frozen=True):
    """The size of a page and the positions of its slots in reading order, in mm."""

    page: XY
    piece: XY
    cut: Cut
    gap: float
    rows: tuple[tuple[XY, ...], ...]
    edge: float = EDGE
    fold: Fold = ""
    precut: bool = False
    """Whether the paper is already cut or perforated, so that there are no marks."""
    hex_marks: bool = False
    """Whether hexes have crop marks."""

    @property
    def landscape(self) -> bool:
        """Whether the page is wider than high."""
        return self.page[0] > self.page[1]

    @property
    def has_foot(self) -> bool:
        """Whether there is room for a line of text at both ends of the page."""
        if not self.precut:
            return True
        above = self.page[1] - self.rows[0][0][1] - self.piece[1]
        return min(above, self.rows[-1][0][1]) - self.outer >= self.edge + FOOT

    @property
    def slots(self) -> tuple[XY, ...]:
        """The slots of all rows."""
        return tuple(slot for row in self.rows for slot in row)

    @property
    def inner(self) -> float:
        """The bleed towards a neighbouring piece, which is at most half the gap, in mm."""
        return min(BLEEDS[self.cut], self.gap / 2)

    @property
    def outer(self) -> float:
        """The bleed on sides without a neighbour, in mm. Hexes have the same bleed on every side."""
        if self.precut and self.cut != "hex":
            (left, top), (right, bottom) = self.rows[0][0], self.rows[-1][-1]
            margins = left, self.page[1] - top - self.piece[1], self.page[0] - right - self.piece[0], bottom
            return max(0.0, min(_bleed(self.cut, self.gap), min(margins) - self.edge))
        return self.inner if self.cut == "hex" else _bleed(self.cut, self.gap)

    def upright(self, flip: Flip) -> bool:
        """Return whether the sheet is turned over about its vertical axis rather than its horizontal axis."""
        if self.fold:
            return self.fold == "upright"
        return (flip == "long") is not self.landscape

    def behind(self, slot: XY, flip: Flip) -> XY:
        """Return the slot exactly behind a front slot, on the back of the sheet or on the other side of the fold."""
        (x, y), (w, h) = slot, self.piece
        return (self.page[0] - x - w, y) if self.upright(flip) else (x, self.page[1] - y - h)

    def bleeds(self, index: int) -> tuple[float, float, float, float]:
        """Return the bleed to the left, below, to the right and above of the piece in a slot, in mm."""
        row, column = divmod(index, len(self.rows[0]))
        last_row, last_column = len(self.rows) - 1, len(self.rows[0]) - 1
        return (
            self.inner if column else self.outer,
            self.inner if row < last_row else self.outer,
            self.inner if column < last_column else self.outer,
            self.inner if row else self.outer,
        )

    def marks(self, used: int) -> tuple[Segment, ...]:
        """Return crop marks for the first `used` slots.

        The marks are outside every trim box and bleed, and inside the printable area.
        """
        if self.precut:
            return ()
        if self.cut == "hex":
            return self._marks_of_hexes(used) if self.hex_marks else ()
        (w, h), columns = self.piece, len(self.rows[0])
        far_left, bottom, far_right, top = printable_box(self.page, self.edge, self.fold)
        found: dict[Segment, None] = {}
        for index, (x, y) in enumerate(self.slots[:used]):
            row, column = divmod(index, columns)
            left, below, right, above = self.bleeds(index)
            beside_slots = (index - 1, column > 0), (index + 1, column < columns - 1)
            under_over = (index + columns, row < len(self.rows) - 1), (index - columns, row > 0)
            sides = (
                (beside_slots[0], left, x - left - far_left),
                (beside_slots[1], right, far_right - x - w - right),
            )
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

    def _marks_of_hexes(self, used: int) -> tuple[Segment, ...]:
        """Return two marks at each corner of each hex, along the sides that meet there and outside its bleed.

        A mark along a side points at the corner of a third hex, whose bleed it does not reach.
        """
        room = _HEX_MARK_SHARE * (self.gap - 2 * self.inner)
        length = min(room, MAX_MARK)
        begin = _HEX_MARK_SHARE * self.inner
        found: list[Segment] = []
        width, height = self.piece
        corners = _hex_corners(width, height)
        for x, y in self.slots[:used]:
            for at, (cx, cy) in enumerate(corners):
                for other in (corners[at - 1], corners[(at + 1) % len(corners)]):
                    dx, dy = cx - other[0], cy - other[1]
                    far = (dx * dx + dy * dy) ** 0.5
                    ends = [(x + cx + dx / far * out, y + cy + dy / far * out) for out in (begin, begin + length)]
                    found.append((ends[0], ends[1]))
        return tuple(found)

    def _mark(self, neighbour: bool, used: bool, bleed: float, outside: float) -> float:
        """Return the length of a crop mark in mm, or 0 if there is not enough room for a mark.

        The mark ends at the neighbour's bleed, at the trim box of an empty slot, or at the edge.
        """
        room = self.gap - bleed - (bleed if used else 0.0) if neighbour else outside
        return min(room, MAX_MARK) if room >= MIN_MARK - _TOLERANCE else 0.0


_HEX_MARK_SHARE = 2 / 3**0.5
"""Distance along the extension of a side, relative to the distance from the next side, which is 60° away."""


def _hex_corners(width: float, height: float) -> list[XY]:
    """Return the corners of a hex with vertical sides, from the lower left corner of its box."""
    left, right, low, high = 0.0, width, height / 4, 3 * height / 4
    middle = width / 2
    return [(right, low), (right, high), (middle, height), (left, high), (left, low), (middle, 0.0)]


def printable_box(page: XY, edge: float, fold: Fold = "") -> Box:
    """Return the area for fronts with bleed and marks: inside the edge, above the foot and before the fold."""
    left, bottom, right, top = edge, edge + FOOT, page[0] - edge, page[1] - edge
    if fold == "upright":
        return left, bottom, page[0] / 2, top
    if fold == "level":
        # The backs, on the other side of the fold, must not cover the foot either.
        return left, page[1] / 2, right, top - FOOT
    return left, bottom, right, top


def lay_out_on_die(die: Die, cut: Cut) -> Layout:
    """Return the layout of pieces on the places of a die, from the upper left place.

    Raises:
        WrongUsageError: If the die is for pieces of another shape.
    """
    if cut != die.cut:
        raise WrongUsageError(
            tr("the die layout “{name}” is not for pieces of this shape", name=die.name),
            hint=tr("choose the pieces with --only, or another layout"),
        )
    width, height = find_paper(die.paper).sides(die.landscape)
    rows = tuple(
        tuple((die.left + c * die.across, height - die.top - die.height - r * die.down) for c in range(die.columns))
        for r in range(die.rows)
    )
    return Layout((width, height), die.piece, cut, die.gap, rows, precut=True)


def lay_out(
    paper: Paper,
    cut: Cut,
    piece: XY,
    count: int,
    gap: float | None = None,
    edge: float = EDGE,
    fold: bool = False,
    crop_marks: bool = False,
) -> Layout:
    """Return the layout with the fewest sheets for `count` pieces, in portrait format if there is a choice.

    With `crop_marks`, hexes have marks at their corners and enough space between them for the marks.

    Raises:
        DataError: If a piece does not fit on the paper.
    """
    marked = crop_marks and cut == "hex"
    apart = (GAPS[cut] + marked * _HEX_WHITE) if gap is None else gap
    marked = marked and apart >= GAPS[cut] + MIN_MARK / _HEX_MARK_SHARE
    sizes = ((paper.width, paper.height), (paper.height, paper.width))
    folds: tuple[Fold, ...] = ("upright", "level") if fold else ("",)
    layouts = [
        Layout(
            page,
            piece,
            cut,
            apart,
            _rows(printable_box(page, edge, line), cut, piece, apart, marked),
            edge,
            line,
            hex_marks=marked,
        )
        for page in sizes
        for line in folds
    ]
    fitting = [layout for layout in layouts if layout.slots]
    if not fitting:
        size = tr("{width:g} × {height:g} mm", width=piece[0], height=piece[1])
        raise DataError(
            tr("a piece of {size} does not fit on the paper", size=size), hint=tr("choose a smaller size")
        )
    return min(fitting, key=lambda layout: ceil(count / len(layout.slots)))


def _bleed(cut: Cut, gap: float) -> float:
    """Return the bleed on sides without a neighbour, in mm."""
    return _GAPLESS_BLEED if cut == "card" and not gap else BLEEDS[cut]


def _rows(within: Box, cut: Cut, piece: XY, gap: float, hex_marks: bool = False) -> tuple[tuple[XY, ...], ...]:
    """Return the slots row by row from the top, centred in the available area."""
    around = (
        _HEX_MARK_SHARE * gap
        if hex_marks
        else min(BLEEDS[cut], gap / 2)
        if cut == "hex"
        else _bleed(cut, gap) + MIN_MARK
    )
    left, bottom, right, top = within
    wide, high = right - left - 2 * around, top - bottom - 2 * around
    h, across = piece[1], piece[0] + gap
    up = across * HEX_HEIGHT * 0.75 if cut == "hex" else h + gap
    columns = int((wide + gap) / across + _TOLERANCE)
    lines = int((high - h) / up + _TOLERANCE) + 1 if high >= h else 0
    if not columns or not lines:
        return ()
    shift = across / 2 if cut == "hex" and lines > 1 else 0.0
    block = columns * across - gap
    if shift and block + shift > wide + _TOLERANCE:
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
