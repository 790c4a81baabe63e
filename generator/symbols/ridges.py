"""Draw high terrain as a relief that neighbouring cells share, lit from the upper left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import cos, hypot, radians, sin

from generator.grid.hexes import Cell
from generator.model.picture import XY, Colour, Item, Path, Pen
from generator.symbols.shapes import (
    Place,
    Step,
    Steps,
    chance,
    closed,
    inset,
    jitter,
    loops,
    mixed,
    opened,
    seed,
    strokes,
)
from generator.symbols.theme import Palette

RADII = (0.79, 0.64, 0.47, 0.27)
"""Distances of the contours of hexes from the lines that join their centres, in cell sides."""
INSETS = (0.05, 0.21)
"""Distances of the contours of squares from their sides, in cell sides."""
HIGHER = 0.035
"""Additional distance of the contours of squares from their sides for each higher level, in cell sides."""
_RIM = 0.05
"""Width of the lit and the shaded edge of a step, in cell sides."""
_CONTOUR, _SAVED_CONTOUR, _HACHURE = 0.015, 0.024, 0.015
"""Width of contours in full ink and in an ink-saving print, and of hachures, in cell sides."""
_LEE = (0.66, -0.75)
"""The direction away from the light."""
_SHIFTS: tuple[XY, ...] = ((0.09, 0.05), (-0.1, 0.03), (0.03, -0.09), (-0.05, 0.1))
"""Four ways in which the summit of a cell is displaced, in cell sides."""
_SPURS = 2
"""Number of spurs of a cell, which make its contours irregular."""


def ridge(place: Place, cells: Sequence[Cell], c: Palette, level: int = 1, salt: int = 0) -> list[Item]:
    """Return the steps of connected high terrain, and hachures on the side away from the light.

    `salt` varies the shapes. The steps of a higher level are inside the lower ones.
    """
    draw = _square_steps if place.anatomy.squares else _hex_steps
    return list(draw(place, cells, c, level, salt))


def one_path(parts: Sequence[Steps]) -> Steps:
    """Join several sequences of steps into one path."""
    return tuple(step for part in parts for step in part)


def _tints(c: Palette, count: int) -> list[Colour]:
    """Return the colours of the steps, from the lowest to the highest."""
    if c.fill == c.light:
        return [c.fill] * count
    return [mixed(c.fill, c.dark, i / max(1, count - 1)) for i in range(count)]


Segment = tuple[XY, XY]


def _hex_steps(place: Place, cells: Sequence[Cell], c: Palette, level: int, salt: int) -> Iterator[Item]:
    side, saver = place.side, c.fill == c.light
    radii = RADII if level == 1 else RADII[1:]
    here = set(cells)
    near = {cell: [other for other in place.neighbours(cell) if other in here] for cell in cells}
    tints = _tints(c, len(radii))
    for step, radius in enumerate(radii):
        nodes = {cell: _node(place, cell, step / len(radii), salt) for cell in cells}
        bones = {cell: list(_bones(place, cell, nodes, near, step, salt)) for cell in cells}
        shape = _skeleton(nodes, bones, near)
        if step and level == 1 and step < len(radii) - 1:
            yield strokes(_hachures(nodes, bones, near, radius * side, side), Pen(c.line, _HACHURE * side))
        yield from _swell(shape, radius * side, tints[step], c, side, saver)


def _node(place: Place, cell: Cell, height: float, salt: int) -> XY:
    """Return the centre of a cell, displaced according to the height of the step from 0 to 1."""
    (x, y), (right, up) = place.centre(cell), _SHIFTS[chance(*seed(cell), salt) % len(_SHIFTS)]
    return x + height * right * place.side, y + height * up * place.side


def _bones(
    place: Place, cell: Cell, nodes: Mapping[Cell, XY], near: Mapping[Cell, Sequence[Cell]], step: int, salt: int
) -> Iterator[Segment]:
    """Yield the lines from a cell to its neighbours, each once, and its short spurs."""
    x, y = nodes[cell]
    for other in near[cell]:
        if seed(cell) < seed(other):
            yield (x, y), nodes[other]
    for i in range(_SPURS):
        turn = radians(180 * jitter(*seed(cell), salt + 7 * i + 1))
        reach = (0.1 + 0.05 * jitter(*seed(cell), salt + 11 * i + 2)) * place.side * (1.0 if step else 0.6)
        yield (x, y), (x + reach * cos(turn), y + reach * sin(turn))


def _skeleton(
    nodes: Mapping[Cell, XY], bones: Mapping[Cell, Sequence[Segment]], near: Mapping[Cell, Sequence[Cell]]
) -> Steps:
    """Return the lines of all cells, and the triangles between three neighbouring cells."""
    steps: list[Step] = [step for of in bones.values() for bone in of for step in opened(bone)]
    for cell, around in near.items():
        for a, b in combinations((other for other in around if seed(cell) < seed(other)), 2):
            if b in near[a]:
                steps += closed((nodes[cell], nodes[a], nodes[b]))
    return tuple(steps)


def _swell(shape: Steps, radius: float, tint: Colour, c: Palette, side: float, saver: bool) -> Iterator[Item]:
    """Yield a step: the area within `radius` mm of a skeleton, with its contour and its lit and shaded edges."""

    def layer(colour: Colour, by: float, right: float = 0.0, up: float = 0.0) -> Path:
        steps = shape if not (right or up) else _moved(shape, right, up)
        return Path(steps, colour, Pen(colour, 2 * (radius + by)))

    rim, line = _RIM * side, (_SAVED_CONTOUR if saver else _CONTOUR) * side
    yield layer(c.line, line / 2)
    if saver:
        yield layer(tint, -line / 2)
        return
    yield layer(mixed(tint, c.line, 0.3), -line / 2)
    yield layer(mixed(tint, "#ffffff", 0.5), -line / 2 - 0.5 * rim, -0.36 * rim, 0.36 * rim)
    yield layer(tint, -line / 2 - rim)


def _moved(steps: Steps, right: float, up: float) -> Steps:
    """Return a path that is moved by (right, up) mm."""
    return tuple(
        (kind, *(float(n) + (up if i % 2 else right) for i, n in enumerate(places))) for kind, *places in steps
    )


def _hachures(
    nodes: Mapping[Cell, XY],
    bones: Mapping[Cell, Sequence[Segment]],
    near: Mapping[Cell, Sequence[Cell]],
    radius: float,
    side: float,
) -> list[Segment]:
    """Return short downhill strokes at the contour, on the side away from the light."""
    found: list[Segment] = []
    limit = 0.985 * radius
    for cell, own in bones.items():
        around = [bone for other in (cell, *near[cell]) for bone in bones[other]]
        for i, (foot, (nx, ny)) in enumerate(_outward(nodes[cell], own)):
            x, y = foot[0] + radius * nx, foot[1] + radius * ny
            if all(_distance(x, y, *bone) > limit for bone in around):
                reach = (0.075 + 0.035 * jitter(i, *seed(cell))) * side
                found.append(((x, y), (x + reach * nx, y + reach * ny)))
    return found


_FAN, _ALONG = 15.0, 7
"""Angle between two hachures around the centre of a cell in degrees, and number of hachures between two cells."""


def _outward(node: XY, bones: Sequence[Segment]) -> Iterator[tuple[XY, XY]]:
    """Yield points of a skeleton, and the directions away from it that are away from the light."""
    for i in range(int(180 / _FAN)):
        turn = radians(-135 + _FAN * (i + 0.5))
        yield node, (cos(turn), sin(turn))
    for a, b in bones[:-_SPURS]:
        long = hypot(b[0] - a[0], b[1] - a[1])
        nx, ny = (b[1] - a[1]) / long, (a[0] - b[0]) / long
        if nx * _LEE[0] + ny * _LEE[1] < 0:
            nx, ny = -nx, -ny
        if nx * _LEE[0] + ny * _LEE[1] > 0.25:
            for i in range(1, _ALONG):
                yield (a[0] + i / _ALONG * (b[0] - a[0]), a[1] + i / _ALONG * (b[1] - a[1])), (nx, ny)


def _distance(x: float, y: float, start: XY, end: XY) -> float:
    """Return the distance of a point from a segment."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0)
    t = 0.0 if t < 0 else 1.0 if t > 1 else t
    return hypot(x - ax - t * dx, y - ay - t * dy)


