"""Maps at true size, parted into tiles.

How a picture larger than the paper is parted into tiles; lengths in mm.

Maps at true size: a plan of their tiles, then the tiles, each with what is needed to join them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby, product, takewhile
from math import ceil
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generator.model.picture import (
    POINTS,
    XY,
    Item,
    Path,
    Pen,
    Picture,
    Still,
    Symbol,
    Text,
    Use,
    circle,
    line,
    polygon,
    rectangle,
)
from generator.model.views import Poster
from generator.model.words import Lang
from generator.press.calibration import begin, edge
from generator.press.figures.maps import MapPicture, draw_sized, draw_small
from generator.press.layout.edition import Edition
from generator.press.layout.fitting import text_box, wrapped
from generator.press.layout.imposition import FOOT, Box, Flip
from generator.press.layout.paper import EDGE, Paper
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.counting import Counted
from generator.press.pdf.legible import FLOOR
from generator.press.runs import MARK, write_line
from generator.symbols.shapes import Place

OVERLAP = 10.0
"""How far a tile goes on beneath its neighbour."""
AROUND = 5.0
"""The room for marks on every side of a tile."""
_BIT = 1e-6
_HAIR = 1.0
"""So much of a map's margin may lie in the room for marks, where a cut along the cells gains by it."""
_TRIES = 24
"""How many steps and leads are tried where no cut along the cells is."""

Extent = tuple[float, float]
Tile = tuple[int, int]
"""Its column from the left and its row from above, each from 0."""


class Axis(Struct, frozen=True):
    """Tile i begins at `i × step - lead`: what stands on two neighbours lies one step apart on their pages."""

    total: float
    count: int = 1
    step: float = 0.0
    lead: float = 0.0

    def start(self, index: int) -> float:
        """Where the room of a tile begins; the first one's may begin before the picture."""
        return index * self.step - self.lead

    def seen(self, index: int) -> Extent:
        """What is seen of a tile when all are joined."""
        return self.start(index) if index else 0.0, self.total if index == self.count - 1 else self.start(index + 1)

    def printed(self, index: int) -> Extent:
        """What is printed on a tile: a strip more than is seen, where another is laid over it."""
        first, last = self.seen(index)
        return first, min(self.total, last + (OVERLAP if index < self.count - 1 else 0.0))


def part(total: float, room: float, period: float, lines: Sequence[float], texts: Sequence[Extent]) -> Axis:
    """The fewest tiles, cut along cells where they can be, through as few texts as possible, evenly.

    `lines` are where cells begin and end, a pattern that comes again after `period`; `texts` where texts stand.
    """
    if total <= room + _BIT:
        return Axis(total)
    most = room - OVERLAP
    count = ceil((total - room) / most - _BIT) + 1
    starts, ends = sorted(a for a, _ in texts), sorted(b for _, b in texts)

    def fault(cut: tuple[float, float]) -> tuple[int, float]:
        step, lead = cut
        joints = [i * step - lead for i in range(1, count)]
        hurt = sum(bisect_left(starts, x - _BIT) - bisect_right(ends, x + _BIT) for x in joints)
        return hurt, round(abs(joints[0] - (total - joints[-1])), 3)

    least = (total - room - _HAIR) / (count - 1)
    whole = [k * period for k in range(ceil(least / period - _BIT), int(most / period + _BIT) + 1)]
    cuts = [(step, step - line) for step in whole for line in lines]
    if not any(_fits(cut, total, room, count) for cut in cuts):
        shares = [i / _TRIES for i in range(_TRIES + 1)]
        steps = [most - share * (most - least) for share in shares]
        cuts = [(step, share * (count - 1) * (step - least)) for step in steps for share in shares]
    step, lead = min((cut for cut in cuts if _fits(cut, total, room, count)), key=fault, default=(most, 0.0))
    return Axis(total, count, step, lead)


def _fits(cut: tuple[float, float], total: float, room: float, count: int) -> bool:
    """Whether tiles of that step and lead hold the whole, and none of them shows next to nothing."""
    step, lead = cut
    last = (count - 1) * step - lead
    return lead >= -_HAIR and total - last <= room + _HAIR and min(step - lead, total - last) >= OVERLAP


