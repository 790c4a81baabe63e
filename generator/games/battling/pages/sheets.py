"""Cover, arena, packing list and set-up: what a battle's kit opens with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from generator.games.battling.fairness import FAIRNESS
from generator.games.battling.forces.charts import dice
from generator.games.battling.ground.arenas import house_arena
from generator.games.battling.ground.lawful import edge_name, opening
from generator.games.battling.pages.checklist import checklist
from generator.games.battling.pages.mapsheet import SILHOUETTE, arena_view, map_view, token
from generator.games.battling.pages.spans import large, sections
from generator.games.battling.pages.telling import arena_words, opening_words, squad_words
from generator.games.battling.play.orders import side_name
from generator.games.battling.scenario import RANDOM, SIDES, Scenario, Side
from generator.games.covers import cover_view
from generator.games.fairness import graded_line
from generator.games.whose import Part, credits_of, is_owners
from generator.games.words import words
from generator.model.views import Figure, Legend, Sheet, Token
from generator.model.words import Words, same
from generator.rules.rule import Report

CROWD = 8
"""With more machines than this their rows beside the map are lower."""


def cover(scenario: Scenario, report: Report, stamp: str, command: str, sheets: Iterable[Sheet]) -> Sheet:
    """The cover: the arena, the battle at a glance, and the command that makes the kit again."""
    say = words("battling")["cover"]
    facts = [
        (say["arena"], arena_words(scenario)),
        *((say[side], _squad(scenario, side)) for side in SIDES),
        (say["points"], same(scenario.points)),
        (say["turns"], same(scenario.turns)),
        (say["opening"], opening_words(scenario)),
        (say["win"], say["victory"]),
        (say["code"] if scenario.origin.code else say["content"], same(stamp)),
    ]
    return Sheet(
        part="cover",
        title=scenario.title,
        template="battling/cover.xml",
        view={
            **cover_view(scenario, report, command, sheets, facts),
            "note": _note(scenario),
            "content": _content(scenario),
        },
        figures={"map": map_view(scenario, small=True)},
    )


def _squad(scenario: Scenario, side: Side) -> Words:
    squad = scenario.squads[side]
    values = {"edge": edge_name(squad.edge), "machines": squad_words(scenario, squad)}
    return words("battling")["cover"]["machines"].fill(player=squad.player, **values)


def _note(scenario: Scenario) -> Words | None:
    """What the streets of a house arena ask of the players."""
    house = house_arena(scenario.arena)
    return house.note if house else None


def _content(scenario: Scenario) -> list[Words]:
    """Whose arena and charts are."""
    say, files = words("battling")["cover"], scenario.origin.files
    ours = scenario.arena_name == RANDOM or house_arena(scenario.arena)
    names = {wish: file.name for wish, file in files.items()}
    parts = [
        Part(say["arena_part"], not ours, names.get("arena", "")),
        Part(say["charts_part"], is_owners(scenario.pack), names.get("charts", "")),
    ]
    return credits_of(parts, say["house"])


def map_sheet(scenario: Scenario, report: Report | None = None) -> Sheet:
    """The arena on a page of its own with both squads on it, and their hit points beside it."""
    kinds = scenario.pack.machines
    view = map_view(scenario)
    # The machines stand beside the map by themselves.
    grounds = tuple(row for row in view.legend if not isinstance(row.sample, Token))
    building = Legend(SILHOUETTE, words("battling")["map"]["building"])
    figures: dict[str, Figure] = {"map": replace(view, legend=(*grounds, building))}
    figures |= {m.id: token(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines}
    return Sheet(
        part="map",
        title=words("battling")["map"]["title"],
        template="battling/map.xml",
        view={
            "turns": scenario.turns,
            "graded": graded_line(FAIRNESS, scenario, report),
            "crowded": len(scenario.machines) > CROWD,
            "squads": [_listed(scenario, side) for side in SIDES],
        },
        figures=figures,
        landscape=True,
    )


def section_sheets(scenario: Scenario) -> list[Sheet]:
    """A large arena once more in parts, so that its numbers can be read; none of any other."""
    field, say, kinds = scenario.arena.field, words("battling")["map"], scenario.pack.machines
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in scenario.machines)
    return [
        Sheet(
            part="map",
            title=say["parts"],
            template="battling/section.xml",
            view={"span": say["section"].fill(first=field.name(span.first), last=field.name(span.last))},
            figures={"map": arena_view(scenario.arena, tokens, span)},
            landscape=True,
        )
        for span in (sections(field) if large(field) else ())
    ]


def _listed(scenario: Scenario, side: Side) -> dict[str, object]:
    """A side's machines where they start."""
    name, kinds = scenario.arena.field.name, scenario.pack.machines
    rows = [
        {"id": m.id, "name": kinds[m.kind].name, "at": name(m.cell), "hp": m.hp}
        for m in scenario.squads[side].machines
    ]
    say, edge = words("battling"), edge_name(scenario.squads[side].edge)
    return {"name": say["map"]["squad"].fill(player=say["cover"][side], edge=edge), "machines": rows}


def setup_sheet(scenario: Scenario) -> Sheet:
    """What to have at hand, and the set-up step by step as it was drawn."""
    say, setup = words("battling")["packing"], words("battling")["setup"]
    kinds = scenario.pack.machines
    figures: dict[str, Figure] = {f"{side}_{m.kind}": token(side, kinds[m.kind]) for side, m in scenario.machines}
    own = house_arena(scenario.arena) is None and (scenario.arena_name == RANDOM or "arena" in scenario.origin.files)
    return Sheet(
        part="setup",
        title=words("battling")["part"]["setup"],
        template="battling/setup.xml",
        view={
            "squads": [_packed(scenario, side) for side in SIDES],
            "also": [
                say["map_own" if own else "map"].fill(name=arena_words(scenario)),
                say["tokens"],
                say["dice"].fill(n=dice().die),
                say["pencils"],
                say["charts" if not is_owners(scenario.pack) else "charts_own"].fill(name=scenario.pack.name),
            ],
            "heading": setup["title" if scenario.log else "by_hand"],
            "intro": setup["intro" if scenario.log else "read"],
            "groups": checklist(scenario),
            "edges": [_edge(scenario, side) for side in ("second", "first")],
            "note": setup["streams"] if scenario.origin.code else None,
        },
        figures=figures,
        pages=2,
    )


def _edge(scenario: Scenario, side: Side) -> dict[str, object]:
    """The hexes from which a side may start, and those that nothing of the edge across sees."""
    edge, name = scenario.squads[side].edge, scenario.arena.field.name
    seen = opening(scenario.arena, edge)
    return {
        "name": words("battling")["setup"]["edge_of"].fill(edge=edge_name(edge), side=side_name(side)),
        "cells": " ".join(map(name, seen.cells)),
        "covered": " ".join(map(name, seen.covered)) or "–",
    }


def _packed(scenario: Scenario, side: Side) -> dict[str, object]:
    counts = Counter(machine.kind for machine in scenario.squads[side].machines)
    kinds = scenario.pack.machines
    rows = [
        {"token": f"{side}_{kind}", "name": kinds[kind].name, "n": n, "points": n * kinds[kind].points}
        for kind, n in counts.items()
    ]
    name = words("battling")["cover"][side]
    return {"name": name, "player": scenario.squads[side].player, "rows": rows, "n": counts.total()}
