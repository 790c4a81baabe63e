"""Find lines of sight naively, with a LineString for each pair that is tested against each blocking hex.

This code does less than Muster, because it ignores the ruling on lines along hexsides and the exceptions for
hills. The polygons of hexes are computed only once, and a test ends at the first blocking hex. The coordinates are
those of Muster's integer lattice, for which the predicate is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from shapely import LineString, Polygon

from generator.grid.hexes import Hex, HexField


def all_clear(grid: HexField, blocking: Iterable[Hex]) -> list[tuple[int, int]]:
    """Return the pairs of cells whose line crosses no blocking hex between them. Cells are given by their indices."""
    screens = [(grid.index[cell], Polygon(grid.corners(cell))) for cell in blocking]
    found: list[tuple[int, int]] = []
    for a, b in combinations(range(len(grid.cells)), 2):
        line = LineString([grid.centre(grid.cells[a]), grid.centre(grid.cells[b])])
        if not any(line.crosses(hexagon) for number, hexagon in screens if number not in (a, b)):
            found.append((a, b))
    return found