class Tiling(Struct, frozen=True):
    """How a picture lies on pages of one size."""

    page: XY
    picture: XY
    place: Place
    """Where the field lies on the picture."""
    across: Axis
    down: Axis
    corner: XY
    """The upper left corner of a tile's room, from the page's left and upper edge."""
    edge: float = EDGE

    @property
    def landscape(self) -> bool:
        """Whether the page lies on its long side."""
        return self.page[0] > self.page[1]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile, in reading order."""
        return tuple((c, r) for r, c in product(range(self.down.count), range(self.across.count)))

    def number(self, tile: Tile) -> int:
        """A tile's number in reading order, from 1."""
        return tile[1] * self.across.count + tile[0] + 1

    def origin(self, tile: Tile) -> XY:
        """Where the picture's lower left corner lies on a tile's page."""
        top = self.page[1] - self.corner[1] + self.down.start(tile[1])
        return self.corner[0] - self.across.start(tile[0]), top - self.picture[1]

    def box(self, tile: Tile) -> Box:
        """What a tile prints of the picture, on its page."""
        x, y = self.origin(tile)
        (left, right), (above, below) = self.across.printed(tile[0]), self.down.printed(tile[1])
        return x + left, y + self.picture[1] - below, x + right, y + self.picture[1] - above

    def upright(self, flip: Flip) -> bool:
        """Whether the sheet turns over about its upright middle; else about the level one."""
        return (flip == "long") is not self.landscape

    def behind(self, box: Box, flip: Flip) -> Box:
        """The box on the back of the sheet that lies exactly behind one on its front."""
        (left, bottom, right, top), (w, h) = box, self.page
        return (w - right, bottom, w - left, top) if self.upright(flip) else (left, h - top, right, h - bottom)


def tiled(whole: MapPicture, paper: Paper, edge: float = EDGE) -> Tiling:
    """The tiling that takes fewest pages, upright where it can."""
    found = [_tiled(whole, page, edge) for page in ((paper.width, paper.height), (paper.height, paper.width))]
    return min(found, key=lambda tiling: len(tiling.tiles))


def _tiled(whole: MapPicture, page: XY, edge: float) -> Tiling:
    place, width, height = whole.place, whole.picture.width, whole.picture.height
    across, up = page[0] - 2 * edge, page[1] - 2 * edge - FOOT
    if width <= across and height <= up:
        corner = (page[0] - width) / 2, edge + (up - height) / 2
        return Tiling(page, (width, height), place, Axis(width), Axis(height), corner, edge)
    corners = {p for cell in place.grid.cells for p in place.grid.corners(cell)}
    xs = sorted({place.at(p)[0] for p in corners})
    ys = sorted({height - place.at(p)[1] for p in corners})
    boxes = [text_box(item) for item in _parted(whole.picture)[1].items if isinstance(item, Text)]
    period = [n * step * place.side for n, step in zip(place.anatomy.period, place.grid.pitch, strict=True)]
    return Tiling(
        page,
        (width, height),
        place,
        part(width, across - 2 * AROUND, period[0], xs, [(left, right) for left, _, right, _ in boxes]),
        part(
            height, up - 2 * AROUND, period[1], ys, [(height - top, height - bottom) for _, bottom, _, top in boxes]
        ),
        (edge + AROUND, edge + AROUND),
        edge,
    )


_CUT = Pen("#000000", MARK, round=False)
_LAY = Pen("#000000", MARK, (1.6, 1.2), round=False)
_DIAMOND = 1.6
_SIGNS = (1 / 6, 5 / 6)
"""Where joining marks stand along what is seen of a tile."""
_TICK = 3.5
"""How far cut lines go on beyond a tile."""
_TITLE, _BODY = 12.0, 9.0
_LARGE = 24.0
_BELOW = 5.0

Say = Callable[[str], str]
"""The press's own words by key."""


class PosterPage(Struct, frozen=True):
    """A page of a poster: a tile, its back, or the plan of all tiles."""

    poster: Poster
    tiling: Tiling
    picture: Picture
    """The whole of this side at true size."""
    tile: Tile | None
    back: bool = False
    paired: bool = False
    """It must meet the page on the other side of the paper."""


