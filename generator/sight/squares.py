"""Sight over squares: visible shares, and what each square sees.

How much of a square shows from the middle of another past the squares between: exact shares.

Rays leave the centre of the viewer's square. One is hidden where it meets the inside of a screening square
before it reaches the target; shares are lengths on the line through the target's centre at right angles to
the line of centres. Everything stands on the whole-number lattice of `grid.squares`; nothing is rounded.

Every look from square to square of a field, ruled over at once: which share of each target shows.

A screen is a bit mask over the field, bit i for square i. What screens a look depends on the height of its
higher end alone, so a board is one mask for each height there is.
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
"""A target next to the viewer appears from -1 to 1; none appears wider."""


class View(Struct, frozen=True):
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
        return Fraction(self.left(hidden), sum(self.parts))

    def left(self, hidden: int) -> int:
        """How much shows when these parts are hidden, in the view's unit."""
        return sum([part for i, part in enumerate(self.parts) if not hidden >> i & 1])


Reading = Callable[[Square], View]
"""A way to measure what shows of the target at an offset: `visible_share` or `four_corners`."""


class _Octant(NamedTuple):
    """Where a look goes: all eight octants are images of the one ahead of the viewer and to the side of the rows."""

    right: int
    down: int
    steep: bool

    @property
    def mirrored(self) -> bool:
        """Whether left and right change places."""
        return (self.right * self.down < 0) != self.steep

    def hides(self, ahead: Mapping[Square, int], masks: Callable[[int], int] | None) -> dict[Square, int]:
        """What each square hides, the parts renumbered."""
        right, down = self.right, self.down
        every = ahead.items() if masks is None else [(s, masks(mask)) for s, mask in ahead.items()]
        if self.steep:
            return {Square(right * s.r, down * s.c): mask for s, mask in every}
        return {Square(right * s.c, down * s.r): mask for s, mask in every}


def _octant(offset: Square) -> tuple[_Octant, Square]:
    """The octant that an offset lies in, and its image ahead."""
    far, aside = abs(offset.c), abs(offset.r)
    octant = _Octant(-1 if offset.c < 0 else 1, -1 if offset.r < 0 else 1, aside > far)
    return octant, Square(aside, far) if octant.steep else Square(far, aside)


@lru_cache(16384)  # every offset of the largest field
def visible_share(offset: Square) -> View:
    """The target's width as it is seen, cut where an edge of any square between falls on it."""
    octant, ahead = _octant(offset)
    view = _shares_ahead(ahead)
    if not octant.mirrored:
        return View(view.parts, octant.hides(view.hides, None))
    count = len(view.parts)
    return View(
        view.parts[::-1],
        octant.hides(view.hides, lambda mask: int(f"{mask:0{count}b}"[::-1], 2)),
    )


@lru_cache(4096)  # an octant
def _shares_ahead(offset: Square) -> View:
    """The same, worked out."""
    placed = {square: _placed(offset, square) for square in (offset, *between(offset))}
    # Whole numbers of the least share of which all are made: the same as fractions, in a tenth of the time.
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


@lru_cache(16384)  # as above
def four_corners(offset: Square) -> View:
    """The target's four corners; a square hides those that cannot be reached without crossing its inside."""
    octant, ahead = _octant(offset)
    view = _corners_ahead(ahead)
    return View(view.parts, octant.hides(view.hides, _renumbered(octant).__getitem__))


@lru_cache(4096)  # an octant
def _corners_ahead(offset: Square) -> View:
    """The same, worked out."""
    ends = corners(offset)
    hides = {square: _bits(_crosses(end, square) for end in ends) for square in between(offset)}
    return View((1,) * len(ends), {square: mask for square, mask in hides.items() if mask})


@lru_cache(8)  # the octants
def _renumbered(octant: _Octant) -> tuple[int, ...]:
    """Each mask of the corners of a square ahead, as a mask of those of its image, which count from elsewhere."""
    right, down, steep = octant
    at = [CORNERS.index((right * y, down * x) if steep else (right * x, down * y)) for x, y in CORNERS]
    return tuple(sum(1 << at[i] for i in range(len(at)) if mask >> i & 1) for mask in range(1 << len(at)))


@lru_cache(16384)  # as above
def between(offset: Square) -> tuple[Square, ...]:
    """The squares of the rectangle that viewer and target span, without these two.

    A ray that reaches the target stays inside this rectangle until then, so no other square hides anything;
    and a square of it that a ray crosses is crossed before the target.
    """
    rows, columns = (range(min(0, far), max(0, far) + 1) for far in (offset.r, offset.c))
    away, off = offset
    return tuple([Square(c, r) for r in rows for c in columns if (c or r) and (c != away or r != off)])


def _placed(ahead: Square, square: Square) -> list[Point]:
    """Where the corners of a square lie across and along the line of sight."""
    return [(ahead.c * y - ahead.r * x, ahead.c * x + ahead.r * y) for x, y in corners(square)]


