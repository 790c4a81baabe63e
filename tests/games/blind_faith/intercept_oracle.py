"""An oracle that finds interceptions by trying every path, without code of the generator.

Maps are text, and hexes are pairs of column and row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

COSTS = {".": 1, "r": 2, "f": 2, "^": 3, "o": 2, "=": 1}
"""Movement cost of a hex by symbol. Units cannot enter hexes with other symbols."""

Spot = tuple[int, int]


def rows_of(picture: str) -> list[list[str]]:
    """Return the rows of symbols of a drawn map, starting with the near row."""
    return [line.split() for line in reversed(picture.splitlines())]


def neighbours(rows: Sequence[Sequence[str]], at: Spot) -> list[Spot]:
    """Return the adjacent hexes. Odd rows are shifted right by half a hex."""
    column, row = at
    aside = (column, column + 1) if row % 2 else (column - 1, column)
    around = [(column - 1, row), (column + 1, row), *((c, r) for r in (row - 1, row + 1) for c in aside)]
    return [(c, r) for c, r in around if 0 <= r < len(rows) and 0 <= c < len(rows[r])]


def walks(rows: Sequence[Sequence[str]], start: Spot, maximum: int) -> Mapping[Spot, int]:
    """Return the lowest cost of every hex within `maximum` movement points, by trying every path."""
    minimum = {start: 0}
    ahead = [(start, 0)]
    while ahead:
        at, spent = ahead.pop()
        for other in neighbours(rows, at):
            cost = spent + COSTS.get(rows[other[1]][other[0]], maximum + 1)
            if cost <= maximum:
                minimum[other] = min(cost, minimum.get(other, cost))
                ahead.append((other, cost))
    return minimum


def interceptions(
    picture: str, path: Sequence[Spot], stacks: Iterable[tuple[str, Spot, Sequence[int]]]
) -> set[tuple[int, str]]:
    """Return each step of the path with the stacks that reach it before the moving stack.

    Each stack is given as a name, a hex and the movement of each unit that can intercept.
    """
    rows, found = rows_of(picture), set()
    for name, start, riders in stacks:
        if not riders:
            continue
        minimum, spent = walks(rows, start, min(riders)), 0
        for step, (column, row) in enumerate(path[1:], 1):
            spent += COSTS[rows[row][column]]
            if minimum.get((column, row), spent) < spent:
                found.add((step, name))
    return found
