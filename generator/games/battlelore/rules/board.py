"""The rules of the ground, as tests of a battle's board against its inventory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.games.battlelore.battle import Battle
from generator.games.battlelore.ground import lawful
from generator.games.battlelore.ground.board import Board
from generator.games.ruleset import Test, ruleset
from generator.rules.rule import Fault, Rule


def _test(predicate: Callable[[Board], list[lawful.Fault]]) -> Callable[[Battle], Iterator[Fault]]:
    return lambda battle: _faults(battle.board, predicate(battle.board))


def _tiles(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.tiles(battle.board, battle.inventory))


def _faults(board: Board, found: list[lawful.Fault]) -> Iterator[Fault]:
    for cells, reason in found:
        yield Fault(" ".join(board.field.name(cell) for cell in cells), "fault", {"reason": reason})


GROUND: Mapping[str, Test] = {
    "terrain.river": _test(lawful.rivers),
    "terrain.crossing": _test(lawful.crossings),
    "terrain.cliff": _test(lawful.cliffs),
    "terrain.feature": _test(lawful.features),
    "terrain.tiles": _tiles,
    "map.reach": _test(lawful.reachable),
}


def with_ground(file: str, *tests: Mapping[str, Test]) -> tuple[Rule[Any], ...]:
    """The rules of the ground, then those whose texts stand in that file of data/, bound to these tests."""
    return ruleset(("battlelore/rules.toml", file), GROUND, *tests)
