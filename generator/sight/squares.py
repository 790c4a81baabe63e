"""Exact lines of sight over squares: the fraction of each square that is visible from the centre of another.

All results are computed without rounding on the integer lattice of `grid.squares`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from msgspec import Struct

from generator.grid.squares import CORNERS, Point, Square, SquareField, corners, distance

_FAR = 2
"""A square next to the viewer extends from -1 to 1 in the view. No target appears wider."""


class View(Struct, frozen=True):
    """A target at a certain offset, divided into parts.

    Each square between viewer and target hides a part completely or not at all.

    Rays begin at the centre of the viewer's square. A ray is hidden if it crosses the inside of a blocking square
    before it reaches the target. Visible fractions are measured on the line through the target's centre at right
    angles to the line between the centres.
    """

    parts: tuple[int, ...]
    """The size of each part, in a unit that is specific to this view."""
    hides: Mapping[Square, int]
    """Bit masks of the parts that a square hides, keyed by the square's offset. Squares that hide nothing are
    omitted."""

    def share(self, screens: Iterable[Square]) -> Fraction:
        """Return the visible fraction of the target if these squares block.

        Squares beyond the target hide nothing.
        """
        hidden = 0
        for offset in screens:
            hidden |= self.hides.get(offset, 0)
        return self.showing(hidden)

    def showing(self, hidden: int) -> Fraction:
        """Return the visible fraction of the target if these parts are hidden."""
        return Fraction(self.left(hidden), sum(self.parts))

    def left(self, hidden: int) -> int:
        """Return the visible size of the target if these parts are hidden, in the unit of the view."""
        return sum([part for i, part in enumerate(self.parts) if not hidden >> i & 1])


Reading = Callable[[Square], View]
"""A method for measuring the visible fraction of a target at an offset, either `visible_share` or `four_corners`."""


class _Octant(NamedTuple):
    """The direction of a line of sight. Reflections map all eight octants to the one with c >= r >= 0."""

    right: int
    down: int
    steep: bool

    @property
    def mirrored(self) -> bool:
        """Whether left and right are exchanged by the reflection."""
        return (self.right * self.down < 0) != self.steep

    def hides(self, ahead: Mapping[Square, int], masks: Callable[[int], int] | None) -> dict[Square, int]:
        """Return what each square hides in this octant, with the parts renumbered by `masks`."""
        right, down = self.right, self.down
        every = ahead.items() if masks is None else [(s, masks(mask)) for s, mask in ahead.items()]
        if self.steep:
            return {Square(right * s.r, down * s.c): mask for s, mask in every}
        return {Square(right * s.c, down * s.r): mask for s, mask in every}


def _octant(offset: Square) -> tuple[_Octant, Square]:
    """Return the octant of an offset, and the image of the offset in the octant with c >= r >= 0."""
    far, aside = abs(offset.c), abs(offset.r)
    octant = _Octant(-1 if offset.c < 0 else 1, -1 if offset.r < 0 else 1, aside > far)
    return octant, Square(aside, far) if octant.steep else Square(far, aside)


@lru_cache(16384)  # Enough for every offset of the largest field.
def visible_share(offset: Square) -> View:
    """Return a view in which the visible width of the target is divided at the edges of all squares in between."""
    octant, ahead = _octant(offset)
    view = _shares_ahead(ahead)
    if not octant.mirrored:
        return View(view.parts, octant.hides(view.hides, None))
    count = len(view.parts)
    return View(
        view.parts[::-1],
        octant.hides(view.hides, lambda mask: int(f"{mask:0{count}b}"[::-1], 2)),
    )


@lru_cache(4096)  # Enough for all offsets in one octant.
def _shares_ahead(offset: Square) -> View:
    """Return the result of `visible_share` for an offset with c >= r >= 0."""
    placed = {square: _placed(offset, square) for square in (offset, *between(offset))}
    # Integer multiples of a common unit are exact too, and computing with them takes 10 % of the time.
    unit = lcm(*{along for seen in placed.values() for _, along in seen if along > 0})
    left, right = _width(placed.pop(offset), unit)
    covers = {}
    for square, seen in placed.items():
        low, high = _width(seen, unit)
        if low < right and left < high:
            covers[square] = max(low, left), min(high, right)
    edges = sorted({left, right}.union(*covers.values()))
    common = gcd(unit, *edges)
    at = {edge: i for i, edge in enumerate(edges)}
    return View(
        tuple([(b - a) // common for a, b in pairwise(edges)]),
        {s: (1 << at[high]) - (1 << at[low]) for s, (low, high) in covers.items()},
    )


@lru_cache(16384)  # Enough for every offset of the largest field.
def four_corners(offset: Square) -> View:
    """Return a view whose parts are the four corners of the target.

    A square hides a corner if the line to the corner crosses the inside of the square.
    """
    octant, ahead = _octant(offset)
    view = _corners_ahead(ahead)
    return View(view.parts, octant.hides(view.hides, _renumbered(octant).__getitem__))


@lru_cache(4096)  # Enough for all offsets in one octant.
def _corners_ahead(offset: Square) -> View:
    """Return the result of `four_corners` for an offset with c >= r >= 0."""
    ends = corners(offset)
    hides = {square: _bits(_crosses(end, square) for end in ends) for square in between(offset)}
    return View((1,) * len(ends), {square: mask for square, mask in hides.items() if mask})


@lru_cache(8)  # There are eight octants.
def _renumbered(octant: _Octant) -> tuple[int, ...]:
    """Return a table that maps corner masks in the octant with c >= r >= 0 to corner masks in this octant."""
    right, down, steep = octant
    at = [CORNERS.index((right * y, down * x) if steep else (right * x, down * y)) for x, y in CORNERS]
    return tuple(sum(1 << at[i] for i in range(len(at)) if mask >> i & 1) for mask in range(1 << len(at)))


@lru_cache(16384)  # Enough for every offset of the largest field.
def between(offset: Square) -> tuple[Square, ...]:
    """Return the squares in the smallest rectangle that contains viewer and target, without viewer and target.

    A ray stays inside this rectangle until it reaches the target, so no other square can hide any part of the
    target.
    """
    rows, columns = (range(min(0, far), max(0, far) + 1) for far in (offset.r, offset.c))
    away, off = offset
    return tuple([Square(c, r) for r in rows for c in columns if (c or r) and (c != away or r != off)])


def _placed(ahead: Square, square: Square) -> list[Point]:
    """Return the positions of a square's corners across and along the line of sight."""
    return [(ahead.c * y - ahead.r * x, ahead.c * x + ahead.r * y) for x, y in corners(square)]


