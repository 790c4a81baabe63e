"""What buildings look like from above: silhouettes that touch or overlap, joined to one outline. For drawing only."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from generator.sight.polygons import Polygon

Spot = tuple[float, float]

Rings = tuple[tuple[Spot, ...], ...]
"""An outline, then the outlines of its courtyards."""


def outlines(polygons: Sequence[Polygon], fine: int) -> tuple[Rings, ...]:
    """Each building of silhouettes on a lattice of `fine` steps to one of the field's, in the field's steps."""
    joined = shapely.union_all([shapely.Polygon(polygon) for polygon in polygons])
    return tuple(
        tuple(
            tuple((x / fine, y / fine) for x, y in shapely.get_coordinates(ring)[:-1].tolist())
            for ring in (building.exterior, *building.interiors)
        )
        for building in shapely.get_parts(joined)
    )
