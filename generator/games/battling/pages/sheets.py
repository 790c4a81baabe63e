"""The kit's sheets, from the cover to what may be seen at the start.

A battle in words: a few lines for the terminal, and the phrases that its cover shares with them.

The draw as a checklist: what happened, in the order in which the players do it.

The sight page: from the hex where each machine starts, what it sees and what of it is in range.

Cover, arena, packing list and set-up: what a battle's kit opens with.

Everything that is printed for a battle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.common import scenario_file
from generator.common.fairness import graded_line
from generator.common.interpretations import stakes, weighed
from generator.common.pages import Cover, audit_sheet, covered
from generator.common.scenario_file import Step
from generator.common.search import fair_names, fair_steps
from generator.common.whose import Part, credits_of, is_owners
from generator.games.battling.fairness import FAIRNESS, TABLES
from generator.games.battling.forces import MachineKind
from generator.games.battling.ground import edge_name, house_arena, opening_of
from generator.games.battling.maps import (
    SILHOUETTE,
    arena_view,
    large,
    locator,
    map_view,
    round_about,
    sections,
    sheet_file,
    token,
)
from generator.games.battling.model import (
    OTHER,
    PLAYERS,
    RANDOM,
    SIDES,
    Machine,
    Scenario,
    Side,
    Squad,
    set_up,
    side_name,
)
from generator.games.battling.pages.reference import (
    NO,
    battle_poster,
    battle_tokens,
    record_sheets,
    reference_sheet,
    spans,
)
from generator.games.battling.play import Standing, opening, own_stakes
from generator.games.battling.prospects import Duel, machine_lines
from generator.games.battling.rules import rules
from generator.games.battling.tables import dice, switches, words
from generator.grid.columns import Numbered, distance
from generator.model.views import Figure, Kit, Later, Legend, MapView, Ray, Shade, Sheet, Token
from generator.model.words import Words, joined, same
from generator.rules import Report
from generator.symbols.pictograms import number
from generator.symbols.shapes import aspect


def story(scenario: Scenario) -> list[Words]:
    """What was drawn, in a few lines."""
    say, field = words()["story"], scenario.arena.field
    size = {"columns": field.columns, "rows": field.rows}
    values = {"title": scenario.title, "arena": arena_words(scenario), "points": points_words(scenario)}
    lines = [say["arena"].fill(turns=scenario.turns, **values, **size)]
    for side in SIDES:
        squad = scenario.squads[side]
        told = {"side": side_name(side), "player": squad.player, "edge": edge_name(squad.edge)}
        line = say["squad_fixed" if scenario.fixed else "squad"]
        lines.append(line.fill(machines=squad_words(scenario, squad), **told))
    return [*lines, opening_words(scenario)]


def points_words(scenario: Scenario) -> Words:
    """What the squads come to: one sum where it is the same."""
    say, costs = words()["story"], scenario.costs
    if costs["first"] == costs["second"]:
        return say["even"].fill(points=costs["first"])
    return say["uneven"].fill(first=costs["first"], second=costs["second"])


def arena_words(scenario: Scenario) -> Words:
    """Which arena it is."""
    say = words()["story"]
    if scenario.arena_name == RANDOM:
        return say["random"]
    if house := house_arena(scenario.arena):
        return say["house"].fill(name=house.name)
    return say["own"].fill(name=scenario.arena_name) if "arena" in scenario.origin.files else say["drawn"]


def squad_words(scenario: Scenario, squad: Squad, *, named: bool = True) -> Words:
    """A squad's machines with their hexes."""
    say, name = words()["story"]["machine"], scenario.arena.field.name
    kinds = scenario.pack.machines
    return joined(
        [say.fill(name=kinds[m.kind].name, id=m.called if named else m.id, hex=name(m.cell)) for m in squad.machines]
    )


def opening_words(scenario: Scenario) -> Words:
    """How much of the edges is in sight before the first move; of a set-up decided in advance, how many enemies."""
    if scenario.fixed:
        first, second = (scenario.squads[side].machines for side in SIDES)
        sighted = sum(scenario.arena.in_sight(own.cell, enemy.cell) for own in first for enemy in second)
        return words()["story"]["fixed"].fill(n=sighted, m=len(first) * len(second))
    seen = opening_of(scenario.arena, scenario.squads["second"].edge)
    return words()["story"]["opening"].fill(percent=seen.percent)


