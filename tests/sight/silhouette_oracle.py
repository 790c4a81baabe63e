"""An oracle for lines past silhouettes, computed with exact fractions and without code of sight/.

A line is cut at each intersection with the line of a polygon side. The midpoint of each piece decides for the
piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

Point = tuple[int, int]
Place = tuple[int, int, int]
"""Horizontal and vertical numerators, and their common denominator."""


def blocked_at(start: Point, end: Point, polygons: Sequence[Sequence[Point]]) -> tuple[Fraction, Fraction] | None:
    """Return the first point at which the line enters the buildings, or None if the line is clear."""
    (ax, ay), (bx, by) = start, end
    cuts = {Fraction(0), Fraction(1)}
    near = [polygon for polygon in polygons if _near(start, end, polygon)]
    for polygon in near:
        for (px, py), (qx, qy) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            cross = (bx - ax) * (qy - py) - (by - ay) * (qx - px)
            if cross:
                # Position of the intersection on the side, from 0 to 1.
                adjacent = Fraction((px - ax) * (by - ay) - (py - ay) * (bx - ax), cross)
                if 0 <= adjacent <= 1:
                    cuts.add(Fraction((px - ax) * (qy - py) - (py - ay) * (qx - px), cross))
            else:
                cuts |= {_along(start, end, corner) for corner in ((px, py), (qx, qy))}
    for first, last in pairwise(sorted(cut for cut in cuts if 0 <= cut <= 1)):
        at, of = ((first + last) / 2).as_integer_ratio()
        if _inside((ax * of + at * (bx - ax), ay * of + at * (by - ay), of), near):
            return ax + first * (bx - ax), ay + first * (by - ay)
    return None


def covered(point: Point, polygons: Sequence[Sequence[Point]]) -> bool:
    """Return whether a point is in a building or on its edge."""
    place = *point, 1
    return any(_on_edge(place, polygon) or _odd(place, polygon) for polygon in polygons)


def _along(start: Point, end: Point, point: Point) -> Fraction:
    (ax, ay), (bx, by), (x, y) = start, end, point
    return Fraction((x - ax) * (bx - ax) + (y - ay) * (by - ay), (bx - ax) ** 2 + (by - ay) ** 2)


def _near(start: Point, end: Point, polygon: Sequence[Point]) -> bool:
    (west, east), (south, north) = _box(tuple(polygon))
    (ax, ay), (bx, by) = start, end
    return west <= max(ax, bx) and min(ax, bx) <= east and south <= max(ay, by) and min(ay, by) <= north


@lru_cache(1024)  # the buildings of a town
def _box(polygon: tuple[Point, ...]) -> tuple[Point, Point]:
    """Return the horizontal and vertical extent of a polygon."""
    xs, ys = zip(*polygon, strict=True)
    return (min(xs), max(xs)), (min(ys), max(ys))


def _inside(place: Place, polygons: Sequence[Sequence[Point]]) -> bool:
    """Return whether a point that is not a corner is inside the union of the polygons."""
    if any(_odd(place, polygon) for polygon in polygons if not _on_edge(place, polygon)):
        return True
    # On an edge, test adjacent points on both sides, so close that no other edge is between.
    edges = [polygon for polygon in polygons if _on_edge(place, polygon)]
    if not edges:
        return False
    x, y, of = place
    fine = 10**9 * 7919
    adjacent = [(x * fine + sign * 7919, y * fine + sign, of * fine) for sign in (1, -1)]
    return all(any(_odd(place, polygon) for polygon in edges) for place in adjacent)


def _on_edge(place: Place, polygon: Sequence[Point]) -> bool:
    x, y, of = place
    for (px, py), (qx, qy) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (qx - px) * (y - py * of) == (qy - py) * (x - px * of) and (
            min(px, qx) * of <= x <= max(px, qx) * of and min(py, qy) * of <= y <= max(py, qy) * of
        ):
            return True
    return False


def _odd(place: Place, polygon: Sequence[Point]) -> bool:
    """Return whether a ray to the right crosses the outline an odd number of times.

    The point must not be on an edge.
    """
    x, y, of = place
    odd = False
    for (px, py), (qx, qy) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (py * of > y) != (qy * of > y):
            left = (x - px * of) * (qy - py) < (y - py * of) * (qx - px)
            odd ^= left == (qy > py)
    return odd
