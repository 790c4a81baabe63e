"""Convert a Blind Faith scenario to values for JSON (docs/json.md)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import asdict

from generator.common.scenario_file import (
    NAMELESS,
    exported,
    head,
)
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.ground import (
    costs,
    sound,
)
from generator.games.blind_faith.interception import retreats, rows
from generator.games.blind_faith.model import OTHER, Scenario
from generator.games.blind_faith.tables import SIDES, Side


def export(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as values for JSON."""
    return {
        **head(scenario),
        "kind": scenario.kind,
        "map": _map(scenario),
        "pack": asdict(scenario.pack.name),
        "rulings": dict(scenario.rulings),
        "turn": scenario.turn,
        "points": scenario.points,
        "crusade": scenario.crusade,
        "legates": list(scenario.legates),
        "sides": [_side(scenario, side) for side in SIDES],
        **_march(scenario),
        **_battle(scenario),
        **_siege(scenario),
        "log": exported(scenario.log),
    }


def _map(scenario: Scenario) -> dict[str, Any]:
    op_map = scenario.op_map
    return {
        "name": scenario.map,
        "columns": op_map.columns,
        "rows": op_map.rows,
        "terrain": {op_map.name(cell): op_map.ground[cell] for cell in op_map.field.cells},
        "places": {
            op_map.name(cell): {"kind": place.kind, "name": asdict(place.name)}
            for cell, place in op_map.places.items()
        },
    }


def _side(scenario: Scenario, side: str) -> dict[str, Any]:
    return {
        "side": side,
        "army": next(army for of, army in scenario.armies.items() if of == side),
        "stacks": [
            {
                "id": stack.id,
                "name": asdict(stack.name) if stack.name != NAMELESS else None,
                "hex": scenario.op_map.name(stack.hex),
                "units": dict(Counter(stack.units)),
                "leader": stack.leader or None,
                "legate": stack.legate or None,
            }
            for stack in scenario.stacks
            if stack.side == side
        ],
        "routed": [{"units": dict(Counter(r.units)), "back": r.back} for r in scenario.routed if r.side == side],
    }


def _march(scenario: Scenario) -> dict[str, Any]:
    if not (march := scenario.march):
        return {}
    op_map = scenario.op_map
    values = {
        "stack": march.stack,
        "path": [op_map.name(cell) for cell in march.path],
        "costs": list(costs(op_map, march.path)) if sound(op_map, march.path) else [],
        "chances": rows(scenario),
    }
    return {"march": values}


def _battle(scenario: Scenario) -> dict[str, Any]:
    if not (battle := scenario.battle):
        return {}
    values = {
        "hex": scenario.op_map.name(battle.hex),
        "attacker": scenario.active.id,
        "defender": battle.defender,
        "attack": _force(scenario, battle.attack, scenario.active.side),
        "defence": _force(scenario, battle.defence, OTHER[scenario.active.side]),
    }
    return {"battle": values}


def _force(scenario: Scenario, force: Force, side: Side) -> dict[str, Any]:
    hexes = [scenario.op_map.name(cell) for cell in retreats(scenario, side)]
    return {"front": list(force.front), "reserve": list(force.reserve), "retreats": hexes}


def _siege(scenario: Scenario) -> dict[str, Any]:
    if not (siege := scenario.siege):
        return {}
    values = {
        "hex": scenario.op_map.name(scenario.stack(siege.garrison).hex),
        "besieger": siege.besieger,
        "garrison": siege.garrison,
        "wall": siege.wall,
        "bombard": list(siege.bombard),
        "storm": list(siege.storm),
        "reserve": list(siege.reserve),
    }
    return {"siege": values}
