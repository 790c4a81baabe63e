"""Flat-topped hexes in columns, with the usual four-digit numbers: two digits for the column, two for the row.

`0101` is the first hex of the first column. Row numbers increase downward on paper, and every even column is half
a hex lower. On the lattice, y increases upward. The centre of a hex is at (3(c - 1), -2r), or one step lower in an
even column. Its corners are at (±2, 0) and (±1, ±1) relative to the centre. This is an affine image of a regular
hex, so straight lines stay straight, and all centres and corners have integer coordinates.
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
"""Maximum number of columns or rows, limited by their two-digit numbers."""

_NAME = re.compile(r"([0-9]{2})([0-9]{2})", re.ASCII)
"""Matches the number of a hex."""


@of_a_kind
class Numbered(NamedTuple):
    """A hex given by the numbers of its column and row, counted from 1.

    Hexes off the field may have smaller numbers.
    """

    c: int
    r: int


DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six directions, clockwise from the top. A direction is an index into this tuple."""

CORNERS: tuple[Point, ...] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""Corners relative to the centre on the lattice, anticlockwise from the east."""

_ODD: tuple[Point, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_EVEN: tuple[Point, ...] = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""Change of column and row in each direction, for hexes in odd and in even columns."""


def step(cell: Numbered, direction: int) -> Numbered:
    """Return the neighbour in a direction, which may be off the field."""
    dc, dr = (_ODD if cell.c % 2 else _EVEN)[direction]
    return Numbered(cell.c + dc, cell.r + dr)


def distance(a: Numbered, b: Numbered) -> int:
    """Return the distance between two hexes in steps."""
    across = abs(b.c - a.c)
    # A step to another column also moves half a hex up or down. The remaining steps stay in the column.
    halves = abs(centre(b)[1] - centre(a)[1])
    return across + max(0, halves - across) // 2


def centre(cell: Numbered) -> Point:
    """Return the lattice point at the centre of a hex."""
    return 3 * (cell.c - 1), -2 * cell.r - (cell.c % 2 == 0)


@lru_cache(4096)  # Enough for the cells of the boards of a print.
def corners(cell: Numbered) -> tuple[Point, ...]:
    """Return the six corners of a hex on the lattice, anticlockwise from the east."""
    x, y = centre(cell)
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


_LIMITS = ((0, 1, 1), (0, -1, 1), (1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2))
"""A point is in a hex if a * across + b * up <= n for each (a, b, n). `across` and `up` are relative to the hex's
centre."""


class ColumnField(Lattice[Numbered]):
    """A field with columns of hexes of equal length. `columns_field` returns the same object for equal fields."""

    pitch = (0.5, 3**0.5 / 2)
    """Width and height of a lattice step in mm for hexsides 1 mm long."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        super().__init__(Numbered(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1))

    def name(self, cell: Numbered) -> str:
        """Return the number of a hex, for example `0707`."""
        return f"{cell.c:02}{cell.r:02}"

    def find(self, name: str) -> Numbered | None:
        """Return the hex with this four-digit number, or None if there is no such hex on the field."""
        match = _NAME.fullmatch(name)
        cell = Numbered(int(match[1]), int(match[2])) if match else None
        return cell if cell in self.index else None

    def column(self, column: int) -> tuple[Numbered, ...]:
        """Return the hexes of a column, from top to bottom."""
        return tuple(Numbered(column, r) for r in range(1, self.rows + 1))

    def row(self, row: int) -> tuple[Numbered, ...]:
        """Return the hexes of a row, from left to right."""
        return tuple(Numbered(c, row) for c in range(1, self.columns + 1))

    def neighbours(self, cell: Numbered) -> tuple[Numbered, ...]:
        """Return the neighbours on the field, clockwise from the top."""
        return self._neighbours[cell]

    @cached_property
    def _neighbours(self) -> dict[Numbered, tuple[Numbered, ...]]:
        return {cell: self.on(step(cell, way) for way in range(len(DIRECTIONS))) for cell in self.cells}

    def holding(self, x: Fraction, y: Fraction) -> tuple[Numbered, ...]:
        """Return the hexes that have a lattice point inside or on their edge, in the field's order."""
        return tuple(cell for cell, *_ in self._around(x, y))

    def holding_ahead(self, x: Fraction, y: Fraction, step: Point) -> tuple[Numbered, ...]:
        """Return the hexes of `holding` that a line from the point in the direction `step` enters or runs along."""
        # If the point is on a limit, a step beyond this limit leaves the hex at once, however short the step is.
        return tuple(
            cell
            for cell, across, up, of in self._around(x, y)
            if not any(a * across + b * up == of * n and a * step[0] + b * step[1] > 0 for a, b, n in _LIMITS)
        )

    def _around(self, x: Fraction, y: Fraction) -> Iterator[tuple[Numbered, int, int, int]]:
        """Yield each hex that contains a point, with the point's offsets across and up in units of 1/n, and n."""
        of = lcm(x.denominator, y.denominator)
        left, up = int(x * of), int(y * of)
        column, row = floor(x / 3) + 1, floor(-y / 2)
        for cell in self.on(Numbered(c, r) for c in (column, column + 1) for r in range(row - 1, row + 2)):
            at = centre(cell)
            way, rise = left - of * at[0], up - of * at[1]
            if abs(rise) <= of and abs(way) + abs(rise) <= 2 * of:
                yield cell, way, rise, of

    centre, corners = staticmethod(centre), staticmethod(corners)


@lru_cache(64)  # Enough for the arena sizes of one run.
def columns_field(columns: int, rows: int) -> ColumnField:
    """Return the field of this size. The object is created only once."""
    return ColumnField(columns, rows)
