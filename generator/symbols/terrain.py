"""Draw the terrain of hexes and squares, and rivers."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from generator.grid.hexes import Cell
from generator.model.picture import XY, Item, Path, Pen, Symbol, Use, circle, line, polygon
from generator.symbols.counters import painted
from generator.symbols.houses import house
from generator.symbols.meadows import grass
from generator.symbols.places import PLACES
from generator.symbols.shapes import (
    HALF,
    HEXAGON,
    SIDE,
    Anatomy,
    Place,
    Step,
    Steps,
    chance,
    closed,
    hatching,
    inset,
    jitter,
    mixed,
    seed,
    strokes,
    turned,
)
from generator.symbols.theme import Palette, look, theme
from generator.symbols.trees import wood


def tufts(c: Palette, variant: int) -> list[Item]:
    """Return reeds between short lines that represent standing water."""
    blades: list[tuple[XY, ...]] = []
    water: list[tuple[XY, ...]] = []
    for i, (x0, y0) in enumerate(theme().spots["tufts"]):
        x, y = x0 + 0.6 * jitter(i, variant, 5), y0 + 0.4 * jitter(i, variant, 6)
        blades += [((x + 0.35 * k, y), (x + 0.85 * k, y + 1.9 - 0.28 * abs(k))) for k in (-1.6, -0.6, 0.5, 1.5)]
        water.append(((x - 1.7, y - 0.35), (x + 1.7, y - 0.35)))
        water.append(((x - 0.5, y - 0.95), (x + 2.1, y - 0.95)))
        if i % 2:
            water.append(((x - 2.6, y - 0.95), (x - 1.3, y - 0.95)))
    return [strokes(water, Pen(c.dark, 0.26)), strokes(blades, Pen(c.line, 0.3))]


def sharpened_stakes(c: Palette, variant: int) -> list[Item]:
    """Return a palisade of sharpened stakes along all sides, with a gap for the hex's name."""
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
    """Return a stone wall with two courses along all sides, with a gap for the hex's name."""
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
    """Return the corners of a hexagon as an open line with a gap around the upper corner."""
    left, far, right = ring[3], ring[2], ring[1]
    return (_between(left, far, 0.5), *(ring[i] for i in (3, 4, 5, 0, 1)), _between(right, far, 0.5))


def _between(a: XY, b: XY, t: float) -> XY:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def meadow(c: Palette, variant: int) -> list[Item]:
    """Return a few pale tufts of grass in a hex."""
    return grass(c, variant, theme().spots["meadow"], 1.0, 0.2)


def hatch(c: Palette, variant: int) -> list[Item]:
    """Return hatching for terrain that has no drawing."""
    return [strokes(hatching(inset(HEXAGON, 0.8), 60, 1.5), Pen(c.line, 0.16))]


def dots(c: Palette, variant: int) -> list[Item]:
    """Return dots for terrain that has no drawing."""
    rows = [(x * 1.9 + (y % 2) * 0.95, y * 1.65) for y in range(-4, 5) for x in range(-4, 5)]
    return [circle(x, y, 0.22, c.line) for x, y in rows if abs(x) < 7.4 and abs(x) * 0.577 + abs(y) < 8.4]


def sward(c: Palette, variant: int) -> list[Item]:
    """Return a few pale tufts of grass in a square."""
    return grass(c, variant, theme().spots["sward"], 0.75, 0.15, 2)


def furrows(c: Palette, variant: int) -> list[Item]:
    """Return the furrows of a ploughed field with an unploughed edge. Their direction depends on the variant."""
    edge = 4.55
    ring = ((-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge))
    cuts = hatching(ring, (8.0, 98.0, 172.0, 82.0)[variant % 4], 0.95, 0.4)
    return [polygon(ring, c.fill), strokes(cuts, Pen(c.line, 0.2)), strokes(_halfway(cuts), Pen(c.dark, 0.1))]


def _halfway(cuts: list[tuple[XY, XY]]) -> list[tuple[XY, XY]]:
    """Return shorter lines midway between neighbouring lines."""
    found = []
    for (a, b), (p, q) in pairwise(cuts):
        (ax, ay), (bx, by) = ((a[0] + p[0]) / 2, (a[1] + p[1]) / 2), ((b[0] + q[0]) / 2, (b[1] + q[1]) / 2)
        dx, dy = 0.12 * (bx - ax), 0.12 * (by - ay)
        found.append(((ax + dx, ay + dy), (bx - dx, by - dy)))
    return found


