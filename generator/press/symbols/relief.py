"""High ground: neighbouring hexes share their contours, so that they read as one ridge."""

from __future__ import annotations

import math
from collections.abc import Sequence

from generator.grid.hexes import Hex
from generator.model.picture import XY, Item, Path, Pen
from generator.press.symbols.place import Place
from generator.press.symbols.shapes import Steps, inset, jitter, loops, rounded, strokes, turned
from generator.press.theme import Palette

FOOT, CREST, PEAK = 0.12, 0.36, 0.34
"""How far the lower and the upper contour lie inside the hexes, and the radius of a hex's own summit,
in hexsides."""


def ridge(place: Place, cells: Sequence[Hex], c: Palette) -> list[Item]:
    """The contours and hachures of a stretch of high ground."""
    side = place.side
    foot: list[Steps] = []
    crest: list[Steps] = []
    ticks: list[tuple[XY, XY]] = []
    for ring in loops(cells):
        points = []
        for p in ring:
            x, y = place.at(p)
            points.append((x + 0.045 * side * jitter(*p, 1), y + 0.045 * side * jitter(*p, 2)))
        foot.append(rounded(inset(points, FOOT * side)))
        upper = inset(points, CREST * side)
        crest.append(rounded(upper))
        ticks += _hachures(upper, side)
    summits = [_summit(place.centre(cell), cell, side) for cell in cells]
    line = Pen(c.line, 0.018 * side)
    return [
        Path(_joined(foot), c.fill, line, even_odd=True),
        strokes(ticks, Pen(c.line, 0.016 * side)),
        Path(_joined(crest), c.light, line, even_odd=True),
        Path(_joined(summits), c.dark, line),
    ]


def _joined(parts: list[Steps]) -> Steps:
    return tuple(step for part in parts for step in part)


def _summit(centre: XY, cell: Hex, side: float) -> Steps:
    ring = []
    for i in range(6):
        r = PEAK * side * (1 + 0.22 * jitter(cell.q, cell.r, i))
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
