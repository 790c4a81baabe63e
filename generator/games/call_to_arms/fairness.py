"""How fair a Call to Arms scenario is.

Whoever moves first brings all of his reserve card, the other two units of it, as the rules have it. So units are
measured as the three cards on the map brought them, and what the reserve cards hold is a measure of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.games.battlelore.battle import OTHER, CampUnit
from generator.games.battlelore.fairness import battle_measures, measured
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import CAMPS, SECTIONS, Camp
from generator.games.battlelore.mirror import asymmetries, different, turned, turned_units, uneven
from generator.games.battlelore.pages.mapsheet import map_view
from generator.games.battlelore.words import camp_name
from generator.games.call_to_arms.forces.evenness import strength
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.games.call_to_arms.words import words
from generator.games.fairness import Fairness, Measured
from generator.model.views import MapView
from generator.model.words import Words

TABLES = ("battlelore", "call_to_arms")


def _line(scenario: Scenario) -> tuple[CampUnit, ...]:
    """Every unit of the three cards as it stands in the end, levies exchanged and Specialists played."""
    return tuple((camp, unit) for camp, force in scenario.final.forces.items() for unit in force.deployed)


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    def reserve(camp: Camp) -> int:
        return strength([scenario.card(camp, scenario.forces[camp].reserve)])

    return (
        *battle_measures(scenario.final.board, _line(scenario), scenario.rulings),
        measured("reserve", reserve),
    )


def _mirrored(scenario: Scenario) -> tuple[Words, ...]:
    return (
        *asymmetries(scenario.final.board),
        *uneven(scenario.final.board, _line(scenario)),
        *_cards(scenario),
        *different({camp: dict(scenario.forces[camp].council) for camp in CAMPS}, "councils"),
        *([words()["fairness"]["specialists"]] if scenario.plays else []),
    )


def _cards(scenario: Scenario) -> Iterator[Words]:
    """Cards in the same place that do not bring the same."""
    say = words()
    for i, place in enumerate((*SECTIONS, "reserve")):
        keys = {camp: scenario.forces[camp].keys[i] for camp in CAMPS}
        if len({scenario.card(camp, key).units for camp, key in keys.items()}) > 1:
            yield say["fairness"]["cards"].fill(**keys, place=say["fairness"][place])


def _swapped(scenario: Scenario) -> Scenario:
    """With every card called as the other camp calls it; what Specialists did is no longer told apart."""
    final = scenario.final
    forces = {camp: _as(camp, final.forces[OTHER[camp]], scenario) for camp in CAMPS}
    return replace(final, board=turned(final.board), forces=forces, first=OTHER[scenario.first])


def _as(camp: Camp, force: Force, scenario: Scenario) -> Force:
    def ref(key: str) -> str:
        name, _, whose = key.partition("/")
        return name if whose == camp else f"{name}/{force.camp}"

    units = turned_units(scenario.board, force.units)
    return replace(
        force,
        camp=camp,
        cards={section: ref(force.cards[section]) for section in SECTIONS},
        reserve=ref(force.reserve),
        units=tuple(replace(unit, card=ref(unit.card) if unit.card else "") for unit in units),
    )


def _first(scenario: Scenario) -> Words:
    def came(camp: Camp) -> tuple[Unit, ...]:
        return tuple(unit for unit in scenario.final.forces[camp].reserves if unit.hex)

    first, second = scenario.first, OTHER[scenario.first]
    return words()["fairness"]["first"].fill(
        first=camp_name(first), n=len(came(first)), second=camp_name(second), m=len(came(second))
    )


def _view(scenario: Scenario) -> MapView:
    return map_view(scenario.final.board, scenario.final.units, small=True)


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(camp_name(CAMPS[0]), camp_name(CAMPS[1])),
    measures=_measures,
    mirrored=_mirrored,
    swapped=_swapped,
    first=_first,
    aside=words()["fairness"]["aside"],
    view=_view,
)
