"""Geometry that the drawings share: cells in millimetres, outlines of regions, hatching."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from generator.grid.grid import Cell, Grid, Point
from generator.grid.hexes import CORNERS
from generator.model.picture import XY, Path, Pen

SIDE = 10.0
"""The hexside, in mm, for which symbols are drawn."""
HALF = SIDE * 3**0.5 / 2
"""From the centre of such a hex to the middle of a hexside."""

Steps = tuple[tuple[str | float, ...], ...]
Segment = tuple[Point, Point]

HEXAGON: tuple[XY, ...] = tuple((x * HALF, y * SIDE / 2) for x, y in CORNERS)
"""The corners of the symbols' hex, anticlockwise from the lower end of its east side."""


def chance(a: int, b: int, salt: int = 0) -> int:
    """A whole number that looks random and always belongs to the same place."""
    n = (a * 73856093 ^ b * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    n = (n ^ n >> 13) * 1274126177 & 0xFFFFFFFF
    return n ^ n >> 16


def jitter(a: int, b: int, salt: int = 0) -> float:
    """A number from -1 to 1 that belongs to a place."""
    return chance(a, b, salt) % 2001 / 1000 - 1


def closed(points: Iterable[XY]) -> Steps:
    """The steps of a closed polygon."""
    first, *rest = points
    return (("M", *first), *(("L", *p) for p in rest), ("Z",))


def opened(points: Iterable[XY]) -> Steps:
    """The steps of an open line."""
    first, *rest = points
    return (("M", *first), *(("L", *p) for p in rest))


def strokes(segments: Iterable[Sequence[XY]], pen: Pen) -> Path:
    """Many open lines as one path."""
    return Path(tuple(step for points in segments for step in opened(points)), None, pen)


def turned(point: XY, degrees: float) -> XY:
    """A point turned anticlockwise round the origin."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return point[0] * c - point[1] * s, point[0] * s + point[1] * c


def moved(path: Path, x: float = 0.0, y: float = 0.0, scale: float = 1.0, turn: float = 0.0) -> Path:
    """The path scaled, turned (degrees), then moved; its pen keeps its width."""

    def step(one: tuple[str | float, ...]) -> Iterator[str | float]:
        yield one[0]
        numbers = [float(n) for n in one[1:]]
        for i in range(0, len(numbers), 2):
            a, b = turned((numbers[i] * scale, numbers[i + 1] * scale), turn)
            yield a + x
            yield b + y

    return Path(tuple(tuple(step(s)) for s in path.steps), path.fill, path.pen, path.alpha, path.even_odd)


def loops(grid: Grid, region: Iterable[Cell]) -> list[list[Point]]:
    """The outlines of a set of cells as rings of lattice corners, the region to the left.

    Cells that touch at a corner alone have outlines of their own.
    """
    sides: dict[Segment, None] = {}
    for cell in region:
        ring = grid.corners(cell)
        for i, a in enumerate(ring):
            b = ring[(i + 1) % len(ring)]
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
    """Where the way goes on that turns most to the left."""
    (ax, ay), (bx, by) = side
    return max(ends, key=lambda p: (bx - ax) * (p[1] - by) - (by - ay) * (p[0] - bx))


def inset(ring: Sequence[XY], by: float) -> list[XY]:
    """An anticlockwise ring moved inward by that distance, corner by corner."""
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
    """A closed curve that touches every side of the ring in its middle."""
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
    steps: list[tuple[str | float, ...]] = [("M", *middles[-1])]
    for i, (x, y) in enumerate(ring):
        (ax, ay), (bx, by) = middles[i - 1], middles[i]
        steps.append(("C", (ax + 2 * x) / 3, (ay + 2 * y) / 3, (bx + 2 * x) / 3, (by + 2 * y) / 3, bx, by))
    return (*steps, ("Z",))


def round_box(x: float, y: float, w: float, h: float, r: float, below: bool = True, above: bool = True) -> Steps:
    """A rectangle with round corners, or with round ones only above or below."""
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
    """A plate with round ends, from the middle of its foot."""
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
    """Parallel lines at an angle (degrees) inside a polygon; one of them would pass through the origin."""
    return hatched((outline,), angle, pitch, phase)


def hatched(rings: Sequence[Sequence[XY]], angle: float, pitch: float, phase: float = 0.0) -> list[tuple[XY, XY]]:
    """The same inside a polygon with holes."""
    levels = [[turned(p, -angle) for p in ring] for ring in rings]
    low, high = min(y for level in levels for _, y in level), max(y for level in levels for _, y in level)
    found = []
    for k in range(math.ceil((low - phase) / pitch), math.floor((high - phase) / pitch) + 1):
        y = k * pitch + phase
        cuts = []
        for level in levels:
            for i, (bx, by) in enumerate(level):
                ax, ay = level[i - 1]
                if (ay <= y) != (by <= y):
                    cuts.append(ax + (bx - ax) * (y - ay) / (by - ay))
        cuts.sort()
        for a, b in zip(cuts[::2], cuts[1::2], strict=True):
            if b - a > pitch / 8:
                found.append((turned((a, y), angle), turned((b, y), angle)))
    return found
