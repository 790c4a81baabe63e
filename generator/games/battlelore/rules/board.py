"""The rules of the ground, as tests of a battle's board against its inventory."""

from __future__ import annotations

from collections.abc import Iterator

from generator.games.battlelore.battle import Battle
from generator.games.battlelore.ground import lawful
from generator.games.battlelore.ground.board import Board
from generator.games.ruleset import RuleBook
from generator.rules.rule import Fault

rule = RuleBook("battlelore/rules.toml")


@rule("terrain.river")
def river(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.rivers(battle.board))


@rule("terrain.crossing")
def crossing(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.crossings(battle.board))


@rule("terrain.cliff")
def cliff(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.cliffs(battle.board))


@rule("terrain.feature")
def feature(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.features(battle.board))


@rule("terrain.tiles")
def pieces(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.tiles(battle.board, battle.inventory))


@rule("map.reach")
def reach(battle: Battle) -> Iterator[Fault]:
    return _faults(battle.board, lawful.reachable(battle.board))


def _faults(board: Board, found: list[lawful.Fault]) -> Iterator[Fault]:
    for cells, reason in found:
        yield Fault(" ".join(board.field.name(cell) for cell in cells), "fault", {"reason": reason})
