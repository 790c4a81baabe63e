"""Ways for roads across a board: cheap ones with few bends that keep clear of what is laid already."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping

from generator.games.travel_battle.ground.board import SIZE
from generator.grid.squares import STEPS, Square, distance, squares

BEND = 2
"""What a bend costs, where a square costs as much as it is rough."""

_FIELD = squares(SIZE, SIZE)
_SIDEWAYS = STEPS[::2]


def way(
    start: Square, ends: Collection[Square], open_to: Collection[Square], rough: Mapping[Square, int]
) -> list[Square]:
    """The cheapest way from a square to one of some ends, over open squares; empty where there is none.

    A way that touches itself counts as none.
    """
    ahead: list[tuple[int, Square, int]] = [(0, start, -1)]
    before: dict[tuple[Square, int], tuple[Square, int] | None] = {(start, -1): None}
    cost = {(start, -1): 0}
    while ahead:
        spent, cell, heading = heapq.heappop(ahead)
        if cell in ends:
            path = _back(before, (cell, heading))
            return path if _clear_of_itself(path) else []
        if spent > cost[cell, heading]:
            continue
        for turned, step in enumerate(_SIDEWAYS):
            there = cell + step
            if there not in ends and there not in open_to:
                continue
            price = spent + rough[there] + (BEND if heading not in (-1, turned) else 0)
            if price < cost.get((there, turned), price + 1):
                cost[there, turned] = price
                before[there, turned] = (cell, heading)
                heapq.heappush(ahead, (price, there, turned))
    return []


def joints(roads: Collection[Square]) -> list[Square]:
    """The squares from which a way may join roads that are laid: beside one of them, clear of all but its own."""
    found: list[Square] = []
    for cell in _FIELD.cells:
        beside = [n for n in _FIELD.beside(cell) if n in roads]
        if cell not in roads and len(beside) == 1:
            own = (beside[0], *_FIELD.beside(beside[0]))
            if all(n in own for n in _FIELD.neighbours(cell) if n in roads):
                found.append(cell)
    return found


def _back(before: Mapping[tuple[Square, int], tuple[Square, int] | None], last: tuple[Square, int]) -> list[Square]:
    path: list[Square] = []
    at: tuple[Square, int] | None = last
    while at:
        path.append(at[0])
        at = before[at]
    return path[::-1]


def _clear_of_itself(path: list[Square]) -> bool:
    """Whether squares of a way touch only where it goes straight on or bends."""
    return not any(distance(a, b) == 1 for i, a in enumerate(path) for b in path[i + 3 :])
