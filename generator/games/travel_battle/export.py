"""The JSON form of a Travel Battle (docs/json.md)."""

from __future__ import annotations

from typing import Any

from generator.games import filing
from generator.games.logs import exported
from generator.games.travel_battle.ground.board import SIZE
from generator.games.travel_battle.scenario import Brigade, Scenario
from generator.grid.squares import DIRECTIONS, Square


def export(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain values."""
    land = scenario.battlefield.land
    name, of = land.field.name, scenario.objective
    return {
        **filing.head(scenario),
        "boards": [
            {
                "at": name(Square(SIZE * c, SIZE * r)),
                "name": placed.name,
                "owner": placed.owner,
                "type": placed.laid.board.type,
                "edge": placed.laid.edge,
            }
            for r, row in enumerate(scenario.boards)
            for c, placed in enumerate(row)
        ],
        "field": {"columns": land.field.columns, "rows": land.field.rows},
        "terrain": {name(cell): land.ground[cell] for cell in land.field.cells},
        "rulings": dict(scenario.rulings),
        "armies": [
            {"player": army.player, "brigades": [_brigade(scenario, brigade) for brigade in army.brigades]}
            for army in scenario.armies.values()
        ],
        "places_first": scenario.first_placer,
        "moves_first": scenario.first_mover,
        "objective": {
            "kind": of.kind,
            "player": of.player,
            "squares": [name(cell) for cell in of.cells],
            "units": list(of.units),
            "count": of.count,
        },
        "turns": scenario.turns,
        "log": exported(scenario.log),
    }


def _brigade(scenario: Scenario, brigade: Brigade) -> dict[str, Any]:
    name = scenario.battlefield.land.field.name
    return {
        "number": brigade.number,
        "units": [
            {
                "id": unit.id,
                "unit": unit.kind.id,
                "at": name(unit.cell) if unit.cell else None,
                "facing": DIRECTIONS[unit.facing],
                "square": unit.square,
            }
            for unit in brigade.units
        ],
    }
