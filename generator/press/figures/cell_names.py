"""Names of cells on a map, with their type size, their position within the cell, and their halo."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

import msgspec

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, XY, Path, Text
from generator.model.views import MapView
from generator.press.figures.labels import (
    Candidate,
    points_box,
)
from generator.press.layout.fitting import text_width
from generator.press.pdf.legible import NUMBER_FLOOR
from generator.symbols.features import covers
from generator.symbols.shapes import Box, Place, Steps, closed, turned
from generator.symbols.theme import Ground as GroundLook

_NAME_PT_PER_MM, _MAX_GROWN_NAME = 0.36, 11.0
"""Type size of names in very large cells, in points per mm of cell side, and the maximum type size in points."""
PLATE_ALPHA, _HALO_ALPHA = 0.75, 0.7
"""Opacity of a pale plate, and of a halo in the colour of the terrain."""
_ASCENT, _DESCENDER_DEPTH = 0.72, 0.21
"""Distance from the baseline to the top of a cell's name, and to the bottom of descenders, relative to the type
size."""
_DESCENDERS = frozenset("gjpqy,;()[]")
_CLEARANCE = 0.35
"""Distance of cell names from outlines, tokens and cell sides, in mm."""
_MIN_CLEARANCE = 0.1
"""Distance of cell names from the same objects in mm if there is little room."""
_INTO_HEXES, _INTO_SQUARES = (
    tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in turns)
    for turns in ((90, 60, 120, 270, 240, 300, 30, 150, 0, 180, 210, 330), (135, 90, 45, 225, 270, 315, 180, 0))
)
"""Directions from the cell's centre in which positions for its name are tried, in this order."""
_DISTANCES = (1.0, 0.6)
"""Distances of positions from the cell's centre, as fractions of the distance to the side."""


def named_cells(view: MapView, place: Place) -> Sequence[Cell]:
    """Return the cells whose names are drawn on the map."""
    return view.grid.cells if view.names and place.side >= place.anatomy.free else ()


def cell_text(view: MapView, grounds: Mapping[Cell, GroundLook], cell: Cell) -> str:
    """Return a cell's name followed by the letter of its terrain. Water has no letter."""
    ground = grounds.get(cell)
    letter = ground.letter if ground and not ground.water else ""
    return f"{view.grid.name(cell)} {letter}".rstrip()


def name_sizes(place: Place) -> tuple[float, ...]:
    """Return the type sizes of cell names in points.

    The second, smaller size is for names that do not fit at the first.
    """
    at, side = place.anatomy, place.side
    size = max(NUMBER_FLOOR, min(at.type_size * side, at.largest), min(_NAME_PT_PER_MM * side, _MAX_GROWN_NAME))
    return (size, NUMBER_FLOOR) if size > NUMBER_FLOOR else (NUMBER_FLOOR,)


def text_extent(text: Text) -> Box:
    """Return the bounding box of the letters in a line of text, in mm."""
    width, high = text_width(text.text, text.size, text.bold) + text.extra_width, text.size / POINTS
    x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    low = _DESCENDER_DEPTH if _DESCENDERS & set(text.text) else 0.0
    box = x, text.y - low * high, x + width, text.y + _ASCENT * high
    if not text.turn:
        return box
    corners = [(a - text.x, b - text.y) for a in box[::2] for b in box[1::2]]
    return points_box([(text.x + a, text.y + b) for a, b in (turned(corner, text.turn) for corner in corners)])


