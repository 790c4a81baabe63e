"""Interceptions by walking every path, sharing no code with the game: maps as text, hexes as columns and rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

COSTS = {".": 1, "r": 2, "f": 2, "^": 3, "o": 2, "=": 1}
"""What a hex costs by its symbol; nobody enters any other."""

Spot = tuple[int, int]


def rows_of(picture: str) -> list[list[str]]:
    """The symbols of a drawn map, the near row first."""
    return [line.split() for line in reversed(picture.splitlines())]


def beside(rows: Sequence[Sequence[str]], at: Spot) -> list[Spot]:
    """The hexes next to one: rows of odd number stand half a hex farther right."""
    column, row = at
    aside = (column, column + 1) if row % 2 else (column - 1, column)
    around = [(column - 1, row), (column + 1, row), *((c, r) for r in (row - 1, row + 1) for c in aside)]
    return [(c, r) for c, r in around if 0 <= r < len(rows) and 0 <= c < len(rows[r])]


def walks(rows: Sequence[Sequence[str]], start: Spot, most: int) -> Mapping[Spot, int]:
    """The least cost of every hex to which some walk of that cost or less leads, every walk being walked."""
    least = {start: 0}
    ahead = [(start, 0)]
    while ahead:
        at, spent = ahead.pop()
        for other in beside(rows, at):
            cost = spent + COSTS.get(rows[other[1]][other[0]], most + 1)
            if cost <= most:
                least[other] = min(cost, least.get(other, cost))
                ahead.append((other, cost))
    return least


def interceptions(
    picture: str, path: Sequence[Spot], stacks: Iterable[tuple[str, Spot, Sequence[int]]]
) -> set[tuple[int, str]]:
    """Which of the stacks come first to which steps of a path; of each the movement of all who may go."""
    rows, found = rows_of(picture), set()
    for name, start, riders in stacks:
        if not riders:
            continue
        least, spent = walks(rows, start, min(riders)), 0
        for step, (column, row) in enumerate(path[1:], 1):
            spent += COSTS[rows[row][column]]
            if least.get((column, row), spent) < spent:
                found.add((step, name))
    return found
