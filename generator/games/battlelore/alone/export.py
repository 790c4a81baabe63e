"""The JSON form of a BattleLore scenario (docs/json.md)."""

from __future__ import annotations

from typing import Any

from generator.games.battlelore import export as shared
from generator.games.battlelore.alone.scenario import Scenario
from generator.games.filing import head
from generator.games.logs import exported


def export(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain values."""
    return {
        **head(scenario),
        "age": scenario.age,
        "points": scenario.points,
        "board": shared.field(scenario.map, scenario.board),
        "rulings": dict(scenario.rulings),
        "forces": [
            {
                "camp": camp,
                "plan": force.plan,
                "council": dict(force.council),
                "units": [shared.unit(scenario.board, unit) for unit in force.units],
            }
            for camp, force in scenario.forces.items()
        ],
        "first": scenario.first,
        "banners": scenario.banners,
        "hand": scenario.hand,
        "log": exported(scenario.log),
    }
