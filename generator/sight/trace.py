"""Lines over hexes, by offset alone, and rulings over them.

What a straight line from centre to centre meets, by the offset between two hexes alone.

Everything stands on the whole-number lattice of `grid.hexes`, where Shapely's predicates are exact.

Every line of a field as bit masks, so that a ruling looks a whole board up in milliseconds.

A mask has bit i for cell i of the field and one bit more, `off`, for whatever lies off the field.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import shapely

from generator.grid.field import HexField
from generator.grid.hexes import Hex, centre, corners, distance

_THROUGH = "T********"
_ALONG = "F1*******"
_TOUCHING = "F0*******"


@dataclass(frozen=True)
class Trace:
    """The hexes, ends left out, that a line from the origin hex meets, as offsets in order along it."""

    through: tuple[Hex, ...]
    """It crosses their inside."""
    left: tuple[Hex, ...]
    """It runs along a side of theirs, and they lie to its left."""
    right: tuple[Hex, ...]
    """It runs along a side of theirs, and they lie to its right."""
    touching: tuple[Hex, ...]
    """It only touches a corner of theirs."""


@lru_cache(16384)  # every offset of the largest board
def trace(offset: Hex) -> Trace:
    """The trace from Hex(0, 0) to that offset (lattice geometry, no epsilon)."""
    if (offset.r, offset.q) < (0, 0):
        return _reversed(trace(Hex(-offset.q, -offset.r)), offset)
    x, y = centre(offset)
    ends = (Hex(0, 0), offset)
    # A hex can meet the line only where their bounding boxes meet.
    near = [
        cell
        for r in range(min(0, offset.r) - 1, max(0, offset.r) + 2)
        for q in range((min(0, x) - 1 - r) // 2, (max(0, x) + 1 - r) // 2 + 1)
        if (cell := Hex(q, r)) not in ends
    ]
    # By their shadows on the line; a true hex is flatter than the lattice's by the square root of three.
    near.sort(key=lambda cell: 3 * centre(cell)[0] * x + centre(cell)[1] * y)
    segment = shapely.linestrings([(0, 0), (x, y)])
    shapely.prepare(segment)
    hexes = shapely.polygons([corners(cell) for cell in near])

    def meeting(pattern: str) -> list[Hex]:
        return [c for c, met in zip(near, shapely.relate_pattern(segment, hexes, pattern), strict=True) if met]

    along = meeting(_ALONG)
    return Trace(
        tuple(meeting(_THROUGH)),
        tuple(c for c in along if x * centre(c)[1] > y * centre(c)[0]),
        tuple(c for c in along if x * centre(c)[1] < y * centre(c)[0]),
        tuple(meeting(_TOUCHING)),
    )


def _reversed(forth: Trace, offset: Hex) -> Trace:
    def back(cells: tuple[Hex, ...]) -> tuple[Hex, ...]:
        return tuple(cell + offset for cell in reversed(cells))

    return Trace(back(forth.through), back(forth.right), back(forth.left), back(forth.touching))


Masks = tuple[int, int, int]
"""Through, left and right of a line."""


class Lines:
    """The masks of every line of one field."""

    def __init__(self, grid: HexField) -> None:
        self.grid = grid
        self.off = 1 << len(grid.cells)
        self._between: dict[tuple[int, int], Masks] = {}

    def mask(self, cells: Iterable[Hex]) -> int:
        """The bits of these cells; `off` for one that is not on the field."""
        index, bits = self.grid.index, 0
        for cell in cells:
            bits |= 1 << index[cell] if cell in index else self.off
        return bits

    def cells(self, mask: int) -> tuple[Hex, ...]:
        """The cells of a mask, in the field's order."""
        return tuple(cell for i, cell in enumerate(self.grid.cells) if mask >> i & 1)

    def between(self, a: int, b: int) -> Masks:
        """The masks of the line between two cells, by their numbers."""
        found = self._between.get((a, b))
        if found is None:
            start, end = self.grid.cells[a], self.grid.cells[b]
            line = trace(end - start)
            through, left, right = (
                self.mask(start + cell for cell in part) for part in (line.through, line.left, line.right)
            )
            found = self._between[a, b] = (through, left, right)
            self._between[b, a] = (through, right, left)
        return found

    def facing(self, a: int, b: int) -> list[tuple[int, int]]:
        """For each hexside a line runs along, the masks of the hex on its left and of that on its right."""
        start = self.grid.cells[a]
        met = trace(self.grid.cells[b] - start)
        return [
            (self.mask([start + left]), self.mask([start + right]))
            for left, right in zip(met.left, met.right, strict=True)
        ]

    def table(self) -> tuple[tuple[Masks, ...], ...]:
        """For each cell, the masks to each cell of a higher number."""
        return _table(self)


