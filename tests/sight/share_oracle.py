"""An oracle for visible fractions, computed with rays in exact fractions and without code of sight/.

There is one ray for each part of the target in which the result is constant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import pairwise, product

from generator.grid.squares import Square

HOME = Square(0, 0)

Ray = tuple[int, int]


def whole(ray: Ray) -> int:
    """Return the number of parts of a ray such that it enters every square after a whole number of parts."""
    x, y = ray
    return (abs(x) or 1) * (abs(y) or 1)


def entry(ray: Ray, cell: Square) -> int | None:
    """Return the parts of a ray from the origin to the inside of a square, or None if the ray misses the square."""
    low, high = 0, 10**6 * whole(ray)
    for step, middle in zip(ray, (2 * cell.c, 2 * cell.r), strict=True):
        if not step:
            if abs(middle) >= 1:
                return None
            continue
        part = whole(ray) // step
        near, far = sorted(((middle - 1) * part, (middle + 1) * part))
        low, high = max(low, near), min(high, far)
    return low if low < high else None


def computed_share(target: Square, blockers: Collection[Square]) -> Fraction:
    """Return the visible fraction, with one ray for each part of the target's width with a constant result."""
    x, y = 2 * target.c, 2 * target.r

    def across(cell: Square) -> Iterator[Fraction]:
        for u, v in product((-1, 1), repeat=2):
            a, b = 2 * cell.c + u, 2 * cell.r + v
            if x * a + y * b > 0:
                yield Fraction(x * b - y * a, x * a + y * b)

    left, right = min(across(target)), max(across(target))
    marks = sorted({left, right, *(t for cell in blockers for t in across(cell) if left < t < right)})
    visible = Fraction(0)
    for a, b in pairwise(marks):
        t, of = ((a + b) / 2).as_integer_ratio()
        ray = (x * of - t * y, y * of + t * x)
        goal = entry(ray, target)
        assert goal is not None
        distances = [at for cell in blockers if cell not in (HOME, target) and (at := entry(ray, cell)) is not None]
        if all(at > goal for at in distances):
            visible += b - a
    return visible / (right - left)


def visible_corners(target: Square, blockers: Collection[Square]) -> Fraction:
    """Return the fraction of the target's corners that are visible without crossing the inside of a square."""
    seen = 0
    for u, v in product((-1, 1), repeat=2):
        ray = (2 * target.c + u, 2 * target.r + v)
        distances = (entry(ray, cell) for cell in blockers if cell not in (HOME, target))
        seen += not any(at is not None and at < whole(ray) for at in distances)
    return Fraction(seen, 4)
