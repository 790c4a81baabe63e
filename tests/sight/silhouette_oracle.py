"""Lines past silhouettes by rational arithmetic, straight from the polygons; it shares no code with sight/.

A line is cut wherever it meets the line of a side; the middle of each stretch tells for the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Point = tuple[int, int]
Place = tuple[Fraction, Fraction]


def blocked_at(start: Point, end: Point, polygons: Sequence[Sequence[Point]]) -> Place | None:
    """The first point at which the inside of the buildings begins; None where the line is clear."""
    (ax, ay), (bx, by) = start, end
    cuts = {Fraction(0), Fraction(1)}
    near = [polygon for polygon in polygons if _near(start, end, polygon)]
    for polygon in near:
        for (px, py), (qx, qy) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            cross = (bx - ax) * (qy - py) - (by - ay) * (qx - px)
            if cross:
                # Where on the side the line's own line meets it.
                beside = Fraction((px - ax) * (by - ay) - (py - ay) * (bx - ax), cross)
                if 0 <= beside <= 1:
                    cuts.add(Fraction((px - ax) * (qy - py) - (py - ay) * (qx - px), cross))
            else:
                cuts |= {_along(start, end, corner) for corner in ((px, py), (qx, qy))}
    for first, last in pairwise(sorted(cut for cut in cuts if 0 <= cut <= 1)):
        middle = (first + last) / 2
        if _inside((ax + middle * (bx - ax), ay + middle * (by - ay)), near):
            return ax + first * (bx - ax), ay + first * (by - ay)
    return None


def covered(point: Point, polygons: Sequence[Sequence[Point]]) -> bool:
    """Whether a point lies in a building or on its edge."""
    place = Fraction(point[0]), Fraction(point[1])
    return any(_on_edge(place, polygon) or _odd(place, polygon) for polygon in polygons)


def _along(start: Point, end: Point, point: Point) -> Fraction:
    (ax, ay), (bx, by), (x, y) = start, end, point
    return Fraction((x - ax) * (bx - ax) + (y - ay) * (by - ay), (bx - ax) ** 2 + (by - ay) ** 2)


def _near(start: Point, end: Point, polygon: Sequence[Point]) -> bool:
    return all(
        min(p[i] for p in polygon) <= max(start[i], end[i]) and min(start[i], end[i]) <= max(p[i] for p in polygon)
        for i in (0, 1)
    )


def _inside(place: Place, polygons: Sequence[Sequence[Point]]) -> bool:
    """Whether a place that is no corner of anything lies inside of all polygons together."""
    if any(_odd(place, polygon) for polygon in polygons if not _on_edge(place, polygon)):
        return True
    # On an edge: as little as may be to both sides of it, where nothing else can come between.
    edges = [polygon for polygon in polygons if _on_edge(place, polygon)]
    if not edges:
        return False
    nudge = Fraction(1, 10**9)
    sides = [(nudge, nudge / 7919), (-nudge, -nudge / 7919)]
    return all(any(_odd((place[0] + dx, place[1] + dy), polygon) for polygon in edges) for dx, dy in sides)


def _on_edge(place: Place, polygon: Sequence[Point]) -> bool:
    x, y = place
    for (px, py), (qx, qy) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        in_line = (qx - px) * (y - py) == (qy - py) * (x - px)
        if in_line and min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy):
            return True
    return False


def _odd(place: Place, polygon: Sequence[Point]) -> bool:
    """Whether a ray to the right crosses the outline an odd number of times; for places on no edge."""
    x, y = place
    odd = False
    for (px, py), (qx, qy) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (py > y) != (qy > y) and x < px + Fraction((y - py) * (qx - px), qy - py):
            odd = not odd
    return odd
