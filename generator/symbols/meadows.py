"""Draw open ground: tufts of grass, patches of meadow, and fields. They are scenery without any effect in a game."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from math import cos, fsum, pi, radians, sin
from zlib import crc32

from generator.grid.hexes import Cell
from generator.model.picture import XY, Item, Path, Pen, Symbol, Use
from generator.symbols.shapes import (
    HEXAGON,
    Place,
    Step,
    Steps,
    chance,
    hatching,
    inset,
    jitter,
    rounded,
    seed,
    strokes,
)
from generator.symbols.theme import Palette, ScenicColours, theme

_SHAPES: tuple[tuple[XY, ...], ...] = (
    ((-0.5, 0.7), (0.0, 1.05), (0.5, 0.7)),
    ((-0.75, 0.55), (-0.2, 1.0), (0.3, 0.95), (0.7, 0.5)),
    ((-0.3, 0.9), (0.25, 1.2)),
    ((-0.85, 0.35), (-0.4, 0.8), (0.1, 1.05), (0.45, 0.7)),
)
"""Four tufts of grass, given by the tips of their blades. Every blade starts near the origin."""
_MAX_TUFTS = 4
"""Maximum number of tufts in a hex."""


def grass(
    c: Palette, variant: int, spots: Sequence[XY], scale: float, width: float, max_tufts: int = _MAX_TUFTS
) -> list[Item]:
    """Return one to `max_tufts` tufts of pale grass on some of the spots, as a single path."""
    blades: list[tuple[XY, ...]] = []
    count = 1 + chance(variant, 5, 7) % max_tufts
    order = sorted(range(len(spots)), key=lambda i: chance(i, variant, 8))
    for i in order[:count]:
        x, y = spots[i][0] + jitter(i, variant, 8), spots[i][1] + jitter(i, variant, 9)
        tips = _SHAPES[chance(i, variant, 10) % len(_SHAPES)]
        blades += [((x + 0.35 * scale * a, y), (x + scale * a, y + scale * b)) for a, b in tips]
    return [strokes(blades, Pen(c.line, width))]


def scenic(scenery: str, kind: str) -> int:
    """Return the number that makes the scenery of one code differ from that of another."""
    return crc32(f"{scenery} {kind}".encode()) if scenery else 0


_PATCHY, _FARMED = 0.42, 0.33
"""Share of open cells with a patch of meadow, and approximate share of open hexes with fields."""


def patches(place: Place, open_cells: Container[Cell], c: ScenicColours, scenery: str) -> list[Item]:
    """Return soft patches of meadow. A patch extends into neighbouring cells only if they are open ground."""
    salt = scenic(scenery, "meadow")
    found: dict[str, list[Step]] = {}
    for cell in place.grid.cells if c.meadows else ():
        n = chance(*seed(cell), salt)
        if cell not in open_cells or n % 1000 >= 1000 * _PATCHY:
            continue
        around = place.neighbours(cell)
        inner = place.anatomy.inner
        surrounded = len(around) == len(place.anatomy.exits) and all(other in open_cells for other in around)
        size = inner * place.side * (1.15 if surrounded else 0.76)
        off = inner * place.side * (0.45 if surrounded else 0.08)
        x, y = place.centre(cell)
        x, y = x + off * jitter(*seed(cell), salt + 1), y + off * jitter(*seed(cell), salt + 2)
        ring = []
        for i in range(6):
            r, turn = size * (1 + 0.24 * jitter(i, n % 9973, 3)), 2 * pi * i / 6
            ring.append((x + r * cos(turn), y + r * sin(turn)))
        found.setdefault(c.meadows[n // 1000 % len(c.meadows)], []).extend(rounded(ring))
    return [Path(tuple(steps), colour) for colour, steps in sorted(found.items())]


def farmland(place: Place, open_cells: Container[Cell], ink: str, scenery: str) -> Iterator[Use]:
    """Yield the fields on open hexes. A slow wave over the board determines where there is farmland."""
    salt = scenic(scenery, "field")
    phase = [2 * pi * (salt >> shift & 255) / 255 for shift in (0, 8, 16)]
    for cell in place.grid.cells:
        if cell not in open_cells:
            continue
        x, y = place.grid.centre(cell)
        wave = sin(0.34 * x + phase[0]) + sin(0.29 * y + phase[1]) + sin(0.2 * (x - y) + phase[2])
        if wave > 1.5 * (1 - 2 * _FARMED) + 0.25 * jitter(*seed(cell), salt):
            n = chance(*seed(cell), salt + 1)
            turn = 60.0 * (n // 64 % 6) + (180 if place.turned else 0)
            yield Use(_field(n % _FIELDS, ink), *place.centre(cell), place.scale, turn % 360)


_FIELDS = 8
"""Number of drawings of fields. Each also appears in six directions."""
_LANE, _CORNER = 0.75, 0.4
"""Width of the lanes between fields in mm, and share of a field's sides that is rounded at its corners."""


