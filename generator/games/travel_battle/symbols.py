"""Draw counters of troops as seen from above, with a front, the brigade's band at the rear, and a symbol."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import DataError
from generator.localization import tr
from generator.model.picture import XY, Item, Pen, circle, line, polygon
from generator.symbols.counters import Design, Drawings, body, both, edge
from generator.symbols.shapes import hatching, inset, moved, strokes, turned

DRAWINGS = Drawings()

_FRONT, _REAR, _WIDE = 4.3, -5.4, 6.2
_CUT = 2.3
_BAND = 3.0
_EDGE = 0.8
_PIPS = -3.4
"""The x coordinate of the first pip. The corners of the band are further to the left."""
_FIVE = 5
"""The number of pips in a group, which is the most that can be counted at a glance."""
_GROUP = 0.55
"""The additional distance between two groups of pips."""
_DIAMOND, _TIP = 7.4, 1.1
_COIN = 5.4
_STRIKE = 6.0

BASES: dict[str, tuple[XY, ...]] = {
    "base": both(((_WIDE, _REAR), (_WIDE, _FRONT))),
    "cut_base": both(((_WIDE - _CUT, _REAR), (_WIDE, _REAR + _CUT), (_WIDE, _FRONT - _CUT), (_WIDE - _CUT, _FRONT))),
}
"""The outline of each base from above, with its front at the top, by its name in the theme."""

_SQUARES: dict[str, tuple[XY, ...]] = {
    "base": ((0, -_DIAMOND), (_DIAMOND, 0), (0, _DIAMOND), (-_DIAMOND, 0)),
    "cut_base": tuple(
        (a * x - b * y, b * x + a * y)
        for a, b in ((0, -1), (1, 0), (0, 1), (-1, 0))
        for x, y in ((_DIAMOND - _TIP, -_TIP), (_DIAMOND - _TIP, _TIP))
    ),
}
"""The outlines for units in square, which are turned by 45° and have a front on every side."""


@DRAWINGS.counter(BASES, turns=True)
def troop(design: Design) -> list[Item]:
    """Return the drawing of a base with its front at the top. A wrecked base is crossed out.

    Raises:
        DataError: If the mark is neither `square` nor `wrecked`.
    """
    if design.mark not in ("", "square", "wrecked"):
        raise DataError(
            tr('troops on a base cannot carry the mark "{mark}"', mark=design.mark),
            hint=tr("accepted: square, wrecked"),
        )
    if design.mark == "wrecked":
        ring = BASES[design.outline]
        cross = [line(((-_STRIKE, s * _STRIKE), (_STRIKE, -s * _STRIKE)), Pen("#202020", 0.9)) for s in (-1, 1)]
        pale = [polygon(ring, design.camp.tint, Pen("#989898", 0.3)), *design.drawing("#b8b8b8")]
        return [*pale, *cross]
    square = design.mark == "square"
    outline = (_SQUARES if square else BASES)[design.outline]
    low, high = min(y for _, y in outline), max(y for _, y in outline)
    camp, pips = design.camp, design.quality.pips
    items = body(outline, design)
    foot = low
    if pips:
        foot = low + (1.55 * _BAND if square else _BAND)
        items += _band(tuple(_beyond(outline, foot, -1)), foot, design)
    if square:
        items += [polygon(tuple(inset(outline, _EDGE / 2)), None, Pen(camp.line, _EDGE)), edge(outline, design)]
        return items + [moved(path, 0, 0.35 if pips else 0, 0.82) for path in design.drawing(camp.light)]
    if design.front:
        high -= _EDGE
        items.append(polygon(tuple(_beyond(outline, high, 1)), camp.line))
        items.append(polygon(((-2.3, _FRONT), (2.3, _FRONT), (0, _FRONT + 2.3)), camp.line, Pen("#ffffff", 0.25)))
    items.append(edge(outline, design))
    size = 0.86 if pips else 1.02
    return items + [moved(path, 0, (foot + high) / 2, size) for path in design.drawing(camp.light)]


def _band(strip: tuple[XY, ...], high: float, design: Design) -> Iterator[Item]:
    """Yield the band along the rear in the brigade's colour, with its pips in groups of five.

    The pips start at the left end. In a corner, the second group is in a second row. If there are more than three
    pips, they are smaller.
    """
    c = design.quality.ink(design.ink)
    yield polygon(strip, c.fill, Pen(design.camp.line, 0.3))
    if design.ink == "saver" and c.dark != c.fill:
        yield strokes(hatching(strip, design.quality.hatch, 0.62), Pen(c.dark, 0.16))
    pips, corner = design.quality.pips, bool(design.mark)
    many = pips > 3
    apart, down, radius = (1.3, 1.25, 0.58) if many else (2.1, 1.25, 0.75)
    if corner:
        apart, down, radius = (1.15, 0.85, 0.5) if many else (1.95, 0.95, 0.75)
    for pip in range(pips):
        row, place = divmod(pip, _FIVE) if corner else (0, pip)
        in_row = min(_FIVE, pips - row * _FIVE)
        left = -apart * (in_row - 1) / 2 if corner else _PIPS + _GROUP * (pip // _FIVE)
        yield circle(
            left + apart * place, high - down - 1.25 * row, radius, c.light, Pen(c.fill, 0.25 if many else 0.4)
        )


def _beyond(outline: tuple[XY, ...], level: float, sign: int) -> Iterator[XY]:
    """Yield the part of a convex outline above a level (sign 1) or below it (-1)."""
    for i, (bx, by) in enumerate(outline):
        ax, ay = outline[i - 1]
        if (ay - level) * (by - level) < 0:
            yield ax + (bx - ax) * (level - ay) / (by - ay), level
        if (by - level) * sign >= 0:
            yield bx, by


_FLAG = ((6.3, -4.6), (6.3, 4.6), (1.9, 4.6), (0.0, 6.8), (-1.9, 4.6), (-6.3, 4.6), (-6.3, -4.6))
_CUT_FLAG = (
    (-4.0, 4.6), (-6.3, 2.3), (-6.3, -2.3), (-4.0, -4.6), (-1.9, -4.6), (0.0, -6.8), (1.9, -4.6), (4.0, -4.6),
    (6.3, -2.3), (6.3, 2.3), (4.0, 4.6),
)  # fmt: skip
FLAGS: dict[str, tuple[XY, ...]] = {
    "flag": _FLAG,
    "cut_flag": _CUT_FLAG,
    "coin": tuple(turned((_COIN, 0.0), 12 * i) for i in range(30)),
}
"""The outlines of each side's flag, which points towards the enemy, and of a circle. Both contain a number."""


@DRAWINGS.counter(FLAGS)
def flag(design: Design) -> list[Item]:
    """Return a plain flag or circle in its side's colours."""
    outline = FLAGS[design.outline]
    return [*body(outline, design), edge(outline, design)]
