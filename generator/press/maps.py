"""From a map view to a picture: the map itself, and the legend beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from generator.errors import DataError, Problem, near
from generator.grid.field import field
from generator.grid.hexes import Hex
from generator.model.picture import Item, Path, Pen, Picture, Text, Use
from generator.model.views import Legend, MapView, Ray, Shade, Token
from generator.model.words import Lang
from generator.press import fonts
from generator.press.layers import draw_field
from generator.press.symbols import overlays
from generator.press.symbols.lettering import fitted, wide
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import strokes
from generator.press.symbols.tokens import token_symbol
from generator.press.theme import theme

MARGIN = 0.5
"""Room for half the frame's line, in mm."""
EDGE = 5.4
"""Height of the strip along a baseline that says whose it is, in mm."""
EDGE_SIZE, EDGE_FLOOR = 8.5, 7.0

LEGEND_ROW, LEGEND_ROOMY = 6.6, 9.0
"""Height of a legend's rows, in mm, and how high they grow where there is room."""
LEGEND_SIDE, LEGEND_TOKEN = 0.45, 0.07
"""Hexside of a legend's samples, and the scale of its tokens, for each mm of a row."""
LEGEND_LARGE, LEGEND_SIZE, LEGEND_FLOOR = 9.0, 7.5, 7.0
LEGEND_LETTER, LEGEND_TEXT = 1.15, 1.55
"""Where the middle of a look's letter and the start of its text stand, in rows from the left."""
LEGEND_GAP = 4.0
SECTION, RAY, BREAK = "section", "ray", "break"
"""What a legend calls the dotted line between two sections, a line of sight, and the mark where one ends."""


def draw_map(view: MapView, lang: Lang, ink: str, width: float, height: float) -> Picture:
    """The whole map with the largest hexes that fit into width × height mm; no larger than it needs to be."""
    fonts.ensure(lang)
    strip = EDGE if view.edges else 0.0
    place = Place.fit(view.grid, width, height - 2 * strip, MARGIN)
    place = replace(place, y=place.y + strip)
    w, h = place.size()
    items = draw_field(view, place, ink)
    if view.edges:
        far, near = view.edges
        items += _edge(far[lang], w + 2 * MARGIN, h + 2 * MARGIN + strip + 1.4, ink)
        items += _edge(near[lang], w + 2 * MARGIN, 1.4, ink)
    return Picture(w + 2 * MARGIN, h + 2 * MARGIN + 2 * strip, tuple(items))


def draw_legend(view: MapView, lang: Lang, ink: str, width: float, height: float = 0.0) -> Picture:
    """The view's legend in as many columns as fit into that width, read down each column.

    Given a height, its rows are as high as that allows.
    """
    fonts.ensure(lang)
    entries = view.legend
    if not entries:
        return Picture(width, 0.0, ())
    texts = [entry.text[lang] for entry in entries]
    high = max(LEGEND_ROW, min(LEGEND_ROOMY, height / len(entries)))
    start = LEGEND_TEXT * high
    large = min(LEGEND_LARGE, LEGEND_SIZE * high / LEGEND_ROW)
    size = min(fitted(text, width - start, large, LEGEND_FLOOR) for text in texts)
    column = start + max(wide(text, size) for text in texts) + LEGEND_GAP
    columns = min(max(1, int((width + LEGEND_GAP) / column)), len(entries))
    rows = ceil(len(entries) / columns)
    columns = ceil(len(entries) / rows)
    pitch = max(column, (width + LEGEND_GAP) / columns) if columns > 1 else column
    items: list[Item] = []
    for i, (entry, text) in enumerate(zip(entries, texts, strict=True)):
        x, y = i // rows * pitch, (rows - i % rows - 0.5) * high
        items += _sample(entry, x, y, high, ink)
        items.append(Text(x + start, y - 0.12 * size, text, size))
    return Picture(width, rows * high, tuple(items))


def _sample(entry: Legend, left: float, y: float, row: float, ink: str) -> Iterator[Item]:
    """A token or a single hex, and the look's letter, in a row of that height."""
    t = theme()
    x = left + 0.5 * row
    if isinstance(entry.sample, Token):
        yield Use(token_symbol(entry.sample, ink), x, y, LEGEND_TOKEN * row)
        return
    key = entry.sample
    cell, grid = Hex(0, 0), field((1,))
    place = Place(grid, LEGEND_SIDE * row, x, y)
    view = MapView(grid, {}, names=False)
    if key in t.ground:
        walls = {cell: (1, 2)} if t.ground[key].walls else {}
        view = replace(view, ground={cell: key}, flows={cell: (0, 3)}, walls=walls)
        size = min(LEGEND_LARGE, LEGEND_SIZE * row / LEGEND_ROW)
        yield Text(
            left + LEGEND_LETTER * row, y - 0.128 * size, t.ground[key].letter, size, "middle", True, "#303030"
        )
    elif key in t.feature:
        yield Path(place.area((cell,)), t.feature[key].ink(ink).tint)
        view = replace(view, features={cell: key})
    elif key in t.shade:
        view = replace(view, shades=(Shade(key, (cell,)),))
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
        known = [*t.ground, *t.feature, *t.shade, SECTION, RAY, BREAK]
        raise DataError(Problem(f'unknown legend look "{key}"', hint=near(key, known)))
    yield from draw_field(view, place, ink)


def _edge(text: str, width: float, y: float, ink: str) -> list[Item]:
    """What stands along a baseline, between two rules."""
    dark = theme().map.ink(ink).dark
    size = fitted(text, width, EDGE_SIZE, EDGE_FLOOR, bold=True)
    middle, level = width / 2, y + 0.13 * size
    near_end = wide(text, size, True) / 2 + 2.5
    far_end = min(near_end + 18, middle)
    items: list[Item] = [Text(middle, y, text, size, "middle", True, dark)]
    if far_end > near_end:
        ends = [((middle + s * near_end, level), (middle + s * far_end, level)) for s in (-1, 1)]
        items.append(strokes(ends, Pen(dark, 0.2)))
    return items
