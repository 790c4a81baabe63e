"""Draw overlays on the terrain: walls, section lines, fields of fire, lines of sight and rings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from msgspec.structs import replace

from generator.grid.hexes import Cell, Point
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, circle, line, polygon, rectangle
from generator.model.views import Ray, Ring
from generator.symbols.ridges import one_path
from generator.symbols.shapes import (
    Place,
    bowed,
    closed,
    cut_back,
    hatched,
    inset,
    loops,
    opened,
    strokes,
    turned,
)
from generator.symbols.theme import Palette, Shade

_TEETH = 7
"""Number of hachures along an impassable hexside."""
_GAP = 0.2
"""Half the width of the gap for a name in a section line, in hexsides."""


def walls(place: Place, sides: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """Return impassable hexsides as heavy lines with hachures that point into the hex."""
    teeth: list[tuple[str | float, ...]] = []
    edges: list[tuple[XY, XY]] = []
    for cell, directions in sides.items():
        ring, (mx, my) = place.ring(cell), place.centre(cell)
        for d in directions:
            a, b = (ring[i] for i in place.anatomy.exits[d])
            nx, ny = mx - (a[0] + b[0]) / 2, my - (a[1] + b[1]) / 2
            edges.append((a, b))
            for i in range(_TEETH):
                depth = 0.26 if i % 2 else 0.17
                p, q, m = ((i + k) / _TEETH for k in (0.08, 0.92, 0.5))
                teeth += closed(
                    (
                        (a[0] + p * (b[0] - a[0]), a[1] + p * (b[1] - a[1])),
                        (a[0] + q * (b[0] - a[0]), a[1] + q * (b[1] - a[1])),
                        (a[0] + m * (b[0] - a[0]) + depth * nx, a[1] + m * (b[1] - a[1]) + depth * ny),
                    )
                )
    if not edges:
        return []
    return [Path(tuple(teeth), c.fill), strokes(edges, Pen(c.line, 0.075 * place.side))]


def borders(place: Place, lines: Sequence[Sequence[Point]], c: Palette, gaps: Sequence[XY] = ()) -> list[Item]:
    """Return section lines as dots on a pale line, interrupted by the names of hexes."""
    parts = [part for points in lines for a, b in pairwise(points) for part in _parted(place, a, b, gaps)]
    if not parts:
        return []
    steps = tuple(step for part in parts for step in opened(part))
    side = place.side
    dots = Pen(c.line, 0.085 * side, (0.001, 0.2 * side))
    return [Path(steps, None, Pen(c.light, 0.12 * side), 0.6), Path(steps, None, dots)]


def _parted(place: Place, start: Point, end: Point, gaps: Sequence[XY]) -> list[tuple[XY, XY]]:
    """Return the parts of a straight line that do not cross a gap."""
    a, b = place.at(start), place.at(end)
    length = math.dist(a, b)
    spans = [(0.0, 0.0)]
    for gap in gaps:
        near = _nearest(a, b, gap)
        if math.dist(near, gap) < 0.1 * place.side:
            at = math.dist(a, near)
            spans.append((at - _GAP * place.side, at + _GAP * place.side))
    spans = [*sorted(spans), (length, length)]

    def point(at: float) -> XY:
        return a[0] + at / length * (b[0] - a[0]), a[1] + at / length * (b[1] - a[1])

    return [(point(last), point(first)) for (_, last), (first, _) in pairwise(spans) if first > last]


def shade(place: Place, cells: Sequence[Cell], look: Shade, ink: str) -> list[Item]:
    """Return a translucent tint over cells. Hatching is continuous across neighbouring cells."""
    c, saver = look.ink(ink), ink == "saver"
    alpha = look.saved if saver and look.saved is not None else look.alpha
    rings = [place.all(ring) for ring in loops(place.grid, cells)]
    items: list[Item] = [Path(one_path([closed(ring) for ring in rings]), c.fill, None, alpha)] if alpha else []
    if look.hatch is not None:
        angles = (look.hatch, -look.hatch) if look.cross else (look.hatch,)
        pitch = look.pitch * place.side * len(angles)
        # This phase puts the field's first lattice point midway between two hatching lines.
        drawn = [hatched(rings, a, pitch, turned((place.x, place.y), -a)[1] + pitch / 2) for a in angles]
        items.append(replace(strokes(chain(*drawn), Pen(c.line, 0.018 * place.side)), alpha=0.8))
    if look.rim:
        wide = look.rim * place.side
        steps = tuple(step for cell in cells for step in closed(inset(place.ring(cell), 0.2 * wide)))
        items.append(Path(steps, None, Pen(c.light, 1.7 * wide)))
        items.append(Path(steps, None, Pen(c.line, wide, (2.2 * wide, 1.5 * wide) if saver else (), round=not saver)))
    if look.edge:
        wide = look.edge * place.side
        # A dashed line is inside the outline, so that it is visible beside the line of another look.
        edges = [inset(ring, 0.9 * wide) if look.dash else ring for ring in rings]
        steps = tuple(step for ring in edges for step in closed(ring))
        dash = (2.6 * wide, 1.8 * wide) if look.dash else ()
        items += [
            Path(steps, None, Pen(c.light, 1.7 * wide)),
            Path(steps, None, Pen(c.line, wide, dash, round=not dash)),
        ]
    return items


def rays(place: Place, lines: Sequence[Ray], c: Palette) -> list[Item]:
    """Return lines of sight. A blocked line is dashed beyond the point at which it is blocked."""
    side = place.side
    clear: list[tuple[XY, XY]] = []
    lost: list[tuple[XY, XY]] = []
    shots: list[tuple[XY, XY]] = []
    arrows: list[tuple[XY, XY]] = []
    tips: list[Item] = []
    for ray in lines:
        a, b = place.centre(ray.start), place.centre(ray.end)
        stop = _end(place, ray)
        if stop is None:
            course = flight(place, ray)
            if ray.blow:
                course.reverse()
                cut_back(course, min(_CLEAR_OF * side, 0.3 * math.dist(a, b)))
                course.reverse()
            if ray.arrow:
                course, tip = _tipped(course, side)
                tips.append(polygon(tip, c.dark if ray.shot else c.line, Pen(c.light, 0.03 * side)))
            (shots if ray.shot else arrows if ray.arrow else clear).extend(pairwise(course))
        else:
            clear.append((a, stop))
            lost.append((stop, b))
    items: list[Item] = []
    if clear:
        items += [strokes(clear, Pen(c.light, 0.09 * side)), strokes(clear, Pen(c.line, 0.04 * side))]
    if arrows:
        items += [strokes(arrows, Pen(c.light, 0.14 * side)), strokes(arrows, Pen(c.line, 0.06 * side))]
    if shots:
        items += [strokes(shots, Pen(c.light, 0.2 * side)), strokes(shots, Pen(c.dark, 0.09 * side))]
    if lost:
        items.append(strokes(lost, Pen(c.line, 0.03 * side, (0.12 * side, 0.12 * side))))
    return items + tips


def flight(place: Place, ray: Ray) -> list[XY]:
    """Return the points of a line of sight, in mm."""
    return bowed(place.centre(ray.start), place.centre(ray.end), ray.bend * place.side)


_TIP, _BARB = 0.34, 0.13
"""Length and half the width of an arrowhead, in cell sides."""
_CLEAR_OF = 0.62
"""Distance of an arrowhead from the centre of its cell, in cell sides, so that it ends at the edge of a token."""


def _tipped(course: Sequence[XY], side: float) -> tuple[list[XY], tuple[XY, XY, XY]]:
    """Return the line up to its arrowhead, and the three corners of the arrowhead."""
    points, end = list(course), course[-1]
    near = min(_CLEAR_OF * side, 0.4 * math.dist(course[0], end))
    tip = cut_back(points, near)
    neck = cut_back(points, min(_TIP * side, 0.5 * math.dist(points[0], tip)))
    dx, dy = (t - n for t, n in zip(tip, neck, strict=True))
    length = math.hypot(dx, dy) or 1.0
    across, up = -dy / length * _BARB * side, dx / length * _BARB * side
    return points, (tip, (neck[0] + across, neck[1] + up), (neck[0] - across, neck[1] - up))


def stops(place: Place, lines: Sequence[Ray], c: Palette) -> list[Item]:
    """Return the marks at the points where lines of sight are blocked."""
    items: list[Item] = []
    r = 0.15 * place.side
    for ray in lines:
        stop = _end(place, ray)
        if stop is None:
            continue
        x, y = stop
        k = 0.5 * r
        items.append(circle(x, y, r, c.light, Pen(c.dark, 0.03 * place.side)))
        items += [line(((x - k, y - s * k), (x + k, y + s * k)), Pen(c.dark, 0.045 * place.side)) for s in (-1, 1)]
    return items


def rings(place: Place, around: Sequence[Ring], c: Palette) -> list[Item]:
    """Return a ring around each cell, with its label on a plate at the upper right, or lower left on squares."""
    items: list[Item] = []
    for ring in around:
        (x, y), radius = place.centre(ring.cell), _radius(place, ring)
        pens = Pen(c.light, 0.25 * radius), Pen(c.line, 0.15 * radius)
        items += [circle(x, y, radius, None, pen) for pen in pens]
        if not ring.label:
            continue
        left, up, half, size = ring_label(place, ring)
        items.append(rectangle(left - half, up - 0.5 * size, 2 * half, size, c.dark))
        items.append(Text(left, up - 0.34 * size, ring.label, 0.9 * size * POINTS, "middle", True, c.light))
    return items


_SQUARE = 4
"""Number of corners of a square."""


def _radius(place: Place, ring: Ring) -> float:
    """Return the radius of a ring in mm. It is inside a hex, but slightly larger than the contents of a square."""
    return (0.6 if len(place.ring(ring.cell)) == _SQUARE else 0.8) * place.side


def ring_label(place: Place, ring: Ring) -> tuple[float, float, float, float]:
    """Return the centre of the plate for a ring's label, half its width, and its height, in mm."""
    (x, y), radius = place.centre(ring.cell), _radius(place, ring)
    off, size = 0.62 * radius, max(0.575 * radius, 6.7 / POINTS)
    # Cell names are at the upper edge of a square but below the centre of a hex.
    side = -1 if len(place.ring(ring.cell)) == _SQUARE else 1
    return x + side * off, y + side * off, max(0.5, 0.34 * len(ring.label)) * size, size


def _end(place: Place, ray: Ray) -> XY | None:
    """Return the point at which a line of sight is blocked, in mm, or None if the line is clear."""
    if ray.stop_at is not None:
        return place.at(ray.stop_at)
    if ray.stop is None:
        return None
    return _nearest(place.centre(ray.start), place.centre(ray.end), place.centre(ray.stop))


def _nearest(a: XY, b: XY, p: XY) -> XY:
    """Return the point on the segment from a to b that is nearest to p."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (math.hypot(dx, dy) ** 2 or 1.0)
    t = min(max(t, 0.0), 1.0)
    return a[0] + t * dx, a[1] + t * dy
