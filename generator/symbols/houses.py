"""Draw houses on squares, seen from above: four forms of roofs with two pairs of colours, lit from the upper left."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model.picture import XY, Item, Path, Pen, polygon, rectangle
from generator.symbols.shapes import Step, closed, mixed, strokes
from generator.symbols.theme import Palette

_SHADOW = (0.75, -0.8)
"""Offset of a house's shadow in mm."""
_EDGE, _TILE = 0.22, 0.11
"""Width of a roof's edges and of the lines of its tiles, in mm."""
Face = tuple[int, tuple[XY, ...]]
"""A slope of a roof: its number from 0, the lightest, to 3, the darkest, and its corners."""

_HIPPED: tuple[Face, ...] = (
    (0, ((-4.2, 2.6), (-1.7, -0.7), (1.7, -0.7), (4.2, 2.6))),
    (1, ((-4.2, 2.6), (-4.2, -4.0), (-1.7, -0.7))),
    (2, ((4.2, 2.6), (4.2, -4.0), (1.7, -0.7))),
    (3, ((-4.2, -4.0), (4.2, -4.0), (1.7, -0.7), (-1.7, -0.7))),
)
_GABLED: tuple[Face, ...] = (
    (0, ((-4.2, 2.4), (4.2, 2.4), (4.2, -0.8), (-4.2, -0.8))),
    (3, ((-4.2, -0.8), (4.2, -0.8), (4.2, -4.0), (-4.2, -4.0))),
)
_CORNER: tuple[Face, ...] = (
    (0, ((-4.2, 2.6), (4.2, 2.6), (2.3, 1.0), (-2.6, 1.0))),
    (1, ((-4.2, 2.6), (-2.6, 1.0), (-2.6, -4.0), (-4.2, -4.0))),
    (2, ((-1.0, -4.0), (-1.0, -0.6), (-2.6, 1.0), (-2.6, -4.0))),
    (3, ((-1.0, -0.6), (4.2, -0.6), (2.3, 1.0), (-2.6, 1.0))),
    (2, ((4.2, 2.6), (4.2, -0.6), (2.3, 1.0))),
)
_PAIR: tuple[Face, ...] = (
    (1, ((-4.2, 2.6), (-2.4, 2.6), (-2.4, -4.0), (-4.2, -4.0))),
    (2, ((-2.4, 2.6), (-0.6, 2.6), (-0.6, -4.0), (-2.4, -4.0))),
    (0, ((0.5, 1.4), (4.2, 1.4), (4.2, -1.1), (0.5, -1.1))),
    (3, ((0.5, -1.1), (4.2, -1.1), (4.2, -3.6), (0.5, -3.6))),
)
FORMS = (_HIPPED, _GABLED, _CORNER, _PAIR)
_CHIMNEYS = ((1.9, 0.6), (-2.6, 0.4), (1.2, 1.4), (2.6, -0.2))


def house(c: Palette, variant: int) -> list[Item]:
    """Return a house whose form and colour depend on the variant. The square's name above it stays visible."""
    form, saver = FORMS[variant % len(FORMS)], c.fill == c.light or c.fill == "#ffffff"
    base = c.fill if variant // len(FORMS) % 2 == 0 else mixed(c.fill, c.dark, 0.35)
    tones = (mixed(base, "#ffffff", 0.28), base, mixed(base, c.dark, 0.55), mixed(base, c.line, 0.35))
    items: list[Item] = []
    if not saver:
        right, up = _SHADOW
        shade: list[Step] = []
        for _, ring in form:
            shade += closed((x + right, y + up) for x, y in ring)
        items.append(Path(tuple(shade), mixed(c.tint, "#2a2a18", 0.24)))
    for tone, ring in form:
        fill = "#ffffff" if saver else tones[tone]
        items.append(polygon(ring, fill, Pen(c.line, _EDGE)))
        if not saver or tone >= 2:
            items.append(strokes(_tiles(ring), Pen(c.line if saver else mixed(base, c.line, 0.4), _TILE)))
    x, y = _CHIMNEYS[variant % len(_CHIMNEYS)]
    return [*items, rectangle(x, y, 0.9, 0.9, c.light, Pen(c.line, 0.2))]


def _tiles(ring: Sequence[XY]) -> list[tuple[XY, XY]]:
    """Return lines along the eaves of a slope, which is the side between its first two corners."""
    (ax, ay), (bx, by) = ring[0], ring[1]
    (px, py), (qx, qy) = ring[-1], ring[2]
    lines = []
    for t in (0.25, 0.5, 0.75):
        lines.append(((ax + t * (px - ax), ay + t * (py - ay)), (bx + t * (qx - bx), by + t * (qy - by))))
    return lines
