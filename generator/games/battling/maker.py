"""Generate random towns with avenues along the columns, and strips of blocks and side streets between them.

Blocks are rectangles whose walls run along the columns and at right angles to them. Machines dash along the
avenues and diagonally from street to street. Side streets of neighbouring strips are rarely in line, so there is
no view across the town. Blocks that touch form one building. The outermost hexes stay free to give squads room.
Enclosed hexes are built over, so that every open hex can be reached. An arena is rejected if its edges are too
visible, or if one edge is much more visible than the opposite one. This module does not use the rules of
ground.py, which check its arenas in the same way as any other arenas.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from generator.common.tables import reachable
from generator.errors import NothingLegalError
from generator.games.battling.ground import ACROSS, Arena, Edge
from generator.games.battling.half_turn import turned_shape
from generator.games.battling.tables import limits
from generator.grid.columns import Numbered, centre, columns_field
from generator.localization import tr
from generator.seeds import Rng, RngStreams
from generator.sight.silhouettes import Polygon

ATTEMPTS = 60
FINE = 6
"""The number of steps of the finer lattice in each step of the field's lattice."""
COLUMN, ROW = 3 * FINE, 2 * FINE
"""The distance between columns, and between hexes of a column, in steps of the finer lattice."""
STRIPS, DEPTHS = (2, 3, 4), (2, 2, 3, 3, 4)
"""The possible widths of a strip of blocks and the possible depths of a block, in hexes."""
WALLS, GABLES = (3, 6, 9), (1, 2, 3, 4)
"""The possible distances by which a block extends beyond the outermost centres of its hexes, horizontally and
vertically, in steps of the finer lattice.
"""
WING, ALLEY, MONUMENT = 9, 3, 6
"""The depth of a wing around a court, half the width of an alley, and half the width of a plaza's monument, in steps
of the finer lattice.
"""
PLANS = {"great": 5, "wings": 4, "lots": 3, "rows": 3, "court": 2, "plaza": 3}
"""The weight of each plan of a block."""
BAND = 3
"""The distance of blocks from the centres of the top and bottom rows, in steps of the finer lattice."""
HOUSE, SLIVER = 4, 64
"""Half the width of the houses on enclosed hexes, in steps of the finer lattice, and the minimum area of other
buildings, in squares of these steps.
"""

Rectangle = tuple[int, int, int, int]
"""The first and last x coordinate and the first and last y coordinate on the finer lattice."""


def make_arena(streams: RngStreams, columns: int, rows: int, *, mirrored: bool = False) -> Arena:
    """Return a random town with this number of columns and rows.

    A mirrored town has an even number of columns, and its right half is the image of its left half under a 180°
    turn. `streams` has its own prefix, such as `v1/battling/arena/random`.

    Raises:
        NothingLegalError: If no attempt succeeds.
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
        tr("no arena of {columns} by {rows} hexes could be made; choose another size", columns=columns, rows=rows)
    )


def _strips(columns: int, stream: Rng) -> Iterator[tuple[int, int]]:
    """Yield the first and last column of each strip. There is an avenue on either side of each strip."""
    first = 2
    while first < columns:
        left = columns - first
        # After this strip and its avenue, there must be no columns left, or enough columns for another strip.
        fit = [wide for wide in STRIPS if left - wide == 0 or left - wide - 1 >= min(STRIPS)]
        wide = stream.choice(fit)
        yield first, first + wide - 1
        first += wide + 1


def _strip(strip: tuple[int, int], rows: int, streams: RngStreams) -> Iterator[Polygon]:
    """Yield the buildings of a strip."""
    first, last = strip
    stream = streams.at(f"strip{first}")
    wall = stream.choice(WALLS)
    left, right = COLUMN * (first - 1) - wall, COLUMN * (last - 1) + wall
    # Rows are counted down the columns, from above the arena to below it.
    top = -stream.below(max(DEPTHS) + 1)
    while top <= rows:
        deep = stream.choice(DEPTHS)
        gable = stream.choice(GABLES)
        whole = left, right, _low(top + deep - 1) - gable, _high(top) + gable
        for x0, x1, y0, y1 in _buildings(whole, last - first + 1, deep, stream):
            y0, y1 = max(y0, _high(rows) + BAND), min(y1, _low(1) - BAND)
            if y0 < y1 and (x1 - x0) * (y1 - y0) >= SLIVER:
                yield ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        top += deep + 1


def _high(row: int) -> int:
    """Return the y coordinate of the highest centres of a row, which are those of odd columns."""
    return FINE * centre(Numbered(1, row))[1]


def _low(row: int) -> int:
    """Return the y coordinate of the lowest centres of a row, which are those of even columns."""
    return FINE * centre(Numbered(2, row))[1]


def _buildings(whole: Rectangle, wide: int, deep: int, stream: Rng) -> list[Rectangle]:
    """Return the buildings of a block with this number of columns and rows, which follow a random plan."""
    x0, x1, y0, y1 = whole
    # The block is divided between two of its columns and between two of its rows.
    x = x0 + (x1 - x0 - COLUMN * (wide - 1)) // 2 + COLUMN * stream.below(wide - 1) + COLUMN // 2
    y = y0 + (y1 - y0 - ROW * (deep - 1)) // 2 + ROW * stream.below(deep - 1) + ROW // 2
    quarters = [(x0, x, y0, y), (x, x1, y0, y), (x0, x, y, y1), (x, x1, y, y1)]
    gates = [(x0, x0 + WING, y0, y1), (x1 - WING, x1, y0, y1)]
    plans: dict[str, list[Rectangle]] = {
        "great": [whole],
        "wings": stream.sample(quarters, 3),
        "lots": [(x0, x - ALLEY, y0, y1), (x + ALLEY, x1, y0, y1)],
        "rows": [(x0, x1, y0, y - ALLEY), (x0, x1, y + ALLEY, y1)],
        "court": [(x0, x1, y0, y0 + WING), (x0, x1, y1 - WING, y1), stream.choice(gates)],
        "plaza": [(x - MONUMENT, x + MONUMENT, y - MONUMENT, y + MONUMENT)],
    }
    return plans[stream.weighted(tuple(PLANS), tuple(PLANS.values()))]


def _filled(arena: Arena) -> Arena:
    """Return the arena with a small house on each open hex that cannot be reached from the corner."""
    reached = dict(reachable([Numbered(1, 1)], arena.ways))
    houses = [_house(arena, cell) for cell in arena.open_cells if cell not in reached]
    return replace(arena, silhouettes=(*arena.silhouettes, *houses))


def _house(arena: Arena, cell: Numbered) -> Polygon:
    x, y = arena.point(cell)
    return ((x - HOUSE, y - HOUSE), (x + HOUSE, y - HOUSE), (x + HOUSE, y + HOUSE), (x - HOUSE, y + HOUSE))


def _hidden(arena: Arena) -> bool:
    """Return whether few hexes of opposite edges can see each other, and both edges have similar cover."""
    bounds = limits()
    covers: dict[Edge, int] = {}
    for edge in arena.edges:
        across = arena.edge(ACROSS[edge])
        seen = [sum(arena.clear(a, b) for b in across) for a in arena.edge(edge)]
        if 100 * sum(seen) > bounds.opening * len(seen) * len(across):
            return False
        covers[edge] = seen.count(0)
    return all(
        covered >= bounds.cover and abs(covered - covers[ACROSS[edge]]) <= bounds.uneven
        for edge, covered in covers.items()
    )
