"""Visible shares as one writes them first: Shapely's shadows, laid over the target's width one by one.

What can be done once is done once: each blocker's shadow polygon is kept for the next look. It knows no exact
number, so it cannot tell a half from a hair less; and it shares no code with Muster's own reckoning.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from shapely import LineString, MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry as Geometry

Place = tuple[int, int]
"""Column and row."""

_BEYOND = 64
"""How many times as far as its blocker a shadow reaches."""


@cache
def square(place: Place) -> Polygon:
    """A square of side 2, the viewer's centre being the origin."""
    x, y = 2 * place[0], 2 * place[1]
    return box(x - 1, y - 1, x + 1, y + 1)


@cache
def shadow(place: Place) -> Geometry:
    """What a square at this offset shades, its near side counted in: the wedge in which it appears."""
    corners = list(square(place).exterior.coords)
    far = [(_BEYOND * x, _BEYOND * y) for x, y in corners]
    return MultiPoint([(0.0, 0.0), *corners, *far]).convex_hull


@cache
def width(place: Place) -> LineString:
    """The target's width: as far as it is seen, at right angles to the line of sight through its centre."""
    x, y = 2.0 * place[0], 2.0 * place[1]
    grown = [(x * x + y * y) / (u * x + v * y) for u, v in _corners(place)]
    ends = [(k * u, k * v) for k, (u, v) in zip(grown, _corners(place), strict=True)]
    ends.sort(key=lambda end: x * end[1] - y * end[0])
    return LineString([ends[0], ends[-1]])


@cache
def before(place: Place) -> Geometry:
    """All the ground between the viewer and the target."""
    corners = MultiPoint([(0.0, 0.0), *_corners(place)])
    return corners.convex_hull.difference(square(place))


def share(target: Place, blockers: Collection[Place]) -> float:
    """How much of a target shows from (0, 0) past these squares."""
    whole = width(target)
    seen: Geometry = whole
    for place in blockers:
        if place not in ((0, 0), target) and hides(target, place):
            seen = seen.difference(shadow(place))
    return float(seen.length / whole.length)


@cache
def hides(target: Place, place: Place) -> bool:
    """Whether a square stands between the viewer and the target, and not merely touches the way."""
    return bool(before(target).relate_pattern(square(place), "T********"))


def all_shares(
    columns: int, rows: int, reach: int, heights: Mapping[Place, int], over: Mapping[int, Collection[Place]]
) -> dict[tuple[Place, Place], float]:
    """Every look of a field out to a reach; `over`: what screens it, by the height of its higher end."""
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
