"""Shapes that keep to no cell, and ways that were walked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from generator.model.picture import XY, Item, Path, Pen, circle, line, polygon
from generator.model.views import Area, Track
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import closed, hatched, inset, strokes
from generator.press.theme import AreaLook, Palette, TrackLook

_ROOF = 0.07
"""How far a roof's inner edge lies inside its outline, in sides of a cell."""
_SHORT = 0.42
"""How far from the middle of its last cell an arrow ends, in inner radii, so that a token does not hide it."""


def area(place: Place, shape: Area, look: AreaLook, c: Palette) -> list[Item]:
    """A filled, hatched shape with its holes, and the edge of its roof inside the outline."""
    side = place.side
    rings = [tuple(place.at(point) for point in ring) for ring in shape.rings]
    steps = tuple(step for ring in rings for step in closed(ring))
    cuts = hatched(rings, look.hatch, look.pitch * side)
    edge = Pen(c.line, max(0.045 * side, 0.25))
    roof = [closed(inset(ring, _ROOF * side)) for ring in map(_outward, rings) if _wide(ring, 4 * _ROOF * side)]
    return [
        Path(steps, c.fill, None, look.alpha, even_odd=True),
        strokes(cuts, Pen(c.dark, max(0.02 * side, 0.1))),
        *(Path(ring, None, Pen(c.light, max(0.02 * side, 0.1))) for ring in roof[:1]),
        Path(steps, None, edge),
    ]


def _outward(ring: Sequence[XY]) -> tuple[XY, ...]:
    """The ring anticlockwise, without points that stand on one another or on a straight line."""
    if _signed(ring) < 0:
        ring = tuple(reversed(ring))
    return tuple(p for i, p in enumerate(ring) if _turns(ring[i - 1], p, ring[(i + 1) % len(ring)]))


def _turns(a: XY, b: XY, c: XY) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-9


def _signed(ring: Sequence[XY]) -> float:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def _wide(ring: Sequence[XY], least: float) -> bool:
    """Whether every side of a ring is long enough to have another inside it."""
    return len(ring) > 2 and all(math.dist(ring[i - 1], p) >= least for i, p in enumerate(ring))


def covers(rings: Sequence[Sequence[XY]], point: XY) -> bool:
    """Whether a point lies inside, holes left out."""
    x, y = point
    inside = False
    for ring in rings:
        for i, (bx, by) in enumerate(ring):
            ax, ay = ring[i - 1]
            if (ay <= y) != (by <= y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                inside = not inside
    return inside


def track(place: Place, way: Track, look: TrackLook, c: Palette) -> list[Item]:
    """A way from middle to middle with an arrowhead; one that leads nowhere is a ring."""
    unit = 2 * place.anatomy.inner * place.side
    points = [place.centre(cell) for cell in way.cells]
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
    return items
