from __future__ import annotations

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.sight.silhouettes import Polygon, convex_parts, covers, doubled_area, fault, sides, turn

POINTS = st.tuples(st.integers(-8, 8), st.integers(-8, 8))
SHAPES = st.lists(POINTS, min_size=3, max_size=9, unique=True).map(tuple)


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (((0, 0), (1, 0)), "fewer than three corners"),
        (((0, 0), (2, 0), (0, 0), (0, 2)), "a corner twice"),
        (((0, 0), (1, 1), (2, 2)), "no area"),
        (((0, 0), (2, 2), (2, 0), (0, 2), (1, 5)), "crosses or touches itself"),
        (((0, 0), (4, 0), (4, 4), (2, 0), (0, 4)), "crosses or touches itself"),
        (((0, 0), (4, 0), (6, 0), (3, 0), (3, 3)), "touches itself"),
        (((0, 0), (6, 0), (4, 0), (4, 3)), "itself"),
    ],
)
def test_invalid_silhouettes_are_refused(shape: Polygon, why: str) -> None:
    assert why in fault(shape)
    assert why in fault(shape[::-1])


def test_straight_corners_are_accepted() -> None:
    assert not fault(((0, 0), (2, 0), (4, 0), (4, 4), (0, 4)))


@given(SHAPES)
def test_faults_are_those_that_shapely_finds(shape: Polygon) -> None:
    sound = shapely.Polygon(shape)
    assert bool(fault(shape)) == (not sound.is_valid or sound.area == 0)


@given(SHAPES)
def test_parts_are_convex_and_fill_the_polygon(shape: Polygon) -> None:
    assume(not fault(shape))
    parts = convex_parts(shape)
    for part in parts:
        corners = zip(part, (*part[1:], part[0]), (*part[2:], *part[:2]), strict=True)
        assert all(turn(a, b, c) > 0 for a, b, c in corners)
        assert shapely.Polygon(shape).covers(shapely.Polygon(part))
    assert sum(map(doubled_area, parts)) == abs(doubled_area(shape))


@given(SHAPES, POINTS)
def test_a_point_is_covered_by_a_part_or_by_none(shape: Polygon, point: tuple[int, int]) -> None:
    assume(not fault(shape))
    assert any(covers(part, point) for part in convex_parts(shape)) == shapely.Polygon(shape).covers(
        shapely.Point(point)
    )


def test_sides_close_the_ring() -> None:
    assert list(sides(((0, 0), (1, 0), (0, 1)))) == [((0, 0), (1, 0)), ((1, 0), (0, 1)), ((0, 1), (0, 0))]
