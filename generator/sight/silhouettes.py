"""Exact lines of sight past buildings whose outlines are arbitrary polygons on an integer lattice.

All tests are exact, because each is decided by the sign of an integer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generator.grid.columns import ColumnField, Numbered
from generator.localization import tr

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

Point = tuple[int, int]

Polygon = tuple[Point, ...]
"""The corners in order, clockwise or anticlockwise. The last corner is joined to the first."""


def turn(a: Point, b: Point, c: Point) -> int:
    """Return twice the area of the triangle abc, which is positive if the path from a via b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def sides(polygon: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a polygon, each as a pair of consecutive corners."""
    return zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)


def doubled_area(polygon: Sequence[Point]) -> int:
    """Return twice the area of a polygon, which is positive if its corners are in anticlockwise order."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in sides(polygon))


def fault(polygon: Polygon) -> str:
    """Return the reason why a polygon cannot be a silhouette, or an empty string if it can."""
    if len(polygon) < 3:
        return tr("has fewer than three corners")
    if len(set(polygon)) < len(polygon):
        return tr("passes through a corner twice")
    if not doubled_area(polygon):
        return tr("has no area")
    all_sides = list(sides(polygon))
    for i, (a, b) in enumerate(all_sides):
        for j in range(i + 1, len(all_sides)):
            c, d = all_sides[j]
            if b == c or a == d:
                # Two sides that share a corner must not lie on top of each other.
                start, corner, end = (a, b, d) if b == c else (b, a, c)
                if not turn(start, corner, end) and not _between(corner, start, end):
                    return tr("doubles back on itself")
            elif _meet(a, b, c, d):
                return tr("crosses or touches itself")
    return ""


def convex_parts(polygon: Polygon) -> list[Polygon]:
    """Split a polygon into convex polygons that do not overlap.

    Their corners are in anticlockwise order and have no angles of 180°. A convex polygon stays whole. Other
    polygons are cut into triangles by ear clipping.
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
    """Return whether a point is inside a convex polygon or on its edge."""
    return all(turn(a, b, point) >= 0 for a, b in sides(convex))


def _corners(polygon: Polygon) -> Iterator[tuple[Point, Point, Point]]:
    """Yield each corner with the corner before it and the corner after it."""
    return zip((polygon[-1], *polygon[:-1]), polygon, (*polygon[1:], polygon[0]), strict=True)


def _cornered(polygon: Polygon) -> Polygon:
    """Return a polygon without its corners of 180°."""
    return tuple(b for a, b, c in _corners(polygon) if turn(a, b, c))


def _between(point: Point, a: Point, b: Point) -> bool:
    """Return whether a point on the line through a and b is between a and b or equal to one of them."""
    return all(min(a[i], b[i]) <= point[i] <= max(a[i], b[i]) for i in (0, 1))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the segments ab and cd have a point in common."""
    sides_of = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if sides_of[0] * sides_of[1] < 0 and sides_of[2] * sides_of[3] < 0:
        return True
    ends = ((c, a, b), (d, a, b), (a, c, d), (b, c, d))
    return any(not side and _between(*end) for side, end in zip(sides_of, ends, strict=True))


Spot = tuple[float, float]

Rings = tuple[tuple[Spot, ...], ...]
"""The outline of a building, followed by the outlines of its courtyards."""


def outlines(polygons: Sequence[Polygon], fine: int, within: Sequence[Polygon] = ()) -> tuple[Rings, ...]:
    """Return the outlines of the buildings formed by silhouettes that touch or overlap.

    They are only used for drawing.

    `polygons` are on a lattice with `fine` steps per step of the field. The outlines are in steps of the field. If
    `within` is given, on the same finer lattice, the buildings are clipped to these polygons.
    """
    import shapely

    joined = shapely.union_all([shapely.Polygon(polygon) for polygon in polygons])
    if within:
        joined = shapely.intersection(joined, shapely.union_all([shapely.Polygon(polygon) for polygon in within]))
    return tuple(
        tuple(
            tuple((x / fine, y / fine) for x, y in shapely.get_coordinates(ring)[:-1].tolist())
            for ring in (building.exterior, *building.interiors)
        )
        for building in shapely.get_parts(joined)
        # A building that only touches the edge of `within` results in a point or a line, which is not drawn. If all
        # buildings are outside it, the result is a single polygon without corners.
        if isinstance(building, shapely.Polygon) and not building.is_empty
    )


Rule = tuple[int, int, int]
"""An undirected line on the lattice, given by its direction in lowest terms and its moment about the origin."""


class SightLine(Struct, frozen=True):
    """The result for one line of sight: whether it is clear, and the first point at which a building blocks it."""

    clear: bool
    blocked_at: tuple[Fraction, Fraction] | None


class Past(Struct, frozen=True):
    """A claim for `sight.verify` that states for each line between two cells whether it is clear of the polygons."""

    polygons: tuple[Polygon, ...]
    lines: tuple[tuple[Numbered, Numbered, bool], ...]
    place: Callable[[Numbered], Point]
    """Returns the centre of a cell on the lattice of the polygons."""
    name: Callable[[Numbered], str]


class Stopped(Struct, frozen=True):
    """A claim for `sight.verify` that states the first point at which the polygons block each line."""

    polygons: tuple[Polygon, ...]
    stops: tuple[tuple[Numbered, Numbered, tuple[float, float]], ...]
    """For each line, its first cell, its last cell, and the point at which it is blocked, on the lattice of the
    polygons."""
    place: Callable[[Numbered], Point]
    """Returns the centre of a cell on the lattice of the polygons."""
    name: Callable[[Numbered], str]


Seams = dict[Rule, list[tuple[int, int]]]
"""Segments that have a building on both sides. For each line, the positions along it at which they begin and end."""


class Silhouettes:
    """Simple polygons that may touch and overlap, on a lattice with `fine` steps per step of the field.

    A line is blocked if it passes through the inside of a building. Silhouettes that share part of a side form one
    building, so the shared part is inside it. The buildings are not merged. Instead, they are stored as convex
    parts and *seams*, which are the segments with a part on both sides.
    """

    def __init__(self, polygons: Sequence[Polygon], fine: int) -> None:
        self.fine = fine
        self.polygons = tuple(polygons)
        self.parts = tuple(part for polygon in polygons for part in convex_parts(polygon))
        self.seams = _seams(self.parts)
        self._boxes = tuple(_box(part) for part in self.parts)

    def covers(self, point: Point) -> bool:
        """Return whether a point of the finer lattice is inside a building or on its outline."""
        x, y = point
        return any(
            left <= x <= right and low <= y <= high and covers(part, point)
            for part, ((left, low), (right, high)) in zip(self.parts, self._boxes, strict=True)
        )

    def clear(self, start: Point, end: Point) -> bool:
        """Return whether the line between two different points of the finer lattice is clear."""
        if any(_passes(part, start, end) for part in self._near(start, end)):
            return False
        return not any(True for _ in self._runs(start, end))

    def line(self, start: Point, end: Point) -> SightLine:
        """Return the result for the line between two points of the finer lattice.

        The point at which the line is blocked is in steps of the field. If both points are the same, the line is
        blocked if the point is inside a building.
        """
        entries = (_entry(part, start, end) for part in self._near(start, end))
        stops = [*(at for at in entries if at is not None), *self._runs(start, end)]
        if not stops:
            return SightLine(True, None)
        at = min(stops)
        x, y = (Fraction(a + at * (b - a)) / self.fine for a, b in zip(start, end, strict=True))
        return SightLine(False, (x, y))

    def _near(self, start: Point, end: Point) -> list[Polygon]:
        """Return the parts whose bounding boxes overlap the bounding box of a line."""
        (left, low), (right, high) = _box((start, end))
        return [
            part
            for part, ((west, south), (east, north)) in zip(self.parts, self._boxes, strict=True)
            if left < east and west < right and low < north and south < high
        ]

    def _runs(self, start: Point, end: Point) -> Iterator[Fraction]:
        """Yield the positions on a line, from 0 to 1, at which it begins to run along a seam."""
        if start == end:
            return
        rule = rule_of(start, end)
        a, b = along(rule, start), along(rule, end)
        for low, high in self.seams.get(rule, ()):
            if max(low, min(a, b)) < min(high, max(a, b)):
                near = max(a, low) if a < b else min(a, high)
                yield Fraction(near - a, b - a)


def rule_of(a: Point, b: Point) -> Rule:
    """Return the line through two different points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    shared = gcd(dx, dy) * (1 if (dx, dy) > (0, 0) else -1)
    dx, dy = dx // shared, dy // shared
    return dx, dy, dx * a[1] - dy * a[0]


def along(rule: Rule, point: Point) -> int:
    """Return the position of a point along a line, in a unit that depends on the line."""
    return rule[0] * point[0] + rule[1] * point[1]


def _passes(part: Polygon, start: Point, end: Point) -> bool:
    """Return whether a line between two different points passes through the inside of a convex part.

    It does not if all corners of the part are on one side of the line, or if the line is completely outside one of
    the part's sides.
    """
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    turns = [dx * (y - ay) - dy * (x - ax) for x, y in part]
    if min(turns) >= 0 or max(turns) <= 0:
        return False
    px, py = part[-1]
    for x, y in part:
        if (x - px) * (ay - py) <= (y - py) * (ax - px) and (x - px) * (by - py) <= (y - py) * (bx - px):
            return False
        px, py = x, y
    return True


def _entry(part: Polygon, start: Point, end: Point) -> Fraction | None:
    """Return the position on a line, from 0 to 1, at which it enters a convex part, or None if it never does."""
    (ax, ay), (bx, by) = start, end
    enters, of = 0, 1
    leaves, over = 1, 1
    px, py = part[-1]
    for x, y in part:
        # The value is positive on the inner side of this side and changes linearly along the line.
        first = (x - px) * (ay - py) - (y - py) * (ax - px)
        last = (x - px) * (by - py) - (y - py) * (bx - px)
        px, py = x, y
        if first <= 0 and last <= 0:
            return None
        if first < 0 and -first * of > enters * (last - first):
            enters, of = -first, last - first
        elif last < 0 and first * over < leaves * (first - last):
            leaves, over = first, first - last
    return Fraction(enters, of) if enters * over < leaves * of else None


def _seams(parts: Sequence[Polygon]) -> Seams:
    """Return the segments along which two parts touch from opposite sides."""
    lefts: dict[Rule, list[tuple[int, int]]] = defaultdict(list)
    rights: dict[Rule, list[tuple[int, int]]] = defaultdict(list)
    for part in parts:
        for a, b in sides(part):
            rule = rule_of(a, b)
            low, high = along(rule, a), along(rule, b)
            # Corners are in anticlockwise order. If a side has the same direction as its line, the part is on the
            # left.
            if low < high:
                lefts[rule].append((low, high))
            else:
                rights[rule].append((high, low))
    seams: Seams = defaultdict(list)
    for rule, stretches in lefts.items():
        for left in stretches:
            for right in rights.get(rule, ()):
                low, high = max(left[0], right[0]), min(left[1], right[1])
                if low < high:
                    seams[rule].append((low, high))
    return dict(seams)


def _box(points: Sequence[Point]) -> tuple[Point, Point]:
    """Return the smallest and the largest coordinates of a sequence of points."""
    across, up = zip(*points, strict=True)
    return (min(across), min(up)), (max(across), max(up))


_FAR = 1 << 30
"""A value larger than any row. It is half the largest 32-bit integer, so that sums do not overflow."""


class Shadows:
    """All lines of sight of a field with silhouettes.

    The shadows seen from a hex are computed when they are first needed.

    The area that a convex part hides from a point is convex too. It is bounded by the sides that face the point
    and by two tangents. In each column of hexes, a part therefore hides a single run of rows. The first and last
    row of the run are computed by integer division, with NumPy, for all parts and columns at once.
    """

    def __init__(self, field: ColumnField, silhouettes: Silhouettes) -> None:
        global np
        import numpy as np  # A draw that needs few lines starts faster without NumPy.

        self.field = field
        self._fine = silhouettes.fine
        self._points: Ints = np.array([field.centre(cell) for cell in field.cells], np.int64) * self._fine
        # Parts are sorted from right to left, so that the parts that extend beyond a column come first.
        parts = sorted(silhouettes.parts, key=lambda part: -max(x for x, _ in part))
        self._reach = np.array([max(x for x, _ in part) for part in parts], np.int64)
        self._starts = np.cumsum([0, *(len(part) for part in parts)], dtype=np.int64)
        ends = [side for part in parts for side in sides(part)]
        self._from, self._to = np.array(ends, np.int64).reshape(-1, 2, 2).transpose(1, 2, 0)
        follows = [
            start + (i + 1) % len(part)
            for start, part in zip(self._starts, parts, strict=False)
            for i in range(len(part))
        ]
        self._next = np.array(follows, np.int64)
        self._rules = np.array(list(silhouettes.seams), np.int64).reshape(-1, 3)
        self._stretches = list(silhouettes.seams.values())
        # No limit and no intermediate result exceeds this value. For most fields it fits in 32 bits, which halves the
        # time.
        wide, high = np.abs(np.concatenate([self._points, self._from.T, self._to.T])).max(axis=0).tolist()
        max_value = 2 * high * (3 * self._fine * field.columns + wide) + 2 * wide * high
        self._whole: Any = np.int32 if max_value < _FAR else np.int64
        self._cast: dict[int, Flags] = {}

    def clear(self, a: int, b: int) -> bool:
        """Return whether the line between two cells is clear. The cells are given by their indices in the field."""
        return bool(self._lit(min(a, b))[max(a, b)])

    @cached_property
    def matrix(self) -> Flags:
        """A matrix that is True if the line from the row's cell to the column's cell is clear.

        Its diagonal is False.
        """
        ahead: Flags = np.triu(np.array([self._lit(a) for a in range(len(self._points))]), 1)
        return ahead | ahead.T

    def _lit(self, a: int) -> Flags:
        """Return which cells are not in a shadow seen from cell `a`.

        The result is valid only for cells with a larger index.
        """
        if a not in self._cast:
            columns, rows = self.field.columns, self.field.rows
            column = a // rows
            lit = np.ones((columns, rows), np.bool_)
            hidden = self._hidden((int(self._points[a, 0]), int(self._points[a, 1])), column)
            lit[column:] = hidden is not None and ~hidden
            self._cast[a] = self._without_seams(a, lit.ravel())
        return self._cast[a]

    def _hidden(self, point: Point, column: int) -> Flags | None:
        """Return which hexes the parts hide from a point, as an array of columns by rows.

        The first column of the array is `column`, counted from 0. The result is None if a part contains the point.
        """
        columns, rows = np.arange(column, self.field.columns, dtype=self._whole), self.field.rows
        limits = self._limits(point)
        if limits is None:
            return None
        on, by, at, starts = limits
        rest = -(by[:, None] * (3 * self._fine * columns) + at[:, None])
        # `on * Y > rest` is a lower limit for Y if `on` is positive, and an upper limit if `on` is negative.
        bound = rest // np.maximum(abs(on), 1)[:, None]
        above, below = (on > 0)[:, None], (on < 0)[:, None]
        far = self._whole(_FAR)
        low = np.where(above, bound + 1, np.where(below | (rest < 0), -far, far))
        high = np.where(below, -bound - 1, far)
        if not len(starts):
            return np.zeros((len(columns), rows), np.bool_)
        low, high = np.maximum.reduceat(low, starts), np.minimum.reduceat(high, starts)
        # Y is `-fine * (2 * row + 1 in every second column)`, with rows counted from 1.
        lower = columns % 2
        first = np.maximum(-((high // self._fine + lower) // 2), 1) - 1
        last = np.minimum((-low // self._fine - lower) // 2, rows) - 1
        part, place = np.nonzero(first <= last)
        size = len(columns) * (rows + 1)
        begins = np.bincount(place * (rows + 1) + first[part, place], minlength=size)
        ends = np.bincount(place * (rows + 1) + last[part, place] + 1, minlength=size)
        return (np.cumsum((begins - ends).reshape(len(columns), rows + 1), axis=1) > 0)[:, :rows]

    def _limits(self, point: Point) -> tuple[Ints, Ints, Ints, Ints] | None:
        """Return the limits of the areas hidden from a point, and the index of the first limit of each part.

        A limit is `on * Y + by * X + at > 0`. Parts that do not extend beyond the point are omitted. The result is
        None if the point is inside a part.
        """
        x, y = point
        parts = int(np.searchsorted(-self._reach, -x))
        begin, count = self._starts[:parts], int(self._starts[parts])
        (x0, y0), (x1, y1) = self._from[:, :count], self._to[:, :count]
        dx, dy = x1 - x0, y1 - y0
        faces = dx * (y - y0) - dy * (x - x0) <= 0
        # A tangent touches a corner between a side that faces the point and a side that does not.
        tangent = (faces != faces[self._next[:count]]) & ((x1 != x) | (y1 != y))
        sign = np.where(faces, 1, -1)
        tx, ty = sign * (x1 - x), sign * (y1 - y)
        held = np.empty((count, 2), np.bool_)
        held[:, 0], held[:, 1] = faces, tangent
        limits = np.empty((3, count, 2), np.int64)
        limits[:, :, 0] = dx, -dy, dy * x0 - dx * y0
        limits[:, :, 1] = tx, -ty, ty * x - tx * y
        # Compute the indices of the valid limits once for all three arrays.
        where = np.flatnonzero(held)
        on, by, at = limits.reshape(3, -1)[:, where].astype(self._whole)
        held_before = np.concatenate([[0], np.cumsum(held.sum(axis=1))])
        if parts and np.any(np.diff(held_before[self._starts[: parts + 1]]) == 0):
            return None
        return on, by, at, held_before[begin]

    def _without_seams(self, a: int, lit: Flags) -> Flags:
        """Return `lit` with those cells set to False whose line from cell `a` runs along a seam."""
        xs, ys = self._points.T
        for i in np.flatnonzero(self._rules[:, 0] * ys[a] - self._rules[:, 1] * xs[a] == self._rules[:, 2]):
            dx, dy, moment = self._rules[i]
            places = dx * xs + dy * ys
            near, far = np.minimum(places, places[a]), np.maximum(places, places[a])
            for low, high in self._stretches[i]:
                lit &= ~((dx * ys - dy * xs == moment) & (np.maximum(low, near) < np.minimum(high, far)))
        return lit
