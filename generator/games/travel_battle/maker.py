"""Generate random boards, first their roads, then their hills, buildings, farmland and woods.

This module does not use the rules in ground.py, which check its boards in the same way as any other boards.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence, Set

from generator.errors import NothingLegalError
from generator.games.travel_battle.ground import (
    COMPASS,
    EXITS,
    HALF,
    SEAM,
    SEAMS,
    SIZE,
    Board,
    BoardType,
    TerrainMap,
    along,
    open_ground,
)
from generator.grid.squares import STEPS, Square, distance, squares
from generator.localization import tr
from generator.seeds import Rng, RngStreams

BEND = 2
"""The cost of a bend in a road. The cost of a straight step is the roughness of its square."""

_FIELD = squares(SIZE, SIZE)
_SIDEWAYS = STEPS[::2]


def cheapest_path(
    start: Square, ends: Set[Square], open_to: Set[Square], rough: Mapping[Square, int]
) -> list[Square]:
    """Return the cheapest path over open squares from a square to one of the ends, or an empty list if there is none.

    Paths that touch themselves are not allowed.
    """
    ahead: list[tuple[int, Square, int]] = [(0, start, -1)]
    before: dict[tuple[Square, int], tuple[Square, int] | None] = {(start, -1): None}
    cost = {(start, -1): 0}
    while ahead:
        spent, cell, heading = heapq.heappop(ahead)
        if cell in ends:
            path = _back(before, (cell, heading))
            # Squares of a path may touch only if they are consecutive or meet at a bend.
            touching = any(distance(a, b) == 1 for i, a in enumerate(path) for b in path[i + 3 :])
            return [] if touching else path
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


def junction_cells(roads: Set[Square]) -> list[Square]:
    """Return the squares from which a path can join the roads.

    Such a square is adjacent to one road square and does not touch others.
    """
    found: list[Square] = []
    for cell in _FIELD.cells:
        adjacent = [n for n in _FIELD.side_neighbours(cell) if n in roads]
        if cell not in roads and len(adjacent) == 1:
            allowed = {adjacent[0], *_FIELD.side_neighbours(adjacent[0])}
            if all(n in allowed for n in _FIELD.neighbours(cell) if n in roads):
                found.append(cell)
    return found


def _back(before: Mapping[tuple[Square, int], tuple[Square, int] | None], last: tuple[Square, int]) -> list[Square]:
    path: list[Square] = []
    at: tuple[Square, int] | None = last
    while at:
        path.append(at[0])
        at = before[at]
    return path[::-1]


ATTEMPTS = 60
ROADS = {3: range(17, 24), 4: range(24, 31), 5: range(25, 31)}
"""The possible numbers of road squares of a board by its number of exits."""
SPOTS = 7
"""The number of rough areas that roads avoid."""
SMOOTH, ROUGH, FALL = 2, 10, 4
"""The cost of a smooth square, the additional cost at the centre of a rough area, and the amount by which this
additional cost decreases with each step away.
"""
HILLS = ((7, 15), (4, 6))
"""The minimum and maximum number of squares of each hill."""
BUILDINGS, WOODS = (2, 3), (2, 4)
FARMLAND = ((4,), (2, 2), (3, 2))
"""The possible sets of ploughed fields, as numbers of squares."""
STARTS = 12
"""The number of attempts to place an area of terrain."""

_EDGE = frozenset(cell for side in COMPASS for cell in along(side))


def make_board(of: BoardType, streams: RngStreams) -> Board:
    """Return a random board of a type.

    `streams` has its own prefix, such as `v1/travel_battle/near/board`.

    Raises:
        NothingLegalError: If no attempt succeeds.
    """
    starts = [along(side)[exit_] for side, exit_ in EXITS[of].items()]
    if of == HALF:
        starts += [along(SEAM)[exit_] for exit_ in streams.at("seam").choice(SEAMS)]
    for attempt in range(ATTEMPTS):
        at = streams.under(str(attempt))
        ground = open_ground()
        if (
            _roads(ground, starts, at.at("roads"))
            and all(
                _clump(ground, "hill", _draw_between(size, at.at(f"size{i}")), at.at(f"hill{i}"))
                for i, size in enumerate(HILLS)
            )
            and _buildings(ground, at.at("buildings"))
            and _farmland(ground, at.at("farmland"))
            and _clump(ground, "wood", _draw_between(WOODS, at.at("woods")), at.at("wood"))
        ):
            _hilltops(ground, at.at("hilltops"))
            return Board(of, TerrainMap(_FIELD, ground))
    raise NothingLegalError(tr("no board of type {name} could be made", name=of))


def _roads(ground: dict[Square, str], starts: Sequence[Square], stream: Rng) -> bool:
    """Draw a road between two exits, then a road from each other exit to the nearest road.

    Return False if there is no possible path.
    """
    spots = stream.sample(_FIELD.cells, SPOTS)
    rough = {
        cell: SMOOTH + sum(max(0, ROUGH - FALL * distance(cell, spot)) for spot in spots) for cell in _FIELD.cells
    }
    first, second, *rest = stream.shuffle(starts)
    inner = frozenset(_FIELD.cells) - _EDGE
    roads = cheapest_path(first, {second}, inner, rough)
    for start in rest:
        placed = frozenset(roads)
        ends = {cell for cell in junction_cells(placed) if cell == start or cell not in _EDGE}
        spared = {cell for cell in inner if not _touches(cell, placed)}
        if start not in ends and _touches(start, placed):
            return False
        branch = cheapest_path(start, ends, spared, rough)
        if not branch:
            return False
        roads += branch
    ground.update(dict.fromkeys(roads, "road"))
    return len(roads) in ROADS[len(starts)]


def _clump(ground: dict[Square, str], terrain: str, size: int, stream: Rng) -> bool:
    """Place a rounded area of a terrain on open ground, apart from other areas of this terrain.

    Return False if there is not enough room.
    """
    for _start in range(STARTS):
        clump: dict[Square, str] = {}
        ahead = [cell for cell in _FIELD.cells if _free(ground, cell, terrain, clump)]
        while ahead and len(clump) < size:
            weights = [1 + sum(n in clump for n in _FIELD.neighbours(cell)) ** 3 for cell in ahead]
            clump[stream.weighted(ahead, weights)] = terrain
            around = dict.fromkeys(n for cell in clump for n in _FIELD.side_neighbours(cell) if n not in clump)
            ahead = [cell for cell in around if _free(ground, cell, terrain, clump)]
        if len(clump) == size:
            ground.update(clump)
            return True
    return False


def _buildings(ground: dict[Square, str], stream: Rng) -> bool:
    """Place buildings next to roads, often next to each other. Return False if there is not enough room."""
    built: list[Square] = []
    roads = {cell for cell in _FIELD.cells if ground[cell] == "road"}
    for _building in range(_draw_between(BUILDINGS, stream)):
        sites = [c for c in _FIELD.cells if ground[c] == "open" and not roads.isdisjoint(_FIELD.side_neighbours(c))]
        close = [cell for cell in sites if _touches(cell, built)]
        if close and stream.chance(2, 3):
            sites = close
        if not sites:
            return False
        built.append(stream.choice(sites))
        ground[built[-1]] = "building"
    return True


def _farmland(ground: dict[Square, str], stream: Rng) -> bool:
    return all(_clump(ground, "ploughed", size, stream) for size in stream.choice(FARMLAND))


def _hilltops(ground: dict[Square, str], stream: Rng) -> None:
    """With a chance of two thirds, raise the squares inside a broad hill by one level."""
    inside = [
        cell
        for cell in _FIELD.cells
        if cell not in _EDGE and all(ground[c] == "hill" for c in (cell, *_FIELD.neighbours(cell)))
    ]
    if stream.chance(2, 3):
        ground.update(dict.fromkeys(inside, "hilltop"))


def _free(ground: dict[Square, str], cell: Square, terrain: str, clump: Collection[Square]) -> bool:
    """Return whether a square is open and does not touch another area of that terrain."""
    return ground[cell] == "open" and not any(
        ground[n] == terrain and n not in clump for n in _FIELD.neighbours(cell)
    )


def _touches(cell: Square, others: Collection[Square]) -> bool:
    return any(n in others for n in _FIELD.neighbours(cell))


def _draw_between(span: tuple[int, int], stream: Rng) -> int:
    low, high = span
    return low + stream.below(high - low + 1)