class NamePositions:
    """Positions at which a box in a cell does not touch the cell's sides.

    Positions at the corners and sides come first, in order of preference, then positions closer to the centre.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._known: dict[tuple[float, float, float], tuple[list[XY], Iterator[XY]]] = {}
        cell = place.grid.cells[0]
        x, y = place.centre(cell)
        ring = [(a - x, b - y) for a, b in place.ring(cell)]
        # Outward normals of the sides, and their distances from the centre. All cells are equal except for a rotation
        # by 180°.
        self._sides: list[tuple[float, float, float]] = []
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            long = math.dist((ax, ay), (bx, by))
            nx, ny = (by - ay) / long, (ax - bx) / long
            self._sides.append((nx, ny, ax * nx + ay * ny))

    def candidates(
        self, cell: Cell, name: str, sizes: Sequence[float], colour: str, roofs: Sequence[_Rings]
    ) -> Iterator[Candidate[Text]]:
        """Yield positions of a cell's name, at each type size in turn.

        Positions whose centre is under a roof are omitted.
        """
        x, y = self._place.centre(cell)
        rank = -1
        # If the name does not fit at the smallest size, try regular weight, then the name without the letter.
        name_only, min_size = name.partition(" ")[0], sizes[-1]
        tries = [*((name, size, True) for size in sizes), (name, min_size, False)]
        for text, size, bold in (*tries, *([(name_only, min_size, False)] if name_only != name else [])):
            low = _DESCENDER_DEPTH if _DESCENDERS & set(text) else 0.0
            high, half = (low + _ASCENT) * size / POINTS, text_width(text, size, bold) / 2
            for clear in (_CLEARANCE, _MIN_CLEARANCE):
                for dx, dy in self._offsets(half, high / 2, clear):
                    rank += 1
                    if roofs and any(covers(rings, (x + dx, y + dy)) for rings in roofs):
                        continue
                    left, foot = x + dx, y + dy - high / 2
                    line = Text(left, foot + low * size / POINTS, text, size, "middle", bold, colour)
                    box = left - half - clear, foot - clear, left + half + clear, foot + high + clear
                    yield Candidate(box, 0.01 * rank, line)

    def _offsets(self, half: float, up: float, clear: float) -> Iterator[XY]:
        """Yield offsets from the centre of the cell. Each offset is computed when it is first needed."""
        key = round(half, 3), round(up, 3), clear
        if key not in self._known:
            self._known[key] = [], self._found(half + clear, up + clear)
        found, more = self._known[key]
        yield from found
        for offset in more:
            found.append(offset)
            yield offset

    def _found(self, half: float, up: float) -> Iterator[XY]:
        rooms = [far - half * abs(nx) - up * abs(ny) for nx, ny, far in self._sides]
        if min(rooms) < 0:
            return
        square = self._place.anatomy.squares
        for share, (across, rise) in product(_DISTANCES, _INTO_SQUARES if square else _INTO_HEXES):
            at = self._slid((0.0, 0.0), (across, rise), rooms)
            if square:
                # Move the box into the corner, because it is not square.
                at = self._slid(at, (_sign(across), 0.0), rooms)
                at = self._slid(at, (0.0, _sign(rise)), rooms)
            yield share * at[0], share * at[1]
        yield 0.0, 0.0

    def _slid(self, at: XY, way: XY, rooms: Sequence[float]) -> XY:
        """Move the point `at` in a direction as far as the distances to the cell's sides allow."""
        (x, y), (across, rise) = at, way
        found = math.inf
        for (nx, ny, _), room in zip(self._sides, rooms, strict=True):
            speed = nx * across + ny * rise
            if speed > 1e-9:
                found = min(found, (room - nx * x - ny * y) / speed)
        return at if found == math.inf else (x + max(0.0, found) * across, y + max(0.0, found) * rise)


@lru_cache(8)  # Enough for the maps of a few pages.
def name_positions(place: Place) -> NamePositions:
    """Return the possible positions of names on a map, cached with their offsets."""
    return NamePositions(place)


def _sign(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else math.copysign(1.0, value)


_Rings = tuple[tuple[XY, ...], ...]


class Roof(msgspec.Struct, frozen=True):
    """A building on the map, with its outlines and their bounding box in mm."""

    rings: _Rings
    box: Box

    @classmethod
    def of(cls, rings: _Rings) -> Roof:
        """Return the building with these outlines."""
        return cls(rings, points_box(rings[0]))


def cell_box(cell: Cell, place: Place) -> Box:
    """Return a box that contains everything in a cell, in mm."""
    (x, y), reach = place.centre(cell), place.side
    return x - reach, y - reach, x + reach, y + reach


def draw_halos(
    names: Mapping[Cell, Text], shaded: set[Cell], grounds: Mapping[Cell, GroundLook], ink: str
) -> Iterator[Path]:
    """Yield halos behind cell names, in the colour of textured or raised terrain, or white on shaded cells.

    Raised terrain whose surface has another colour than its cell gets no halo, which would be a visible box on it.
    """
    steps: dict[str, list[tuple[str | float, ...]]] = {}
    for cell, text in names.items():
        ground = grounds.get(cell)
        tint = "#ffffff" if cell in shaded else _halo_tint(ground, ink) if ground else ""
        if tint:
            left, bottom, right, top = text_extent(text)
            steps.setdefault(tint, []).extend(
                _cut_corners(
                    left - _MIN_CLEARANCE, bottom - _MIN_CLEARANCE, right + _MIN_CLEARANCE, top + _MIN_CLEARANCE
                )
            )
    return (
        Path(tuple(of), tint, None, PLATE_ALPHA if tint == "#ffffff" else _HALO_ALPHA) for tint, of in steps.items()
    )


def _halo_tint(ground: GroundLook, ink: str) -> str:
    """Return the colour of the halo behind a name on this terrain, or an empty string for no halo."""
    look = ground.ink(ink)
    return look.tint if ground.pattern or (ground.relief and look.tint == look.fill) else ""


_HALO_CUT = 0.12
"""Length by which the corners of a halo are cut, in mm."""


def _cut_corners(left: float, bottom: float, right: float, top: float) -> Steps:
    """Return a box whose corners are cut off by so little that they look round."""
    west, south, east, north = left + _HALO_CUT, bottom + _HALO_CUT, right - _HALO_CUT, top - _HALO_CUT
    below, above = ((west, bottom), (east, bottom)), ((east, top), (west, top))
    return closed((*below, (right, south), (right, north), *above, (left, north), (left, south)))
