"""Where a unit may move: never through or onto a unit, and no farther once the ground stops it (seed)."""

from __future__ import annotations

from collections.abc import Container

from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import Board
from generator.games.battlelore.lore import lore
from generator.grid.hexes import Hex


def run(kind: Kind) -> int:
    """The farthest a unit moves when it does not battle."""
    return lore().banners[kind.banner].run[kind.arm]


def reach(board: Board, taken: Container[Hex], at: Hex, steps: int) -> dict[Hex, int]:
    """Every other hex a unit can get to, with the steps it takes; `taken` are the hexes units stand on."""
    found: dict[Hex, int] = {}
    edge = [at]
    for count in range(1, steps + 1):
        ahead: list[Hex] = []
        for here in edge:
            for cell in board.field.neighbours(here):
                if cell in taken or cell == at or cell in found or not board.step(here, cell):
                    continue
                found[cell] = count
                if not stops(board, cell):
                    ahead.append(cell)
        edge = ahead
    return found


def stops(board: Board, cell: Hex) -> bool:
    """Whether the ground of a hex, or what lies on it, ends a move into it."""
    feature = board.feature(cell)
    return board.terrain(cell).move == "stop" or (feature is not None and feature.move == "stop")
