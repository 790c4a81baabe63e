"""Cover, arena, packing list and set-up: what a battle's kit opens with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from generator.games import logs
from generator.games.battling.arenas import house_arenas
from generator.games.battling.charts import dice
from generator.games.battling.ground import edge_name, opening
from generator.games.battling.mapsheet import SILHOUETTE, map_view, token
from generator.games.battling.orders import side_name
from generator.games.battling.scenario import PLAYERS, RANDOM, SIDES, Scenario, Side
from generator.games.battling.telling import arena_words, opening_words, squad_words
from generator.games.logs import Step
from generator.games.words import words
from generator.model.views import Figure, Legend, Sheet, Token
from generator.model.words import Words, joined, same
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
            "facts": [{"name": name, "value": value} for name, value in facts],
            "inside": list(dict.fromkeys(sheet.title for sheet in sheets)),
            "command": command,
            "files": [f"{f.name}  sha256 {f.sha256}" for f in scenario.origin.files.values()],
            "verdict": _verdict(report),
            "note": _note(scenario),
            "house": scenario.pack.source == "house",
        },
        figures={"map": map_view(scenario, small=True)},
    )


def _squad(scenario: Scenario, side: Side) -> Words:
    squad = scenario.squads[side]
    values = {"edge": edge_name(squad.edge), "machines": squad_words(scenario, squad)}
    return words("battling")["cover"]["machines"].fill(player=squad.player, **values)


def _note(scenario: Scenario) -> Words | None:
    """What the streets of a house arena ask of the players."""
    house = house_arenas().get(scenario.arena_name)
    return house.note if house and house.arena == scenario.arena else None


def _verdict(report: Report) -> Words:
    say = words("battling")["cover"]
    if report.illegal:
        return say["illegal"].fill(n=len(report.illegal))
    if report.unproved:
        return say["unproved"].fill(n=len(report.rules), m=len(report.unproved))
    return say["legal"].fill(n=len(report.rules))


def map_sheet(scenario: Scenario) -> Sheet:
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
            "crowded": len(scenario.machines) > CROWD,
            "squads": [_listed(scenario, side) for side in SIDES],
        },
        figures=figures,
        landscape=True,
    )


def _listed(scenario: Scenario, side: Side) -> dict[str, object]:
    """A side's machines where they start."""
    name, kinds = scenario.arena.field.name, scenario.pack.machines
    rows = [
        {"id": m.id, "name": kinds[m.kind].name, "at": name(m.cell), "hp": m.hp}
        for m in scenario.squads[side].machines
    ]
    return {"name": words("battling")["record"]["side"].fill(side=side_name(side)), "machines": rows}


def setup_sheet(scenario: Scenario) -> Sheet:
    """What to have at hand, and the set-up step by step as it was drawn."""
    say, setup = words("battling")["packing"], words("battling")["setup"]
    kinds = scenario.pack.machines
    figures: dict[str, Figure] = {f"{side}_{m.kind}": token(side, kinds[m.kind]) for side, m in scenario.machines}
    own = scenario.arena_name == RANDOM or "arena" in scenario.origin.files
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
                say["charts" if scenario.pack.source == "house" else "charts_own"].fill(name=scenario.pack.name),
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
    return {"name": side_name(side), "player": scenario.squads[side].player, "rows": rows, "n": counts.total()}


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a side together; without a log, what the scenario shows by itself."""
    say = words("battling")["setup"]
    who: dict[str, Words] = {side: say["side"].fill(side=side_name(side)) for side in SIDES}
    who |= {player: say["player"].fill(player=player) for player in PLAYERS}
    steps = scenario.log or tuple(account(scenario))
    return logs.checklist(steps, lambda step: _told(scenario, step), lambda name: who.get(name, same(name)))


def account(scenario: Scenario) -> Iterator[Step]:
    """What a scenario without a log shows."""
    yield Step("arena", None, "", (scenario.arena_name,))
    yield Step("points", None, "", (str(scenario.points),))
    for side in SIDES:
        squad = scenario.squads[side]
        yield Step("squad", squad.player, "", tuple(machine.kind for machine in squad.machines))
    yield Step("first", scenario.squads["first"].player, "", ())
    yield Step("edge", "second", "", (scenario.squads["second"].edge,))
    for side in ("second", "first"):
        told = tuple(f"{m.id} {scenario.arena.field.name(m.cell)}" for m in scenario.squads[side].machines)
        yield Step("deploy", side, "", told)


def _told(scenario: Scenario, step: Step) -> Words:
    """A step in words; the arena, machines and edges by their names."""
    say, kinds = words("battling")["setup"], scenario.pack.machines
    if step.what == "arena":
        return say["arena"].fill(name=arena_words(scenario))
    if step.what == "deploy":
        ids = {machine.id: kinds[machine.kind].name for _, machine in scenario.machines}
        return joined([_post(post, ids) for post in step.result])
    edges = {name: text for name, text in words("battling")["edge"].items() if step.what == "edge"}
    called = {kind: of.name for kind, of in kinds.items()} | edges
    if step.what == "squad":
        counts = Counter(step.result)
        return joined([_some(called.get(kind, same(kind)), n) for kind, n in counts.items()])
    return logs.told(step, say, lambda part: called.get(part, same(part)))


def _some(name: Words, count: int) -> Words:
    """So many of a kind of machine."""
    return words("battling")["setup"]["some"].fill(name=name, n=count) if count > 1 else name


def _post(post: str, names: dict[str, Words]) -> Words:
    """A machine on its hex, such as `F1 0112`."""
    unit, _, cell = post.partition(" ")
    return words("battling")["setup"]["post"].fill(id=unit, name=names.get(unit, same("")), hex=cell)
