"""What makes a march, the battle it leads to, and a siege legal, derived from the scenario alone."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.blind_faith.play.intercept import Chance, all_chances, defenders, going
from generator.games.blind_faith.play.marching import costs, gaps, movement, sound
from generator.games.blind_faith.scenario import Battle, March, Scenario
from generator.games.blind_faith.words import units_told
from generator.games.ruleset import RuleBook
from generator.rules.rule import Fault

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
