"""The model of a Travel Battle scenario, which consists of boards, two armies in brigades, and an objective."""

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
from generator.model.scenario import AdventureTexts, Origin
from generator.model.words import Words, same

Side = Literal["blue", "red"]
SIDES: tuple[Side, ...] = ("blue", "red")
"""The players. Blue is at the near edge and Red at the far edge."""
OTHER: Mapping[Side, Side] = {"blue": "red", "red": "blue"}
PREFIX: Mapping[Side, str] = {"blue": "B", "red": "R"}
"""The first letter of the ids of a player's units."""
FORWARD: Mapping[Side, int] = {"blue": 2, "red": 6}
"""The direction in which a player's army faces the enemy, as an index of `grid.squares.DIRECTIONS`."""

RANDOM = "random"
"""The name of every random board."""
CROSSING = "crossing"
"""The name of the log's step for two boards that are placed as on a campaign's map, without dice."""
WHOLE = "whole"
"""The name of the log's step for the two halves of a double board, which players neither choose nor turn."""
BRIGADES = "brigades"
"""The standard objective, which is to destroy two thirds of the enemy's brigades."""


class Unit(Labelled, msgspec.Struct, frozen=True):
    """A unit of a brigade. The brigadier is also a unit."""

    id: str
    """The unit's id, such as `B1a`. A brigadier has the id of the brigade, such as `B1`."""
    kind: Kind
    cell: Square | None
    """The square of the unit, or None if it is off the field."""
    facing: int
    """The direction in which the unit faces, as an index of `grid.squares.DIRECTIONS`."""
    square: bool = False
    """Whether the unit is in square formation."""
    name: Words = NAMELESS
    """The name that the owner gave the unit or machine."""


class Brigade(msgspec.Struct, frozen=True):
    """A brigade and its units, the brigadier first."""

    number: int
    """The number of the brigade, counted from 1 in each army."""
    units: tuple[Unit, ...]
    name: Words = NAMELESS
    """The name that the owner gave the unit or machine."""

    @property
    def brigadier(self) -> Unit | None:
        """The brigadier, or None if the user's file contains no brigadier for the brigade."""
        return next((unit for unit in self.units if unit.kind.arm == "brigadier"), None)

    @property
    def fighters(self) -> tuple[Unit, ...]:
        """The units of the brigade, except the brigadier."""
        return tuple(unit for unit in self.units if unit.kind.fights)


