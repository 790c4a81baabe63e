"""The boards, each by itself and as they lie together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.games.travel_battle.ground import lawful
from generator.games.travel_battle.ground.board import SIZE, Battlefield, Board
from generator.games.travel_battle.numbers import play
from generator.games.travel_battle.rules.armies import rule
from generator.games.travel_battle.scenario import OTHER, Scenario
from generator.grid.squares import Square
from generator.rules.rule import Fault


def _each(predicate: Callable[[Board], list[lawful.Fault]]) -> Callable[[Scenario], Iterator[Fault]]:
    """A rule that holds of every board as it is drawn; its squares are told as they lie."""

    def test(scenario: Scenario) -> Iterator[Fault]:
        for r, row in enumerate(scenario.boards):
            for c, placed in enumerate(row):
                corner = Square(SIZE * c, SIZE * r)
                for cells, reason in predicate(placed.laid.board):
                    yield _fault(scenario, (tuple(corner + placed.laid.lies(cell) for cell in cells), reason))

    return test


def _whole(predicate: Callable[[Battlefield], list[lawful.Fault]]) -> Callable[[Scenario], Iterator[Fault]]:
    """A rule that holds of all boards together."""
    return lambda scenario: (_fault(scenario, found) for found in predicate(scenario.battlefield))


def _fault(scenario: Scenario, found: lawful.Fault) -> Fault:
    cells, reason = found
    name = scenario.battlefield.land.field.name
    return Fault(" ".join(map(name, cells)), "fault", {"reason": reason})


@rule("field.boards")
def boards(scenario: Scenario) -> Iterator[Fault]:
    columns, rows = len(scenario.boards[0]), len(scenario.boards)
    if f"{columns}x{rows}" not in play().tables:
        yield Fault("boards", "table", {"columns": columns, "rows": rows})
    owners = [row[c].owner for c in range(columns) for row in scenario.boards]
    half = len(owners) // 2
    if len({*owners[:half]}) != 1 or {*owners[half:]} != {OTHER[owners[0]]}:
        yield Fault("boards", "side")


rule("board.exits")(_each(lawful.exits))
rule("board.roads")(_each(lambda board: lawful.ribbons(board.land)))
rule("board.network")(_each(lambda board: lawful.network(board.land)))
rule("board.hills")(_whole(lambda field: lawful.hills(field.land)))
rule("field.types")(_whole(lawful.alternate))
rule("field.whole")(_whole(lawful.wholes))
rule("field.roads")(_whole(lawful.roads_meet))
