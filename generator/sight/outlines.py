"""What buildings look like from above: silhouettes that touch or overlap, joined to one outline. For drawing only."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from generator.sight.polygons import Polygon

Spot = tuple[float, float]

Rings = tuple[tuple[Spot, ...], ...]
"""An outline, then the outlines of its courtyards."""


def outlines(polygons: Sequence[Polygon], fine: int, within: Sequence[Polygon] = ()) -> tuple[Rings, ...]:
    """Each building of silhouettes on a lattice of `fine` steps to one of the field's, in the field's steps.

    Where polygons of that lattice are given, only what of the buildings lies within them.
    """
    joined = shapely.union_all([shapely.Polygon(polygon) for polygon in polygons])
    if within:
        joined = shapely.intersection(joined, shapely.union_all([shapely.Polygon(polygon) for polygon in within]))
    return tuple(
        tuple(
            tuple((x / fine, y / fine) for x, y in shapely.get_coordinates(ring)[:-1].tolist())
            for ring in (building.exterior, *building.interiors)
        )
        for building in shapely.get_parts(joined)
        # Of a building that only touches what it is cut to, a point or a line is left.
        if isinstance(building, shapely.Polygon)
    )
