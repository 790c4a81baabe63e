"""Marching: what a path costs, and the cheapest way anywhere; whole movement points throughout."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import accumulate, pairwise

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.ground.opmap import OpMap
from generator.grid.hexes import Hex, distance

Path = tuple[Hex, ...]
"""The hexes of a march in their order, the first the one it sets out from."""


def costs(on: OpMap, path: Path) -> tuple[int, ...]:
    """What a path costs up to each of its hexes, that hex included; the first costs nothing (decisions B2, B3).

    ValueError where it enters a hex that nobody enters.
    """
    return tuple(accumulate((_entering(on, cell) for cell in path[1:]), initial=0))


def gaps(path: Path) -> list[tuple[Hex, Hex]]:
    """Hexes that follow one another in a path and are no neighbours."""
    return [(a, b) for a, b in pairwise(path) if distance(a, b) != 1]


def sound(on: OpMap, path: Path) -> bool:
    """Whether a path can be walked: from neighbour to neighbour, never into a hex that nobody enters."""
    return not gaps(path) and all(map(on.passable, path[1:]))


def movement(pack: Pack, units: Iterable[str]) -> int:
    """The movement points of units that go together: those of the slowest; 0 where there is none."""
    return min((pack.units[unit].movement for unit in units), default=0)


def reach(on: OpMap, start: Hex) -> dict[Hex, int]:
    """The least cost from a hex to every hex that can be reached, itself at 0; enemies on the way cost nothing."""
    least = {start: 0}
    ahead = [(0, 0, start)]
    while ahead:
        cost, _, cell = heapq.heappop(ahead)
        if cost > least[cell]:
            continue
        for other in on.beside(cell):
            total = cost + _entering(on, other)
            if total < least.get(other, total + 1):
                least[other] = total
                heapq.heappush(ahead, (total, on.field.index[other], other))
    return least


def way(on: OpMap, start: Hex, end: Hex) -> Path:
    """A cheapest path, of several the one by hexes that come first in the map's order; empty where there is none."""
    least = reach(on, start)
    if end not in least:
        return ()
    path = [end]
    while path[-1] != start:
        here = path[-1]
        before = least[here] - _entering(on, here)
        path.append(next(c for c in on.field.neighbours(here) if least.get(c) == before))
    return tuple(reversed(path))


def _entering(on: OpMap, cell: Hex) -> int:
    cost = on.move(cell)
    if cost is None:
        raise ValueError(f"nobody enters {on.name(cell)}")
    return cost
