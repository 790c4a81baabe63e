"""Draw objects on the terrain, such as areas, buildings and tracks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from generator.grid.hexes import Cell
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, circle, line, polygon
from generator.model.views import Area, Track
from generator.symbols.ribbons import ribbon
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
"""Width of the slopes of a roof, in cell sides."""
_CAST = (0.1, -0.1)
"""Offset of a building's shadow, in cell sides. The light comes from the north-west."""
_JOINTS = 4.0
"""Minimum length in mm of cell sides that are drawn over roofs."""
_SHORT = 0.42
"""Distance between the end of an arrow and the centre of its last cell, relative to the cell's inner radius. It keeps
the arrowhead visible beside a token."""


def shadows(place: Place, shapes: Sequence[Area], c: Palette) -> list[Item]:
    """Return the shadows of buildings, equally dark where two overlap.

    The result is empty if the look has only one tone.
    """
    if c.fill == c.light:
        return []
    dx, dy = (n * place.side for n in _CAST)
    steps: list[Step] = []
    for shape in shapes:
        for i, ring in enumerate(shape.rings):
            outward = _outward([(x + dx, y + dy) for x, y in map(place.at, ring)])
            steps += closed(outward[::-1] if i else outward)
    return [Path(tuple(steps), c.line, None, _SHADOW)]


_SHADOW, _GRAIN, _SLOPE, _JOINT, _HALF = 0.28, 0.35, 0.8, 0.4, 0.3
"""Opacity of a shadow, of the grain of a roof, of its slopes, of the cell sides below it, and of the halves on both
sides of a ridge."""
_MAX_GABLE, _MIN_GABLE = 2.7, 0.7
"""Maximum and minimum width of a roof with a ridge, in cell sides. Wider roofs are flat, narrower ones too thin."""


def areas(place: Place, shapes: Sequence[Area], look: AreaLook, c: Palette) -> list[Item]:
    """Return roofs with their courtyards.

    Because no roof covers another, they are drawn layer by layer. Slopes are lit from the north-west, the cell
    sides below a roof stay visible, and neighbouring roofs differ in colour. Narrow rectangles have a ridge between
    gables or hips, and wide ones are flat.
    """
    side = place.side
    roofs: dict[str, list[Step]] = {}
    slopes: dict[str, list[Step]] = {}
    halves: dict[str, list[Step]] = {}
    outlines, grain, joints, ridges = (
        list[Step](),
        list[tuple[XY, XY]](),
        list[tuple[XY, XY]](),
        list[tuple[XY, XY]](),
    )
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
        if len(rings) == 1 and (roof := ridge(_outward(rings[0]), side, chance(*map(round, shape.rings[0][1])))):
            lines, lit, shaded = roof
            ridges += lines
            halves.setdefault(c.light, []).extend(step for ring in lit for step in closed(ring))
            halves.setdefault(c.dark, []).extend(step for ring in shaded for step in closed(ring))
    items: list[Item] = [Path(tuple(of), fill, None, look.alpha, even_odd=True) for fill, of in roofs.items()]
    seen = _GRAIN if c.fill != c.light else 1.0
    items.append(Path(strokes(grain, Pen(c.dark)).steps, None, Pen(c.dark, max(0.02 * side, 0.1)), seen))
    if c.fill != c.light:
        items += [Path(tuple(of), tone, None, _HALF) for tone, of in halves.items()]
    items += [Path(tuple(of), tone, None, _SLOPE) for tone, of in slopes.items()]
    if ridges:
        items.append(Path(strokes(ridges, Pen(c.line)).steps, None, Pen(c.line, max(0.03 * side, 0.12))))
    if joints:
        items.append(Path(strokes(joints, Pen(c.light)).steps, None, Pen(c.light, 0.02 * side), _JOINT))
    return [*items, Path(tuple(outlines), None, Pen(c.line, max(0.055 * side, 0.25)))]


def _slopes(ring: tuple[XY, ...], court: bool, wide: float) -> Iterator[tuple[bool, tuple[XY, ...]]]:
    """Yield the slopes inside an outline or around a courtyard, and whether each slope is lit.

    If the roof is too narrow for slopes, nothing is yielded.
    """
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
        # The outside of the building is to the right of each side.
        facing = (b[1] - a[1]) * _CAST[0] + (a[0] - b[0]) * _CAST[1]
        yield facing < 0, (a, b, q, p)


# A roof with a ridge is described by the lines of its ridge and hips, its lit parts, and its shaded parts.
Roof = tuple[list[tuple[XY, XY]], list[tuple[XY, ...]], list[tuple[XY, ...]]]
"""The ridge and hips of a roof, its lit parts, and its shaded parts."""


