"""A scenario of Battling: an arena and two squads of machines at its edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from generator.common.scenario_file import (
    NAMELESS,
    Labelled,
    Step,
)
from generator.games.battling.forces import Pack, cost
from generator.games.battling.ground import (
    Arena,
    Edge,
)
from generator.grid.columns import Numbered
from generator.model.scenario import Origin
from generator.model.words import Words
from generator.notation import toml

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


class Machine(Labelled, msgspec.Struct, frozen=True):
    """An Armored Trooper on the table."""

    id: str
    """`F1`, `S2`: the first player's first, the second player's second."""
    kind: str
    """A machine of machines.toml."""
    cell: Numbered
    hp: int
    """Its hit points at the start, by the charts."""
    name: Words = NAMELESS
    """What its owner calls it."""

    @property
    def number(self) -> int:
        """The number on its counter."""
        return int(self.id[1:])


class Squad(msgspec.Struct, frozen=True):
    """One player's machines, and the edge they start from."""

    side: Side
    machines: tuple[Machine, ...]
    edge: Edge
    player: Player


class Scenario(msgspec.Struct, frozen=True):
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
    points: int | None
    """What the machines of each squad may come to; None where nobody limits it."""
    log: tuple[Step, ...]
    fixed: bool = False
    """Whether the set-up was decided in advance, and so is off the edges if it likes."""

    @property
    def machines(self) -> tuple[tuple[Side, Machine], ...]:
        """Every machine with its side, the first player's first."""
        return tuple((side, machine) for side in SIDES for machine in self.squads[side].machines)

    @property
    def called(self) -> Mapping[str, Words]:
        """What each machine is called, by its id."""
        return {machine.id: machine.label for _, machine in self.machines}

    @property
    def costs(self) -> Mapping[Side, int]:
        """What each squad comes to."""
        return {side: cost(self.pack, (m.kind for m in squad.machines)) for side, squad in self.squads.items()}


def set_up(scenario: Scenario, side: Side) -> Step:
    """The step of a side's set-up as the scenario shows it."""
    name = scenario.arena.field.name
    return Step("deploy", side, "", tuple(f"{m.id} {name(m.cell)}" for m in scenario.squads[side].machines))


Letter = Literal["W", "R", "F", "B", "D"]


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an AT may do in its phase; see orders.toml."""

    id: Letter
    name: Words
    form: Words
    text: Words
    min_hexes: int = msgspec.field(name="least")
    max_hexes: int = msgspec.field(name="most")
    source: str
    straight: Words | None = None
    attack: Literal["", "sight", "next"] = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action: tuple[Action, ...]
    header: dict[Literal["both", "turn", "side"], Words]
    sides: dict[Side, Words]
    why: dict[str, dict[str, Words]]
    outcome: dict[str, Words]


def side_name(side: Side) -> Words:
    """What a side is called."""
    return order_words().sides[side]


def why(reason: str) -> Words:
    """The words of a reason such as `move.closed`, with `{placeholders}`; KeyError where there is none."""
    group, _, name = reason.partition(".")
    return order_words().why[group][name]


order_words = toml.shipped_table("battling/orders.toml", _File)
"""orders.toml as it stands."""
