"""Draw high terrain. Neighbouring cells share their contours, so that they look like one ridge."""

from __future__ import annotations

import math
from collections.abc import Sequence

from generator.grid.hexes import Cell
from generator.model.picture import XY, Item, Path, Pen
from generator.symbols.shapes import (
    Place,
    Steps,
    inset,
    jitter,
    loops,
    rounded,
    seed,
    strokes,
    turned,
)
from generator.symbols.theme import Palette

FOOT, CREST, PEAK = 0.12, 0.36, 0.34
"""Distances of the lower and the upper contour from the hexsides, and radius of the summit of a single hex, in
hexsides."""
HIGHER = 0.05
"""Additional distance of the contours from the hexsides for each higher level, in hexsides."""


def ridge(place: Place, cells: Sequence[Cell], c: Palette, level: int = 1) -> list[Item]:
    """Return the contours and hachures of connected high terrain.

    The contours of a higher level are inside the lower ones.
    """
    side = place.side
    # Lengths are defined for a hex and are scaled for other kinds of cells.
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
        Path(one_path(foot), c.fill, line, even_odd=True),
        strokes(ticks, Pen(c.line, 0.016 * side)),
        Path(one_path(crest), c.light, line, even_odd=True),
        *([Path(one_path(summits), c.dark, line)] if summits else []),
    ]


def one_path(parts: list[Steps]) -> Steps:
    """Join several sequences of steps into one path."""
    return tuple(step for part in parts for step in part)


def _summit(centre: XY, cell: Cell, side: float) -> Steps:
    ring = []
    for i in range(6):
        r = PEAK * side * (1 + 0.22 * jitter(*seed(cell), i))
        x, y = turned((r, 0), 60 * i)
        ring.append((centre[0] + 1.15 * x, centre[1] + 0.9 * y))
    return rounded(ring)


def _hachures(ring: Sequence[XY], side: float) -> list[tuple[XY, XY]]:
    """Return short strokes that point outward and downhill from a rounded ring."""
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