@lru_cache(64)  # Enough for both inks.
def _field(variant: int, ink: str) -> Symbol:
    """Return the fields of a hex: two or three parcels with furrows, tints and hedges."""
    c = theme().scenery.ink(ink)
    items: list[Item] = []
    parcels = _split(inset(HEXAGON, _LANE / 2), 90 * jitter(variant, 1, 51), 2.5 * jitter(variant, 2, 51))
    if variant % 3 == 0:
        parcels = [parcels[0], *_split(parcels[1], 90 * jitter(variant, 3, 51), 2.0 * jitter(variant, 4, 51))]
    for i, parcel in enumerate(parcels):
        ring = inset(parcel, _LANE / 2)
        tint = c.fields[chance(variant, i, 52) % len(c.fields)] if c.fields else ""
        if tint:
            items.append(Path(_corners(ring), tint))
        items += _crop(inset(ring, 0.35), chance(variant, i, 53), c)
        if chance(variant, i, 54) % 2:
            a, b = max(
                zip(ring, [*ring[1:], ring[0]], strict=True), key=lambda pair: chance(round(pair[0][0]), i, 55)
            )
            items.append(strokes([(a, b)], Pen(c.hedge, 0.3, (0.001, 0.52))))
    return Symbol(f"field.{variant}.{ink}", tuple(items))


def _crop(ring: Sequence[XY], n: int, c: ScenicColours) -> list[Item]:
    """Return one of four patterns of furrows in a parcel."""
    angle = float(n // 4 % 180)
    match n % 4:
        case 0:
            return [strokes(hatching(ring, angle, 0.95), Pen(c.furrow, 0.14))]
        case 1:
            return [strokes(hatching(ring, angle, 1.05), Pen(c.furrow, 0.2, (0.7, 0.5)))]
        case 2:
            return [strokes(hatching(ring, angle, 0.9), Pen(c.furrow, 0.24, (0.001, 0.9)))]
        case _:
            return [strokes(hatching(ring, angle, 1.7), Pen(c.strip, 0.8, round=False))]


def _corners(ring: Sequence[XY]) -> Steps:
    """Return a polygon with small round corners."""
    steps: list[Step] = []
    for i, (x, y) in enumerate(ring):
        (ax, ay), (bx, by) = ring[i - 1], ring[(i + 1) % len(ring)]
        k = _CORNER / 2
        steps.append(("L" if steps else "M", x + k * (ax - x), y + k * (ay - y)))
        first = x + 0.4 * k * (ax - x), y + 0.4 * k * (ay - y)
        second = x + 0.4 * k * (bx - x), y + 0.4 * k * (by - y)
        steps.append(("C", *first, *second, x + k * (bx - x), y + k * (by - y)))
    return (*steps, ("Z",))


def _split(ring: Sequence[XY], angle: float, off: float) -> list[list[XY]]:
    """Cut a convex polygon along a line at an angle in degrees, `off` mm from the origin."""
    nx, ny = -sin(radians(angle)), cos(radians(angle))
    parts: tuple[list[XY], list[XY]] = ([], [])
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        da, db = ax * nx + ay * ny - off, bx * nx + by * ny - off
        parts[da > 0].append((ax, ay))
        if (da > 0) != (db > 0):
            t = da / (da - db)
            cut = (ax + t * (bx - ax), ay + t * (by - ay))
            parts[0].append(cut)
            parts[1].append(cut)
    return [part for part in parts if len(part) > 2 and _area(part) > 20]


def _area(ring: Sequence[XY]) -> float:
    return fsum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2
