from __future__ import annotations

from collections import Counter

import pytest

from generator.errors import NothingLegalError
from generator.games.travel_battle import ground, maker
from generator.games.travel_battle.ground import (
    EDGES,
    HALF,
    HALVES,
    SEAM,
    SEAMS,
    TYPES,
    Battlefield,
    Board,
    BoardType,
    OrientedBoard,
    picture,
)
from generator.games.travel_battle.maker import make_board
from generator.seeds import RngStreams, code_for

CODES = [code_for(n * 68_719_476) for n in range(125)]


def made(code: str, of: BoardType = "A") -> Board:
    return make_board(of, RngStreams(code, f"v1/test/{of}"))


def test_any_code_makes_lawful_boards_that_join_and_are_as_thick_as_the_game_s() -> None:
    kinds: Counter[str] = Counter()
    for number, code in enumerate(CODES):
        pair = [made(code, of) for of in TYPES]
        for board in pair:
            terrain = board.terrain_map
            faults = ground.exits(board) + ground.ribbons(terrain) + ground.network(terrain) + ground.hills(terrain)
            assert faults == [], f"{code} {board.type}\n{picture(terrain)}"
            here = Counter(terrain.ground.values())
            assert here["road"] in maker.ROADS[4]
            assert 11 <= here["hill"] + here["hilltop"] <= 21
            assert here["ploughed"] in (4, 5)
            assert here["building"] in (2, 3)
            assert here["wood"] in (2, 3, 4)
            kinds += here
            kinds["topped"] += bool(here["hilltop"])
        left, right = (OrientedBoard(b, EDGES[(number // 4**i) % 4]) for i, b in enumerate(pair))
        field = Battlefield(((left, right),))
        assert ground.roads_meet(field) == ground.alternate(field) == ground.network(field.terrain_map) == []
    boards = len(TYPES) * len(CODES)
    assert 46 <= kinds["open"] / boards <= 54
    assert 24 <= kinds["road"] / boards <= 26
    assert 11 <= (kinds["hill"] + kinds["hilltop"]) / boards <= 21
    assert boards / 20 <= kinds["topped"] <= boards / 2


def test_any_code_makes_a_half_that_is_lawful_beside_its_image() -> None:
    seams: Counter[tuple[int, ...]] = Counter()
    for code in CODES[:50]:
        half = made(code, HALF)
        left, right = (OrientedBoard(half, edge) for edge in HALVES)
        field = Battlefield(((left, right),))
        assert ground.exits(half) + ground.ribbons(half.terrain_map) + ground.network(half.terrain_map) == [], code
        assert ground.hills(field.terrain_map) + ground.ribbons(field.terrain_map) == [], code
        assert ground.roads_meet(field) == ground.alternate(field) == ground.wholes(field) == [], code
        seams[half.exits(SEAM)] += 1
    assert set(seams) == set(SEAMS)
    assert min(seams.values()) > 15


def test_the_same_code_makes_the_same_board() -> None:
    assert made(CODES[1]) == made(CODES[1])
    assert made(CODES[1]) != made(CODES[2])


def test_the_budget_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(maker.ROADS, 4, range(0))
    with pytest.raises(NothingLegalError, match="no board of type B"):
        made(CODES[0], "B")


def test_a_golden_board() -> None:
    assert picture(made("K7Q2M-9FHN5").terrain_map) == GOLDEN


GOLDEN = """\
. 1 1 1 1 . . = b .
. = = = = = = = . .
= = 1 1 1 1 . = p p
. = 1 2 1 . . = = .
. = 1 1 1 . . . = .
. = 1 1 . . . . = .
. = 1 . . . . b = .
. = . . . . . . = =
. = = . . . . w . .
p p = . . . w w w ."""
