"""Compare visible fractions with known values, with fractions computed another way, and with Shapely's shadows."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection
from fractions import Fraction
from itertools import product

import pytest

from bench import naive_shares
from generator.grid.squares import Square, distance, squares
from generator.sight.squares import (
    Look,
    Looks,
    Reading,
    Screens,
    four_corners,
    judge,
    looks,
    screens,
    visible_share,
)
from tests.sight.share_oracle import computed_share, visible_corners

REACH = 6
OCTANT = [Square(c, r) for c in range(1, REACH + 1) for r in range(c + 1)]
AROUND = range(-REACH, REACH + 1)
OFFSETS = [Square(c, r) for c in AROUND for r in AROUND if c or r]

Oracle = Callable[[Square, Collection[Square]], Fraction]


@pytest.mark.parametrize(
    ("target", "blockers", "share"),
    [
        (Square(4, 0), [Square(2, 0)], Fraction(0)),
        (Square(4, 1), [Square(2, 0)], Fraction(37, 130)),
        (Square(4, 4), [Square(2, 1)], Fraction(1, 2)),
        (Square(6, 0), [], Fraction(1)),
        (Square(4, 0), [Square(5, 0), Square(-1, 0), Square(4, 1), Square(3, 1)], Fraction(1)),
        (Square(1, 1), [Square(1, 0)], Fraction(1, 2)),
        (Square(1, 1), [Square(1, 0), Square(0, 1)], Fraction(0)),
    ],
)
def test_goldens(target: Square, blockers: list[Square], share: Fraction) -> None:
    assert visible_share(target).share(blockers) == computed_share(target, blockers) == share


def test_a_half_by_four_corners() -> None:
    assert four_corners(Square(4, 1)).share([Square(2, 0)]) == 0.5
    assert four_corners(Square(4, 0)).share([Square(2, 0)]) == 0


@pytest.mark.parametrize(("reading", "oracle"), [(visible_share, computed_share), (four_corners, visible_corners)])
def test_each_single_square_hides_what_rays_say(reading: Reading, oracle: Oracle) -> None:
    for target in OCTANT:
        view = reading(target)
        for blocker in (Square(c, r) for c in range(-1, REACH + 2) for r in range(-1, REACH + 2)):
            assert view.share([blocker]) == oracle(target, [blocker]), (target, blocker)


@pytest.mark.parametrize(("reading", "oracle"), [(visible_share, computed_share), (four_corners, visible_corners)])
def test_many_squares_hide_what_rays_say(reading: Reading, oracle: Oracle) -> None:
    chance = random.Random(4)
    for target in OFFSETS:
        for density in (0.05, 0.15, 0.4):
            blockers = [cell for cell in OFFSETS if chance.random() < density]
            assert reading(target).share(blockers) == oracle(target, blockers), (target, blockers)


@pytest.mark.parametrize("reading", [visible_share, four_corners])
def test_turned_and_mirrored_alike(reading: Reading) -> None:
    chance = random.Random(5)
    for target in OCTANT:
        blockers = [cell for cell in OFFSETS if chance.random() < 0.2]
        share = reading(target).share(blockers)
        for x, y, swap in product((1, -1), (1, -1), (False, True)):

            def image(cell: Square, x: int = x, y: int = y, swap: bool = swap) -> Square:
                return Square(y * cell.r, x * cell.c) if swap else Square(x * cell.c, y * cell.r)

            assert reading(image(target)).share(map(image, blockers)) == share


def random_board(chance: random.Random, columns: int = 20, rows: int = 10) -> Screens:
    """Return a dense or sparse board with hills of two levels, solid terrain and units."""
    field = squares(columns, rows)
    thick = chance.choice((0.3, 1, 2))
    levels = {cell: chance.choice((1, 1, 2)) if chance.random() < 0.12 * thick else 0 for cell in field.cells}
    solid = [cell for cell in field.cells if not levels[cell] and chance.random() < 0.06 * thick]
    return screens(field, levels.__getitem__, solid).with_units(field, chance.sample(field.cells, int(20 * thick)))


@pytest.mark.parametrize("seed", range(5))
def test_shapely_s_shadows_agree_on_every_pair(seed: int) -> None:
    board, field = random_board(random.Random(seed)), squares(20, 10)
    heights = {(cell.c, cell.r): height for cell, height in zip(field.cells, board.heights, strict=True)}
    over = {
        level: [(cell.c, cell.r) for i, cell in enumerate(field.cells) if mask >> i & 1]
        for level, mask in enumerate(board.over)
    }
    opinion = naive_shares.all_shares(20, 10, REACH, heights, over)
    found = looks(field, REACH, visible_share)
    count = 0
    for start in field.cells:
        clear = set(found.in_sight(board, start))
        for end, share in found.shares(board, start).items():
            other = opinion[(start.c, start.r), (end.c, end.r)]
            assert abs(float(share) - other) < 1e-9
            if abs(other - 0.5) > 1e-9:
                assert (end in clear) == (other > 0.5)
            else:
                assert (end in clear) == (share >= 0.5)
            count += 1
    assert count == len(opinion) == 18984


@pytest.mark.parametrize("reading", [visible_share, four_corners])
def test_the_board_at_once_and_look_by_look(reading: Reading) -> None:
    field, board = squares(9, 8), random_board(random.Random(7), 9, 8)
    found = looks(field, REACH, reading)
    assert found is looks(field, REACH, reading)
    clear = set(found.all_clear(board))
    for start in field.cells:
        row = found.shares(board, start)
        assert list(row) == [end for end in field.cells if 0 < distance(start, end) <= REACH]
        for end, share in row.items():
            look = judge(field, board, reading, start, end)
            assert (look.share, look.clear, look.distance) == (
                share,
                end in found.in_sight(board, start),
                distance(start, end),
            )
            assert look.clear == ((field.index[start], field.index[end]) in clear)
            hiding = [cell - start for cell in look.hidden_by]
            assert reading(end - start).share(hiding) == share
            assert all(reading(end - start).share([cell]) < 1 for cell in hiding)
            nearest = sorted(
                look.hidden_by, key=lambda cell: (math.hypot(cell.c - start.c, cell.r - start.r), cell.r, cell.c)
            )
            assert list(look.hidden_by) == nearest


def test_evicted_shares_are_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.sight.squares._KEPT", 2)
    field, board = squares(9, 8), random_board(random.Random(8), 9, 8)
    small = Looks(field, REACH, visible_share)
    for start in field.cells:
        assert small.shares(board, start) == looks(field, REACH, visible_share).shares(board, start)


def row(drawn: str) -> Look:
    """Return the line of sight along a row.

    Each square is given as a level, with `u` for a unit and `b` for a building.
    """
    cells = drawn.split()
    field = squares(len(cells), 1)
    at = dict(zip(field.cells, cells, strict=True))
    ground = screens(field, lambda cell: int(at[cell][0]), [cell for cell in field.cells if "b" in at[cell]])
    board = ground.with_units(field, [cell for cell in field.cells if "u" in at[cell]])
    return judge(field, board, visible_share, field.cells[0], field.cells[-1])


@pytest.mark.parametrize(
    ("drawn", "hidden_by"),
    [
        ("0u 0 0 0u", []),
        ("0u 0u 0 0u", [1]),
        ("0u 0b 0 0u", [1]),
        ("0u 0 1 0u", [2]),
        ("0u 0u 1 0bu", [1, 2]),
        ("0bu 0 0 0bu", []),
        ("1u 0u 0 0u", []),
        ("0u 0u 0 1u", []),
        ("1u 0b 0 0u", [1]),
        ("1u 0 0b 1u", [2]),
        ("1u 1u 0 0u", []),
        ("0u 1 1u 1u", []),
        ("1u 0 2 0u", [2]),
        ("1u 0 2u 1u", [2]),
        ("2u 0 1u 0u", []),
        ("0u 0u 2 2u", []),
        ("2u 3 0 2u", [1]),
        ("2u 1b 0 2u", [1]),
    ],
)
def test_rulings_on_hills_and_units(drawn: str, hidden_by: list[int]) -> None:
    look = row(drawn)
    assert [cell.c for cell in look.hidden_by] == hidden_by
    assert look.clear == (not hidden_by)
    assert look.share == (0 if hidden_by else 1)
