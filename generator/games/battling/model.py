"""The model of a Battling scenario, which consists of an arena and two squads of machines at its edges."""

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
from generator.model.scenario import AdventureTexts, Origin
from generator.model.words import Words
from generator.notation import toml

Side = Literal["first", "second"]
SIDES: tuple[Side, ...] = ("first", "second")
OTHER: Mapping[Side, Side] = {"first": "second", "second": "first"}
PREFIX: Mapping[Side, str] = {"first": "F", "second": "S"}
"""The first letter of the ids of a side's machines."""

Player = Literal["A", "B"]
PLAYERS: tuple[Player, ...] = ("A", "B")
"""The players, before dice determine which of them is the first player."""

RANDOM = "random"
"""The name of every random arena."""


class Machine(Labelled, msgspec.Struct, frozen=True):
    """An Armored Trooper in its position."""

    id: str
    """The id of the machine, such as `F1` for the first player's machine 1 and `S2` for the second player's machine
    2.
    """
    kind: str
    """The type of the machine, which is an id of the charts."""
    cell: Numbered
    hp: int
    """The hit points of the machine at the start, from the charts."""
    name: Words = NAMELESS
    """The name that the owner gave the unit or machine."""

    @property
    def number(self) -> int:
        """The number on the machine's counter."""
        return int(self.id[1:])


class Squad(msgspec.Struct, frozen=True):
    """The machines of a player, and their starting edge."""

    side: Side
    machines: tuple[Machine, ...]
    edge: Edge
    player: Player


class Scenario(msgspec.Struct, frozen=True):
    """An immutable scenario, which can be checked, printed and written to a file."""

    origin: Origin
    title: Words
    arena_name: str
    """The name of the house arena or the user's file, or `random`. If the scenario file contains the drawing, the
    name is empty.
    """
    arena: Arena
    pack: Pack
    squads: Mapping[Side, Squad]
    turns: int
    rulings: Mapping[str, str]
    points: int | None
    """The maximum points of each squad, or None if there is no limit."""
    log: tuple[Step, ...]
    fixed: bool = False
    """Whether the set-up is prescribed. A prescribed set-up may be off the edges."""
    texts: AdventureTexts = AdventureTexts()
    """The written briefing and special rules."""

    @property
    def machines(self) -> tuple[tuple[Side, Machine], ...]:
        """Each machine with its side, the first player's machines first."""
        return tuple((side, machine) for side in SIDES for machine in self.squads[side].machines)

    @property
    def labels(self) -> Mapping[str, Words]:
        """The label of each machine by its id."""
        return {machine.id: machine.label for _, machine in self.machines}

    @property
    def costs(self) -> Mapping[Side, int]:
        """The points of each squad."""
        return {side: cost(self.pack, (m.kind for m in squad.machines)) for side, squad in self.squads.items()}


def set_up(scenario: Scenario, side: Side) -> Step:
    """Return the log's step that sets up a side as it is in the scenario."""
    name = scenario.arena.field.name
    return Step("deploy", side, "", tuple(f"{m.id} {name(m.cell)}" for m in scenario.squads[side].machines))


Letter = Literal["W", "R", "F", "B", "D"]


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action of an AT in its phase, as described in orders.toml."""

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
    """Return the name of a side."""
    return order_words().sides[side]


def why(reason: str) -> Words:
    """Return the text of a reason such as `move.closed`, which contains placeholders in braces.

    Raises:
        KeyError: If the reason is unknown.
    """
    group, _, name = reason.partition(".")
    return order_words().why[group][name]


order_words = toml.shipped_table("battling/orders.toml", _File)
"""Return the contents of orders.toml."""
