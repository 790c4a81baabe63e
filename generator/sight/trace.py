"""Exact lines of sight over hexes: the hexes on a line between two centres, and the rulings applied to them.

All results are computed without rounding on the integer lattice of `grid.hexes`, and without Shapely.
`sight.verify` verifies them with Shapely afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from operator import and_, or_
from typing import NamedTuple

import msgspec
from msgspec import Struct

from generator.grid.columns import ColumnField, Numbered
from generator.grid.columns import centre as column_centre
from generator.grid.hexes import CORNERS, STEPS, Hex, HexField, Point, centre, corners, distance


class Trace(Struct, frozen=True):
    """The hexes on a line from the origin, without its ends, as offsets in order along the line."""

    through: tuple[Hex, ...]
    """The hexes whose inside the line crosses."""
    left: tuple[Hex, ...]
    """The hexes on the left that have a side along the line."""
    right: tuple[Hex, ...]
    """The hexes on the right that have a side along the line."""
    touching: tuple[Hex, ...]
    """The hexes that the line touches only at a corner."""


@lru_cache(16384)  # Enough for every offset of the largest board.
def trace(offset: Hex) -> Trace:
    """Return the trace from `Hex(0, 0)` to an offset."""
    if (offset.r, offset.q) < (0, 0):
        return _reversed(trace(Hex(-offset.q, -offset.r)), offset)
    x, y = centre(offset)
    # `wide` is the largest distance at which a hex still touches the line. If the line runs along a side of the hex,
    # two corners of the hex are at this distance.
    sideways = [x * dy - y * dx for dx, dy in CORNERS]
    wide, far = max(sideways), 3 * x * x + y * y
    along_sides = sideways.count(wide) == 2
    through, left, right, touching = list[_Met](), list[_Met](), list[_Met](), list[_Met]()
    for r in range(-1, offset.r + 2) if y else (0,):
        # A hex with the centre (2q + r, 3r) touches the line if |3rx - (2q + r)y| <= wide. If the line runs along the
        # row, this is true for all hexes of the row.
        level, drift = 3 * r, 3 * r * x
        first, last = (-((wide - drift) // y), (wide + drift) // y) if y else (0, x)
        for q in range(-((r - first) // 2), (last - r) // 2 + 1):
            # `across` is positive on the left of the line and grows with the distance. `along` is measured in regular
            # hexes. They are flatter than those of the lattice by a factor of √3.
            across, along = drift - (2 * q + r) * y, 3 * x * (2 * q + r) + y * level
            if -wide < across < wide:
                if 0 < along < far:
                    through.append((along, q, r))
            elif not along_sides:
                if any(_between((x, y), corner) for corner in corners(Hex(q, r))):
                    touching.append((along, q, r))
            elif 0 < along < far:
                (left if across > 0 else right).append((along, q, r))
    return Trace(_in_order(through), _in_order(left), _in_order(right), _in_order(touching))


_Met = tuple[int, int, int]
"""Position of a hex along the line, followed by its q and r."""


def _in_order(crossings: list[_Met]) -> tuple[Hex, ...]:
    return tuple(Hex(q, r) for _, q, r in sorted(crossings, key=_first))


def _between(end: Point, point: Point) -> bool:
    """Return whether a point is on the line from (0, 0) to `end`, but not at one of its ends."""
    (x, y), (px, py) = end, point
    return x * py == y * px and 0 < 3 * x * px + y * py < 3 * x * x + y * y


def _first(crossing: _Met) -> int:
    return crossing[0]


def _reversed(forth: Trace, offset: Hex) -> Trace:
    def back(cells: tuple[Hex, ...]) -> tuple[Hex, ...]:
        return tuple(cell + offset for cell in reversed(cells))

    return Trace(back(forth.through), back(forth.right), back(forth.left), back(forth.touching))


Masks = tuple[int, int, int]
"""Masks of the cells that a line crosses, has on its left and has on its right."""


class Lines:
    """All lines of a field as bit masks, with which a ruling can be applied to a whole board in milliseconds.

    In a mask, bit i is cell i of the field. An additional bit, `off`, represents everything off the field.
    """

    def __init__(self, grid: HexField) -> None:
        self.grid = grid
        self.off = 1 << len(grid.cells)
        self._between: dict[tuple[int, int], Masks] = {}

    def mask(self, cells: Iterable[Hex]) -> int:
        """Return the mask of these cells. Cells off the field are represented by the bit `off`."""
        index, bits = self.grid.index, 0
        for cell in cells:
            bits |= 1 << index[cell] if cell in index else self.off
        return bits

    def cells(self, mask: int) -> tuple[Hex, ...]:
        """Return the cells of a mask, in the field's order."""
        return tuple(cell for i, cell in enumerate(self.grid.cells) if mask >> i & 1)

    def between(self, a: int, b: int) -> Masks:
        """Return the masks of the line between two cells, which are given by their indices."""
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
        """Return the masks of the left and right hex for each hexside along which a line between two cells runs."""
        start = self.grid.cells[a]
        cells = trace(self.grid.cells[b] - start)
        return [
            (self.mask([start + left]), self.mask([start + right]))
            for left, right in zip(cells.left, cells.right, strict=True)
        ]

    @cached_property
    def fan(self) -> Fan:
        """The rays for all offsets between two cells of the field, from the lower to the higher index."""
        span = max(cell.q for cell in self.grid.cells) - min(cell.q for cell in self.grid.cells)
        rows = max(cell.r for cell in self.grid.cells) - min(cell.r for cell in self.grid.cells) + 1
        there, step = sum(1 << place for place in self.places), self.step
        adjacent, ways, found = self.adjacent, dict[tuple[int, int], int](), list[Ray]()
        for offset in (Hex(q, r) for r in range(rows) for q in range(-span if r else 1, span + 1)):
            shift = step(offset)
            if starts := there & there >> shift:
                cells = trace(offset)
                through = list(map(step, cells.through))
                near = tuple(cell for cell in through if cell - shift in adjacent)
                far, way = tuple(through[: len(through) - len(near)]), 0
                for cell in far:
                    way = ways.setdefault((way, cell), len(ways) + 1)
                left, right = tuple(map(step, cells.left)), tuple(map(step, cells.right))
                found.append(Ray(shift, starts, way, far, near, left, right))
        return Fan(tuple(found), tuple(ways))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The bit of each cell in a long mask.

        In long masks, an offset is always the same number of bits. They have a margin of one hex on all sides, and
        rows so wide that no offset wraps around to another row.
        """
        corner = Hex(min(cell.q for cell in self.grid.cells) - 1, min(cell.r for cell in self.grid.cells) - 1)
        return tuple(self.step(cell - corner) for cell in self.grid.cells)

    def step(self, offset: Hex) -> int:
        """Return the distance in bits between a cell and the cell at an offset from it, in a long mask."""
        return offset.r * self._wide + offset.q

    @cached_property
    def _wide(self) -> int:
        across = [cell.q for cell in self.grid.cells]
        return 2 * (max(across) - min(across)) + 3

    @cached_property
    def steps(self) -> frozenset[int]:
        """The steps from the start of a ray to all cells that a ray touches."""
        return frozenset(step for ray in self.fan.rays for step in (*ray.far, *ray.near, *ray.left, *ray.right))

    @cached_property
    def adjacent(self) -> frozenset[int]:
        """The steps from a hex to its six neighbours."""
        return frozenset(map(self.step, STEPS))

    def lifting(self, masks: Sequence[int]) -> Lifting:
        """Return the cells that block a line unless one of its ends lifts the block, given a mask for each end.

        `off` must be set either in all of these masks or in none.
        """
        whole = reduce(or_, masks, 0)
        lifted: dict[int, int] = {}
        for end, mask in enumerate(masks):
            for cell in _bits(whole & ~mask):
                step = self.places[cell] - self.places[end]
                lifted[step] = lifted.get(step, 0) | 1 << self.places[end]
        long = sum(1 << self.places[cell] for cell in _bits(whole & ~self.off))
        return Lifting(long | (self._margin if whole & self.off else 0), lifted)

    @cached_property
    def _margin(self) -> int:
        """The long mask of everything off the field that a line can touch."""
        high = max(cell.r for cell in self.grid.cells) - min(cell.r for cell in self.grid.cells) + 3
        return ((1 << high * self._wide) - 1) & ~sum(1 << place for place in self.places)


class Ray(NamedTuple):
    """An offset between two cells of a field, with the cells on the line represented as steps in long masks."""

    shift: int
    """The step from start to end."""
    starts: int
    """The cells from which the end is on the field, as a long mask."""
    way: int
    """The number of the way that consists of the cells `far`, or 0 if `far` is empty."""
    far: tuple[int, ...]
    """The steps from the start to the cells that the line crosses, without cells next to the end."""
    near: tuple[int, ...]
    """The steps from the start to the cells next to the end that the line crosses."""
    left: tuple[int, ...]
    right: tuple[int, ...]


class Fan(msgspec.Struct, frozen=True):
    """The rays of a field, and the beginnings that rays have in common, which are called ways."""

    rays: tuple[Ray, ...]
    ways: tuple[tuple[int, int], ...]
    """The ways from number 1 on. A way is a sequence of cells on a ray. It is given by the number of the way that is
    one cell shorter, and the step to its last cell."""


class Lifting(msgspec.Struct, frozen=True):
    """The cells that block a line unless the terrain at one of its ends lifts the block."""

    whole: int
    """All these cells, as a long mask."""
    lifted: Mapping[int, int]
    """The ends that lift a cell, as long masks, keyed by the step from the end to the cell."""


def _bits(mask: int) -> Iterator[int]:
    """Yield the indices of the bits that are set in a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _ahead_by(mask: int, step: int) -> int:
    """Return the starting cells for which the cell `step` bits further on is set in a long mask."""
    return mask >> step if step >= 0 else mask << -step


