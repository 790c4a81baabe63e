"""A Travel Battle scenario: boards on a table, two armies in brigades, and what wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from generator.games.logs import Step
from generator.games.travel_battle.forces.army import Kind, Roster
from generator.games.travel_battle.ground.board import Battlefield, Edge, Laid
from generator.games.travel_battle.numbers import play
from generator.grid.squares import Square, SquareField
from generator.model.scenario import Origin
from generator.model.words import Words

Player = Literal["blue", "red"]
PLAYERS: tuple[Player, ...] = ("blue", "red")
"""Blue sits at the near edge and Red at the far one."""
OTHER: Mapping[Player, Player] = {"blue": "red", "red": "blue"}
PREFIX: Mapping[Player, str] = {"blue": "B", "red": "R"}
"""What the ids of a player's units begin with."""
AHEAD: Mapping[Player, int] = {"blue": 2, "red": 6}
"""The direction in which a player's army faces the enemy."""

RANDOM = "random"
"""What stands in place of a board's name where the board was made and not drawn by a person."""
CROSSING = "crossing"
"""The log's step for two boards that lie as on a campaign's map, without dice."""
WHOLE = "whole"
"""The log's step for two halves of one whole, which nobody chooses or turns."""
BRIGADES = "brigades"
"""The victory of the rules themselves: two thirds of the enemy's brigades."""


class Unit(msgspec.Struct, frozen=True):
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


class Brigade(msgspec.Struct, frozen=True):
    """A brigade with its brigadier, who comes first."""

    number: int
    """Counted from 1 in each army."""
    units: tuple[Unit, ...]

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

    player: Player
    brigades: tuple[Brigade, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every unit, brigade by brigade."""
        return tuple(unit for brigade in self.brigades for unit in brigade.units)


class Placed(msgspec.Struct, frozen=True):
    """A board on the table."""

    name: str
    """The house board's name, the user's file, or `random`; empty where a person drew it in the scenario itself."""
    owner: Player
    """Whose choice it was, and whose die turned it."""
    laid: Laid

    @property
    def faced(self) -> Edge:
        """The edge that lies towards its owner: the one that his die names."""
        return self.laid.edge if self.owner == PLAYERS[0] else self.laid.far


Boards = tuple[tuple[Placed, ...], ...]
"""Boards as they lie: rows of as many each, the near row first, from the left."""


class Objective(msgspec.Struct, frozen=True):
    """What wins the battle."""

    kind: str = BRIGADES
    """`brigades`, or a key of data/travel_battle/objectives.toml."""
    player: Player | None = None
    """Whose task it is; None where both have the same."""
    cells: tuple[Square, ...] = ()
    """The squares it is about."""
    units: tuple[str, ...] = ()
    """The units it is about, by their ids."""
    count: int = 0
    """How many turns or units it takes."""


@dataclass(frozen=True)
class Scenario:
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    boards: Boards
    roster: Roster
    """What the armies are made of."""
    armies: Mapping[Player, Army]
    first_placer: Player
    """Who sets up the first brigade."""
    first_mover: Player
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
    def units(self) -> Mapping[str, tuple[Player, Brigade, Unit]]:
        """Every unit by its id, with its player and brigade."""
        return {unit.id: (army.player, brigade, unit) for army, brigade, unit in self._units()}

    @cached_property
    def standing(self) -> Mapping[Square, tuple[tuple[Player, Unit], ...]]:
        """Who stands where, square by square."""
        found: dict[Square, tuple[tuple[Player, Unit], ...]] = {}
        for army, _brigade, unit in self._units():
            if unit.cell is not None:
                found[unit.cell] = (*found.get(unit.cell, ()), (army.player, unit))
        return found

    def home(self, player: Player) -> tuple[Square, ...]:
        """The rows in which a player sets up, his edge first."""
        return home(self.battlefield.land.field, player)

    def _units(self) -> Iterator[tuple[Army, Brigade, Unit]]:
        for army in self.armies.values():
            for brigade in army.brigades:
                for unit in brigade.units:
                    yield army, brigade, unit


def battlefield(boards: Boards) -> Battlefield:
    """The boards joined."""
    return Battlefield(tuple(tuple(placed.laid for placed in row) for row in boards))


def home(field: SquareField, player: Player) -> tuple[Square, ...]:
    """The rows of a field in which a player sets up, his edge first."""
    depth = play().rows
    rows = range(depth) if player == "blue" else range(field.rows - 1, field.rows - 1 - depth, -1)
    return tuple(cell for row in rows for cell in field.row(row))


def brigade_id(player: Player, number: int) -> str:
    """What a brigade and its brigadier are called, such as `B1`."""
    return f"{PREFIX[player]}{number}"
