"""A Travel Battle scenario: boards on a table, two armies in brigades, and what wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

import msgspec

from generator.common.scenario_file import (
    NAMELESS,
    Labelled,
    Step,
)
from generator.games.travel_battle.campaign import is_area
from generator.games.travel_battle.forces import Kind, Roster
from generator.games.travel_battle.ground import (
    HALF,
    SIZE,
    Battlefield,
    Edge,
    OrientedBoard,
    house_board,
    house_boards,
)
from generator.games.travel_battle.tables import numbers, words
from generator.grid.squares import Square, SquareField
from generator.model.scenario import Origin
from generator.model.words import Words, same

Side = Literal["blue", "red"]
SIDES: tuple[Side, ...] = ("blue", "red")
"""Blue sits at the near edge and Red at the far one."""
OTHER: Mapping[Side, Side] = {"blue": "red", "red": "blue"}
PREFIX: Mapping[Side, str] = {"blue": "B", "red": "R"}
"""What the ids of a player's units begin with."""
FORWARD: Mapping[Side, int] = {"blue": 2, "red": 6}
"""The direction in which a player's army faces the enemy."""

RANDOM = "random"
"""What stands in place of a board's name where the board was made and not drawn by a person."""
CROSSING = "crossing"
"""The log's step for two boards that lie as on a campaign's map, without dice."""
WHOLE = "whole"
"""The log's step for two halves of one whole, which nobody chooses or turns."""
BRIGADES = "brigades"
"""The victory of the rules themselves: two thirds of the enemy's brigades."""


class Unit(Labelled, msgspec.Struct, frozen=True):
    """A unit of a brigade, or its brigadier."""

    id: str
    """The brigade's id for its brigadier, such as `B1`; for the others a letter more, such as `B1a`."""
    kind: Kind
    cell: Square | None
    """Where it stands; None where it does not."""
    facing: int
    """The direction its front looks to, an index into `grid.squares.DIRECTIONS`."""
    square: bool = False
    """Whether it is formed in square."""
    name: Words = NAMELESS
    """What its owner calls it."""


class Brigade(msgspec.Struct, frozen=True):
    """A brigade with its brigadier, who comes first."""

    number: int
    """Counted from 1 in each army."""
    units: tuple[Unit, ...]
    name: Words = NAMELESS
    """What its owner calls it."""

    @property
    def brigadier(self) -> Unit | None:
        """Who leads it; None where a person's file has nobody do so."""
        return next((unit for unit in self.units if unit.kind.arm == "brigadier"), None)

    @property
    def fighters(self) -> tuple[Unit, ...]:
        """Its units without the brigadier."""
        return tuple(unit for unit in self.units if unit.kind.fights)


