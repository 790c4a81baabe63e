"""Boards of ten by ten squares, battlefields of joined boards, and the rules for both.

A board is stored as drawn, with its near edge south. Its edges are numbered from 1 to 4, anticlockwise from the near
one, so a board whose edge k is towards the near player is turned k - 1 quarters clockwise. The die of a board shows
which edge is towards its owner. This edge is south for the near player and north for the far player. Each rule is a
function that returns its violations as squares and reasons. The generator of random boards does not use these
functions. The exits of roads are derived from the game's own boards. It is a house rule that roads are one square
wide and that hills are rounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from generator.common.scenario_file import FileReader, GroundFiles, MapHead, NamedGround, drawn_lines
from generator.common.tables import connected
from generator.errors import near
from generator.games.travel_battle.tables import ARMS, Arm, Terrain, by_symbol, terrains, words
from generator.grid.squares import STEPS, Square, SquareField, squares
from generator.localization import tr
from generator.model.words import Words, joined, same
from generator.notation.toml import Source
from generator.notation.validation import KeyPath
from generator.sight.squares import Screens, screens

BoardType = Literal["A", "B", "half"]
Compass = Literal["S", "E", "N", "W"]
Edge = Literal[1, 2, 3, 4]

SIZE = 10
TYPES: tuple[BoardType, ...] = ("A", "B")
"""The types of boards that players choose, turn and join."""
HALF: BoardType = "half"
"""The type of half a double board, which can only be placed next to the other half."""
COMPASS: tuple[Compass, ...] = ("S", "E", "N", "W")
"""The sides of a board in its position on the table, in the order of the edges 1 to 4 of a board that is not turned.
"""
EDGES: tuple[Edge, ...] = (1, 2, 3, 4)

EXITS: Mapping[BoardType, Mapping[Compass, int]] = {
    "A": {"S": 2, "E": 7, "N": 7, "W": 2},
    "B": {"S": 7, "E": 2, "N": 2, "W": 7},
    HALF: {"S": 2, "N": 7, "W": 2},
}
"""The index of the one square on each side of a board at which a road leaves it, counted as in `along`. The exits of
a type stay the same if the board is turned. Exits of A and B match on every side, so boards of two types fit
together in every orientation, and boards of the same type never do.
"""
SEAM: Compass = "E"
"""The side of a half, as drawn, that is joined to the other half."""
SEAMS: tuple[tuple[int, ...], ...] = ((), (2, 7))
"""The possible exits of roads along the seam. A 180° turn maps each of them onto itself, so the roads of a half and
its copy are connected.
"""
HALVES: tuple[Edge, Edge] = (1, 3)
"""The south edges of the two halves of a double board. Their seams are joined, and the right half is turned by 180°.
"""


class TerrainMap(msgspec.Struct, frozen=True, dict=True):
    """The terrain of each square of a field, which has one or more boards."""

    field: SquareField
    ground: Mapping[Square, str]

    def terrain(self, cell: Square) -> Terrain:
        """Return the terrain of a square."""
        return self._terrains[cell]

    @cached_property
    def _terrains(self) -> Mapping[Square, Terrain]:
        known = terrains()
        return {cell: known[ground] for cell, ground in self.ground.items()}

    def height(self, cell: Square) -> int:
        """Return the level of a square, or 0 if it is outside the field."""
        return self.terrain(cell).height if cell in self.field else 0

    def admits(self, cell: Square, arm: Arm) -> bool:
        """Return whether a unit of an arm may enter a square."""
        return cell in self.open_to[arm]

    @cached_property
    def open_to(self) -> Mapping[Arm, frozenset[Square]]:
        """The squares that each arm may enter."""
        enter = {cell: self.terrain(cell).enter for cell in self.field.cells}
        return {arm: frozenset(cell for cell, arms in enter.items() if arm in arms) for arm in ARMS}

    @cached_property
    def screens(self) -> Screens:
        """The squares that block sight without units. Buildings and woods always do, hills depending on heights."""
        solid = (cell for cell in self.field.cells if self.terrain(cell).blocks and not self.height(cell))
        return screens(self.field, self.height, solid)

    def roads(self) -> tuple[Square, ...]:
        """The squares with a road, in the field's order."""
        return tuple(cell for cell in self.field.cells if self.terrain(cell).road)


