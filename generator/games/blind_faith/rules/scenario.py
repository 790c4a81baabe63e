"""What makes a Blind Faith scenario legal, derived from the scenario alone: the map, stacks and armies, legates.

Marches, battles and sieges have theirs in actions.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from generator.games.blind_faith.account import account
from generator.games.blind_faith.forces.units import SIDES
from generator.games.blind_faith.numbers import play
from generator.games.blind_faith.rules.actions import rule
from generator.games.blind_faith.scenario import Scenario, Stack
from generator.games.blind_faith.words import side_name, units_told, words
from generator.games.fairsearch import fair_evidence, fair_steps
from generator.games.logs import false_steps
from generator.games.ruleset import ruleset
from generator.grid.hexes import Hex
from generator.model.words import Words, joined, same
from generator.rules.rule import Fault, Rule


@rule("map.reach")
def map_reach(scenario: Scenario) -> Iterator[Fault]:
    for cut in scenario.land.parts()[1:]:
        yield Fault("map", "cut", {"hexes": joined([same(scenario.land.name(cell)) for cell in sorted(cut)])})


@rule("map.place")
def map_place(scenario: Scenario) -> Iterator[Fault]:
    land = scenario.land
    for cell, place in land.places.items():
        if not land.passable(cell):
            values = {"place": place.name, "hex": land.name(cell), "ground": land.terrain(cell).name}
            yield Fault("map", "water", values)


@rule("stack.hex")
def stack_hex(scenario: Scenario) -> Iterator[Fault]:
    land = scenario.land
    for stack in scenario.stacks:
        if not land.passable(stack.hex):
            values = {"stack": stack.id, "hex": land.name(stack.hex), "ground": land.terrain(stack.hex).name}
            yield Fault(stack.id, "impassable", values)


@rule("stack.enemy")
def stack_enemy(scenario: Scenario) -> Iterator[Fault]:
    besieged = scenario.stack(scenario.siege.garrison).hex if scenario.siege else None
    standing: dict[Hex, list[Stack]] = {}
    for stack in scenario.stacks:
        standing.setdefault(stack.hex, []).append(stack)
    for cell, stacks in standing.items():
        if cell != besieged and len({stack.side for stack in stacks}) > 1:
            values = {"stacks": _stacks(stacks), "hex": scenario.land.name(cell)}
            yield Fault(stacks[0].id, "together", values)


@rule("stack.units")
def stack_units(scenario: Scenario) -> Iterator[Fault]:
    for stack in scenario.stacks:
        if not stack.units:
            yield Fault(stack.id, "empty", {"stack": stack.id})
        for unit in _foreign(scenario, stack.side, stack.units):
            values = {"stack": stack.id, "unit": scenario.pack.units[unit].name, "side": side_name(stack.side)}
            yield Fault(stack.id, "foreign", values)


@rule("stack.leader")
def stack_leader(scenario: Scenario) -> Iterator[Fault]:
    for leader in play().leader:
        led = [stack for stack in scenario.stacks if stack.leader == leader.id]
        for stack in led:
            if stack.side != leader.side:
                yield Fault(stack.id, "foreign", {"leader": leader.name, "side": side_name(stack.side)})
        if len(led) > 1:
            yield Fault(led[0].id, "twice", {"leader": leader.name, "stacks": _stacks(led)})


@rule("army.points")
def army_points(scenario: Scenario) -> Iterator[Fault]:
    if not scenario.points:
        return
    for side in SIDES:
        units = [scenario.pack.units[unit] for unit in scenario.units_of(side)]
        have = sum(unit.points for unit in units)
        left = scenario.points - have
        more = [unit for unit in units if not unit.most and unit.points <= left]
        if left < 0:
            yield Fault(side, "over", {"side": side_name(side), "have": have, "points": scenario.points})
        elif more:
            yield Fault(side, "left", {"side": side_name(side), "left": left, "unit": more[0].name})


@rule("army.most")
def army_most(scenario: Scenario) -> Iterator[Fault]:
    for side in SIDES:
        for name, have in Counter(scenario.units_of(side)).items():
            unit = scenario.pack.units[name]
            if unit.most and have > unit.most:
                values = {"side": side_name(side), "have": have, "unit": unit.name, "most": unit.most}
                yield Fault(side, "more", values)


@rule("army.crusade")
def army_crusade(scenario: Scenario) -> Iterator[Fault]:
    legates = {legate.unit for legate in scenario.pack.legates}  # theirs is legate.unit
    for stack in scenario.stacks if not scenario.crusade else ():
        for name in dict.fromkeys(stack.units):
            unit = scenario.pack.units[name]
            if unit.crusade and name not in legates:
                yield Fault(stack.id, "off", {"stack": stack.id, "unit": unit.name})


@rule("legate.stack")
def legate_stack(scenario: Scenario) -> Iterator[Fault]:
    placed = [stack for stack in scenario.stacks if stack.legate]
    for stack in placed:
        if stack.side != "crusader":
            yield Fault(stack.id, "hussite", {"legate": _legates(scenario)[stack.legate], "stack": stack.id})
    if len(placed) > 1:
        yield Fault(placed[0].id, "twice", {"stacks": _stacks(placed)})


@rule("legate.crusade")
def legate_crusade(scenario: Scenario) -> Iterator[Fault]:
    placed = [stack.legate for stack in scenario.stacks if stack.legate]
    if placed and not scenario.crusade:
        yield Fault("crusade", "off", {"legate": _legates(scenario)[placed[0]]})
    if scenario.crusade and not placed:
        yield Fault("crusade", "none")


@rule("legate.unit")
def legate_unit(scenario: Scenario) -> Iterator[Fault]:
    for legate in scenario.pack.legates:
        for stack in scenario.stacks if legate.unit else ():
            values = {"legate": legate.name, "stack": stack.id, "unit": scenario.pack.units[legate.unit].name}
            if (legate.unit in stack.units) != (stack.legate == legate.id):
                yield Fault(stack.id, "missing" if stack.legate == legate.id else "stray", values)


@rule("legate.pile")
def legate_pile(scenario: Scenario) -> Iterator[Fault]:
    placed = {stack.legate for stack in scenario.stacks}
    for name, called in _legates(scenario).items():
        here = scenario.legates.count(name)
        if here > 1:
            yield Fault("legates", "twice", {"legate": called})
        if here and name in placed:
            yield Fault("legates", "placed", {"legate": called})
        if not here and name not in placed:
            yield Fault("legates", "missing", {"legate": called})


@rule("rout.turn")
def rout_turn(scenario: Scenario) -> Iterator[Fault]:
    for routed in scenario.routed:
        if routed.back != scenario.turn + 1:
            told = units_told(scenario.pack, routed.units)
            yield Fault("routed", "other", {"units": told, "back": routed.back, "want": scenario.turn + 1})


@rule("rout.units")
def rout_units(scenario: Scenario) -> Iterator[Fault]:
    for routed in scenario.routed:
        for unit in _foreign(scenario, routed.side, routed.units):
            values = {"unit": scenario.pack.units[unit].name, "side": side_name(routed.side)}
            yield Fault("routed", "foreign", values)


@rule("log.told")
def log(scenario: Scenario) -> Iterator[Fault]:
    shown = {*account(scenario), *fair_evidence(scenario.log)}
    return false_steps(scenario.log, words()["step"] | fair_steps(), shown)


def _foreign(scenario: Scenario, side: str, units: tuple[str, ...]) -> list[str]:
    """Which of the classes a side does not have."""
    return [unit for unit in dict.fromkeys(units) if side not in scenario.pack.units[unit].sides]


def _stacks(stacks: list[Stack]) -> Words:
    return joined([same(stack.id) for stack in stacks])


def _legates(scenario: Scenario) -> dict[str, Words]:
    return {legate.id: legate.name for legate in scenario.pack.legates}


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """Every rule, in the order of rules.toml."""
    return ruleset(rule)
