"""Boards of squares, those that ship, fields of them, and what makes them lawful.

Boards of ten by ten squares, how they are turned, and how they are joined to a battlefield.

A board is held as it is drawn, its near edge south. Its edges bear the numbers 1 to 4, anticlockwise from
the near one, so a board with edge k before the near player is turned k - 1 quarters clockwise. The edge that its
owner's die names lies before him: south for the near player, north for the far one.

Drawn boards: a board as text that a person can read in a diff, one symbol a square.

See docs/formats/travel_board.md.

What lawful boards and battlefields are: each predicate lists what breaks it, as squares and the reason.

Nothing here knows how a board was made; the maker does not build with it. Where roads leave a board is
derived from the game's own boards; that a road is a ribbon and a hill a rounded blob are house rules.

Boards of squares: drawn and random ones, campaigns of them, and what makes them lawful.
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
"""The types that are chosen, turned and joined."""
HALF: BoardType = "half"
"""A half of a whole, which lies beside the other half and nowhere else."""
COMPASS: tuple[Compass, ...] = ("S", "E", "N", "W")
"""The sides of a board as it lies; as it is drawn, that of edge 1 first."""
EDGES: tuple[Edge, ...] = (1, 2, 3, 4)

EXITS: Mapping[BoardType, Mapping[Compass, int]] = {
    "A": {"S": 2, "E": 7, "N": 7, "W": 2},
    "B": {"S": 7, "E": 2, "N": 2, "W": 7},
    HALF: {"S": 2, "N": 7, "W": 2},
}
"""The one square of each side that a road leaves by: columns from the west, rows from the north, from 0.
A turn maps the exits of A and B onto themselves, and A's meet B's on every side: so boards of two types
join whichever way they are turned, boards of one type never."""
SEAM: Compass = "E"
"""The side of a half, as it is drawn, that lies along the other half."""
SEAMS: tuple[tuple[int, ...], ...] = ((), (2, 7))
"""Where roads may cross it. The half turn maps either onto itself, so that the roads of a drawing and of its image
meet."""
HALVES: tuple[Edge, Edge] = (1, 3)
"""The edges of a whole's halves that lie south: seam to seam, the right one turned half round."""


class TerrainMap(msgspec.Struct, frozen=True, dict=True):
    """Squares with their ground: one board, or several joined."""

    field: SquareField
    ground: Mapping[Square, str]

    def terrain(self, cell: Square) -> Terrain:
        """What the ground of a square does."""
        return self._terrains[cell]

    @cached_property
    def _terrains(self) -> Mapping[Square, Terrain]:
        known = terrains()
        return {cell: known[ground] for cell, ground in self.ground.items()}

    def height(self, cell: Square) -> int:
        """The level of a square; off the land it is flat."""
        return self.terrain(cell).height if cell in self.field else 0

    def admits(self, cell: Square, arm: Arm) -> bool:
        """Whether a unit of that arm may ever stand on the square."""
        return cell in self.open_to[arm]

    @cached_property
    def open_to(self) -> Mapping[Arm, frozenset[Square]]:
        """The squares that each arm may ever stand on."""
        enter = {cell: self.terrain(cell).enter for cell in self.field.cells}
        return {arm: frozenset(cell for cell, arms in enter.items() if arm in arms) for arm in ARMS}

    @cached_property
    def screens(self) -> Screens:
        """What its ground blocks, without any unit: buildings and woods always, hills as the heights have it."""
        solid = (cell for cell in self.field.cells if self.terrain(cell).blocks and not self.height(cell))
        return screens(self.field, self.height, solid)

    def roads(self) -> tuple[Square, ...]:
        """The squares with road, in the field's order."""
        return tuple(cell for cell in self.field.cells if self.terrain(cell).road)


class Board(msgspec.Struct, frozen=True):
    """A board and the type it is meant to be; whether its roads are of that type is for ground.py to say."""

    type: BoardType
    terrain_map: TerrainMap

    def facing(self, edge: Edge) -> Board:
        """The board turned so that this edge lies south."""
        terrain_map = self.terrain_map
        for _quarter in range(edge - 1):
            ground = {terrain_map.field.quarter(cell): terrain for cell, terrain in terrain_map.ground.items()}
            terrain_map = TerrainMap(terrain_map.field, {cell: ground[cell] for cell in terrain_map.field.cells})
        return Board(self.type, terrain_map)

    def exits(self, side: Compass) -> tuple[int, ...]:
        """Where road reaches a side, counted as in `along`."""
        return tuple(i for i, cell in enumerate(along(side)) if self.terrain_map.terrain(cell).road)


