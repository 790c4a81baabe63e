"""Lines of sight, computed naively: a LineString for each pair, tested against the blocking hexes one by one.

It knows neither the ruling on lines along hexsides nor the exceptions for hills, so it does less than Muster.
Polygons of hexes are computed once, and a test stops at the first hex that blocks. Coordinates are on Muster's
whole-number lattice, where the predicate is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from shapely import LineString, Polygon

from generator.grid.hexes import Hex, HexField


def all_clear(grid: HexField, blocking: Iterable[Hex]) -> list[tuple[int, int]]:
    """Return the pairs of cells, by number, whose line crosses no blocking hex between them."""
    screens = [(grid.index[cell], Polygon(grid.corners(cell))) for cell in blocking]
    found: list[tuple[int, int]] = []
    for a, b in combinations(range(len(grid.cells)), 2):
        line = LineString([grid.centre(grid.cells[a]), grid.centre(grid.cells[b])])
        if not any(line.crosses(hexagon) for number, hexagon in screens if number not in (a, b)):
            found.append((a, b))
    return found