def checklist(scenario: Scenario) -> list[dict[str, object]]:
    """Groups of steps, consecutive ones of a side together; without a log, what the scenario shows by itself."""
    say = words()["setup"]
    who: dict[str, Words] = {side: say["side"].fill(side=side_name(side)) for side in SIDES}
    who |= {player: say["player"].fill(player=player) for player in PLAYERS}
    steps = scenario.log or tuple(account(scenario))
    return scenario_file.checklist(steps, lambda step: _told(scenario, step), lambda name: who.get(name, same(name)))


def account(scenario: Scenario) -> Iterator[Step]:
    """What a scenario without a log shows."""
    yield Step("arena", None, "", (scenario.arena_name,))
    if scenario.points is not None:
        yield Step("points", None, "", (str(scenario.points),))
    for side in SIDES:
        squad = scenario.squads[side]
        yield Step("squad", squad.player, "", tuple(machine.kind for machine in squad.machines))
    yield Step("first", scenario.squads["first"].player, "", ())
    if not scenario.fixed:
        yield Step("edge", "second", "", (scenario.squads["second"].edge,))
    yield from (set_up(scenario, side) for side in reversed(SIDES))


def _told(scenario: Scenario, step: Step) -> Words:
    """A step in words; the arena, machines and edges by their names."""
    say, kinds = words()["setup"], scenario.pack.machines
    if step.what == "arena":
        return say["arena"].fill(name=arena_words(scenario))
    if step.what == "deploy":
        return joined([_post(scenario, post) for post in step.result])
    edges = {name: text for name, text in words()["edge"].items() if step.what == "edge"}
    called = fair_names(TABLES) | {kind: of.name for kind, of in kinds.items()} | edges
    if step.what == "squad":
        counts = Counter(step.result)
        names = {kind: called.get(kind, same(kind)) for kind in counts}
        return joined([say["some"].fill(name=names[k], n=n) if n > 1 else names[k] for k, n in counts.items()])
    if step.what == "points" and len({*scenario.costs.values()}) > 1:
        return scenario_file.stated(step, {"points": say["points_most"]}, same)
    return scenario_file.stated(step, say | fair_steps(), lambda part: called.get(part, same(part)))


def _post(scenario: Scenario, post: str) -> Words:
    """A machine on its hex, such as `F1 0112`."""
    unit, _, cell = post.partition(" ")
    machine = next((machine for _, machine in scenario.machines if machine.id == unit), None)
    name = scenario.pack.machines[machine.kind].name if machine else same("")
    return words()["setup"]["post"].fill(id=machine.called if machine else unit, name=name, hex=cell)


IN_RANGE, FAR = "cover", "seen"
"""How hexes are shaded that a machine sees in range, and out of range."""


class _Looks(NamedTuple):
    """How the maps of all machines stand on their pages."""

    most: int
    """So many machines at most."""
    across: int
    size: int
    """So many on a page."""
    tall: int
    """The height of a map in mm."""


_LOOKS = (_Looks(2, 1, 2, 94), _Looks(4, 2, 4, 84), _Looks(6, 2, 6, 58), _Looks(9, 3, 9, 55))
"""From few to many; still more stand as six do, page after page, so that none is left with a single row."""


class Sighting(Struct, frozen=True):
    """What a machine sees from where it starts, of the hexes that may be entered."""

    side: Side
    machine: Machine
    near: tuple[Numbered, ...]
    """In sight and in its range."""
    far: tuple[Numbered, ...]
    """In sight, out of its range."""
    hidden: tuple[Numbered, ...]


def looks(scenario: Scenario) -> tuple[Sighting, ...]:
    """The look of every machine, the first player's first."""
    return tuple(_look(scenario, side, machine) for side, machine in scenario.machines)


