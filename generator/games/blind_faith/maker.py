"""Generate random maps with rivers and crossings, clumps of mountains, woods and rough terrain, and places.

The amounts are in play.toml. A river is the cheapest path over hexes with random costs, so it never touches
itself. All parts of a map can be reached.
"""

from __future__ import annotations

import heapq

from generator.errors import NothingLegalError
from generator.games.blind_faith.ground import OpMap, Place
from generator.games.blind_faith.model import Clumps, Maker, numbers
from generator.grid.hexes import Hex, HexField, distance
from generator.grid.hexes import field as field_of
from generator.localization import tr
from generator.seeds import Rng, RngStreams

ATTEMPTS = 60
RIVERS_OF = 3
"""Number of maps that have, in total, the number of rivers given in play.toml."""
ROUGHNESS = 9
"""Maximum ratio of the random costs of two hexes for the course of a river."""
CANDIDATES = 5
"""Number of random hexes from which the one farthest from all other places is chosen for a place."""

Ground = dict[Hex, str]


def make_map(streams: RngStreams) -> OpMap:
    """Return a random map. `streams` has a prefix for this map.

    Raises NothingLegalError if no attempt succeeds.
    """
    made = numbers().maker
    field = field_of((made.columns,) * made.rows)
    for attempt in range(ATTEMPTS):
        at = streams.under(str(attempt))
        ground = dict.fromkeys(field.cells, "clear")
        if at.at("rivers").chance(made.rivers, RIVERS_OF):
            _river(ground, field, made, at.at("river"))
        for clumps in made.clumps:
            _clumps(ground, field, clumps, at.at(clumps.ground))
        op_map = OpMap(made.columns, made.rows, ground, _places(ground, field, made, at.at("places")))
        if len(op_map.places) == sum(made.places.values()) and len(op_map.parts()) == 1:
            return op_map
    raise NothingLegalError(tr("no map could be made from these settings"))


def _river(ground: Ground, field: HexField, made: Maker, rng: Rng) -> None:
    """Place a river between two edges, with fords and bridges that are not adjacent."""
    last = made.rows - 1
    edge = {c for c in field.cells if c.r in (0, last) or field.column(c) in (0, made.columns - 1)}
    if rng.chance(1, 2):
        start, end = rng.choice(field.row(0)[2:-2]), rng.choice(field.row(last)[2:-2])
    else:
        rows = range(2, last - 1)
        start = field.at(0, rows[rng.below(len(rows))])
        end = field.at(made.columns - 1, rows[rng.below(len(rows))])
    dear = {cell: 1 + rng.below(ROUGHNESS) for cell in field.cells if cell not in edge or cell in (start, end)}
    course = _course(field, dear, start, end)
    ground.update(dict.fromkeys(course, "river"))
    crossings: list[Hex] = []
    wanted = made.crossings.numbers[rng.below(len(made.crossings.numbers))]
    for cell in rng.shuffle([cell for cell in course if cell not in edge]):
        if len(crossings) < wanted and all(distance(cell, other) > 1 for other in crossings):
            crossings.append(cell)
            ground[cell] = rng.choice(("ford", "bridge"))


def _course(field: HexField, dear: dict[Hex, int], start: Hex, end: Hex) -> list[Hex]:
    """Return the cheapest path between two hexes, where `dear` has the cost of each hex."""
    min_costs, came = {start: 0}, {start: start}
    ahead = [(0, 0, start)]
    while ahead:
        cost, _, cell = heapq.heappop(ahead)
        for other in field.neighbours(cell):
            if other in dear and cost + dear[other] < min_costs.get(other, cost + dear[other] + 1):
                min_costs[other] = cost + dear[other]
                came[other] = cell
                heapq.heappush(ahead, (min_costs[other], field.index[other], other))
    course = [end]
    while course[-1] != start:
        course.append(came[course[-1]])
    return course


def _clumps(ground: Ground, field: HexField, clumps: Clumps, rng: Rng) -> None:
    """Place rounded clumps of a terrain on clear hexes.

    If a clump has too little room, the next clump becomes larger.
    """
    left = len(field.cells) * clumps.share // 100
    for still in range(clumps.clumps, 0, -1):
        size, clump = -(-left // still), list[Hex]()
        ahead = [cell for cell in field.cells if ground[cell] == "clear"]
        while ahead and len(clump) < size:
            weights = [1 + sum(n in clump for n in field.neighbours(cell)) ** 2 for cell in ahead]
            clump.append(rng.weighted(ahead, weights))
            around = dict.fromkeys(n for cell in clump for n in field.neighbours(cell) if n not in clump)
            ahead = [cell for cell in around if ground[cell] == "clear"]
        ground.update(dict.fromkeys(clump, clumps.ground))
        left -= len(clump)


def _places(ground: Ground, field: HexField, made: Maker, rng: Rng) -> dict[Hex, Place]:
    """Return random places on clear terrain, or fewer than play.toml requests if there is no room."""
    found: dict[Hex, Place] = {}
    for kind, count in made.places.items():
        for name in rng.sample(made.names[kind], count):
            apart = {c: min((distance(c, other) for other in found), default=0) for c in field.cells}
            open_ = [c for c in field.cells if ground[c] == "clear" and (not found or apart[c] >= made.apart)]
            if not open_:
                return found
            some = [rng.choice(open_) for _ in range(CANDIDATES)]
            found[max(some, key=lambda cell: (apart[cell], -field.index[cell]))] = Place(kind, name)
    return {cell: found[cell] for cell in field.cells if cell in found}
