"""Draw trees and woods. The light comes from the upper left, so shades and shadows are at the lower right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import NamedTuple

from generator.grid.hexes import Cell
from generator.model.picture import XY, Colour, Item, Path, Pen, Symbol, Use, circle
from generator.symbols.ridges import one_path
from generator.symbols.shapes import Place, Step, Steps, closed, inset, jitter, loops, mixed, rounded, strokes, turned
from generator.symbols.theme import Palette

_OUTLINE, _SAVED_OUTLINE, _RULED = 0.13, 0.2, 0.11
"""Width of a crown's outline in full ink and in an ink-saving print, and of the lines that shade a crown there, in
mm."""
_SHADOWS = ((1.0, 0.10), (0.72, 0.26))
"""Size of the two nested shapes of a shadow, relative to the crown, and the share of black-green in their colours."""
SHADOW_COLOUR = "#2a2a18"
"""The colour that is mixed with the ground where a shadow falls."""
_CAST = (0.62, -0.2)
"""Offset of a tree's shadow from its foot, relative to the radius of its crown."""


class Kind(NamedTuple):
    """A kind of tree: its drawing, the radius of its crown and its height in mm."""

    name: str
    radius: float
    height: float


OAK, LIME, SPRUCE = Kind("oak", 1.5, 3.7), Kind("lime", 1.2, 3.9), Kind("spruce", 1.2, 4.2)
POPLAR, BUSH, TWIN = Kind("poplar", 0.72, 4.3), Kind("bush", 1.25, 1.7), Kind("twin", 1.55, 3.4)
MIXTURES: tuple[tuple[Kind, ...], ...] = (
    (OAK, LIME, OAK, BUSH, TWIN),
    (SPRUCE, SPRUCE, SPRUCE, BUSH, OAK),
    (OAK, SPRUCE, LIME, SPRUCE, BUSH),
    (LIME, POPLAR, TWIN, BUSH, LIME),
    (TWIN, OAK, OAK, SPRUCE, POPLAR),
)
"""The kinds of trees that grow together in a cell."""


def _one_tone(c: Palette) -> bool:
    """Return whether a palette is for an ink-saving print, in which trees are drawn without fills."""
    return c.fill == c.light


def _tones(c: Palette) -> tuple[Colour, ...]:
    """Return the colours of crowns."""
    return (c.fill, mixed(c.fill, c.dark, 0.45), mixed(c.fill, c.light, 0.3), mixed(c.fill, c.dark, 0.8))


def _lobes(x: float, y: float, r: float, count: int, tall: float = 1.0, turn: float = 0.0) -> Steps:
    """Return the lobed outline of a broad-leaved crown."""
    rim = [turned((0.86 * r, 0), 360 / count * i + turn) for i in range(count)]
    steps: list[Step] = [("M", x + rim[0][0], y + tall * rim[0][1])]
    for i in range(count):
        (ax, ay), (bx, by) = rim[i], rim[(i + 1) % count]
        control = (x + 1.5 * ax, y + tall * 1.5 * ay, x + 1.5 * bx, y + tall * 1.5 * by)
        steps.append(("C", *control, x + bx, y + tall * by))
    return (*steps, ("Z",))


def _crescent(x: float, y: float, r: float, middle: float, tall: float = 1.0, depth: float = 0.55) -> Steps:
    """Return a crescent along the rim of a crown, around the direction `middle` in degrees."""

    def at(turn: float, share: float) -> XY:
        angle = radians(middle + turn)
        return x + share * r * cos(angle), y + tall * share * r * sin(angle)

    a, b = at(-85, 0.86), at(85, 0.86)
    out, back = [*at(-52, 1.28), *at(52, 1.28)], [*at(50, 1.2 - depth), *at(-50, 1.2 - depth)]
    return (("M", *a), ("C", *out, *b), ("C", *back, *a), ("Z",))


_LIT, _SHADED = 135.0, -45.0
"""Directions of the lit and the shaded side, in degrees."""


class Crown(NamedTuple):
    """A round crown: its centre, radius, number of lobes, and height relative to its width."""

    x: float
    y: float
    r: float
    lobes: int
    tall: float = 1.0


