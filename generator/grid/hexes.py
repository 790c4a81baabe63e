"""Pointy-topped hexes in axial coordinates, and the whole-number lattice they stand on.

`q` grows to the east, `r` to the north-east (one row up). On the lattice a hex has its centre at
(2q + r, 3r) and its corners at (0, ±2) and (±1, ±1) from there: an affine image of a regular hex, so
straight lines stay straight and every centre and corner is a whole number.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A hex cell by its axial coordinates."""

    q: int
    r: int

    def __add__(self, other: Hex) -> Hex:
        return Hex(self.q + other.q, self.r + other.r)

    def __sub__(self, other: Hex) -> Hex:
        return Hex(self.q - other.q, self.r - other.r)


DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
"""The six directions, anticlockwise from east; a direction is an index into this tuple."""

STEPS = (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1), Hex(1, -1))
"""The step to the neighbour in each direction."""

CORNERS: tuple[Point, ...] = ((1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2))
"""Lattice corners from the centre, anticlockwise; the hexside of direction d joins corners d and d + 1."""


def opposite(direction: int) -> int:
    """The direction that leads back."""
    return (direction + 3) % 6


def distance(a: Hex, b: Hex) -> int:
    """How many steps lie between two hexes."""
    dq, dr = b.q - a.q, b.r - a.r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def direction(a: Hex, b: Hex) -> int | None:
    """The direction from `a` to its neighbour `b`; None where they are no neighbours."""
    step = b - a
    return STEPS.index(step) if step in STEPS else None


def centre(cell: Hex) -> Point:
    """The lattice point in the middle of a hex."""
    return 2 * cell.q + cell.r, 3 * cell.r


def corners(cell: Hex) -> tuple[Point, ...]:
    """The six lattice corners of a hex, anticlockwise from the east side's lower end."""
    x, y = centre(cell)
    return tuple((x + dx, y + dy) for dx, dy in CORNERS)
