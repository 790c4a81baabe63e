"""Lines of sight past buildings whose outlines are free polygons: exact, on a whole-number lattice.

A line is blocked where it passes through the inside of the buildings. Silhouettes that touch along a side
are one building, so the common side is inside it. No union is ever computed: the silhouettes fall into
convex parts, and the inside of them all is the inside of each part, and the *seams*, the stretches where two
parts lie on either side of a line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from generator.sight.polygons import Point, Polygon, convex_parts, covers, sides, turn

Rule = tuple[int, int, int]
"""A line through the lattice, whichever way it is run along: its direction in lowest terms, and its moment."""


@dataclass(frozen=True)
class SightLine:
    """A line judged: whether it is clear, or else the first point where a building stops it."""

    clear: bool
    blocked_at: tuple[Fraction, Fraction] | None


Seams = dict[Rule, list[tuple[int, int]]]
"""Stretches with buildings on either side: for each line, from where to where they run along it."""


class Silhouettes:
    """Simple polygons on a lattice with `fine` steps to one of the field's; they may touch and overlap."""

    def __init__(self, polygons: Sequence[Polygon], fine: int) -> None:
        self.fine = fine
        self.polygons = tuple(polygons)
        self.parts = tuple(part for polygon in polygons for part in convex_parts(polygon))
        self.seams = _seams(self.parts)
        self._boxes = tuple(_box(part) for part in self.parts)

    def covers(self, point: Point) -> bool:
        """Whether a point of the finer lattice lies in a building or on its outline."""
        return any(covers(part, point) for part in self.parts)

    def line(self, start: Point, end: Point) -> SightLine:
        """The line between two points of the finer lattice; where it is stopped, in the field's steps.

        From a point to itself it is stopped where a building's inside holds the point.
        """
        stops = [*self._entries(start, end), *self._runs(start, end)]
        if not stops:
            return SightLine(True, None)
        at = min(stops)
        x, y = (Fraction(a + at * (b - a)) / self.fine for a, b in zip(start, end, strict=True))
        return SightLine(False, (x, y))

    def _entries(self, start: Point, end: Point) -> Iterator[Fraction]:
        """Where the line enters the inside of parts, from 0 at its start to 1 at its end."""
        low, high = _box((start, end))
        for part, (least, most) in zip(self.parts, self._boxes, strict=True):
            if all(low[i] < most[i] and least[i] < high[i] for i in (0, 1)):
                entry = _entry(part, start, end)
                if entry is not None:
                    yield entry

    def _runs(self, start: Point, end: Point) -> Iterator[Fraction]:
        """Where the line begins to run along seams; nowhere where it has no length."""
        if start == end:
            return
        rule = rule_of(start, end)
        a, b = along(rule, start), along(rule, end)
        for low, high in self.seams.get(rule, ()):
            if max(low, min(a, b)) < min(high, max(a, b)):
                near = max(a, low) if a < b else min(a, high)
                yield Fraction(near - a, b - a)


def rule_of(a: Point, b: Point) -> Rule:
    """The line through two different points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    shared = gcd(dx, dy) * (1 if (dx, dy) > (0, 0) else -1)
    dx, dy = dx // shared, dy // shared
    return dx, dy, dx * a[1] - dy * a[0]


def along(rule: Rule, point: Point) -> int:
    """How far along a line a point lies, in a unit of the line's own."""
    return rule[0] * point[0] + rule[1] * point[1]


def _entry(part: Polygon, start: Point, end: Point) -> Fraction | None:
    """Where a line enters the inside of a convex part; None where it never does."""
    enters, leaves = Fraction(0), Fraction(1)
    for a, b in sides(part):
        # Above 0 inside of this side; along the line it changes evenly from one value to the other.
        first, last = turn(a, b, start), turn(a, b, end)
        if first <= 0 and last <= 0:
            return None
        if first < 0:
            enters = max(enters, Fraction(first, first - last))
        elif last < 0:
            leaves = min(leaves, Fraction(first, first - last))
    return enters if enters < leaves else None


def _seams(parts: Sequence[Polygon]) -> Seams:
    """Every stretch where the side of one part lies against the side of another."""
    lefts: dict[Rule, list[tuple[int, int]]] = defaultdict(list)
    rights: dict[Rule, list[tuple[int, int]]] = defaultdict(list)
    for part in parts:
        for a, b in sides(part):
            rule = rule_of(a, b)
            low, high = along(rule, a), along(rule, b)
            # Parts run anticlockwise: a side run along its rule has the part on its left.
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
    """The least and the greatest coordinates of some points."""
    across, up = zip(*points, strict=True)
    return (min(across), min(up)), (max(across), max(up))
