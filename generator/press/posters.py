"""Print maps in true size on several pages, with marks for joining the pages and an overview plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    Text,
    circle,
    line,
    polygon,
    rectangle,
)
from generator.model.views import Poster
from generator.model.words import Lang
from generator.press.alternative_texts import describe_map, sentence
from generator.press.correction import begin_page, safe_edge
from generator.press.figures.maps import draw_fitted, draw_sized
from generator.press.layout.fitting import text_box, wrap_text
from generator.press.layout.imposition import FOOT, Box
from generator.press.layout.marks import draw_ruler
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.counting import CountedWriter
from generator.press.pdf.legible import FLOOR
from generator.press.runs import MARK_WIDTH, FootLine, FootMarks, write_foot_line
from generator.press.tiling import MARK_ROOM, Axis, Tile, Tiling, symbols_once, tile_picture
from generator.symbols.shapes import Place

_CUT_PEN = Pen("#000000", MARK_WIDTH, round=False)
_OVERLAP_PEN = Pen("#000000", MARK_WIDTH, (1.6, 1.2), round=False)
_DIAMOND = 1.6
"""Half the width of a joining mark, in mm."""
_MARK_SHARES = (1 / 6, 5 / 6)
"""Positions of the joining marks along the visible part of a tile, as fractions of its length."""
_TICK = 3.5
"""Length in mm by which cut lines extend beyond a tile."""
_TITLE, _BODY = 12.0, 9.0
"""Type sizes of the title and the instructions, in points."""
_LARGE = 24.0
"""Maximum type size of the tile numbers on the plan, in points."""
_BELOW = 5.0
"""Space in mm below the instructions and below the plan."""

TextOf = Callable[[str], str]
"""Returns the text with the given key, for example the name of a tile."""


class PosterPage(Struct, frozen=True):
    """A page of a poster, which shows a tile, the back of a tile, or the plan of all tiles."""

    poster: Poster
    tiling: Tiling
    picture: Picture
    """The complete side of the poster in true size."""
    tile: Tile | None
    back: bool = False
    paired: bool = False
    """Whether the page must align with the page on the other side of the paper."""
    scenery: str = ""
    """The text that varies the scenery on the map."""


def poster_pages(poster: Poster, settings: PrintSettings, lang: Lang, scenery: str = "") -> list[PosterPage]:
    """Return the plan if there is more than one tile, followed by each tile and its back.

    `scenery`, such as the scenario's code, varies the scenery on the map.
    """
    imposition, ink, turned = settings.imposition, settings.ink, settings.turned
    cell = imposition.hex or poster.cell
    front = draw_sized(poster.view, lang, ink, cell, (poster.back,) if poster.back else (), turned, scenery)
    tiling, picture = (
        tile_picture(front, settings.sheet, safe_edge(settings.printer, settings.sheet)),
        symbols_once(front.picture),
    )
    behind = None
    if poster.back and not imposition.single:
        behind = symbols_once(draw_sized(poster.back, lang, ink, cell, (poster.view,), turned, scenery).picture)
    pages = [PosterPage(poster, tiling, picture, None, scenery=scenery)] if len(tiling.tiles) > 1 else []
    for tile in tiling.tiles:
        pages.append(PosterPage(poster, tiling, picture, tile, paired=bool(behind)))
        if behind:
            pages.append(PosterPage(poster, tiling, behind, tile, back=True, paired=True))
    return pages


def print_poster(
    canvas: Canvas,
    page: PosterPage,
    settings: PrintSettings,
    lang: Lang,
    line: FootLine,
    counted: CountedWriter,
    text_of: TextOf,
    foot: FootMarks,
) -> None:
    """Draw a page of a poster, with a line at the bottom, which is read first, and a ruler if there is room."""
    tiling, tile, flip = page.tiling, page.tile, settings.imposition.flip
    begin_page(canvas, tiling.page, settings.printer, flip if page.back else None, page.paired)
    if tile and len(tiling.tiles) > 1:
        # The number of the sheet is more important than any notice except the last.
        number = text_of("tile").format(n=tiling.number(tile), m=len(tiling.tiles))
        line = replace(line, notices=(*line.notices[:-1], number, line.notices[-1]))
    above, size, keep = page.back and not tiling.upright(flip), tiling.page, tiling.edge
    counted(lambda count: write_foot_line(canvas, size, line, count, above, keep, foot))
    if tile is None:
        _print_plan(canvas, page, settings, lang, text_of)
    else:
        _draw_tile(canvas, page, tile, settings, lang, text_of)
    canvas.show_page()


def _tile_alt(page: PosterPage, tile: Tile, lang: Lang) -> str:
    """Return the alternative text of a tile. The first tile of each side describes the whole map."""
    tiling, poster = page.tiling, page.poster
    view = poster.back if page.back else poster.view
    number, count = tiling.number(tile), len(tiling.tiles)
    key = "back_of_map" if page.back else "part_of_map"
    name = sentence(key, lang, n=number, m=count, title=poster.title) if count > 1 else ""
    return f"{name} {describe_map(view, lang) if view and number == 1 else ''}".strip()


def _draw_tile(
    canvas: Canvas, page: PosterPage, tile: Tile, settings: PrintSettings, lang: Lang, text_of: TextOf
) -> None:
    """Draw the part of the picture on a tile. On a front, also draw its marks."""
    flip = settings.imposition.flip
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
    items = tuple(item for item in page.picture.upon if _is_drawn_in(item, inner))
    with canvas.clipped(box):
        canvas.draw(Picture(w, h, items, still=page.picture.still), x, y, turned, alt=_tile_alt(page, tile, lang))
    if page.back:
        return
    if len(tiling.tiles) > 1:
        canvas.draw(Picture(*tiling.page, tuple(marks(tiling, tile, text_of))))
    ruler, foot = draw_ruler(), tiling.edge + FOOT
    if tiling.box(tile)[1] - MARK_ROOM - foot >= ruler.height + _BELOW:
        canvas.draw(ruler, (tiling.page[0] - ruler.width) / 2, foot + _BELOW / 2)


def _is_drawn_in(item: Item, box: Box) -> bool:
    """Return whether an item is drawn in a box.

    A text is drawn only if all of it is inside, because part of a text could be misread.
    """
    if not isinstance(item, Text):
        return True
    left, bottom, right, top = text_box(item)
    return left >= box[0] and bottom >= box[1] and right <= box[2] and top <= box[3]


def marks(tiling: Tiling, tile: Tile, text_of: TextOf) -> Iterator[Item]:
    """Yield cut lines on the left and top, dashed overlap lines on the right and bottom, and diamonds on all."""
    left, bottom, right, top = tiling.box(tile)
    x0, y0 = tiling.corner[0], tiling.page[1] - tiling.corner[1]
    (column, row), across, down = tile, tiling.across, tiling.down

    levels = [y0 - (at - down.start(row)) for at in _mark_positions(down, row)]
    places = [x0 + (at - across.start(column)) for at in _mark_positions(across, column)]
    if column:
        yield line(((x0, bottom - _TICK), (x0, top + _TICK)), _CUT_PEN)
        yield from (_diamond(x0, y) for y in levels)
    if row:
        yield line(((left - _TICK, y0), (right + _TICK, y0)), _CUT_PEN)
        yield from (_diamond(x, y0) for x in places)
    if column < across.count - 1:
        x = x0 + across.step
        yield line(((x, bottom), (x, top)), _OVERLAP_PEN)
        yield from (_diamond(x, y) for y in levels)
        # The number is below the tile, because the margin beside the tile is too narrow for text.
        name = text_of("tile_right").format(n=tiling.number((column + 1, row)))
        yield _bold_text(name, right + MARK_ROOM, bottom - MARK_ROOM / 2, anchor="end")
    if row < down.count - 1:
        y = y0 - down.step
        yield line(((left, y), (right, y)), _OVERLAP_PEN)
        yield from (_diamond(x, y) for x in places)
        name = text_of("tile_below").format(n=tiling.number((column, row + 1)))
        yield _bold_text(name, (left + right) / 2, bottom - MARK_ROOM / 2)


def _mark_positions(axis: Axis, index: int) -> list[float]:
    first, last = axis.visible(index)
    return [first + share * (last - first) for share in _MARK_SHARES]


def _diamond(x: float, y: float) -> Path:
    r = _DIAMOND
    return polygon(((x - r, y), (x, y - r), (x + r, y), (x, y + r)), None, _CUT_PEN)


def _bold_text(
    text: str, x: float, y: float, size: float = FLOOR, anchor: Literal["middle", "end"] = "middle"
) -> Text:
    return Text(x, y - 0.35 * size / POINTS, text, size, anchor, True)


def _print_plan(canvas: Canvas, page: PosterPage, settings: PrintSettings, lang: Lang, text_of: TextOf) -> None:
    """Draw a small map with numbered tiles, and instructions for joining the tiles."""
    tiling, poster, margin = page.tiling, page.poster, page.tiling.edge
    (w, h), room = tiling.page, tiling.page[0] - 2 * margin
    top = h - margin - _TITLE / POINTS
    items: list[Item] = [Text(margin, top, poster.title[lang], _TITLE, bold=True)]
    instructions = text_of("joining").format(m=len(tiling.tiles), columns=tiling.across.count, rows=tiling.down.count)
    for text in wrap_text(instructions, room, _BODY) or (instructions,):
        top -= 1.5 * _BODY / POINTS
        items.append(Text(margin, top, text, _BODY))
    top -= _BELOW
    ruler = draw_ruler()
    level = margin + FOOT + _BELOW
    plain, high = replace(poster.view, names=False), top - level - ruler.height - _BELOW
    small = draw_fitted(plain, lang, settings.ink, room - 2 * MARK_ROOM, high, settings.turned, page.scenery)
    x, y = (w - small.picture.width) / 2, top - small.picture.height
    texts = tuple(replace(item, y=item.y - top) for item in items if isinstance(item, Text))
    canvas.draw(Picture(w, h - top, texts), 0, top, alt=f"{poster.title[lang]}. {instructions}")
    items.clear()
    canvas.draw(small.picture, x, y, alt=sentence("plan", lang, m=len(tiling.tiles)))
    for tile in tiling.tiles:
        left, bottom, right, top = _visible_box(tiling, tile, small.place)
        left, bottom, right, top = left + x, bottom + y, right + x, top + y
        items.append(rectangle(left, bottom, right - left, top - bottom, None, Pen("#000000", 0.4)))
        size = min(_LARGE, 0.4 * POINTS * (top - bottom))
        middle = _bold_text(str(tiling.number(tile)), (left + right) / 2, (bottom + top) / 2, size)
        items += [circle((left + right) / 2, (bottom + top) / 2, 0.75 * size / POINTS, "#ffffff", _CUT_PEN), middle]
    canvas.draw(Picture(w, h, tuple(items)))
    canvas.draw(ruler, (w - ruler.width) / 2, level)


def _visible_box(tiling: Tiling, tile: Tile, small: Place) -> Box:
    """Return the part of a tile that stays visible after joining, on a smaller picture of the same map."""
    (left, right), (above, below) = tiling.across.visible(tile[0]), tiling.down.visible(tile[1])
    height, scale = tiling.picture[1], small.side / tiling.place.side

    def there(x: float, y: float) -> XY:
        return small.x + (x - tiling.place.x) * scale, small.y + (y - tiling.place.y) * scale

    return *there(left, height - below), *there(right, height - above)
