"""Compare lines past silhouettes with exact fractions and with Shapely."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import shapely

from generator.grid.columns import Numbered, columns_field
from generator.sight.silhouettes import Point, Polygon, Shadows, Silhouettes, outlines
from tests.sight import silhouette_oracle as oracle
from tests.sight.towns import town

BOX: Polygon = ((0, 0), (4, 0), (4, 4), (0, 4))
BESIDE: Polygon = ((4, 1), (8, 1), (8, 3), (4, 3))
CORNERWISE: Polygon = ((4, 4), (8, 4), (8, 8), (4, 8))
HOOK: Polygon = ((0, 0), (6, 0), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6))
LID: Polygon = ((2, 6), (4, 6), (4, 4), (2, 4))


@pytest.mark.parametrize(
    ("shapes", "start", "end", "stop"),
    [
        ([BOX], (-2, 2), (6, 2), (0, 2)),
        ([BOX], (-2, 0), (6, 0), None),
        ([BOX], (-2, -2), (0, 0), None),
        ([BOX], (-2, 2), (2, 6), None),
        ([BOX], (2, 2), (8, 2), (2, 2)),
        ([BOX], (4, 2), (8, 2), None),
        ([BOX], (0, 2), (4, 2), (0, 2)),
        ([BOX], (-2, 2), (0, 2), None),
        ([BOX, BESIDE], (4, -2), (4, 6), (4, 1)),
        ([BOX, BESIDE], (4, 4), (4, 8), None),
        ([BOX, BESIDE], (4, -2), (4, 1), None),
        ([BOX, CORNERWISE], (0, 8), (8, 0), None),
        ([BOX, CORNERWISE], (0, 0), (8, 8), (0, 0)),
        ([HOOK], (3, 3), (3, 9), None),
        ([HOOK], (3, 3), (9, 3), (4, 3)),
        ([HOOK, LID], (3, 3), (3, 9), (3, 4)),
        ([HOOK, LID], (4, 3), (4, 9), (4, 4)),
        ([BOX, BOX[::-1]], (4, -2), (4, 6), None),
    ],
    ids=str,
)
def test_through_the_inside_blocks_and_touching_does_not(
    shapes: list[Polygon], start: Point, end: Point, stop: Point | None
) -> None:
    line = Silhouettes(shapes, 1).line(start, end)
    assert line.blocked_at == (tuple(map(Fraction, stop)) if stop else None)
    assert line.clear == Silhouettes(shapes, 1).clear(start, end) == (stop is None)
    assert Silhouettes(shapes, 1).line(end, start).clear == line.clear


def test_the_end_of_a_blocked_line_is_given_in_board_units() -> None:
    assert Silhouettes([BOX], 3).line((-2, 1), (6, 2)).blocked_at == (Fraction(0), Fraction(5, 12))


def test_a_boundary_is_covered() -> None:
    of = Silhouettes([HOOK], 1)
    assert [of.covers(point) for point in ((0, 0), (1, 3), (2, 4), (3, 4), (3, 6), (5, 6))] == [
        True,
        True,
        True,
        False,
        False,
        True,
    ]


SIZES = (
    [(8, 7, 1, 6, 6, 400)] * 6 + [(8, 7, 1, 3, 8, 400)] * 6 + [(14, 12, 4, 40, 16, 600), (60, 40, 4, 300, 12, 300)]
)


@pytest.mark.parametrize("seed", range(len(SIZES)))
def test_sampled_lines_are_those_of_rational_arithmetic(seed: int) -> None:
    columns, rows, fine, count, size, samples = SIZES[seed]
    rng = random.Random(seed)
    field, shapes = columns_field(columns, rows), town(rng, columns, rows, fine, count, size)
    buildings = Silhouettes(shapes, fine)
    shadows = Shadows(field, buildings)
    for _ in range(samples):
        a, b = rng.sample(range(len(field.cells)), 2)
        start, end = (_fine(field.cells[i], fine) for i in (a, b))
        stop = oracle.blocked_at(start, end, shapes)
        line = buildings.line(start, end)
        assert line.blocked_at == (stop and (stop[0] / fine, stop[1] / fine))
        assert shadows.clear(a, b) == shadows.clear(b, a) == buildings.clear(start, end) == line.clear
    for cell in rng.sample(field.cells, 40):
        assert buildings.covers(_fine(cell, fine)) == oracle.covered(_fine(cell, fine), shapes)


def test_the_matrix_holds_every_line() -> None:
    field = columns_field(8, 7)
    buildings = Silhouettes(town(random.Random(2), 8, 7, 2, 8, 10), 2)
    shadows = Shadows(field, buildings)
    lines = [[a != b and buildings.line(_fine(a, 2), _fine(b, 2)).clear for b in field.cells] for a in field.cells]
    assert shadows.matrix.tolist() == lines


def test_where_nothing_overlaps_shapelys_union_agrees() -> None:
    rng = random.Random(5)
    field, fine = columns_field(10, 8), 3
    shapes: list[Polygon] = []
    for shape in town(rng, 10, 8, fine, 60, 12):
        if not any(shapely.Polygon(shape).overlaps(shapely.Polygon(s)) or _inside(shape, s) for s in shapes):
            shapes.append(shape)
    union = shapely.union_all([shapely.Polygon(shape) for shape in shapes])
    shadows = Shadows(field, Silhouettes(shapes, fine))
    for a, start in enumerate(field.cells):
        for b in range(a + 1, len(field.cells), 7):
            line = shapely.LineString([_fine(start, fine), _fine(field.cells[b], fine)])
            assert shadows.clear(a, b) != union.relate_pattern(line, "T********")


def test_an_arena_without_buildings_is_open() -> None:
    field = columns_field(3, 3)
    assert Shadows(field, Silhouettes([], 6)).matrix.sum() == 9 * 8
    assert outlines([], 6) == ()


def test_outlines_join_what_touches_and_keep_courtyards() -> None:
    (building,) = outlines([HOOK, LID, ((1, 0), (3, 0), (3, 1), (1, 1))], 2)
    assert len(building) == 2
    assert sorted(building[1]) == [(1.0, 1.0), (1.0, 2.0), (2.0, 1.0), (2.0, 2.0)]
    assert len(outlines([BOX, CORNERWISE], 1)) == 2


@pytest.mark.parametrize("within", [CORNERWISE, BESIDE, ((9, 9), (12, 9), (12, 12))])
def test_buildings_outside_a_part_have_no_outline_there(within: Polygon) -> None:
    assert outlines([BOX], 1, [within]) == ()


def _inside(a: Polygon, b: Polygon) -> bool:
    return bool(shapely.Polygon(a).covers(shapely.Polygon(b)) or shapely.Polygon(b).covers(shapely.Polygon(a)))


def _fine(cell: Numbered, fine: int) -> Point:
    x, y = columns_field(60, 40).centre(cell)
    return fine * x, fine * y


def test_a_point_sees_itself_unless_a_building_holds_it() -> None:
    towns = Silhouettes([((0, 0), (4, 0), (4, 4), (0, 4)), ((4, 0), (8, 0), (8, 4), (4, 4))], 1)
    assert [towns.line(at, at).clear for at in ((9, 9), (0, 0), (4, 4), (2, 2))] == [True, True, True, False]
