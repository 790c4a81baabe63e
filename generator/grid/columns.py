"""Flat-topped hexes in columns, numbered as old hex maps number them: two digits of column, two of row.

`0101` is the first hex of the first column; rows grow downward on paper, and every even column hangs half a
hex lower. On the lattice, whose y grows upward, a hex has its centre at (3(c - 1), -2r), an even column's one
step lower, and its corners at (±2, 0) and (±1, ±1) from there: an affine image of a regular hex, so straight
lines stay straight and every centre and corner is a whole number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from math import floor, lcm
from typing import NamedTuple

from generator.grid.hexes import Lattice, Point, of_a_kind

MOST = 99
"""The most columns or rows that two digits can number."""

_NAME = re.compile(r"([0-9]{2})([0-9]{2})", re.ASCII)


@of_a_kind
class Numbered(NamedTuple):
    """A hex by the numbers of its column and row, each from 1; off a field they may be less."""

    c: int
    r: int


DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six directions, clockwise from the top; a direction is an index into this tuple."""

CORNERS: tuple[Point, ...] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""Lattice corners from the centre, anticlockwise from the east."""

_ODD: tuple[Point, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_EVEN: tuple[Point, ...] = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""The change of column and row in each direction, from a hex of an odd or even column."""


def step(cell: Numbered, direction: int) -> Numbered:
    """The neighbour in a direction; it may lie off the field."""
    dc, dr = (_ODD if cell.c % 2 else _EVEN)[direction]
    return Numbered(cell.c + dc, cell.r + dr)


def distance(a: Numbered, b: Numbered) -> int:
    """How many steps lie between two hexes."""
    across = abs(b.c - a.c)
    # Each step sideways also leads half a hex up or down; what is left is walked within the column.
    halves = abs(centre(b)[1] - centre(a)[1])
    return across + max(0, halves - across) // 2


def centre(cell: Numbered) -> Point:
    """The lattice point in the middle of a hex."""
    return 3 * (cell.c - 1), -2 * cell.r - (cell.c % 2 == 0)


@lru_cache(4096)  # the cells of a print's boards
def corners(cell: Numbered) -> tuple[Point, ...]:
    """The six lattice corners of a hex, anticlockwise from the east."""
    x, y = centre(cell)
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


_LIMITS = ((0, 1, 1), (0, -1, 1), (1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2))
"""A hex is where |up| <= 1 and |across| + |up| <= 2: so many times across, so many up, and what that is at most."""


class ColumnField(Lattice[Numbered]):
    """Columns of hexes, as many in each; equal fields are one object (`columns_field`)."""

    pitch = (0.5, 3**0.5 / 2)
    """Millimetres a lattice step is wide and high when a hexside is 1 mm long."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        super().__init__(Numbered(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1))

    def name(self, cell: Numbered) -> str:
        """The hex's number, such as `0707`."""
        return f"{cell.c:02}{cell.r:02}"

    def find(self, name: str) -> Numbered | None:
        """The hex of that number, exactly four digits; None where the field has none."""
        match = _NAME.fullmatch(name)
        cell = Numbered(int(match[1]), int(match[2])) if match else None
        return cell if cell in self.index else None

    def column(self, column: int) -> tuple[Numbered, ...]:
        """The hexes of a column, from the top."""
        return tuple(Numbered(column, r) for r in range(1, self.rows + 1))

    def row(self, row: int) -> tuple[Numbered, ...]:
        """The hexes of a row, from the left."""
        return tuple(Numbered(c, row) for c in range(1, self.columns + 1))

    def neighbours(self, cell: Numbered) -> tuple[Numbered, ...]:
        """The neighbours on the field, clockwise from the top."""
        return self._neighbours[cell]

    @cached_property
    def _neighbours(self) -> dict[Numbered, tuple[Numbered, ...]]:
        return {cell: self.on(step(cell, way) for way in range(len(DIRECTIONS))) for cell in self.cells}

    def holding(self, x: Fraction, y: Fraction) -> tuple[Numbered, ...]:
        """The hexes that a point of the lattice lies in or on the edge of, in the field's order."""
        return tuple(cell for cell, *_ in self._around(x, y))

    def holding_ahead(self, x: Fraction, y: Fraction, step: Point) -> tuple[Numbered, ...]:
        """Those of them into which, or along whose side, a line leads on that goes through the point this way."""
        # Of the limits that the point lies on a step passes none, or it leaves the hex at once, be it never so small.
        return tuple(
            cell
            for cell, across, up, of in self._around(x, y)
            if not any(a * across + b * up == of * n and a * step[0] + b * step[1] > 0 for a, b, n in _LIMITS)
        )

    def _around(self, x: Fraction, y: Fraction) -> Iterator[tuple[Numbered, int, int, int]]:
        """Each hex that holds a point; from its centre how far across and up that lies, in whole parts of a step."""
        of = lcm(x.denominator, y.denominator)
        left, up = int(x * of), int(y * of)
        column, row = floor(x / 3) + 1, floor(-y / 2)
        for cell in self.on(Numbered(c, r) for c in (column, column + 1) for r in range(row - 1, row + 2)):
            at = centre(cell)
            way, rise = left - of * at[0], up - of * at[1]
            if abs(rise) <= of and abs(way) + abs(rise) <= 2 * of:
                yield cell, way, rise, of

    centre, corners = staticmethod(centre), staticmethod(corners)


@lru_cache(64)  # the sizes of arenas that one run meets
def columns_field(columns: int, rows: int) -> ColumnField:
    """The field of that size, made once."""
    return ColumnField(columns, rows)
