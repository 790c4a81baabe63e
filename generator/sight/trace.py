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
    x, y = centre(offset)
    # How far from the line a hex still meets it; two of its corners are as far where the line runs along its side.
    sideways = [x * dy - y * dx for dx, dy in CORNERS]
    wide, far = max(sideways), 3 * x * x + y * y
    along_sides = sideways.count(wide) == 2
    through, left, right, touching = list[_Met](), list[_Met](), list[_Met](), list[_Met]()
    for r in range(-1, offset.r + 2) if y else (0,):
        # Of a centre (2q + r, 3r) in this row, |3rx - (2q + r)y| <= wide; all of them on a line along the row.
        level, drift = 3 * r, 3 * r * x
        first, last = (-((wide - drift) // y), (wide + drift) // y) if y else (0, x)
        for q in range(-((r - first) // 2), (last - r) // 2 + 1):
            # Above 0 left of the line, and the farther the more; how far along it, in true hexes, which are flatter
            # than the lattice's by the square root of three.
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
"""How far along a line a hex is met, and its q and r."""


def _in_order(met: list[_Met]) -> tuple[Hex, ...]:
    return tuple(Hex(q, r) for _, q, r in sorted(met, key=_first))


def _between(end: Point, point: Point) -> bool:
    """Whether a point lies on the line from (0, 0) to that end, between the two."""
    (x, y), (px, py) = end, point
    return x * py == y * px and 0 < 3 * x * px + y * py < 3 * x * x + y * y


def _first(met: _Met) -> int:
    return met[0]


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

    @cached_property
    def fan(self) -> Fan:
        """Every offset between two cells of the field, from the lower number to the higher."""
        span = max(cell.q for cell in self.grid.cells) - min(cell.q for cell in self.grid.cells)
        rows = max(cell.r for cell in self.grid.cells) - min(cell.r for cell in self.grid.cells) + 1
        there, step = sum(1 << place for place in self.places), self.step
        beside, ways, found = self.beside, dict[tuple[int, int], int](), list[Ray]()
        for offset in (Hex(q, r) for r in range(rows) for q in range(-span if r else 1, span + 1)):
            shift = step(offset)
            if starts := there & there >> shift:
                met = trace(offset)
                through = list(map(step, met.through))
                near = tuple(cell for cell in through if cell - shift in beside)
                far, way = tuple(through[: len(through) - len(near)]), 0
                for cell in far:
                    way = ways.setdefault((way, cell), len(ways) + 1)
                left, right = tuple(map(step, met.left)), tuple(map(step, met.right))
                found.append(Ray(shift, starts, way, far, near, left, right))
        return Fan(tuple(found), tuple(ways))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Each cell's bit in a long mask, where an offset is the same number of bits everywhere.

        Long masks have a margin of a hex all around, and rows so wide that no offset reaches round into another.
        """
        corner = Hex(min(cell.q for cell in self.grid.cells) - 1, min(cell.r for cell in self.grid.cells) - 1)
        return tuple(self.step(cell - corner) for cell in self.grid.cells)

    def step(self, offset: Hex) -> int:
        """How many bits further a long mask has the cell at that offset."""
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
    def beside(self) -> frozenset[int]:
        """The steps to the hexes next to one."""
        return frozenset(map(self.step, STEPS))

    def lifting(self, masks: Sequence[int]) -> Lifting:
        """What blocks wherever no end lifts it, of a mask for each end: `off` stands in all of them or in none."""
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
        """The long mask of all that lies off the field, as far as a line can meet it."""
        high = max(cell.r for cell in self.grid.cells) - min(cell.r for cell in self.grid.cells) + 3
        return ((1 << high * self._wide) - 1) & ~sum(1 << place for place in self.places)


class Ray(NamedTuple):
    """An offset between two cells of a field, in steps of long masks."""

    shift: int
    """From start to end."""
    starts: int
    """The long mask of the cells whose end lies on the field."""
    way: int
    """The number in the fan of the way through `far`; 0 where that is empty."""
    far: tuple[int, ...]
    """From the start to each cell that the line crosses and that is not next to the end."""
    near: tuple[int, ...]
    """To those that are."""
    left: tuple[int, ...]
    right: tuple[int, ...]


class Fan(msgspec.Struct, frozen=True):
    """The rays of a field, and the ways that they have in common: most begin as another does."""

    rays: tuple[Ray, ...]
    ways: tuple[tuple[int, int], ...]
    """From number 1 on: the number of the way that is a cell shorter, and the step to its last cell."""


class Lifting(msgspec.Struct, frozen=True):
    """What blocks wherever no end lifts it."""

    whole: int
    """A long mask."""
    lifted: Mapping[int, int]
    """By the step from an end to a cell: the long mask of the ends that lift it there."""


def _bits(mask: int) -> Iterator[int]:
    """The numbers of a mask's bits, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _ahead_by(mask: int, step: int) -> int:
    """The places from which a long mask has something so many steps on."""
    return mask >> step if step >= 0 else mask << -step


@lru_cache(16)  # the shapes of boards that one run meets
def lines(grid: HexField) -> Lines:
    """The lines of a field, kept for as long as the program runs."""
    return Lines(grid)


class Screens(Struct, frozen=True):
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

    def all_clear(self) -> Clear:
        """Every pair of cells in sight of each other: all lines of an offset are judged at once."""
        of = self.lines
        either, both = of.lifting(self.either), of.lifting(self.both)
        lifted, fan = either.lifted, of.fan
        ahead = {step: _ahead_by(either.whole, step) for step in of.steps}
        for step in lifted.keys() & ahead.keys():
            ahead[step] &= ~lifted[step]

        def blocked(step: int, shift: int) -> int:
            """The starts whose lines so far the cell at that step blocks, what their ends lift left out."""
            lift = lifted.get(step - shift)
            return ahead[step] if lift is None else ahead[step] & ~(lift >> shift)

        def blocked_by_both(step: int, shift: int) -> int:
            by_both = both.lifted.get(step, 0) & both.lifted.get(step - shift, 0) >> shift
            return blocked(step, shift) | _ahead_by(both.whole, step) & ~by_both

        at = blocked_by_both if both.whole else blocked
        # An end that lifts what is next to it alone has no say in what is farther off.
        plain = not both.whole and lifted.keys() <= of.beside
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
    """The pairs of cells in sight of each other, by the offset between them; a pair's lower number is the first."""

    lines: Lines
    by_ray: tuple[tuple[Ray, int], ...]
    """Each ray with the long mask of the starts that see as far as its end."""

    def __len__(self) -> int:
        return sum(starts.bit_count() for _, starts in self.by_ray)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        number = {place: i for i, place in enumerate(self.lines.places)}
        pairs = ((number[a], number[a + ray.shift]) for ray, starts in self.by_ray for a in _bits(starts))
        return iter(sorted(pairs))


class Traced(Struct, frozen=True):
    """A claim (`sight.verify`): these lines meet what the traces of their offsets say."""

    pairs: tuple[tuple[Hex, Hex], ...]
    name: Callable[[Hex], str]


class Ruled(Struct, frozen=True):
    """A claim: the pairs in sight of each other on a board as it is ruled over are those of `Screens.all_clear`."""

    screens: Screens


class Sight(Struct, frozen=True):
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


class Crossing(Struct, frozen=True):
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