def _crowns(kind: Kind) -> tuple[Crown, ...]:
    """Return the round crowns of a tree whose foot is at the origin, from back to front."""
    match kind:
        case _ if kind == OAK:
            return (Crown(0, 2.2, 1.5, 7),)
        case _ if kind == LIME:
            return (Crown(0, 2.3, 1.15, 6, 1.28),)
        case _ if kind == POPLAR:
            return (Crown(0, 2.4, 0.72, 6, 2.5),)
        case _ if kind == BUSH:
            return (Crown(-0.75, 0.75, 0.72, 5), Crown(0.8, 0.65, 0.66, 5), Crown(0.05, 0.9, 0.85, 6))
        case _:
            return (Crown(0.7, 2.3, 1.05, 6), Crown(-0.65, 1.85, 1.1, 6))


def _broad(kind: Kind, fill: Colour, c: Palette) -> Iterator[Item]:
    """Yield a broad-leaved tree: trunks, then its crowns with their shaded and lit sides."""
    crowns, pen = _crowns(kind), Pen(c.line, _SAVED_OUTLINE if _one_tone(c) else _OUTLINE)
    if kind != BUSH:
        yield strokes([((of.x, 0.0), (of.x, of.y)) for of in crowns], Pen(c.line, 0.4))
    for of in crowns:
        yield Path(_lobes(of.x, of.y, of.r, of.lobes, of.tall, 20), fill, pen)
        if _one_tone(c):
            yield strokes(_ruling(of), Pen(c.line, _RULED))
        else:
            yield Path(_crescent(of.x, of.y, of.r, _SHADED, of.tall, 0.75), mixed(fill, c.line, 0.42))
            yield Path(_crescent(of.x, of.y, of.r, _LIT, of.tall, 0.62), mixed(fill, c.light, 0.6))


def _ruling(of: Crown) -> list[tuple[XY, XY]]:
    """Return short horizontal lines on the shaded side of a crown."""
    found = []
    for i in range(4):
        y = -0.72 + 0.34 * i
        found.append(((of.x + 0.22 * of.r + 0.16 * i * of.r, of.y + of.tall * of.r * y),
                      (of.x + of.r * (1 - y * y) ** 0.5 * 0.92, of.y + of.tall * of.r * y)))  # fmt: skip
    return found


def _spruce(fill: Colour, c: Palette) -> Iterator[Item]:
    """Yield a spruce with three tiers, whose right half is shaded."""
    tiers = ((0.55, 2.2, 1.25), (1.5, 3.2, 1.0), (2.5, 4.2, 0.72))
    pen = Pen(c.line, _SAVED_OUTLINE if _one_tone(c) else _OUTLINE)
    yield strokes([((0, 0), (0, 0.7))], Pen(c.line, 0.4))
    shade: list[Step] = []
    lines: list[tuple[XY, XY]] = []
    outline: list[Step] = []
    for low, top, wide in tiers:
        outline += closed(((-wide, low), (-0.3 * wide, low - 0.16), (0.35 * wide, low - 0.16), (wide, low), (0, top)))
        shade += closed(((0.1 * wide, low - 0.14), (0.35 * wide, low - 0.16), (wide, low), (0, top)))
        lines.append(((0.15 * wide, low + 0.12), (0.8 * wide, low + 0.12)))
        lines.append(((0.1 * wide, low + 0.45), (0.5 * wide, low + 0.45)))
    yield Path(tuple(outline), fill, pen)
    if _one_tone(c):
        yield strokes(lines, Pen(c.line, _RULED))
    else:
        yield Path(tuple(shade), mixed(fill, c.line, 0.42))
        lit = [((-0.72 * wide, low + 0.1), (-0.08 * wide, top - 0.25)) for low, top, wide in tiers]
        yield strokes(lit, Pen(mixed(fill, c.light, 0.7), 0.17))


@lru_cache(256)  # Enough for the trees of a print.
def tree(kind: Kind, tone: int, c: Palette, ink: str) -> Symbol:
    """Return a tree whose foot is at the origin, with its shadow."""
    fill = _tones(c)[tone] if not _one_tone(c) else c.fill
    items: list[Item] = []
    if not _one_tone(c):
        x, y = _CAST[0] * kind.radius, _CAST[1] * kind.radius
        for size, share in _SHADOWS:
            wide = size * kind.radius
            items.append(_ellipse(x, y, 1.15 * wide, 0.5 * wide, mixed(c.tint, SHADOW_COLOUR, share)))
    items += _spruce(fill, c) if kind == SPRUCE else _broad(kind, fill, c)
    return Symbol(f"tree.{kind.name}.{tone}.{c.fill[1:]}.{ink}", tuple(items))


