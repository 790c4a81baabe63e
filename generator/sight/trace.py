"""Exact lines of sight over hexes: what a line between two centres meets, and the rulings applied to it.

Everything is computed on the whole-number lattice of `grid.hexes`; nothing is rounded. Shapely takes no part in it;
the results are verified with Shapely afterwards (`sight.verify`).
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
    """The hexes that a line from the origin meets, without its ends, as offsets in order along the line."""

    through: tuple[Hex, ...]
    """The line crosses their inside."""
    left: tuple[Hex, ...]
    """The line runs along one of their sides, and they are on its left."""
    right: tuple[Hex, ...]
    """The line runs along one of their sides, and they are on its right."""
    touching: tuple[Hex, ...]
    """The line only touches one of their corners."""


@lru_cache(16384)  # Enough for every offset of the largest board.
def trace(offset: Hex) -> Trace:
    """Return the trace from `Hex(0, 0)` to that offset."""
    if (offset.r, offset.q) < (0, 0):
        return _reversed(trace(Hex(-offset.q, -offset.r)), offset)
    x, y = centre(offset)
    # `wide` is the largest distance at which a hex still meets the line; if the line runs along a hex's side, two of
    # the hex's corners are at that distance.
    sideways = [x * dy - y * dx for dx, dy in CORNERS]
    wide, far = max(sideways), 3 * x * x + y * y
    along_sides = sideways.count(wide) == 2
    through, left, right, touching = list[_Met](), list[_Met](), list[_Met](), list[_Met]()
    for r in range(-1, offset.r + 2) if y else (0,):
        # A centre (2q + r, 3r) of this row meets the line if |3rx - (2q + r)y| <= wide. If the line runs along the
        # row, all of them do.
        level, drift = 3 * r, 3 * r * x
        first, last = (-((wide - drift) // y), (wide + drift) // y) if y else (0, x)
        for q in range(-((r - first) // 2), (last - r) // 2 + 1):
            # `across` is positive on the left of the line and grows with the distance. `along` is measured in true
            # hexes, which are flatter than those of the lattice by the square root of three.
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
"""How far along the line a hex is met, and its q and r."""


def _in_order(crossings: list[_Met]) -> tuple[Hex, ...]:
    return tuple(Hex(q, r) for _, q, r in sorted(crossings, key=_first))


def _between(end: Point, point: Point) -> bool:
    """Return whether a point is on the line from (0, 0) to `end`, strictly between the two."""
    (x, y), (px, py) = end, point
    return x * py == y * px and 0 < 3 * x * px + y * py < 3 * x * x + y * y


def _first(crossing: _Met) -> int:
    return crossing[0]


def _reversed(forth: Trace, offset: Hex) -> Trace:
    def back(cells: tuple[Hex, ...]) -> tuple[Hex, ...]:
        return tuple(cell + offset for cell in reversed(cells))

    return Trace(back(forth.through), back(forth.right), back(forth.left), back(forth.touching))


Masks = tuple[int, int, int]
"""The masks of the cells that a line crosses, has on its left and has on its right."""


class Lines:
    """Every line of one field as bit masks, so that a ruling can be applied to a whole board in milliseconds.

    A mask has bit i for cell i of the field, and one more bit, `off`, for everything off the field.
    """

    def __init__(self, grid: HexField) -> None:
        self.grid = grid
        self.off = 1 << len(grid.cells)
        self._between: dict[tuple[int, int], Masks] = {}

    def mask(self, cells: Iterable[Hex]) -> int:
        """Return the bits of these cells; the bit of a cell that is not on the field is `off`."""
        index, bits = self.grid.index, 0
        for cell in cells:
            bits |= 1 << index[cell] if cell in index else self.off
        return bits

    def cells(self, mask: int) -> tuple[Hex, ...]:
        """Return the cells of a mask, in the field's order."""
        return tuple(cell for i, cell in enumerate(self.grid.cells) if mask >> i & 1)

    def between(self, a: int, b: int) -> Masks:
        """Return the masks of the line between two cells, given their indices."""
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
        """Return the masks of the left and the right hex for each hexside that the line between two cells follows."""
        start = self.grid.cells[a]
        cells = trace(self.grid.cells[b] - start)
        return [
            (self.mask([start + left]), self.mask([start + right]))
            for left, right in zip(cells.left, cells.right, strict=True)
        ]

    @cached_property
    def fan(self) -> Fan:
        """The rays of every offset between two cells of the field, from the lower index to the higher."""
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
        """The bit of each cell in a long mask, in which an offset is the same number of bits everywhere.

        Long masks have a margin of one hex all around, and rows so wide that no offset wraps into another row.
        """
        corner = Hex(min(cell.q for cell in self.grid.cells) - 1, min(cell.r for cell in self.grid.cells) - 1)
        return tuple(self.step(cell - corner) for cell in self.grid.cells)

    def step(self, offset: Hex) -> int:
        """Return the distance in bits between a cell and the cell at that offset in a long mask."""
        return offset.r * self._wide + offset.q

    @cached_property
    def _wide(self) -> int:
        across = [cell.q for cell in self.grid.cells]
        return 2 * (max(across) - min(across)) + 3

    @cached_property
    def steps(self) -> frozenset[int]:
        """Every step from a ray's start to a cell that it meets."""
        return frozenset(step for ray in self.fan.rays for step in (*ray.far, *ray.near, *ray.left, *ray.right))

    @cached_property
    def adjacent(self) -> frozenset[int]:
        """The steps to the six neighbours of a hex."""
        return frozenset(map(self.step, STEPS))

    def lifting(self, masks: Sequence[int]) -> Lifting:
        """Return the cells that block unless an end lifts them, given a mask for each end.

        `off` must be set in all of the masks or in none of them.
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
        """The long mask of everything off the field that a line can meet."""
        high = max(cell.r for cell in self.grid.cells) - min(cell.r for cell in self.grid.cells) + 3
        return ((1 << high * self._wide) - 1) & ~sum(1 << place for place in self.places)


class Ray(NamedTuple):
    """An offset between two cells of a field, with its cells as steps of long masks."""

    shift: int
    """The step from start to end."""
    starts: int
    """The long mask of the cells from which the end is on the field."""
    way: int
    """The number of the way through `far` in the fan; 0 if `far` is empty."""
    far: tuple[int, ...]
    """The steps from the start to the cells that the line crosses and that are not next to the end."""
    near: tuple[int, ...]
    """The steps to the cells that the line crosses next to the end."""
    left: tuple[int, ...]
    right: tuple[int, ...]


class Fan(msgspec.Struct, frozen=True):
    """The rays of a field, and the ways they share: most rays begin like another one."""

    rays: tuple[Ray, ...]
    ways: tuple[tuple[int, int], ...]
    """For each way from number 1 on: the number of the way that is one cell shorter, and the step to its last
    cell."""


class Lifting(msgspec.Struct, frozen=True):
    """The cells that block unless an end of the line lifts them."""

    whole: int
    """The long mask of all of these cells."""
    lifted: Mapping[int, int]
    """By the step from an end to a cell: the long mask of the ends that lift the cell."""


def _bits(mask: int) -> Iterator[int]:
    """Yield the indices of the bits set in a mask, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _ahead_by(mask: int, step: int) -> int:
    """Return the starts from which the cell `step` bits further on is set in a long mask."""
    return mask >> step if step >= 0 else mask << -step


