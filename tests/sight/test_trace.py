"""Compare traced lines with an oracle in integer arithmetic and with counts made by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games.battlelore.ground import profile
from generator.grid.hexes import Hex, HexField, distance
from generator.sight.trace import Screens, Trace, lines, trace
from tests.sight import oracle

COUNTS = {
    "battlelore": ({2: 475, 3: 607, 4: 684}, {2: 241, 4: 178}),
    "memoir": ({2: 521, 3: 670, 4: 760}, {2: 264, 4: 197}),
}
"""Number of pairs at each distance, and of their lines along hexsides (facts, 2.2)."""

coordinate = st.integers(-14, 14)
offsets = st.builds(Hex, coordinate, coordinate).filter(lambda cell: cell != Hex(0, 0))


def place(cell: Hex) -> oracle.Place:
    return 2 * cell.q + cell.r, cell.r


def placed(cells: Iterable[Hex]) -> tuple[oracle.Place, ...]:
    return tuple(place(cell) for cell in cells)


def on_either_side(crossed: Trace) -> tuple[tuple[oracle.Place, oracle.Place], ...]:
    return tuple(zip(placed(crossed.left), placed(crossed.right), strict=True))


@pytest.mark.parametrize("half", ["upper", "lower"])
def test_every_line_of_both_boards_meets_what_the_oracle_says(half: str) -> None:
    rows = range(9) if half == "upper" else range(-8, 0)
    for r in rows:
        for x in range(-25, 26):
            if (x + r) % 2 or (x, r) == (0, 0):
                continue
            got, want = trace(Hex((x - r) // 2, r)), oracle.hexes_met(x, r)
            assert placed(got.through) == want.through
            assert placed(got.left) == want.left
            assert placed(got.right) == want.right
            assert on_either_side(got) == want.facing
            assert sorted(placed(got.touching)) == sorted(want.touching)


@given(offsets)
@settings(max_examples=60, deadline=None)
def test_a_line_back_meets_the_same_in_reverse(offset: Hex) -> None:
    forth, back = trace(offset), trace(Hex(0, 0) - offset)

    def seen_from_there(cells: tuple[Hex, ...]) -> list[Hex]:
        return sorted(cell + offset for cell in cells)

    assert seen_from_there(back.through) == sorted(forth.through)
    assert seen_from_there(back.left) == sorted(forth.right)
    assert seen_from_there(back.right) == sorted(forth.left)
    assert seen_from_there(back.touching) == sorted(forth.touching)


@given(offsets)
@settings(max_examples=60, deadline=None)
def test_what_a_line_meets_lies_between_its_ends(offset: Hex) -> None:
    met_hexes, far = trace(offset), distance(Hex(0, 0), offset)
    for cell in (*met_hexes.through, *met_hexes.left, *met_hexes.right):
        assert max(distance(Hex(0, 0), cell), distance(cell, offset)) < far
    crossed = [distance(Hex(0, 0), cell) for cell in met_hexes.through]
    assert crossed == sorted(crossed)
    assert len(met_hexes.left) == len(met_hexes.right)


@pytest.mark.parametrize("name", COUNTS)
def test_how_many_lines_run_along_hexsides(name: str) -> None:
    grid = profile(name).field
    pairs: Counter[int] = Counter()
    along: Counter[int] = Counter()
    for i, a in enumerate(grid.cells):
        for j, b in enumerate(grid.cells[i + 1 :], i + 1):
            far = distance(a, b)
            if far in (2, 3, 4):
                pairs[far] += 1
                along[far] += bool(lines(grid).between(i, j)[1])
    assert (dict(pairs), {far: n for far, n in along.items() if n}) == COUNTS[name]
    assert along[3] == 0
    expected = Counter(
        oracle.steps(cells[line.a], cells[line.b])
        for cells in [oracle.places(grid.rows)]
        for line in oracle.board_lines(grid.rows)
        if line.left
    )
    assert {far: expected[far] for far in (2, 4)} == COUNTS[name][1]


@pytest.mark.parametrize("name", COUNTS)
def test_what_lies_off_the_board_is_one_bit(name: str) -> None:
    grid = profile(name).field
    of = lines(grid)
    edge: Counter[int] = Counter()
    for a in range(len(grid.cells)):
        for b in range(a + 1, len(grid.cells)):
            through, left, right = of.between(a, b)
            assert not through & of.off
            if (left | right) & of.off:
                edge[distance(grid.cells[a], grid.cells[b])] += 1
    assert (edge[2], edge[4]) == (8, 6)
    assert all(of.cells(of.mask([cell])) == (cell,) for cell in grid.cells)
    assert of.mask([Hex(-9, 0)]) == of.off


@pytest.mark.parametrize("number", range(24))
def test_whole_board_sight_agrees_with_single_lines(number: int) -> None:
    """The cases cover screens lifted near an end or far away, for one end or both, and the edge of a board."""
    rng = random.Random(number)
    whole = HexField((6, 7, 6, 5, 7))
    of = lines(whole.around(rng.choice(whole.cells), 2) if number % 3 == 0 else whole)
    cells = of.grid.cells
    far = number % 2

    def screen(maximum: int) -> tuple[int, ...]:
        stands = rng.sample(cells, min(len(cells), rng.randrange(maximum)))
        off = of.off if rng.random() < 0.5 else 0
        stay = (of.mask(c for c in stands if rng.random() < 0.7 or distance(c, end) > 1 + 9 * far) for end in cells)
        return tuple(off | mask for mask in stay)

    over = Screens(of, screen(16), screen(9) if number % 4 > 1 else (0,) * len(cells), cumulative=number % 5 < 3)
    pairs = list(combinations(range(len(cells)), 2))
    seen = over.all_clear()
    assert [*seen] == [(a, b) for a, b in pairs if not over.stops(a, b)]
    assert len(seen) == len([*seen])
