"""Tests for each rule of the board, broken by one small change to a legal board."""

from __future__ import annotations

import pytest

from generator.games.travel_battle import ground
from generator.games.travel_battle.ground import (
    HALF,
    Battlefield,
    Board,
    BoardForm,
    BoardType,
    OrientedBoard,
    read_board,
)
from generator.notation.toml import Source

BARE = """
. . . . . . . = . .
. . . . . . . = . .
= = = = = = = = . .
. . = . . . . . . .
. . = 1 1 1 . . . .
. . = 1 2 1 . . . .
. . = 1 1 1 . . . .
. . = = = = = = = =
. . = . . . . . . .
. . = . . . . . . .
"""


def drawn(changes: dict[str, str], of: BoardType = "A") -> Board:
    rows = [line.split() for line in BARE.strip().splitlines()]
    for name, symbol in changes.items():
        rows[10 - int(name[1:])][ord(name[0]) - ord("a")] = symbol
    drawing = BoardForm(of, "\n".join(" ".join(row) for row in rows))
    return read_board(drawing, Source("test.toml", ""), types=[of])


def broken(board: Board) -> dict[str, str]:
    faults = {
        "exits": ground.exits(board),
        "ribbons": ground.ribbons(board.terrain_map),
        "network": ground.network(board.terrain_map),
        "hills": ground.hills(board.terrain_map),
    }
    for reason in (reason for found in faults.values() for _cells, reason in found):
        assert reason.en != reason.ja
        assert "{" not in reason.en + reason.ja
    name = board.terrain_map.field.name
    return {
        rule: " / ".join(" ".join(name(c) for c in cells) for cells, _reason in found)
        for rule, found in faults.items()
        if found
    }


def test_the_board_itself_is_lawful() -> None:
    assert broken(drawn({})) == {}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        pytest.param({"h10": "."}, {"exits": "h10", "ribbons": "h9"}, id="no exit"),
        pytest.param({"e10": "=", "e9": "="}, {"exits": "e10"}, id="one exit too many"),
        pytest.param(
            {"g10": "=", "g9": "=", "h8": ".", "h9": ".", "h10": "."}, {"exits": "g10 h10"}, id="an exit astray"
        ),
        pytest.param({"f9": "="}, {"ribbons": "f9"}, id="a blind alley"),
        pytest.param({"g9": "="}, {"ribbons": "g8 g9 h8 h9"}, id="a wide road"),
        pytest.param(
            {"h5": "=", "i5": "=", "h6": "=", "i6": "="},
            {"ribbons": "h5 h6 i5 i6", "network": "h5 h6 i5 i6"},
            id="a ring apart",
        ),
        pytest.param({"c6": "."}, {"ribbons": "c5 c7", "network": "a8 b8 c7 c8 d8 e8 f8 g8 h8 h9 h10"}, id="a gap"),
        pytest.param(
            {"c6": ".", "c5": ".", "c4": ".", "c7": "."},
            {"network": "a8 b8 c8 d8 e8 f8 g8 h8 h9 h10"},
            id="two roads apart",
        ),
        pytest.param({"i7": "=", "i6": "=", "i5": "=", "i4": "="}, {"ribbons": "i7 / i7 h8"}, id="a mere corner"),
        pytest.param({"i7": "1"}, {"hills": "i7"}, id="a hill of one square"),
        pytest.param({"i7": "1", "i6": "1"}, {"hills": "i6 i7"}, id="a hill of two squares"),
        pytest.param({"g7": "1", "h8": "="}, {"hills": "g7"}, id="a hill that joins at a corner only"),
        pytest.param({"f4": "."}, {"hills": "e5"}, id="a cliff at a corner"),
        pytest.param({"f5": "2"}, {"hills": "f5"}, id="a cliff at a side"),
        pytest.param(
            {"j6": "2", "j5": "1", "j7": "1", "i5": "1", "i6": "1", "i7": "1"},
            {"hills": "j6"},
            id="a cliff at the edge",
        ),
    ],
)
def test_every_rule_has_its_counterexample(changes: dict[str, str], wanted: dict[str, str]) -> None:
    assert broken(drawn(changes)) == wanted


def test_a_board_of_the_other_type_has_its_exits_elsewhere() -> None:
    board = drawn({}, "B")
    assert broken(board) == {"exits": "c1 h1 / j8 j3 / c10 h10 / a8 a3"}
    assert ground.exits(board)[1][1].en == (
        "a type B board, as drawn, must have exactly 1 road exit on the east side, at j8"
    )


def test_a_half_has_no_road_on_its_seam_or_two() -> None:
    two = {"i8": "=", "j8": "="}
    none = dict.fromkeys(("d3", "e3", "f3", "g3", "h3", "i3", "j3"), ".")
    assert broken(drawn(two, HALF)) == broken(drawn(none, HALF)) == {}
    assert broken(drawn({}, HALF)) == {"exits": "j3"}
    assert broken(drawn(two | {"i6": "=", "j6": "=", "i7": "="}, HALF))["exits"] == "j6"
    assert broken(drawn(two | {"c1": ".", "j3": "."}, HALF)) == {"exits": "c1 / j8", "ribbons": "c2 i3"}
    far, seam = ground.exits(drawn(two | {"c1": ".", "j3": "."}, HALF))
    assert far[1].en == "half of a double board, as drawn, must have exactly 1 road exit on the south side, at c1"
    assert seam[1].en.endswith("or by 2 roads at j8, j3 of each half as drawn")


def test_roads_that_miss_each_other_are_named_by_their_squares() -> None:
    field = Battlefield(((OrientedBoard(drawn({}), 1), OrientedBoard(drawn({"a8": ".", "b8": "."}), 1)),))
    name = field.terrain_map.field.name
    assert [" ".join(map(name, cells)) for cells, _reason in ground.roads_meet(field)] == ["j3 k3"]


def test_a_hill_may_run_on_over_the_seam() -> None:
    sides = {"j8": "1", "j7": "1", "j6": "1", "a7": "1", "a6": "1", "a5": "1"}
    field = Battlefield(((OrientedBoard(drawn(sides), 1), OrientedBoard(drawn(sides, "B"), 1)),))
    assert ground.hills(field.terrain_map) == []
