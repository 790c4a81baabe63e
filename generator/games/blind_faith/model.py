"""A Blind Faith scenario with its stacks, its march, and the battle or siege that results."""

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

DrawnKind = Literal["march", "battle", "siege"]
KINDS: tuple[DrawnKind, ...] = get_args(DrawnKind)
"""The kinds of scenarios that are drawn."""
Kind = DrawnKind | Literal["position"]
"""The kinds of scenarios. A position, which is only written by hand, consists of a map and stacks."""
OTHER: Mapping[Side, Side] = {"hussite": "crusader", "crusader": "hussite"}
PREFIX: Mapping[Side, str] = {"hussite": "H", "crusader": "C"}
"""The first letter of the ids of a side's stacks."""


class Stack(Labelled, msgspec.Struct, frozen=True):
    """A group of units on one hex that marches together."""

    id: str
    side: Side
    hex: Hex
    units: UnitLine
    leader: str = ""
    """The leader's id in play.toml. A leader is only a name, not a unit."""
    legate: str = ""
    """The id of the papal legate whose marker is with the stack, as in the pack."""
    name: Words = NAMELESS
    """The owner's name for the stack; empty if there is none."""


class March(msgspec.Struct, frozen=True):
    """The declared path of a stack."""

    stack: str
    path: Route


class Battle(msgspec.Struct, frozen=True):
    """A battle after an interception.

    The marching stack attacks on the hex of its path on which it is intercepted.
    """

    hex: Hex
    defender: str
    """The id of the intercepting stack."""
    attack: Force
    defence: Force


class Siege(msgspec.Struct, frozen=True):
    """The siege of a place, with the besieger's units that bombard, storm or wait.

    The boxes apply in the first round. All three are empty if the besieger has not chosen yet.
    """

    besieger: str
    garrison: str
    wall: str
    """The id of the kind of wall in the pack."""
    bombard: UnitLine
    storm: UnitLine
    reserve: UnitLine

    @property
    def placed(self) -> bool:
        """Whether the besieger's units are in their boxes."""
        return bool(self.bombard or self.storm or self.reserve)


class Routed(msgspec.Struct, frozen=True):
    """Units that were routed earlier. They return free of charge in the reinforcement phase of turn `back`."""

    side: Side
    units: UnitLine
    back: int


class Scenario(msgspec.Struct, frozen=True):
    """A complete Blind Faith scenario."""

    origin: Origin
    title: Words
    map: str
    """The name of the house map or of the user's file, or `random` for a generated map."""
    op_map: OpMap
    pack: Pack
    rulings: Mapping[str, str]
    turn: int
    points: int
    """The maximum total points of each side's stacks."""
    armies: Mapping[Side, str]
    """The id in play.toml of the army from which each side's units were chosen."""
    stacks: tuple[Stack, ...]
    crusade: bool
    """Whether there is a papal crusade."""
    legates: tuple[str, ...]
    """The pile of legates, the next one first."""
    routed: tuple[Routed, ...]
    march: March | None
    battle: Battle | None
    siege: Siege | None
    log: tuple[Step, ...]
    texts: AdventureTexts = AdventureTexts()
    """The written briefing and special rules."""
    follows: tuple[Words, ...] = ()
    """Sentences that explain values that the file left out."""

    def __eq__(self, other: object) -> bool:
        """Return whether two scenarios are equal, regardless of which values their files left out."""
        if not isinstance(other, Scenario):
            return NotImplemented
        names = self.__struct_fields__[:-1]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    @property
    def kind(self) -> Kind:
        """The kind of action: march, battle or siege, or a position without any of these."""
        return "siege" if self.siege else "battle" if self.battle else "march" if self.march else "position"

    @property
    def fought(self) -> bool:
        """Whether there is a battle or a siege."""
        return bool(self.battle or self.siege)

    def stack(self, name: str) -> Stack:
        """Return the stack with this id.

        Raises:
            KeyError: If there is no such stack.
        """
        for stack in self.stacks:
            if stack.id == name:
                return stack
        raise KeyError(name)

    @property
    def active(self) -> Stack:
        """The stack that marches or besieges.

        Raises:
            KeyError: If the scenario is a position, in which no stack does either.
        """
        return self.stack(self.siege.besieger if self.siege else self.march.stack if self.march else "")

    def units_of(self, side: Side) -> UnitLine:
        """Return all units of a side's stacks."""
        return self.pack.line(unit for stack in self.stacks if stack.side == side for unit in stack.units)