class Army(msgspec.Struct, frozen=True):
    """A player's brigades, in the order of their numbers."""

    player: Side
    brigades: tuple[Brigade, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every unit, brigade by brigade."""
        return tuple(unit for brigade in self.brigades for unit in brigade.units)


class Placed(msgspec.Struct, frozen=True):
    """A board on the table."""

    name: str
    """The house board's name, the user's file, or `random`; empty where a person drew it in the scenario itself."""
    owner: Side
    """Whose choice it was, and whose die turned it."""
    oriented: OrientedBoard

    @property
    def owner_edge(self) -> Edge:
        """The edge that lies towards its owner: the one that his die names."""
        return self.oriented.edge if self.owner == SIDES[0] else self.oriented.far


Boards = tuple[tuple[Placed, ...], ...]
"""Boards as they lie: rows of as many each, the near row first, from the left."""


class Objective(msgspec.Struct, frozen=True):
    """What wins the battle."""

    kind: str = BRIGADES
    """`brigades`, or a key of data/travel_battle/objectives.toml."""
    player: Side | None = None
    """Whose task it is; None where both have the same."""
    cells: tuple[Square, ...] = ()
    """The squares it is about."""
    units: tuple[str, ...] = ()
    """The units it is about, by their ids."""
    count: int = 0
    """How many turns or units it takes."""


class Scenario(msgspec.Struct, frozen=True, dict=True):
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    boards: Boards
    roster: Roster
    """What the armies are made of."""
    armies: Mapping[Side, Army]
    first_placer: Side
    """Who sets up the first brigade."""
    first_mover: Side
    objective: Objective
    turns: int
    """The last turn; 0 where the battle has none."""
    rulings: Mapping[str, str]
    """Every switch's choice."""
    log: tuple[Step, ...]

    @cached_property
    def battlefield(self) -> Battlefield:
        """All boards together."""
        return battlefield(self.boards)

    @cached_property
    def placed(self) -> Mapping[str, Placed]:
        """The boards by their near left squares."""
        name, rows = self.battlefield.terrain_map.field.name, enumerate(self.boards)
        return {name(Square(SIZE * c, SIZE * r)): placed for r, row in rows for c, placed in enumerate(row)}

    @cached_property
    def units(self) -> Mapping[str, tuple[Side, Brigade, Unit]]:
        """Every unit by its id, with its player and brigade."""
        return {unit.id: (army.player, brigade, unit) for army, brigade, unit in self._units()}

    @cached_property
    def units_on_board(self) -> Mapping[Square, tuple[tuple[Side, Unit], ...]]:
        """Who stands where, square by square."""
        found: dict[Square, tuple[tuple[Side, Unit], ...]] = {}
        for army, _own, unit in self._units():
            if unit.cell is not None:
                found[unit.cell] = (*found.get(unit.cell, ()), (army.player, unit))
        return found

    def unit_label(self, unit: str) -> Words:
        """What a unit is called, by its id."""
        return self.units[unit][2].label if unit in self.units else same(unit)

    def home(self, player: Side) -> tuple[Square, ...]:
        """The rows in which a player sets up, his edge first."""
        return home(self.battlefield.terrain_map.field, player)

    def _units(self) -> Iterator[tuple[Army, Brigade, Unit]]:
        for army in self.armies.values():
            for brigade in army.brigades:
                for unit in brigade.units:
                    yield army, brigade, unit


def battlefield(boards: Boards) -> Battlefield:
    """The boards joined."""
    return Battlefield(tuple(tuple(placed.oriented for placed in row) for row in boards))


def home(field: SquareField, player: Side) -> tuple[Square, ...]:
    """The rows of a field in which a player sets up, his edge first."""
    depth = numbers().rows
    rows = range(depth) if player == "blue" else range(field.rows - 1, field.rows - 1 - depth, -1)
    return tuple(cell for row in rows for cell in field.row(row))


def brigade_id(player: Side, number: int) -> str:
    """What a brigade and its brigadier are called, such as `B1`."""
    return f"{PREFIX[player]}{number}"


def placing_step(scenario: Scenario, player: Side, brigade: Brigade) -> Step:
    """The step of a brigade's set-up as the scenario shows it."""
    name = scenario.battlefield.terrain_map.field.name
    return Step("place", player, "", tuple(f"{unit.id} {name(unit.cell)}" for unit in brigade.units if unit.cell))


def unit_and_square(post: str) -> tuple[str, str]:
    """The parts of what a log tells of a unit's place, such as `B1a c2`; an id may hold spaces."""
    unit, space, cell = post.rpartition(" ")
    return (unit, cell) if space else (cell, "")


def board_title(name: str) -> Words:
    """What a board is called: a house board by its title, a user's by its file's name."""
    if name in house_boards():
        return house_boards()[name].name
    texts = words()["board"]
    return texts["random"] if name == RANDOM else same(name) if name else texts["hand"]


def placed_title(placed: Placed) -> Words:
    """What a board on the table is called: a house board by its title, and no other by a title of ours."""
    if house := house_board(placed.oriented.board):
        return house.name
    return board_title("" if placed.name in house_boards() else placed.name)


def board_at(scenario: Scenario, at: str) -> Words:
    """What the board with that near left square is called: of two, by the side on which it lies, as Blue sees it."""
    texts, name = words()["board"], scenario.battlefield.terrain_map.field.name
    corners = [name(Square(SIZE * c, 0)) for c in range(len(scenario.boards[0]))]
    if (len(scenario.boards), len(corners)) == (1, 2) and at in corners:
        return texts[("left", "right")[corners.index(at)]]
    return texts["at"].fill(cell=at)


def is_house_board(placed: Placed) -> bool:
    """Whether a board is ours: a house board, a random one, or one of a campaign, which is either."""
    known = placed.name == RANDOM or is_area(placed.name)
    return known or placed.oriented.board.type == HALF or house_board(placed.oriented.board) is not None
