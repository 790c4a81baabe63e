"""Draw towns, cities and castles in four variants each, lit from the upper left."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model.picture import Item, Path, Pen, line, polygon, rectangle
from generator.symbols.shapes import mixed
from generator.symbols.theme import Palette

_EDGE = 0.24
"""Width of outlines in mm."""
House = tuple[float, float, float, float]
"""The middle of a house's base, its width and the height of its wall, in mm."""

_TOWNS: tuple[tuple[House, ...], ...] = (
    (
        (-3.2, 2.0, 2.4, 1.6),
        (3.4, 2.2, 2.4, 1.6),
        (-5.7, -1.4, 2.5, 1.8),
        (5.7, -1.2, 2.5, 1.8),
        (0.0, -1.3, 2.9, 2.1),
        (-3.7, -4.9, 2.7, 1.9),
        (3.6, -5.0, 2.7, 1.9),
    ),
    (
        (-4.6, 1.6, 2.4, 1.6),
        (-1.0, 2.4, 2.4, 1.7),
        (3.0, 1.7, 2.8, 1.9),
        (-5.9, -2.4, 2.4, 1.7),
        (6.0, -1.9, 2.3, 1.7),
        (-2.1, -3.6, 2.9, 2.0),
        (2.2, -4.2, 2.5, 1.8),
    ),
    (
        (-5.4, 0.6, 2.4, 1.7),
        (4.9, 1.2, 2.4, 1.7),
        (-2.2, 2.8, 2.2, 1.5),
        (-4.4, -3.6, 2.8, 1.9),
        (3.6, -2.6, 2.6, 1.9),
        (0.2, -5.2, 2.5, 1.8),
    ),
    (
        (0.4, 2.9, 2.4, 1.6),
        (-4.3, 1.3, 2.7, 1.9),
        (4.8, 0.7, 2.5, 1.7),
        (-0.2, -1.6, 2.4, 1.6),
        (-5.2, -3.4, 2.4, 1.7),
        (2.8, -4.4, 2.9, 2.0),
        (-1.6, -5.4, 2.2, 1.5),
    ),
)
"""The houses of each variant of a town, from back to front."""
_CHURCHES: tuple[tuple[float, float] | None, ...] = (None, None, (0.5, -0.9), None)
"""The foot of the church of each variant of a town."""
_SPIRES: tuple[tuple[float, ...], ...] = ((0.0,), (-2.4,), (2.2,), (-1.9, 1.9))
_CITY_HOUSES: tuple[tuple[House, ...], ...] = (
    ((-3.4, 0.2, 2.6, 2.0), (3.5, 0.4, 2.6, 2.0)),
    ((0.4, 0.3, 2.5, 1.9), (3.6, 0.1, 2.6, 2.1)),
    ((-3.7, 0.2, 2.5, 2.1), (-0.8, 0.4, 2.4, 1.8)),
    ((-4.1, 0.1, 2.2, 1.8), (4.1, 0.3, 2.2, 1.8)),
)
_TOWERS: tuple[tuple[float, float], ...] = ((6.0, 6.0), (7.0, 5.4), (5.4, 7.0), (6.6, 6.6))
"""The heights of the left and right tower of a city."""
_KEEPS: tuple[tuple[float, float, float, float], ...] = (
    (0.0, 8.0, 5.6, 5.6),
    (-1.6, 7.4, 4.8, 6.6),
    (1.6, 7.4, 6.6, 4.8),
    (0.0, 9.0, 4.6, 4.6),
)
"""For each variant of a castle: the middle of the great tower, its height, and the heights of the other towers."""


def _roofs(c: Palette, n: int) -> tuple[str, str]:
    """Return the lit and the shaded colour of a roof, of which there are two pairs."""
    base = c.dark if n % 2 == 0 or _is_saver(c) else mixed(c.dark, c.line, 0.22)
    return (c.fill if _is_saver(c) else mixed(base, "#ffffff", 0.2)), base


def _is_saver(c: Palette) -> bool:
    return c.fill == c.light


def _house(c: Palette, of: House, n: int) -> list[Item]:
    """Return a house with a gable whose left slope is lit."""
    x, y, wide, high = of
    lit, shaded = _roofs(c, n)
    half, eave, ridge = wide / 2, wide / 2 + 0.48, 0.6 * wide
    top = (x, y + high + ridge)
    pen = Pen(c.line, _EDGE)
    return [
        rectangle(x - half, y, wide, high, c.fill, pen),
        polygon(((x - eave, y + high), (x, y + high), top), lit),
        polygon(((x, y + high), (x + eave, y + high), top), shaded),
        polygon(((x - eave, y + high), (x + eave, y + high), top), None, pen),
        rectangle(x - 0.25, y, 0.5, 0.45 * high, c.line),
    ]