@lru_cache(16)  # Enough for the shapes of boards of one run.
def lines(grid: HexField) -> Lines:
    """Return the lines of a field, kept as long as the program runs."""
    return Lines(grid)


class Screens(Struct, frozen=True):
    """The cells that block on a board, as a ruling over traces.

    `either[i]` are the cells that block a line with an end in cell i if one end alone can lift a screen; `both[i]`
    are the cells that block unless both ends lift them.
    """

    lines: Lines
    either: tuple[int, ...]
    both: tuple[int, ...]
    cumulative: bool = True
    """The ruling for lines along hexsides. If True, a screen on the left and one on the right block anywhere along
    the line; if False, only when they face each other across one hexside."""

    def blocking(self, a: int, b: int) -> int:
        """Return the cells that block lines between these two."""
        return self.either[a] & self.either[b] | self.both[a] | self.both[b]

    def stops(self, a: int, b: int) -> int:
        """Return the cells that block this line, 0 if it is clear. A hex that the line crosses blocks alone."""
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
        """Return every pair of cells in sight of each other; all lines with the same offset are judged at once."""
        of = self.lines
        either, both = of.lifting(self.either), of.lifting(self.both)
        lifted, fan = either.lifted, of.fan
        ahead = {step: _ahead_by(either.whole, step) for step in of.steps}
        for step in lifted.keys() & ahead.keys():
            ahead[step] &= ~lifted[step]

        def blocked(step: int, shift: int) -> int:
            """Return the starts whose lines the cell at that step blocks, without those whose end lifts it."""
            lift = lifted.get(step - shift)
            return ahead[step] if lift is None else ahead[step] & ~(lift >> shift)

        def blocked_by_both(step: int, shift: int) -> int:
            by_both = both.lifted.get(step, 0) & both.lifted.get(step - shift, 0) >> shift
            return blocked(step, shift) | _ahead_by(both.whole, step) & ~by_both

        at = blocked_by_both if both.whole else blocked
        # An end that lifts only cells next to it does not affect cells farther away.
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
    """The pairs of cells in sight of each other, by the offset between them; the lower index comes first."""

    lines: Lines
    by_ray: tuple[tuple[Ray, int], ...]
    """Each ray with the long mask of the starts from which its end is in sight."""

    def __len__(self) -> int:
        return sum(starts.bit_count() for _, starts in self.by_ray)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        number = {place: i for i, place in enumerate(self.lines.places)}
        pairs = ((number[a], number[a + ray.shift]) for ray, starts in self.by_ray for a in _bits(starts))
        return iter(sorted(pairs))


