from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games.battlelore.ground import profiles
from generator.grid.hexes import DIRECTIONS, STEPS, Hex, HexField, corners, direction, distance, field, opposite

FIELDS = [plan.field for plan in profiles().values()]

fields = st.sampled_from(FIELDS)
coordinate = st.integers(-20, 20)
hexes = st.builds(Hex, coordinate, coordinate)
quick = settings(max_examples=60, deadline=None)


@pytest.mark.parametrize("grid", FIELDS, ids=lambda grid: str(grid.rows[0]))
def test_a_hex_and_its_name_are_one(grid: HexField) -> None:
    names = [grid.name(cell) for cell in grid.cells]
    assert len(set(names)) == len(grid.cells) == sum(grid.rows)
    assert [grid.find(name) for name in names] == list(grid.cells)
    assert [grid.at(grid.column(cell), cell.r) for cell in grid.cells] == list(grid.cells)
    assert (names[0], names[-1]) == ("A1", f"{'ABCDEFGHIJKLM'[grid.rows[-1] - 1]}9")


@given(fields, st.text(max_size=4))
@quick
def test_no_other_text_is_a_hex(grid: HexField, text: str) -> None:
    cell = grid.find(text)
    assert cell is None or (cell in grid and grid.name(cell) in (text, text.replace("0", "", 1)))


@pytest.mark.parametrize("text", ["", "A", "A0", "A10", "M1", "L2", "a1", "A１", "A1 ", "AA1", "A-1"])
def test_names_of_no_hex(text: str) -> None:
    assert field((12, 11, 12, 11, 12, 11, 12, 11, 12)).find(text) is None


@pytest.mark.parametrize("grid", FIELDS, ids=lambda grid: str(grid.rows[0]))
def test_neighbours_are_mutual_and_one_step_away(grid: HexField) -> None:
    for cell in grid.cells:
        around = grid.neighbours(cell)
        assert len(set(around)) == len(around)
        assert set(around) == {other for other in grid.cells if distance(cell, other) == 1}
        assert all(cell in grid.neighbours(other) for other in around)


@pytest.mark.parametrize("grid", FIELDS, ids=lambda grid: str(grid.rows[0]))
def test_half_a_turn_twice_is_none_and_keeps_neighbours(grid: HexField) -> None:
    for cell in grid.cells:
        turned = grid.turned(cell)
        assert turned in grid
        assert grid.turned(turned) == cell
        assert {grid.turned(n) for n in grid.neighbours(cell)} == set(grid.neighbours(turned))


@given(hexes, hexes, hexes)
@quick
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a) >= 0
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert distance(a + c, b + c) == distance(a, b)


@given(hexes, st.integers(0, 5))
@quick
def test_directions(cell: Hex, way: int) -> None:
    there = cell + STEPS[way]
    assert direction(cell, there) == way
    assert direction(there, cell) == opposite(way)
    assert direction(cell, cell) is None
    # The hexside between two hexes joins the same two corners of both hexes.
    first, second = corners(cell), corners(there)
    back = opposite(way)
    count = len(DIRECTIONS)
    assert {first[way], first[(way + 1) % count]} == {second[back], second[(back + 1) % count]}


def test_equal_fields_are_one_object() -> None:
    assert field((3, 2, 3)) is field((3, 2, 3))


@pytest.mark.parametrize("grid", FIELDS, ids=lambda grid: str(grid.rows[0]))
def test_what_a_field_hands_out_are_its_own_cells(grid: HexField) -> None:
    cells = {id(cell) for cell in grid.cells}
    for cell in grid.cells:
        given = (*grid.neighbours(cell), grid.turned(cell), grid.find(grid.name(cell)), Hex(*cell))
        assert {id(found) for found in (*given, *grid.row(cell.r))} <= cells