def crags(c: Palette, variant: int) -> list[Item]:
    """Return broken ground with low rocks and scrub."""
    rocks, shades, blades = list[Step](), list[Step](), list[tuple[XY, ...]]()
    for i, (x0, y0) in enumerate(theme().spots["crags"]):
        x, y = x0 + 0.5 * jitter(i, variant, 21), y0 + 0.4 * jitter(i, variant, 22)
        if i % 3 == 2:
            blades += [((x, y), (x + k, y + 1.5 - 0.3 * abs(k))) for k in (-0.9, 0.0, 0.9)]
            continue
        rock = ((x - 1.3, y - 0.6), (x - 0.7, y + 0.5), (x + 0.2, y + 0.8), (x + 1.2, y - 0.1), (x + 1.3, y - 0.6))
        rocks += closed(rock)
        shades += closed((rock[2], rock[3], rock[4], (x + 0.3, y - 0.6)))
    shaded = [Path(tuple(rocks), c.fill, Pen(c.line, 0.25)), Path(tuple(shades), c.dark)]
    return [*shaded, strokes(blades, Pen(c.line, 0.3))]


def peaks(c: Palette, variant: int) -> list[Item]:
    """Return three mountains, one behind the other, with their shaded sides on the right."""
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
    """Return a few paving stones of a street."""
    stones: list[tuple[XY, ...]] = []
    for i, (x, y) in enumerate(theme().spots["paving"]):
        if jitter(i, variant, 25) < 0.2:
            stones += [((x - 0.8, y), (x + 0.8, y)), ((x - 0.2, y - 0.7), (x - 0.2, y))]
            stones.append(((x + 0.4, y), (x + 0.4, y + 0.7)))
    return [strokes(stones, Pen(c.line, 0.16))] if stones else []


WOODS = {"trees": False, "clump": True}
"""Patterns of woods, and whether each is drawn for squares."""
VARIANTS = 10
"""Number of variants of a pattern, which prevents neighbouring cells from looking identical."""

ON_SQUARES = ("sward", "furrows", "roof", "clump")
"""Patterns that are drawn for squares and scaled for hexes."""
_GROWN = (meadow, tufts, rampart, hatch, dots, sward, furrows)
PATTERNS = (
    {drawing.__name__: drawing for drawing in (*_GROWN, crags, peaks, paving)}
    | {"roof": house, "stakes": sharpened_stakes}
    | PLACES
)
"""Drawings of a single cell that vary between cells or are computed. The other drawings are defined in
data/theme.toml. Relief, roads and water are drawn elsewhere, because they depend on neighbouring cells."""

_SHARE = SIDE / 2 / HALF
"""Size of a square relative to a hex with sides of the same length."""


@lru_cache(512)  # Enough for the terrain of the hexes of a print.
def ground_symbol(key: str, pattern: str, palette: Palette, variant: int, ink: str) -> Symbol:
    """Return the symbol of a terrain for a single cell."""
    if pattern in WOODS:
        items: Sequence[Item] = wood(palette, variant, ink, squares=WOODS[pattern])
    elif pattern in theme().drawing:
        items = painted(pattern, palette)
    else:
        items = look("pattern", PATTERNS, pattern)(palette, variant)
    return Symbol(f"ground.{key}.{variant}.{ink}", tuple(items))


def growth(pattern: str, cell: Anatomy) -> float:
    """Return the scale that fits a pattern to a kind of cell. It is 1 if the pattern was made for this kind."""
    if (pattern in ON_SQUARES) is cell.squares:
        return 1.0
    return _SHARE if cell.squares else 1 / _SHARE


WIDTH = 0.48
"""Width of a river, in hexsides."""
_BANK = 0.2
"""Width by which both banks together exceed the water, in hexsides."""
_BEND = 0.36
"""Position of a bend's control points, as a fraction of the way from the centre of a cell to its exits."""
_MEANDER = 0.16
"""Sideways offset of a meandering river, as a fraction of the distance from the centre of a cell to an exit."""
_OVERLAP = 0.03
"""Fraction by which a river extends into the next cell, so that there is no visible gap between the cells."""


