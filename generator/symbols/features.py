"""Drawings over the cells of a map: areas, tracks, walls, borders, shades, lines of sight, relief and roads."""

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
"""Width of a roof's slopes, in cell sides."""
_CAST = (0.1, -0.1)
"""Offset of a building's shadow, in cell sides; the light comes from the north-west."""
_JOINTS = 4.0
"""Minimum length of cell sides, in mm, for drawing them over roofs."""
_SHORT = 0.42
"""Distance between the end of an arrow and the centre of its last cell, in inner radii, so that a token leaves it
visible."""


def shadows(place: Place, shapes: Sequence[Area], c: Palette) -> list[Item]:
    """Return the shadows of buildings, equally dark where two overlap; nothing if the look has only one tone."""
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
"""Opacity of a shadow, of a roof's grain, of its slopes, and of the cell sides below it."""


def areas(place: Place, shapes: Sequence[Area], look: AreaLook, c: Palette) -> list[Item]:
    """Return roofs with their courtyards.

    They are drawn layer by layer, because no roof covers another. Their slopes are lit from the north-west, the sides
    of the cells below them are visible, and neighbours differ in colour.
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
    """Yield the slopes inside an outline or round a courtyard, and whether each is lit; none for a narrow roof."""
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
        # The outside is to the right of a side.
        facing = (b[1] - a[1]) * _CAST[0] + (a[0] - b[0]) * _CAST[1]
        yield facing < 0, (a, b, q, p)


def _joints(place: Place, rings: Sequence[Sequence[XY]]) -> Iterator[tuple[XY, XY]]:
    """Yield the parts of cell sides that are on a building."""
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
    """Return the share of ab at which it crosses cd; None if it does not."""
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if abs(across) < 1e-12:
        return None
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    return t if 0 < t < 1 and 0 <= u <= 1 else None


@lru_cache(8)  # Enough for the roofs of a map.
def _sides_of(place: Place) -> tuple[tuple[XY, XY, Box], ...]:
    """Return every side of the field's cells once, with its bounding box."""
    found: list[tuple[XY, XY, Box]] = []
    last: XY = (0.0, 0.0)
    for step in sides(place):
        x, y = here = float(step[1]), float(step[2])
        if step[0] == "L":
            found.append((last, here, (min(x, last[0]), min(y, last[1]), max(x, last[0]), max(y, last[1]))))
        last = here
    return tuple(found)


def _outward(ring: Sequence[XY]) -> tuple[XY, ...]:
    """Return the ring anticlockwise, without repeated points and points on a straight line."""
    if sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) < 0:
        ring = tuple(reversed(ring))
    return tuple(p for i, p in enumerate(ring) if _turns(ring[i - 1], p, ring[(i + 1) % len(ring)]))


def _turns(a: XY, b: XY, c: XY) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-9


