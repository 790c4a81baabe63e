"""Random towns: avenues down the columns, and between them strips of blocks parted by slanting side streets.

Hexes in columns have three straight ways, up and down and along two slants; streets keep to them, so that
machines can dash there. A strip's shapes are rectangles in `x` across and `u` along its slant, on the finer
lattice; those that touch are one building. The outermost hexes stay free, and what would be shut in is built
over: so the squads find room and every open hex is reached. Whether the edges are hidden well and evenly
from each other is tried.

The maker knows nothing of the predicates of ground.py, which judge its arenas like anybody's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.errors import NothingLegalError
from generator.games.battling.ground import ACROSS, Arena, Edge
from generator.games.battling.model import turned_shape
from generator.games.battling.tables import limits
from generator.grid.columns import Numbered, centre, columns_field
from generator.said import say
from generator.seeds import Stream, Streams
from generator.sight.silhouettes import Point, Polygon, doubled_area, sides

ATTEMPTS = 60
FINE = 6
"""Steps of the finer lattice to one of the hexes'; a multiple of 3, as side streets rise 1 in 3."""
COLUMN, ROW = 3 * FINE, 2 * FINE
"""From column to column, and from hex to hex in a column or slanting row to slanting row."""
STRIPS, DEPTHS = (2, 3, 4), (2, 2, 3, 3, 4)
"""How many hexes wide a strip of blocks may be, and how many deep a block."""
WALLS, GABLES = (3, 6, 9), (2, 4, 6, 8)
"""How far beyond the outermost centres of its hexes a block may reach, across and along its slant."""
WING, ALLEY, MONUMENT = 9, 3, 6
"""How deep a wing round a court is, and half of an alley and of a plaza's monument, in the same steps."""
PLANS = {"great": 5, "wings": 4, "lots": 3, "rows": 3, "court": 2, "plaza": 3}
"""How often each plan of a block comes."""
BAND = 3
"""How far a block keeps from the centres of the top and bottom rows, in steps of the finer lattice."""
HOUSE, SLIVER = 4, 128
"""Half the width of the smallest house, in steps of the finer lattice, and twice its area."""

Rectangle = tuple[int, int, int, int]
"""From and to in x, then from and to in u."""


def make_arena(streams: Streams, columns: int, rows: int, *, mirrored: bool = False) -> Arena:
    """A random town of that size; NothingLegalError where the budget ends.

    A mirrored one, of an even number of columns, has its right half as the image of its left under the half turn.
    `streams` is a prefix of its own, such as `v1/battling/arena/random`.
    """
    for attempt in range(ATTEMPTS):
        at = streams.under(str(attempt))
        field = columns_field(columns, rows)
        drawn = columns // 2 if mirrored else columns
        shapes = [shape for strip in _strips(drawn, at.at("strips")) for shape in _strip(strip, rows, at)]
        if mirrored:
            shapes += [turned_shape(field, FINE, shape) for shape in shapes]
        arena = _filled(Arena(field, tuple(shapes), FINE))
        if _hidden(arena):
            return arena
    raise NothingLegalError(
        say("no arena of {columns} by {rows} hexes could be made: wish for another size", columns=columns, rows=rows)
    )


def _strips(columns: int, stream: Stream) -> Iterator[tuple[int, int]]:
    """The first and last column of each strip; an avenue lies on either side of it."""
    first = 2
    while first < columns:
        left = columns - first
        # What is left after the strip and its avenue must be nothing, or enough for another strip.
        fit = [wide for wide in STRIPS if left - wide == 0 or left - wide - 1 >= min(STRIPS)]
        wide = stream.choice(fit)
        yield first, first + wide - 1
        first += wide + 1


def _strip(strip: tuple[int, int], rows: int, streams: Streams) -> Iterator[Polygon]:
    """The buildings of a strip."""
    first, last = strip
    stream = streams.at(f"strip{first}")
    slant = stream.choice((1, -1))
    wall = stream.choice(WALLS)
    left, right = COLUMN * (first - 1) - wall, COLUMN * (last - 1) + wall
    # Slanting rows by how far they lie down the first column, from above the arena to below it.
    top = -stream.below(max(DEPTHS) + 1) - (last - first + 1) // 2
    while top <= rows + last - first:
        deep = stream.choice(DEPTHS)
        gable = stream.choice(GABLES)
        u = _u(Numbered(first, top), slant)
        whole = left, right, u - ROW * (deep - 1) - gable, u + gable
        for rectangle in _buildings(whole, last - first + 1, deep, stream):
            shape = _within(_corners(rectangle, slant), rows)
            if doubled_area(shape) >= SLIVER:
                yield shape
        top += deep + 1


