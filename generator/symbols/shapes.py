"""Geometry of drawings: outlines and hatching in mm, proportions of cells, and positions of fields on pictures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from msgspec import Struct

from generator.grid.hexes import CORNERS, Cell, Grid, Point, extent
from generator.model.picture import XY, Colour, Path, Pen
from generator.model.views import Spot
from generator.notation import toml

SIDE = 10.0
"""Length of a hexside in symbols, in mm."""
HALF = SIDE * 3**0.5 / 2
"""Distance from the centre of a symbol's hex to the middle of a hexside, in mm."""

Step = tuple[str | float, ...]
Steps = tuple[Step, ...]
Segment = tuple[Point, Point]

HEXAGON: tuple[XY, ...] = tuple((x * HALF, y * SIDE / 2) for x, y in CORNERS)
"""Corners of a symbol's hex, anticlockwise from the lower end of its east side, in mm."""


def chance(a: int, b: int, salt: int = 0) -> int:
    """Return a pseudo-random integer that depends only on the arguments."""
    n = (a * 73856093 ^ b * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    n = (n ^ n >> 13) * 1274126177 & 0xFFFFFFFF
    return n ^ n >> 16


def jitter(a: int, b: int, salt: int = 0) -> float:
    """Return a pseudo-random number from -1 to 1 that depends only on the arguments."""
    return chance(a, b, salt) % 2001 / 1000 - 1


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two colours, with the given share of the other one, from 0 to 1."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


def closed(points: Iterable[XY]) -> Steps:
    """Return the path steps of a closed polygon."""
    first, *rest = points
    return (("M", *first), *[("L", *p) for p in rest], ("Z",))


def opened(points: Iterable[XY]) -> Steps:
    """Return the path steps of an open line."""
    first, *rest = points
    return (("M", *first), *[("L", *p) for p in rest])


def strokes(segments: Iterable[Sequence[XY]], pen: Pen) -> Path:
    """Return several open lines as a single path."""
    return Path(tuple([step for points in segments for step in opened(points)]), None, pen)


def turned(point: XY, degrees: float) -> XY:
    """Return a point rotated anticlockwise around the origin."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return point[0] * c - point[1] * s, point[0] * s + point[1] * c


def moved(path: Path, x: float = 0.0, y: float = 0.0, scale: float = 1.0, turn: float = 0.0) -> Path:
    """Return a path that is scaled, rotated by `turn` degrees, and then moved.

    The width of its pen does not change.
    """
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    steps: list[tuple[str | float, ...]] = []
    for sign, *places in path.steps:
        scaled = [float(n) * scale for n in places]
        pairs = [(a * c - b * s + x, a * s + b * c + y) for a, b in zip(scaled[::2], scaled[1::2], strict=True)]
        steps.append((sign, *chain.from_iterable(pairs)))
    return Path(tuple(steps), path.fill, path.pen, path.alpha, path.even_odd)


def loops(grid: Grid, region: Iterable[Cell]) -> list[list[Point]]:
    """Return the outlines of a set of cells as rings of lattice corners, with the cells on the left.

    Cells that touch only at a corner have separate outlines. A cell may be given several times, as that of two units
    in a scenario with a fault.
    """
    sides: dict[Segment, None] = {}
    for cell in dict.fromkeys(region):
        ring = grid.corners(cell)
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            if (b, a) in sides:
                del sides[b, a]
            else:
                sides[a, b] = None
    after: dict[Point, list[Point]] = {}
    for a, b in sides:
        after.setdefault(a, []).append(b)
    found = []
    while sides:
        first, _ = sides.popitem()
        points, side = [first[0]], first
        while (side := (side[1], _leftmost(side, after[side[1]]))) != first:
            points.append(side[0])
            del sides[side]
        found.append(points)
    return found


def _leftmost(side: Segment, ends: Sequence[Point]) -> Point:
    """Return the end point for which the path turns furthest to the left."""
    (ax, ay), (bx, by) = side
    return max(ends, key=lambda p: (bx - ax) * (p[1] - by) - (by - ay) * (p[0] - bx))


def inset(ring: Sequence[XY], by: float) -> list[XY]:
    """Return an anticlockwise ring whose sides are moved inward by a distance."""
    found = []
    for i, (x, y) in enumerate(ring):
        (ax, ay), (bx, by_) = ring[i - 1], ring[(i + 1) % len(ring)]
        before, behind = math.dist((ax, ay), (x, y)), math.dist((x, y), (bx, by_))
        n = ((ay - y) / before, (x - ax) / before)
        m = ((y - by_) / behind, (bx - x) / behind)
        k = by / (1 + n[0] * m[0] + n[1] * m[1])
        found.append((x + k * (n[0] + m[0]), y + k * (n[1] + m[1])))
    return found


def rounded(ring: Sequence[XY]) -> Steps:
    """Return a closed curve that touches each side of a ring at its midpoint."""
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
    steps: list[tuple[str | float, ...]] = [("M", *middles[-1])]
    for i, (x, y) in enumerate(ring):
        (ax, ay), (bx, by) = middles[i - 1], middles[i]
        steps.append(("C", (ax + 2 * x) / 3, (ay + 2 * y) / 3, (bx + 2 * x) / 3, (by + 2 * y) / 3, bx, by))
    return (*steps, ("Z",))


def round_box(x: float, y: float, w: float, h: float, r: float, below: bool = True, above: bool = True) -> Steps:
    """Return a rectangle with round corners. `below` and `above` can disable the round corners on one side."""
    k = 0.4477 * r
    low, high = float(below), float(above)
    a, b = r * low, r * high
    ka, kb = k * low, k * high
    return (
        ("M", x + a, y),
        ("L", x + w - a, y),
        ("C", x + w - ka, y, x + w, y + ka, x + w, y + a),
        ("L", x + w, y + h - b),
        ("C", x + w, y + h - kb, x + w - kb, y + h, x + w - b, y + h),
        ("L", x + b, y + h),
        ("C", x + kb, y + h, x, y + h - kb, x, y + h - b),
        ("L", x, y + a),
        ("C", x, y + ka, x + ka, y, x + a, y),
        ("Z",),
    )


def plate(x: float, y: float, half: float, high: float) -> Steps:
    """Return a plate with semicircular ends. (x, y) is the middle of its bottom edge."""
    r = high / 2
    k, left, right = 0.5523 * r, x - half + r, x + half - r
    return (
        ("M", left, y),
        ("L", right, y),
        ("C", right + k, y, right + r, y + r - k, right + r, y + r),
        ("C", right + r, y + r + k, right + k, y + high, right, y + high),
        ("L", left, y + high),
        ("C", left - k, y + high, left - r, y + r + k, left - r, y + r),
        ("C", left - r, y + r - k, left - k, y, left, y),
        ("Z",),
    )


def hatching(outline: Sequence[XY], angle: float, pitch: float, phase: float = 0.0) -> list[tuple[XY, XY]]:
    """Return parallel lines inside a polygon, at an angle in degrees and `pitch` apart.

    At `phase` 0, one of the lines passes through the origin.
    """
    return hatched((outline,), angle, pitch, phase)


def hatched(rings: Sequence[Sequence[XY]], angle: float, pitch: float, phase: float = 0.0) -> list[tuple[XY, XY]]:
    """Return parallel lines as `hatching` does, but for a polygon with holes."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    levels = [[(x * c + y * s, y * c - x * s) for x, y in ring] for ring in rings]
    edges = [(*a, *b) for level in levels for a, b in zip((level[-1], *level), level, strict=False)]
    lines: dict[int, list[float]] = {}
    for ax, ay, bx, by in edges:
        low, high = (ay, by) if ay < by else (by, ay)
        for k in range(math.ceil((low - phase) / pitch), math.floor((high - phase) / pitch) + 1):
            y = k * pitch + phase
            if (ay <= y) != (by <= y):
                lines.setdefault(k, []).append(ax + (bx - ax) * (y - ay) / (by - ay))
    found = []
    for k, cuts in sorted(lines.items()):
        y = k * pitch + phase
        cuts.sort()
        for a, b in zip(cuts[::2], cuts[1::2], strict=True):
            if b - a > pitch / 8:
                found.append(((a * c - y * s, a * s + y * c), (b * c - y * s, b * s + y * c)))
    return found


class Anatomy(Struct, frozen=True, forbid_unknown_fields=True):
    """The proportions of a kind of cell, with lengths in cell sides."""

    exits: tuple[tuple[int, ...], ...]
    """For each direction, the two corners on either side of the exit, or the single corner that the exit passes
    through."""
    period: tuple[int, int]
    """Numbers of lattice steps across and up after which the pattern of cells repeats."""
    inner: float
    """Distance from the centre to the nearest side."""
    type_size: float
    label_size: float
    """Type sizes of names and of token labels, in points for a side of 1 mm."""
    largest: float
    """Maximum type size of names in points, except in very large cells."""
    free: float
    """Minimum length of cell sides in mm for which names are drawn."""
    token: float
    """Scale of tokens relative to symbols drawn on a hex."""
    drop: float
    """Distance of a token's centre below the centre of its cell."""
    label: float
    """Distance of the upper edge of a token's label below the centre of the cell."""
    spread: XY
    """Offset between two tokens in the same cell."""

    @property
    def squares(self) -> bool:
        """Whether the cells are squares."""
        return len(self.exits) > 6


kinds = toml.shipped_table("cells.toml", dict[str, Anatomy])
"""Returns the proportions of hexes in rows, hexes in columns, and squares, keyed by kind."""


@lru_cache(64)  # Enough for the shapes of boards on a map.
def anatomy(grid: Grid) -> Anatomy:
    """Return the proportions of the cells of a field."""
    cell = grid.cells[0]
    ring = grid.corners(cell)
    columns = "columns" if ring[0][1] == grid.centre(cell)[1] else "rows"
    return kinds()["squares" if len(ring) == 4 else columns]


Box = tuple[float, float, float, float]
NOTHING: Box = (0.0, 0.0, 0.0, 0.0)
"""No space on any side."""


class Place(Struct, frozen=True):
    """A field drawn with cells whose sides are `side` mm long, and whose lattice point (0, 0) is at (x, y).

    A turned field is seen from its far edge, so all its points are rotated by 180°.
    """

    grid: Grid
    side: float
    x: float
    y: float
    turned: bool = False

    @classmethod
    def fit(
        cls,
        grid: Grid,
        width: float,
        height: float,
        margin: float = 0.0,
        beyond: Box = NOTHING,
        turned: bool = False,
    ) -> Place:
        """Return the field with the largest cells that fit in `width` by `height` mm, including a margin.

        `beyond` is the space needed outside the field on the left, below, on the right and above, in cell sides.
        """
        left, bottom, right, top = extent(grid)
        across, up = (right - left) * grid.pitch[0], (top - bottom) * grid.pitch[1]
        across, up = across + beyond[0] + beyond[2], up + beyond[1] + beyond[3]
        side = min((width - 2 * margin) / across, (height - 2 * margin) / up)
        return cls.of(grid, side, margin, beyond, turned)

    @classmethod
    def of(cls, grid: Grid, side: float, margin: float, beyond: Box = NOTHING, turned: bool = False) -> Place:
        """Return the field with cell sides of `side` mm.

        The space `beyond` and the margin are to its left and below it.
        """
        left, bottom, right, top = extent(grid)
        first, lowest = (-right, -top) if turned else (left, bottom)
        x = margin - first * grid.pitch[0] * side + beyond[0] * side
        return cls(grid, side, x, margin - lowest * grid.pitch[1] * side + beyond[1] * side, turned)

    @property
    def scale(self) -> float:
        """The scale of symbols."""
        return self.side / SIDE

    @property
    def anatomy(self) -> Anatomy:
        """The proportions of the field's cells."""
        return anatomy(self.grid)

    def at(self, point: Spot) -> XY:
        """Return the position of a lattice point in mm."""
        step = -self.side if self.turned else self.side
        return self.x + point[0] * self.grid.pitch[0] * step, self.y + point[1] * self.grid.pitch[1] * step

    def all(self, points: Iterable[Spot]) -> list[XY]:
        """Return the positions of several lattice points in mm.

        This is faster than `at`, because a map has thousands of points.
        """
        (across, up), step = self.grid.pitch, -self.side if self.turned else self.side
        x, y = self.x, self.y
        return [(x + a * across * step, y + b * up * step) for a, b in points]

    def centre(self, cell: Cell) -> XY:
        """Return the centre of a cell in mm."""
        return self.at(self.grid.centre(cell))

    def ring(self, cell: Cell) -> tuple[XY, ...]:
        """Return the corners of a cell in mm, in anticlockwise order."""
        return tuple(self.all(self.grid.corners(cell)))

    def way(self, cell: Cell, direction: int) -> XY:
        """Return the vector from the centre of a cell to its exit in a direction, in cell sides."""
        x, y = _exit(self.grid, cell, direction)
        cx, cy = self.grid.centre(cell)
        step = -1 if self.turned else 1
        return step * (x - cx) * self.grid.pitch[0], step * (y - cy) * self.grid.pitch[1]

    def across(self, cell: Cell, direction: int) -> Cell | None:
        """Return the neighbour in a direction, or None if there is no cell."""
        x, y = _exit(self.grid, cell, direction)
        cx, cy = self.grid.centre(cell)
        return _by_centre(self.grid).get((2 * x - cx, 2 * y - cy))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells at the exits of a cell, which on squares include those at the corners."""
        found = (self.across(cell, direction) for direction in range(len(self.anatomy.exits)))
        return [other for other in found if other is not None]

    def area(self, cells: Sequence[Cell]) -> Steps:
        """Return the outlines of several cells as a single path."""
        return tuple([step for cell in cells for step in closed(self.all(self.grid.corners(cell)))])

    def size(self) -> XY:
        """Return the width and height of the field in mm."""
        left, bottom, right, top = extent(self.grid)
        return (right - left) * self.grid.pitch[0] * self.side, (top - bottom) * self.grid.pitch[1] * self.side


def _exit(grid: Grid, cell: Cell, direction: int) -> Spot:
    """Return the lattice point of the exit in a direction, which is the midpoint of a side or a corner."""
    ring = grid.corners(cell)
    corners = [ring[i] for i in anatomy(grid).exits[direction]]
    return math.fsum(x for x, _ in corners) / len(corners), math.fsum(y for _, y in corners) / len(corners)


@lru_cache(64)  # Enough for the shapes of boards on a map.
def _by_centre(grid: Grid) -> dict[Spot, Cell]:
    """Return the cells of a field, keyed by the lattice points at their centres."""
    return {grid.centre(cell): cell for cell in grid.cells}


def seed(cell: Cell) -> tuple[int, int]:
    """Return the two coordinates of a cell, which serve as a seed for pseudo-random numbers."""
    a, b = cell
    return a, b


@lru_cache(64)  # Enough for the shapes of boards on a map.
@lru_cache(64)  # Enough for the shapes of boards on a map.
def _borders(grid: Grid) -> tuple[tuple[str, Point], ...]:
    """Return each side of a field's cells once, as path steps between lattice corners."""
    steps: list[tuple[str, Point]] = []
    drawn: set[tuple[Point, Point]] = set()
    for cell in grid.cells:
        ring = grid.corners(cell)
        last: Point | None = None
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            if (b, a) in drawn:
                continue
            drawn.add((a, b))
            if last != a:
                steps.append(("M", a))
            steps.append(("L", b))
            last = b
    return tuple(steps)


@lru_cache(64)  # Enough for the maps of a print. All kits of a print use the same places.
def sides(place: Place) -> Steps:
    """Return each side of the field's cells once, as path steps in mm."""
    kinds, points = zip(*_borders(place.grid), strict=True)
    return tuple([(kind, *at) for kind, at in zip(kinds, place.all(points), strict=True)])


@lru_cache(64)  # Enough for the shapes of boards on a map.
def _outlines(grid: Grid) -> list[list[Point]]:
    """Return the outlines of a complete field."""
    return loops(grid, grid.cells)


def rim(place: Place) -> list[list[XY]]:
    """Return the outlines of the complete field in mm."""
    return [place.all(ring) for ring in _outlines(place.grid)]


def frame(place: Place) -> Steps:
    """Return the outlines of the complete field as path steps."""
    return tuple([step for ring in rim(place) for step in closed(ring)])


_BOW = 16
"""Number of straight segments in a bent line."""


def bowed(a: XY, b: XY, bend: float) -> list[XY]:
    """Return a line from a to b whose middle is `bend` mm to the left.

    The line is an arc of short segments, or straight if `bend` is 0.
    """
    if not bend:
        return [a, b]
    length = math.dist(a, b) or 1.0
    off = 2 * bend / length
    over = (a[0] + b[0]) / 2 - off * (b[1] - a[1]), (a[1] + b[1]) / 2 + off * (b[0] - a[0])
    found = []
    for i in range(_BOW + 1):
        t = i / _BOW
        p, q, r = (1 - t) ** 2, 2 * t * (1 - t), t * t
        found.append((p * a[0] + q * over[0] + r * b[0], p * a[1] + q * over[1] + r * b[1]))
    return found


def cut_back(points: list[XY], by: float) -> XY:
    """Shorten a line in place by the length `by` at its end, and return the new end point."""
    while len(points) > 2 and math.dist(points[-1], points[-2]) <= by:
        by -= math.dist(points[-1], points[-2])
        points.pop()
    (ax, ay), (bx, by_) = points[-2:]
    share = min(1.0, by / (math.dist((ax, ay), (bx, by_)) or 1.0))
    points[-1] = (bx - share * (bx - ax), by_ - share * (by_ - ay))
    return points[-1]
