"""Find clear lines past silhouettes naively, with a LineString for each pair that is tested against each building."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapely import LineString, Polygon, prepare, union_all

Point = tuple[int, int]


def buildings(polygons: Sequence[Sequence[Point]]) -> list[Polygon]:
    """Return the silhouettes as buildings, merged if they touch, and prepared for many tests."""
    parts = union_all([Polygon(polygon) for polygon in polygons])
    found = list(getattr(parts, "geoms", [parts]))
    for building in found:
        prepare(building)
    return found


def clear(pairs: Iterable[tuple[Point, Point]], among: Sequence[Polygon]) -> list[bool]:
    """Return for each pair of points whether the line between them crosses the inside of no building."""
    return [not any(passes(LineString(pair), building) for building in among) for pair in pairs]


def passes(line: LineString, building: Polygon) -> bool:
    """Return whether a line crosses the inside of a building."""
    return bool(building.intersects(line)) and bool(building.relate_pattern(line, "T********"))
