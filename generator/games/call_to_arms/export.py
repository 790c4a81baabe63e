"""The JSON form of a scenario (docs/json.md)."""

from __future__ import annotations

from typing import Any

from generator.games.battlelore.board import CAMPS
from generator.games.battlelore.units import Unit
from generator.games.call_to_arms.cells import cell_name
from generator.games.call_to_arms.scenario import Force, Scenario
from generator.grid.hexes import DIRECTIONS
from generator.model.words import LANGS


def export(scenario: Scenario) -> dict[str, Any]:
    """The scenario as plain values."""
    board = scenario.board
    name = board.field.name
    cells = board.field.cells
    return {
        "game": scenario.origin.game,
        "code": scenario.origin.code,
        "version": scenario.origin.version,
        "wishes": dict(scenario.origin.wishes),
        "files": {w: {"name": f.name, "sha256": f.sha256} for w, f in scenario.origin.files.items()},
        "title": {lang: scenario.title[lang] for lang in LANGS},
        "mode": scenario.mode,
        "age": scenario.age,
        "owner": scenario.owner,
        "board": {
            "profile": board.profile,
            "map": scenario.map,
            "terrain": {name(c): board.ground[c] for c in cells},
            "features": {name(c): board.features[c] for c in cells if c in board.features},
            "hexsides": {
                name(c): {DIRECTIONS[d]: "cliff" for d in board.walls[c]} for c in cells if c in board.walls
            },
        },
        "rulings": dict(scenario.rulings),
        "forces": [_force(scenario, scenario.forces[camp]) for camp in CAMPS],
        "exchanges": [
            {"camp": e.camp, "unit": e.unit, "banner": e.kind.banner, "weapon": e.kind.weapon, "race": e.kind.race}
            for e in scenario.exchanges
        ],
        "specials": [{"camp": p.camp, "card": p.card, "choices": list(p.choices)} for p in scenario.plays],
        "final": _final(scenario.final),
        "first": scenario.first,
        "banners": scenario.banners,
        "hand": scenario.hand,
        "log": [{"step": s.what, "camp": s.camp, "stream": s.stream, "result": list(s.result)} for s in scenario.log],
    }


def _final(table: Scenario) -> dict[str, Any]:
    """What stands on the table when levies are exchanged and Specialists played."""
    board = table.board
    return {
        "features": {board.field.name(c): board.features[c] for c in board.field.cells if c in board.features},
        "units": {camp: [_unit(table, unit) for unit in table.forces[camp].standing] for camp in CAMPS},
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
    return {
        "id": unit.id,
        "hex": scenario.board.field.name(unit.hex) if unit.hex else None,
        "banner": unit.kind.banner,
        "weapon": unit.kind.weapon,
        "race": unit.kind.race,
        "mounted": unit.kind.arm == "mounted",
        "figures": unit.figures,
        "card": unit.card,
        "cell": cell_name(unit.cell),
        "placed": unit.placed,
        "levy": unit.levy,
    }