def _spire(c: Palette, x: float, y: float, n: int) -> list[Item]:
    """Return a church tower with a spire."""
    lit, shaded = _roofs(c, n)
    pen, top = Pen(c.line, _EDGE), (x, y + 6.8)
    return [
        rectangle(x - 1.1, y, 2.2, 3.6, c.fill, pen),
        polygon(((x - 1.4, y + 3.6), (x, y + 3.6), top), lit),
        polygon(((x, y + 3.6), (x + 1.4, y + 3.6), top), shaded),
        polygon(((x - 1.4, y + 3.6), (x + 1.4, y + 3.6), top), None, pen),
    ]


def _tower(c: Palette, x: float, y: float, wide: float, high: float) -> list[Item]:
    """Return a tower with battlements and a shaded right side."""
    pen, left = Pen(c.line, _EDGE), x - wide / 2
    items: list[Item] = [rectangle(left, y, wide, high, c.fill, pen)]
    if not _is_saver(c):
        items.append(
            rectangle(x + 0.18 * wide, y + 0.12, 0.32 * wide - 0.12, high - 0.12, mixed(c.fill, c.line, 0.22))
        )
    edge, tooth = 0.12 * wide, 1.24 * wide / 5
    for i in range(3):
        items.append(rectangle(left - edge + 2 * i * tooth, y + high, tooth, 0.9, c.fill, pen))
    items.append(rectangle(left - edge, y + high - 0.5, 1.24 * wide, 0.9, c.light, pen))
    items.append(rectangle(x - 0.22, y + 0.45 * high, 0.44, 1.1, c.line))
    return items


def _gate(c: Palette, x: float, y: float) -> Path:
    """Return an arched gate."""
    steps = (
        ("M", x - 1, y),
        ("L", x - 1, y + 1.5),
        ("C", x - 1, y + 2.9, x + 1, y + 2.9, x + 1, y + 1.5),
        ("L", x + 1, y),
        ("Z",),
    )
    return Path(steps, c.line)


def houses(c: Palette, variant: int) -> list[Item]:
    """Return a town: houses around a square, in one variant around a church."""
    n = variant % len(_TOWNS)
    back_to_front: Sequence[House] = sorted(_TOWNS[n], key=lambda of: -of[1])
    items: list[Item] = []
    church = _CHURCHES[n]
    for i, of in enumerate(back_to_front):
        if church and of[1] < church[1]:
            items += _spire(c, *church, i)
            church = None
        items += _house(c, of, i)
    return items


def walled(c: Palette, variant: int) -> list[Item]:
    """Return a city: houses and spires behind a wall with two towers."""
    n = variant % len(_TOWERS)
    pen = Pen(c.line, _EDGE)
    items = [item for i, of in enumerate(_CITY_HOUSES[n]) for item in _house(c, of, i)]
    for i, x in enumerate(_SPIRES[n]):
        items += _spire(c, x, -0.6, i)
    items.append(rectangle(-5.6, -4.6, 11.2, 3.6, c.light, pen))
    items += [rectangle(-5.2 + 1.6 * i, -1.0, 0.9, 0.8, c.light, pen) for i in range(7)]
    items.append(_gate(c, 0.0, -4.6))
    left, right = _TOWERS[n]
    return [*items, *_tower(c, -5.9, -5.0, 2.4, left), *_tower(c, 5.9, -5.0, 2.4, right)]


def keep(c: Palette, variant: int) -> list[Item]:
    """Return a castle on a mound: a great tower, two lesser ones, and a wall with a gate."""
    x, high, left, right = _KEEPS[variant % len(_KEEPS)]
    pen = Pen(c.line, _EDGE)
    mound = Path((("M", -7.2, -5.4), ("C", -4.0, -2.6, 4.0, -2.6, 7.2, -5.4), ("Z",)), c.dark, pen)
    items: list[Item] = [mound, *_tower(c, x, -3.4, 4.2, high)]
    if variant % len(_KEEPS) == len(_KEEPS) - 1:
        items += [
            line(((x, high - 2.5), (x, high - 0.6)), Pen(c.line, 0.2)),
            polygon(((x, high - 0.6), (x + 1.8, high - 1.1), (x, high - 1.6)), c.line),
        ]
    items.append(rectangle(-5.2, -3.8, 10.4, 2.9, c.light, pen))
    items += [*_tower(c, -5.2, -4.3, 2.6, left), *_tower(c, 5.2, -4.3, 2.6, right)]
    return [*items, _gate(c, 0.0, -3.8)]


PLACES = {drawing.__name__: drawing for drawing in (houses, walled, keep)}
"""The drawings of places. Each has as many variants as VARIANTS_OF_PLACES."""
VARIANTS_OF_PLACES = 4
