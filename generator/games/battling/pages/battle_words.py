"""Describe a battle in a few lines, for the terminal and the cover."""

from __future__ import annotations

from generator.games.battling.ground import edge_name, house_arena, opening_of
from generator.games.battling.model import (
    RANDOM,
    SIDES,
    Scenario,
    Squad,
    side_name,
)
from generator.games.battling.tables import words
from generator.model.words import Words, joined


def story(scenario: Scenario) -> list[Words]:
    """Return a summary of the scenario in a few lines."""
    texts, field = words()["story"], scenario.arena.field
    size = {"columns": field.columns, "rows": field.rows}
    values = {"title": scenario.title, "arena": arena_words(scenario), "points": points_words(scenario)}
    lines = [texts["arena"].fill(turns=scenario.turns, **values, **size)]
    for side in SIDES:
        squad = scenario.squads[side]
        squad_values = {"side": side_name(side), "player": squad.player, "edge": edge_name(squad.edge)}
        line = texts["squad_fixed" if scenario.fixed else "squad"]
        lines.append(line.fill(machines=squad_words(scenario, squad), **squad_values))
    return [*lines, opening_words(scenario)]


def points_words(scenario: Scenario) -> Words:
    """Describe the points of the squads, with a single number if they are equal."""
    texts, costs = words()["story"], scenario.costs
    if costs["first"] == costs["second"]:
        return texts["even"].fill(points=costs["first"])
    return texts["uneven"].fill(first=costs["first"], second=costs["second"])


def arena_words(scenario: Scenario) -> Words:
    """Return the arena's name."""
    texts = words()["story"]
    if scenario.arena_name == RANDOM:
        return texts["random"]
    if house := house_arena(scenario.arena):
        return texts["house"].fill(name=house.name)
    return texts["own"].fill(name=scenario.arena_name) if "arena" in scenario.origin.files else texts["drawn"]


def squad_words(scenario: Scenario, squad: Squad, *, with_names: bool = True) -> Words:
    """Describe a squad's machines and their hexes."""
    texts, name = words()["story"]["machine"], scenario.arena.field.name
    kinds = scenario.pack.machines
    return joined(
        [
            texts.fill(name=kinds[m.kind].name, id=m.label if with_names else m.id, hex=name(m.cell))
            for m in squad.machines
        ]
    )


def opening_words(scenario: Scenario) -> Words:
    """Describe the view between the edges, or between enemies if the set-up is prescribed."""
    if scenario.fixed:
        first, second = (scenario.squads[side].machines for side in SIDES)
        sighted = sum(scenario.arena.in_sight(machine.cell, enemy.cell) for machine in first for enemy in second)
        return words()["story"]["fixed"].fill(n=sighted, m=len(first) * len(second))
    seen = opening_of(scenario.arena, scenario.squads["second"].edge)
    return words()["story"]["opening"].fill(percent=seen.percent)
