"""Rivers: one band that flows through every watery hex, and what crosses it."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from generator.grid.hexes import Cell
from generator.model.picture import XY, Item, Path, Pen, Symbol, Use, circle, line, polygon, rectangle
from generator.symbols.shapes import Place, Steps, chance, jitter, seed, strokes
from generator.symbols.theme import Palette, look

WIDTH = 0.46
"""The band's width in hexsides."""
_BEND = 0.36
_MEANDER = 0.16
_OVERLAP = 0.03


def river(place: Place, flows: Mapping[Cell, Sequence[int]], straight: Container[Cell], c: Palette) -> list[Item]:
    """The band through those hexes: banks, water, and the lines of its flow; it does not sway in `straight`."""
    side = place.side
    courses = {
        cell: _course(place, cell, exits, 0.0 if cell in straight else _MEANDER) for cell, exits in flows.items()
    }
    steps = tuple(step for course in courses.values() for step in course)
    plain = tuple(step for cell, course in courses.items() if len(flows[cell]) == 2 for step in course)
    pools = tuple(cell for cell, exits in flows.items() if len(exits) != 2)

    def layer(colour: str, width: float) -> list[Item]:
        band: list[Item] = [Path(steps, None, Pen(colour, width * side, round=False))] if steps else []
        return band + [circle(*place.centre(cell), 0.6 * width * side, colour) for cell in pools]

    # A dashed band under a solid, narrower one leaves pairs of thin lines that run with the flow.
    ripples = [
        Path(plain, None, Pen(colour, width * side, tuple(k * side for k in dash), round=False))
        for colour, width, dash in (
            (c.light, 0.245, (0.42, 0.36, 0.2, 0.5)),
            (c.fill, 0.19, ()),
            (c.light, 0.085, (0.26, 0.55, 0.5, 0.3)),
            (c.fill, 0.03, ()),
        )
    ]
    return [
        *layer(c.line, WIDTH + 0.05),
        *layer(c.dark, WIDTH),
        *layer(c.fill, WIDTH - 0.09),
        *(ripples if plain else []),
    ]


def shallows(place: Place, flows: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """The stretch of the band that can be waded: paler, and dotted."""
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
    """What leads over the water in a hex, set square to its flow."""
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
    """The middle line of the water through a cell, a little longer where it goes on in the next."""
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
    if len(exits) > 2:  # the middle of a confluence is water, not an island
        steps += [step for d in exits for step in (("M", x, y), ("L", *out(d)))]
    return tuple(steps)


def planks(c: Palette) -> list[Item]:
    """A wooden bridge; the water flows along x."""
    deck = ((-2.7, -6.3), (2.7, -6.3), (2.7, 6.3), (-2.7, 6.3))
    boards = [((-2.6, -6.3 + 0.9 * i), (2.6, -6.3 + 0.9 * i)) for i in range(1, 14)]
    rails = [((x, -6.6), (x, 6.6)) for x in (-2.7, 2.7)]
    posts: list[Item] = [rectangle(x - 0.42, y - 0.42, 0.84, 0.84, c.dark, Pen(c.line, 0.2))
                         for x in (-2.7, 2.7) for y in (-6.2, -2.6, 2.6, 6.2)]  # fmt: skip
    return [
        polygon(deck, c.fill, Pen(c.line, 0.2)),
        strokes(boards, Pen(c.dark, 0.2)),
        strokes(rails, Pen(c.line, 0.55)),
        *posts,
    ]


def arches(c: Palette) -> list[Item]:
    """A stone bridge with parapets and pointed piers; the water flows along x."""
    items: list[Item] = []
    for y in (-1.5, 1.5):
        items.append(polygon(((-4.4, y), (-2.6, y + 0.95), (-2.6, y - 0.95)), c.dark, Pen(c.line, 0.22)))
        items.append(polygon(((4.4, y), (2.6, y + 0.95), (2.6, y - 0.95)), c.dark, Pen(c.line, 0.22)))
    side = ((3.6, -6.6), (2.8, -4.2), (2.8, 4.2), (3.6, 6.6))
    outline = (*side, *((-x, y) for x, y in reversed(side)))
    items.append(polygon(outline, c.fill, Pen(c.line, 0.3)))
    inner = ((2.6, -6.6), (1.9, -4.2), (1.9, 4.2), (2.6, 6.6))
    items.append(polygon((*inner, *((-x, y) for x, y in reversed(inner))), c.light, Pen(c.line, 0.2)))
    joints = [((s * 1.9, y), (s * 2.8, y)) for s in (-1, 1) for y in (-3.8, -2.3, -0.8, 0.8, 2.3, 3.8)]
    paving = [((-1.7 + 1.2 * (i % 2), -4.9 + 1.2 * i), (-0.2 + 1.2 * (i % 2), -4.9 + 1.2 * i)) for i in range(9)]
    items += [strokes(joints, Pen(c.line, 0.2)), strokes(paving, Pen(c.dark, 0.18))]
    return items


def stones(c: Palette) -> list[Item]:
    """Stepping stones; the water flows along x."""
    items: list[Item] = []
    for i in range(7):
        y = -4.5 + 1.5 * i
        for x in (-1.25 + 0.4 * (i % 2), 1.0 + 0.4 * (i % 2)):
            r = 0.62 + 0.12 * jitter(i, round(x * 10), 3)
            items.append(circle(x, y, r, c.fill, Pen(c.line, 0.24)))
    ripples = [((x, y), (x + 1.5, y)) for x, y in ((-4.9, 0.9), (-4.3, -0.9), (3.0, 0.5), (3.6, -1.1))]
    return [line(r, Pen(c.dark, 0.24)) for r in ripples] + items


CROSSINGS: dict[str, Callable[[Palette], list[Item]]] = {
    "planks": planks,
    "arches": arches,
    "stones": stones,
}


@lru_cache(64)  # the looks of a print's fords and bridges
def _crossing(key: str, pattern: str, c: Palette, ink: str) -> Symbol:
    return Symbol(f"crossing.{key}.{ink}", tuple(look("pattern", CROSSINGS, pattern)(c)))