def _width(seen: Iterable[Point], unit: int) -> tuple[int, int]:
    """From where to where corners appear across the line of sight, straight ahead being 0, as so manyths.

    What lies abreast of the viewer or behind him counts as farther off than any target is wide.
    """
    far = _FAR * unit
    found = [across * (unit // along) if along > 0 else far if across > 0 else -far for across, along in seen]
    return min(found), max(found)


def _crosses(end: Point, square: Square) -> bool:
    """Whether the way from the viewer's centre to a corner of the target crosses the inside of a square between."""
    turns = [end[0] * y - end[1] * x for x, y in corners(square)]
    return min(turns) < 0 < max(turns)


def _bits(bits: Iterable[int]) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)


_KEPT = 1 << 12
"""How many shares are kept for one offset; the widest views could come to thirty times as many."""


class Screens(Struct, frozen=True):
    """What blocks on a board, whoever looks."""

    heights: tuple[int, ...]
    """The level of each square, in the field's order."""
    over: tuple[int, ...]
    """For each level of the higher end of a look, the mask of the squares that screen it."""

    def between(self, field: SquareField, start: Square, end: Square) -> int:
        """The mask of what screens a look between two squares."""
        return self.over[max(self.heights[field.index[start]], self.heights[field.index[end]])]

    def with_units(self, field: SquareField, units: Iterable[Square]) -> Screens:
        """With units there too: they block where both ends are low, for to or from a hill a look passes over them."""
        return Screens(self.heights, (self.over[0] | _mask(field, units), *self.over[1:]))


def screens(field: SquareField, height: Callable[[Square], int], solid: Iterable[Square]) -> Screens:
    """The ruling on ground: what blocks which look.

    What is solid always does, such as a building; a hill does that is higher than both ends. The `height` of
    flat ground is 0.
    """
    heights = tuple(map(height, field.cells))
    always = _mask(field, solid)

    def over(level: int) -> int:
        return always | _mask(field, (cell for cell, top in zip(field.cells, heights, strict=True) if top > level))

    return Screens(heights, tuple(over(level) for level in range(max(heights) + 1)))


class Look(Struct, frozen=True):
    """One look, judged: how much shows, and what hides the rest."""

    start: Square
    end: Square
    share: Fraction
    hidden_by: tuple[Square, ...]
    """The squares that hide some of the target, the nearest first: by how far their middles lie from the viewer's,
    and of those that are as far in the field's order."""

    @property
    def distance(self) -> int:
        """In squares, a diagonal step being one."""
        return distance(self.start, self.end)

    @property
    def clear(self) -> bool:
        """Whether the target is in sight: at least half of it shows."""
        return _enough(self.share.numerator, self.share.denominator)


def _enough(shows: int, of: int) -> bool:
    return 2 * shows >= of


class Shown(Struct, frozen=True):
    """A claim (`sight.verify`): of each target shows what its look says."""

    field: SquareField
    screens: Screens
    reading: Reading
    looks: tuple[Look, ...]

    def screening(self, look: Look) -> tuple[Square, ...]:
        """The offsets of the squares between that screen it, whether or not they hide anything."""
        mask = self.screens.between(self.field, look.start, look.end)
        columns, at = self.field.columns, self.field.index[look.start]
        return tuple(cell for cell in between(look.end - look.start) if mask >> at + cell.r * columns + cell.c & 1)


class Looks:
    """The looks of one field out to a reach, by one reading of what shows; `looks` keeps them."""

    def __init__(self, field: SquareField, reach: int, reading: Reading) -> None:
        self.field = field
        self.reach = reach
        self.reading = reading
        self._shares: dict[tuple[int, int], _Shares] = {}
        """By the offset of the target, in columns and rows."""
        self._from: dict[int, tuple[tuple[int, int, _Shares], ...]] = {}
        """From each square asked about: its targets, where the rectangle of each look begins, and the shares."""
        self._by_end: dict[int, dict[int, tuple[int, _Shares]]] = {}
        """The same by target."""

    def shares(self, screens: Screens, start: Square) -> dict[Square, Fraction]:
        """What shows of each square within reach of this one, in the field's order."""
        cells = self.field.cells
        return {cells[end]: share for end, (share, _) in self._seen(screens, self.field.index[start])}

    def in_sight(self, screens: Screens, start: Square) -> tuple[Square, ...]:
        """The squares within reach of which at least half shows, in the field's order."""
        cells = self.field.cells
        return tuple([cells[end] for end, (_, clear) in self._seen(screens, self.field.index[start]) if clear])

    def clear(self, screens: Screens, start: int, end: int) -> bool:
        """Whether at least half of a square within reach shows, both by their numbers."""
        first, shares = self._to(start)[end]
        heights = screens.heights
        return shares[screens.over[max(heights[start], heights[end])] >> first & shares.mask][1]

    def _to(self, start: int) -> dict[int, tuple[int, _Shares]]:
        if start not in self._by_end:
            row = self._from.get(start) or self._looks(start)
            self._by_end[start] = {end: (first, shares) for end, first, shares in row}
        return self._by_end[start]

    def all_clear(self, screens: Screens) -> list[tuple[int, int]]:
        """Every look that finds its target in sight, by the numbers of viewer and target."""
        return [(a, b) for a in range(len(self.field.cells)) for b, (_, clear) in self._seen(screens, a) if clear]

    def _seen(self, screens: Screens, start: int) -> list[tuple[int, tuple[Fraction, bool]]]:
        heights, over = screens.heights, screens.over
        mine = heights[start]
        return [
            (end, shares[over[height if (height := heights[end]) > mine else mine] >> first & shares.mask])
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


@lru_cache(16)  # the fields that one run meets
def looks(field: SquareField, reach: int, reading: Reading) -> Looks:
    """The looks of a field, kept for as long as the program runs."""
    return Looks(field, reach, reading)


def judge(field: SquareField, screens: Screens, reading: Reading, start: Square, end: Square) -> Look:
    """The whole story of one look; both ends must lie on the field and differ."""
    mask, view = screens.between(field, start, end), reading(end - start)
    columns, at = field.columns, field.index[start]
    hiding = [cell for cell in view.hides if mask >> at + cell.r * columns + cell.c & 1]
    hiding.sort(key=lambda cell: (cell.c**2 + cell.r**2, cell.r * columns + cell.c))
    return Look(start, end, view.share(hiding), tuple(start + cell for cell in hiding))


class _Shares(dict[int, tuple[Fraction, bool]]):
    """What shows at one offset, and whether it is enough, by the mask of what screens it."""

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
