"""How much of a square shows from the middle of another past the squares between: exact shares.

Rays leave the centre of the viewer's square. One is hidden where it meets the inside of a screening square
before it reaches the target; shares are lengths on the line through the target's centre at right angles to
the line of centres. Everything stands on the whole-number lattice of `grid.squares`; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import lcm

from generator.grid.squares import Point, Square, corners

HALF = Fraction(1, 2)
"""The share of a target that must show for it to be in sight."""

_HOME = Square(0, 0)

_FAR = Fraction(2)
"""A target next to the viewer appears from -1 to 1; none appears wider."""


@dataclass(frozen=True)
class View:
    """The target at one offset, cut into parts of which a square between hides the whole or nothing."""

    parts: tuple[int, ...]
    """The size of each part, in a unit of this view's own."""
    hides: Mapping[Square, int]
    """Which parts each square hides that hides any, by its offset: bit i for part i."""

    def share(self, screens: Iterable[Square]) -> Fraction:
        """The share that shows past these squares; one that stands behind or beside the target hides nothing."""
        hidden = 0
        for offset in screens:
            hidden |= self.hides.get(offset, 0)
        return self.showing(hidden)

    def showing(self, hidden: int) -> Fraction:
        """The share that shows when these parts are hidden."""
        shown = sum(part for i, part in enumerate(self.parts) if not hidden >> i & 1)
        return Fraction(shown, sum(self.parts))


Reading = Callable[[Square], View]
"""A way to measure what shows of the target at an offset: `visible_share` or `four_corners`."""


@cache
def visible_share(offset: Square) -> View:
    """The target's width as it is seen, cut where an edge of any square between falls on it."""
    left, right = _width(offset, offset)
    covers = {}
    for square in _between(offset):
        low, high = _width(offset, square)
        if low < right and left < high:
            covers[square] = max(low, left), min(high, right)
    edges = sorted({left, right}.union(*covers.values()))
    unit = lcm(*(edge.denominator for edge in edges))
    return View(
        tuple(int((b - a) * unit) for a, b in pairwise(edges)),
        {s: _mask(low <= edge < high for edge in edges) for s, (low, high) in covers.items()},
    )


@cache
def four_corners(offset: Square) -> View:
    """The target's four corners; a square hides those that cannot be reached without crossing its inside."""
    ends = corners(offset)
    hides = {square: _mask(_crosses(end, square) for end in ends) for square in _between(offset)}
    return View((1,) * len(ends), {square: mask for square, mask in hides.items() if mask})


def _between(offset: Square) -> Iterator[Square]:
    """The squares of the rectangle that viewer and target span, without these two.

    A ray that reaches the target stays inside this rectangle until then, so no other square hides anything;
    and a square of it that a ray crosses is crossed before the target.
    """
    for r in range(min(0, offset.r), max(0, offset.r) + 1):
        for c in range(min(0, offset.c), max(0, offset.c) + 1):
            if (square := Square(c, r)) not in (_HOME, offset):
                yield square


def _width(ahead: Square, square: Square) -> tuple[Fraction, Fraction]:
    """From where to where a square appears across the line of sight, straight ahead being 0.

    What lies abreast of the viewer or behind him counts as farther off than any target is wide.
    """
    seen = []
    for x, y in corners(square):
        across = ahead.c * y - ahead.r * x
        along = ahead.c * x + ahead.r * y
        seen.append(Fraction(across, along) if along > 0 else _FAR if across > 0 else -_FAR)
    return min(seen), max(seen)


def _crosses(end: Point, square: Square) -> bool:
    """Whether the way from the viewer's centre to a corner of the target crosses the inside of a square between."""
    turns = [end[0] * y - end[1] * x for x, y in corners(square)]
    return min(turns) < 0 < max(turns)


def _mask(bits: Iterable[bool]) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)
