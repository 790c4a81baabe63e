"""Draw what lies on the ground: areas, buildings, tracks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, circle, line, polygon
from generator.model.views import Area, Track
from generator.symbols.shapes import (
    Box,
    Place,
    Step,
    chance,
    closed,
    hatched,
    inset,
    sides,
    strokes,
)
from generator.symbols.theme import AreaLook, Palette, TrackLook

_BEVEL = 0.11
"""How wide the slopes of a roof are, in sides of a cell."""
_CAST = (0.1, -0.1)
"""Where a building's shadow falls, in the same: the light comes from the north-west."""
_JOINTS = 4.0
"""The sides of cells are drawn on over roofs where they are at least so many mm long."""
_SHORT = 0.42
"""How far from the middle of its last cell an arrow ends, in inner radii, so that a token does not hide it."""


def shadows(place: Place, shapes: Sequence[Area], c: Palette) -> list[Item]:
    """What buildings throw on the ground, no darker where two fall; nothing where they are drawn in one tone."""
    if c.fill == c.light:
        return []
    dx, dy = (n * place.side for n in _CAST)
    steps: list[Step] = []
    for shape in shapes:
        for i, ring in enumerate(shape.rings):
            outward = _outward([(x + dx, y + dy) for x, y in map(place.at, ring)])
            steps += closed(outward[::-1] if i else outward)
    return [Path(tuple(steps), c.line, None, _SHADOW)]


_SHADOW, _GRAIN, _SLOPE, _JOINT = 0.28, 0.35, 0.8, 0.4
"""How strongly a shadow, a roof's grain, its slopes and the sides of the cells below it are seen."""


def areas(place: Place, shapes: Sequence[Area], look: AreaLook, c: Palette) -> list[Item]:
    """Roofs with their courts, a part of all after the other, as none reaches over another.

    Their slopes are lit from the north-west, the sides of the cells below them show, neighbours differ in colour.
    """
    side = place.side
    roofs: dict[str, list[Step]] = {}
    slopes: dict[str, list[Step]] = {}
    outlines, grain, joints = list[Step](), list[tuple[XY, XY]](), list[tuple[XY, XY]]()
    colours = (c.fill, c.fill, c.tint)
    for shape in shapes:
        rings = [tuple(place.at(point) for point in ring) for ring in shape.rings]
        steps = [step for ring in rings for step in closed(ring)]
        roofs.setdefault(colours[chance(*(round(6 * n) for n in shape.rings[0][0])) % len(colours)], []).extend(steps)
        outlines += steps
        grain += hatched(rings, look.hatch, look.pitch * side)
        for i, ring in enumerate(rings):
            for tone, corners in _slopes(_outward(ring), i > 0, _BEVEL * side):
                slopes.setdefault((c.dark, c.light)[tone], []).extend(closed(corners))
        joints += _joints(place, rings) if side >= _JOINTS else ()
    items: list[Item] = [Path(tuple(of), fill, None, look.alpha, even_odd=True) for fill, of in roofs.items()]
    seen = _GRAIN if c.fill != c.light else 1.0
    items.append(Path(strokes(grain, Pen(c.dark)).steps, None, Pen(c.dark, max(0.02 * side, 0.1)), seen))
    items += [Path(tuple(of), tone, None, _SLOPE) for tone, of in slopes.items()]
    if joints:
        items.append(Path(strokes(joints, Pen(c.light)).steps, None, Pen(c.light, 0.02 * side), _JOINT))
    return [*items, Path(tuple(outlines), None, Pen(c.line, max(0.055 * side, 0.25)))]


def _slopes(ring: tuple[XY, ...], court: bool, wide: float) -> Iterator[tuple[bool, tuple[XY, ...]]]:
    """The slopes inside an outline, or round a court, and whether each is lit; none where the roof is too narrow."""
    if len(ring) < 3:
        return
    if court:
        ring = tuple(reversed(ring))
    for by in (wide, wide / 2):
        inner = inset(ring, by)
        sides = list(zip(pairwise((*ring, ring[0])), pairwise((*inner, inner[0])), strict=True))
        if all((b[0] - a[0]) * (q[0] - p[0]) + (b[1] - a[1]) * (q[1] - p[1]) > 0 for (a, b), (p, q) in sides):
            break
    else:
        return
    for (a, b), (p, q) in sides:
        # To the right of a side lies what is outside.
        facing = (b[1] - a[1]) * _CAST[0] + (a[0] - b[0]) * _CAST[1]
        yield facing < 0, (a, b, q, p)


