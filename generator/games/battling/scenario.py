"""A scenario of Battling: an arena and two squads of Armored Troopers at its edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generator.games.battling.forces.machines import Pack
from generator.games.battling.ground.arena import Arena, Edge
from generator.games.logs import Step
from generator.grid.columns import Numbered
from generator.model.scenario import Origin
from generator.model.words import Words

Side = Literal["first", "second"]
SIDES: tuple[Side, ...] = ("first", "second")
OTHER: Mapping[Side, Side] = {"first": "second", "second": "first"}
PREFIX: Mapping[Side, str] = {"first": "F", "second": "S"}
"""What the ids of a side's machines begin with."""

Player = Literal["A", "B"]
PLAYERS: tuple[Player, ...] = ("A", "B")
"""Who the players are before the dice tell which of them is first."""

RANDOM = "random"
"""What stands in place of an arena's name where the arena was made and not drawn by a person."""


@dataclass(frozen=True)
class Machine:
    """An Armored Trooper on the table."""

    id: str
    """`F1`, `S2`: the first player's first, the second player's second."""
    kind: str
    """A machine of machines.toml."""
    cell: Numbered
    hp: int
    """Its hit points at the start, by the charts."""

    @property
    def number(self) -> int:
        """The number on its counter."""
        return int(self.id[1:])


@dataclass(frozen=True)
class Squad:
    """One player's machines, and the edge they start from."""

    side: Side
    machines: tuple[Machine, ...]
    edge: Edge
    player: Player


@dataclass(frozen=True)
class Scenario:
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    arena_name: str
    """The name of the house arena, of the user's file, or `random`; empty where a person drew it in the scenario."""
    arena: Arena
    pack: Pack
    squads: Mapping[Side, Squad]
    turns: int
    rulings: Mapping[str, str]
    points: int
    """What the machines of each squad come to."""
    log: tuple[Step, ...]

    @property
    def machines(self) -> tuple[tuple[Side, Machine], ...]:
        """Every machine with its side, the first player's first."""
        return tuple((side, machine) for side in SIDES for machine in self.squads[side].machines)