class Traced(Struct, frozen=True):
    """A claim for `sight.verify`: these lines meet exactly the hexes in the traces of their offsets."""

    pairs: tuple[tuple[Hex, Hex], ...]
    name: Callable[[Hex], str]


class Ruled(Struct, frozen=True):
    """A claim for `sight.verify`: `Screens.all_clear` returns the pairs in sight of each other on this board."""

    screens: Screens


class Sight(Struct, frozen=True):
    """The result for one line: the hexes it meets, and the hexes that block it under the ruling."""

    start: Hex
    end: Hex
    clear: bool
    through: tuple[Hex, ...]
    left: tuple[Hex, ...]
    right: tuple[Hex, ...]
    blocked_by: tuple[Hex, ...]
    """Ordered by the distance from the start in hexes; of two hexes that share a hexside the left one comes first."""
    off_board: bool
    """Whether the line runs along the field's edge and the outside of the field helps to block it."""

    @property
    def distance(self) -> int:
        """The distance in hexes."""
        return distance(self.start, self.end)


def judge(screens: Screens, start: Hex, end: Hex) -> Sight:
    """Return the full result for one line; both ends must be on the field."""
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
    """The hexes of a field that a line meets, without its ends, in order along the line."""

    through: tuple[Numbered, ...]
    """The line crosses their inside."""
    left: tuple[Numbered, ...]
    """The line runs along one of their sides, and they are on its left."""
    right: tuple[Numbered, ...]
    """The line runs along one of their sides, and they are on its right."""


def crossing(field: ColumnField, start: Numbered, end: Numbered) -> Crossing:
    """Return the hexes that the line between two hexes' centres meets.

    The lattice of columns is that of rows with its axes exchanged, so `trace` serves both.
    """
    home = _swapped(start)
    traced = trace(_swapped(end) - home)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Numbered, ...]:
        return tuple(cell for cell in (_numbered(home + offset) for offset in cells) if cell in field)

    # Exchanging the axes is a reflection, so left and right change places.
    return Crossing(on_field(traced.through), on_field(traced.right), on_field(traced.left))


def traced(field: ColumnField, pairs: Iterable[tuple[Numbered, Numbered]]) -> Traced:
    """Return the claim for `sight.verify` that lines between these hexes meet what `crossing` returns."""
    return Traced(tuple((_swapped(a), _swapped(b)) for a, b in pairs), lambda cell: field.name(_numbered(cell)))


def _swapped(cell: Numbered) -> Hex:
    """Return the hex in rows whose lattice centre is that of this hex with its axes exchanged."""
    x, y = column_centre(cell)
    return Hex((y - x // 3) // 2, x // 3)


def _numbered(cell: Hex) -> Numbered:
    column = cell.r + 1
    return Numbered(column, -(2 * cell.q + cell.r + (column % 2 == 0)) // 2)