def _look(scenario: Scenario, side: Side, machine: Machine) -> Sighting:
    arena, pack = scenario.arena, scenario.pack
    cells = [cell for cell in arena.open_cells if cell != machine.cell]
    seen = [cell for cell in cells if arena.in_sight(machine.cell, cell)]
    near = tuple(cell for cell in seen if pack.number(machine.kind, distance(machine.cell, cell)))
    far = tuple(cell for cell in seen if not pack.number(machine.kind, distance(machine.cell, cell)))
    hidden = tuple(cell for cell in cells if not arena.in_sight(machine.cell, cell))
    return Sighting(side, machine, near, far, hidden)


def look_view(scenario: Scenario, look: Sighting) -> MapView:
    """A small map of what is seen, with a line to each enemy and the place where it is stopped.

    Of a large arena it shows the hexes round the machine, as far as it can shoot.
    """
    kinds, field = scenario.pack.machines, scenario.arena.field
    start = look.machine.cell
    enemies = scenario.squads[OTHER[look.side]].machines
    counters = [(look.side, look.machine), *((OTHER[look.side], enemy) for enemy in enemies)]
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in counters)
    reach = min(scenario.pack.range, sheet_file().around)
    span = round_about(field, start, reach) if large(field) else None
    view = arena_view(scenario.arena, tokens, span)
    seen = (
        (name, tuple(c for c in cells if c in view.grid)) for name, cells in ((IN_RANGE, look.near), (FAR, look.far))
    )
    shades = tuple(Shade(name, cells) for name, cells in seen if cells)
    there = (enemy.cell for enemy in enemies if enemy.cell in view.grid)
    rays = tuple(_ray(scenario, start, cell) for cell in there if cell != start)
    return replace(view, names=False, shades=shades, rays=rays)


def _ray(scenario: Scenario, start: Numbered, end: Numbered) -> Ray:
    met = scenario.arena.sight(start, end).blocked_at
    return Ray(start, end, stop_at=(float(met[0]), float(met[1])) if met else None)


