"""Split pictures that are larger than the paper into tiles. Lengths are in mm."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from hashlib import sha256
from itertools import groupby, product, takewhile
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from generator.model.picture import (
    XY,
    Item,
    Picture,
    Still,
    Symbol,
    Text,
    Use,
)
from generator.press.figures.maps import MapPicture
from generator.press.layout.fitting import text_box
from generator.press.layout.imposition import FOOT, Box, Flip
from generator.press.layout.paper import EDGE, Paper
from generator.symbols.shapes import Place

OVERLAP = 10.0
"""Width of the strip of a tile that is covered by its neighbour, in mm."""
MARK_ROOM = 5.0
"""Width of the strip for marks on every side of a tile, in mm."""
RULER_ROOM = 24.0
"""Height of a ruler below a map, with the space around it, in mm."""
_TOLERANCE = 1e-6
"""Tolerance for rounding errors, in mm."""
_MARGIN_IN_MARK_ROOM = 1.0
"""Part of a map's margin that may extend into the strip for marks if this allows cuts along cells, in mm."""
_CUT_STEPS = 24
"""Number of steps and of leads that are tried if no cut along the cells is possible."""
Extent = tuple[float, float]
Tile = tuple[int, int]
"""Column from the left and row from the top, both counted from 0."""


class Axis(Struct, frozen=True):
    """The positions of the tiles along one axis, in mm. Tile i begins at `i × step - lead`.

    The same point of the picture is one step apart on two neighbouring tiles.
    """

    total: float
    count: int = 1
    step: float = 0.0
    lead: float = 0.0

    def start(self, index: int) -> float:
        """Return where the area of a tile begins in the picture.

        For the first tile this may be before the picture's start.
        """
        return index * self.step - self.lead

    def visible(self, index: int) -> Extent:
        """Return the part of a tile that stays visible after the tiles have been joined."""
        return self.start(index) if index else 0.0, self.total if index == self.count - 1 else self.start(index + 1)

    def printed(self, index: int) -> Extent:
        """Return the printed part of a tile, which is its visible part and the strip below the next tile."""
        first, last = self.visible(index)
        return first, min(self.total, last + (OVERLAP if index < self.count - 1 else 0.0))


def split_axis(total: float, room: float, period: float, lines: Sequence[float], texts: Sequence[Extent]) -> Axis:
    """Return the smallest number of tiles, with equal steps.

    If possible, the cuts are along cells. Among these, the cuts through the fewest texts are chosen, then the most
    even ones. `lines` are the edges of cells, a pattern that repeats after `period`. `texts` are the start and end
    of each text.
    """
    if total <= room + _TOLERANCE:
        return Axis(total)
    max_step = room - OVERLAP
    count = ceil((total - room) / max_step - _TOLERANCE) + 1
    starts, ends = sorted(a for a, _ in texts), sorted(b for _, b in texts)

    def cut_penalty(cut: tuple[float, float]) -> tuple[int, float]:
        step, lead = cut
        joints = [i * step - lead for i in range(1, count)]
        cut_texts = sum(bisect_left(starts, x - _TOLERANCE) - bisect_right(ends, x + _TOLERANCE) for x in joints)
        return cut_texts, round(abs(joints[0] - (total - joints[-1])), 3)

    min_step = (total - room - _MARGIN_IN_MARK_ROOM) / (count - 1)
    whole = [k * period for k in range(ceil(min_step / period - _TOLERANCE), int(max_step / period + _TOLERANCE) + 1)]
    cuts = [(step, step - line) for step in whole for line in lines]
    if not any(_fits(cut, total, room, count) for cut in cuts):
        shares = [i / _CUT_STEPS for i in range(_CUT_STEPS + 1)]
        steps = [max_step - share * (max_step - min_step) for share in shares]
        cuts = [(step, share * (count - 1) * (step - min_step)) for step in steps for share in shares]
    step, lead = min(
        (cut for cut in cuts if _fits(cut, total, room, count)), key=cut_penalty, default=(max_step, 0.0)
    )
    return Axis(total, count, step, lead)


def _fits(cut: tuple[float, float], total: float, room: float, count: int) -> bool:
    """Return whether tiles with this step and lead cover the picture and all show more than the overlap."""
    step, lead = cut
    last = (count - 1) * step - lead
    return (
        lead >= -_MARGIN_IN_MARK_ROOM
        and total - last <= room + _MARGIN_IN_MARK_ROOM
        and min(step - lead, total - last) >= OVERLAP
    )


