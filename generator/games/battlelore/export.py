"""The parts of the JSON form that every battle on a BattleLore board shares (docs/json.md)."""

from __future__ import annotations

from typing import Any

from generator.games.battlelore.forces.units import Unit
from generator.games.battlelore.ground.board import Board
from generator.grid.hexes import DIRECTIONS


def field(map_name: str, board: Board) -> dict[str, Any]:
    """The board: terrain by hex, features by hex, cliff sides by hex and direction."""
    name, cells = board.field.name, board.field.cells
    return {
        "profile": board.profile,
        "map": map_name,
        "terrain": {name(c): board.ground[c] for c in cells},
        "features": features(board),
        "hexsides": {name(c): {DIRECTIONS[d]: "cliff" for d in board.walls[c]} for c in cells if c in board.walls},
    }


def features(board: Board) -> dict[str, str]:
    """What lies on hexes, by their names."""
    return {board.field.name(c): board.features[c] for c in board.field.cells if c in board.features}


def unit(board: Board, of: Unit) -> dict[str, Any]:
    """A unit."""
    return {
        "id": of.id,
        "hex": board.field.name(of.hex) if of.hex else None,
        "banner": of.kind.banner,
        "weapon": of.kind.weapon,
        "race": of.kind.race,
        "mounted": of.kind.arm == "mounted",
        "figures": of.figures,
    }