def poster_pages(poster: Poster, edition: Edition, lang: Lang) -> list[PosterPage]:
    """The plan, where there is more than one tile, then every tile with its back."""
    how, ink, turned = edition.imposing, edition.ink, edition.turned
    cell = how.hex or poster.cell
    front = draw_sized(poster.view, lang, ink, cell, (poster.back,) if poster.back else (), turned)
    tiling, picture = tiled(front, edition.sheet, edge(edition.printer, edition.sheet)), _once(front.picture)
    behind = None
    if poster.back and not how.single:
        behind = _once(draw_sized(poster.back, lang, ink, cell, (poster.view,), turned).picture)
    pages = [PosterPage(poster, tiling, picture, None)] if len(tiling.tiles) > 1 else []
    for tile in tiling.tiles:
        pages.append(PosterPage(poster, tiling, picture, tile, paired=bool(behind)))
        if behind:
            pages.append(PosterPage(poster, tiling, behind, tile, back=True, paired=True))
    return pages


def _parted(picture: Picture) -> tuple[tuple[Still, ...], Picture]:
    """What a picture begins with that bears no text, and the rest of it."""
    still = tuple(takewhile(lambda still: not any(isinstance(item, Text) for item in still.part), picture.still))
    return still, replace(picture, still=picture.still[len(still) :])


def _once(picture: Picture) -> Picture:
    """The same picture with everything but its texts as symbols, which a document holds once for all tiles."""
    still, rest = _parted(picture)
    key = sha256("\n".join(rest.lines()).encode()).hexdigest()[:16]
    reach = max(picture.width, picture.height)
    items: list[Item] = []
    for i, (text, group) in enumerate(groupby(rest.items, key=lambda item: isinstance(item, Text))):
        items += group if text else [Use(Symbol(f"poster.{key}.{i}", tuple(group), reach), 0.0, 0.0)]
    return Picture(picture.width, picture.height, tuple(items), still=still)


def print_poster(
    canvas: Canvas, page: PosterPage, edition: Edition, lang: Lang, line: tuple[str, str], counted: Counted, say: Say
) -> None:
    """Draw one page; `line` is what stands at the foot, left and middle, with the count on the right."""
    tiling, tile, flip = page.tiling, page.tile, edition.imposing.flip
    begin(canvas, tiling.page, edition.printer, flip if page.back else None, page.paired)
    if tile is None:
        _print_plan(canvas, page, edition, lang, say)
    else:
        _draw_tile(canvas, page, tile, flip, say)
        if len(tiling.tiles) > 1:
            line = line[0], f"{say('tile').format(n=tiling.number(tile), m=len(tiling.tiles))} · {line[1]}"
    above, size, keep = page.back and not tiling.upright(flip), tiling.page, tiling.edge
    counted(lambda count: write_line(canvas, size, (*line, count), above, keep))
    canvas.show_page()


def _draw_tile(canvas: Canvas, page: PosterPage, tile: Tile, flip: Flip, say: Say) -> None:
    """The part of the picture that the tile shows, and on a front the marks."""
    tiling, (w, h) = page.tiling, (page.picture.width, page.picture.height)
    (x, y), box = tiling.origin(tile), tiling.box(tile)
    turned = page.back and not tiling.upright(flip)
    if page.back:
        x, y, _, _ = tiling.behind((x, y, x + w, y + h), flip)
        box = tiling.behind(box, flip)
    left, bottom, right, top = box
    inner = (x + w - right, y + h - top, x + w - left, y + h - bottom)
    if not turned:
        inner = (left - x, bottom - y, right - x, top - y)
    items = tuple(item for item in page.picture.upon if _shown(item, inner))
    with canvas.clipped(box):
        canvas.draw(Picture(w, h, items, still=page.picture.still), x, y, turned)
    if not page.back and len(tiling.tiles) > 1:
        canvas.draw(Picture(*tiling.page, tuple(marks(tiling, tile, say))))


def _shown(item: Item, box: Box) -> bool:
    """Whether it is drawn in the box: a text only where all of it lies there, for half a text reads as another."""
    if not isinstance(item, Text):
        return True
    left, bottom, right, top = text_box(item)
    return left >= box[0] and bottom >= box[1] and right <= box[2] and top <= box[3]


