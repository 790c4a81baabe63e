"""Visible shares, computed naively: Shapely subtracts one shadow after the other from the target's width.

Work that can be reused is reused: the shadow polygon of each blocker is kept for the next line. The numbers are
floats, so that a half cannot be distinguished from slightly less. The code shares nothing with Muster's own
computation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from shapely import LineString, MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry as Geometry

Place = tuple[int, int]
"""Column and row."""

_BEYOND = 64
"""Length of a shadow, as a multiple of the distance of its blocker."""


@cache
def square(place: Place) -> Polygon:
    """Return a square of side 2 at this offset; the viewer's centre is the origin."""
    x, y = 2 * place[0], 2 * place[1]
    return box(x - 1, y - 1, x + 1, y + 1)


@cache
def shadow(place: Place) -> Geometry:
    """Return the shadow of a square at this offset, including its near side: the wedge in which it appears."""
    corners = list(square(place).exterior.coords)
    far = [(_BEYOND * x, _BEYOND * y) for x, y in corners]
    return MultiPoint([(0.0, 0.0), *corners, *far]).convex_hull


@cache
def width(place: Place) -> LineString:
    """Return the target's visible width: a segment through its centre at right angles to the line of sight."""
    x, y = 2.0 * place[0], 2.0 * place[1]
    grown = [(x * x + y * y) / (u * x + v * y) for u, v in _corners(place)]
    ends = [(k * u, k * v) for k, (u, v) in zip(grown, _corners(place), strict=True)]
    ends.sort(key=lambda end: x * end[1] - y * end[0])
    return LineString([ends[0], ends[-1]])


@cache
def before(place: Place) -> Geometry:
    """Return the area between the viewer and the target."""
    corners = MultiPoint([(0.0, 0.0), *_corners(place)])
    return corners.convex_hull.difference(square(place))


def share(target: Place, blockers: Collection[Place]) -> float:
    """Return the share of a target that is visible from (0, 0) past these squares, from 0 to 1."""
    whole = width(target)
    seen: Geometry = whole
    for place in blockers:
        if place not in ((0, 0), target) and hides(target, place):
            seen = seen.difference(shadow(place))
    return float(seen.length / whole.length)


@cache
def hides(target: Place, place: Place) -> bool:
    """Return whether a square stands between the viewer and the target, and does more than touch the area."""
    return bool(before(target).relate_pattern(square(place), "T********"))


def all_shares(
    columns: int, rows: int, reach: int, heights: Mapping[Place, int], over: Mapping[int, Collection[Place]]
) -> dict[tuple[Place, Place], float]:
    """Return the visible share of every pair within reach.

    `over` lists the screening squares by the height of the pair's higher end.
    """
    cells = [(c, r) for r in range(rows) for c in range(columns)]
    found: dict[tuple[Place, Place], float] = {}
    for c, r in cells:
        for end in cells:
            x, y = end[0] - c, end[1] - r
            if 0 < max(abs(x), abs(y)) <= reach:
                screens = over[max(heights[c, r], heights[end])]
                near = [(a - c, b - r) for a, b in screens if max(abs(a - c), abs(b - r)) <= reach]
                found[(c, r), end] = share((x, y), near)
    return found


def _corners(place: Place) -> list[Place]:
    x, y = 2 * place[0], 2 * place[1]
    return [(x + u, y + v) for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