def river(place: Place, flows: Mapping[Cell, Sequence[int]], straight: Container[Cell], c: Palette) -> list[Item]:
    """Return a river through hexes, with banks, water, lines of flow and reeds.

    It does not meander in the cells of `straight`. The bank towards the light casts its shadow on the water.
    """
    side, saver = place.side, c.tint == c.fill
    courses = {
        cell: _course(place, cell, exits, 0.0 if cell in straight else _MEANDER) for cell, exits in flows.items()
    }
    steps = tuple(step for course in courses.values() for step in course)
    plain = tuple(step for cell, course in courses.items() if len(flows[cell]) == 2 for step in course)
    pools = tuple(cell for cell, exits in flows.items() if len(exits) != 2)

    def layer(colour: str, width: float, off: float = 0.0) -> list[Item]:
        course = _shifted(steps, off * side, -off * side) if off else steps
        band: list[Item] = [Path(course, None, Pen(colour, width * side, round=False))] if steps else []
        centres = [place.centre(cell) for cell in pools]
        return band + [circle(x + off * side, y - off * side, 0.6 * width * side, colour) for x, y in centres]

    def flow(colour: str, width: float, dash: tuple[float, ...]) -> Item:
        return Path(plain, None, Pen(colour, width * side, tuple(k * side for k in dash), round=False))

    # A dashed line below a narrower solid line appears as pairs of thin lines along the flow.
    if saver:
        lines = ((0.4, ()), (0.378, None), (0.31, (0.5, 0.2)), (0.29, None), (0.2, (0.3, 0.34)), (0.182, None))
        ripples = [flow(c.fill if dash is None else c.dark, width, dash or ()) for width, dash in lines]
        banks = [*layer(c.line, WIDTH + 0.05), *layer(c.fill, WIDTH)]
        return [*banks, *(ripples if plain else [])]
    core = mixed(c.fill, c.light, 0.5)
    ripples = [
        flow(core, 0.2, ()),
        flow(c.light, 0.255, (0.42, 0.36, 0.2, 0.5)),
        flow(c.fill, 0.225, ()),
        flow(core, 0.19, ()),
        flow(c.light, 0.09, (0.26, 0.55, 0.5, 0.3)),
        flow(core, 0.055, ()),
    ]
    return [
        *layer(c.line, WIDTH + _BANK + 0.03),
        *layer(mixed(c.line, c.tint, 0.5), WIDTH + _BANK),
        *layer(mixed(c.line, c.dark, 0.35), WIDTH + 0.03),
        *layer(c.dark, WIDTH),
        *layer(c.fill, WIDTH - 0.055, 0.018),
        *(ripples if plain else []),
        *_reeds(place, courses, flows, straight),
    ]


_REED = "#7d8a4a"
"""The colour of reeds."""


def _reeds(
    place: Place, courses: Mapping[Cell, Steps], flows: Mapping[Cell, Sequence[int]], straight: Container[Cell]
) -> list[Item]:
    """Return reeds on some banks, as a single path."""
    blades: list[tuple[XY, ...]] = []
    side = place.side
    for cell, course in courses.items():
        if cell in straight or len(flows[cell]) != 2 or chance(*seed(cell), 61) % 3 == 0:
            continue
        x, y = course[0][1:3]
        for n, step in enumerate(course):
            if step[0] != "C":
                x, y = step[-2:]
                continue
            points = [(float(a), float(b)) for a, b in zip((x, *step[1::2]), (y, *step[2::2]), strict=True)]
            x, y = step[-2:]
            t = 0.5 + 0.3 * jitter(*seed(cell), n)
            px, py, dx, dy = _on_curve(points, t)
            sign = 1 if chance(*seed(cell), 62 + n) % 2 else -1
            long = math.hypot(dx, dy) or 1.0
            off = (WIDTH + 0.5 * _BANK) / 2 * side * sign
            fx, fy = px - off * dy / long, py + off * dx / long
            for k in (-1.0, -0.4, 0.2, 0.8):
                foot = (fx + 0.06 * side * k, fy)
                blades.append((foot, (foot[0] + 0.035 * side * k, fy + (0.17 - 0.03 * abs(k)) * side)))
    return [strokes(blades, Pen(_REED, 0.022 * side))] if blades else []


