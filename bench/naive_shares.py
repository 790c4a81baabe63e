"""Compute visible fractions naively, by subtracting one shadow after another from the target's width with Shapely.

The shadow polygon of each blocking square is reused for the following lines. The numbers are floats, so one half
cannot be distinguished from slightly less. This code shares nothing with Muster's own computation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from shapely import LineString, MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry as Geometry

Place = tuple[int, int]
"""Column and row of a square."""

_BEYOND = 64
"""Length of a shadow as a multiple of the distance of the square that casts it."""


@cache
def square(place: Place) -> Polygon:
    """Return a square with sides of 2 at an offset. The viewer's centre is the origin."""
    x, y = 2 * place[0], 2 * place[1]
    return box(x - 1, y - 1, x + 1, y + 1)


@cache
def shadow(place: Place) -> Geometry:
    """Return the shadow of a square at an offset, which is the wedge from the viewer that contains the square."""
    corners = list(square(place).exterior.coords)
    far = [(_BEYOND * x, _BEYOND * y) for x, y in corners]
    return MultiPoint([(0.0, 0.0), *corners, *far]).convex_hull


@cache
def width(place: Place) -> LineString:
    """Return the target's visible width, a segment through its centre at right angles to the line of sight."""
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
    """Return the fraction of a target that is visible from (0, 0) past blocking squares, from 0 to 1."""
    whole = width(target)
    seen: Geometry = whole
    for place in blockers:
        if place not in ((0, 0), target) and hides(target, place):
            seen = seen.difference(shadow(place))
    return float(seen.length / whole.length)


@cache
def hides(target: Place, place: Place) -> bool:
    """Return whether a square is between the viewer and the target, and does not only touch the area between them."""
    return bool(before(target).relate_pattern(square(place), "T********"))


def all_shares(
    columns: int, rows: int, reach: int, heights: Mapping[Place, int], over: Mapping[int, Collection[Place]]
) -> dict[tuple[Place, Place], float]:
    """Return the visible fraction for all pairs of squares within reach of each other.

    `over` contains the blocking squares, keyed by the height of the higher end.
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