@lru_cache(16)  # Enough for the shapes of boards of one run.
def lines(grid: HexField) -> Lines:
    """Return the lines of a field. They are cached as long as the program runs."""
    return Lines(grid)


class Screens(Struct, frozen=True):
    """The blocking cells of a board, as a ruling that is applied to traces.

    `either[i]` are the cells that block a line with an end in cell i if a single end can lift them. `both[i]` are
    the cells that block unless both ends lift them.
    """

    lines: Lines
    either: tuple[int, ...]
    both: tuple[int, ...]
    cumulative: bool = True
    """The ruling for lines along hexsides. If it is True, a blocking hex on the left and one on the right block the
    line wherever they are along it. If it is False, they block only if they are on either side of the same
    hexside."""

    def blocking(self, a: int, b: int) -> int:
        """Return the mask of the cells that can block a line between two cells."""
        return self.either[a] & self.either[b] | self.both[a] | self.both[b]

    def stops(self, a: int, b: int) -> int:
        """Return the mask of the cells that block a line, or 0 if the line is clear.

        A single hex blocks if the line crosses it. Hexes along the line block only in pairs, as defined by
        `cumulative`.
        """
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

    def all_clear(self) -> Clear:
        """Return all pairs of cells that are in sight of each other.

        All lines with the same offset are tested at once.
        """
        of = self.lines
        either, both = of.lifting(self.either), of.lifting(self.both)
        lifted, fan = either.lifted, of.fan
        ahead = {step: _ahead_by(either.whole, step) for step in of.steps}
        for step in lifted.keys() & ahead.keys():
            ahead[step] &= ~lifted[step]

        def blocked(step: int, shift: int) -> int:
            """Return the starting cells whose lines the cell at a step blocks, unless the end lifts it."""
            lift = lifted.get(step - shift)
            return ahead[step] if lift is None else ahead[step] & ~(lift >> shift)

        def blocked_by_both(step: int, shift: int) -> int:
            by_both = both.lifted.get(step, 0) & both.lifted.get(step - shift, 0) >> shift
            return blocked(step, shift) | _ahead_by(both.whole, step) & ~by_both

        at = blocked_by_both if both.whole else blocked
        # If an end can lift only adjacent cells, cells farther away are not affected.
        plain = not both.whole and lifted.keys() <= of.adjacent
        stops = [0]
        for shorter, step in fan.ways if plain else ():
            stops.append(stops[shorter] | ahead[step])
        found = []
        for ray in fan.rays:
            shift, starts, way, far, near, left, right = ray
            stop = stops[way] if plain else reduce(or_, (at(step, shift) for step in far), 0)
            for step in near:
                stop |= at(step, shift)
            if left:
                lefts, rights = ([at(step, shift) for step in side] for side in (left, right))
                if self.cumulative:
                    stop |= reduce(or_, lefts) & reduce(or_, rights)
                else:
                    stop = reduce(or_, map(and_, lefts, rights), stop)
            found.append((ray, starts & ~stop))
        return Clear(of, tuple(found))


