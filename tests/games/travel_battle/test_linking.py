"""Compare a brigade's chain of linked units with the transitive closure over adjacent pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.games.travel_battle.play import linked
from generator.grid.squares import Square, distance

CELLS = st.builds(Square, st.integers(0, 5), st.integers(0, 5))


@given(CELLS, st.sets(CELLS, max_size=12))
def test_a_chain_is_the_closure_of_touching(brigadier: Square, squares: set[Square]) -> None:
    chain = {brigadier}
    for _ in squares:
        chain |= {cell for cell in squares if any(distance(cell, other) <= 1 for other in chain)}
    assert linked(brigadier, squares) == chain


def test_a_corner_is_enough_and_a_gap_is_not() -> None:
    corner, gap = Square(2, 2), Square(4, 2)
    assert linked(Square(1, 1), [corner, gap]) == {Square(1, 1), corner}
    assert linked(Square(1, 1), [corner, gap, Square(3, 3)]) == {Square(1, 1), corner, Square(3, 3), gap}