def _width(seen: Iterable[Point], unit: int) -> tuple[int, int]:
    """Return the interval across the line of sight in which corners appear, in units of 1/`unit`.

    The line of sight is at 0. Corners beside or behind the viewer are placed farther aside than any target
    extends.
    """
    far = _FAR * unit
    found = [across * (unit // along) if along > 0 else far if across > 0 else -far for across, along in seen]
    return min(found), max(found)


def _crosses(end: Point, square: Square) -> bool:
    """Return whether the line from the viewer's centre to a corner of the target crosses the inside of a square."""
    turns = [end[0] * y - end[1] * x for x, y in corners(square)]
    return min(turns) < 0 < max(turns)


def _bits(bits: Iterable[int]) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)


_KEPT = 1 << 12
"""Maximum number of cached fractions for one offset. The widest views could have thirty times as many."""


class Screens(Struct, frozen=True):
    """The blocking squares of a board, for every viewer.

    Blocking squares are represented by a bit mask in which bit i is square i of the field. Which squares block a
    line of sight depends only on the height of its higher end. Therefore one mask per height describes a board.
    """

    heights: tuple[int, ...]
    """The height of each square, in the field's order."""
    over: tuple[int, ...]
    """Masks of the squares that block, indexed by the height of the higher end of a line of sight."""

    def between(self, field: SquareField, start: Square, end: Square) -> int:
        """Return the mask of the squares that block a line of sight between two squares."""
        return self.over[max(self.heights[field.index[start]], self.heights[field.index[end]])]

    def with_units(self, field: SquareField, units: Iterable[Square]) -> Screens:
        """Return screens in which units block too, but only if both ends are low.

        Lines to or from a hill pass over units.
        """
        return Screens(self.heights, (self.over[0] | _mask(field, units), *self.over[1:]))


def screens(field: SquareField, height: Callable[[Square], int], solid: Iterable[Square]) -> Screens:
    """Return the blocking squares of a board according to the ruling on terrain.

    Solid squares, such as buildings, always block. A hill blocks if it is higher than both ends. The `height` of
    flat terrain is 0.
    """
    heights = tuple(map(height, field.cells))
    always = _mask(field, solid)

    def over(level: int) -> int:
        return always | _mask(field, (cell for cell, top in zip(field.cells, heights, strict=True) if top > level))

    return Screens(heights, tuple(over(level) for level in range(max(heights) + 1)))


class Look(Struct, frozen=True):
    """The result for one line of sight: the visible fraction of the target, and the squares that hide the rest."""

    start: Square
    end: Square
    share: Fraction
    hidden_by: tuple[Square, ...]
    """Squares that hide part of the target, sorted by the distance of their centres from the viewer's centre, then in
    the field's order."""

    @property
    def distance(self) -> int:
        """Distance in squares. A diagonal step counts as 1."""
        return distance(self.start, self.end)

    @property
    def clear(self) -> bool:
        """Whether the target is in sight, which means that at least half of it is visible."""
        return _enough(self.share.numerator, self.share.denominator)


def _enough(shows: int, of: int) -> bool:
    return 2 * shows >= of


class Shown(Struct, frozen=True):
    """A claim for `sight.verify` that states the visible fraction of the target of each line of sight."""

    field: SquareField
    screens: Screens
    reading: Reading
    looks: tuple[Look, ...]

    def screening(self, look: Look) -> tuple[Square, ...]:
        """Return the offsets of the squares in between that can block a line of sight, even if they hide nothing."""
        mask = self.screens.between(self.field, look.start, look.end)
        columns, at = self.field.columns, self.field.index[look.start]
        return tuple(cell for cell in between(look.end - look.start) if mask >> at + cell.r * columns + cell.c & 1)


class Looks:
    """All lines of sight of a field up to a maximum distance, under one reading of the visible fraction.

    Use the function `looks` to get an instance.
    """

    def __init__(self, field: SquareField, reach: int, reading: Reading) -> None:
        self.field = field
        self.reach = reach
        self.reading = reading
        self._shares: dict[tuple[int, int], _Shares] = {}
        """Visible fractions, keyed by the offset of the target in columns and rows."""
        self._from: dict[int, tuple[tuple[int, int, _Shares], ...]] = {}
        """For each square queried so far, its targets, the first index of the rectangle of each line, and the
        fractions."""
        self._by_end: dict[int, dict[int, tuple[int, _Shares]]] = {}
        """The same entries, keyed by square and target."""

    def shares(self, screens: Screens, start: Square) -> dict[Square, Fraction]:
        """Return the visible fraction of each square within reach of `start`, in the field's order."""
        cells = self.field.cells
        return {cells[end]: share for end, (share, _) in self._seen(screens, self.field.index[start])}

    def in_sight(self, screens: Screens, start: Square) -> tuple[Square, ...]:
        """Return the squares within reach of `start` that are at least half visible, in the field's order."""
        cells = self.field.cells
        return tuple([cells[end] for end, (_, clear) in self._seen(screens, self.field.index[start]) if clear])

    def clear(self, screens: Screens, start: int, end: int) -> bool:
        """Return whether at least half of a square within reach is visible.

        Both squares are given by their indices.
        """
        first, shares = self._to(start)[end]
        heights = screens.heights
        return shares[screens.over[max(heights[start], heights[end])] >> first & shares.mask][1]

    def _to(self, start: int) -> dict[int, tuple[int, _Shares]]:
        if start not in self._by_end:
            row = self._from.get(start) or self._looks(start)
            self._by_end[start] = {end: (first, shares) for end, first, shares in row}
        return self._by_end[start]

    def all_clear(self, screens: Screens) -> list[tuple[int, int]]:
        """Return the indices of viewer and target for all lines of sight whose target is in sight."""
        return [(a, b) for a in range(len(self.field.cells)) for b, (_, clear) in self._seen(screens, a) if clear]

    def _seen(self, screens: Screens, start: int) -> list[tuple[int, tuple[Fraction, bool]]]:
        heights, over = screens.heights, screens.over
        start_height = heights[start]
        return [
            (
                end,
                shares[
                    over[height if (height := heights[end]) > start_height else start_height] >> first & shares.mask
                ],
            )
            for end, first, shares in self._from.get(start) or self._looks(start)
        ]

    def _looks(self, at: int) -> tuple[tuple[int, int, _Shares], ...]:
        columns, rows, reach = self.field.columns, self.field.rows, self.reach
        up, left = divmod(at, columns)
        known, found = self._shares, list[tuple[int, int, _Shares]]()
        for r in range(max(0, up - reach), min(rows, up + reach + 1)):
            first = min(up, r) * columns
            for c in range(max(0, left - reach), min(columns, left + reach + 1)):
                offset = c - left, r - up
                shares = known.get(offset)
                if shares is None and offset != (0, 0):
                    shares = known[offset] = _Shares(self.field, Square(*offset), self.reading(Square(*offset)))
                if shares is not None:
                    found.append((r * columns + c, first + (left if left < c else c), shares))
        self._from[at] = tuple(found)
        return self._from[at]


@lru_cache(16)  # Enough for the fields of one run.
def looks(field: SquareField, reach: int, reading: Reading) -> Looks:
    """Return the lines of sight of a field. They are cached as long as the program runs."""
    return Looks(field, reach, reading)


def judge(field: SquareField, screens: Screens, reading: Reading, start: Square, end: Square) -> Look:
    """Return the full result for one line of sight. Both ends must be on the field, and they must differ."""
    mask, view = screens.between(field, start, end), reading(end - start)
    columns, at = field.columns, field.index[start]
    hiding = [cell for cell in view.hides if mask >> at + cell.r * columns + cell.c & 1]
    hiding.sort(key=lambda cell: (cell.c**2 + cell.r**2, cell.r * columns + cell.c))
    return Look(start, end, view.share(hiding), tuple(start + cell for cell in hiding))


class _Shares(dict[int, tuple[Fraction, bool]]):
    """The visible fraction for one offset, and whether it is sufficient, keyed by the mask of blocking squares."""

    def __init__(self, field: SquareField, offset: Square, view: View) -> None:
        first = min(0, offset.r) * field.columns + min(0, offset.c)
        self._view, self._whole = view, sum(view.parts)
        self._hides = [(1 << cell.r * field.columns + cell.c - first, parts) for cell, parts in view.hides.items()]
        self._showing: dict[int, tuple[Fraction, bool]] = {}
        self.mask = sum(bit for bit, _ in self._hides)

    def __missing__(self, screens: int) -> tuple[Fraction, bool]:
        hidden = 0
        for bit, parts in self._hides:
            if screens & bit:
                hidden |= parts
        found = self._showing.get(hidden)
        if found is None:
            left = self._view.left(hidden)
            found = self._showing[hidden] = Fraction(left, self._whole), _enough(left, self._whole)
        if len(self) < _KEPT:
            self[screens] = found
        return found


def _mask(field: SquareField, cells: Iterable[Square]) -> int:
    bits = 0
    for cell in cells:
        bits |= 1 << field.index[cell]
    return bits
