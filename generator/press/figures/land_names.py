"""Place names along the land, where they cover nothing that matters in the game. Names without room are omitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import atan2, ceil, degrees, fsum, hypot

from msgspec.structs import replace

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, Item, Path, Text
from generator.model.views import LandName, MapView
from generator.model.words import Lang
from generator.press.figures.cell_names import text_extent
from generator.press.figures.labels import Candidate, Obstacles, allowed_candidates, overlap, points_box
from generator.press.figures.place_names import lies_within, plate_behind
from generator.symbols.shapes import Box, Place, Steps, closed, rim, turned
from generator.symbols.theme import theme

_SIZE = 7.0
"""Type size of the names, in points."""
_MIN_SIDE = 8.0
"""Minimum length of cell sides in mm of maps with such names."""
_REACH = 2.6
"""Maximum distance of a name from its cells, in cell sides."""
_LAND, _WATER, _SAVED = "#473f2c", "#2f6a92", "#303030"
_GROUND = "countryside"
"""The look of the ground whose colour is behind the names."""
_CLEARANCE = 0.4
"""Distance of the names from everything else, in mm."""
_APART = 2.0
"""Additional distance between two names of the land, in mm."""
_SPACING, _WATER_SPACING = 0.14, 0.05
"""Space between the letters of names of land and water, relative to the type size, so that they look spread out."""
_MAX_TURN = 66.0
"""Maximum angle between a name along a river and the horizontal, in degrees. Steeper names are hard to read."""
_BESIDE, _STEEP_WEIGHT = (0.6, 0.78, 0.96), 0.012
"""Distances of a name along a river from the middle of the river, in cell sides, and weight of each degree of its
turn."""
_SHIFTS = ((0.0, 0.0), (-0.87, 0.0), (0.87, 0.0), (0.0, -0.28), (-0.87, -0.28), (0.87, -0.28), (0.0, 0.22))
"""Offsets of the middle of a name from the centre of a cell that are tried, in cell sides."""


def draw_land_names(
    view: MapView,
    place: Place,
    ground: Obstacles,
    texts: Sequence[Box],
    lines: Iterable[Box],
    lang: Lang,
    ink: str,
) -> Iterator[Item]:
    """Yield the names of the land with pale plates behind them.

    `ground` contains the obstacles of all labels. `texts` are the boxes of other texts, which even the bounding box
    of a turned name must not touch, so that each text can be read on its own. `lines` are the boxes of lines.
    """
    if not view.land_names or place.side < _MIN_SIDE:
        return
    free = ground.copy()
    for box in (*texts, *lines, *_drawings(view, place)):
        free.forbid(box)
    edge = [side for ring in rim(place) for side in zip((ring[-1], *ring), ring, strict=False)]
    for name in view.land_names:
        like = _styled(name, lang, ink)
        along = sorted(_along_river(like, name.cells, view, place), key=lambda one: one.weight) if name.water else []
        along = [one for one in along if not any(overlap(one.box, box) for box in texts) and _is_free(free, one.item)]
        found = [*along, *allowed_candidates(free, _candidates(like, name.cells, view, place))]
        chosen = next((one for one in found if lies_within(edge, one.box)), None)
        if chosen:
            for left, bottom, right, top in _pieces(chosen.item):
                free.forbid((left - _APART, bottom - _APART, right + _APART, top + _APART))
            yield Path(_plate(chosen.item), theme().ground[_GROUND].ink(ink).tint)
            yield chosen.item


def _plate(text: Text) -> Steps:
    """Return the outline of the plate behind a name."""
    if not text.turn:
        return plate_behind(text)
    left, bottom, right, top = text_extent(replace(text, turn=0.0))
    pad = 0.3 * text.size / POINTS
    left, bottom, right, top = left - pad - text.x, bottom - pad - text.y, right + pad - text.x, top + pad - text.y
    corners = [turned(corner, text.turn) for corner in ((left, bottom), (right, bottom), (right, top), (left, top))]
    return closed((text.x + x, text.y + y) for x, y in corners)


def _pieces(text: Text) -> list[Box]:
    """Return boxes that cover a name: one box if it is horizontal, and otherwise a row of boxes along it."""
    if not text.turn:
        return [_room(text)]
    left, bottom, right, top = text_extent(replace(text, turn=0.0))
    count = max(1, ceil((right - left) / (top - bottom)))
    half = (top - bottom) / 2 + _CLEARANCE
    middles = [
        turned((left + (i + 0.5) / count * (right - left) - text.x, (bottom + top) / 2 - text.y), text.turn)
        for i in range(count)
    ]
    return [(text.x + x - half, text.y + y - half, text.x + x + half, text.y + y + half) for x, y in middles]


def _is_free(ground: Obstacles, text: Text) -> bool:
    """Return whether a name covers nothing that a label must not cover."""
    return all(ground.cost(box) is not None for box in _pieces(text))


def _along_river(like: Text, cells: Sequence[Cell], view: MapView, place: Place) -> Iterator[Candidate[Text]]:
    """Yield positions on both sides of a river, in the direction of its course through each hex."""
    low = 0.35 * like.size / POINTS
    x_mean, y_mean = (fsum(of) / len(cells) for of in zip(*map(place.centre, cells), strict=True))
    for cell in cells:
        ways = [place.way(cell, direction) for direction in view.flows.get(cell, ())]
        if len(ways) != 2:
            continue
        (x, y), (ax, ay), (bx, by) = place.centre(cell), *ways
        angle = degrees(atan2(by - ay, bx - ax))
        angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        if abs(angle) > _MAX_TURN:
            continue
        for beside in (share * sign for share in _BESIDE for sign in (1, -1)):
            dx, dy = turned((0.0, beside * place.side - low), angle)
            text = replace(like, x=x + dx, y=y + dy, turn=angle)
            far = hypot(x - x_mean, y - y_mean) / place.side
            yield Candidate(_room(text), abs(beside) + 0.1 * far + _STEEP_WEIGHT * abs(angle), text)


def _styled(name: LandName, lang: Lang, ink: str) -> Text:
    """Return a name in its type: capitals for land, slanted letters for water. Japanese has neither."""
    text = name.name[lang]
    colour = _SAVED if ink == "saver" else _WATER if name.water else _LAND
    written = text if name.water or lang == "ja" else text.upper()
    spacing = _WATER_SPACING if name.water else _SPACING
    return Text(0, 0, written, _SIZE, "middle", False, colour, name.water and lang != "ja", spacing)


def _candidates(like: Text, cells: Sequence[Cell], view: MapView, place: Place) -> Iterator[Candidate[Text]]:
    """Yield positions at the centres of cells and between them, weighted by their distance from the named cells."""
    side, homes = place.side, [place.centre(cell) for cell in cells]
    for cell in view.grid.cells:
        x0, y0 = place.centre(cell)
        if min(hypot(x0 - x, y0 - y) for x, y in homes) > (_REACH + 1) * side:
            continue
        for right, up in _SHIFTS:
            x, y = x0 + right * side, y0 + up * side
            far = min(hypot(x - a, y - b) for a, b in homes)
            if far <= _REACH * side:
                text = replace(like, x=x, y=y - 0.35 * like.size / POINTS)
                yield Candidate(_room(text), far, text)


def _room(text: Text) -> Box:
    """Return the box of a name with its clearance."""
    left, bottom, right, top = text_extent(text)
    return left - _CLEARANCE, bottom - _CLEARANCE, right + _CLEARANCE, top + _CLEARANCE


def _drawings(view: MapView, place: Place) -> Iterator[Box]:
    """Yield boxes in cells with drawings, which the names must not cover."""
    looks = theme().ground
    for cell, key in view.ground.items():
        if key != _GROUND and (looks[key].pattern or looks[key].relief):
            left, bottom, right, top = points_box(place.ring(cell))
            yield left, bottom + 0.2 * place.side, right, top - 0.2 * place.side
