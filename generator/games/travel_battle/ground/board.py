"""Boards of ten by ten squares, how they are turned, and how they are joined to a battlefield.

A board is held as it is drawn, its near edge south. Its edges bear the numbers 1 to 4, anticlockwise from
the near one, so a board with edge k before the near player is turned k - 1 quarters clockwise. The edge that its
owner's die names lies before him: south for the near player, north for the far one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from generator.games.travel_battle.ground.terrain import Arm, Terrain, terrains
from generator.grid.squares import Square, SquareField, squares
from generator.sight.looks import Screens, screens

BoardType = Literal["A", "B", "half"]
Side = Literal["S", "E", "N", "W"]
Edge = Literal[1, 2, 3, 4]

SIZE = 10
TYPES: tuple[BoardType, ...] = ("A", "B")
"""The types that are chosen, turned and joined."""
HALF: BoardType = "half"
"""A half of a whole, which lies beside the other half and nowhere else."""
SIDES: tuple[Side, ...] = ("S", "E", "N", "W")
"""The sides of a board as it lies; as it is drawn, that of edge 1 first."""
EDGES: tuple[Edge, ...] = (1, 2, 3, 4)

EXITS: Mapping[BoardType, Mapping[Side, int]] = {
    "A": {"S": 2, "E": 7, "N": 7, "W": 2},
    "B": {"S": 7, "E": 2, "N": 2, "W": 7},
    HALF: {"S": 2, "N": 7, "W": 2},
}
"""The one square of each side that a road leaves by: columns from the west, rows from the north, from 0.
A turn maps the exits of A and B onto themselves, and A's meet B's on every side: so boards of two types
join whichever way they are turned, boards of one type never."""
SEAM: Side = "E"
"""The side of a half, as it is drawn, that lies along the other half."""
SEAMS: tuple[tuple[int, ...], ...] = ((), (2, 7))
"""Where roads may cross it. The half turn maps either onto itself, so that the roads of a drawing and of its image
meet."""
HALVES: tuple[Edge, Edge] = (1, 3)
"""The edges of a whole's halves that lie south: seam to seam, the right one turned half round."""


@dataclass(frozen=True)
class Land:
    """Squares with their ground: one board, or several joined."""

    field: SquareField
    ground: Mapping[Square, str]

    def terrain(self, cell: Square) -> Terrain:
        """What the ground of a square does."""
        return terrains()[self.ground[cell]]

    def height(self, cell: Square) -> int:
        """The level of a square; off the land it is flat."""
        return self.terrain(cell).height if cell in self.field else 0

    def admits(self, cell: Square, arm: Arm) -> bool:
        """Whether a unit of that arm may ever stand on the square."""
        return arm in self.terrain(cell).enter

    @cached_property
    def screens(self) -> Screens:
        """What its ground blocks, without any unit: buildings and woods always, hills as the heights have it."""
        solid = (cell for cell in self.field.cells if self.terrain(cell).blocks and not self.height(cell))
        return screens(self.field, self.height, solid)

    def roads(self) -> tuple[Square, ...]:
        """The squares with road, in the field's order."""
        return tuple(cell for cell in self.field.cells if self.terrain(cell).road)


@dataclass(frozen=True)
class Board:
    """A board and the type it is meant to be; whether its roads are of that type is for ground.py to say."""

    type: BoardType
    land: Land

    def facing(self, edge: Edge) -> Board:
        """The board turned so that this edge lies south."""
        land = self.land
        for _quarter in range(edge - 1):
            ground = {land.field.quarter(cell): terrain for cell, terrain in land.ground.items()}
            land = Land(land.field, {cell: ground[cell] for cell in land.field.cells})
        return Board(self.type, land)

    def exits(self, side: Side) -> tuple[int, ...]:
        """Where road reaches a side, counted as in `along`."""
        return tuple(i for i, cell in enumerate(along(side)) if self.land.terrain(cell).road)


@dataclass(frozen=True)
class Laid:
    """A board as it lies on the table: the edge of that number is south, towards the near player."""

    board: Board
    edge: Edge

    @cached_property
    def seen(self) -> Board:
        """The board turned as it lies."""
        return self.board.facing(self.edge)

    def lies(self, cell: Square) -> Square:
        """Where a square of the drawing lies when the board is turned so."""
        for _quarter in range(self.edge - 1):
            cell = self.board.land.field.quarter(cell)
        return cell

    @property
    def far(self) -> Edge:
        """The edge that lies north, towards the far player."""
        return opposite(self.edge)


@dataclass(frozen=True)
class Battlefield:
    """Boards joined in a grid: rows of as many boards each, the near row first, from the west.

    ValueError where there is no board or a row is shorter than another.
    """

    rows: tuple[tuple[Laid, ...], ...]

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) != 1 or not self.rows[0]:
            raise ValueError("a battlefield has one board or more in each row, as many in each")

    @cached_property
    def land(self) -> Land:
        """The ground of all boards together."""
        field = squares(SIZE * len(self.rows[0]), SIZE * len(self.rows))
        return Land(field, {cell: self._ground(cell) for cell in field.cells})

    @property
    def whole(self) -> bool:
        """Whether it is two halves that lie seam to seam."""
        lie = tuple(tuple((laid.board.type, laid.edge) for laid in row) for row in self.rows)
        return lie == (tuple((HALF, edge) for edge in HALVES),)

    def _ground(self, cell: Square) -> str:
        board = self.rows[cell.r // SIZE][cell.c // SIZE].seen
        return board.land.ground[Square(cell.c % SIZE, cell.r % SIZE)]

    def cells(self, column: int, row: int) -> tuple[Square, ...]:
        """The squares of one of the boards, by its 0-based place, in the field's order."""
        corner = Square(SIZE * column, SIZE * row)
        return tuple(corner + cell for cell in squares(SIZE, SIZE).cells)


def opposite(edge: Edge) -> Edge:
    """The edge across the board."""
    return EDGES[(edge + 1) % len(EDGES)]


def along(side: Side) -> tuple[Square, ...]:
    """The squares along a side of a board, from the west or from the north, as exits are counted."""
    field = squares(SIZE, SIZE)
    if side in ("N", "S"):
        return field.row(SIZE - 1 if side == "N" else 0)
    return field.column(SIZE - 1 if side == "E" else 0)[::-1]


def plain() -> dict[Square, str]:
    """The ground of a board without anything on it."""
    return dict.fromkeys(squares(SIZE, SIZE).cells, "open")
