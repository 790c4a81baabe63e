"""Polygons with whole-number corners: what is wrong with one, and how it falls into convex parts.

Nothing is rounded: every question is a sign of a whole number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Point = tuple[int, int]

Polygon = tuple[Point, ...]
"""The corners in order, either way round; the last is joined to the first."""


def turn(a: Point, b: Point, c: Point) -> int:
    """Twice the area of the triangle: above 0 where the way from a by b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def sides(polygon: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """The sides from each corner to the next."""
    return zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)


def doubled_area(polygon: Sequence[Point]) -> int:
    """Twice the area, above 0 where the corners run anticlockwise."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in sides(polygon))


def fault(polygon: Polygon) -> str:
    """What keeps a polygon from being a silhouette, empty where nothing does."""
    if len(polygon) < 3:
        return "has fewer than three corners"
    if len(set(polygon)) < len(polygon):
        return "passes through a corner twice"
    if not doubled_area(polygon):
        return "has no area"
    all_sides = list(sides(polygon))
    for i, (a, b) in enumerate(all_sides):
        for j in range(i + 1, len(all_sides)):
            c, d = all_sides[j]
            if b == c or a == d:
                # Two sides that share a corner must not double back over each other.
                start, corner, end = (a, b, d) if b == c else (b, a, c)
                if not turn(start, corner, end) and not _between(corner, start, end):
                    return "doubles back on itself"
            elif _meet(a, b, c, d):
                return "crosses or touches itself"
    return ""


def convex_parts(polygon: Polygon) -> list[Polygon]:
    """Convex polygons, anticlockwise and without straight corners, that fill this one and only touch.

    A convex polygon stays whole, any other is cut into triangles, ear by ear.
    """
    left = _cornered(polygon if doubled_area(polygon) > 0 else polygon[::-1])
    parts: list[Polygon] = []
    while any(turn(a, b, c) < 0 for a, b, c in _corners(left)):
        ear = next(
            i
            for i, (a, b, c) in enumerate(_corners(left))
            if turn(a, b, c) > 0 and not any(covers((a, b, c), p) for p in left if p not in (a, b, c))
        )
        parts.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        left = _cornered(left[:ear] + left[ear + 1 :])
    return [*parts, left]


def covers(convex: Polygon, point: Point) -> bool:
    """Whether a point lies in a convex part or on its edge."""
    return all(turn(a, b, point) >= 0 for a, b in sides(convex))


def _corners(polygon: Polygon) -> Iterator[tuple[Point, Point, Point]]:
    """Each corner between the one before and the one after it."""
    return zip((polygon[-1], *polygon[:-1]), polygon, (*polygon[1:], polygon[0]), strict=True)


def _cornered(polygon: Polygon) -> Polygon:
    """The polygon without corners that its sides pass straight through."""
    return tuple(b for a, b, c in _corners(polygon) if turn(a, b, c))


def _between(point: Point, a: Point, b: Point) -> bool:
    """Whether a point on the line through a and b lies between them, or is one of them."""
    return all(min(a[i], b[i]) <= point[i] <= max(a[i], b[i]) for i in (0, 1))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the stretches ab and cd have a point in common."""
    sides_of = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if sides_of[0] * sides_of[1] < 0 and sides_of[2] * sides_of[3] < 0:
        return True
    ends = ((c, a, b), (d, a, b), (a, c, d), (b, c, d))
    return any(not side and _between(*end) for side, end in zip(sides_of, ends, strict=True))
