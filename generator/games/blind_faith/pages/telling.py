"""A scenario in lines: for the terminal, and for the sheets that tell what was drawn."""

from __future__ import annotations

from generator.games.blind_faith.fairness import TABLES
from generator.games.blind_faith.forces.units import SIDES, Legate, Side
from generator.games.blind_faith.ground.maps import DrawnMap, house_maps
from generator.games.blind_faith.numbers import play
from generator.games.blind_faith.scenario import Scenario, Stack
from generator.games.blind_faith.wishes import RANDOM
from generator.games.blind_faith.words import hex_told, side_name, units_told, words
from generator.games.fairsearch import fair_names, fair_steps
from generator.games.logs import Step, told
from generator.model.words import Words, joined, same


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say, kind = words()["story"], words()["kind"][scenario.kind]
    values = {"kind": kind, "turn": scenario.turn, "map": map_name(scenario)}
    lines = [say["head"].fill(title=scenario.title, **values)]
    for side in SIDES:
        count = sum(stack.side == side for stack in scenario.stacks)
        lines.append(say["side"].fill(side=side_name(side), army=army_told(scenario, side), n=count))
    return [*lines, *_action(scenario), crusade_told(scenario)]


def map_name(scenario: Scenario) -> Words:
    """A house map by its title; whose hand drew the others."""
    say = words()["map"]
    if scenario.map == RANDOM:
        return say["random"]
    if house := _house_map(scenario):
        return say["house"].fill(name=house.name)
    return say["own"].fill(name=scenario.map) if "map" in scenario.origin.files else say["hand"]


def map_is_ours(scenario: Scenario) -> bool:
    """Whether its map is a house map or a random one, not a user's."""
    return scenario.map == RANDOM or _house_map(scenario) is not None


def _house_map(scenario: Scenario) -> DrawnMap | None:
    """The house map that it is played on: the one with its land, whatever the file is called, or its code's."""
    alike = (house for house in house_maps().values() if house.map == scenario.land)
    return next(alike, house_maps().get(scenario.map) if scenario.origin.code else None)


def army_told(scenario: Scenario, side: Side) -> Words:
    """What a side was drawn from, and what it costs."""
    army = play().armies[scenario.armies[side]]
    return words()["cover"]["army"].fill(army=army.name, points=scenario.pack.points(scenario.units_of(side)))


def beside(scenario: Scenario) -> list[Legate]:
    """The legates whose counters lie ready: who is on the map and who may be drawn, but for units of a stack."""
    there = {stack.legate for stack in scenario.stacks} | set(scenario.legates)
    placed = {unit for stack in scenario.stacks for unit in stack.units}
    return [legate for legate in scenario.pack.legates if legate.id in there and legate.unit not in placed]


def stack_told(scenario: Scenario, stack: Stack) -> Words:
    """A stack: where it stands, what it is made of, and who is with it."""
    say = words()["stack"]
    who = [play().leaders[stack.leader].name] if stack.leader else []
    who += [legate.name for legate in scenario.pack.legates if legate.id == stack.legate]
    line = say["line"].fill(
        stack=stack.id, hex=hex_told(scenario.land, stack.hex), units=units_told(scenario.pack, stack.units)
    )
    return say["led"].fill(line=line, who=joined(who)) if who else line


def places_told(scenario: Scenario) -> Words:
    """The places of the map by their hexes."""
    land, at = scenario.land, words()["map"]["place"]
    return joined([at.fill(hex=land.name(cell), place=place.name) for cell, place in land.places.items()])


def crusade_told(scenario: Scenario) -> Words:
    """Whether a crusade is on, with its legate; otherwise who would be the next."""
    say = words()["story"]
    names = {legate.id: legate.name for legate in scenario.pack.legates}
    placed = [stack.legate for stack in scenario.stacks if stack.legate]
    if scenario.crusade and placed:
        return say["crusade_on"].fill(legate=names[placed[0]])
    if scenario.legates and not scenario.crusade:
        return say["crusade_off"].fill(legate=names[scenario.legates[0]])
    return say["crusade_none"]


def step_told(scenario: Scenario, step: Step) -> Words:
    """A step of the log in words."""
    return told(step, words()["step"] | fair_steps(), lambda part: _called(scenario, part))


def _action(scenario: Scenario) -> list[Words]:
    """The battle or the siege."""
    say, land = words()["story"], scenario.land
    if battle := scenario.battle:
        counts = {
            key: len(force.front) + len(force.reserve)
            for key, force in (("attack", battle.attack), ("defence", battle.defence))
        }
        values = {"defender": battle.defender, "attacker": scenario.active.id, "hex": hex_told(land, battle.hex)}
        return [say["battle"].fill(**values, **counts)]
    if siege := scenario.siege:
        where = hex_told(land, scenario.stack(siege.garrison).hex)
        boxes = {"bombard": len(siege.bombard), "storm": len(siege.storm)}
        return [say["siege"].fill(besieger=siege.besieger, garrison=siege.garrison, hex=where, **boxes)]
    return []


def _called(scenario: Scenario, part: str) -> Words:
    """What a part of a step's result is called."""
    if part == scenario.map:
        return map_name(scenario)
    pack, count = scenario.pack, part.split(" ")
    if len(count) == 2 and count[1] in pack.units:
        return words()["units"]["some"].fill(unit=pack.units[count[1]].name, n=count[0])
    named = {legate.id: legate.name for legate in pack.legates} | {wall.id: wall.name for wall in pack.walls}
    named |= {army.id: army.name for army in play().army} | {leader.id: leader.name for leader in play().leader}
    named |= words()["kind"] | words()["cover"] | fair_names(TABLES)
    return named.get(part, same(part))