@lru_cache(16)  # the shapes of boards that one run meets
def lines(grid: HexField) -> Lines:
    """The lines of a field, kept for as long as the program runs."""
    return Lines(grid)


@lru_cache(16)  # as above
def _table(of: Lines) -> tuple[tuple[Masks, ...], ...]:
    count = len(of.grid.cells)
    return tuple(tuple(of.between(a, b) for b in range(a + 1, count)) for a in range(count))


@dataclass(frozen=True)
class Screens:
    """What blocks on a board, as a ruling over traces.

    `either[i]` are the cells that block a line as far as its end in cell i decides, where one end alone
    can lift a screen; `both[i]` those that both ends must lift together.
    """

    lines: Lines
    either: tuple[int, ...]
    both: tuple[int, ...]
    cumulative: bool = True
    """Along hexsides: whether a screen on the left and one on the right block wherever along the line they
    stand; otherwise only where they face each other across one hexside."""

    def blocking(self, a: int, b: int) -> int:
        """The cells that block lines between these two."""
        return self.either[a] & self.either[b] | self.both[a] | self.both[b]

    def stops(self, a: int, b: int) -> int:
        """The cells that block this line; none where it is clear. A hex that is crossed blocks alone."""
        through, left, right = self.lines.between(a, b)
        screen = self.blocking(a, b)
        stops = through & screen
        if left & screen and right & screen:
            if self.cumulative:
                stops |= (left | right) & screen
            else:
                for facing in self.lines.facing(a, b):
                    if all(cell & screen for cell in facing):
                        stops |= facing[0] | facing[1]
        return stops

    def all_clear(self) -> list[tuple[int, int]]:
        """Every pair of cells in sight of each other, lower number first."""
        found: list[tuple[int, int]] = []
        add = found.append
        either, both = self.either, self.both
        for a, row in enumerate(self.lines.table()):
            mine, ours = either[a], both[a]
            b = a
            for through, left, right in row:
                b += 1
                screen = mine & either[b] | ours | both[b]
                if through & screen:
                    continue
                if left & screen and right & screen and (self.cumulative or self.stops(a, b)):
                    continue
                add((a, b))
        return found


@dataclass(frozen=True)
class Sight:
    """One line, judged: what it meets, and what blocks it by which ruling."""

    start: Hex
    end: Hex
    clear: bool
    through: tuple[Hex, ...]
    left: tuple[Hex, ...]
    right: tuple[Hex, ...]
    blocked_by: tuple[Hex, ...]
    off_board: bool
    """The line runs along the field's edge, and what lies off the field helps to block it."""

    @property
    def distance(self) -> int:
        """In hexes."""
        return distance(self.start, self.end)


def judge(screens: Screens, start: Hex, end: Hex) -> Sight:
    """The whole story of one line; both ends must lie on the field."""
    of = screens.lines
    a, b = of.grid.index[start], of.grid.index[end]
    blocked = screens.stops(a, b)
    met = trace(end - start)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Hex, ...]:
        return tuple(start + cell for cell in cells if start + cell in of.grid)

    crossed, lefts, rights = on_field(met.through), on_field(met.left), on_field(met.right)
    stops = set(of.cells(blocked))
    order = sorted((*crossed, *lefts, *rights), key=lambda cell: (distance(start, cell), cell))
    return Sight(
        start,
        end,
        not blocked,
        crossed,
        lefts,
        rights,
        tuple(cell for cell in order if cell in stops),
        bool(blocked & of.off),
    )
