"""The names of what lies on a map's cells: each beside its cell, where it hides least."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

from generator.grid.grid import Cell
from generator.model.picture import XY, Item, Path, Text
from generator.model.views import MapView
from generator.model.words import Lang
from generator.press.maps.names import behind
from generator.press.maps.standing import lying, standing
from generator.press.symbols.areas import covers
from generator.press.symbols.lettering import POINTS, text_box, wide
from generator.press.symbols.place import Box, Place
from generator.press.symbols.shapes import loops
from generator.press.type.styles import FLOOR

_GROWING, _LARGEST = 0.9, 14.0
"""Names have so many points for each mm of a cell's side, up to the last size."""
_COLOUR = "#303030"
_REACH = 0.74
"""How far from its middle a token or what lies on a cell reaches, drawn at full size, in sides."""
_PAD = 0.4
"""How far a plate reaches beyond its name's ends, in heights of a line."""
_STEP = 0.45
"""Between the points of a way or a river that names keep clear of, in sides."""
_HEAVY, _LIGHT = 4.0, 1.0
"""What it weighs to hide a token, what lies on a cell or a way, and a river; a text is never hidden."""
_FAR = 0.3
"""What each side of distance weighs, in shares of a name's area."""
_MOST = 0.5
"""A name that would weigh more finds no room, in shares of its area."""
_OUT = (0.0, 0.25, 0.5, 0.8)
"""How much farther off room is looked for, in sides."""
_TURNS = (0, 4, 12, 8, 2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9)
"""In which directions, in sixteenths of a turn: below, to the right, to the left, above, then between them."""


def place_names(view: MapView, place: Place, lang: Lang, drawn: Iterable[Item]) -> list[Item]:
    """The names of a map's places on pale plates, clear of one another and of the texts that are drawn already.

    A name that finds no room is left out, as all are where cells are too small to have names of their own.
    """
    if not view.places or not view.names or place.side < place.anatomy.free:
        return []
    size = max(FLOOR, min(_GROWING * place.side, _LARGEST))
    rim = [[place.at(p) for p in ring] for ring in loops(place.grid, place.grid.cells)]
    taken = [(text_box(item), math.inf) for item in drawn if isinstance(item, Text)]
    ways = (way for track in view.tracks for way in pairwise(place.centre(cell) for cell in track.cells))
    taken += [(box, _HEAVY) for box in (*_drawings(view, place), *_along(ways, place))]
    rivers = (_exit(place, cell, d) for cell, exits in view.flows.items() for d in exits)
    taken += [(box, _LIGHT) for box in _along(rivers, place)]
    names: list[Text] = []
    for cell, name in view.places.items():
        found = _best(name[lang], size, place, lying(view, place, cell), taken, rim)
        if found:
            names.append(found)
            taken.append((_plate(found), math.inf))
    plates = tuple(step for name in names for step in behind(name))
    return [Path(plates, "#ffffff", None, 0.8), *names] if names else []


def _best(
    text: str,
    size: float,
    place: Place,
    spot: tuple[float, float, float],
    taken: Sequence[tuple[Box, float]],
    rim: Sequence[Sequence[XY]],
) -> Text | None:
    """The name where it weighs least; None where it weighs too much everywhere."""
    x, y, scale = spot
    half, high = wide(text, size, True) / 2, size / POINTS
    pad = _PAD * high
    body = _REACH * place.side * scale / place.scale
    far = 2 * half + 3 * place.side
    about = x - far, y - far, x + far, y + far
    near = [(box, weight) for box, weight in taken if _shared(box, about)]
    least, found = _MOST * 2 * half * high, None
    for extra, turn in product(_OUT, _TURNS):
        angle = math.pi * (turn / 8 - 0.5)
        reach, rise = body + extra * place.side, 0.9 * body + extra * place.side + 0.5 * high
        left, level = x + (reach + half + pad) * math.cos(angle), y + rise * math.sin(angle)
        name = Text(left, level - 0.3 * high, text, size, "middle", True, _COLOUR)
        box = _plate(name)
        if not all(covers(rim, p) for p in _edge(box)):
            continue
        weight = sum(_shared(box, other) * heavy for other, heavy in near if _shared(box, other))
        weight += _FAR * 2 * half * high * extra
        if weight < least:
            least, found = weight, name
    return found


def _plate(name: Text) -> Box:
    """What a name and its plate cover."""
    left, bottom, right, top = text_box(name)
    pad = _PAD * name.size / POINTS
    return left - pad, bottom, right + pad, top


def _edge(box: Box) -> Iterator[XY]:
    """The corners of a box and the middles between them."""
    left, bottom, right, top = box
    for x in (left, (left + right) / 2, right):
        yield from ((x, bottom), (x, top))


def _shared(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _drawings(view: MapView, place: Place) -> Iterator[Box]:
    """Around every token, and around what lies on cells."""
    lain = (lying(view, place, cell) for cell in view.features)
    for x, y, scale in (*standing(view, place), *lain):
        r = 0.85 * _REACH * place.side * scale / place.scale
        yield x - r, y - r, x + r, y + r


def _along(lines: Iterable[tuple[XY, XY]], place: Place) -> Iterator[Box]:
    """Small boxes along straight lines."""
    r = 0.5 * _STEP * place.side
    for (ax, ay), (bx, by) in lines:
        count = max(1, round(math.dist((ax, ay), (bx, by)) / (2 * r)))
        for i in range(count):
            x, y = ax + (i + 0.5) / count * (bx - ax), ay + (i + 0.5) / count * (by - ay)
            yield x - r, y - r, x + r, y + r


def _exit(place: Place, cell: Cell, direction: int) -> tuple[XY, XY]:
    """From the middle of a cell to where it is left."""
    (x, y), (dx, dy) = place.centre(cell), place.way(cell, direction)
    return (x, y), (x + dx * place.side, y + dy * place.side)