class Board(msgspec.Struct, frozen=True):
    """A board and its intended type. The rules of this module check whether its roads match the type."""

    type: BoardType
    terrain_map: TerrainMap

    def facing(self, edge: Edge) -> Board:
        """Return the board turned so that an edge is south."""
        terrain_map = self.terrain_map
        for _quarter in range(edge - 1):
            ground = {terrain_map.field.quarter(cell): terrain for cell, terrain in terrain_map.ground.items()}
            terrain_map = TerrainMap(terrain_map.field, {cell: ground[cell] for cell in terrain_map.field.cells})
        return Board(self.type, terrain_map)

    def exits(self, side: Compass) -> tuple[int, ...]:
        """Return the indices of the squares at which a road reaches a side, counted as in `along`."""
        return tuple(i for i, cell in enumerate(along(side)) if self.terrain_map.terrain(cell).road)


class OrientedBoard(msgspec.Struct, frozen=True, dict=True):
    """A board in an orientation, given by the edge that is south, towards the near player."""

    board: Board
    edge: Edge

    @cached_property
    def turned(self) -> Board:
        """The board after it has been turned."""
        return self.board.facing(self.edge)

    def turned_cell(self, cell: Square) -> Square:
        """Return the position of a square of the drawing after the board has been turned."""
        for _quarter in range(self.edge - 1):
            cell = self.board.terrain_map.field.quarter(cell)
        return cell

    @property
    def far(self) -> Edge:
        """The north edge of the board, nearest the far player."""
        return opposite(self.edge)


