"""Country and places of an operational map, and streets; drawn on a hex, whichever way it is turned."""

from __future__ import annotations

import math
from collections.abc import Callable

from generator.model.picture import XY, Item, Path, Pen, circle, line, polygon, rectangle
from generator.press.symbols.shapes import jitter, strokes
from generator.press.theme import Palette

_CRAGS: tuple[XY, ...] = ((-4.2, 3.1), (3.9, 3.5), (-5.3, -1.3), (4.9, -1.2), (-2.3, -4.9), (2.4, -5.4), (0.2, 1.2))


def crags(c: Palette, variant: int) -> list[Item]:
    """Broken ground: low rocks and scrub."""
    items: list[Item] = []
    for i, (x0, y0) in enumerate(_CRAGS):
        x, y = x0 + 0.5 * jitter(i, variant, 21), y0 + 0.4 * jitter(i, variant, 22)
        if i % 3 == 2:
            blades = [((x, y), (x + k, y + 1.5 - 0.3 * abs(k))) for k in (-0.9, 0.0, 0.9)]
            items.append(strokes(blades, Pen(c.line, 0.3)))
            continue
        rock = ((x - 1.3, y - 0.6), (x - 0.7, y + 0.5), (x + 0.2, y + 0.8), (x + 1.2, y - 0.1), (x + 1.3, y - 0.6))
        items.append(polygon(rock, c.fill, Pen(c.line, 0.25)))
        items.append(polygon((rock[2], rock[3], rock[4], (x + 0.3, y - 0.6)), c.dark))
    return items


def peaks(c: Palette, variant: int) -> list[Item]:
    """Three mountains, one behind the other, their shaded sides to the right."""
    items: list[Item] = []
    for i, (x0, y0, h) in enumerate(((2.9, 0.6, 5.4), (-3.1, -0.9, 5.8), (1.2, -4.9, 5.2))):
        x, y, w = x0 + 0.4 * jitter(i, variant, 23), y0 + 0.3 * jitter(i, variant, 24), 0.66 * h
        top, fold = (x, y + h), (x + 0.16 * w, y + 0.45 * h)
        items.append(polygon(((x - w, y), top, (x + w, y)), c.fill))
        items.append(polygon((top, fold, (x - 0.05 * w, y), (x + w, y)), c.dark))
        items.append(polygon((top, (x - 0.3 * w, y + 0.7 * h), (x - 0.05 * w, y + 0.76 * h), fold), c.light))
        items.append(line(((x - w, y), top, (x + w, y)), Pen(c.line, 0.32)))
        items.append(line((top, fold, (x - 0.05 * w, y)), Pen(c.line, 0.16)))
    return items


def paving(c: Palette, variant: int) -> list[Item]:
    """A few stones of a street."""
    stones: list[tuple[XY, ...]] = []
    for i, (x, y) in enumerate(((-4.8, 2.6), (4.3, 3.1), (-3.6, -4.6), (4.6, -3.0))):
        if jitter(i, variant, 25) < 0.2:
            stones += [((x - 0.8, y), (x + 0.8, y)), ((x - 0.2, y - 0.7), (x - 0.2, y))]
            stones.append(((x + 0.4, y), (x + 0.4, y + 0.7)))
    return [strokes(stones, Pen(c.line, 0.16))] if stones else []


def gravel(c: Palette, variant: int) -> list[Item]:
    """Coarse dots: a hex that nobody enters."""
    rows = [(2.1 * x + 1.05 * (y % 2), 1.8 * y) for y in range(-4, 5) for x in range(-4, 5)]
    return [circle(x, y, 0.34, c.line) for x, y in rows if math.hypot(x, y) < 7.9]


def _house(c: Palette, x: float, y: float, w: float, h: float) -> list[Item]:
    """A house from its gable side, its foot's middle at (x, y)."""
    pen, r = Pen(c.line, 0.24), 0.7 * w
    return [
        rectangle(x - w / 2, y, w, h, c.fill, pen),
        polygon(((x - r, y + h), (x, y + h + 0.6 * w), (x + r, y + h)), c.dark, pen),
        rectangle(x - 0.25, y, 0.5, 0.45 * h, c.line),
    ]


