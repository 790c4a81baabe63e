"""Every look from square to square of a field, ruled over at once: which share of each target shows.

A screen is a bit mask over the field, bit i for square i. What screens a look depends on the height of its
higher end alone, so a board is one mask for each height there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from generator.grid.squares import Square, SquareField, distance
from generator.sight.shares import HALF, Reading, View

_KEPT = 1 << 12
"""How many shares are kept for one offset; the widest views could come to thirty times as many."""


@dataclass(frozen=True)
class Screens:
    """What blocks on a board, whoever looks."""

    heights: tuple[int, ...]
    """The level of each square, in the field's order."""
    over: tuple[int, ...]
    """For each level of the higher end of a look, the mask of the squares that screen it."""

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


@dataclass(frozen=True)
class Look:
    """One look, judged: how much shows, and what hides the rest."""

    start: Square
    end: Square
    share: Fraction
    hidden_by: tuple[Square, ...]
    """The squares that hide some of the target, the nearest first."""

    @property
    def distance(self) -> int:
        """In squares, a diagonal step being one."""
        return distance(self.start, self.end)

    @property
    def clear(self) -> bool:
        """Whether the target is in sight: at least half of it shows."""
        return self.share >= HALF


class Looks:
    """The looks of one field out to a reach, by one reading of what shows; `looks` keeps them."""

    def __init__(self, field: SquareField, reach: int, reading: Reading) -> None:
        self.field = field
        self.reach = reach
        offsets: dict[Square, _Shares] = {}

        def shares(offset: Square) -> _Shares:
            if offset not in offsets:
                offsets[offset] = _Shares(field, offset, reading(offset))
            return offsets[offset]

        self._from = tuple(
            tuple((field.index[end], _first(field, start, end), shares(end - start)) for end in self._within(start))
            for start in field.cells
        )

    def shares(self, screens: Screens, start: Square) -> dict[Square, Fraction]:
        """What shows of each square within reach of this one, in the field's order."""
        cells = self.field.cells
        return {cells[end]: share for end, share, _ in self._seen(screens, self.field.index[start])}

    def in_sight(self, screens: Screens, start: Square) -> tuple[Square, ...]:
        """The squares within reach of which at least half shows, in the field's order."""
        cells = self.field.cells
        return tuple(cells[end] for end, _, clear in self._seen(screens, self.field.index[start]) if clear)

    def all_clear(self, screens: Screens) -> list[tuple[int, int]]:
        """Every look that finds its target in sight, by the numbers of viewer and target."""
        return [(a, b) for a in range(len(self._from)) for b, _, clear in self._seen(screens, a) if clear]

    def _seen(self, screens: Screens, start: int) -> Iterator[tuple[int, Fraction, bool]]:
        heights, over = screens.heights, screens.over
        mine = heights[start]
        for end, first, shares in self._from[start]:
            height = heights[end]
            share, clear = shares[over[height if height > mine else mine] >> first & shares.mask]
            yield end, share, clear

    def _within(self, start: Square) -> Iterator[Square]:
        for r in range(max(0, start.r - self.reach), min(self.field.rows, start.r + self.reach + 1)):
            for c in range(max(0, start.c - self.reach), min(self.field.columns, start.c + self.reach + 1)):
                if (end := Square(c, r)) != start:
                    yield end


@cache
def looks(field: SquareField, reach: int, reading: Reading) -> Looks:
    """The looks of a field, kept for as long as the program runs."""
    return Looks(field, reach, reading)


def judge(field: SquareField, screens: Screens, reading: Reading, start: Square, end: Square) -> Look:
    """The whole story of one look; both ends must lie on the field and differ."""
    a, b = field.index[start], field.index[end]
    mask = screens.over[max(screens.heights[a], screens.heights[b])]
    view = reading(end - start)
    hiding = [cell for cell in view.hides if mask >> field.index[start + cell] & 1]
    hiding.sort(key=lambda cell: (distance(Square(0, 0), cell), cell))
    return Look(start, end, view.share(hiding), tuple(start + cell for cell in hiding))


class _Shares(dict[int, tuple[Fraction, bool]]):
    """What shows at one offset, and whether it is enough, by the mask of what screens it."""

    def __init__(self, field: SquareField, offset: Square, view: View) -> None:
        first = _first(field, Square(0, 0), offset)
        self._view = view
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
            share = self._view.showing(hidden)
            found = self._showing[hidden] = share, share >= HALF
        if len(self) < _KEPT:
            self[screens] = found
        return found


def _first(field: SquareField, start: Square, end: Square) -> int:
    """The number of the first square of the rectangle that two squares span, counted from the field's first."""
    return min(start.r, end.r) * field.columns + min(start.c, end.c)


def _mask(field: SquareField, cells: Iterable[Square]) -> int:
    bits = 0
    for cell in cells:
        bits |= 1 << field.index[cell]
    return bits