class Tiling(Struct, frozen=True):
    """The division of a picture into tiles on pages of the same size."""

    page: XY
    picture: XY
    place: Place
    """Position of the map's field in the picture."""
    across: Axis
    down: Axis
    corner: XY
    """Upper left corner of a tile's area, measured from the left and upper edges of the page."""
    edge: float = EDGE

    @property
    def landscape(self) -> bool:
        """Whether the pages are landscape."""
        return self.page[0] > self.page[1]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles in reading order."""
        return tuple((c, r) for r, c in product(range(self.down.count), range(self.across.count)))

    def number(self, tile: Tile) -> int:
        """Return the number of a tile in reading order, counted from 1."""
        return tile[1] * self.across.count + tile[0] + 1

    def origin(self, tile: Tile) -> XY:
        """Return the position of the picture's lower left corner on the page of a tile."""
        top = self.page[1] - self.corner[1] + self.down.start(tile[1])
        return self.corner[0] - self.across.start(tile[0]), top - self.picture[1]

    def box(self, tile: Tile) -> Box:
        """Return the area of a tile's page on which the picture is printed."""
        x, y = self.origin(tile)
        (left, right), (above, below) = self.across.printed(tile[0]), self.down.printed(tile[1])
        return x + left, y + self.picture[1] - below, x + right, y + self.picture[1] - above

    def upright(self, flip: Flip) -> bool:
        """Return whether the sheet is turned over about its vertical axis rather than its horizontal axis."""
        return (flip == "long") is not self.landscape

    def behind(self, box: Box, flip: Flip) -> Box:
        """Return the box on the back of the sheet that is exactly behind a box on the front."""
        (left, bottom, right, top), (w, h) = box, self.page
        return (w - right, bottom, w - left, top) if self.upright(flip) else (left, h - top, right, h - bottom)


def tile_picture(whole: MapPicture, paper: Paper, edge: float = EDGE) -> Tiling:
    """Return the tiling with the fewest pages, in portrait format if there is a choice."""
    found = [_tile_page(whole, page, edge) for page in ((paper.width, paper.height), (paper.height, paper.width))]
    return min(found, key=lambda tiling: len(tiling.tiles))


def _tile_page(whole: MapPicture, page: XY, edge: float) -> Tiling:
    place, width, height = whole.place, whole.picture.width, whole.picture.height
    across, up = page[0] - 2 * edge, page[1] - 2 * edge - FOOT
    if width <= across and height <= up:
        spare = up - height
        # A map that fills less than the page leaves room for a ruler below it.
        above = max(0.0, spare - RULER_ROOM) if spare < 2 * RULER_ROOM else spare / 2
        corner = (page[0] - width) / 2, edge + above
        return Tiling(page, (width, height), place, Axis(width), Axis(height), corner, edge)
    corners = {p for cell in place.grid.cells for p in place.grid.corners(cell)}
    xs = sorted({place.at(p)[0] for p in corners})
    ys = sorted({height - place.at(p)[1] for p in corners})
    boxes = [text_box(item) for item in split_still(whole.picture)[1].items if isinstance(item, Text)]
    period = [n * step * place.side for n, step in zip(place.anatomy.period, place.grid.pitch, strict=True)]
    return Tiling(
        page,
        (width, height),
        place,
        split_axis(width, across - 2 * MARK_ROOM, period[0], xs, [(left, right) for left, _, right, _ in boxes]),
        split_axis(
            height,
            up - 2 * MARK_ROOM,
            period[1],
            ys,
            [(height - top, height - bottom) for _, bottom, _, top in boxes],
        ),
        (edge + MARK_ROOM, edge + MARK_ROOM),
        edge,
    )


def split_still(picture: Picture) -> tuple[tuple[Still, ...], Picture]:
    """Return the parts at the start of a picture that contain no text, and the rest of the picture."""
    still = tuple(takewhile(lambda still: not any(isinstance(item, Text) for item in still.part), picture.still))
    return still, replace(picture, still=picture.still[len(still) :])


def symbols_once(picture: Picture) -> Picture:
    """Return a picture in which everything except texts is a symbol, which the PDF stores once for all tiles."""
    still, rest = split_still(picture)
    key = sha256("\n".join(rest.lines()).encode()).hexdigest()[:16]
    reach = max(picture.width, picture.height)
    items: list[Item] = []
    for i, (text, group) in enumerate(groupby(rest.items, key=lambda item: isinstance(item, Text))):
        items += group if text else [Use(Symbol(f"poster.{key}.{i}", tuple(group), reach), 0.0, 0.0)]
    return Picture(picture.width, picture.height, tuple(items), still=still)
