"""Pointy-topped hexes in axial coordinates, and the whole-number lattice they stand on.

`q` grows to the east, `r` to the north-east (one row up). On the lattice a hex has its centre at
(2q + r, 3r) and its corners at (0, ±2) and (±1, ±1) from there: an affine image of a regular hex, so
straight lines stay straight and every centre and corner is a whole number.

A field of hexes in staggered rows, as battle boards have it, and what every field offers. Row 0 is the near baseline;
every odd row is shifted half a hex to the right. A hex is named by a letter for its place in the row, counted from
the left, and the number of its row from 1: `A1` is the near left corner, `K2` the last hex of a second row of eleven.
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
"""So many cells of a kind are made once only: more than the largest field has, with all that is asked beyond it."""


def of_a_kind(cells: C) -> C:
    """Cells that equal none of another kind, nor a pair of numbers, though they are as light as one.

    Tables find a cell by identity, which is quick; so it is the same object whenever it is made.
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
    """A hex cell by its axial coordinates."""

    q: int
    r: int

    def __add__(self, other: Hex) -> Hex:  # type: ignore[override]
        return Hex(self.q + other.q, self.r + other.r)

    def __sub__(self, other: Hex) -> Hex:
        return Hex(self.q - other.q, self.r - other.r)


DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
"""The six directions, anticlockwise from east; a direction is an index into this tuple."""

STEPS = (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1), Hex(1, -1))
"""The step to the neighbour in each direction."""

_DIRECTION = {tuple(step): way for way, step in enumerate(STEPS)}

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
    return _DIRECTION.get((b.q - a.q, b.r - a.r))


def centre(cell: Hex) -> Point:
    """The lattice point in the middle of a hex."""
    return 2 * cell.q + cell.r, 3 * cell.r


@lru_cache(4096)  # the cells of a print's boards
def corners(cell: Hex) -> tuple[Point, ...]:
    """The six lattice corners of a hex, anticlockwise from the east side's lower end."""
    x, y = centre(cell)
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


def flows(field: HexField, water: Sequence[Hex]) -> dict[Hex, tuple[int, ...]]:
    """Where water leaves each hex of a river: directions to its next hexes, or off the field at its end."""
    wet = frozenset(water)
    found: dict[Hex, tuple[int, ...]] = {}
    for cell in water:
        ways = [d for d, step in enumerate(STEPS) if cell + step in wet]
        if len(ways) == 1:
            off = [d for d, step in enumerate(STEPS) if cell + step not in field]
            ways += sorted(off, key=lambda d: _turn(d, opposite(ways[0])))[:1]
        found[cell] = tuple(sorted(ways))
    return found


def _turn(a: int, b: int) -> int:
    """How many sixths of a turn lie between two directions."""
    return min((a - b) % len(DIRECTIONS), (b - a) % len(DIRECTIONS))


_NAME = re.compile(r"([A-Z])([0-9]{1,2})\Z")


class Lattice(Generic[At]):
    """What every field of cells has: their order, and who lies beside whom."""

    def __init__(self, cells: Iterable[At]) -> None:
        self.cells: tuple[At, ...] = tuple(cells)
        self.index: dict[At, int] = {cell: i for i, cell in enumerate(self.cells)}

    def __contains__(self, cell: At) -> bool:
        return cell in self.index

    def on(self, cells: Iterable[At]) -> tuple[At, ...]:
        """Those of the cells that lie on the field."""
        return tuple(cell for cell in cells if cell in self.index)


class HexField(Lattice[Hex]):
    """Staggered rows of pointy-topped hexes, or a part of them; equal whole fields are one object (`field`)."""

    pitch = (3**0.5 / 2, 0.5)
    """Millimetres a lattice step is wide and high when a hexside is 1 mm long."""

    def __init__(self, rows: tuple[int, ...], within: tuple[Hex, int] | None = None) -> None:
        self.rows = rows
        cells = (Hex(column - row // 2, row) for row, length in enumerate(rows) for column in range(length))
        if within:
            cells = (cell for cell in cells if distance(cell, within[0]) <= within[1])
        super().__init__(cells)

    def at(self, column: int, row: int) -> Hex:
        """The hex at a 0-based column and row; it may lie off the field."""
        return Hex(column - row // 2, row)

    def column(self, cell: Hex) -> int:
        """The 0-based place of a hex in its row, from the left."""
        return cell.q + cell.r // 2

    def name(self, cell: Hex) -> str:
        """The hex's name, such as `D4`."""
        return f"{chr(ord('A') + self.column(cell))}{cell.r + 1}"

    def find(self, name: str) -> Hex | None:
        """The hex of that name, None where the field has none."""
        match = _NAME.match(name)
        if not match:
            return None
        cell = self.at(ord(match[1]) - ord("A"), int(match[2]) - 1)
        return cell if cell in self.index else None

    def row(self, row: int) -> tuple[Hex, ...]:
        """The hexes of a 0-based row from left to right."""
        return tuple(self.at(column, row) for column in range(self.rows[row]))

    def neighbours(self, cell: Hex) -> tuple[Hex, ...]:
        """The neighbours that lie on the field."""
        return self._neighbours[cell]

    @cached_property
    def _neighbours(self) -> dict[Hex, tuple[Hex, ...]]:
        return {cell: self.on(cell + step for step in STEPS) for cell in self.cells}

    def around(self, cell: Hex, radius: int) -> HexField:
        """The part of the field within that many hexes of a cell; hexes keep their names."""
        return HexField(self.rows, (cell, radius))

    def turned(self, cell: Hex) -> Hex:
        """The hex that lies here when the field is turned half round."""
        row = len(self.rows) - 1 - cell.r
        return self.at(self.rows[row] - 1 - self.column(cell), row)

    centre, corners = staticmethod(centre), staticmethod(corners)


@lru_cache(64)  # the shapes of boards that one run meets
def field(rows: tuple[int, ...]) -> HexField:
    """The field with those row lengths, made once."""
    return HexField(rows)


Cell = Any
"""A cell of some field: a Hex or a Square. Each field takes its own kind only."""


class Grid(Protocol):
    """A field of cells on a whole-number lattice."""

    @property
    def pitch(self) -> tuple[float, float]:
        """Millimetres a lattice step is wide and high when a cell's side is 1 mm long."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the field's order."""

    @property
    def index(self) -> dict[Cell, int]:
        """The place of each cell in that order."""

    def __hash__(self) -> int: ...

    def __contains__(self, cell: Cell) -> bool: ...

    def name(self, cell: Cell) -> str:
        """The cell's name."""

    def centre(self, cell: Cell) -> Point:
        """The lattice point in the middle of a cell."""

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """The lattice corners of a cell, anticlockwise."""


@dataclass(frozen=True)
class Part:
    """Some cells of a field, as a field of their own; they keep their places and names."""

    whole: Grid
    cells: tuple[Cell, ...]

    @property
    def pitch(self) -> tuple[float, float]:
        """As in the whole field."""
        return self.whole.pitch

    @cached_property
    def index(self) -> dict[Cell, int]:
        """The place of each cell among them."""
        return {cell: i for i, cell in enumerate(self.cells)}

    def __contains__(self, cell: Cell) -> bool:
        return cell in self.index

    def name(self, cell: Cell) -> str:
        """As in the whole field."""
        return self.whole.name(cell)

    def centre(self, cell: Cell) -> Point:
        """As in the whole field."""
        return self.whole.centre(cell)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """As in the whole field."""
        return self.whole.corners(cell)