def marks(tiling: Tiling, tile: Tile, say: Say) -> Iterator[Item]:
    """Cut lines along its left and upper side, dashed ones where others are laid over it, diamonds on both."""
    left, bottom, right, top = tiling.box(tile)
    x0, y0 = tiling.corner[0], tiling.page[1] - tiling.corner[1]
    (column, row), across, down = tile, tiling.across, tiling.down

    levels = [y0 - (at - down.start(row)) for at in _signs(down, row)]
    places = [x0 + (at - across.start(column)) for at in _signs(across, column)]
    if column:
        yield line(((x0, bottom - _TICK), (x0, top + _TICK)), _CUT)
        yield from (_diamond(x0, y) for y in levels)
    if row:
        yield line(((left - _TICK, y0), (right + _TICK, y0)), _CUT)
        yield from (_diamond(x, y0) for x in places)
    if column < across.count - 1:
        x = x0 + across.step
        yield line(((x, bottom), (x, top)), _LAY)
        yield from (_diamond(x, y) for y in levels)
        # Below the tile, too: the room at its side is too narrow for words.
        name = say("tile_right").format(n=tiling.number((column + 1, row)))
        yield _bold(name, right + AROUND, bottom - AROUND / 2, anchor="end")
    if row < down.count - 1:
        y = y0 - down.step
        yield line(((left, y), (right, y)), _LAY)
        yield from (_diamond(x, y) for x in places)
        name = say("tile_below").format(n=tiling.number((column, row + 1)))
        yield _bold(name, (left + right) / 2, bottom - AROUND / 2)


def _signs(axis: Axis, index: int) -> list[float]:
    first, last = axis.seen(index)
    return [first + share * (last - first) for share in _SIGNS]


def _diamond(x: float, y: float) -> Path:
    r = _DIAMOND
    return polygon(((x - r, y), (x, y - r), (x + r, y), (x, y + r)), None, _CUT)


def _bold(text: str, x: float, y: float, size: float = FLOOR, anchor: Literal["middle", "end"] = "middle") -> Text:
    return Text(x, y - 0.35 * size / POINTS, text, size, anchor, True)


def _print_plan(canvas: Canvas, page: PosterPage, edition: Edition, lang: Lang, say: Say) -> None:
    """The whole in small with its tiles and their names, and how they are joined."""
    tiling, poster, margin = page.tiling, page.poster, page.tiling.edge
    (w, h), room = tiling.page, tiling.page[0] - 2 * margin
    top = h - margin - _TITLE / POINTS
    items: list[Item] = [Text(margin, top, poster.title[lang], _TITLE, bold=True)]
    told = say("joining").format(m=len(tiling.tiles), columns=tiling.across.count, rows=tiling.down.count)
    for text in wrapped(told, room, _BODY) or (told,):
        top -= 1.5 * _BODY / POINTS
        items.append(Text(margin, top, text, _BODY))
    top -= _BELOW
    plain, high = replace(poster.view, names=False), top - margin - FOOT - _BELOW
    small = draw_small(plain, lang, edition.ink, room - 2 * AROUND, high, edition.turned)
    x, y = (w - small.picture.width) / 2, top - small.picture.height
    canvas.draw(small.picture, x, y)
    for tile in tiling.tiles:
        left, bottom, right, top = _seen(tiling, tile, small.place)
        left, bottom, right, top = left + x, bottom + y, right + x, top + y
        items.append(rectangle(left, bottom, right - left, top - bottom, None, Pen("#000000", 0.4)))
        size = min(_LARGE, 0.4 * POINTS * (top - bottom))
        middle = _bold(str(tiling.number(tile)), (left + right) / 2, (bottom + top) / 2, size)
        items += [circle((left + right) / 2, (bottom + top) / 2, 0.75 * size / POINTS, "#ffffff", _CUT), middle]
    canvas.draw(Picture(w, h, tuple(items)))


def _seen(tiling: Tiling, tile: Tile, small: Place) -> Box:
    """What is seen of a tile when all are joined, on a smaller picture of the same field."""
    (left, right), (above, below) = tiling.across.seen(tile[0]), tiling.down.seen(tile[1])
    height, scale = tiling.picture[1], small.side / tiling.place.side

    def there(x: float, y: float) -> XY:
        return small.x + (x - tiling.place.x) * scale, small.y + (y - tiling.place.y) * scale

    return *there(left, height - below), *there(right, height - above)
