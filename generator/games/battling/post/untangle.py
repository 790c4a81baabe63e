"""Bend the lines of a turn that would otherwise be drawn on top of each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import cos, dist, floor, pi, sin

from msgspec.structs import replace

from generator.grid.columns import ColumnField, Numbered
from generator.model.picture import XY
from generator.model.views import Ray, Track
from generator.symbols.shapes import bowed

ASIDE = 0.2
"""The distance by which a path is moved aside, in sides of a hex."""
BENDS = (0.0, 0.35, -0.35, 0.7, -0.7, 1.1, -1.1, 1.6, -1.6, 2.2, -2.2)
"""The possible bends of the line of a shot, in sides of a hex, in order of preference."""
INSIDE = 0.5
"""The maximum distance of a number from the centres of the outermost hexes, in sides of a hex."""
DOT, NEAR, ALIKE, END, BODY = 0.12, 0.17, 0.9, 0.6, 0.75
"""The distances, in sides of a hex, with which lines are compared. Lines consist of dots `DOT` apart. Two lines
overlap if their dots are closer than `NEAR` and the cosine of the angle between them is at least `ALIKE` in
absolute value. Dots closer than `END` to an end of the line are ignored. `BODY` is the radius of a machine.
"""


Dots = Sequence[tuple[XY, XY]]
"""Points of a line in short steps, in sides of a hex, each with the direction of the line."""


def untangled(
    field: ColumnField, tracks: Iterable[Track], rays: Iterable[Ray], bodies: Collection[Numbered]
) -> tuple[tuple[Track, ...], tuple[Ray, ...]]:
    """Return the lines, bent where one would overlap another, or a shot would cross a machine that is not its target.

    The line of a blocked shot remains straight, because it shows where the shot is blocked.
    """
    drawn = _Laid()
    ways, shots = list(tracks), list(rays)
    for ray in shots:
        if ray.stop_at:
            drawn.add(dotted((spot_of(field, ray.start), spot_of(field, ray.end))))
    for at, way in enumerate(ways):
        course = [spot_of(field, cell) for cell in way.cells]
        sides = [(0.0, 0.0), *((ASIDE * cos(pi * n / 6), ASIDE * sin(pi * n / 6)) for n in range(12))]
        lines = {aside: dotted([(x + aside[0], y + aside[1]) for x, y in course]) for aside in sides}
        best = min(lines, key=lambda aside: drawn.below(lines[aside]))
        ways[at] = replace(way, aside=best)
        drawn.add(lines[best])
    for at, ray in enumerate(shots):
        if ray.stop_at:
            continue
        ends = spot_of(field, ray.start), spot_of(field, ray.end)
        others = [spot_of(field, cell) for cell in bodies if cell not in (ray.start, ray.end)]
        max_bend = dist(*ends) / 3
        bows = {bend: dotted(bowed(*ends, bend)) for bend in BENDS if abs(bend) <= max_bend}
        bend = min(bows, key=lambda bend: awkward(field, bows[bend], drawn, others) + abs(bend))
        shots[at] = replace(ray, bend=bend)
        drawn.add(bows[bend])
    return tuple(ways), tuple(shots)


def dotted(course: Sequence[XY]) -> Dots:
    """Return the dots of a line without its ends, which are below the machines."""
    found: list[tuple[XY, XY]] = []
    for (ax, ay), (bx, by) in pairwise(course):
        length = dist((ax, ay), (bx, by)) or 1.0
        ahead = (bx - ax) / length, (by - ay) / length
        found += [((ax + n * DOT * ahead[0], ay + n * DOT * ahead[1]), ahead) for n in range(int(length / DOT))]
    return [dot for dot in found if dist(dot[0], course[0]) > END and dist(dot[0], course[-1]) > END]


class _Laid:
    """The dots of lines that have been drawn, indexed by position."""

    def __init__(self) -> None:
        self._dots: dict[tuple[int, int], list[tuple[XY, XY]]] = {}

    def add(self, dots: Dots) -> None:
        """Add the dots of a line."""
        for dot in dots:
            self._dots.setdefault(_square(dot[0]), []).append(dot)

    def below(self, dots: Dots) -> int:
        """Return the number of dots that are on lines with the same or the opposite direction."""
        return sum(any(_along(dot, other) for other in self._near(dot[0])) for dot in dots)

    def _near(self, point: XY) -> Iterator[tuple[XY, XY]]:
        column, row = _square(point)
        for across, up in product((-1, 0, 1), repeat=2):
            yield from self._dots.get((column + across, row + up), ())


def _square(point: XY) -> tuple[int, int]:
    return floor(point[0] / NEAR), floor(point[1] / NEAR)


def _along(one: tuple[XY, XY], other: tuple[XY, XY]) -> bool:
    (point, (x, y)), (near, (a, b)) = one, other
    return dist(point, near) < NEAR and abs(x * a + y * b) > ALIKE


def spot_of(field: ColumnField, cell: Numbered) -> XY:
    """Return the centre of a hex, in sides of a hex."""
    (x, y), (right, up) = field.centre(cell), field.pitch
    return float(x) * right, float(y) * up


def is_outside(field: ColumnField, spot: XY) -> bool:
    """Return whether a point is outside the arena or too near to its edge for a number."""
    (left, top), (right, bottom) = spot_of(field, field.cells[0]), spot_of(field, field.cells[-1])
    return not (left - INSIDE < spot[0] < right + INSIDE and bottom - INSIDE < spot[1] < top + INSIDE)


def awkward(field: ColumnField, dots: Dots, drawn: _Laid, others: Sequence[XY]) -> float:
    """Return the cost of drawing the line of a shot with these dots."""
    through = sum(any(dist(point, body) < BODY for point, _ in dots) for body in others)
    return drawn.below(dots) + 3 * through + 0.2 * sum(is_outside(field, point) for point, _ in dots)
