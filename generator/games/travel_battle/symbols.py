"""Troops in line of battle, from above: a base with a front, a brigade's band along its rear, and their arms."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import DataError
from generator.model.picture import XY, Colour, Item, Path, Pen, circle, line, polygon
from generator.said import say
from generator.symbols.counters import Design, Drawings, body, both, box, cut_out, edge, horse_head
from generator.symbols.shapes import hatching, inset, moved, strokes, turned

DRAWINGS = Drawings()
figure = DRAWINGS.figure

_FRONT, _REAR, _WIDE = 4.3, -5.4, 6.2
_CUT = 2.3
_BAND = 3.0
_EDGE = 0.8
_PIPS = -3.4
"""The first pip's place; with the corners cut the band begins no farther to the left."""
_FIVE = 5
"""So many things are counted at a glance."""
_GROUP = 0.55
"""How much farther the sixth pip stands from the fifth."""
_DIAMOND, _TIP = 7.4, 1.1
_COIN = 5.4
_STRIKE = 6.0

BASES: dict[str, tuple[XY, ...]] = {
    "base": both(((_WIDE, _REAR), (_WIDE, _FRONT))),
    "cut_base": both(((_WIDE - _CUT, _REAR), (_WIDE, _REAR + _CUT), (_WIDE, _FRONT - _CUT), (_WIDE - _CUT, _FRONT))),
}
"""What a base looks like from above with its front up, by the theme's word for it."""

_SQUARES: dict[str, tuple[XY, ...]] = {
    "base": ((0, -_DIAMOND), (_DIAMOND, 0), (0, _DIAMOND), (-_DIAMOND, 0)),
    "cut_base": tuple(
        (a * x - b * y, b * x + a * y)
        for a, b in ((0, -1), (1, 0), (0, 1), (-1, 0))
        for x, y in ((_DIAMOND - _TIP, -_TIP), (_DIAMOND - _TIP, _TIP))
    ),
}
"""The same in square: turned by half a right angle, a front on every side."""


