"""Print the first pages of a battle's kit: cover, arena, packing list and set-up."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from generator.common.fairness import graded_line
from generator.common.interpretations import all_impacts, interpretations_with_effects
from generator.common.ownership import Part, cover_credits, is_user_content
from generator.common.pages import Cover, audit_sheet, kit_with_cover
from generator.games.battling.fairness import FAIRNESS
from generator.games.battling.forces import MachineKind
from generator.games.battling.ground import edge_name, house_arena, opening_of
from generator.games.battling.legal_orders import ruling_stakes
from generator.games.battling.maps import (
    arena_view,
    ground_legend,
    large,
    locator,
    map_view,
    sections,
    token,
)
from generator.games.battling.model import (
    RANDOM,
    SIDES,
    Scenario,
    Side,
    side_name,
)
from generator.games.battling.pages.battle_words import arena_words
from generator.games.battling.pages.checklist import checklist
from generator.games.battling.pages.odds_cards import odds_cards
from generator.games.battling.pages.reference import (
    NO,
    battle_poster,
    battle_tokens,
    record_sheets,
    reference_sheet,
    spans,
)
from generator.games.battling.pages.sight_sheet import FAR, IN_RANGE, sight_sheet
from generator.games.battling.pages.story import cover_text
from generator.games.battling.rules import rules
from generator.games.battling.tables import dice, switches, words
from generator.grid.hexes import aspect
from generator.model.legends import keep_drawn
from generator.model.views import Figure, Kit, Later, Legend, MapView, Shade, Sheet
from generator.model.words import Words
from generator.rules import Report
from generator.symbols.pictograms import number

CROWD = 8
"""The number of machines above which their rows next to the map are lower."""
SPANS = 9
"""The number of columns of hit numbers that fit next to the map. A user's charts may have more."""


def cover(scenario: Scenario, report: Report) -> Cover:
    """Return the scenario sheet with a large map of the arena, a summary, and both squads with their numbers."""
    texts, kinds = words()["cover"], scenario.pack.machines
    house = house_arena(scenario.arena)
    margin = {
        "ground": arena_words(scenario),
        "brief": cover_text(scenario).view,
        # The note describes the streets of a house arena.
        "note": house.note if house else None,
        "turns": max(scenario.turns, 1),
        "victory": texts["victory"],
        "graded": graded_line(FAIRNESS, scenario, report),
        "crowded": len(scenario.machines) > CROWD,
        "aspect": aspect(scenario.arena.field),
        "heads": ranges(scenario),
        "squads": [_listed(scenario, side) for side in SIDES],
    }
    figures = {m.id: token(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines}
    return Cover("battling/cover.xml", _arena(scenario), (), _content(scenario), margin, figures)


def _arena(scenario: Scenario) -> MapView:
    """Return a map of the arena with both squads. Its legend omits the machines, which are listed beside the map."""
    return replace(map_view(scenario), legend=ground_legend(scenario.arena))


def ranges(scenario: Scenario) -> list[str]:
    """Return the distances for these machines, grouped by equal hit numbers.

    The list is empty if there are too many groups.
    """
    heads = [head for head, _ in spans(scenario.pack, _present(scenario))]
    return heads if len(heads) <= SPANS else []


def _present(scenario: Scenario) -> list[MachineKind]:
    here = {machine.kind for _, machine in scenario.machines}
    return [kind for kind in scenario.pack.machines.values() if kind.id in here]


def _content(scenario: Scenario) -> list[Words]:
    """Return the credits of the arena and the charts."""
    texts, brought = words()["cover"], scenario.origin.user_file_name
    ours = scenario.arena_name == RANDOM or house_arena(scenario.arena)
    parts = [
        Part(texts["arena_part"], not ours, brought("arena")),
        Part(texts["charts_part"], is_user_content(scenario.pack), brought("charts")),
    ]
    return cover_credits(parts, texts["house"])


def map_sheet(scenario: Scenario) -> Sheet:
    """Return a page with the map of the arena and both squads."""
    title = words()["map"]["title"]
    return Sheet("map", title, "battling/map.xml", {}, {"map": _arena(scenario)}, landscape=True)


def section_sheets(scenario: Scenario) -> list[Sheet]:
    """Return pages with the sections of a large arena, on which its numbers are readable.

    For other arenas, the list is empty.
    """
    field, texts, kinds = scenario.arena.field, words()["map"], scenario.pack.machines
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in scenario.machines)
    return [
        Sheet(
            part="map",
            title=texts["parts"],
            template="battling/section.xml",
            view={"span": texts["section"].fill(first=field.name(span.first), last=field.name(span.last))},
            figures={
                "map": arena_view(scenario.arena, tokens, span),
                "whole": locator(scenario.arena, [span.cells], tokens),
            },
            landscape=True,
        )
        for span in (sections(field) if large(field) else ())
    ]


def _listed(scenario: Scenario, side: Side) -> dict[str, object]:
    """Return a side's machines with their starting hexes and hit numbers."""
    texts, name, pack = words(), scenario.arena.field.name, scenario.pack
    kinds = pack.machines
    far = [at for _, at in spans(pack, _present(scenario))] if ranges(scenario) else []
    rows = [
        {
            "id": m.id,
            "called": m.label,
            "name": kinds[m.kind].name,
            "at": name(m.cell),
            "start": texts["record"]["start"].fill(hex=name(m.cell)),
            "hp": m.hp,
            "numbers": [pack.number(m.kind, at) or NO for at in far],
        }
        for m in scenario.squads[side].machines
    ]
    edge = edge_name(scenario.squads[side].edge)
    head = texts["map"]["squad"].fill(player=texts["cover"][side], edge=edge)
    return {"name": texts["cover"][side] if scenario.fixed else head, "machines": rows}


