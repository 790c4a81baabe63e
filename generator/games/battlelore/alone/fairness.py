"""How fair a BattleLore battle by itself is."""

from __future__ import annotations

from dataclasses import replace

from generator.games.battlelore.alone.scenario import Scenario
from generator.games.battlelore.battle import OTHER, CampUnit
from generator.games.battlelore.fairness import battle_measures
from generator.games.battlelore.ground.board import CAMPS
from generator.games.battlelore.mirror import asymmetries, different, turned, turned_units, uneven
from generator.games.battlelore.pages.mapsheet import map_view
from generator.games.battlelore.words import camp_name, words
from generator.games.fairness import Fairness, Measured
from generator.model.views import MapView
from generator.model.words import Words

TABLES = ("battlelore",)


def _units(scenario: Scenario) -> tuple[CampUnit, ...]:
    return tuple((camp, unit) for camp, force in scenario.forces.items() for unit in force.units)


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    return battle_measures(scenario.board, _units(scenario), scenario.rulings)


def _mirrored(scenario: Scenario) -> tuple[Words, ...]:
    councils = {camp: dict(scenario.forces[camp].council) for camp in CAMPS}
    return (
        *asymmetries(scenario.board),
        *uneven(scenario.board, _units(scenario)),
        *different(councils, "councils"),
    )


def _swapped(scenario: Scenario) -> Scenario:
    board, forces = scenario.board, scenario.forces
    exchanged = {
        camp: replace(forces[OTHER[camp]], camp=camp, units=turned_units(board, forces[OTHER[camp]].units))
        for camp in CAMPS
    }
    return replace(scenario, board=turned(board), forces=exchanged, first=OTHER[scenario.first])


def _first(scenario: Scenario) -> Words:
    return words()["mirror"]["first"].fill(camp=camp_name(scenario.first))


def _view(scenario: Scenario) -> MapView:
    return map_view(scenario.board, scenario.units, small=True)


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(camp_name(CAMPS[0]), camp_name(CAMPS[1])),
    measures=_measures,
    mirrored=_mirrored,
    swapped=_swapped,
    first=_first,
    view=_view,
)
