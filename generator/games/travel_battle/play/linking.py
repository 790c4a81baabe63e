"""How a brigade hangs together: each unit touches another, at a corner even, and so on to the brigadier."""

from __future__ import annotations

from collections.abc import Iterable

from generator.grid.squares import STEPS, Square


def linked(brigadier: Square, squares: Iterable[Square]) -> frozenset[Square]:
    """Those of a brigade's squares from which a chain of them, through sides or corners, leads to its brigadier."""
    apart = set(squares) - {brigadier}
    chain = [brigadier]
    for cell in chain:
        touching = [other for step in STEPS if (other := cell + step) in apart]
        apart.difference_update(touching)
        chain += touching
    return frozenset(chain)
