"""The rules of the ground, as tests of a battle's board against its inventory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.games.battlelore import ground
from generator.games.battlelore.battle import Battle
from generator.games.battlelore.board import Board
from generator.games.ruleset import Test, ruleset
from generator.rules.rule import Fault, Rule


def _test(predicate: Callable[[Board], list[ground.Fault]]) -> Callable[[Battle], Iterator[Fault]]:
    return lambda battle: _faults(battle.board, predicate(battle.board))


def _tiles(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, ground.tiles(battle.board, battle.inventory))


def _faults(board: Board, found: list[ground.Fault]) -> Iterator[Fault]:
    for cells, reason in found:
        yield Fault(" ".join(board.field.name(cell) for cell in cells), "fault", {"reason": reason})


GROUND: Mapping[str, Test] = {
    "terrain.river": _test(ground.rivers),
    "terrain.crossing": _test(ground.crossings),
    "terrain.cliff": _test(ground.cliffs),
    "terrain.feature": _test(ground.features),
    "terrain.tiles": _tiles,
    "map.reach": _test(ground.reachable),
}


def with_ground(file: str, *tests: Mapping[str, Test]) -> tuple[Rule[Any], ...]:
    """The rules of the ground, then those whose texts stand in that file of data/, bound to these tests."""
    return ruleset(("battlelore/rules.toml", file), GROUND, *tests)
