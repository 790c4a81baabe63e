"""What lies on the ground or beside it: areas, overlays, relief, roads, strips.

Shapes that keep to no cell, and ways that were walked.

What is laid over the ground: walls, section lines, fields of fire, lines of sight.

High ground: neighbouring cells share their contours, so that they read as one ridge.

Roads: one ribbon from cell to cell, through sides and corners, that runs off the board at its edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby, pairwise

from msgspec.structs import replace

from generator.grid.hexes import Cell, Point
from generator.model.picture import POINTS, XY, Item, Path, Pen, Text, circle, line, polygon, rectangle
from generator.model.views import Area, Ray, Ring, Track
from generator.symbols.shapes import (
    Box,
    Place,
    Step,
    Steps,
    bowed,
    chance,
    closed,
    cut_back,
    hatched,
    inset,
    jitter,
    loops,
    opened,
    rounded,
    seed,
    sides,
    strokes,
    turned,
)
from generator.symbols.theme import AreaLook, Palette, Shade, TrackLook

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


def shade(place: Place, cells: Sequence[Cell], look: Shade, ink: str) -> list[Item]:
    """Cells laid over with a translucent tint; its hatching runs on from cell to cell."""
    c, saver = look.ink(ink), ink == "saver"
    alpha = look.saved if saver and look.saved is not None else look.alpha
    rings = [place.all(ring) for ring in loops(place.grid, cells)]
    items: list[Item] = [Path(_joined([closed(ring) for ring in rings]), c.fill, None, alpha)] if alpha else []
    if look.hatch is not None and not (saver and look.plain):
        angles = (look.hatch, -look.hatch) if look.cross else (look.hatch,)
        pitch = 1.5 * place.side / 8 * len(angles)
        # A line at that angle through the field's first lattice point would run midway between two of them.
        drawn = [hatched(rings, a, pitch, turned((place.x, place.y), -a)[1] + pitch / 2) for a in angles]
        items.append(replace(strokes(chain(*drawn), Pen(c.line, 0.018 * place.side)), alpha=0.8))
    if look.dot and saver:
        items += [circle(*place.centre(cell), 0.11 * place.side, c.line) for cell in cells]
    if look.rim:
        wide = look.rim * place.side
        steps = tuple(step for cell in cells for step in closed(inset(place.ring(cell), 0.2 * wide)))
        items.append(Path(steps, None, Pen(c.light, 1.7 * wide)))
        items.append(Path(steps, None, Pen(c.line, wide, (2.2 * wide, 1.5 * wide) if saver else (), round=not saver)))
    if look.edge:
        pens = Pen(c.light, 1.7 * look.edge * place.side), Pen(c.line, look.edge * place.side)
        items += [Path(place.area(cells), None, pen) for pen in pens]
    return items


def rays(place: Place, lines: Sequence[Ray], c: Palette) -> list[Item]:
    """Lines of sight; one that is blocked goes on as a dashed line."""
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
    """The points of a line of sight, in mm."""
    return bowed(place.centre(ray.start), place.centre(ray.end), ray.bend * place.side)


_TIP, _BARB = 0.34, 0.13
"""An arrowhead's length and half its width, in sides; it ends where a token's edge may be."""
_CLEAR_OF = 0.62


def _tipped(course: Sequence[XY], side: float) -> tuple[list[XY], tuple[XY, XY, XY]]:
    """A line up to its arrowhead, and that."""
    points, end = list(course), course[-1]
    near = min(_CLEAR_OF * side, 0.4 * math.dist(course[0], end))
    tip = cut_back(points, near)
    neck = cut_back(points, min(_TIP * side, 0.5 * math.dist(points[0], tip)))
    dx, dy = (t - n for t, n in zip(tip, neck, strict=True))
    length = math.hypot(dx, dy) or 1.0
    across, up = -dy / length * _BARB * side, dx / length * _BARB * side
    return points, (tip, (neck[0] + across, neck[1] + up), (neck[0] - across, neck[1] - up))


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


def rings(place: Place, around: Sequence[Ring], c: Palette) -> list[Item]:
    """A ring around each cell, its letters on a plate at its upper right, on squares at its lower left."""
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
"""Corners."""


def _radius(place: Place, ring: Ring) -> float:
    """A ring lies within a hex; around what fills a square it goes a little beyond."""
    return (0.6 if len(place.ring(ring.cell)) == _SQUARE else 0.8) * place.side


def ring_label(place: Place, ring: Ring) -> tuple[float, float, float, float]:
    """The middle of the plate for a ring's letters, half its width, and its height."""
    (x, y), radius = place.centre(ring.cell), _radius(place, ring)
    off, size = 0.62 * radius, max(0.575 * radius, 6.7 / POINTS)
    # Units and squares are named along the upper edge of a square, below the middle of a hex.
    side = -1 if len(place.ring(ring.cell)) == _SQUARE else 1
    return x + side * off, y + side * off, max(0.5, 0.34 * len(ring.label)) * size, size


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


FOOT, CREST, PEAK = 0.12, 0.36, 0.34
"""How far the lower and the upper contour lie inside the hexes, and the radius of a hex's own summit,
in sides of a hex."""
HIGHER = 0.05
"""How much farther inside the contours of each higher level lie."""


