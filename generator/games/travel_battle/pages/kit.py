"""Everything that is printed for a Travel Battle."""

from __future__ import annotations

from generator.games.travel_battle.pages.gunfields import fire_sheet
from generator.games.travel_battle.pages.pieces import battle_tokens
from generator.games.travel_battle.pages.posters import battle_posters
from generator.games.travel_battle.pages.records import record_sheets
from generator.games.travel_battle.pages.reference import reference_sheet
from generator.games.travel_battle.pages.sheets import cover, map_sheet, setup_sheet
from generator.games.travel_battle.scenario import PLAYERS, Scenario
from generator.games.words import words
from generator.model.views import Kit
from generator.rules.rule import Report


def kit(scenario: Scenario, report: Report, stamp: str, command: str) -> Kit:
    """Cover, field, set-up, each side's records, fields of fire, reference; where asked for, tokens and boards."""
    sheets = [map_sheet(scenario, report), setup_sheet(scenario)]
    for player in PLAYERS:
        sheets += record_sheets(scenario, player)
    brigades = max(len(army.brigades) for army in scenario.armies.values())
    sheets += [fire_sheet(scenario), reference_sheet(scenario.roster, scenario.rulings, brigades)]
    front = cover(scenario, report, stamp, command, sheets)
    title = words("travel_battle")["game"]["title"]
    return Kit(title, scenario.title, stamp, (front, *sheets), (battle_tokens(scenario), *battle_posters(scenario)))