class Battlefield(msgspec.Struct, frozen=True, dict=True):
    """Boards joined in a grid.

    Rows are listed from the near edge, the boards of a row from the west.

    Raises:
        ValueError: If there are no boards or if the rows have different lengths.
    """

    rows: tuple[tuple[OrientedBoard, ...], ...]

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) != 1 or not self.rows[0]:
            raise ValueError(
                tr("a battlefield must have at least 1 board in each row, and the same number of boards in every row")
            )

    @cached_property
    def terrain_map(self) -> TerrainMap:
        """The terrain of all boards of the field."""
        field = squares(SIZE * len(self.rows[0]), SIZE * len(self.rows))
        return TerrainMap(field, {cell: self._ground(cell) for cell in field.cells})

    @property
    def whole(self) -> bool:
        """Whether the field consists of the two halves of a double board, joined at their seams."""
        lie = tuple(tuple((board.board.type, board.edge) for board in row) for row in self.rows)
        return lie == (tuple((HALF, edge) for edge in HALVES),)

    def _ground(self, cell: Square) -> str:
        board = self.rows[cell.r // SIZE][cell.c // SIZE].turned
        return board.terrain_map.ground[Square(cell.c % SIZE, cell.r % SIZE)]

    def cells(self, column: int, row: int) -> tuple[Square, ...]:
        """Return the squares of the board at a column and row, counted from 0, in the field's order."""
        corner = Square(SIZE * column, SIZE * row)
        return tuple(corner + cell for cell in squares(SIZE, SIZE).cells)


def opposite(edge: Edge) -> Edge:
    """Return the opposite edge of a board."""
    return EDGES[(edge + 1) % len(EDGES)]


def along(side: Compass) -> tuple[Square, ...]:
    """Return the squares along a side of a board, from the west or from the north, as exits are counted."""
    field = squares(SIZE, SIZE)
    if side in ("N", "S"):
        return field.row(SIZE - 1 if side == "N" else 0)
    return field.column(SIZE - 1 if side == "E" else 0)[::-1]


def open_ground() -> dict[Square, str]:
    """Return the terrain of an empty board."""
    return dict.fromkeys(squares(SIZE, SIZE).cells, "open")


class BoardForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawn board with its type and rows."""

    type: str
    """The type `"A"` or `"B"`, which determines where roads leave the board."""
    rows: str
    """One symbol for each square, separated by spaces, beginning with the far (north) row."""


class BoardFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A board of squares."""

    type: str
    """The type `"A"` or `"B"`, which determines where roads leave the board."""
    rows: str
    """One symbol for each square, separated by spaces, beginning with the far (north) row."""


DrawnBoard = NamedGround[Board]


def read_board(
    of: BoardForm | BoardFile, source: Source, at: KeyPath = (), types: Sequence[BoardType] = TYPES
) -> Board:
    """Return the board drawn at a key of a TOML file, which must have one of these types.

    Raises:
        DataError: If the board is invalid. The error lists each fault.
    """
    lines, reading = drawn_lines(of.rows), FileReader(source, at)
    kind = next((known for known in types if known == of.type), TYPES[0])
    if of.type not in types:
        hint = (
            tr("half of a double board can be used only in a scenario file")
            if of.type == HALF
            else near(of.type[:8], types)
        )
        reading.fault(("type",), tr("there is no type named {type!r}", type=of.type[:8]), hint)
    if len(lines) != SIZE:
        reading.fault(
            ("rows",), tr("the number of rows is {count}, but a board has {size}", count=len(lines), size=SIZE)
        )
        reading.done()
    field = squares(SIZE, SIZE)
    drawn = reading.ground(of.rows, field, by_symbol(), tr("squares"))
    reading.done()
    return Board(kind, TerrainMap(field, {cell: drawn[cell] for cell in field.cells}))


BOARDS = GroundFiles("travel_battle", "boards", BoardFile, read_board)
load_board, read_file, house_boards = BOARDS.load, BOARDS.read, BOARDS.house
house_board = BOARDS.shipped_as


def drawing(board: Board) -> dict[str, object]:
    """Return the entries of a TOML table from which `read_board` reads the same board."""
    return {"type": board.type, "rows": picture(board.terrain_map)}


def picture(terrain_map: TerrainMap) -> str:
    """Return the terrain as text, beginning with the far row."""
    rows = (terrain_map.field.row(row) for row in reversed(range(terrain_map.field.rows)))
    return "\n".join(" ".join(terrain_map.terrain(cell).symbol for cell in row) for row in rows)


Flaw = tuple[tuple[Square, ...], Words]

MIN_HILL_SQUARES = 3
"""The minimum number of squares of a hill (house rule)."""


def exits(board: Board) -> list[Flaw]:
    """Check that each side of a board has a road only at the exit of its type.

    The seam of a half has two exits or none. The squares in the result are those of the drawing.
    """
    texts, faults = words()["flaw"], list[Flaw]()
    name = texts["half"] if board.type == HALF else texts["type"].fill(type=board.type)
    for side, index in EXITS[board.type].items():
        if wrong := {*board.exits(side)} ^ {index}:
            square = board.terrain_map.field.name(along(side)[index])
            reason = texts["exit"].fill(board=name, side=words()["direction"][side], square=square)
            faults.append((_along(side, wrong), reason))
    if board.type == HALF and (wrong := min(({*board.exits(SEAM)} ^ {*roads} for roads in SEAMS), key=len)):
        squares = joined([same(board.terrain_map.field.name(along(SEAM)[index])) for index in SEAMS[-1]])
        faults.append((_along(SEAM, wrong), texts["seam"].fill(roads=squares)))
    return faults


def _along(side: Compass, places: Collection[int]) -> tuple[Square, ...]:
    line = along(side)
    return tuple(line[i] for i in sorted(places))


def ribbons(terrain_map: TerrainMap) -> list[Flaw]:
    """Check that roads are one square wide, end only at the edge of the map, and never touch only at a corner."""
    roads, texts = frozenset(terrain_map.roads()), words()["flaw"]
    squares = ((cell, cell + STEPS[0], cell + STEPS[1], cell + STEPS[2]) for cell in terrain_map.roads())
    faults: list[Flaw] = [(tuple(sorted(block)), texts["wide"]) for block in squares if roads.issuperset(block)]
    if ends := tuple(cell for cell in terrain_map.roads() if _exit_count(terrain_map, cell, roads) < 2):
        faults.append((ends, texts["ends"]))
    return faults + [(pair, texts["corner"]) for pair in _corner_pairs(terrain_map, roads)]


def _exit_count(terrain_map: TerrainMap, cell: Square, roads: Collection[Square]) -> int:
    """Return the number of directions in which a road continues from a square, including off the edge of the map."""
    adjacent = terrain_map.field.side_neighbours(cell)
    return sum(n in roads for n in adjacent) + (len(adjacent) < len(STEPS) // 2)


def _corner_pairs(terrain_map: TerrainMap, roads: Collection[Square]) -> Iterator[tuple[Square, Square]]:
    """Yield the pairs of road squares that touch at a corner if no road square is adjacent to both."""
    for cell in terrain_map.roads():
        for step in (STEPS[1], STEPS[3]):
            other = cell + step
            joints = (Square(cell.c, other.r), Square(other.c, cell.r))
            if other in roads and not any(joint in roads for joint in joints):
                yield cell, other


def network(terrain_map: TerrainMap) -> list[Flaw]:
    """Check that all roads are connected, so that each exit can be reached from every other exit."""
    parts = _components(terrain_map, terrain_map.roads())
    main = max(parts, key=len, default=())
    return [(part, words()["flaw"]["apart"]) for part in parts if part is not main]


def hills(terrain_map: TerrainMap) -> list[Flaw]:
    """Check that hills are large enough and that adjacent squares differ by at most one level."""
    high = [cell for cell in terrain_map.field.cells if terrain_map.height(cell)]
    small = words()["flaw"]["small"].fill(least=MIN_HILL_SQUARES)
    faults: list[Flaw] = [(blob, small) for blob in _components(terrain_map, high) if len(blob) < MIN_HILL_SQUARES]
    if steep := tuple(
        c for c in high if any(terrain_map.height(c) - terrain_map.height(c + step) > 1 for step in STEPS)
    ):
        faults.append((steep, words()["flaw"]["steep"]))
    return faults


def roads_meet(field: Battlefield) -> list[Flaw]:
    """Check that the roads of neighbouring boards are connected."""
    terrain_map = field.terrain_map
    return [
        ((cell, other), words()["flaw"]["broken"])
        for cell in terrain_map.field.cells
        for other in (cell + STEPS[0], cell + STEPS[2])
        if other in terrain_map.field and _board_of(cell) != _board_of(other)
        if terrain_map.terrain(cell).road != terrain_map.terrain(other).road
    ]


def alternate(field: Battlefield) -> list[Flaw]:
    """Check that the types of the boards alternate like the colours of a chessboard.

    Each board is identified by its near left square.
    """
    faults: list[Flaw] = []
    for r, row in enumerate(field.rows):
        for c, board in enumerate(row):
            for column, line in ((c + 1, r), (c, r + 1)):
                if column < len(row) and line < len(field.rows):
                    other = field.rows[line][column]
                    if board.board.type == other.board.type != HALF:
                        corners = Square(SIZE * c, SIZE * r), Square(SIZE * column, SIZE * line)
                        faults.append((corners, words()["flaw"]["alike"].fill(type=board.board.type)))
    return faults


def wholes(field: Battlefield) -> list[Flaw]:
    """Check that each half is joined to the other half of its double board, and that there are no further boards."""
    reason = words()["flaw"]["lone"].fill(half=words()["flaw"]["half"])
    halves = (
        Square(SIZE * c, SIZE * r)
        for r, row in enumerate(field.rows)
        for c, board in enumerate(row)
        if board.board.type == HALF
    )
    return [] if field.whole else [((corner,), reason) for corner in halves]


def _board_of(cell: Square) -> tuple[int, int]:
    return cell.c // SIZE, cell.r // SIZE


def _components(terrain_map: TerrainMap, cells: Collection[Square]) -> list[tuple[Square, ...]]:
    """Return the groups of squares that are connected by their sides."""
    return [tuple(sorted(part)) for part in connected(cells, terrain_map.field.side_neighbours)]