def _u(cell: Numbered, slant: int) -> int:
    """How high the slanting row of a hex lies, in steps of the finer lattice where the first column is."""
    x, y = centre(cell)
    return FINE * (y + slant * x // 3)


def _buildings(whole: Rectangle, wide: int, deep: int, stream: Stream) -> list[Rectangle]:
    """What stands on a block of so many columns by so many slanting rows, one plan of several."""
    x0, x1, u0, u1 = whole
    # A line between two of the block's columns, and one between two of its slanting rows.
    x = x0 + (x1 - x0 - COLUMN * (wide - 1)) // 2 + COLUMN * stream.below(wide - 1) + COLUMN // 2
    u = u0 + (u1 - u0 - ROW * (deep - 1)) // 2 + ROW * stream.below(deep - 1) + ROW // 2
    quarters = [(x0, x, u0, u), (x, x1, u0, u), (x0, x, u, u1), (x, x1, u, u1)]
    gates = [(x0, x0 + WING, u0, u1), (x1 - WING, x1, u0, u1)]
    plans: dict[str, list[Rectangle]] = {
        "great": [whole],
        "wings": stream.sample(quarters, 3),
        "lots": [(x0, x - ALLEY, u0, u1), (x + ALLEY, x1, u0, u1)],
        "rows": [(x0, x1, u0, u - ALLEY), (x0, x1, u + ALLEY, u1)],
        "court": [(x0, x1, u0, u0 + WING), (x0, x1, u1 - WING, u1), stream.choice(gates)],
        "plaza": [(x - MONUMENT, x + MONUMENT, u - MONUMENT, u + MONUMENT)],
    }
    return plans[stream.weighted(tuple(PLANS), tuple(PLANS.values()))]


def _corners(rectangle: Rectangle, slant: int) -> Polygon:
    x0, x1, u0, u1 = rectangle
    return tuple((x, u - slant * x // 3) for x, u in ((x0, u0), (x1, u0), (x1, u1), (x0, u1)))


def _within(shape: Polygon, rows: int) -> Polygon:
    """What of a convex shape lies between the top row of hexes and the bottom one."""
    # The lowest centres of the top row are those of even columns, the highest of the bottom row those of odd ones.
    high = FINE * centre(Numbered(2, 1))[1] - BAND
    low = FINE * centre(Numbered(1, rows))[1] + BAND
    for sign, limit in ((1, high), (-1, low)):
        kept: list[Point] = []
        for (ax, ay), (bx, by) in sides(shape):
            before, after = sign * (ay - limit), sign * (by - limit)
            if before <= 0:
                kept.append((ax, ay))
            if min(before, after) < 0 < max(before, after):
                # Whole, for a side is upright or rises 1 in 3.
                kept.append((ax + (bx - ax) * (limit - ay) // (by - ay), limit))
        shape = tuple(kept)
    return shape


def _filled(arena: Arena) -> Arena:
    """The arena with a small house on every open hex that cannot be reached from the corner."""
    reached, ahead = {Numbered(1, 1)}, [Numbered(1, 1)]
    while ahead:
        news = [n for n in arena.field.neighbours(ahead.pop()) if n not in reached and not arena.closed(n)]
        reached.update(news)
        ahead += news
    houses = [_house(arena, cell) for cell in arena.open_cells if cell not in reached]
    return replace(arena, silhouettes=(*arena.silhouettes, *houses))


def _house(arena: Arena, cell: Numbered) -> Polygon:
    x, y = arena.point(cell)
    return ((x - HOUSE, y - HOUSE), (x + HOUSE, y - HOUSE), (x + HOUSE, y + HOUSE), (x - HOUSE, y + HOUSE))


def _hidden(arena: Arena) -> bool:
    """Whether few hexes of opposite edges see each other, and either edge has as much cover."""
    bounds = limits()
    covers: dict[Edge, int] = {}
    for edge in arena.edges:
        across = arena.edge(ACROSS[edge])
        seen = [sum(arena.in_sight(a, b) for b in across) for a in arena.edge(edge)]
        if 100 * sum(seen) > bounds.opening * len(seen) * len(across):
            return False
        covers[edge] = seen.count(0)
    return all(
        covered >= bounds.cover and abs(covered - covers[ACROSS[edge]]) <= bounds.uneven
        for edge, covered in covers.items()
    )