class Clear(Struct, frozen=True):
    """The pairs of cells in sight of each other, grouped by offset. In each pair the lower index comes first."""

    lines: Lines
    by_ray: tuple[tuple[Ray, int], ...]
    """Each ray, with the long mask of the starting cells from which its end is in sight."""

    def __len__(self) -> int:
        return sum(starts.bit_count() for _, starts in self.by_ray)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        number = {place: i for i, place in enumerate(self.lines.places)}
        pairs = ((number[a], number[a + ray.shift]) for ray, starts in self.by_ray for a in _bits(starts))
        return iter(sorted(pairs))


class Traced(Struct, frozen=True):
    """A claim for `sight.verify` that lines touch exactly the hexes in the traces of their offsets."""

    pairs: tuple[tuple[Hex, Hex], ...]
    name: Callable[[Hex], str]


class Ruled(Struct, frozen=True):
    """A claim for `sight.verify` that `Screens.all_clear` returns the pairs in sight of each other on a board."""

    screens: Screens


class Sight(Struct, frozen=True):
    """The result for one line of sight: the hexes on the line, and the hexes that block it under the ruling."""

    start: Hex
    end: Hex
    clear: bool
    through: tuple[Hex, ...]
    left: tuple[Hex, ...]
    right: tuple[Hex, ...]
    blocked_by: tuple[Hex, ...]
    """The blocking hexes in order of distance from the start. If two hexes share a hexside, the left one comes
    first."""
    off_board: bool
    """Whether the line runs along the edge of the field and the area outside the field helps to block it."""

    @property
    def distance(self) -> int:
        """Distance in hexes."""
        return distance(self.start, self.end)


