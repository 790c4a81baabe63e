"""Everything that is printed for a Blind Faith scenario."""

from __future__ import annotations

from collections.abc import Iterable

from generator.games.blind_faith.fairness import FAIRNESS
from generator.games.blind_faith.forces.units import SIDES
from generator.games.blind_faith.pages.checklist import setup_sheet
from generator.games.blind_faith.pages.display import battle_display, siege_display
from generator.games.blind_faith.pages.mapsheet import map_view
from generator.games.blind_faith.pages.oddsheet import odds_sheet
from generator.games.blind_faith.pages.pieces import drawn_run
from generator.games.blind_faith.pages.posters import battle_board
from generator.games.blind_faith.pages.records import record_sheet
from generator.games.blind_faith.pages.reference import reference_sheet
from generator.games.blind_faith.pages.telling import (
    army_told,
    crusade_told,
    map_is_ours,
    map_name,
    places_told,
    stack_told,
)
from generator.games.blind_faith.pages.worksheet import worksheet
from generator.games.blind_faith.play.marching import sound
from generator.games.blind_faith.query import sheet as intercept_sheet
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import side_name, words
from generator.games.covers import cover_view
from generator.games.fairness import graded_line
from generator.games.whose import Part, credits_of, is_owners
from generator.model.views import Kit, Sheet
from generator.model.words import Words, same
from generator.rules.rule import Report


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """The kit: cover, map, set-up, worksheet, display, records, odds, reference.

    Counters and the map at true size are printed where they are asked for.
    """
    sheets = [map_sheet(scenario, report), setup_sheet(scenario)]
    if march := scenario.march:
        walked = len(march.path) > 1 and sound(scenario.land, march.path)
        sheets.append(worksheet(scenario) if walked else intercept_sheet(scenario))
    sheets.append(siege_display(scenario) if scenario.siege else battle_display(scenario))
    sheets += [record_sheet(scenario, side) for side in SIDES]
    if scenario.battle or scenario.siege:
        sheets.append(odds_sheet(scenario))
    sheets.append(reference_sheet(scenario.pack, scenario.rulings))
    front = cover(scenario, report, stamp, command, sheets)
    title = words()["blind_faith"]["title"]
    return Kit(title, scenario.title, stamp, (front, *sheets), (drawn_run(scenario), battle_board(scenario)))


def cover(scenario: Scenario, report: Report, stamp: str, command: str, sheets: Iterable[Sheet]) -> Sheet:
    """The cover: the map, the scenario at a glance, its stacks, and the command that makes the kit again."""
    say = words()["cover"]
    facts = [
        (say["map"], map_name(scenario)),
        (say["turn"], same(scenario.turn)),
        *((side_name(side), army_told(scenario, side)) for side in SIDES),
        (say["crusade"], crusade_told(scenario)),
        (say["code"] if scenario.origin.code else say["content"], same(stamp)),
    ]
    return Sheet(
        part="cover",
        title=scenario.title,
        template="blind_faith/cover.xml",
        view={
            "kind": words()["kind"][scenario.kind],
            **cover_view(scenario, report, command, sheets, facts),
            "stacks": [stack_told(scenario, stack) for stack in scenario.stacks],
            "content": _content(scenario),
        },
        figures={"map": map_view(scenario)},
    )


def map_sheet(scenario: Scenario, report: Report | None = None) -> Sheet:
    """The operational map on a page of its own, upright where the map is; its stacks and places are told below."""
    lines = [stack_told(scenario, stack) for stack in scenario.stacks]
    lines += [places_told(scenario)] if scenario.land.places else []
    graded, wide = graded_line(FAIRNESS, scenario, report), scenario.land.columns >= scenario.land.rows
    lines += [graded] if graded != same("") else []
    return Sheet(
        part="map",
        title=words()["part"]["map"],
        template="blind_faith/map.xml",
        view={"lines": lines, "wide": wide},
        figures={"map": map_view(scenario)},
        landscape=wide,
    )


def _content(scenario: Scenario) -> list[Words]:
    """Whose map and pack are; the rest is ours."""
    say, names = words()["blind_faith"], {wish: file.name for wish, file in scenario.origin.files.items()}
    parts = [
        Part(say["house_map"], not map_is_ours(scenario), names.get("map", "")),
        Part(say["house_pack"], is_owners(scenario.pack), names.get("pack", "")),
        Part(say["house_rest"], own=False),
    ]
    return credits_of(parts)