def _ellipse(x: float, y: float, wide: float, high: float, fill: Colour) -> Path:
    steps: list[Step] = []
    for sign, *places in circle(0, 0, 1).steps:
        pairs = zip(places[::2], places[1::2], strict=True)
        steps.append((sign, *(n for a, b in pairs for n in (x + wide * float(a), y + high * float(b)))))
    return Path(tuple(steps), fill)


_SPACING, _TRIES = 1.8, 200
"""Minimum distance of two trees in mm, and the number of random positions that are tried in a cell."""


def wood(c: Palette, variant: int, ink: str, squares: bool) -> list[Item]:
    """Return the trees of a cell, from back to front.

    The drawing is for a hex with sides of 10 mm or a square with sides of 10 mm. The cell's name at the top stays
    visible.
    """
    mixture = MIXTURES[variant % len(MIXTURES)]
    scale, spacing = (0.72, 0.8 * _SPACING * 0.72) if squares else (1.0, _SPACING)
    found: list[tuple[float, float]] = []
    items: list[tuple[float, Use]] = []
    for i in range(_TRIES):
        x, y = 9.0 * jitter(i, variant, 31), 9.5 * jitter(i, variant, 32)
        kind = mixture[round(50 * jitter(i, variant, 33)) % len(mixture)]
        size = scale * (0.94 + 0.12 * jitter(i, variant, 34))
        if not (_fits_square if squares else _fits_hex)(x, y, kind, size):
            continue
        if any(hypot(x - a, 1.25 * (y - b)) < spacing for a, b in found):
            continue
        found.append((x, y))
        tone = round(50 * jitter(i, variant, 35)) % 4
        items.append((y, Use(tree(kind, tone, c, ink), x, y, size)))
    return [use for _, use in sorted(items, key=lambda item: -item[0])]


def _fits_hex(x: float, y: float, kind: Kind, size: float) -> bool:
    """Return whether a tree is inside a hex and clear of the hex's name."""
    r, top = size * kind.radius, y + size * kind.height
    inside = abs(x) + r < 8.6 and abs(x) * 0.577 - y < 9.0 and abs(x) * 0.577 + top < 10.6
    return inside and not (abs(x) < 3.3 + r and top > 5.2)


def _fits_square(x: float, y: float, kind: Kind, size: float) -> bool:
    """Return whether a tree is inside a square and clear of the square's name in the upper left corner."""
    r, top = size * kind.radius, y + size * kind.height
    inside = abs(x) + r < 4.8 and y > -4.5 and top < 4.9
    return inside and not (x - r < 0.4 and top > 2.7)


_FLOOR, _INNER = 0.05, 0.17
"""Distances of the edges of a wood's floor and of its inner floor from the cell sides, in cell sides."""


def floor(place: Place, cells: Sequence[Cell], c: Palette) -> list[Item]:
    """Return the floor below the trees of neighbouring cells, with a dashed edge."""
    side = place.side
    room = 2 * place.anatomy.inner / 3**0.5 * side
    pen = Pen(mixed(c.tint, c.dark, 0.5), 0.013 * side, (0.08 * side, 0.05 * side))
    rings = []
    for ring in loops(place.grid, cells):
        points = [(place.at(p), 0.05 * room * jitter(*p, 41), 0.05 * room * jitter(*p, 42)) for p in ring]
        rings.append([(x + right, y + up) for (x, y), right, up in points])
    outer = one_path([rounded(inset(ring, _FLOOR * room)) for ring in rings])
    if _one_tone(c):
        return [Path(outer, None, pen)]
    inner = one_path([rounded(inset(ring, _INNER * room)) for ring in rings])
    return [
        Path(outer, mixed(c.tint, c.fill, 0.16), pen, even_odd=True),
        Path(inner, mixed(c.tint, c.fill, 0.3), None, even_odd=True),
    ]
