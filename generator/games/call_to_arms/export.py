"""The JSON form of a scenario (docs/json.md)."""

from __future__ import annotations

from typing import Any

from generator.games.battlelore import export as shared
from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import CAMPS
from generator.games.call_to_arms.forces.cells import cell_name
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.games.filing import head
from generator.games.logs import exported


def export(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain values."""
    table = scenario.final
    return {
        **head(scenario),
        "mode": scenario.mode,
        "age": scenario.age,
        "owner": scenario.owner,
        "twins": scenario.twins,
        "board": shared.field(scenario.map, scenario.board),
        "rulings": dict(scenario.rulings),
        "forces": [_force(scenario, scenario.forces[camp]) for camp in CAMPS],
        "exchanges": [
            {"camp": e.camp, "unit": e.unit, "banner": e.kind.banner, "weapon": e.kind.weapon, "race": e.kind.race}
            for e in scenario.exchanges
        ],
        "specials": [{"camp": p.camp, "card": p.card, "choices": list(p.choices)} for p in scenario.plays],
        "final": {
            "features": shared.features(table.board),
            "units": {camp: [_unit(table, unit) for unit in table.forces[camp].standing] for camp in CAMPS},
            "lore": dict(scenario.end.lore),
        },
        "first": scenario.first,
        "banners": scenario.banners,
        "hand": scenario.hand,
        "log": exported(scenario.log),
    }


def _force(scenario: Scenario, force: Force) -> dict[str, Any]:
    return {
        "camp": force.camp,
        "set": force.set,
        "cards": {**force.cards, "reserve": force.reserve},
        "council": dict(force.council),
        "specialists": list(force.specialists),
        "units": [_unit(scenario, unit) for unit in force.deployed],
        "reserves": [_unit(scenario, unit) for unit in force.reserves],
    }


def _unit(scenario: Scenario, unit: Unit) -> dict[str, Any]:
    return shared.unit(scenario.board, unit) | {
        "card": unit.card,
        "cell": cell_name(unit.cell),
        "placed": unit.placed,
        "levy": unit.levy,
    }
