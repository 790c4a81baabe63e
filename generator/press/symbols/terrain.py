"""What grows and stands on a hex, one drawing for each variant of a look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from generator.model.picture import XY, Item, Path, Pen, circle, line, polygon, rectangle
from generator.press.symbols.shapes import HEXAGON, Steps, hatching, inset, jitter, moved, strokes, turned
from generator.press.theme import Palette

_TREES: tuple[XY, ...] = (
    (-3.7, 5.4), (3.8, 5.5), (-6.5, 3.4), (6.4, 3.5), (0.2, 4.2), (-2.9, 2.1), (3.1, 2.0), (-6.7, 0.2),
    (6.6, 0.1), (0.1, 0.1), (-3.6, -1.6), (3.5, -1.8), (6.4, -3.3), (-3.8, -5.1), (0.2, -3.8), (3.6, -5.4),
    (-0.2, -7.0),
)  # fmt: skip
"""Where trees stand: clear of the hex's name (top) and letter (lower left)."""

_TUFTS: tuple[XY, ...] = (
    (-5.3, 3.2), (5.2, 3.3), (-5.6, -0.9), (5.4, -1.0), (0.1, 2.0), (-2.4, -3.0), (2.4, -2.4), (4.2, -5.1),
    (-1.6, -6.3),
)  # fmt: skip


def crown(x: float, y: float, r: float) -> Steps:
    """The lobed outline of a broad-leaved tree."""
    rim = [turned((0.9 * r, 0), 60 * i + 20) for i in range(6)]
    steps: list[tuple[str | float, ...]] = [("M", x + rim[0][0], y + rim[0][1])]
    for i in range(6):
        (ax, ay), (bx, by) = rim[i], rim[(i + 1) % 6]
        steps.append(("C", x + 1.7 * ax, y + 1.7 * ay, x + 1.7 * bx, y + 1.7 * by, x + bx, y + by))
    return (*steps, ("Z",))


def trees(c: Palette, variant: int) -> list[Item]:
    """A wood of broad-leaved trees with a few firs."""
    items: list[Item] = []
    for i, (x0, y0) in enumerate(_TREES):
        x, y = x0 + 0.4 * jitter(i, variant, 1), y0 + 0.5 * jitter(i, variant, 2)
        r = 1.35 + 0.28 * jitter(i, variant, 3)
        items.append(line(((x, y - r - 0.75), (x, y - 0.4)), Pen(c.line, 0.45)))
        if jitter(i, variant, 4) > 0.55:
            fir = ((x - 1.25, y - r), (x, y + 1.9), (x + 1.25, y - r))
            items.append(polygon(fir, c.dark, Pen(c.line, 0.22)))
            items.append(line(((x - 0.75, y - 0.2), (x, y + 0.15), (x + 0.75, y - 0.2)), Pen(c.line, 0.16)))
        else:
            items.append(Path(crown(x, y, r), c.fill, Pen(c.line, 0.22)))
            shade = ("C", x + 0.75 * r, y - 0.95 * r, x + 1.05 * r, y - 0.1 * r, x + 0.55 * r, y + 0.55 * r)
            items.append(Path((("M", x - 0.35 * r, y - 0.85 * r), shade), None, Pen(c.dark, 0.42)))
    return items


def tufts(c: Palette, variant: int) -> list[Item]:
    """Reeds between short lines of standing water."""
    blades: list[tuple[XY, ...]] = []
    water: list[tuple[XY, ...]] = []
    for i, (x0, y0) in enumerate(_TUFTS):
        x, y = x0 + 0.6 * jitter(i, variant, 5), y0 + 0.4 * jitter(i, variant, 6)
        blades += [((x + 0.35 * k, y), (x + 0.85 * k, y + 1.9 - 0.28 * abs(k))) for k in (-1.6, -0.6, 0.5, 1.5)]
        water.append(((x - 1.7, y - 0.35), (x + 1.7, y - 0.35)))
        water.append(((x - 0.5, y - 0.95), (x + 2.1, y - 0.95)))
        if i % 2:
            water.append(((x - 2.6, y - 0.95), (x - 1.3, y - 0.95)))
    return [strokes(water, Pen(c.dark, 0.26)), strokes(blades, Pen(c.line, 0.3))]


def building(c: Palette, variant: int) -> list[Item]:
    """A walled house with a tower on either side, wide enough to be seen round a token."""
    pen = Pen(c.line, 0.28)
    items = [line(((-7.9, -4.6), (7.9, -4.6)), pen)]
    items.append(rectangle(-5.4, -4.3, 10.8, 5.2, c.fill, pen))
    items.append(polygon(((-5.9, 0.9), (-3.6, 4.2), (3.6, 4.2), (5.9, 0.9)), c.dark, pen))
    tiles = hatching(((-5.5, 1.2), (-3.5, 4.0), (3.5, 4.0), (5.5, 1.2)), 0, 0.8)
    items.append(strokes(tiles, Pen(c.line, 0.1)))
    for x in (-6.2, 6.2):
        items.append(rectangle(x - 1.45, -4.9, 2.9, 7.4, c.light, pen))
        items.append(polygon(((x - 1.8, 2.5), (x, 5.3), (x + 1.8, 2.5)), c.dark, pen))
        items.append(rectangle(x - 0.3, 0.0, 0.6, 1.2, c.line))
    door = (("M", -1.2, -4.3), ("L", -1.2, -2.6), ("C", -1.2, -1.0, 1.2, -1.0, 1.2, -2.6), ("L", 1.2, -4.3), ("Z",))
    items.append(Path(door, c.line))
    items += [rectangle(x, -2.1, 0.8, 1.4, c.line) for x in (-3.8, 3.0)]
    return [moved(item, 0, 0.8) for item in items]


