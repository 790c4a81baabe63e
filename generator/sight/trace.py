"""Lines over hexes, by offset alone, and rulings over them.

What a straight line from centre to centre meets, by the offset between two hexes alone.

Everything stands on the whole-number lattice of `grid.hexes`: nothing is rounded. Shapely has no say here; what is
told is held against it afterwards (`sight.verify`).

Every line of a field as bit masks, so that a ruling looks a whole board up in milliseconds.

A mask has bit i for cell i of the field and one bit more, `off`, for whatever lies off the field.

What a line meets in a field of hex columns: its lattice is that of rows with its axes swapped, so the traces serve
both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from generator.grid.columns import ColumnField, Numbered
from generator.grid.columns import centre as column_centre
from generator.grid.hexes import CORNERS, Hex, HexField, Point, centre, corners, distance


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
    """The trace from Hex(0, 0) to that offset."""
    if (offset.r, offset.q) < (0, 0):
        return _reversed(trace(Hex(-offset.q, -offset.r)), offset)
    end = centre(offset)
    sideways = [_turn(end, corner) for corner in CORNERS]
    # How far from the line a hex still meets it; two of its corners are as far where the line runs along its side.
    wide = max(sideways)
    met = "along" if sideways.count(wide) == 2 else "touching"
    found: dict[str, list[tuple[int, Hex]]] = {"through": [], "left": [], "right": [], "touching": []}
    for cell in _near(offset, wide):
        along, across = _ahead(end, centre(cell)), _turn(end, centre(cell))
        if 0 < along < _ahead(end, end):
            if abs(across) < wide:
                found["through"].append((along, cell))
            elif met == "along":
                found["left" if across > 0 else "right"].append((along, cell))
        if abs(across) == wide and met == "touching" and any(_between(end, corner) for corner in corners(cell)):
            found["touching"].append((along, cell))
    return Trace(**{how: tuple(cell for _, cell in sorted(cells, key=_first)) for how, cells in found.items()})


def _near(offset: Hex, wide: int) -> Iterable[Hex]:
    """The hexes about a line into the upper half whose centres lie no farther from it than that."""
    x, y = centre(offset)
    for r in range(-1, offset.r + 2) if y else (0,):
        # Of a centre (2q + r, 3r) in this row, |3rx - (2q + r)y| <= wide; all of them on a line along the row.
        across = 3 * r * x
        first, last = (-((wide - across) // y), (wide + across) // y) if y else (0, x)
        yield from (Hex(q, r) for q in range(-((r - first) // 2), (last - r) // 2 + 1))


def _turn(end: Point, point: Point) -> int:
    """Above 0 where a point lies left of the line from (0, 0) to that end, and the farther the more."""
    return end[0] * point[1] - end[1] * point[0]


def _ahead(end: Point, point: Point) -> int:
    """How far along the line a point lies; a true hex is flatter than the lattice's by the square root of three."""
    return 3 * end[0] * point[0] + end[1] * point[1]


def _between(end: Point, point: Point) -> bool:
    """Whether a point lies on the line, between its ends."""
    return not _turn(end, point) and 0 < _ahead(end, point) < _ahead(end, end)


def _first(found: tuple[int, Hex]) -> int:
    return found[0]


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
class Traced:
    """A claim (`sight.verify`): these lines meet what the traces of their offsets say."""

    pairs: tuple[tuple[Hex, Hex], ...]
    name: Callable[[Hex], str]


@dataclass(frozen=True)
class Ruled:
    """A claim: the pairs in sight of each other on a board as it is ruled over are those of `Screens.all_clear`."""

    screens: Screens


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
    """The nearest to the start first, in hexes; on either side of a hexside the left one first."""
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
    order = sorted((*crossed, *lefts, *rights), key=lambda cell: distance(start, cell))
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


@dataclass(frozen=True)
class Crossing:
    """The hexes of a field that a line meets, ends left out, in order along it."""

    through: tuple[Numbered, ...]
    """It crosses their inside."""
    left: tuple[Numbered, ...]
    """It runs along a side of theirs, and they lie to its left."""
    right: tuple[Numbered, ...]
    """It runs along a side of theirs, and they lie to its right."""


def crossing(field: ColumnField, start: Numbered, end: Numbered) -> Crossing:
    """What the line between two hexes' centres meets."""
    home = _swapped(start)
    met = trace(_swapped(end) - home)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Numbered, ...]:
        return tuple(cell for cell in (_numbered(home + offset) for offset in cells) if cell in field)

    # The swap of axes is a reflection: what lay on the left lies on the right.
    return Crossing(on_field(met.through), on_field(met.right), on_field(met.left))


def traced(field: ColumnField, pairs: Iterable[tuple[Numbered, Numbered]]) -> Traced:
    """The claim (`sight.verify`) that lines between these hexes meet what `crossing` says."""
    return Traced(tuple((_swapped(a), _swapped(b)) for a, b in pairs), lambda cell: field.name(_numbered(cell)))


def _swapped(cell: Numbered) -> Hex:
    """The hex in rows whose lattice centre is this one's with its axes swapped."""
    x, y = column_centre(cell)
    return Hex((y - x // 3) // 2, x // 3)


def _numbered(cell: Hex) -> Numbered:
    column = cell.r + 1
    return Numbered(column, -(2 * cell.q + cell.r + (column % 2 == 0)) // 2)