class Army(msgspec.Struct, frozen=True):
    """The brigades of a player, in the order of their numbers."""

    player: Side
    brigades: tuple[Brigade, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units of the army, brigade by brigade."""
        return tuple(unit for brigade in self.brigades for unit in brigade.units)


class Placed(msgspec.Struct, frozen=True):
    """A board placed on the table."""

    name: str
    """The name of the house board or of the user's file, or `random`. If the scenario file contains the drawing, the
    name is empty.
    """
    owner: Side
    """The player who chose the board and rolled the die that turned it."""
    oriented: OrientedBoard

    @property
    def owner_edge(self) -> Edge:
        """The edge towards the owner, which the owner's die shows."""
        return self.oriented.edge if self.owner == SIDES[0] else self.oriented.far


Boards = tuple[tuple[Placed, ...], ...]
"""The boards in their positions, in rows of equal length from the near edge, and in each row from the left."""


class Objective(msgspec.Struct, frozen=True):
    """The objective of a battle."""

    kind: str = BRIGADES
    """The kind of the objective, which is `brigades` or a key of data/travel_battle/objectives.toml."""
    player: Side | None = None
    """The player who has the task, or None if both players have the same objective."""
    cells: tuple[Square, ...] = ()
    """The squares of the objective."""
    units: tuple[str, ...] = ()
    """The ids of the units of the objective."""
    count: int = 0
    """The number of turns or units needed for the objective."""


class Scenario(msgspec.Struct, frozen=True, dict=True):
    """An immutable scenario, which can be checked, printed and written to a file."""

    origin: Origin
    title: Words
    boards: Boards
    roster: Roster
    """The kinds of units of the armies."""
    armies: Mapping[Side, Army]
    first_placer: Side
    """The player who sets up the first brigade."""
    first_mover: Side
    objective: Objective
    turns: int
    """The last turn, or 0 if there is no last turn."""
    rulings: Mapping[str, str]
    """The choice for each ruling."""
    log: tuple[Step, ...]
    texts: AdventureTexts = AdventureTexts()
    """The written briefing and special rules."""

    @cached_property
    def battlefield(self) -> Battlefield:
        """The battlefield that consists of all boards."""
        return battlefield(self.boards)

    @cached_property
    def placed(self) -> Mapping[str, Placed]:
        """The boards by the names of their near left squares."""
        name, rows = self.battlefield.terrain_map.field.name, enumerate(self.boards)
        return {name(Square(SIZE * c, SIZE * r)): placed for r, row in rows for c, placed in enumerate(row)}

    @cached_property
    def units(self) -> Mapping[str, tuple[Side, Brigade, Unit]]:
        """Each unit with its player and brigade, by the unit's id."""
        return {unit.id: (army.player, brigade, unit) for army, brigade, unit in self._units()}

    @cached_property
    def units_on_board(self) -> Mapping[Square, tuple[tuple[Side, Unit], ...]]:
        """The units on each occupied square, with their players."""
        found: dict[Square, tuple[tuple[Side, Unit], ...]] = {}
        for army, _own, unit in self._units():
            if unit.cell is not None:
                found[unit.cell] = (*found.get(unit.cell, ()), (army.player, unit))
        return found

    def unit_label(self, unit: str) -> Words:
        """Return the label of the unit with this id."""
        return self.units[unit][2].label if unit in self.units else same(unit)

    def home(self, player: Side) -> tuple[Square, ...]:
        """Return the squares of a player's home rows, beginning with the row at the player's edge."""
        return home(self.battlefield.terrain_map.field, player)

    def _units(self) -> Iterator[tuple[Army, Brigade, Unit]]:
        for army in self.armies.values():
            for brigade in army.brigades:
                for unit in brigade.units:
                    yield army, brigade, unit


def battlefield(boards: Boards) -> Battlefield:
    """Return the battlefield that consists of these boards."""
    return Battlefield(tuple(tuple(placed.oriented for placed in row) for row in boards))


def home(field: SquareField, player: Side) -> tuple[Square, ...]:
    """Return the squares of a player's home rows on a field, beginning with the row at the player's edge."""
    depth = numbers().rows
    rows = range(depth) if player == "blue" else range(field.rows - 1, field.rows - 1 - depth, -1)
    return tuple(cell for row in rows for cell in field.row(row))


def brigade_id(player: Side, number: int) -> str:
    """Return the id of a brigade and its brigadier, such as `B1`."""
    return f"{PREFIX[player]}{number}"


def placing_step(scenario: Scenario, player: Side, brigade: Brigade) -> Step:
    """Return the log's step that sets up a brigade as it is in the scenario."""
    name = scenario.battlefield.terrain_map.field.name
    return Step("place", player, "", tuple(f"{unit.id} {name(unit.cell)}" for unit in brigade.units if unit.cell))


def unit_and_square(post: str) -> tuple[str, str]:
    """Return the unit and the square of an entry of the log, such as `B1a c2`. Ids may contain spaces."""
    unit, space, cell = post.rpartition(" ")
    return (unit, cell) if space else (cell, "")


def board_title(name: str) -> Words:
    """Return the title of a house board, or the name of the user's file for another board."""
    if name in house_boards():
        return house_boards()[name].name
    texts = words()["board"]
    return texts["random"] if name == RANDOM else same(name) if name else texts["hand"]


def placed_title(placed: Placed) -> Words:
    """Return the title of a board on the table. A modified copy of a house board does not keep the title."""
    if house := house_board(placed.oriented.board):
        return house.name
    return board_title("" if placed.name in house_boards() else placed.name)


def board_at(scenario: Scenario, at: str) -> Words:
    """Return a description of the board with a near left square, such as `left` if there are two boards."""
    texts, name = words()["board"], scenario.battlefield.terrain_map.field.name
    corners = [name(Square(SIZE * c, 0)) for c in range(len(scenario.boards[0]))]
    if (len(scenario.boards), len(corners)) == (1, 2) and at in corners:
        return texts[("left", "right")[corners.index(at)]]
    return texts["at"].fill(cell=at)


def is_house_board(placed: Placed) -> bool:
    """Return whether a board is part of the game, which includes random boards and boards of campaigns."""
    known = placed.name == RANDOM or is_area(placed.name)
    return known or placed.oriented.board.type == HALF or house_board(placed.oriented.board) is not None