def sight_sheet(scenario: Scenario) -> Sheet:
    """What each machine sees before the first move, and the distances between all of them."""
    say, found = words()["looks"], looks(scenario)
    figures: dict[str, Figure] = {look.machine.id: look_view(scenario, look) for look in found}
    key = (Legend(IN_RANGE, say["near"]), Legend(FAR, say["far"]), Legend("ray", say["ray"]))
    figures["key"] = replace(arena_view(scenario.arena), names=False, legend=(*key, Legend("break", say["break"])))
    layout = next((layout for layout in _LOOKS if len(found) <= layout.most), _LOOKS[2])
    return Sheet(
        part="sight",
        title=say["title"],
        template="battling/looks.xml",
        view={
            "across": layout.across,
            "around": say["around"] if large(scenario.arena.field) else None,
            "size": layout.size,
            "tall": layout.tall,
            "rows": [_row(scenario, look) for look in found],
            "heads": [machine.id for machine in scenario.squads["second"].machines],
            "table": [_distances(scenario, machine) for machine in scenario.squads["first"].machines],
        },
        figures=figures,
        pages=max(-(-len(found) // layout.size), 1),
    )


def _row(scenario: Scenario, look: Sighting) -> dict[str, object]:
    say, machine = words()["looks"], look.machine
    seen, whole = len(look.near) + len(look.far), len(look.near) + len(look.far) + len(look.hidden)
    kind = scenario.pack.machines[machine.kind]
    return {
        "id": machine.id,
        "head": say["head"].fill(id=machine.called, name=kind.name, hex=scenario.arena.field.name(machine.cell)),
        "sees": say["sees"].fill(n=seen, m=whole, near=len(look.near)),
    }


def _distances(scenario: Scenario, machine: Machine) -> dict[str, object]:
    """How far the second player's machines are from one of the first player's, and whether they see each other."""
    say, arena = words()["looks"], scenario.arena
    cells = []
    for enemy in scenario.squads["second"].machines:
        ends = machine.cell, enemy.cell
        far, where = distance(*ends), arena.stopped_in(*ends, arena.sight(*ends))
        cells.append(say["hidden"].fill(n=far, hex=arena.field.name(where[0])) if where else say["open"].fill(n=far))
    return {"id": machine.id, "cells": cells}


VALUES = (-1, 0, 1)
"""At how many sixths of a hit point a hex is drawn another way: what it is worth, the worst first."""
WORTH = ("danger3", "danger2", "gain1", "gain2")
HIGH, MIDDLE, FEW = 84, 62, 4
"""How tall such a map is, in mm, for so many machines and for more."""


def odds_cards(scenario: Scenario) -> Iterator[Sheet]:
    """A card for each player: what each of his machines deals and takes by hex, and what it can do now."""
    say, duel = words()["prospects"], Duel(opening(scenario))
    key = (say["worse"], say["bad"], say["even"], say["good"])
    for side in SIDES:
        own = duel.position.side(side)
        figures: dict[str, Figure] = {machine.id: _worth_view(scenario, duel, machine) for machine in own}
        legend = tuple(Legend(look, text) for look, text in zip(WORTH, key, strict=True))
        figures["key"] = replace(arena_view(scenario.arena), names=False, legend=legend)
        yield Sheet(
            part="odds",
            title=say["title"],
            template="battling/prospects.xml",
            view={
                "rows": [
                    {"id": machine.id, "lines": list(machine_lines(scenario, duel, machine))} for machine in own
                ],
                "tall": HIGH if len(own) <= FEW else MIDDLE,
            },
            figures=figures,
            side=side_name(side),
            pages=max(1, len(own)),
        )


def _worth_view(scenario: Scenario, duel: Duel, machine: Standing) -> MapView:
    """The arena, each hex by what it is worth to a machine, if anything; of a large one what is around."""
    field, kinds = scenario.arena.field, scenario.pack.machines
    tints: dict[str, list[Numbered]] = {}
    span = round_about(field, machine.cell, sheet_file().around) if large(field) else None
    for worth in duel.everywhere(machine):
        if (worth.deals or worth.takes) and (span is None or worth.cell in span):
            tints.setdefault(WORTH[sum(6 * worth.value >= step for step in VALUES)], []).append(worth.cell)
    tokens = tuple((m.cell, token(m.side, kinds[m.kind], m.number)) for m in duel.machines)
    shades = tuple(Shade(look, tuple(tints[look])) for look in WORTH if look in tints)
    return replace(arena_view(scenario.arena, tokens, span), names=False, shades=shades)


CROWD = 8
"""With more machines than this their rows beside the map are lower."""
SPANS = 9
"""So many columns of hit numbers have room beside the map; an owner's charts may have more."""


def cover(scenario: Scenario, report: Report) -> Cover:
    """The scenario sheet: the arena as large as it may be, what it is about, and both squads with their numbers."""
    say, kinds = words()["cover"], scenario.pack.machines
    house = house_arena(scenario.arena)
    own = {
        "ground": arena_words(scenario),
        "brief": brief(scenario),
        # The note is what the streets of a house arena ask of the players.
        "note": house.note if house else None,
        "turns": max(scenario.turns, 1),
        "victory": say["victory"],
        "graded": graded_line(FAIRNESS, scenario, report),
        "crowded": len(scenario.machines) > CROWD,
        "aspect": aspect(scenario.arena.field),
        "heads": ranges(scenario),
        "squads": [_listed(scenario, side) for side in SIDES],
    }
    figures = {m.id: token(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines}
    return Cover("battling/cover.xml", _arena(scenario), (), _content(scenario), own, figures)


def _arena(scenario: Scenario) -> MapView:
    """The arena with both squads; they stand beside it, so that its legend tells the ground alone."""
    view = map_view(scenario)
    grounds = tuple(row for row in view.legend if not isinstance(row.sample, Token))
    return replace(view, legend=(*grounds, Legend(SILHOUETTE, words()["map"]["building"])))


def brief(scenario: Scenario) -> Words:
    """What the battle is, in a sentence: how many, of what worth, who sees whom, how near they stand."""
    say = words()["brief"]
    first, second = (scenario.squads[side].machines for side in SIDES)
    pairs = [(own.cell, enemy.cell) for own in first for enemy in second]
    seen = sum(scenario.arena.in_sight(*pair) for pair in pairs)
    sight = say["all" if seen == len(pairs) else "some" if seen else "none"]
    near = min((distance(*pair) for pair in pairs), default=0)
    equal = len(first) == len(second)
    who = say["each" if equal else "unlike"].fill(n=len(first), m=len(second))
    return say["brief"].fill(
        who=who, points=points_words(scenario), sight=sight.fill(n=seen, m=len(pairs), near=near)
    )


def ranges(scenario: Scenario) -> list[str]:
    """The distances of the machines that take part, those with like hit numbers together; none where too many."""
    heads = [head for head, _ in spans(scenario.pack, _present(scenario))]
    return heads if len(heads) <= SPANS else []


def _present(scenario: Scenario) -> list[MachineKind]:
    here = {machine.kind for _, machine in scenario.machines}
    return [kind for kind in scenario.pack.machines.values() if kind.id in here]


def _content(scenario: Scenario) -> list[Words]:
    """Whose arena and charts are."""
    say, brought = words()["cover"], scenario.origin.brought
    ours = scenario.arena_name == RANDOM or house_arena(scenario.arena)
    parts = [
        Part(say["arena_part"], not ours, brought("arena")),
        Part(say["charts_part"], is_owners(scenario.pack), brought("charts")),
    ]
    return credits_of(parts, say["house"])


def map_sheet(scenario: Scenario) -> Sheet:
    """The arena on a page of its own with both squads on it."""
    title = words()["map"]["title"]
    return Sheet("map", title, "battling/map.xml", {}, {"map": _arena(scenario)}, landscape=True)


def section_sheets(scenario: Scenario) -> list[Sheet]:
    """A large arena once more in parts, so that its numbers can be read; none of any other."""
    field, say, kinds = scenario.arena.field, words()["map"], scenario.pack.machines
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in scenario.machines)
    return [
        Sheet(
            part="map",
            title=say["parts"],
            template="battling/section.xml",
            view={"span": say["section"].fill(first=field.name(span.first), last=field.name(span.last))},
            figures={
                "map": arena_view(scenario.arena, tokens, span),
                "whole": locator(scenario.arena, [span.cells], tokens),
            },
            landscape=True,
        )
        for span in (sections(field) if large(field) else ())
    ]


def _listed(scenario: Scenario, side: Side) -> dict[str, object]:
    """A side's machines where they start, with what they hit on."""
    say, name, pack = words(), scenario.arena.field.name, scenario.pack
    kinds = pack.machines
    far = [at for _, at in spans(pack, _present(scenario))] if ranges(scenario) else []
    rows = [
        {
            "id": m.id,
            "called": m.called,
            "name": kinds[m.kind].name,
            "at": name(m.cell),
            "start": say["record"]["start"].fill(hex=name(m.cell)),
            "hp": m.hp,
            "numbers": [pack.number(m.kind, at) or NO for at in far],
        }
        for m in scenario.squads[side].machines
    ]
    edge = edge_name(scenario.squads[side].edge)
    head = say["map"]["squad"].fill(player=say["cover"][side], edge=edge)
    return {"name": say["cover"][side] if scenario.fixed else head, "machines": rows}


def setup_sheet(scenario: Scenario) -> Sheet:
    """What to have at hand, how it is laid out, and from where the squads might as well have started."""
    say, setup = words()["packing"], words()["setup"]
    kinds = scenario.pack.machines
    figures: dict[str, Figure] = {m.id: token(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines}
    figures |= {f"{side}_{m.kind}": token(side, kinds[m.kind]) for side, m in scenario.machines}
    figures |= {
        f"plate{n}": number(str(n)) for n in range(1, max(len(s.machines) for s in scenario.squads.values()) + 1)
    }
    if not scenario.fixed:
        figures["edges"] = edges_view(scenario)
    own = house_arena(scenario.arena) is None and (scenario.arena_name == RANDOM or "arena" in scenario.origin.files)
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="battling/setup.xml",
        view={
            "heading": setup["heading"],
            "rows": laid(scenario),
            "edges": not scenario.fixed,
            "groups": [_packed(scenario, side) for side in SIDES],
            "also": [
                say["map_own" if own else "map"].fill(name=arena_words(scenario)),
                say["tokens"],
                say["dice"].fill(n=dice().die),
                say["pencils"],
                say["charts" if not is_owners(scenario.pack) else "charts_own"].fill(name=scenario.pack.name),
            ],
        },
        figures=figures,
        pages=2,
    )


def laid(scenario: Scenario) -> list[dict[str, object]]:
    """The steps in which hands set it up: the arena, then each squad, the second player's first."""
    say, name = words()["setup"], scenario.arena.field.name
    field = scenario.arena.field
    size = say["size"].fill(columns=field.columns, rows=field.rows)
    steps: list[dict[str, object]] = [
        {"n": 1, "camp": None, "name": say["lay"], "lines": [arena_words(scenario), size], "told": [], "units": []}
    ]
    order: tuple[Side, ...] = ("second", "first")
    for n, side in enumerate(order, 2):
        squad = scenario.squads[side]
        edge = say["from_edge"].fill(edge=edge_name(squad.edge))
        told = say["units"].fill(n=len(squad.machines), points=scenario.costs[side])
        steps.append(
            {
                "n": n,
                "camp": side_name(side),
                "name": say["where"].fill(player=squad.player),
                "lines": [told] if scenario.fixed else [edge, told],
                "told": [],
                "units": [
                    {"figure": m.id, "plate": f"plate{i}", "at": name(m.cell)}
                    for i, m in enumerate(squad.machines, 1)
                ],
            }
        )
    return steps


def edges_view(scenario: Scenario) -> MapView:
    """The hexes from which the squads may start as well, those apart that nothing of the edge across sees."""
    say = words()["setup"]
    found = [opening_of(scenario.arena, scenario.squads[side].edge) for side in SIDES]
    covered = tuple(cell for seen in found for cell in seen.covered)
    open_ = tuple(cell for seen in found for cell in seen.cells if cell not in seen.covered)
    shades = tuple(Shade(look, cells) for look, cells in ((FAR, open_), (IN_RANGE, covered)) if cells)
    legend = (Legend(FAR, say["open"]), Legend(IN_RANGE, say["covered"]))
    return replace(arena_view(scenario.arena), names=False, shades=shades, legend=legend)


def _packed(scenario: Scenario, side: Side) -> dict[str, object]:
    """What a side fetches: machines by type, with their number and points."""
    say, squad, kinds = words()["packing"], scenario.squads[side], scenario.pack.machines
    counts = Counter(machine.kind for machine in squad.machines)
    return {
        "title": say["squad"].fill(side=words()["cover"][side], player=squad.player),
        "heads": [say["count"], say["points"]],
        "rows": [
            {"figure": f"{side}_{kind}", "name": kinds[kind].name, "counts": [n, n * kinds[kind].points]}
            for kind, n in counts.items()
        ],
        "total": [counts.total(), sum(n * kinds[kind].points for kind, n in counts.items())],
        "together": say["total"],
    }


STAKES = stakes(own_stakes(), rules(), FAIRNESS)
"""What may hang on the rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Scenario sheet, set-up, records, sight, reference; where asked for the draw, counters, the arena in full."""
    sheets: list[Sheet | Later] = [
        *section_sheets(scenario),
        setup_sheet(scenario),
        *record_sheets(scenario),
        sight_sheet(scenario),
        Later("reference", lambda: [reference_sheet(scenario.pack, scenario, weighed(scenario, switches(), STAKES))]),
    ]
    more = (
        Later("map", lambda: [map_sheet(scenario)]),
        Later("audit", lambda: [audit_sheet(report, checklist(scenario), bool(scenario.log))]),
        Later("odds", lambda: odds_cards(scenario)),
        Later("tokens", lambda: [battle_tokens(scenario)]),
        Later("arena", lambda: [battle_poster(scenario)]),
    )
    title = words()["title"]["game"]
    return covered(title, scenario, report, stamp, command, cover(scenario, report), sheets, more)
