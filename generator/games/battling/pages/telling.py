"""A battle in words: a few lines for the terminal, and the phrases that its cover shares with them."""

from __future__ import annotations

from generator.games.battling.forces.machines import Pack
from generator.games.battling.ground.arenas import house_arena
from generator.games.battling.ground.lawful import edge_name, opening
from generator.games.battling.play.orders import side_name
from generator.games.battling.scenario import RANDOM, SIDES, Scenario, Squad
from generator.games.whose import is_owners
from generator.games.words import words
from generator.model.words import Words, joined


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say, field = words("battling")["story"], scenario.arena.field
    size = {"columns": field.columns, "rows": field.rows}
    values = {"title": scenario.title, "arena": arena_words(scenario), "points": scenario.points}
    lines = [say["arena"].fill(turns=scenario.turns, **values, **size)]
    for side in SIDES:
        squad = scenario.squads[side]
        told = {"side": side_name(side), "player": squad.player, "edge": edge_name(squad.edge)}
        lines.append(say["squad"].fill(machines=squad_words(scenario, squad), **told))
    return [*lines, opening_words(scenario)]


def arena_words(scenario: Scenario) -> Words:
    """Which arena it is."""
    say = words("battling")["story"]
    if scenario.arena_name == RANDOM:
        return say["random"]
    if house := house_arena(scenario.arena):
        return say["house"].fill(name=house.name)
    return say["own"].fill(name=scenario.arena_name) if "arena" in scenario.origin.files else say["drawn"]


def charts_called(pack: Pack) -> Words:
    """What the charts are called, and that they are an owner's where they are."""
    return words("battling")["packing"]["own"].fill(name=pack.name) if is_owners(pack) else pack.name


def squad_words(scenario: Scenario, squad: Squad) -> Words:
    """A squad's machines with their hexes."""
    say, name = words("battling")["story"]["machine"], scenario.arena.field.name
    kinds = scenario.pack.machines
    return joined([say.fill(name=kinds[m.kind].name, id=m.id, hex=name(m.cell)) for m in squad.machines])


def opening_words(scenario: Scenario) -> Words:
    """How much of the two edges is in sight before the first move."""
    seen = opening(scenario.arena, scenario.squads["second"].edge)
    return words("battling")["story"]["opening"].fill(percent=seen.percent)
