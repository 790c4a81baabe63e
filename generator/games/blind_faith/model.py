"""A Blind Faith scenario: stacks, a march, and the battle or siege it leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

import msgspec

from generator.common.interpretations import Source
from generator.common.scenario_file import NAMELESS, Labelled, Step
from generator.common.tables import Listed, Range
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.ground import OpMap, Route
from generator.games.blind_faith.tables import SIDES, Legate, Pack, Side, UnitLine
from generator.grid.hexes import Hex
from generator.model.scenario import AdventureTexts, Origin
from generator.model.words import Words
from generator.notation import toml

Kind = Literal["march", "battle", "siege"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OTHER: Mapping[Side, Side] = {"hussite": "crusader", "crusader": "hussite"}
PREFIX: Mapping[Side, str] = {"hussite": "H", "crusader": "C"}
"""The first letter of the ids of a side's stacks."""


class Stack(Labelled, msgspec.Struct, frozen=True):
    """Units on one hex that march together."""

    id: str
    side: Side
    hex: Hex
    units: UnitLine
    leader: str = ""
    """The leader's id in play.toml; the leader is a name, not a unit."""
    legate: str = ""
    """The id in the pack of the papal legate whose marker is with the stack."""
    name: Words = NAMELESS
    """The owner's name for it; empty without one."""


class March(msgspec.Struct, frozen=True):
    """A stack's declared path."""

    stack: str
    path: Route


class Battle(msgspec.Struct, frozen=True):
    """The battle after an interception: the marching stack attacks on the hex of its path where it is intercepted."""

    hex: Hex
    defender: str
    """The intercepting stack."""
    attack: Force
    defence: Force


class Siege(msgspec.Struct, frozen=True):
    """A stack before the walls of a place, with its units for bombardment and for the storm.

    The boxes hold for the first round. All three are empty while the besieger has yet to choose.
    """

    besieger: str
    garrison: str
    wall: str
    """The kind of wall, by its id in the pack."""
    bombard: UnitLine
    storm: UnitLine
    reserve: UnitLine

    @property
    def placed(self) -> bool:
        """Whether the besieger's units are in their boxes."""
        return bool(self.bombard or self.storm or self.reserve)


class Routed(msgspec.Struct, frozen=True):
    """Units that were routed earlier; they return free in the reinforcement phase of turn `back`."""

    side: Side
    units: UnitLine
    back: int


class Scenario(msgspec.Struct, frozen=True):
    """A whole frozen scenario, which is checked, printed and written."""

    origin: Origin
    title: Words
    map: str
    """The name of the house map or of the user's file, or `random`."""
    land: OpMap
    pack: Pack
    rulings: Mapping[str, str]
    turn: int
    points: int
    """The maximum points of each side's stacks."""
    armies: Mapping[Side, str]
    """The army that each side's units were drawn from, by its id in play.toml."""
    stacks: tuple[Stack, ...]
    crusade: bool
    """Whether there is a papal crusade."""
    legates: tuple[str, ...]
    """The legates still to be drawn, the next one first."""
    routed: tuple[Routed, ...]
    march: March | None
    battle: Battle | None
    siege: Siege | None
    log: tuple[Step, ...]
    texts: AdventureTexts = AdventureTexts()
    """The written briefing and special rules."""
    follows: tuple[Words, ...] = ()
    """The values that its file left out and how they follow from the rest: one sentence each."""

    def __eq__(self, other: object) -> bool:
        """Return whether two scenarios are equal, whatever their files left out."""
        if not isinstance(other, Scenario):
            return NotImplemented
        names = self.__struct_fields__[:-1]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    @property
    def kind(self) -> Kind:
        """The kind of action that is played."""
        return "siege" if self.siege else "battle" if self.battle else "march"

    def stack(self, name: str) -> Stack:
        """Return the stack with that id; raises KeyError if there is none."""
        for stack in self.stacks:
            if stack.id == name:
                return stack
        raise KeyError(name)

    @property
    def active(self) -> Stack:
        """The stack that marches or lays siege."""
        return self.stack(self.siege.besieger if self.siege else self.march.stack if self.march else "")

    def units_of(self, side: Side) -> UnitLine:
        """Return every unit of a side's stacks."""
        return self.pack.line(unit for stack in self.stacks if stack.side == side for unit in stack.units)


