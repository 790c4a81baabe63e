"""What grows and stands on a square, drawn on one with sides of 10 mm around (0, 0)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from generator.model.picture import XY, Item, Path, Pen, line, polygon, rectangle
from generator.press.symbols.shapes import hatching, jitter, strokes
from generator.press.symbols.terrain import crown
from generator.press.theme import Palette

_CLUMP: tuple[XY, ...] = (
    (3.3, 3.4), (-0.6, 3.5), (1.3, 2.2), (-3.4, 1.9), (4.0, 0.6), (-1.3, 0.9), (1.9, -0.4), (-3.9, -0.9),
    (0.0, -2.0), (3.8, -2.7), (-2.1, -3.6), (1.8, -3.9),
)  # fmt: skip
"""Where trees stand: clear of the square's name (upper left) and letter (lower left), and seen round a token."""


def sward(c: Palette, variant: int) -> list[Item]:
    """A few pale blades of grass."""
    blades: list[tuple[XY, ...]] = []
    for i, (x0, y0) in enumerate(((-2.9, 1.3), (2.6, 2.9), (-1.2, -2.9), (3.2, -1.4), (0.4, 0.8))):
        if jitter(i, variant, 11) < 0.1:
            x, y = x0 + 0.8 * jitter(i, variant, 12), y0 + 0.8 * jitter(i, variant, 13)
            blades += [((x, y), (x + k, y + 0.75 - 0.25 * abs(k))) for k in (-0.4, 0.0, 0.4)]
    return [strokes(blades, Pen(c.line, 0.16))] if blades else []


def furrows(c: Palette, variant: int) -> list[Item]:
    """Furrows of the plough, every field in its own direction, with a headland round it."""
    edge = 4.55
    ring = ((-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge))
    cuts = hatching(ring, (8.0, 98.0, 172.0, 82.0)[variant], 0.95, 0.4)
    return [polygon(ring, c.fill), strokes(cuts, Pen(c.line, 0.2)), strokes(_between(cuts), Pen(c.dark, 0.1))]


def _between(cuts: list[tuple[XY, XY]]) -> list[tuple[XY, XY]]:
    """Shorter lines halfway between neighbouring ones."""
    found = []
    for (a, b), (p, q) in pairwise(cuts):
        (ax, ay), (bx, by) = ((a[0] + p[0]) / 2, (a[1] + p[1]) / 2), ((b[0] + q[0]) / 2, (b[1] + q[1]) / 2)
        dx, dy = 0.12 * (bx - ax), 0.12 * (by - ay)
        found.append(((ax + dx, ay + dy), (bx - dx, by - dy)))
    return found


def roof(c: Palette, variant: int) -> list[Item]:
    """A hipped roof seen from above, its sunny sides light, with a chimney; it shows on all sides of a token."""
    w, h, ridge = 4.35, 3.7, 1.9
    corners = ((-w, -h), (w, -h), (w, h), (-w, h))
    left, right = (-ridge, 0.0), (ridge, 0.0)
    pen = Pen(c.line, 0.3)
    near, far = (corners[0], corners[1], right, left), (corners[2], corners[3], left, right)
    tiles = [*hatching(near, 0, 0.7, 0.35), *hatching((corners[1], corners[2], right), 90, 0.7, 0.35)]
    return [
        polygon(tuple((x + 0.4, y - 0.4) for x, y in corners), c.line, None, 0.35),
        polygon(far, c.fill),
        polygon((corners[3], corners[0], left), c.fill),
        polygon(near, c.dark),
        polygon((corners[1], corners[2], right), c.dark),
        strokes(tiles, Pen(c.line, 0.12)),
        polygon(corners, None, pen),
        strokes([(corners[3], left, right, corners[2]), (corners[0], left), (corners[1], right)], pen),
        rectangle(1.7, 1.5, 1.0, 1.0, c.light, Pen(c.line, 0.25)),
    ]


def clump(c: Palette, variant: int) -> list[Item]:
    """A clump of broad-leaved trees."""
    items: list[Item] = []
    for i, (x0, y0) in enumerate(_CLUMP):
        x, y = x0 + 0.2 * jitter(i, variant, 14), y0 + 0.2 * jitter(i, variant, 15)
        r = 1.02 + 0.16 * jitter(i, variant, 16)
        items.append(line(((x, y - r - 0.3), (x, y - 0.3)), Pen(c.line, 0.35)))
        items.append(Path(crown(x, y, r), c.fill, Pen(c.line, 0.18)))
        shade = ("C", x + 0.75 * r, y - 0.95 * r, x + 1.05 * r, y - 0.1 * r, x + 0.55 * r, y + 0.55 * r)
        items.append(Path((("M", x - 0.35 * r, y - 0.85 * r), shade), None, Pen(c.dark, 0.3)))
    return items


ON_SQUARES: dict[str, Callable[[Palette, int], list[Item]]] = {
    "sward": sward,
    "furrows": furrows,
    "roof": roof,
    "clump": clump,
}
