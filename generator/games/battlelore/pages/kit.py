"""The printed kit of a BattleLore battle without deployment cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from generator.common.fairness import graded_line
from generator.common.interpretations import (
    Interpretation,
    all_impacts,
    applicable,
    impact_rows,
    interpretations_with_effects,
    readings,
)
from generator.common.ownership import Part, cover_credits
from generator.common.pages import kit_with_cover
from generator.common.search import fair_names, fair_steps
from generator.games.battlelore.base import FAIRNESS, Scenario, orders, plan_name
from generator.games.battlelore.forces import council_line, lore_tokens, seat_names
from generator.games.battlelore.ground import SECTIONS, SIDES, Side, section_name, words
from generator.games.battlelore.model import Battle
from generator.games.battlelore.pages import sheets as shared
from generator.games.battlelore.pages.laying import PlacedGroup, setup_sheet
from generator.games.battlelore.pages.odds_page import battle_odds
from generator.games.battlelore.pages.pieces import battle_board, battle_tokens
from generator.games.battlelore.pages.records import Record, record_sheets
from generator.games.battlelore.play import sight_stake
from generator.games.battlelore.rules import rules
from generator.games.battlelore.tables import switches
from generator.model.views import Kit, Later, Sheet
from generator.model.words import Words, joined
from generator.rules import Report

STAKES = all_impacts([sight_stake()], rules(), FAIRNESS)
"""The results that can depend on rulings."""


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Return the printed kit with all its default and optional sheets."""
    texts = words()["alone"]
    councils = {camp: force.council for camp, force in scenario.forces.items()}
    sheets = [setup_sheet(scenario, _laid(scenario), councils=councils)]
    sheets += record_sheets(scenario, words()["record"]["section"], [_record(scenario, camp) for camp in SIDES])
    parts = [Part(texts["orders"], user_made=False), *shared.box_parts(scenario, scenario.pool)]
    cover = shared.cover(
        scenario,
        mode=texts[scenario.age],
        armies={camp: plan_name(force.plan) for camp, force in scenario.forces.items()},
        councils=councils,
        content=[
            *cover_credits(parts, texts["house"]),
            *shared.council_content(councils.values()),
        ],
    )
    graded = graded_line(FAIRNESS, scenario, report)

    def rulings() -> list[Interpretation]:
        return [*interpretations_with_effects(scenario, switches(), STAKES), *readings("battlelore")]

    def audit() -> Sheet:
        plans = {plan.id: plan.name for plan in orders().plan}
        names = plans | seat_names(councils.values()) | fair_names(FAIRNESS.tables)
        return shared.audit(scenario, report, words()["step"] | fair_steps(), names, scenario.log, [graded])

    def impacts() -> list[dict[str, object]]:
        return impact_rows(scenario, switches(), STAKES)

    whole = printed(scenario, sheets, rulings, impacts, lambda: shared.circumstances(scenario), audit, graded)
    return kit_with_cover(texts["title"], scenario, report, stamp, command, cover, *whole)


def printed(
    battle: Battle,
    sheets: Iterable[Sheet],
    rulings: Callable[[], list[Interpretation]],
    impacts: Callable[[], list[dict[str, object]]],
    there: Callable[[], set[str]],
    audit: Callable[[], Sheet],
    graded: Words,
    *cards: Later,
) -> tuple[list[Sheet | Later], tuple[Later, ...]]:
    """Return the sheets that are printed by default and the sheets that are printed on request.

    The default sheets are `sheets`, the fields of fire and the reference. The reference contains the `rulings` that
    apply in the circumstances returned by `there`. `impacts` returns the changes that other choices would make.
    `cards` are additional sheets on request.
    """
    known, fires = cache(rulings), list(shared.fire_sheets(battle))
    reference = Later("reference", lambda: [shared.reference_sheet(battle, applicable(known(), there()))])
    more = (
        Later("map", lambda: [shared.map_sheet(battle.board, battle.units, graded)]),
        *([Later("fire-all", lambda: shared.whole_fire_sheets(battle))] if fires else []),
        Later("odds", lambda: battle_odds(battle)),
        Later("audit", lambda: [audit()]),
        Later("readings", lambda: [shared.readings_sheet(known(), impacts())]),
        *cards,
        Later("tokens", lambda: [battle_tokens(battle.units)]),
        Later("board", lambda: [battle_board(battle.board)]),
    )
    return [*sheets, *fires, reference], more


def _laid(scenario: Scenario) -> Iterator[PlacedGroup]:
    """Yield each camp's units by section, from its own seat.

    A hex on a section line counts as part of the left section.
    """
    for camp, force in scenario.forces.items():
        for section in SECTIONS:
            units = tuple(
                unit
                for unit in force.units
                if unit.hex and scenario.board.plan.sections_of(unit.hex, camp)[0] == section
            )
            if units:
                yield PlacedGroup(camp, section_name(section), units)


def _record(scenario: Scenario, camp: Side) -> Record:
    force = scenario.forces[camp]
    lines: list[Words] = []
    if force.council:
        lines.append(council_line(force.council, lore_tokens(force.council)))
    board = scenario.board
    remarks = {
        unit.id: joined([section_name(s) for s in board.plan.sections_of(unit.hex, camp)])
        for unit in force.units
        if unit.hex
    }
    return Record(camp, force.units, remarks, tuple(lines))