class OrientedBoard(msgspec.Struct, frozen=True, dict=True):
    """A board as it lies on the table: the edge of that number is south, towards the near player."""

    board: Board
    edge: Edge

    @cached_property
    def turned(self) -> Board:
        """The board turned as it lies."""
        return self.board.facing(self.edge)

    def turned_cell(self, cell: Square) -> Square:
        """Where a square of the drawing lies when the board is turned so."""
        for _quarter in range(self.edge - 1):
            cell = self.board.terrain_map.field.quarter(cell)
        return cell

    @property
    def far(self) -> Edge:
        """The edge that lies north, towards the far player."""
        return opposite(self.edge)


class Battlefield(msgspec.Struct, frozen=True, dict=True):
    """Boards joined in a grid: rows of as many boards each, the near row first, from the west.

    ValueError where there is no board or a row is shorter than another.
    """

    rows: tuple[tuple[OrientedBoard, ...], ...]

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) != 1 or not self.rows[0]:
            raise ValueError(tr("a battlefield has at least one board in each row, and the same number in all"))

    @cached_property
    def terrain_map(self) -> TerrainMap:
        """The ground of all boards together."""
        field = squares(SIZE * len(self.rows[0]), SIZE * len(self.rows))
        return TerrainMap(field, {cell: self._ground(cell) for cell in field.cells})

    @property
    def whole(self) -> bool:
        """Whether it is two halves that lie seam to seam."""
        lie = tuple(tuple((board.board.type, board.edge) for board in row) for row in self.rows)
        return lie == (tuple((HALF, edge) for edge in HALVES),)

    def _ground(self, cell: Square) -> str:
        board = self.rows[cell.r // SIZE][cell.c // SIZE].turned
        return board.terrain_map.ground[Square(cell.c % SIZE, cell.r % SIZE)]

    def cells(self, column: int, row: int) -> tuple[Square, ...]:
        """The squares of one of the boards, by its 0-based place, in the field's order."""
        corner = Square(SIZE * column, SIZE * row)
        return tuple(corner + cell for cell in squares(SIZE, SIZE).cells)


def opposite(edge: Edge) -> Edge:
    """The edge across the board."""
    return EDGES[(edge + 1) % len(EDGES)]


def along(side: Compass) -> tuple[Square, ...]:
    """The squares along a side of a board, from the west or from the north, as exits are counted."""
    field = squares(SIZE, SIZE)
    if side in ("N", "S"):
        return field.row(SIZE - 1 if side == "N" else 0)
    return field.column(SIZE - 1 if side == "E" else 0)[::-1]


def open_ground() -> dict[Square, str]:
    """The ground of a board without anything on it."""
    return dict.fromkeys(squares(SIZE, SIZE).cells, "open")


class BoardForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it is typed: its type, and rows of symbols from the far row to the near one."""

    type: str
    """`"A"` or `"B"`: where roads leave the board."""
    rows: str
    """One symbol for each square, apart by spaces, the far row, north, first."""


class BoardFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drawn board as its file has it."""

    type: str
    """`"A"` or `"B"`: where roads leave the board."""
    rows: str
    """One symbol for each square, apart by spaces, the far row, north, first."""


DrawnBoard = NamedGround[Board]


def read_board(
    of: BoardForm | BoardFile, source: Source, at: KeyPath = (), types: Sequence[BoardType] = TYPES
) -> Board:
    """The board, of one of these types, of a drawing at a key of a TOML text; DataError names every fault."""
    lines, reading = drawn_lines(of.rows), FileReader(source, at)
    kind = next((known for known in types if known == of.type), TYPES[0])
    if of.type not in types:
        hint = (
            tr("half of a double board can be used only in a scenario file")
            if of.type == HALF
            else near(of.type[:8], types)
        )
        reading.fault(("type",), tr("no type {type!r}", type=of.type[:8]), hint)
    if len(lines) != SIZE:
        reading.fault(("rows",), tr("the board has {count} rows, but needs {size}", count=len(lines), size=SIZE))
        reading.done()
    field = squares(SIZE, SIZE)
    drawn = reading.ground(of.rows, field, by_symbol(), tr("squares"))
    reading.done()
    return Board(kind, TerrainMap(field, {cell: drawn[cell] for cell in field.cells}))


BOARDS = GroundFiles("travel_battle", "boards", BoardFile, read_board)
load_board, read_file, house_boards = BOARDS.load, BOARDS.read, BOARDS.house
house_board = BOARDS.shipped_as


def drawing(board: Board) -> dict[str, object]:
    """The board as the entries of a TOML table, which `read_board` reads back."""
    return {"type": board.type, "rows": picture(board.terrain_map)}


def picture(terrain_map: TerrainMap) -> str:
    """The ground as text, the far row first."""
    rows = (terrain_map.field.row(row) for row in reversed(range(terrain_map.field.rows)))
    return "\n".join(" ".join(terrain_map.terrain(cell).symbol for cell in row) for row in rows)


Flaw = tuple[tuple[Square, ...], Words]

MIN_HILL_SQUARES = 3
"""Squares a hill has at least: house."""


def exits(board: Board) -> list[Flaw]:
    """Each side of a board as it is drawn has one square of road, where its type wants it; a half's seam none or two.

    The squares are those of the drawing.
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
    """Roads are one square wide, end at the land's edge alone, and never meet at a mere corner."""
    roads, texts = frozenset(terrain_map.roads()), words()["flaw"]
    squares = ((cell, cell + STEPS[0], cell + STEPS[1], cell + STEPS[2]) for cell in terrain_map.roads())
    faults: list[Flaw] = [(tuple(sorted(block)), texts["wide"]) for block in squares if roads.issuperset(block)]
    if ends := tuple(cell for cell in terrain_map.roads() if _exit_count(terrain_map, cell, roads) < 2):
        faults.append((ends, texts["ends"]))
    return faults + [(pair, texts["corner"]) for pair in _corner_pairs(terrain_map, roads)]


def _exit_count(terrain_map: TerrainMap, cell: Square, roads: Collection[Square]) -> int:
    """How many ways lead on from a square of road; one of them off the land at its edge."""
    adjacent = terrain_map.field.side_neighbours(cell)
    return sum(n in roads for n in adjacent) + (len(adjacent) < len(STEPS) // 2)


def _corner_pairs(terrain_map: TerrainMap, roads: Collection[Square]) -> Iterator[tuple[Square, Square]]:
    """Squares of road that touch at a corner, with no road beside both."""
    for cell in terrain_map.roads():
        for step in (STEPS[1], STEPS[3]):
            other = cell + step
            joints = (Square(cell.c, other.r), Square(other.c, cell.r))
            if other in roads and not any(joint in roads for joint in joints):
                yield cell, other


def network(terrain_map: TerrainMap) -> list[Flaw]:
    """All roads of the land hang together, so every exit is joined to every other."""
    parts = _components(terrain_map, terrain_map.roads())
    main = max(parts, key=len, default=())
    return [(part, words()["flaw"]["apart"]) for part in parts if part is not main]


def hills(terrain_map: TerrainMap) -> list[Flaw]:
    """A hill has three squares or more, and no square is two levels above a neighbour or the land's edge."""
    high = [cell for cell in terrain_map.field.cells if terrain_map.height(cell)]
    small = words()["flaw"]["small"].fill(least=MIN_HILL_SQUARES)
    faults: list[Flaw] = [(blob, small) for blob in _components(terrain_map, high) if len(blob) < MIN_HILL_SQUARES]
    if steep := tuple(
        c for c in high if any(terrain_map.height(c) - terrain_map.height(c + step) > 1 for step in STEPS)
    ):
        faults.append((steep, words()["flaw"]["steep"]))
    return faults


def roads_meet(field: Battlefield) -> list[Flaw]:
    """Where two boards touch, road meets road."""
    terrain_map = field.terrain_map
    return [
        ((cell, other), words()["flaw"]["broken"])
        for cell in terrain_map.field.cells
        for other in (cell + STEPS[0], cell + STEPS[2])
        if other in terrain_map.field and _board_of(cell) != _board_of(other)
        if terrain_map.terrain(cell).road != terrain_map.terrain(other).road
    ]


def alternate(field: Battlefield) -> list[Flaw]:
    """Boards that lie side by side are of two types, as the squares of a chessboard are of two colours.

    A board is told by its near left square.
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
    """A half lies beside its other half, seam to seam, on a field of these two boards; told as in `alternate`."""
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
    """The parts of some squares that hang together through sides."""
    return [tuple(sorted(part)) for part in connected(cells, terrain_map.field.side_neighbours)]