@DRAWINGS.counter(BASES, turns=True)
def troop(design: Design) -> list[Item]:
    """A base, its front up, struck out where it is wrecked; DataError for any other mark than `square` and that."""
    if design.mark not in ("", "square", "wrecked"):
        raise DataError(
            say('troops on a base bear no mark "{mark}"', mark=design.mark), hint=say("accepted: square, wrecked")
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
    """The strip along the rear in the brigade's colour with its pips, in fives as people count them.

    They begin at its left end, those beyond five a little apart; in a corner those stand in a second row. More than
    three are smaller.
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
    """The part of a convex outline above a level (sign 1) or below it (-1)."""
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
"""Flags that point to the enemy, a camp's each, and a coin; they bear a number."""


@DRAWINGS.counter(FLAGS)
def flag(design: Design) -> list[Item]:
    """A bare flag or coin in its camp's colours."""
    outline = FLAGS[design.outline]
    return [*body(outline, design), edge(outline, design)]


_MUSKET = (
    (-0.85, -4.7), (0.5, -4.9), (0.55, -2.4), (0.5, 1.7), (0.26, 1.9), (0.2, 4.9), (-0.2, 4.9), (-0.26, 1.9),
    (-0.5, 1.7), (-0.45, -2.2),
)  # fmt: skip


@figure("muskets")
def muskets(colour: Colour) -> tuple[Path, ...]:
    """Two muskets crossed: infantry."""
    return tuple(moved(polygon(_MUSKET, colour), turn=turn) for turn in (-54, 54))


@figure("grenade_and_muskets")
def grenade_and_muskets(colour: Colour) -> tuple[Path, ...]:
    """A flaming grenade on crossed muskets: guardsmen."""
    flame = both(((0.75, 1.15), (1.6, 2.6), (0.7, 2.3)))
    return (*muskets(colour), circle(0, -1.1, 1.95, colour), polygon((*flame[:3], (0, 3.7), *flame[3:]), colour))


@figure("horse_and_sabre")
def horse_and_sabre(colour: Colour) -> tuple[Path, ...]:
    """A horse's head and a curved sabre: light cavalry."""
    blade = (
        ("M", 2.0, -2.8), ("C", 3.9, -1.4, 5.0, 0.9, 4.6, 3.8), ("C", 3.8, 1.4, 2.7, -0.6, 1.2, -1.9), ("Z",),
    )  # fmt: skip
    return (
        horse_head(colour, -1.8),
        Path(blade, colour, Pen(colour, 0.2)),
        line(((0.75, -1.6), (2.35, -3.2)), Pen(colour, 0.5)),
        line(((1.5, -2.4), (0.7, -3.3)), Pen(colour, 0.75)),
    )


@figure("horse_and_cuirass")
def horse_and_cuirass(colour: Colour) -> tuple[Path, ...]:
    """A horse's head and a breastplate: heavy cavalry."""
    plate = both((
        (0.9, -3.1), (1.7, -2.5), (1.85, -1.0), (2.2, 0.2), (2.0, 1.0), (2.55, 1.9), (2.2, 2.9), (1.1, 3.2),
        (0.7, 2.4),
    ))  # fmt: skip
    return (
        horse_head(colour, -2.3),
        moved(cut_out(colour, plate, box(-0.16, -2.4, 0.32, 3.9)), 3.1, 0.0, 0.95),
    )


@figure("cannon")
def cannon(colour: Colour) -> tuple[Path, ...]:
    """A field gun on its wheel."""
    barrel = both(((0.85, -3.0), (0.6, 3.9), (0.85, 4.1), (0.85, 5.0)))
    spokes = tuple((turned((1.9, 0), 45 * i), turned((-1.9, 0), 45 * i)) for i in range(4))
    wheel = circle(0, 0, 2.1, None, Pen(colour, 0.62)), strokes(spokes, Pen(colour, 0.3))
    return (
        moved(polygon((*barrel, (-0.3, -3.0), (-0.3, -3.6), (0.3, -3.6), (0.3, -3.0)), colour), -0.1, 0.9, 1.0, -74),
        polygon(((-5.4, -3.3), (-4.2, -3.3), (0.4, -0.4), (-0.3, 0.5)), colour),
        *(moved(path, -0.2, -0.9) for path in wheel),
    )


@figure("about_face")
def about_face(colour: Colour) -> tuple[Path, ...]:
    """An arrow that bends back: turned about."""
    bend = (("M", 2.0, -3.2), ("L", 2.0, 0.8), ("C", 2.0, 4.0, -2.2, 4.0, -2.2, 0.8), ("L", -2.2, -0.8))
    return Path(bend, None, Pen(colour, 1.1)), polygon(((-4.2, -0.4), (-0.2, -0.4), (-2.2, -3.4)), colour)


@figure("no_entry")
def no_entry(colour: Colour) -> tuple[Path, ...]:
    """A broad bar: may not move."""
    return (polygon(box(-3.5, -0.7, 7.0, 2.0), colour),)


@figure("away")
def away(colour: Colour) -> tuple[Path, ...]:
    """Two chevrons and a line they make for: runs for the edge."""
    chevron = ((-2.6, 0.0), (0.0, 2.1), (2.6, 0.0), (2.6, -1.5), (0.0, 0.6), (-2.6, -1.5))
    return (
        *(moved(polygon(chevron, colour), 0.0, y) for y in (-2.2, 0.3)),
        polygon(box(-3.2, 3.1, 6.4, 0.8), colour),
    )


@figure("bicorne")
def bicorne(colour: Colour) -> tuple[Path, ...]:
    """A general's hat with its plume."""
    hat = (
        ("M", -5.0, -2.2), ("C", -3.6, -2.0, -3.2, 1.9, 0, 2.0), ("C", 3.2, 1.9, 3.6, -2.0, 5.0, -2.2),
        ("C", 3.4, -3.8, 1.2, -2.3, 0, -2.3), ("C", -1.2, -2.3, -3.4, -3.8, -5.0, -2.2), ("Z",),
    )  # fmt: skip
    hole = (("M", -0.75, 0.0), ("L", 0, 1.0), ("L", 0.75, 0.0), ("L", 0, -1.3), ("Z",))
    plume = (
        ("M", -0.5, 1.9), ("C", -0.7, 3.0, 0.1, 3.8, 1.7, 3.6), ("C", 2.3, 3.5, 2.3, 2.7, 1.7, 2.7),
        ("C", 1.0, 2.7, 0.6, 2.5, 0.6, 1.9), ("Z",),
    )  # fmt: skip
    return Path((*hat, *hole), colour, even_odd=True), Path(plume, colour)