def judge(screens: Screens, start: Hex, end: Hex) -> Sight:
    """Return the full result for one line of sight. Both ends must be on the field."""
    of = screens.lines
    a, b = of.grid.index[start], of.grid.index[end]
    blocked = screens.stops(a, b)
    traced = trace(end - start)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Hex, ...]:
        return tuple(start + cell for cell in cells if start + cell in of.grid)

    crossed, lefts, rights = on_field(traced.through), on_field(traced.left), on_field(traced.right)
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


class Crossing(Struct, frozen=True):
    """The hexes of a field on a line, without its ends, in order along the line."""

    through: tuple[Numbered, ...]
    """The hexes whose inside the line crosses."""
    left: tuple[Numbered, ...]
    """The hexes on the left that have a side along the line."""
    right: tuple[Numbered, ...]
    """The hexes on the right that have a side along the line."""


def crossing(field: ColumnField, start: Numbered, end: Numbered) -> Crossing:
    """Return the hexes on the line between the centres of two hexes.

    The lattice of hexes in columns equals that of hexes in rows with its axes exchanged. Therefore `trace` works
    for both.
    """
    home = _swapped(start)
    traced = trace(_swapped(end) - home)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Numbered, ...]:
        return tuple(cell for cell in (_numbered(home + offset) for offset in cells) if cell in field)

    # Exchanging the axes is a reflection, so left and right are exchanged too.
    return Crossing(on_field(traced.through), on_field(traced.right), on_field(traced.left))


def traced(field: ColumnField, pairs: Iterable[tuple[Numbered, Numbered]]) -> Traced:
    """Return the claim for `sight.verify` that the lines between these hexes touch the hexes of `crossing`."""
    return Traced(tuple((_swapped(a), _swapped(b)) for a, b in pairs), lambda cell: field.name(_numbered(cell)))


def _swapped(cell: Numbered) -> Hex:
    """Return the hex in rows whose centre on the lattice is that of a hex in columns with its axes exchanged."""
    x, y = column_centre(cell)
    return Hex((y - x // 3) // 2, x // 3)


def _numbered(cell: Hex) -> Numbered:
    column = cell.r + 1
    return Numbered(column, -(2 * cell.q + cell.r + (column % 2 == 0)) // 2)