def ridge(place: Place, cells: Sequence[Cell], c: Palette, level: int = 1) -> list[Item]:
    """The contours and hachures of a stretch of high ground; a higher level lies inside the lower ones."""
    side = place.side
    # What is drawn in sides of a hex shrinks with the room that another kind of cell has.
    room = 2 * place.anatomy.inner / 3**0.5
    lower = (FOOT + HIGHER * (level - 1)) * room * side
    upper_by = (CREST + HIGHER * (level - 1)) * room * side
    rough = 0.045 * room * side
    foot: list[Steps] = []
    crest: list[Steps] = []
    ticks: list[tuple[XY, XY]] = []
    for ring in loops(place.grid, cells):
        points = []
        for p in ring:
            x, y = place.at(p)
            points.append((x + rough * jitter(*p, 1), y + rough * jitter(*p, 2)))
        foot.append(rounded(inset(points, lower)))
        upper = inset(points, upper_by)
        crest.append(rounded(upper))
        ticks += _hachures(upper, room * side)
    summits = [] if place.anatomy.squares else [_summit(place.centre(cell), cell, side) for cell in cells]
    line = Pen(c.line, 0.018 * side)
    return [
        Path(_joined(foot), c.fill, line, even_odd=True),
        strokes(ticks, Pen(c.line, 0.016 * side)),
        Path(_joined(crest), c.light, line, even_odd=True),
        *([Path(_joined(summits), c.dark, line)] if summits else []),
    ]


def _joined(parts: list[Steps]) -> Steps:
    return tuple(step for part in parts for step in part)


def _summit(centre: XY, cell: Cell, side: float) -> Steps:
    ring = []
    for i in range(6):
        r = PEAK * side * (1 + 0.22 * jitter(*seed(cell), i))
        x, y = turned((r, 0), 60 * i)
        ring.append((centre[0] + 1.15 * x, centre[1] + 0.9 * y))
    return rounded(ring)


def _hachures(ring: Sequence[XY], side: float) -> list[tuple[XY, XY]]:
    """Short strokes that fall outward from a rounded ring."""
    found = []
    for i, (vx, vy) in enumerate(ring):
        (px, py), (nx, ny) = ring[i - 1], ring[(i + 1) % len(ring)]
        a, b = ((px + vx) / 2, (py + vy) / 2), ((nx + vx) / 2, (ny + vy) / 2)
        for t in (0.0, 0.2, 0.4, 0.6, 0.8):
            u = 1 - t
            x = u * u * a[0] + 2 * u * t * vx + t * t * b[0]
            y = u * u * a[1] + 2 * u * t * vy + t * t * b[1]
            dx, dy = u * (vx - a[0]) + t * (b[0] - vx), u * (vy - a[1]) + t * (b[1] - vy)
            length = math.hypot(dx, dy) or 1.0
            ox, oy = dy / length * side, -dx / length * side
            reach = 0.15 if i % 2 else 0.12
            found.append(((x, y), (x + reach * ox, y + reach * oy)))
    return found


WIDTH = 0.3
"""The ribbon's width, in widths of a cell."""
_EDGE = 0.045
_OVERLAP = 0.03
"""How far a ribbon reaches into the next cell, lest a hair of ground shows between the two."""


def roads(place: Place, ways: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """The ribbon through those cells; a cell without a way out has a round spot of it."""
    wide = 2 * place.anatomy.inner * place.side
    steps = tuple(step for cell, exits in ways.items() for step in _course(place, cell, exits))
    knots = [place.centre(cell) for cell, exits in ways.items() if len(exits) != 2]

    def layer(colour: str, width: float) -> list[Item]:
        band: list[Item] = [Path(steps, None, Pen(colour, width * wide, round=False))] if steps else []
        return band + [circle(x, y, width * wide / 2, colour) for x, y in knots]

    ruts = [Path(steps, None, Pen(c.dark, 0.012 * wide, (0.11 * wide, 0.09 * wide), round=False))] if steps else []
    return [*layer(c.line, WIDTH + _EDGE), *layer(c.fill, WIDTH - _EDGE), *ruts]


def _course(place: Place, cell: Cell, exits: Sequence[int]) -> Steps:
    """The middle of the road through a cell: a bend from way out to way out, or a star."""
    x, y = place.centre(cell)
    side = place.side
    ways = {d: place.way(cell, d) for d in exits}

    def out(direction: int, share: float = 1.0) -> tuple[float, float]:
        dx, dy = ways[direction]
        return x + share * side * dx, y + share * side * dy

    def end(direction: int) -> tuple[float, float]:
        return out(direction, 1 + _OVERLAP if place.across(cell, direction) else 1.0)

    if len(exits) != 2:
        return tuple(step for d in exits for step in (("M", x, y), ("L", *end(d))))
    a, b = exits
    return (
        ("M", *end(a)),
        ("L", *out(a)),
        ("C", *out(a, 1 / 3), *out(b, 1 / 3), *out(b)),
        ("L", *end(b)),
    )