def ridge(ring: tuple[XY, ...], side: float, variant: int) -> Roof | None:
    """Return a roof with a ridge along a rectangle, or None if the shape has no such roof.

    The ridge ends at gables in one of three variants, and otherwise at hips.
    """
    xs, ys = sorted({x for x, _ in ring}), sorted({y for _, y in ring})
    if len(ring) != 4 or len(xs) != 2 or len(ys) != 2:
        return None
    (left, right), (bottom, top) = xs, ys
    upright = top - bottom > right - left
    wide, long = sorted((right - left, top - bottom))
    if not _MIN_GABLE * side <= wide <= _MAX_GABLE * side:
        return None
    hip = 0.0 if variant % 3 == 0 else min(wide / 2, long / 2)
    # The corners are named as if the ridge ran from west to east. An upright roof is mirrored at the diagonal.
    low, high, west, east = (left, right, bottom, top) if upright else (bottom, top, left, right)
    middle = (low + high) / 2

    def at(along: float, across: float) -> XY:
        return (across, along) if upright else (along, across)

    start, end = at(west + hip, middle), at(east - hip, middle)
    lower, upper = ((at(west, across), at(east, across), end, start) for across in (low, high))
    ends = [(at(west, low), start, at(west, high)), (at(east, low), end, at(east, high))]
    hips = [(corner, point) for point, (a, _, b) in zip((start, end), ends, strict=True) for corner in (a, b)]
    lit: list[tuple[XY, ...]] = [lower if upright else upper]
    shaded: list[tuple[XY, ...]] = [upper if upright else lower]
    if hip:
        # Of the two hips, the western or northern one is lit.
        lit.append(ends[1] if upright else ends[0])
        shaded.append(ends[0] if upright else ends[1])
    return [(start, end), *(hips if hip else ())], lit, shaded


def _joints(place: Place, rings: Sequence[Sequence[XY]]) -> Iterator[tuple[XY, XY]]:
    """Yield the parts of cell sides that are below a building."""
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
    """Return the position on ab, from 0 to 1, at which it crosses cd, or None if the segments do not cross."""
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if abs(across) < 1e-12:
        return None
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    return t if 0 < t < 1 and 0 <= u <= 1 else None


@lru_cache(8)  # Enough for the roofs of a map.
def _sides_of(place: Place) -> tuple[tuple[XY, XY, Box], ...]:
    """Return each side of the field's cells once, with its bounding box."""
    found: list[tuple[XY, XY, Box]] = []
    last: XY = (0.0, 0.0)
    for step in sides(place):
        x, y = here = float(step[1]), float(step[2])
        if step[0] == "L":
            found.append((last, here, (min(x, last[0]), min(y, last[1]), max(x, last[0]), max(y, last[1]))))
        last = here
    return tuple(found)


def _outward(ring: Sequence[XY]) -> tuple[XY, ...]:
    """Return a ring in anticlockwise order, without repeated points and points on a straight line."""
    if math.fsum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) < 0:
        ring = tuple(reversed(ring))
    return tuple(p for i, p in enumerate(ring) if _turns(ring[i - 1], p, ring[(i + 1) % len(ring)]))


def _turns(a: XY, b: XY, c: XY) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-9


def covers(rings: Sequence[Sequence[XY]], point: XY) -> bool:
    """Return whether a point is inside a shape but not in one of its holes."""
    x, y = point
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip((ring[-1], *ring), ring, strict=False):
            if (ay <= y) != (by <= y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                inside = not inside
    return inside


def track(place: Place, way: Track, look: TrackLook, c: Palette) -> list[Item]:
    """Return a path from centre to centre with an arrowhead. A path with a single cell becomes a ring.

    A cell that is repeated in a row, which may happen in a user's file, counts as one step.
    """
    unit = 2 * place.anatomy.inner * place.side
    points = walked(place, way)
    if look.ribbon and len(points) > 1:
        return ribbon(points, place.side, c, look.hatch, RIBBON_CLEARANCE * place.side)
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


RIBBON_CLEARANCE = 0.66
"""Distance of both ends of a broad arrow from the centres of its cells, in cell sides."""


def walked(place: Place, way: Track) -> list[XY]:
    """Return the cell centres along a path in mm, shifted by the path's offset."""
    right, up = (n * place.side for n in way.aside)
    return [(x + right, y + up) for x, y in (place.centre(cell) for cell, _ in groupby(way.cells))]


_MARK = 0.23
"""Radius of a ring on a path, in cell sides."""


def _marks(place: Place, way: Track, c: Palette) -> Iterator[Item]:
    """Yield the rings on a path and the letters in them."""
    radius = mark_radius(place)
    size = min(1.2 * radius * POINTS, 9.0)
    for cell, mark in ringed(way):
        x, y = place.centre(cell)
        yield circle(x, y, radius, c.light, Pen(c.line, 0.24 * radius))
        yield Text(x, y - 0.36 * size / POINTS, mark, size, "middle", True, c.line)


def ringed(way: Track) -> list[tuple[Cell, str]]:
    """Return the cells of a path that have a ring, with the letter in each ring."""
    return [(cell, mark) for cell, mark in zip(way.cells[1:], way.marks, strict=False) if mark]


def mark_radius(place: Place) -> float:
    """Return the radius of a ring on a path, in mm."""
    return max(_MARK * place.side, 1.5)