def _joints(place: Place, rings: Sequence[Sequence[XY]]) -> Iterator[tuple[XY, XY]]:
    """The parts of cells' sides that lie on a building."""
    xs, ys = zip(*rings[0], strict=True)
    left, bottom, right, top = min(xs), min(ys), max(xs), max(ys)
    edges = [pair for ring in rings for pair in pairwise((*ring, ring[0]))]
    for a, b, (west, south, east, north) in _sides_of(place):
        if east < left or west > right or north < bottom or south > top:
            continue
        cuts = sorted({0.0, 1.0, *(t for edge in edges if (t := _cut(a, b, *edge)) is not None)})
        for low, high in pairwise(cuts):
            p, q = ((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in (low, high))
            if covers(rings, ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)):
                yield p, q


def _cut(a: XY, b: XY, c: XY, d: XY) -> float | None:
    """Where the way from a to b crosses that from c to d, in shares of it."""
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if abs(across) < 1e-12:
        return None
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    return t if 0 < t < 1 and 0 <= u <= 1 else None


@lru_cache(8)  # the roofs of a map
def _sides_of(place: Place) -> tuple[tuple[XY, XY, Box], ...]:
    """Every side of the field's cells once, with the box around it."""
    found: list[tuple[XY, XY, Box]] = []
    last: XY = (0.0, 0.0)
    for step in sides(place):
        x, y = here = float(step[1]), float(step[2])
        if step[0] == "L":
            found.append((last, here, (min(x, last[0]), min(y, last[1]), max(x, last[0]), max(y, last[1]))))
        last = here
    return tuple(found)


def _outward(ring: Sequence[XY]) -> tuple[XY, ...]:
    """The ring anticlockwise, without points that stand on one another or on a straight line."""
    if sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) < 0:
        ring = tuple(reversed(ring))
    return tuple(p for i, p in enumerate(ring) if _turns(ring[i - 1], p, ring[(i + 1) % len(ring)]))


def _turns(a: XY, b: XY, c: XY) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-9


def covers(rings: Sequence[Sequence[XY]], point: XY) -> bool:
    """Whether a point lies inside, holes left out."""
    x, y = point
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip((ring[-1], *ring), ring, strict=False):
            if (ay <= y) != (by <= y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                inside = not inside
    return inside


def track(place: Place, way: Track, look: TrackLook, c: Palette) -> list[Item]:
    """A way from middle to middle with an arrowhead; one that leads nowhere is a ring.

    A cell that stands twice in a row, as a person's file may have it, is one step.
    """
    unit = 2 * place.anatomy.inner * place.side
    points = walked(place, way)
    width = max(look.width * unit, 0.2)
    if len(points) < 2:
        return [circle(*points[0], 0.3 * unit, None, Pen(c.line, width))] if points else []
    (ax, ay), (bx, by) = points[-2:]
    length = math.dist((ax, ay), (bx, by))
    ux, uy = (bx - ax) / length, (by - ay) / length
    back = _SHORT * unit / 2
    tip = (bx - back * ux, by - back * uy)
    head = max(0.13 * unit, 2.2 * width)
    neck = (tip[0] - head * ux, tip[1] - head * uy)
    barbs = [(neck[0] - s * 0.55 * head * uy, neck[1] + s * 0.55 * head * ux) for s in (1, -1)]
    course = (*points[:-1], neck if look.filled else tip)
    pen = Pen(c.line, width, tuple(n * unit for n in look.dash), round=not look.dash)
    items: list[Item] = [line(course, Pen(c.light, 2.2 * width)), line(course, pen)]
    if look.double:
        items.append(line(course, Pen(c.light, 0.4 * width)))
    items.append(circle(*points[0], 0.9 * width, c.line))
    if look.filled:
        items.append(polygon((tip, *barbs), c.line, Pen(c.light, 0.3 * width)))
    else:
        items.append(line((barbs[0], tip, barbs[1]), Pen(c.line, width)))
    return [*items, *_marks(place, way, c)]


def walked(place: Place, way: Track) -> list[XY]:
    """The middles through which a way leads, in mm, so far aside as it lies."""
    right, up = (n * place.side for n in way.aside)
    return [(x + right, y + up) for x, y in (place.centre(cell) for cell, _ in groupby(way.cells))]


_MARK = 0.23
"""The radius of a ring on a way, in sides."""


def _marks(place: Place, way: Track, c: Palette) -> Iterator[Item]:
    """What stands in rings on a way."""
    radius = mark_radius(place)
    size = min(1.2 * radius * POINTS, 9.0)
    for cell, mark in ringed(way):
        x, y = place.centre(cell)
        yield circle(x, y, radius, c.light, Pen(c.line, 0.24 * radius))
        yield Text(x, y - 0.36 * size / POINTS, mark, size, "middle", True, c.line)


def ringed(way: Track) -> list[tuple[Cell, str]]:
    """The cells of a way that have a ring, and what stands in it."""
    return [(cell, mark) for cell, mark in zip(way.cells[1:], way.marks, strict=False) if mark]


def mark_radius(place: Place) -> float:
    """The radius of a ring on a way, in mm."""
    return max(_MARK * place.side, 1.5)
