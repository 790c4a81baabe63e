"""A Blind Faith scenario: stacks on an operational map, and a march, the battle it leads to, or a siege."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import Line, Side
from generator.games.blind_faith.ground.opmap import OpMap
from generator.games.blind_faith.play.battle import Force
from generator.games.blind_faith.play.marching import Path
from generator.games.logs import Step
from generator.grid.hexes import Hex
from generator.model.scenario import Origin
from generator.model.words import Words

Kind = Literal["march", "battle", "siege"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OTHER: Mapping[Side, Side] = {"hussite": "crusader", "crusader": "hussite"}
PREFIX: Mapping[Side, str] = {"hussite": "H", "crusader": "C"}
"""What the ids of a side's stacks begin with."""


@dataclass(frozen=True)
class Stack:
    """Units that stand on one hex and march together."""

    id: str
    side: Side
    hex: Hex
    units: Line
    leader: str = ""
    """Who leads it, by his id in play.toml: a name, no unit."""
    legate: str = ""
    """The papal legate whose marker lies with it, by his id in the pack."""


@dataclass(frozen=True)
class March:
    """A stack's declared path."""

    stack: str
    path: Path


@dataclass(frozen=True)
class Battle:
    """What an interception leads to: the march is met on a hex of its path and attacks there."""

    hex: Hex
    defender: str
    """The stack that intercepts."""
    attack: Force
    defence: Force


@dataclass(frozen=True)
class Siege:
    """A stack before the walls of a place, with what it bombards by and what it storms with."""

    besieger: str
    garrison: str
    wall: str
    """The kind of wall, by its id in the pack."""
    bombard: Line
    storm: Line
    reserve: Line


@dataclass(frozen=True)
class Routed:
    """Units that were routed before; they come back for nothing in the reinforcement phase of turn `back`."""

    side: Side
    units: Line
    back: int


@dataclass(frozen=True)
class Scenario:
    """A whole scenario, frozen; the one thing that is checked, printed and written down."""

    origin: Origin
    title: Words
    map: str
    """The house map, the user's file, or `random`."""
    land: OpMap
    pack: Pack
    rulings: Mapping[str, str]
    turn: int
    points: int
    """What each side's stacks may cost."""
    armies: Mapping[Side, str]
    """What each side's units were drawn from, by its id in play.toml."""
    stacks: tuple[Stack, ...]
    crusade: bool
    """Whether a papal crusade is on."""
    legates: tuple[str, ...]
    """The legates yet to be drawn, the next one first."""
    routed: tuple[Routed, ...]
    march: March | None
    battle: Battle | None
    siege: Siege | None
    log: tuple[Step, ...]

    @property
    def kind(self) -> Kind:
        """What is played."""
        return "siege" if self.siege else "battle" if self.battle else "march"

    def stack(self, name: str) -> Stack:
        """The stack of that id; KeyError where there is none."""
        for stack in self.stacks:
            if stack.id == name:
                return stack
        raise KeyError(name)

    @property
    def active(self) -> Stack:
        """The stack that marches or lays siege."""
        return self.stack(self.siege.besieger if self.siege else self.march.stack if self.march else "")

    def units_of(self, side: Side) -> Line:
        """Every unit of a side's stacks."""
        return self.pack.line(unit for stack in self.stacks if stack.side == side for unit in stack.units)
