"""Draw broad arrows along the land, which grow wider towards their head."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum, hypot

from generator.model.picture import XY, Item, Pen, polygon
from generator.symbols.shapes import cut_back, hatching, mixed, strokes
from generator.symbols.theme import Palette

TAIL, NECK = 0.1, 0.26
"""Width of an arrow at its tail and at the base of its head, in cell sides."""
HEAD = (0.5, 0.33)
"""Length of the head of an arrow, and half its width, in cell sides."""
_EDGE = 0.065
"""Width of the pale edge around an arrow, in cell sides."""
_FADED = 0.28
"""Share of the ground's colour in the colour of an arrow."""
_GROUND = "#f0efdb"
_STEPS = 7
"""Number of straight segments between two cells of a curved arrow."""


def ribbon(course: Sequence[XY], side: float, c: Palette, angle: float, back: float) -> list[Item]:
    """Return an arrow along a course in mm, which stops `back` mm before both ends of the course.

    `side` is the length of a cell side in mm. In an ink-saving print, the arrow is ruled at an angle in degrees.
    """
    points = _smooth(course)
    cut_back(points, back)
    points.reverse()
    cut_back(points, back)
    points.reverse()
    length = fsum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    head = min(HEAD[0] * side, 0.6 * length)
    tip = points[-1]
    cut_back(points, head)
    share = head / (HEAD[0] * side)
    left, right, so_far = list[XY](), list[XY](), 0.0
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        if i:
            so_far += hypot(x - points[i - 1][0], y - points[i - 1][1])
        long = hypot(bx - ax, by - ay) or 1.0
        half = (TAIL + (NECK - TAIL) * so_far / (length or 1.0)) / 2 * side * share
        nx, ny = -(by - ay) / long, (bx - ax) / long
        left.append((x + half * nx, y + half * ny))
        right.append((x - half * nx, y - half * ny))
    (x, y), long = points[-1], hypot(tip[0] - points[-1][0], tip[1] - points[-1][1]) or 1.0
    nx, ny = -(tip[1] - y) / long * HEAD[1] * side * share, (tip[0] - x) / long * HEAD[1] * side * share
    ring = (*left, (x + nx, y + ny), tip, (x - nx, y - ny), *reversed(right))
    edge = polygon(ring, "#ffffff", Pen("#ffffff", 2 * _EDGE * side))
    if c.fill == "#ffffff":
        ruled = strokes(hatching(ring, angle, 0.14 * side), Pen(c.line, 0.018 * side))
        return [edge, ruled, polygon(ring, None, Pen(c.line, 0.028 * side))]
    return [edge, polygon(ring, mixed(c.fill, _GROUND, _FADED))]


def _smooth(course: Sequence[XY]) -> list[XY]:
    """Return a curve through points, which is straight between two points."""
    if len(course) < 3:
        return list(course)
    found = [course[0]]
    for i in range(len(course) - 1):
        (ax, ay), (bx, by) = course[max(0, i - 1)], course[i]
        (cx, cy), (dx, dy) = course[i + 1], course[min(len(course) - 1, i + 2)]
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            p, q, r, s = -t + 2 * t * t - t**3, 2 - 5 * t * t + 3 * t**3, t + 4 * t * t - 3 * t**3, t**3 - t * t
            found.append(((p * ax + q * bx + r * cx + s * dx) / 2, (p * ay + q * by + r * cy + s * dy) / 2))
    return found
