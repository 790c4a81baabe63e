from __future__ import annotations

import pickle
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.grid.hexes import Hex, of_a_kind
from generator.grid.squares import DIRECTIONS, STEPS, Square, SquareField, centre, corners, distance, squares

FIELDS = [squares(10, 10), squares(20, 10), squares(30, 40), squares(60, 5)]

fields = st.sampled_from(FIELDS)
coordinate = st.integers(-20, 20)
cells = st.builds(Square, coordinate, coordinate)
quick = settings(max_examples=60, deadline=None)


def size(grid: SquareField) -> str:
    return f"{grid.columns}x{grid.rows}"


def test_a_square_is_not_a_hex() -> None:
    assert {Square(1, 2), Hex(1, 2)} == {Hex(1, 2), Square(1, 2)}
    assert len({Square(1, 2), Hex(1, 2), (1, 2)}) == 3


def test_a_square_is_the_same_whenever_it_is_made() -> None:
    assert Square(1, 2) is Square(0, 1) + Square(1, 1)
    assert pickle.loads(pickle.dumps(Square(1, 2))) is Square(1, 2)


def test_no_more_cells_are_kept_than_were_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.grid.hexes._KEPT", 2)

    @of_a_kind
    class Own(NamedTuple):
        c: int
        r: int

    assert Own(True, 0) == Own(1, 0) and type(Own(1, 0).c) is int
    cells = [Own(c, 0) for c in range(5)]
    assert cells == [Own(c, 0) for c in range(5)] and [cell is Own(*cell) for cell in cells].count(True) == 2
    assert set(cells) == {*map(Own._make, cells)}


@pytest.mark.parametrize("grid", FIELDS, ids=size)
def test_a_square_and_its_name_are_one(grid: SquareField) -> None:
    names = [grid.name(cell) for cell in grid.cells]
    assert len(set(names)) == len(grid.cells) == grid.columns * grid.rows
    assert [grid.find(name) for name in names] == list(grid.cells)
    assert [cell for r in range(grid.rows) for cell in grid.row(r)] == list(grid.cells)
    assert {cell for c in range(grid.columns) for cell in grid.column(c)} == set(grid.cells)


def test_names() -> None:
    grid = squares(20, 10)
    assert (grid.name(grid.cells[0]), grid.name(grid.cells[-1])) == ("a1", "t10")
    wide = squares(60, 5)
    assert [wide.name(Square(c, 2)) for c in (25, 26, 51, 52, 59)] == ["z3", "aa3", "az3", "ba3", "bh3"]


@pytest.mark.parametrize("text", ["", "a", "a0", "a01", "a11", "u1", "A1", "a１", "a1 ", "a-1", "aa1", "1a"])
def test_names_of_no_square(text: str) -> None:
    assert squares(20, 10).find(text) is None


@given(fields, st.text(max_size=4))
@quick
def test_no_other_text_is_a_square(grid: SquareField, text: str) -> None:
    cell = grid.find(text)
    assert cell is None or (cell in grid and grid.name(cell) == text)


@pytest.mark.parametrize("grid", FIELDS, ids=size)
def test_neighbours_are_mutual_and_one_step_away(grid: SquareField) -> None:
    for cell in grid.cells:
        around, adjacent = grid.neighbours(cell), grid.side_neighbours(cell)
        assert len(set(around)) == len(around)
        assert len(around) in (3, 5, 8)
        assert all(distance(cell, other) == 1 and cell in grid.neighbours(other) for other in around)
        assert set(adjacent) == {n for n in around if n.c == cell.c or n.r == cell.r}
        assert all(len(set(corners(cell)) & set(corners(n))) == (2 if n in adjacent else 1) for n in around)


@given(cells, cells, cells)
@quick
def test_distance_is_a_metric(a: Square, b: Square, c: Square) -> None:
    assert distance(a, b) == distance(b, a) >= 0
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert distance(a + c, b + c) == distance(a, b)
    assert distance(Square(0, 0), a - b) == distance(b, a)


def test_directions_run_anticlockwise_from_east() -> None:
    assert len(DIRECTIONS) == len(STEPS) == 8
    for a, b in zip(STEPS, (*STEPS[1:], STEPS[0]), strict=True):
        assert a.c * b.r - a.r * b.c == 1
    assert STEPS[DIRECTIONS.index("N")] == Square(0, 1)


@given(cells)
@quick
def test_the_lattice(cell: Square) -> None:
    x, y = centre(cell)
    assert (x, y) == (2 * cell.c, 2 * cell.r)
    assert corners(cell) == ((x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1), (x - 1, y - 1))


@pytest.mark.parametrize("grid", FIELDS, ids=size)
def test_two_quarters_are_a_half_and_four_are_none(grid: SquareField) -> None:
    aside = squares(grid.rows, grid.columns)
    for cell in grid.cells:
        quarter = grid.quarter(cell)
        assert quarter in aside
        assert aside.quarter(quarter) == grid.turned(cell)
        assert grid.turned(grid.turned(cell)) == cell
        assert {grid.quarter(n) for n in grid.neighbours(cell)} == set(aside.neighbours(quarter))


def test_a_quarter_turn_is_clockwise() -> None:
    grid = squares(20, 10)
    far_left, far_right = Square(0, 9), Square(19, 9)
    assert grid.quarter(far_left) == Square(9, 19)
    assert grid.quarter(far_right) == Square(9, 0)


def test_equal_fields_are_one_object() -> None:
    assert squares(20, 10) is squares(20, 10)


@given(st.data(), st.integers(0, 12))
@quick
def test_what_is_within_reach_is_what_lies_no_farther_off(data: st.DataObject, reach: int) -> None:
    grid = data.draw(fields)
    cell = data.draw(st.sampled_from(grid.cells))
    assert grid.within(cell, reach) == tuple(near for near in grid.cells if distance(cell, near) <= reach)
