"""Pointy-topped hexes in axial coordinates on an integer lattice, and the interface of all fields of cells.

`q` increases to the east, and `r` to the north-east, one row up. On the lattice, the centre of a hex is at (2q +
r, 3r), and its corners are at (0, ±2) and (±1, ±1) relative to the centre. This is an affine image of a regular
hex, so straight lines stay straight, and all centres and corners have integer coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

Point = tuple[int, int]


C = TypeVar("C", bound=type[tuple[int, int]])
At = TypeVar("At")


_KEPT = 20_000
"""Maximum number of cells per class that are kept as unique objects. It exceeds the largest field with its
surroundings."""


def of_a_kind(cells: C) -> C:
    """Make the cells of the decorated class unequal to cells of other classes and to plain tuples.

    Equal cells are the same object, so dicts find them quickly by identity. Creating a cell is as fast as creating
    a tuple.
    """
    equal, new = tuple.__eq__, tuple.__new__
    known: dict[tuple[int, int], tuple[int, int]] = {}

    def one(kind: C, first: int, second: int) -> tuple[int, int]:
        try:
            return known[first, second]
        except KeyError:
            cell = new(kind, (first, second))
        if type(first) is type(second) is int and len(known) < _KEPT:
            known[first, second] = cell
        return cell

    def same(cell: tuple[int, int], other: object) -> bool:
        return type(other) is cells and equal(cell, other)

    def differs(cell: tuple[int, int], other: object) -> bool:
        return not same(cell, other)

    for name, method in (("__new__", one), ("__eq__", same), ("__ne__", differs), ("__hash__", tuple.__hash__)):
        setattr(cells, name, method)
    return cells


@of_a_kind
class Hex(NamedTuple):
    """A hex in axial coordinates."""

    q: int
    r: int

    def __add__(self, other: Hex) -> Hex:  # type: ignore[override]
        return Hex(self.q + other.q, self.r + other.r)

    def __sub__(self, other: Hex) -> Hex:
        return Hex(self.q - other.q, self.r - other.r)


DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
"""The six directions, anticlockwise from the east. A direction is an index into this tuple."""

STEPS = (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1), Hex(1, -1))
"""The step to the neighbour in each direction."""

_DIRECTION = {tuple(step): way for way, step in enumerate(STEPS)}

CORNERS: tuple[Point, ...] = ((1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2))
"""Corners relative to the centre on the lattice, anticlockwise. The hexside in direction d joins corners d and d +
1."""


def opposite(direction: int) -> int:
    """Return the opposite direction."""
    return (direction + 3) % 6


def distance(a: Hex, b: Hex) -> int:
    """Return the distance between two hexes in steps."""
    dq, dr = b.q - a.q, b.r - a.r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def direction(a: Hex, b: Hex) -> int | None:
    """Return the direction from `a` to its neighbour `b`, or None if they are not neighbours."""
    return _DIRECTION.get((b.q - a.q, b.r - a.r))


def centre(cell: Hex) -> Point:
    """Return the lattice point at the centre of a hex."""
    return 2 * cell.q + cell.r, 3 * cell.r


@lru_cache(4096)  # Enough for the cells of the boards of a print.
def corners(cell: Hex) -> tuple[Point, ...]:
    """Return the six corners of a hex on the lattice, anticlockwise from the lower end of its east side."""
    x, y = centre(cell)
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


def flows(field: HexField, water: Sequence[Hex]) -> dict[Hex, tuple[int, ...]]:
    """Return the directions in which water leaves each hex of a river, to other hexes or off the field."""
    wet = frozenset(water)
    found: dict[Hex, tuple[int, ...]] = {}
    for cell in water:
        ways = [d for d, step in enumerate(STEPS) if cell + step in wet]
        if len(ways) == 1:
            off = [d for d, step in enumerate(STEPS) if cell + step not in field]
            ways += sorted(off, key=lambda d: turn(d, opposite(ways[0])))[:1]
        found[cell] = tuple(sorted(ways))
    return found


def turn(a: int, b: int) -> int:
    """Return the angle between two directions in units of 60°, from 0 to 3."""
    return min((a - b) % len(DIRECTIONS), (b - a) % len(DIRECTIONS))


_NAME = re.compile(r"([A-Z])([0-9]{1,2})\Z")
"""Matches the name of a hex."""


class Lattice(Generic[At]):
    """Base class of all fields, which defines the order of the cells."""

    def __init__(self, cells: Iterable[At]) -> None:
        self.cells: tuple[At, ...] = tuple(cells)
        self.index: dict[At, int] = {cell: i for i, cell in enumerate(self.cells)}

    def __contains__(self, cell: At) -> bool:
        return cell in self.index

    def on(self, cells: Iterable[At]) -> tuple[At, ...]:
        """Return those of the given cells that are on the field."""
        return tuple(cell for cell in cells if cell in self.index)


class HexField(Lattice[Hex]):
    """A field with staggered rows of pointy-topped hexes, or part of one.

    `field` returns the same object for equal fields.

    Row 0 is the near baseline, and every odd row is shifted half a hex to the right. The name of a hex is the
    letter of its position in the row, from left to right, followed by the number of the row, from 1. `A1` is the
    near left corner, and `K2` is the last hex of a second row of eleven.
    """

    pitch = (3**0.5 / 2, 0.5)
    """Width and height of a lattice step in mm for hexsides 1 mm long."""

    def __init__(self, rows: tuple[int, ...], within: tuple[Hex, int] | None = None) -> None:
        self.rows = rows
        cells = (Hex(column - row // 2, row) for row, length in enumerate(rows) for column in range(length))
        if within:
            cells = (cell for cell in cells if distance(cell, within[0]) <= within[1])
        super().__init__(cells)

    def at(self, column: int, row: int) -> Hex:
        """Return the hex at a column and row, both counted from 0. It may be off the field."""
        return Hex(column - row // 2, row)

    def column(self, cell: Hex) -> int:
        """Return the position of a hex in its row, from left to right, counted from 0."""
        return cell.q + cell.r // 2

    def name(self, cell: Hex) -> str:
        """Return the name of a hex, for example `D4`."""
        return f"{chr(ord('A') + self.column(cell))}{cell.r + 1}"

    def find(self, name: str) -> Hex | None:
        """Return the hex with this name, or None if it is not on the field."""
        match = _NAME.match(name)
        if not match:
            return None
        cell = self.at(ord(match[1]) - ord("A"), int(match[2]) - 1)
        return cell if cell in self.index else None

    def row(self, row: int) -> tuple[Hex, ...]:
        """Return the hexes of a row, counted from 0, from left to right."""
        return tuple(self.at(column, row) for column in range(self.rows[row]))

    def neighbours(self, cell: Hex) -> tuple[Hex, ...]:
        """Return the neighbours on the field."""
        return self._neighbours[cell]

    @cached_property
    def _neighbours(self) -> dict[Hex, tuple[Hex, ...]]:
        return {cell: self.on(cell + step for step in STEPS) for cell in self.cells}

    def around(self, cell: Hex, radius: int) -> HexField:
        """Return the part of the field within `radius` hexes of a cell. The hexes keep their names."""
        return HexField(self.rows, (cell, radius))

    def turned(self, cell: Hex) -> Hex:
        """Return the hex that has the position of `cell` after the field is rotated by 180°."""
        row = len(self.rows) - 1 - cell.r
        return self.at(self.rows[row] - 1 - self.column(cell), row)

    centre, corners = staticmethod(centre), staticmethod(corners)


@lru_cache(64)  # Enough for the board shapes of one run.
def field(rows: tuple[int, ...]) -> HexField:
    """Return the field with these row lengths. The object is created only once."""
    return HexField(rows)


Cell = Any
"""A cell of a field, which is a Hex, Numbered or Square. A field accepts only cells of its own class."""


class Grid(Protocol):
    """A field of cells on an integer lattice."""

    @property
    def pitch(self) -> tuple[float, float]:
        """Width and height of a lattice step in mm for cell sides 1 mm long."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in the field's order."""

    @property
    def index(self) -> dict[Cell, int]:
        """The index of each cell in `cells`."""

    def __hash__(self) -> int: ...

    def __contains__(self, cell: Cell) -> bool: ...

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""

    def centre(self, cell: Cell) -> Point:
        """Return the lattice point at the centre of a cell."""

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the corners of a cell on the lattice, anticlockwise."""


def extent(grid: Grid) -> tuple[int, int, int, int]:
    """Return the extreme lattice coordinates of a field: left, bottom, right, top."""
    points = [p for cell in grid.cells for p in grid.corners(cell)]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def aspect(grid: Grid) -> float:
    """Return the ratio of a field's width to its height."""
    left, bottom, right, top = extent(grid)
    return (right - left) * grid.pitch[0] / ((top - bottom) * grid.pitch[1])


@dataclass(frozen=True)
class Part:
    """Part of a field that can be used as a field. The cells keep their positions and names."""

    whole: Grid
    cells: tuple[Cell, ...]

    @property
    def pitch(self) -> tuple[float, float]:
        """The pitch of the complete field."""
        return self.whole.pitch

    @cached_property
    def index(self) -> dict[Cell, int]:
        """The index of each cell in `cells`."""
        return {cell: i for i, cell in enumerate(self.cells)}

    def __contains__(self, cell: Cell) -> bool:
        return cell in self.index

    def name(self, cell: Cell) -> str:
        """Return the name of a cell in the complete field."""
        return self.whole.name(cell)

    def centre(self, cell: Cell) -> Point:
        """Return the centre of a cell in the complete field."""
        return self.whole.centre(cell)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the corners of a cell in the complete field."""
        return self.whole.corners(cell)
