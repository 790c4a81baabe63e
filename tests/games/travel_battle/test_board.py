"""Tests for turned boards and joined boards."""

from __future__ import annotations

from itertools import product

import pytest

from generator.games.travel_battle import ground
from generator.games.travel_battle.ground import (
    COMPASS,
    EDGES,
    EXITS,
    SIZE,
    TYPES,
    Battlefield,
    Board,
    BoardType,
    Edge,
    OrientedBoard,
    along,
    house_boards,
)
from generator.grid.squares import Square

HOUSE = {of: [drawn.ground for drawn in house_boards().values() if drawn.ground.type == of] for of in TYPES}
A, B = HOUSE["A"][0], HOUSE["B"][0]


def pair(left: Board, right: Board, turn: tuple[Edge, Edge], stacked: bool) -> Battlefield:
    placed = OrientedBoard(left, turn[0]), OrientedBoard(right, turn[1])
    return Battlefield(((placed[0],), (placed[1],)) if stacked else (placed,))


@pytest.mark.parametrize("of", TYPES)
def test_turns_map_exits_onto_exits(of: BoardType) -> None:
    for board in HOUSE[of]:
        for edge in EDGES:
            assert {s: board.facing(edge).exits(s) for s in COMPASS} == {s: (i,) for s, i in EXITS[of].items()}


def test_the_edge_of_that_number_lies_south() -> None:
    for number, side in zip(EDGES, COMPASS, strict=True):
        drawn = {A.terrain_map.ground[cell] for cell in along(side)}
        assert {A.facing(number).terrain_map.ground[cell] for cell in along("S")} == drawn
    corner = {edge: A.facing(edge).terrain_map.ground[Square(9, 0)] for edge in EDGES}
    squares = {1: Square(9, 0), 2: Square(9, 9), 3: Square(0, 9), 4: Square(0, 0)}
    assert corner == {edge: A.terrain_map.ground[cell] for edge, cell in squares.items()}


def test_four_quarters_are_none() -> None:
    assert A.facing(1) == A
    assert A.facing(2).facing(4) == A.facing(3).facing(3) == A
    assert len({tuple(A.facing(edge).terrain_map.ground.values()) for edge in EDGES}) == 4


@pytest.mark.parametrize("stacked", [False, True], ids=["beside", "behind"])
@pytest.mark.parametrize("turn", list(product(EDGES, EDGES)), ids=str)
def test_a_joins_b_in_every_turn_on_either_side(turn: tuple[Edge, Edge], stacked: bool) -> None:
    for left, right in ((A, B), (B, A)):
        field = pair(left, right, turn, stacked)
        assert ground.roads_meet(field) == ground.alternate(field) == ground.network(field.terrain_map) == []
        assert ground.ribbons(field.terrain_map) == ground.hills(field.terrain_map) == []


@pytest.mark.parametrize("turn", list(product(EDGES, EDGES)), ids=str)
def test_two_of_one_type_never_join(turn: tuple[Edge, Edge]) -> None:
    for of, stacked in product(TYPES, (False, True)):
        first, second = HOUSE[of][:2]
        field = pair(first, second, turn, stacked)
        assert len(ground.roads_meet(field)) == 2
        ((cells, reason),) = ground.alternate(field)
        assert cells == (Square(0, 0), Square(0, SIZE) if stacked else Square(SIZE, 0))
        assert reason.en == f"two boards of type {of} must not lie side by side"


def test_a_grid_alternates_like_a_chessboard() -> None:
    grid = tuple(tuple(OrientedBoard(HOUSE[TYPES[(r + c) % 2]][r], 1) for c in range(4)) for r in range(3))
    field = Battlefield(grid)
    assert (field.terrain_map.field.columns, field.terrain_map.field.rows) == (40, 30)
    assert ground.roads_meet(field) == ground.alternate(field) == ground.network(field.terrain_map) == []
    swapped = Battlefield((grid[0], (*grid[1][:1], grid[1][2], grid[1][1], grid[1][3]), grid[2]))
    assert len(ground.alternate(swapped)) == 6


def test_boards_lie_where_they_are_laid() -> None:
    field = Battlefield(((OrientedBoard(A, 1), OrientedBoard(B, 2)), (OrientedBoard(B, 3), OrientedBoard(A, 4))))
    for (row, boards), column in product(enumerate(field.rows), range(2)):
        seen = boards[column].turned.terrain_map.ground
        assert [field.terrain_map.ground[c] for c in field.cells(column, row)] == list(seen.values())


@pytest.mark.parametrize("rows", [(), ((),), ((OrientedBoard(A, 1),), (OrientedBoard(B, 1), OrientedBoard(A, 1)))])
def test_a_battlefield_is_a_whole_grid(rows: tuple[tuple[OrientedBoard, ...], ...]) -> None:
    with pytest.raises(ValueError, match="the same number of boards in every row"):
        Battlefield(rows)


def test_who_may_stand_where() -> None:
    board_terrain = A.terrain_map
    admitted = {board_terrain.ground[c]: board_terrain.admits(c, "cavalry") for c in board_terrain.field.cells}
    assert {terrain for terrain, may in admitted.items() if not may} <= {"wood", "building"}
    assert not admitted["wood"]
    assert board_terrain.height(Square(-1, 0)) == 0
