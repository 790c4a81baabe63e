"""Lines past silhouettes as one writes them first: a LineString a pair, tested against every building."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapely import LineString, Polygon, prepare, union_all

Point = tuple[int, int]


def buildings(polygons: Sequence[Sequence[Point]]) -> list[Polygon]:
    """The silhouettes joined where they touch, each made ready for many questions."""
    parts = union_all([Polygon(polygon) for polygon in polygons])
    found = list(getattr(parts, "geoms", [parts]))
    for building in found:
        prepare(building)
    return found


def clear(pairs: Iterable[tuple[Point, Point]], among: Sequence[Polygon]) -> list[bool]:
    """For each pair of points whether the line between them keeps out of every building's inside."""
    return [not any(passes(LineString(pair), building) for building in among) for pair in pairs]


def passes(line: LineString, building: Polygon) -> bool:
    """Whether a line passes through a building's inside."""
    return bool(building.intersects(line)) and bool(building.relate_pattern(line, "T********"))
