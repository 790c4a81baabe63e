"""What is laid over the ground: walls, section lines, fields of fire, lines of sight."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from generator.grid.grid import Cell, Point
from generator.model.picture import XY, Item, Path, Pen, circle, line
from generator.model.views import Ray
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import closed, hatching, opened, strokes, turned
from generator.press.theme import Palette, Shade

_TEETH = 7
_GAP = 0.2
"""Half of the gap for a name in a section line, in hexsides."""


def walls(place: Place, sides: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """Hexsides that nobody crosses: a heavy line with hachures falling into the hex."""
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
    """Section lines: dots on a pale ground, broken where hex names stand on them."""
    parts = [part for points in lines for a, b in pairwise(points) for part in _parted(place, a, b, gaps)]
    if not parts:
        return []
    steps = tuple(step for part in parts for step in opened(part))
    side = place.side
    dots = Pen(c.line, 0.085 * side, (0.001, 0.2 * side))
    return [Path(steps, None, Pen(c.light, 0.12 * side), 0.6), Path(steps, None, dots)]


def _parted(place: Place, start: Point, end: Point, gaps: Sequence[XY]) -> list[tuple[XY, XY]]:
    """A straight line without what lies near the gaps' middles."""
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


def shade(place: Place, cells: Sequence[Cell], look: Shade, c: Palette) -> list[Item]:
    """Cells laid over with a translucent, hatched tint; the hatching runs on from cell to cell."""
    lines = [cut for cell in cells for cut in _hatched(place, cell, look.hatch)]
    fill = Path(place.area(cells), c.fill, None, look.alpha)
    return [fill, Path(strokes(lines, Pen(c.line)).steps, None, Pen(c.line, 0.018 * place.side), 0.8)]


def _hatched(place: Place, cell: Cell, angle: float) -> list[tuple[XY, XY]]:
    x, y = place.centre(cell)
    ring = tuple((a - x, b - y) for a, b in place.ring(cell))
    pitch = 1.5 * place.side / 8
    _, level = turned((x - place.x, y - place.y), -angle)
    cuts = hatching(ring, angle, pitch, (pitch / 2 - level) % pitch)
    return [((a[0] + x, a[1] + y), (b[0] + x, b[1] + y)) for a, b in cuts]


def rays(place: Place, lines: Sequence[Ray], c: Palette) -> list[Item]:
    """Lines of sight; one that is blocked goes on as a dashed line."""
    side = place.side
    clear: list[tuple[XY, XY]] = []
    lost: list[tuple[XY, XY]] = []
    for ray in lines:
        a, b = place.centre(ray.start), place.centre(ray.end)
        stop = _end(place, ray)
        if stop is None:
            clear.append((a, b))
        else:
            clear.append((a, stop))
            lost.append((stop, b))
    items: list[Item] = []
    if clear:
        items += [strokes(clear, Pen(c.light, 0.09 * side)), strokes(clear, Pen(c.line, 0.04 * side))]
    if lost:
        items.append(strokes(lost, Pen(c.line, 0.03 * side, (0.12 * side, 0.12 * side))))
    return items


def stops(place: Place, lines: Sequence[Ray], c: Palette) -> list[Item]:
    """The marks where lines of sight end."""
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


def _end(place: Place, ray: Ray) -> XY | None:
    """Where a line of sight is blocked, in mm; None where it is not."""
    if ray.stop_at is not None:
        return place.at(ray.stop_at)
    if ray.stop is None:
        return None
    return _nearest(place.centre(ray.start), place.centre(ray.end), place.centre(ray.stop))


def _nearest(a: XY, b: XY, p: XY) -> XY:
    """The point of the line from a to b that lies nearest to p."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (math.hypot(dx, dy) ** 2 or 1.0)
    t = min(max(t, 0.0), 1.0)
    return a[0] + t * dx, a[1] + t * dy
