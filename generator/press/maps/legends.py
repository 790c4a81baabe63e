"""A map's legend: a cell, a token or a line for each look, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from generator.errors import DataError, Problem, near
from generator.grid.field import field
from generator.grid.grid import Cell, Grid, Part
from generator.grid.hexes import Hex
from generator.model.picture import Item, Path, Picture, Text, Use
from generator.model.views import Area, Legend, MapView, Ray, Shade, Spot, Token, Track
from generator.model.words import Lang
from generator.press.maps.layers import draw_field
from generator.press.symbols import areas, overlays
from generator.press.symbols.anatomy import anatomy
from generator.press.symbols.lettering import fitted, wide
from generator.press.symbols.place import Place
from generator.press.symbols.tokens import token_symbol
from generator.press.theme import theme
from generator.press.type import fonts

ROW, ROOMY = 6.6, 9.0
"""Height of a legend's rows, in mm, and how high they grow where there is room."""
SIDE, SQUARE, TOKEN = 0.45, 0.82, 0.07
"""Side of a legend's hexes and squares, and the scale of its tokens, for each mm of a row."""
LARGE, SIZE, FLOOR = 9.0, 7.5, 7.0
LETTER, TEXT = 1.15, 1.55
"""Where the middle of a look's letter and the start of its text stand, in rows from the left."""
GAP = 4.0
SECTION, RAY, BREAK = "section", "ray", "break"
"""What a legend calls the dotted line between two sections, a line of sight, and the mark where one ends."""


def draw_legend(view: MapView, lang: Lang, ink: str, width: float, height: float = 0.0) -> Picture:
    """The view's legend in as many columns as fit into that width, read down each column.

    Given a height, its rows are as high as that allows.
    """
    fonts.ensure(lang)
    entries = view.legend
    if not entries:
        return Picture(width, 0.0, ())
    texts = [entry.text[lang] for entry in entries]
    high = max(ROW, min(ROOMY, height / len(entries)))
    start = TEXT * high
    large = min(LARGE, SIZE * high / ROW)
    size = min(fitted(text, width - start, large, FLOOR) for text in texts)
    column = start + max(wide(text, size) for text in texts) + GAP
    columns = min(max(1, int((width + GAP) / column)), len(entries))
    rows = ceil(len(entries) / columns)
    columns = ceil(len(entries) / rows)
    pitch = max(column, (width + GAP) / columns) if columns > 1 else column
    items: list[Item] = []
    for i, (entry, text) in enumerate(zip(entries, texts, strict=True)):
        x, y = i // rows * pitch, (rows - i % rows - 0.5) * high
        items += _sample(view, entry, x, y, high, ink)
        items.append(Text(x + start, y - 0.12 * size, text, size))
    return Picture(width, rows * high, tuple(items))


def _sample(of: MapView, entry: Legend, left: float, y: float, row: float, ink: str) -> Iterator[Item]:
    """A token or a single cell, and the look's letter, in a row of that height."""
    t = theme()
    x = left + 0.5 * row
    if isinstance(entry.sample, Token):
        yield Use(token_symbol(entry.sample, ink), x, y, TOKEN * row)
        return
    key = entry.sample
    cell = of.grid.cells[0]
    grid = Part(of.grid, (cell,))
    place = Place(grid, (SQUARE if anatomy(grid).squares else SIDE) * row, 0.0, 0.0)
    cx, cy = place.centre(cell)
    place = replace(place, x=x - cx, y=y - cy)
    view = MapView(grid, {}, names=False)
    if key in t.ground:
        walls = {cell: (1, 2)} if t.ground[key].walls else {}
        flows = {cell: (0, len(anatomy(grid).exits) // 2)}
        roads = flows if t.ground[key].road else {}
        view = replace(view, ground={cell: key}, flows=flows, roads=roads, walls=walls)
        size = min(LARGE, SIZE * row / ROW)
        yield Text(left + LETTER * row, y - 0.128 * size, t.ground[key].letter, size, "middle", True, "#303030")
    elif key in t.feature:
        yield Path(place.area((cell,)), t.feature[key].ink(ink).tint)
        view = replace(view, features={cell: key})
    elif key in t.shade:
        view = replace(view, shades=(Shade(key, (cell,)),))
    elif key in t.area:
        view = replace(view, areas=(Area(key, (_patch(grid, cell),)),))
    elif key in t.track:
        place = Place(field((3,)), 0.36 * row, left + 0.12 * row, y)
        way = Track(key, (Hex(0, 0), Hex(1, 0), Hex(2, 0)))
        yield from areas.track(place, way, t.track[key], t.track[key].ink(ink))
        return
    elif key == SECTION:
        yield from overlays.borders(place, (((-1, 0), (1, 0)),), t.section.ink(ink))
        return
    elif key in (RAY, BREAK):
        place = Place(field((2,)), 0.6 * row, left + 0.12 * row, y)
        ray = Ray(Hex(0, 0), Hex(1, 0), Hex(1, 0) if key == BREAK else None)
        yield from overlays.rays(place, (ray,), t.ray.ink(ink))
        yield from overlays.stops(place, (ray,), t.ray.ink(ink))
        return
    else:
        known = [*t.ground, *t.feature, *t.shade, *t.area, *t.track, SECTION, RAY, BREAK]
        raise DataError(Problem(f'unknown legend look "{key}"', hint=near(key, known)))
    yield from draw_field(view, place, ink)


def _patch(grid: Grid, cell: Cell) -> tuple[Spot, ...]:
    """The outline of a shape within a cell."""
    (x, y), corners = grid.centre(cell), grid.corners(cell)
    return tuple((x + 0.72 * (a - x), y + 0.72 * (b - y)) for a, b in corners)
