"""Squares in columns and rows on an integer lattice.

Row 0 is the near edge, and columns are counted from the left. The name of a square is the letter of its column
followed by the number of its row, from 1. `a1` is the near left corner. Column `z` is followed by `aa`, `ab` and
so on. On the lattice, the centre of a square is at (2c, 2r), and its corners are at (±1, ±1) relative to the
centre.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from generator.grid.hexes import Lattice, of_a_kind

Point = tuple[int, int]

_NAME = re.compile(r"([a-z]{1,2})([1-9][0-9]{0,2})\Z")
"""Matches the name of a square."""
_LETTERS = 26
"""Number of letters in the alphabet."""


@of_a_kind
class Square(NamedTuple):
    """A square given by its column and row, both counted from 0."""

    c: int
    r: int

    def __add__(self, other: Square) -> Square:  # type: ignore[override]
        return Square(self.c + other.c, self.r + other.r)

    def __sub__(self, other: Square) -> Square:
        return Square(self.c - other.c, self.r - other.r)


DIRECTIONS = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")
"""The eight directions, anticlockwise from the east. A direction is an index into this tuple."""

STEPS = (
    Square(1, 0),
    Square(1, 1),
    Square(0, 1),
    Square(-1, 1),
    Square(-1, 0),
    Square(-1, -1),
    Square(0, -1),
    Square(1, -1),
)
"""The step to the neighbour in each direction. Even directions cross a side, and odd directions cross a corner."""

CORNERS: tuple[Point, ...] = ((1, -1), (1, 1), (-1, 1), (-1, -1))
"""Corners relative to the centre on the lattice, anticlockwise."""


def distance(a: Square, b: Square) -> int:
    """Return the distance between two squares in steps. A diagonal step counts as 1."""
    return max(abs(b.c - a.c), abs(b.r - a.r))


def centre(cell: Square) -> Point:
    """Return the lattice point at the centre of a square."""
    return 2 * cell.c, 2 * cell.r


@lru_cache(4096)  # Enough for the cells of the boards of a print.
def corners(cell: Square) -> tuple[Point, ...]:
    """Return the four corners of a square on the lattice, anticlockwise from the near right corner."""
    x, y = centre(cell)
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


class SquareField(Lattice[Square]):
    """A rectangular field of squares. `squares` returns the same object for equal fields."""

    pitch = (0.5, 0.5)
    """Width and height of a lattice step in mm for squares with sides 1 mm long."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        super().__init__(Square(c, r) for r in range(rows) for c in range(columns))

    def name(self, cell: Square) -> str:
        """Return the name of a square, for example `d4`."""
        first, last = divmod(cell.c, _LETTERS)
        return f"{_letter(first - 1) if first else ''}{_letter(last)}{cell.r + 1}"

    def find(self, name: str) -> Square | None:
        """Return the square with this name, or None if it is not on the field."""
        match = _NAME.match(name)
        if not match:
            return None
        column = 0
        for letter in match[1]:
            column = _LETTERS * column + ord(letter) - ord("a") + 1
        cell = Square(column - 1, int(match[2]) - 1)
        return cell if cell in self.index else None

    def row(self, row: int) -> tuple[Square, ...]:
        """Return the squares of a row, counted from 0, from left to right."""
        return tuple(Square(c, row) for c in range(self.columns))

    def column(self, column: int) -> tuple[Square, ...]:
        """Return the squares of a column, counted from 0, from near to far."""
        return tuple(Square(column, r) for r in range(self.rows))

    def neighbours(self, cell: Square) -> tuple[Square, ...]:
        """Return the neighbours on the field, including diagonal neighbours."""
        return self._neighbours[cell]

    def side_neighbours(self, cell: Square) -> tuple[Square, ...]:
        """Return the neighbours on the field that share a side with a square."""
        return self._side_neighbours[cell]

    def within(self, cell: Square, reach: int) -> tuple[Square, ...]:
        """Return the squares within `reach` steps of a square, including the square itself, in the field's order."""
        left, right = max(0, cell.c - reach), min(self.columns, cell.c + reach + 1)
        rows = range(max(0, cell.r - reach), min(self.rows, cell.r + reach + 1))
        return tuple(near for r in rows for near in self.cells[r * self.columns + left : r * self.columns + right])

    @cached_property
    def _neighbours(self) -> dict[Square, tuple[Square, ...]]:
        return {cell: self.on(cell + step for step in STEPS) for cell in self.cells}

    @cached_property
    def _side_neighbours(self) -> dict[Square, tuple[Square, ...]]:
        return {cell: self.on(cell + step for step in STEPS[::2]) for cell in self.cells}

    def turned(self, cell: Square) -> Square:
        """Return the position of a square after the field is rotated by 180°."""
        return Square(self.columns - 1 - cell.c, self.rows - 1 - cell.r)

    def quarter(self, cell: Square) -> Square:
        """Return the position of a square after the field is rotated clockwise by 90°.

        The rotation exchanges columns and rows.
        """
        return Square(cell.r, self.columns - 1 - cell.c)

    centre, corners = staticmethod(centre), staticmethod(corners)


@lru_cache(64)  # Enough for the field sizes of one run.
def squares(columns: int, rows: int) -> SquareField:
    """Return the field of this size. The object is created only once."""
    return SquareField(columns, rows)


def _letter(number: int) -> str:
    return chr(ord("a") + number)
