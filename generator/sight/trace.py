"""What a straight line from centre to centre meets, by the offset between two hexes alone.

Everything stands on the whole-number lattice of `grid.hexes`, where Shapely's predicates are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import shapely

from generator.grid.hexes import Hex, centre, corners

_THROUGH = "T********"
_ALONG = "F1*******"
_TOUCHING = "F0*******"


@dataclass(frozen=True)
class Trace:
    """The hexes, ends left out, that a line from the origin hex meets, as offsets in order along it."""

    through: tuple[Hex, ...]
    """It crosses their inside."""
    left: tuple[Hex, ...]
    """It runs along a side of theirs, and they lie to its left."""
    right: tuple[Hex, ...]
    """It runs along a side of theirs, and they lie to its right."""
    touching: tuple[Hex, ...]
    """It only touches a corner of theirs."""


@cache
def trace(offset: Hex) -> Trace:
    """The trace from Hex(0, 0) to that offset (lattice geometry, no epsilon)."""
    if (offset.r, offset.q) < (0, 0):
        return _reversed(trace(Hex(-offset.q, -offset.r)), offset)
    x, y = centre(offset)
    ends = (Hex(0, 0), offset)
    # A hex can meet the line only where their bounding boxes meet.
    near = [
        cell
        for r in range(min(0, offset.r) - 1, max(0, offset.r) + 2)
        for q in range((min(0, x) - 1 - r) // 2, (max(0, x) + 1 - r) // 2 + 1)
        if (cell := Hex(q, r)) not in ends
    ]
    # By their shadows on the line; a true hex is flatter than the lattice's by the square root of three.
    near.sort(key=lambda cell: 3 * centre(cell)[0] * x + centre(cell)[1] * y)
    segment = shapely.linestrings([(0, 0), (x, y)])
    shapely.prepare(segment)
    hexes = shapely.polygons([corners(cell) for cell in near])

    def meeting(pattern: str) -> list[Hex]:
        return [c for c, met in zip(near, shapely.relate_pattern(segment, hexes, pattern), strict=True) if met]

    along = meeting(_ALONG)
    return Trace(
        tuple(meeting(_THROUGH)),
        tuple(c for c in along if x * centre(c)[1] > y * centre(c)[0]),
        tuple(c for c in along if x * centre(c)[1] < y * centre(c)[0]),
        tuple(meeting(_TOUCHING)),
    )


def _reversed(forth: Trace, offset: Hex) -> Trace:
    def back(cells: tuple[Hex, ...]) -> tuple[Hex, ...]:
        return tuple(cell + offset for cell in reversed(cells))

    return Trace(back(forth.through), back(forth.right), back(forth.left), back(forth.touching))