class Army(Listed, frozen=True, forbid_unknown_fields=True):
    """The units that a side draws from."""

    side: Side
    kinds: tuple[Kind, ...]
    units: dict[str, int] = msgspec.field(default_factory=dict)

    def recruits(self, pack: Pack, *, crusade: bool) -> dict[str, int]:
        """Return the weight of each unit class of a pack in a draw.

        Legates are excluded, and some classes appear only in crusades.
        """
        legates = {legate.unit for legate in pack.legates}
        open_ = [u for u in pack.of_side(self.side) if u.id not in legates and (crusade or not u.crusade)]
        if not self.units:
            return {unit.id: 1 for unit in open_}
        known = {name for army in numbers().army for name in army.units}
        weights = {unit.id: self.units.get(unit.id, 0 if unit.id in known else numbers().unnamed) for unit in open_}
        return {name: weight for name, weight in weights.items() if weight}


class Leader(Listed, frozen=True, forbid_unknown_fields=True):
    """A person who may lead a stack."""

    side: Side


class Clumps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A terrain of random maps: its share of the hexes in percent, and its number of clumps."""

    ground: str
    share: int
    clumps: int


class Maker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers and names for random maps."""

    columns: int
    rows: int
    rivers: int
    crossings: Range
    clumps: tuple[Clumps, ...]
    places: dict[str, int]
    apart: int
    names: dict[str, tuple[Words, ...]]


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of play.toml, which has everything drawn besides the map."""

    source: Source
    turns: int
    points: Range
    drawn: Range
    marching: Range
    facing: Range
    near: int
    strong: int
    routed: Range
    unnamed: int
    army: tuple[Army, ...]
    leader: tuple[Leader, ...]
    maker: Maker

    @property
    def armies(self) -> Mapping[str, Army]:
        """The armies by id."""
        return {army.id: army for army in self.army}

    @property
    def leaders(self) -> Mapping[str, Leader]:
        """The leaders by id."""
        return {leader.id: leader for leader in self.leader}


numbers = toml.shipped_table("blind_faith/play.toml", Numbers)
"""Returns the shipped play.toml."""


Told = tuple[str, str | None, tuple[str, ...]]
"""The kind of a step, its side, and its result."""


def counted(units: Iterable[str]) -> tuple[str, ...]:
    """Return units in the form of the log: `3 tabor`."""
    return tuple(f"{count} {unit}" for unit, count in Counter(units).items())


def account(scenario: Scenario) -> Iterator[Told]:
    """Yield the steps that a scenario's log may contain, in order: every fact that is drawn or requested."""
    active = scenario.active.side
    yield "map", None, (scenario.map,)
    yield "kind", None, (scenario.kind,)
    yield "turn", None, (str(scenario.turn),)
    yield "points", None, (str(scenario.points),)
    yield "mover", active, ()
    yield "crusade", None, ("on" if scenario.crusade else "off",)
    yield "legates", None, scenario.legates
    for side in SIDES:
        yield "army", side, (scenario.armies[side],)
        for stack in scenario.stacks:
            if stack.side == side:
                yield "stack", side, (stack.id, scenario.land.name(stack.hex), *counted(stack.units))
                if stack.leader:
                    yield "leader", side, (stack.id, stack.leader)
                if stack.legate:
                    yield "legate", side, (stack.id, stack.legate)
    for routed in scenario.routed:
        yield "routed", routed.side, counted(routed.units)
    yield from _action(scenario)


def _action(scenario: Scenario) -> Iterator[Told]:
    side, name = scenario.active.side, scenario.land.name
    if march := scenario.march:
        yield "path", side, (march.stack, *map(name, march.path))
    if battle := scenario.battle:
        yield "meeting", OTHER[side], (battle.defender, name(battle.hex))
        for who, force in ((side, battle.attack), (OTHER[side], battle.defence)):
            yield "front", who, counted(force.front)
            yield "reserve", who, counted(force.reserve)
    if siege := scenario.siege:
        yield "siege", side, (siege.besieger, siege.garrison, siege.wall)
        yield "bombard", side, counted(siege.bombard)
        yield "storm", side, counted(siege.storm)
        yield "reserve", side, counted(siege.reserve)


def beside(scenario: Scenario) -> list[Legate]:
    """Return the legates whose counters must be at hand: on the map or to be drawn, but not units of a stack."""
    there = {stack.legate for stack in scenario.stacks} | set(scenario.legates)
    placed = {unit for stack in scenario.stacks for unit in stack.units}
    return [legate for legate in scenario.pack.legates if legate.id in there and legate.unit not in placed]


def people(scenario: Scenario, stack: Stack) -> list[Words]:
    """Return the names of a stack's leader and legate."""
    leaders = [numbers().leaders[stack.leader].name] if stack.leader else []
    return leaders + [legate.name for legate in scenario.pack.legates if legate.id == stack.legate]