def _on_curve(points: Sequence[XY], t: float) -> tuple[float, float, float, float]:
    """Return the point of a cubic curve at t, from 0 to 1, and the direction there."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    u = 1 - t
    x = u**3 * ax + 3 * u * u * t * bx + 3 * u * t * t * cx + t**3 * dx
    y = u**3 * ay + 3 * u * u * t * by + 3 * u * t * t * cy + t**3 * dy
    right = u * u * (bx - ax) + 2 * u * t * (cx - bx) + t * t * (dx - cx)
    up = u * u * (by - ay) + 2 * u * t * (cy - by) + t * t * (dy - cy)
    return x, y, right, up


def _shifted(steps: Steps, right: float, up: float) -> Steps:
    return tuple((kind, *(float(n) + (up if i % 2 else right) for i, n in enumerate(at))) for kind, *at in steps)


def shallows(place: Place, flows: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """Return the fordable part of a river, which is paler than the rest and dotted."""
    steps = tuple(step for cell, exits in flows.items() for step in _course(place, cell, exits, 0.0))
    side = place.side
    if not steps:
        return []
    return [
        Path(steps, None, Pen(c.light, (WIDTH - 0.09) * side, round=False)),
        Path(steps, None, Pen(c.dark, 0.30 * side, (0.028 * side, 0.12 * side), round=False)),
        Path(steps, None, Pen(c.light, 0.20 * side, round=False)),
        Path(steps, None, Pen(c.dark, 0.10 * side, (0.028 * side, 0.12 * side), round=False)),
        Path(steps, None, Pen(c.light, 0.035 * side, round=False)),
    ]


def crossing(place: Place, key: str, pattern: str, cell: Cell, exits: Sequence[int], c: Palette, ink: str) -> Use:
    """Return a bridge or ford in a hex, at right angles to the flow of the river."""
    x, y = place.centre(cell)
    angle, around = 0.0, len(place.anatomy.exits)
    if len(exits) >= 2:
        a, b = max(combinations(exits, 2), key=lambda pair: -abs((pair[0] - pair[1]) % around - around // 2))
        (ax, ay), (bx, by) = place.way(cell, a), place.way(cell, b)
        k = (1 + 3 * _BEND) / 8 * place.side
        x, y = x + k * (ax + bx), y + k * (ay + by)
        angle = math.degrees(math.atan2(by - ay, bx - ax)) % 180
    elif exits:
        ax, ay = place.way(cell, exits[0])
        angle = math.degrees(math.atan2(ay, ax)) % 180
    if angle > 90:
        angle -= 180
    return Use(_crossing(key, pattern, c, ink), x, y, place.scale, round(angle, 3))


def _course(place: Place, cell: Cell, exits: Sequence[int], meander: float) -> Steps:
    """Return the centre line of the water through a cell.

    It is slightly longer if the river continues in the next cell.
    """
    x, y = place.centre(cell)
    side, around = place.side, len(place.anatomy.exits)
    steps: list[tuple[str | float, ...]] = []

    def out(direction: int) -> XY:
        k = 1 + (_OVERLAP if place.across(cell, direction) else 0.0)
        mx, my = place.way(cell, direction)
        return x + k * side * mx, y + k * side * my

    if len(exits) == 1:
        return (("M", x, y), ("L", *out(exits[0])))
    for a, b in combinations(exits, 2):
        (ax, ay), (bx, by) = place.way(cell, a), place.way(cell, b)
        steps += [("M", *out(a)), ("L", x + ax * side, y + ay * side)]
        k = _BEND * side
        if (a - b) % around == around // 2:
            sway = meander * (1 if chance(*seed(cell)) % 2 else -1) * (0.75 + 0.25 * jitter(*seed(cell)))
            sx, sy = x - sway * side * ay, y + sway * side * ax
            steps.append(("C", x + k * ax, y + k * ay, sx + k * ax, sy + k * ay, sx, sy))
            steps.append(("C", sx + k * bx, sy + k * by, x + k * bx, y + k * by, x + bx * side, y + by * side))
        else:
            steps.append(("C", x + k * ax, y + k * ay, x + k * bx, y + k * by, x + bx * side, y + by * side))
        steps.append(("L", *out(b)))
    if len(exits) > 2:  # The centre of a confluence is water, not an island.
        steps += [step for d in exits for step in (("M", x, y), ("L", *out(d)))]
    return tuple(steps)


def stones(c: Palette) -> list[Item]:
    """Return stepping stones. The water flows in the direction of the x axis."""
    found = list[Step]()
    for i in range(7):
        y = -4.5 + 1.5 * i
        for x in (-1.25 + 0.4 * (i % 2), 1.0 + 0.4 * (i % 2)):
            found += circle(x, y, 0.62 + 0.12 * jitter(i, round(x * 10), 3)).steps
    ripples = [((x, y), (x + 1.5, y)) for x, y in ((-4.9, 0.9), (-4.3, -0.9), (3.0, 0.5), (3.6, -1.1))]
    return [strokes(ripples, Pen(c.dark, 0.24)), Path(tuple(found), c.fill, Pen(c.line, 0.24))]


CROSSINGS = ("planks", "arches", "stones")


@lru_cache(64)  # Enough for the fords and bridges of a print.
def _crossing(key: str, pattern: str, c: Palette, ink: str) -> Symbol:
    return Symbol(f"crossing.{key}.{ink}", tuple(stones(c) if pattern == "stones" else painted(pattern, c)))