def _square_steps(place: Place, cells: Sequence[Cell], c: Palette, level: int, salt: int) -> Iterator[Item]:
    side, saver = place.side, c.fill == c.light
    rings = [
        [
            (x + 0.02 * side * jitter(i, len(ring), salt + 1), y + 0.02 * side * jitter(i, len(ring), salt + 2))
            for i, (x, y) in enumerate(place.all(ring))
        ]
        for ring in loops(place.grid, cells)
    ]
    soft = _SOFT * side
    line, rim = (_SAVED_CONTOUR if saver else _CONTOUR) * side, _RIM * side
    for step, (by, tint) in enumerate(zip(INSETS, _tints(c, len(INSETS) + 1), strict=False)):
        off = (by + HIGHER * (level - 1)) * side
        shapes = [inset(ring, off) for ring in rings]
        if step:
            yield strokes(_ticks(shapes, side), Pen(c.line, _HACHURE * side))
        outline = one_path([_softened(shape, soft) for shape in shapes])
        if saver:
            yield Path(outline, tint, Pen(c.line, line), even_odd=True)
            continue
        lit = [[(x - 0.36 * rim, y + 0.36 * rim) for x, y in inset(shape, 0.5 * rim)] for shape in shapes]
        yield Path(outline, mixed(tint, c.line, 0.3), Pen(c.line, line), even_odd=True)
        yield Path(
            one_path([_softened(shape, soft) for shape in lit]), mixed(tint, "#ffffff", 0.5), None, even_odd=True
        )
        yield Path(one_path([_softened(inset(shape, rim), soft) for shape in shapes]), tint, None, even_odd=True)


