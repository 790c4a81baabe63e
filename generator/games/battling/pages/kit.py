"""Everything that is printed for a battle."""

from __future__ import annotations

from generator.games.battling.pages.posters import battle_poster
from generator.games.battling.pages.records import record_sheet
from generator.games.battling.pages.reference import reference_sheet
from generator.games.battling.pages.sheets import cover, map_sheet, section_sheets, setup_sheet
from generator.games.battling.pages.sightpage import sight_sheet
from generator.games.battling.pages.tokens import battle_tokens
from generator.games.battling.scenario import SIDES, Scenario
from generator.games.words import words
from generator.model.views import Kit
from generator.rules.rule import Report


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Cover, arena, set-up, records, sight, reference; counters and the arena at true size where asked for."""
    sheets = [
        map_sheet(scenario, report),
        *section_sheets(scenario),
        setup_sheet(scenario),
        *(record_sheet(scenario, side) for side in SIDES),
        sight_sheet(scenario),
        reference_sheet(scenario.pack, scenario),
    ]
    front = cover(scenario, report, stamp, command, sheets)
    more = battle_tokens(scenario), battle_poster(scenario)
    return Kit(words("battling")["title"]["game"], scenario.title, stamp, (front, *sheets), more)