class Army(Listed, frozen=True, forbid_unknown_fields=True):
    """The classes of units from which an army of a side is generated."""

    side: Side
    kinds: tuple[Kind, ...]
    units: dict[str, int] = msgspec.field(default_factory=dict)

    def recruits(self, pack: Pack, *, crusade: bool) -> dict[str, int]:
        """Return the weight of each unit class of a pack for random armies.

        Legates are excluded. Some classes are included only during a crusade.
        """
        legates = {legate.unit for legate in pack.legates}
        open_ = [u for u in pack.of_side(self.side) if u.id not in legates and (crusade or not u.crusade)]
        if not self.units:
            return {unit.id: 1 for unit in open_}
        known = {name for army in numbers().army for name in army.units}
        weights = {unit.id: self.units.get(unit.id, 0 if unit.id in known else numbers().unnamed) for unit in open_}
        return {name: weight for name, weight in weights.items() if weight}


class Leader(Listed, frozen=True, forbid_unknown_fields=True):
    """A person who can lead a stack."""

    side: Side


class Clumps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A terrain of random maps, with its share of the hexes in percent and its number of clumps."""

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
    """The contents of play.toml, which defines all random choices except the map."""

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
        """The armies, keyed by id."""
        return {army.id: army for army in self.army}

    @property
    def leaders(self) -> Mapping[str, Leader]:
        """The leaders, keyed by id."""
        return {leader.id: leader for leader in self.leader}


numbers = toml.shipped_table("blind_faith/play.toml", Numbers)
"""Returns the shipped play.toml."""


StepFact = tuple[str, str | None, tuple[str, ...]]
"""The kind, side and result of a log step."""


def counted(units: Iterable[str]) -> tuple[str, ...]:
    """Return units as the log writes them, such as `3 tabor`."""
    return tuple(f"{count} {unit}" for unit, count in Counter(units).items())


def account(scenario: Scenario) -> Iterator[StepFact]:
    """Yield every fact of a scenario that a log step may state, in order."""
    yield "map", None, (scenario.map,)
    yield "kind", None, (scenario.kind,)
    yield "turn", None, (str(scenario.turn),)
    yield "points", None, (str(scenario.points),)
    if scenario.kind != "position":
        yield "mover", scenario.active.side, ()
    yield "crusade", None, ("on" if scenario.crusade else "off",)
    yield "legates", None, scenario.legates
    for side in SIDES:
        yield "army", side, (scenario.armies[side],)
        for stack in scenario.stacks:
            if stack.side == side:
                yield "stack", side, (stack.id, scenario.op_map.name(stack.hex), *counted(stack.units))
                if stack.leader:
                    yield "leader", side, (stack.id, stack.leader)
                if stack.legate:
                    yield "legate", side, (stack.id, stack.legate)
    for routed in scenario.routed:
        yield "routed", routed.side, counted(routed.units)
    if scenario.kind != "position":
        yield from _action(scenario)


def _action(scenario: Scenario) -> Iterator[StepFact]:
    side, name = scenario.active.side, scenario.op_map.name
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


def marker_legates(scenario: Scenario) -> list[Legate]:
    """Return the legates whose markers the players need: those on the map or in the pile that are not units."""
    there = {stack.legate for stack in scenario.stacks} | set(scenario.legates)
    placed = {unit for stack in scenario.stacks for unit in stack.units}
    return [legate for legate in scenario.pack.legates if legate.id in there and legate.unit not in placed]


def people(scenario: Scenario, stack: Stack) -> list[Words]:
    """Return the names of a stack's leader and legate."""
    leaders = [numbers().leaders[stack.leader].name] if stack.leader else []
    return leaders + [legate.name for legate in scenario.pack.legates if legate.id == stack.legate]
