"""The JSON form of a battle (docs/json.md)."""

from __future__ import annotations

from typing import Any

from generator.games.battling.ground.arena import Arena
from generator.games.battling.ground.lawful import opening
from generator.games.battling.scenario import SIDES, Scenario, Squad
from generator.games.filing import head
from generator.games.logs import exported


def export(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain values."""
    arena = scenario.arena
    return {
        **head(scenario),
        "arena": {
            "name": scenario.arena_name,
            "columns": arena.field.columns,
            "rows": arena.field.rows,
            "fine": arena.fine,
            "edges": list(arena.edges),
            "silhouettes": [[list(corner) for corner in shape] for shape in arena.silhouettes],
            "closed": [arena.field.name(cell) for cell in arena.field.cells if arena.closed(cell)],
        },
        "opening": opening(arena, scenario.squads["first"].edge).percent,
        "rulings": dict(scenario.rulings),
        "points": scenario.points,
        "squads": [_squad(arena, scenario.squads[side]) for side in SIDES],
        "turns": scenario.turns,
        "log": exported(scenario.log),
    }


def _squad(arena: Arena, squad: Squad) -> dict[str, Any]:
    return {
        "side": squad.side,
        "player": squad.player,
        "edge": squad.edge,
        "machines": [
            {"id": m.id, "machine": m.kind, "hex": arena.field.name(m.cell), "hp": m.hp} for m in squad.machines
        ],
    }