def setup_sheet(scenario: Scenario) -> Sheet:
    """Return the set-up sheet with the pieces needed, their positions, and other possible starting hexes."""
    texts, setup = words()["packing"], words()["setup"]
    kinds = scenario.pack.machines
    figures: dict[str, Figure] = {m.id: token(side, kinds[m.kind], m.id[1:]) for side, m in scenario.machines}
    figures |= {f"{side}_{m.kind}": token(side, kinds[m.kind]) for side, m in scenario.machines}
    figures |= {
        f"plate{n}": number(str(n)) for n in range(1, max(len(s.machines) for s in scenario.squads.values()) + 1)
    }
    if not scenario.fixed:
        figures["edges"] = edges_view(scenario)
    unnamed_arena = house_arena(scenario.arena) is None and (
        scenario.arena_name == RANDOM or "arena" in scenario.origin.files
    )
    return Sheet(
        part="setup",
        title=words()["part"]["setup"],
        template="battling/setup.xml",
        view={
            "heading": setup["heading"],
            "rows": placed_squads(scenario),
            "edges": not scenario.fixed,
            "groups": [_packed(scenario, side) for side in SIDES],
            "also": [
                texts["map_own" if unnamed_arena else "map"].fill(name=arena_words(scenario)),
                texts["tokens"],
                texts["dice"].fill(n=dice().die),
                texts["pencils"],
                texts["charts" if not is_user_content(scenario.pack) else "charts_own"].fill(name=scenario.pack.name),
            ],
        },
        figures=figures,
        pages=2,
    )


def placed_squads(scenario: Scenario) -> list[dict[str, object]]:
    """Return the steps of the set-up: the arena, the second player's squad, and the first player's squad."""
    texts, name = words()["setup"], scenario.arena.field.name
    field = scenario.arena.field
    size = texts["size"].fill(columns=field.columns, rows=field.rows)
    steps: list[dict[str, object]] = [
        {
            "n": 1,
            "camp": None,
            "name": texts["lay"],
            "lines": [arena_words(scenario), size],
            "remarks": [],
            "units": [],
        }
    ]
    order: tuple[Side, ...] = ("second", "first")
    for n, side in enumerate(order, 2):
        squad = scenario.squads[side]
        edge = texts["from_edge"].fill(edge=edge_name(squad.edge))
        units = texts["units"].fill(n=len(squad.machines), points=scenario.costs[side])
        steps.append(
            {
                "n": n,
                "camp": side_name(side),
                "name": texts["where"].fill(player=squad.player),
                "lines": [units] if scenario.fixed else [edge, units],
                "remarks": [],
                "units": [
                    {"figure": m.id, "plate": f"plate{i}", "at": name(m.cell)}
                    for i, m in enumerate(squad.machines, 1)
                ],
            }
        )
    return steps


def edges_view(scenario: Scenario) -> MapView:
    """Return a map of the possible starting hexes, which marks those that cannot be seen from the opposite edge."""
    texts = words()["setup"]
    found = [opening_of(scenario.arena, scenario.squads[side].edge) for side in SIDES]
    covered = tuple(cell for seen in found for cell in seen.covered)
    open_ = tuple(cell for seen in found for cell in seen.cells if cell not in seen.covered)
    shades = tuple(Shade(look, cells) for look, cells in ((FAR, open_), (IN_RANGE, covered)) if cells)
    legend = (Legend(FAR, texts["open"]), Legend(IN_RANGE, texts["covered"]))
    view = replace(arena_view(scenario.arena), names=False, shades=shades)
    return replace(view, legend=keep_drawn(legend, view))


def _packed(scenario: Scenario, side: Side) -> dict[str, object]:
    """Return the table of a side's machines by type, with their number and points."""
    texts, squad, kinds = words()["packing"], scenario.squads[side], scenario.pack.machines
    counts = Counter(machine.kind for machine in squad.machines)
    return {
        "title": texts["squad"].fill(side=words()["cover"][side], player=squad.player),
        "heads": [texts["count"], texts["points"]],
        "rows": [
            {"figure": f"{side}_{kind}", "name": kinds[kind].name, "counts": [n, n * kinds[kind].points]}
            for kind, n in counts.items()
        ],
        "total": [counts.total(), sum(n * kinds[kind].points for kind, n in counts.items())],
        "together": texts["total"],
    }


STAKES = all_impacts(ruling_stakes(), rules(), FAIRNESS)
"""The possible effects of the rulings on a scenario."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Return the kit: scenario sheet, set-up, records, sight, reference, and other parts on request."""
    sheets: list[Sheet | Later] = [
        *section_sheets(scenario),
        setup_sheet(scenario),
        *record_sheets(scenario),
        sight_sheet(scenario),
        Later(
            "reference",
            lambda: [
                reference_sheet(scenario.pack, scenario, interpretations_with_effects(scenario, switches(), STAKES))
            ],
        ),
    ]
    more = (
        Later("map", lambda: [map_sheet(scenario)]),
        Later(
            "audit",
            lambda: [audit_sheet(report, checklist(scenario), bool(scenario.log), position=map_view(scenario))],
        ),
        Later("odds", lambda: odds_cards(scenario)),
        Later("tokens", lambda: [battle_tokens(scenario)]),
        Later("arena", lambda: [battle_poster(scenario)]),
    )
    title = words()["title"]["game"]
    return kit_with_cover(title, scenario, report, stamp, command, cover(scenario, report), sheets, more)
