"""The rules of the ground, as tests of a board against an inventory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.games.battlelore import ground
from generator.games.battlelore.board import Board
from generator.games.battlelore.tiles import Inventory
from generator.rules.rule import Fault

GroundTest = Callable[[Board, Inventory], Iterator[Fault]]


def _test(predicate: Callable[[Board], list[ground.Fault]]) -> GroundTest:
    def test(board: Board, inventory: Inventory) -> Iterator[Fault]:
        return _faults(board, predicate(board))

    return test


def _tiles(board: Board, inventory: Inventory) -> Iterator[Fault]:
    return _faults(board, ground.tiles(board, inventory))


def _faults(board: Board, found: list[ground.Fault]) -> Iterator[Fault]:
    for cells, reason in found:
        yield Fault(" ".join(board.field.name(cell) for cell in cells), "fault", {"reason": reason})


TESTS: dict[str, GroundTest] = {
    "terrain.river": _test(ground.rivers),
    "terrain.crossing": _test(ground.crossings),
    "terrain.cliff": _test(ground.cliffs),
    "terrain.feature": _test(ground.features),
    "terrain.tiles": _tiles,
    "map.reach": _test(ground.reachable),
}