def _tower(c: Palette, x: float, y: float, w: float, h: float) -> list[Item]:
    """A tower with battlements, its foot's middle at (x, y)."""
    pen, tooth = Pen(c.line, 0.26), w / 4
    teeth = [rectangle(x - 0.62 * w + i * 1.24 * w / 3 - 0.0, y + h, tooth, 0.9, c.fill, pen) for i in range(3)]
    return [
        rectangle(x - w / 2, y, w, h, c.fill, pen),
        *teeth,
        rectangle(x - 0.62 * w, y + h - 0.5, 1.24 * w, 0.9, c.light, pen),
        rectangle(x - 0.22, y + 0.45 * h, 0.44, 1.1, c.line),
    ]


def houses(c: Palette, variant: int) -> list[Item]:
    """A town: houses round a square, seen on both sides of a token."""
    spots = ((-3.2, 2.0, 2.4, 1.6), (3.4, 2.2, 2.4, 1.6), (-5.7, -1.4, 2.5, 1.8), (5.7, -1.2, 2.5, 1.8))
    low = ((-3.7, -4.9, 2.7, 1.9), (3.6, -5.0, 2.7, 1.9), (0.0, -1.3, 2.9, 2.1))
    return [item for x, y, w, h in (*spots, *low) for item in _house(c, x, y, w, h)]


def walled(c: Palette, variant: int) -> list[Item]:
    """A city: houses and a spire behind a wall with towers."""
    items = [item for x, y in ((-3.4, 0.2), (3.5, 0.4)) for item in _house(c, x, y, 2.6, 2.0)]
    items += [rectangle(-1.1, -0.6, 2.2, 3.6, c.fill, Pen(c.line, 0.24))]
    items += [polygon(((-1.4, 3.0), (0, 6.2), (1.4, 3.0)), c.dark, Pen(c.line, 0.24))]
    items += [rectangle(-5.6, -4.6, 11.2, 3.6, c.light, Pen(c.line, 0.28))]
    items += [rectangle(-5.2 + 1.6 * i, -1.0, 0.9, 0.8, c.light, Pen(c.line, 0.22)) for i in range(7)]
    gate = (("M", -1.0, -4.6), ("L", -1.0, -3.1), ("C", -1.0, -1.7, 1.0, -1.7, 1.0, -3.1), ("L", 1.0, -4.6), ("Z",))
    items += [Path(gate, c.line)]
    return items + [item for x in (-5.9, 5.9) for item in _tower(c, x, -5.0, 2.4, 6.0)]


def keep(c: Palette, variant: int) -> list[Item]:
    """A castle: a great tower between two lesser ones on a mound."""
    mound = (("M", -7.2, -5.4), ("C", -4.0, -2.6, 4.0, -2.6, 7.2, -5.4), ("Z",))
    items: list[Item] = [Path(mound, c.dark, Pen(c.line, 0.26))]
    items += _tower(c, 0.0, -3.4, 4.2, 8.0)
    items.append(rectangle(-5.2, -3.8, 10.4, 2.9, c.light, Pen(c.line, 0.26)))
    for x in (-5.2, 5.2):
        items += _tower(c, x, -4.3, 2.6, 5.6)
    gate = (("M", -0.9, -3.8), ("L", -0.9, -2.5), ("C", -0.9, -1.2, 0.9, -1.2, 0.9, -2.5), ("L", 0.9, -3.8), ("Z",))
    return [*items, Path(gate, c.line)]


PLACES: dict[str, Callable[[Palette, int], list[Item]]] = {
    "crags": crags,
    "peaks": peaks,
    "paving": paving,
    "gravel": gravel,
    "houses": houses,
    "walled": walled,
    "keep": keep,
}
