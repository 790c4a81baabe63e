"""From a map view to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.model.picture import Item, Pen, Picture, Text
from generator.model.views import MapView
from generator.model.words import Lang
from generator.press.maps.layers import draw_field
from generator.press.maps.names import beyond, notes
from generator.press.maps.placenames import place_names
from generator.press.symbols.anatomy import anatomy
from generator.press.symbols.lettering import fitted, wide
from generator.press.symbols.place import Box, Place
from generator.press.symbols.shapes import strokes
from generator.press.theme import theme
from generator.press.type import fonts

MARGIN = 0.5
"""Room for half the frame's line, in mm."""
EDGE = 5.4
"""Height of the strip along a baseline that says whose it is, in mm."""
EDGE_SIZE, EDGE_FLOOR = 8.5, 7.0


@dataclass(frozen=True)
class Drawing:
    """A picture of a map, and where on it the field lies."""

    picture: Picture
    place: Place


def draw_map(view: MapView, lang: Lang, ink: str, width: float, height: float, turned: bool = False) -> Picture:
    """The whole map with the largest cells that fit into width × height mm; no larger than it needs to be.

    A turned one is seen from its far edge: positions turn half round, symbols and texts stay upright.
    """
    return draw_small(view, lang, ink, width, height, turned).picture


def draw_small(view: MapView, lang: Lang, ink: str, width: float, height: float, turned: bool = False) -> Drawing:
    """The same, and where its field lies."""
    fonts.ensure(lang)
    strip, outside = EDGE if view.edges else 0.0, beyond(view, lang, turned)
    place = Place.fit(view.grid, width, height - 2 * strip, MARGIN, outside, turned)
    return _drawn(view, replace(place, y=place.y + strip), lang, ink, strip, outside)


def draw_sized(
    view: MapView, lang: Lang, ink: str, cell: float, beside: Sequence[MapView] = (), turned: bool = False
) -> Drawing:
    """The whole map with cells that many mm wide from side to side, its field where those `beside` it have theirs."""
    fonts.ensure(lang)
    views = (view, *beside)
    strip = EDGE if any(v.edges for v in views) else 0.0
    left, below, right, above = (max(sides) for sides in zip(*(beyond(v, lang, turned) for v in views), strict=True))
    outside = (left, below, right, above)
    place = Place.of(view.grid, cell / (2 * anatomy(view.grid).inner), MARGIN, outside, turned)
    return _drawn(view, replace(place, y=place.y + strip), lang, ink, strip, outside)


def _drawn(view: MapView, place: Place, lang: Lang, ink: str, strip: float, outside: Box) -> Drawing:
    w, h = place.size()
    w, h = w + (outside[0] + outside[2]) * place.side, h + (outside[1] + outside[3]) * place.side
    items = [*draw_field(view, place, ink), *notes(view, place, lang)]
    items += place_names(view, place, lang, items)
    if view.edges:
        far, near = reversed(view.edges) if place.turned else view.edges
        items += _edge(far[lang], w + 2 * MARGIN, h + 2 * MARGIN + strip + 1.4, ink)
        items += _edge(near[lang], w + 2 * MARGIN, 1.4, ink)
    return Drawing(Picture(w + 2 * MARGIN, h + 2 * MARGIN + 2 * strip, tuple(items)), place)


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
