"""Visible shares by rays in exact fractions, one for each stretch in which nothing can change.

It shares no code with sight/.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import pairwise, product

from generator.grid.squares import Square

HOME = Square(0, 0)

Ray = tuple[Fraction, Fraction]


def entry(ray: Ray, cell: Square) -> Fraction | None:
    """How far along a ray from the origin the inside of a square begins; None where it is never met."""
    low, high = Fraction(0), Fraction(10**6)
    for step, middle in zip(ray, (2 * cell.c, 2 * cell.r), strict=True):
        if not step:
            if abs(middle) >= 1:
                return None
            continue
        near, far = sorted(((middle - 1) / step, (middle + 1) / step))
        low, high = max(low, near), min(high, far)
    return low if low < high else None


def reckoned(target: Square, blockers: Collection[Square]) -> Fraction:
    """The visible share, one ray for each stretch of the target's width in which nothing can change."""
    x, y = 2 * target.c, 2 * target.r

    def across(cell: Square) -> Iterator[Fraction]:
        for u, v in product((-1, 1), repeat=2):
            a, b = 2 * cell.c + u, 2 * cell.r + v
            if x * a + y * b > 0:
                yield Fraction(x * b - y * a, x * a + y * b)

    left, right = min(across(target)), max(across(target))
    marks = sorted({left, right, *(t for cell in blockers for t in across(cell) if left < t < right)})
    shown = Fraction(0)
    for a, b in pairwise(marks):
        t = (a + b) / 2
        ray = (x - t * y, y + t * x)
        goal = entry(ray, target)
        assert goal is not None
        met = [at for cell in blockers if cell not in (HOME, target) and (at := entry(ray, cell)) is not None]
        if all(at > goal for at in met):
            shown += b - a
    return shown / (right - left)


def reached(target: Square, blockers: Collection[Square]) -> Fraction:
    """The share of the target's corners that are reached without crossing the inside of a square."""
    seen = 0
    for u, v in product((-1, 1), repeat=2):
        ray = (Fraction(2 * target.c + u), Fraction(2 * target.r + v))
        met = (entry(ray, cell) for cell in blockers if cell not in (HOME, target))
        seen += not any(at is not None and at < 1 for at in met)
    return Fraction(seen, 4)
