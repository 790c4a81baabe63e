"""Place names along the land, where they cover nothing that matters in the game. Names without room are omitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, Item, Path, Text
from generator.model.views import LandName, MapView
from generator.model.words import Lang
from generator.press.figures.cell_names import text_extent
from generator.press.figures.labels import Candidate, Obstacles, allowed_candidates, points_box
from generator.press.figures.place_names import lies_within, plate_behind
from generator.symbols.shapes import Box, Place, rim
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
_SHIFTS = ((0.0, 0.0), (-0.87, 0.0), (0.87, 0.0), (0.0, -0.28), (-0.87, -0.28), (0.87, -0.28), (0.0, 0.22))
"""Offsets of the middle of a name from the centre of a cell that are tried, in cell sides."""


def draw_land_names(
    view: MapView, place: Place, ground: Obstacles, taken: Iterable[Box], lang: Lang, ink: str
) -> Iterator[Item]:
    """Yield the names of the land with pale plates behind them.

    `ground` contains the obstacles of all labels, and `taken` the boxes of other texts and lines.
    """
    if not view.land_names or place.side < _MIN_SIDE:
        return
    free = ground.copy()
    for box in (*taken, *_drawings(view, place)):
        free.forbid(box)
    edge = [side for ring in rim(place) for side in zip((ring[-1], *ring), ring, strict=False)]
    for name in view.land_names:
        found = allowed_candidates(free, _candidates(_styled(name, lang, ink), name.cells, view, place))
        chosen = next((one for one in found if lies_within(edge, one.box)), None)
        if chosen:
            left, bottom, right, top = chosen.box
            free.forbid((left - _APART, bottom - _APART, right + _APART, top + _APART))
            yield Path(plate_behind(chosen.item), theme().ground[_GROUND].ink(ink).tint)
            yield chosen.item


def _styled(name: LandName, lang: Lang, ink: str) -> Text:
    """Return a name in its type: capitals for land, slanted letters for water. Japanese has neither."""
    text = name.name[lang]
    colour = _SAVED if ink == "saver" else _WATER if name.water else _LAND
    written = text if name.water or lang == "ja" else text.upper()
    return Text(0, 0, written, _SIZE, "middle", False, colour, name.water and lang != "ja")


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
