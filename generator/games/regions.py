"""Cells that hang together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Cell = TypeVar("Cell", bound=Hashable)


def connected(
    cells: Iterable[Cell],
    beside: Callable[[Cell], Iterable[Cell]],
    step: Callable[[Cell, Cell], bool] = lambda a, b: True,
) -> list[tuple[Cell, ...]]:
    """The connected parts of these cells, by the first cell of each.

    `beside` are a cell's neighbours, be they among these cells or not; `step` tells whether one leads to the other.
    """
    left = dict.fromkeys(cells)
    parts: list[tuple[Cell, ...]] = []
    while left:
        part = [next(iter(left))]
        del left[part[0]]
        for cell in part:
            for other in beside(cell):
                if other in left and step(cell, other):
                    del left[other]
                    part.append(other)
        parts.append(tuple(part))
    return parts