def covers(rings: Sequence[Sequence[XY]], point: XY) -> bool:
    """Return whether a point is inside a shape and outside its holes."""
    x, y = point
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip((ring[-1], *ring), ring, strict=False):
            if (ay <= y) != (by <= y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                inside = not inside
    return inside


def track(place: Place, way: Track, look: TrackLook, c: Palette) -> list[Item]:
    """Return a path from centre to centre with an arrowhead; a path with a single cell becomes a ring.

    A cell repeated in a row, as a user's file may have it, counts as one step.
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
    """Return the centres that a path leads through, in mm, moved by its offset."""
    right, up = (n * place.side for n in way.aside)
    return [(x + right, y + up) for x, y in (place.centre(cell) for cell, _ in groupby(way.cells))]


_MARK = 0.23
"""Radius of a ring on a path, in cell sides."""


def _marks(place: Place, way: Track, c: Palette) -> Iterator[Item]:
    """Yield the rings on a path with their letters."""
    radius = mark_radius(place)
    size = min(1.2 * radius * POINTS, 9.0)
    for cell, mark in ringed(way):
        x, y = place.centre(cell)
        yield circle(x, y, radius, c.light, Pen(c.line, 0.24 * radius))
        yield Text(x, y - 0.36 * size / POINTS, mark, size, "middle", True, c.line)


def ringed(way: Track) -> list[tuple[Cell, str]]:
    """Return the cells of a path that have a ring, with the letters in it."""
    return [(cell, mark) for cell, mark in zip(way.cells[1:], way.marks, strict=False) if mark]


def mark_radius(place: Place) -> float:
    """Return the radius of a ring on a path, in mm."""
    return max(_MARK * place.side, 1.5)


_TEETH = 7
_GAP = 0.2
"""Half the width of the gap for a name in a section line, in hexsides."""


def walls(place: Place, sides: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """Return impassable hexsides: a heavy line with hachures pointing into the hex."""
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
    """Return section lines: dots on a pale ground, interrupted at hex names."""
    parts = [part for points in lines for a, b in pairwise(points) for part in _parted(place, a, b, gaps)]
    if not parts:
        return []
    steps = tuple(step for part in parts for step in opened(part))
    side = place.side
    dots = Pen(c.line, 0.085 * side, (0.001, 0.2 * side))
    return [Path(steps, None, Pen(c.light, 0.12 * side), 0.6), Path(steps, None, dots)]


def _parted(place: Place, start: Point, end: Point, gaps: Sequence[XY]) -> list[tuple[XY, XY]]:
    """Return the parts of a straight line outside the gaps around these points."""
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
    """Return a translucent tint over cells; its hatching continues from cell to cell."""
    c, saver = look.ink(ink), ink == "saver"
    alpha = look.saved if saver and look.saved is not None else look.alpha
    rings = [place.all(ring) for ring in loops(place.grid, cells)]
    items: list[Item] = [Path(_joined([closed(ring) for ring in rings]), c.fill, None, alpha)] if alpha else []
    if look.hatch is not None and not (saver and look.plain):
        angles = (look.hatch, -look.hatch) if look.cross else (look.hatch,)
        pitch = 1.5 * place.side / 8 * len(angles)
        # Without this shift a line could run through lattice points; with it, all run midway between two of them.
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
    """Return lines of sight; a blocked line continues as a dashed one."""
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
"""Length and half width of an arrowhead, in cell sides."""
_CLEAR_OF = 0.62


def _tipped(course: Sequence[XY], side: float) -> tuple[list[XY], tuple[XY, XY, XY]]:
    """Return a line up to its arrowhead, and the corners of the arrowhead."""
    points, end = list(course), course[-1]
    near = min(_CLEAR_OF * side, 0.4 * math.dist(course[0], end))
    tip = cut_back(points, near)
    neck = cut_back(points, min(_TIP * side, 0.5 * math.dist(points[0], tip)))
    dx, dy = (t - n for t, n in zip(tip, neck, strict=True))
    length = math.hypot(dx, dy) or 1.0
    across, up = -dy / length * _BARB * side, dx / length * _BARB * side
    return points, (tip, (neck[0] + across, neck[1] + up), (neck[0] - across, neck[1] - up))


def stops(place: Place, lines: Sequence[Ray], c: Palette) -> list[Item]:
    """Return the marks at which lines of sight end."""
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
    """Return a ring around each cell with its letters on a plate: at the upper right, or on squares lower left."""
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
    """Return the radius of a ring in mm: inside a hex, but a little beyond the contents of a square."""
    return (0.6 if len(place.ring(ring.cell)) == _SQUARE else 0.8) * place.side


def ring_label(place: Place, ring: Ring) -> tuple[float, float, float, float]:
    """Return the centre (x, y), half the width and the height of the plate for a ring's letters, in mm."""
    (x, y), radius = place.centre(ring.cell), _radius(place, ring)
    off, size = 0.62 * radius, max(0.575 * radius, 6.7 / POINTS)
    # Names of units and squares are at the upper edge of a square, and below the centre of a hex.
    side = -1 if len(place.ring(ring.cell)) == _SQUARE else 1
    return x + side * off, y + side * off, max(0.5, 0.34 * len(ring.label)) * size, size


def _end(place: Place, ray: Ray) -> XY | None:
    """Return the point at which a line of sight is blocked, in mm; None if it is clear."""
    if ray.stop_at is not None:
        return place.at(ray.stop_at)
    if ray.stop is None:
        return None
    return _nearest(place.centre(ray.start), place.centre(ray.end), place.centre(ray.stop))


def _nearest(a: XY, b: XY, p: XY) -> XY:
    """Return the point of the segment ab that is nearest to p."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (math.hypot(dx, dy) ** 2 or 1.0)
    t = min(max(t, 0.0), 1.0)
    return a[0] + t * dx, a[1] + t * dy


FOOT, CREST, PEAK = 0.12, 0.36, 0.34
"""Distance of the lower and the upper contour from the edge of the hexes, and radius of the summit of a hex, in
hexsides."""
HIGHER = 0.05
"""Additional distance of the contours for each higher level, in hexsides."""


def ridge(place: Place, cells: Sequence[Cell], c: Palette, level: int = 1) -> list[Item]:
    """Return the contours and hachures of high ground; a higher level is inside the lower ones."""
    side = place.side
    # Lengths in hexsides shrink with the room inside another kind of cell.
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
    """Return short strokes pointing outward from a rounded ring."""
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
"""Width of the road, in cell widths."""
_EDGE = 0.045
_OVERLAP = 0.03
"""Length by which a road reaches into the next cell, so that no ground shows between the two."""


def roads(place: Place, ways: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """Return the road through cells; a cell with no exit has a round spot."""
    wide = 2 * place.anatomy.inner * place.side
    steps = tuple(step for cell, exits in ways.items() for step in _course(place, cell, exits))
    knots = [place.centre(cell) for cell, exits in ways.items() if len(exits) != 2]

    def layer(colour: str, width: float) -> list[Item]:
        band: list[Item] = [Path(steps, None, Pen(colour, width * wide, round=False))] if steps else []
        return band + [circle(x, y, width * wide / 2, colour) for x, y in knots]

    ruts = [Path(steps, None, Pen(c.dark, 0.012 * wide, (0.11 * wide, 0.09 * wide), round=False))] if steps else []
    return [*layer(c.line, WIDTH + _EDGE), *layer(c.fill, WIDTH - _EDGE), *ruts]


def _course(place: Place, cell: Cell, exits: Sequence[int]) -> Steps:
    """Return the middle of the road through a cell: a bend between two exits, or else a star."""
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