def stakes(c: Palette, variant: int) -> list[Item]:
    """A palisade of sharpened stakes along all sides, open where the hex's name stands."""
    bend = ((-3.4, 4.7), (-6.9, 2.9), (-6.9, -3.4), (0.0, -7.3), (6.9, -3.4), (6.9, 2.9), (3.4, 4.7))
    feet = [
        (a[0] + t / n * (b[0] - a[0]), a[1] + t / n * (b[1] - a[1]))
        for (a, b), n in zip(pairwise(bend), (2, 4, 5, 5, 4, 2), strict=True)
        for t in range(n)
    ] + [bend[-1]]
    stake = ((-0.5, -1.1), (0.5, -1.1), (0.5, 1.5), (0, 2.5), (-0.5, 1.5))
    items: list[Item] = []
    for x, y in sorted(feet, key=lambda foot: -foot[1]):
        placed = [turned(p, -1.6 * x) for p in stake]
        items.append(polygon(tuple((x + a, y + b) for a, b in placed), c.fill, Pen(c.line, 0.26)))
        rope = [turned(p, -1.6 * x) for p in ((-0.5, 0.0), (0.5, 0.0))]
        items.append(line(tuple((x + a, y + b) for a, b in rope), Pen(c.line, 0.4)))
    return items


def rampart(c: Palette, variant: int) -> list[Item]:
    """A wall of stone in two courses along all sides, open where the hex's name stands."""
    outer, middle, inner = (_open_ring(inset(HEXAGON, by)) for by in (0.8, 1.7, 2.6))
    joints: list[tuple[XY, XY]] = []
    for a in range(len(outer) - 1):
        for lower, upper, shares in (
            (outer, middle, (0.0, 0.25, 0.5, 0.75)),
            (middle, inner, (0.12, 0.38, 0.62, 0.88)),
        ):
            joints += [(_between(lower[a], lower[a + 1], t), _between(upper[a], upper[a + 1], t)) for t in shares]
    return [
        polygon((*outer, *reversed(inner)), c.fill, Pen(c.line, 0.34)),
        strokes(joints, Pen(c.line, 0.2)),
        strokes([middle], Pen(c.line, 0.2)),
    ]


def _open_ring(ring: Sequence[XY]) -> tuple[XY, ...]:
    """A hexagon's corners from beside the far one round to its other side."""
    left, far, right = ring[3], ring[2], ring[1]
    return (_between(left, far, 0.5), *(ring[i] for i in (3, 4, 5, 0, 1)), _between(right, far, 0.5))


def _between(a: XY, b: XY, t: float) -> XY:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def meadow(c: Palette, variant: int) -> list[Item]:
    """A few pale blades of grass."""
    blades: list[tuple[XY, ...]] = []
    for i, (x0, y0) in enumerate(((-5.6, 2.9), (5.4, 1.2), (-1.4, -6.3), (3.9, -4.1), (-5.0, -1.8), (1.0, 2.6))):
        if jitter(i, variant, 7) < 0.35:
            x, y = x0 + 1.1 * jitter(i, variant, 8), y0 + 1.1 * jitter(i, variant, 9)
            blades += [((x, y), (x + k, y + 1.0 - 0.3 * abs(k))) for k in (-0.5, 0.0, 0.5)]
    return [strokes(blades, Pen(c.line, 0.22))] if blades else []


def hatch(c: Palette, variant: int) -> list[Item]:
    """Plain hatching: for a ground that has no drawing of its own."""
    return [strokes(hatching(inset(HEXAGON, 0.8), 60, 1.5), Pen(c.line, 0.16))]


def dots(c: Palette, variant: int) -> list[Item]:
    """Plain dots: for a ground that has no drawing of its own."""
    rows = [(x * 1.9 + (y % 2) * 0.95, y * 1.65) for y in range(-4, 5) for x in range(-4, 5)]
    return [circle(x, y, 0.22, c.line) for x, y in rows if abs(x) < 7.4 and abs(x) * 0.577 + abs(y) < 8.4]


ON_HEXES: dict[str, Callable[[Palette, int], list[Item]]] = {
    "meadow": meadow,
    "trees": trees,
    "tufts": tufts,
    "building": building,
    "stakes": stakes,
    "rampart": rampart,
    "hatch": hatch,
    "dots": dots,
}
"""Drawings of one hex; relief, roads and water are drawn with their neighbours."""
