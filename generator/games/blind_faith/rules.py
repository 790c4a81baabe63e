"""What makes a scenario legal, derived from the scenario alone.

What makes a march, the battle it leads to, and a siege legal, derived from the scenario alone.

What makes a Blind Faith scenario legal, derived from the scenario alone: the map, stacks and armies, legates.

Marches, battles and sieges have theirs in actions.py.

What is legal, derived from the scenario alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from generator.common.scenario_file import false_steps
from generator.common.search import fair_evidence, fair_steps
from generator.common.tables import RuleBook, ruleset
from generator.games.blind_faith.ground import costs, gaps, movement, side_name, sound, units_told, words
from generator.games.blind_faith.interception import Chance, all_chances, defenders, going
from generator.games.blind_faith.model import Battle, March, Scenario, Stack, account, numbers
from generator.games.blind_faith.tables import SIDES
from generator.grid.hexes import Hex
from generator.model.words import Words, joined, same
from generator.rules import Fault, Rule

rule = RuleBook("blind_faith/rules.toml")


@rule("march.path")
def march_path(scenario: Scenario) -> Iterator[Fault]:
    land = scenario.land
    if not (march := scenario.march):
        return
    start = scenario.stack(march.stack).hex
    if len(march.path) < 2:
        yield Fault(march.stack, "short", {"stack": march.stack})
    if march.path and march.path[0] != start:
        values = {"stack": march.stack, "hex": land.name(march.path[0]), "start": land.name(start)}
        yield Fault(march.stack, "elsewhere", values)
    for a, b in gaps(march.path):
        yield Fault(march.stack, "gap", {"a": land.name(a), "b": land.name(b)})
    for cell in dict.fromkeys(march.path[1:]):
        if not land.passable(cell):
            yield Fault(march.stack, "impassable", {"hex": land.name(cell), "ground": land.terrain(cell).name})


@rule("march.movement")
def march_movement(scenario: Scenario) -> Iterator[Fault]:
    march = scenario.march
    if not march or not sound(scenario.land, march.path):
        return
    have = movement(scenario.pack, scenario.stack(march.stack).units)
    cost = costs(scenario.land, march.path)[-1]
    if cost > have:
        yield Fault(march.stack, "dear", {"cost": cost, "stack": march.stack, "have": have})


@rule("intercept.point")
def intercept_point(scenario: Scenario) -> Iterator[Fault]:
    for battle, march in _met(scenario):
        if battle.hex not in march.path[1:]:
            yield Fault("battle", "off", {"hex": scenario.land.name(battle.hex)})
        if scenario.stack(battle.defender).side == scenario.stack(march.stack).side:
            yield Fault("battle", "friend", {"stack": battle.defender})


@rule("intercept.units")
def intercept_units(scenario: Scenario) -> Iterator[Fault]:
    for battle, _ in _met(scenario):
        stack = scenario.stack(battle.defender)
        # Who is marched upon where he stands does not intercept: he defends, with infantry alone too.
        if battle.hex != stack.hex and not going(scenario.pack, stack.units):
            yield Fault("battle", "unable", {"stack": battle.defender})


@rule("intercept.first")
def intercept_first(scenario: Scenario) -> Iterator[Fault]:
    for chance in _meeting(scenario):
        if chance.verdict in ("tie", "late"):
            values = {"stack": chance.stack, "hex": scenario.land.name(chance.hex)}
            yield Fault("battle", chance.verdict, {**values, "cost": chance.cost, "mover": chance.mover})


@rule("intercept.reach")
def intercept_reach(scenario: Scenario) -> Iterator[Fault]:
    for chance in _meeting(scenario):
        if chance.verdict == "far":
            values = {"stack": chance.stack, "hex": scenario.land.name(chance.hex), "have": chance.movement}
            yield Fault("battle", "far", values)


@rule("battle.units")
def battle_units(scenario: Scenario) -> Iterator[Fault]:
    for battle, march in _met(scenario):
        stack = scenario.stack(battle.defender)
        wanted = {
            march.stack: (battle.attack, scenario.stack(march.stack).units),
            stack.id: (battle.defence, defenders(scenario.pack, stack, battle.hex)),
        }
        for name, (force, want) in wanted.items():
            yield from _other(scenario, name, (*force.front, *force.reserve), want)


@rule("battle.front")
def battle_front(scenario: Scenario) -> Iterator[Fault]:
    for battle, _ in _met(scenario):
        have, units = len(battle.attack.front), len(battle.attack.front) + len(battle.attack.reserve)
        want = min(scenario.pack.boxes, units)
        if have != want:
            yield Fault("battle", "boxes", {"have": have, "want": want})


@rule("battle.line")
def battle_line(scenario: Scenario) -> Iterator[Fault]:
    for battle, _ in _met(scenario):
        there = defenders(scenario.pack, scenario.stack(battle.defender), battle.hex)
        if there and not battle.defence.front:
            yield Fault("battle", "nobody", {"stack": battle.defender})


@rule("siege.place")
def siege_place(scenario: Scenario) -> Iterator[Fault]:
    if not (siege := scenario.siege):
        return
    besieger, garrison = scenario.stack(siege.besieger), scenario.stack(siege.garrison)
    named, name = {"besieger": besieger.id, "garrison": garrison.id}, scenario.land.name
    if garrison.hex not in scenario.land.places:
        yield Fault("siege", "open", {"hex": name(garrison.hex)})
    if besieger.hex != garrison.hex:
        yield Fault("siege", "apart", {**named, "a": name(besieger.hex), "b": name(garrison.hex)})
    if besieger.side == garrison.side:
        yield Fault("siege", "friend", named)


@rule("siege.units")
def siege_units(scenario: Scenario) -> Iterator[Fault]:
    if siege := scenario.siege:
        have = (*siege.bombard, *siege.storm, *siege.reserve)
        yield from _other(scenario, siege.besieger, have, scenario.stack(siege.besieger).units)


@rule("siege.bombard")
def siege_bombard(scenario: Scenario) -> Iterator[Fault]:
    for name in dict.fromkeys(scenario.siege.bombard if scenario.siege else ()):
        unit = scenario.pack.units[name]
        if not unit.bombards:
            yield Fault("siege", "unable", {"unit": unit.name})


@rule("siege.boxes")
def siege_boxes(scenario: Scenario) -> Iterator[Fault]:
    if (siege := scenario.siege) and not siege.bombard and not siege.storm:
        yield Fault("siege", "idle", {"stack": siege.besieger})


def _met(scenario: Scenario) -> Iterator[tuple[Battle, March]]:
    """The battle with the march that it ends, where there are both."""
    if scenario.battle and scenario.march:
        yield scenario.battle, scenario.march


def _meeting(scenario: Scenario) -> Iterator[Chance]:
    """The chance that the interceptor took: of several visits to the hex, the last one leaves the most time."""
    if battle := scenario.battle:
        taken = [c for c in all_chances(scenario) if (c.stack, c.hex) == (battle.defender, battle.hex)]
        yield from taken[-1:]


def _other(scenario: Scenario, where: str, have: tuple[str, ...], want: tuple[str, ...]) -> Iterator[Fault]:
    """Where units are not those that should be there."""
    pack = scenario.pack
    if pack.line(have) != pack.line(want):
        told = {"have": units_told(pack, pack.line(have)), "want": units_told(pack, pack.line(want))}
        yield Fault(where, "other", {"stack": where, **told})


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
    for leader in numbers().leader:
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