_SOFT = 0.24
"""Distance from a corner of a contour on squares at which its rounding begins, in cell sides."""


def _softened(ring: Sequence[XY], by: float) -> Steps:
    """Return a ring with round corners. Points between nearly straight lines are not rounded."""
    steps: list[Step] = []
    for i, (x, y) in enumerate(ring):
        (ax, ay), (bx, by_) = ring[i - 1], ring[(i + 1) % len(ring)]
        before, behind = hypot(ax - x, ay - y) or 1.0, hypot(bx - x, by_ - y) or 1.0
        ux, uy, vx, vy = (ax - x) / before, (ay - y) / before, (bx - x) / behind, (by_ - y) / behind
        if abs(ux * vy - uy * vx) < 0.3:
            steps.append(("L" if steps else "M", x, y))
            continue
        k, m = min(by, 0.45 * before), min(by, 0.45 * behind)
        steps.append(("L" if steps else "M", x + k * ux, y + k * uy))
        near, far = (x + 0.4 * k * ux, y + 0.4 * k * uy), (x + 0.4 * m * vx, y + 0.4 * m * vy)
        steps.append(("C", *near, *far, x + m * vx, y + m * vy))
    return (*steps, ("Z",))


def _ticks(rings: Sequence[Sequence[XY]], side: float) -> list[Segment]:
    """Return hachures at rings, on the side away from the light."""
    found: list[Segment] = []
    for ring in rings:
        for i, (ax, ay) in enumerate(ring):
            bx, by = ring[(i + 1) % len(ring)]
            long = hypot(bx - ax, by - ay) or 1.0
            nx, ny = (by - ay) / long, (ax - bx) / long
            if nx * _LEE[0] + ny * _LEE[1] < 0.25:
                continue
            count = max(1, round(long / (0.1 * side)))
            for k in range(count):
                t = (k + 0.5) / count
                x, y = ax + t * (bx - ax), ay + t * (by - ay)
                reach = (0.085 + 0.035 * jitter(i, k, 3)) * side
                found.append(((x, y), (x + reach * nx, y + reach * ny)))
    return found
