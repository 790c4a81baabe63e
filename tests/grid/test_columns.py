"""Tests for the numbering of hexes in Battling's examples, and for its lattice."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.grid.columns import DIRECTIONS, Numbered, columns_field, distance, step

FIELD = columns_field(14, 12)
LARGE = columns_field(60, 40)
NUMBERED = st.builds(Numbered, st.integers(1, 60), st.integers(1, 40))


def at(name: str) -> Numbered:
    cell = FIELD.find(name)
    assert cell
    return cell


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("0707", "0706 0806 0807 0708 0607 0606"),
        ("0806", "0805 0906 0907 0807 0707 0706"),
        ("0807", "0806 0907 0908 0808 0708 0707"),
        ("0907", "0906 1006 1007 0908 0807 0806"),
    ],
)
def test_neighbours_clockwise_from_the_top(name: str, around: str) -> None:
    assert DIRECTIONS == ("N", "NE", "SE", "S", "SW", "NW")
    assert " ".join(map(FIELD.name, FIELD.neighbours(at(name)))) == around
    assert " ".join(FIELD.name(step(at(name), d)) for d in range(6)) == around


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [
        ("0707", "0807", 1),
        ("0707", "0806", 1),
        ("0806", "0907", 1),
        ("0707", "0908", 2),
        ("0707", "0805", 2),
        ("0707", "0609", 3),
        ("0707", "1108", 4),
        ("0707", "1205", 5),
        ("0807", "1205", 4),
        ("0707", "0909", 3),
        ("0101", "0202", 2),
        ("0201", "0102", 1),
        ("0202", "0301", 2),
        ("0101", "1010", 14),
    ],
)
def test_distances(a: str, b: str, steps: int) -> None:
    assert distance(at(a), at(b)) == distance(at(b), at(a)) == steps


def test_how_far_a_walk_leads() -> None:
    within = [distance(at("0707"), cell) for cell in FIELD.cells]
    assert within.count(1) == 6
    assert within.count(1) + within.count(2) == 18


@pytest.mark.parametrize(
    ("direction", "run"),
    [
        ("N", "0706 0705 0704 0703 0702"),
        ("NE", "0806 0906 1005 1105 1204"),
        ("SE", "0807 0908 1008 1109 1209"),
        ("S", "0708 0709 0710 0711 0712"),
        ("SW", "0607 0508 0408 0309 0209"),
        ("NW", "0606 0506 0405 0305 0204"),
    ],
)
def test_straight_runs(direction: str, run: str) -> None:
    cell, names = at("0707"), []
    for _ in range(5):
        cell = step(cell, DIRECTIONS.index(direction))
        names.append(FIELD.name(cell))
    assert " ".join(names) == run


@given(NUMBERED, NUMBERED)
def test_distance_is_the_fewest_steps(a: Numbered, b: Numbered) -> None:
    ways = [distance(n, b) for n in LARGE.neighbours(a)]
    assert a == b or min(ways) == distance(a, b) - 1


@given(NUMBERED)
def test_names_and_neighbours_lead_back(cell: Numbered) -> None:
    assert LARGE.find(LARGE.name(cell)) == cell
    for d in range(6):
        assert step(step(cell, d), (d + 3) % 6) == cell


@pytest.mark.parametrize(
    "name", ["", "707", "07070", "0007", "0700", "1501", "0113", "７７０７", "07 7", "+707", "0707\n"]
)
def test_only_four_digits_of_the_field_are_a_name(name: str) -> None:
    assert FIELD.find(name) is None


def test_rows_grow_downward_and_even_columns_hang_lower() -> None:
    (x, y), (_, below), (right, lower) = (FIELD.centre(at(name)) for name in ("0707", "0708", "0807"))
    assert (below, right, lower) == (y - 2, x + 3, y - 1)


def test_hexes_are_as_wide_as_they_should_be() -> None:
    xs, ys = zip(*FIELD.corners(at("0707")), strict=True)
    across, up = FIELD.pitch
    assert (max(xs) - min(xs)) * across == pytest.approx(2)
    assert (max(ys) - min(ys)) * up == pytest.approx(3**0.5)


@given(NUMBERED)
def test_corners_lie_in_the_hexes_that_share_them(cell: Numbered) -> None:
    assert LARGE.holding(*map(Fraction, LARGE.centre(cell))) == (cell,)
    for x, y in LARGE.corners(cell):
        held = LARGE.holding(Fraction(x), Fraction(y))
        assert cell in held
        assert all((x, y) in LARGE.corners(other) for other in held)


def test_equal_fields_are_one_object() -> None:
    assert columns_field(14, 12) is FIELD
    assert FIELD.cells == tuple(sorted(FIELD.cells))
    assert FIELD.column(2) == FIELD.cells[12:24]
    assert [FIELD.name(cell) for cell in FIELD.row(12)][-1] == "1412"
