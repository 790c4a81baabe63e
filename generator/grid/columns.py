"""Flat-topped hexes in columns, with the customary four-digit numbers: two digits for the column, two for the row.

`0101` is the first hex of the first column. Rows grow downward on paper, and every even column is half a hex lower.
On the lattice, whose y grows upward, the centre of a hex is at (3(c - 1), -2r), one step lower in an even column, and
its corners are (±2, 0) and (±1, ±1) from there. This is an affine image of a regular hex, so straight lines stay
straight and every centre and corner is a whole number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from math import floor, lcm
from typing import NamedTuple

from generator.grid.hexes import Lattice, Point, of_a_kind

MAX_SIDE = 99
"""The largest number of columns or rows: the largest number of two digits."""

_NAME = re.compile(r"([0-9]{2})([0-9]{2})", re.ASCII)


@of_a_kind
class Numbered(NamedTuple):
    """A hex by the numbers of its column and row, each from 1; off a field they may be smaller."""

    c: int
    r: int


DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six directions, clockwise from the top; a direction is an index into this tuple."""

CORNERS: tuple[Point, ...] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""Lattice corners from the centre, anticlockwise from the east."""

_ODD: tuple[Point, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_EVEN: tuple[Point, ...] = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""The change of column and row in each direction, from a hex of an odd and of an even column."""


def step(cell: Numbered, direction: int) -> Numbered:
    """Return the neighbour in a direction; it may be off the field."""
    dc, dr = (_ODD if cell.c % 2 else _EVEN)[direction]
    return Numbered(cell.c + dc, cell.r + dr)


def distance(a: Numbered, b: Numbered) -> int:
    """Return the distance between two hexes in steps."""
    across = abs(b.c - a.c)
    # Each step sideways also moves half a hex up or down; the rest of the way stays in the column.
    halves = abs(centre(b)[1] - centre(a)[1])
    return across + max(0, halves - across) // 2


def centre(cell: Numbered) -> Point:
    """Return the lattice point at the centre of a hex."""
    return 3 * (cell.c - 1), -2 * cell.r - (cell.c % 2 == 0)


@lru_cache(4096)  # Enough for the cells of the boards of a print.
def corners(cell: Numbered) -> tuple[Point, ...]:
    """Return the six lattice corners of a hex, anticlockwise from the east."""
    x, y = centre(cell)
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


_LIMITS = ((0, 1, 1), (0, -1, 1), (1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2))
"""A point is in a hex if a * across + b * up <= n for each (a, b, n), with `across` and `up` measured from its
centre."""


class ColumnField(Lattice[Numbered]):
    """Columns of hexes of equal length; equal fields are one object (`columns_field`)."""

    pitch = (0.5, 3**0.5 / 2)
    """Width and height of a lattice step in mm if a hexside is 1 mm long."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        super().__init__(Numbered(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1))

    def name(self, cell: Numbered) -> str:
        """Return the number of a hex, such as `0707`."""
        return f"{cell.c:02}{cell.r:02}"

    def find(self, name: str) -> Numbered | None:
        """Return the hex with that number, exactly four digits; None if the field does not have it."""
        match = _NAME.fullmatch(name)
        cell = Numbered(int(match[1]), int(match[2])) if match else None
        return cell if cell in self.index else None

    def column(self, column: int) -> tuple[Numbered, ...]:
        """Return the hexes of a column, from the top."""
        return tuple(Numbered(column, r) for r in range(1, self.rows + 1))

    def row(self, row: int) -> tuple[Numbered, ...]:
        """Return the hexes of a row, from the left."""
        return tuple(Numbered(c, row) for c in range(1, self.columns + 1))

    def neighbours(self, cell: Numbered) -> tuple[Numbered, ...]:
        """Return the neighbours on the field, clockwise from the top."""
        return self._neighbours[cell]

    @cached_property
    def _neighbours(self) -> dict[Numbered, tuple[Numbered, ...]]:
        return {cell: self.on(step(cell, way) for way in range(len(DIRECTIONS))) for cell in self.cells}

    def holding(self, x: Fraction, y: Fraction) -> tuple[Numbered, ...]:
        """Return the hexes that hold a point of the lattice, inside or on the edge, in the field's order."""
        return tuple(cell for cell, *_ in self._around(x, y))

    def holding_ahead(self, x: Fraction, y: Fraction, step: Point) -> tuple[Numbered, ...]:
        """Return the hexes of `holding` that a line through the point in the direction `step` enters or borders."""
        # On a limit that the point touches, a step beyond it leaves the hex at once, however short it is.
        return tuple(
            cell
            for cell, across, up, of in self._around(x, y)
            if not any(a * across + b * up == of * n and a * step[0] + b * step[1] > 0 for a, b, n in _LIMITS)
        )

    def _around(self, x: Fraction, y: Fraction) -> Iterator[tuple[Numbered, int, int, int]]:
        """Yield each hex that holds a point, the point's offset across and up, and the unit of these (1/n step)."""
        of = lcm(x.denominator, y.denominator)
        left, up = int(x * of), int(y * of)
        column, row = floor(x / 3) + 1, floor(-y / 2)
        for cell in self.on(Numbered(c, r) for c in (column, column + 1) for r in range(row - 1, row + 2)):
            at = centre(cell)
            way, rise = left - of * at[0], up - of * at[1]
            if abs(rise) <= of and abs(way) + abs(rise) <= 2 * of:
                yield cell, way, rise, of

    centre, corners = staticmethod(centre), staticmethod(corners)


@lru_cache(64)  # Enough for the sizes of arenas of one run.
def columns_field(columns: int, rows: int) -> ColumnField:
    """Return the field of that size, made only once."""
    return ColumnField(columns, rows)
