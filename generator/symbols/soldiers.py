"""What stands on counters: weapons and troops.

What the counters of several games have in common: how one is described, its body, and cut-out drawings.

Weapons and badges: one colour each, in a box of about ±3.3 mm (weapons) or ±1.5 mm (badges).

Troops in line of battle, from above: a base with a front, a brigade's band along its rear, and their arms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, pi, sin

import msgspec

from generator.errors import DataError, Problem
from generator.model.picture import XY, Colour, Item, Path, Pen, circle, line, polygon, rectangle
from generator.symbols import theme
from generator.symbols.shapes import Steps, closed, hatching, inset, moved, strokes, turned

Painter = Callable[[Colour], tuple[Path, ...]]


def _turned(paths: tuple[Path, ...], degrees: float) -> tuple[Path, ...]:
    return tuple(moved(path, turn=degrees) for path in paths)


def _curve(start: XY, *curves: tuple[XY, XY, XY], pen: Pen) -> Path:
    steps = tuple(("C", *a, *b, *c) for a, b, c in curves)
    return Path((("M", *start), *steps), None, pen)


def short_sword(colour: Colour) -> tuple[Path, ...]:
    """A broad leaf-shaped blade, upright."""
    return (
        polygon(((-0.7, -1.3), (-0.9, 1.0), (-0.75, 1.9), (0, 3.4), (0.75, 1.9), (0.9, 1.0), (0.7, -1.3)), colour),
        rectangle(-1.9, -2.0, 3.8, 0.7, colour),
        rectangle(-0.38, -3.0, 0.76, 1.1, colour),
        circle(0, -3.1, 0.65, colour),
    )


def long_sword(colour: Colour) -> tuple[Path, ...]:
    """A long slender blade, raised aslant."""
    upright = (
        polygon(((-0.48, -1.9), (-0.48, 3.7), (0, 4.7), (0.48, 3.7), (0.48, -1.9)), colour),
        rectangle(-2.0, -2.5, 4.0, 0.62, colour),
        rectangle(-0.32, -3.8, 0.64, 1.4, colour),
        circle(0, -4.0, 0.62, colour),
    )
    return _turned(upright, -40)


def _arrow(colour: Colour, tail: float, head: float) -> tuple[Path, ...]:
    return (
        line(((tail, 0), (head - 1, 0)), Pen(colour, 0.42)),
        polygon(((head, 0), (head - 1.35, 0.75), (head - 1.35, -0.75)), colour),
        line(((tail - 0.5, 0.7), (tail + 0.25, 0), (tail - 0.5, -0.7)), Pen(colour, 0.38)),
    )


def recurve_bow(colour: Colour) -> tuple[Path, ...]:
    """A short bow with its ends bent forward, an arrow on the string."""
    bow = _curve(
        (-0.6, 3.1),
        ((-1.3, 2.6), (-0.2, 2.4), (0.5, 1.7)),
        ((1.3, 0.9), (1.3, -0.9), (0.5, -1.7)),
        ((-0.2, -2.4), (-1.3, -2.6), (-0.6, -3.1)),
        pen=Pen(colour, 0.72),
    )
    string = line(((-0.85, 2.7), (-2.1, 0), (-0.85, -2.7)), Pen(colour, 0.26))
    return (bow, string, *_arrow(colour, -2.1, 3.3))


def tall_bow(colour: Colour) -> tuple[Path, ...]:
    """A bow of a man's height with an even curve, drawn and raised aslant."""
    bow = _curve((-1.3, 3.8), ((1.7, 2.4), (1.7, -2.4), (-1.3, -3.8)), pen=Pen(colour, 0.7))
    string = line(((-1.3, 3.8), (-2.3, 0), (-1.3, -3.8)), Pen(colour, 0.26))
    drawn = (bow, string, *_arrow(colour, -2.3, 3.6))
    return tuple(moved(path, 0.45, -0.3, 0.9, 42) for path in drawn)


def crossbow(colour: Colour) -> tuple[Path, ...]:
    """A crossbow from above, a bolt on the stock."""
    return (
        _curve((-3.1, 0.6), ((-2.0, 2.6), (2.0, 2.6), (3.1, 0.6)), pen=Pen(colour, 0.7)),
        line(((-3.1, 0.6), (0, -1.1), (3.1, 0.6)), Pen(colour, 0.26)),
        polygon(((-0.42, 2.3), (0.42, 2.3), (0.42, -1.6), (0.7, -3.2), (-0.7, -3.2), (-0.42, -1.6)), colour),
        polygon(((0, 3.5), (0.7, 2.2), (-0.7, 2.2)), colour),
    )


def windlass_crossbow(colour: Colour) -> tuple[Path, ...]:
    """A heavy crossbow: a steel bow, a stirrup before it, a windlass behind."""
    return (
        polygon(
            ((-3.4, 0.2), (-2.6, 1.7), (2.6, 1.7), (3.4, 0.2), (2.7, 0.3), (2.1, 0.9), (-2.1, 0.9), (-2.7, 0.3)),
            colour,
        ),
        line(((-3.1, 0.35), (0, -1.0), (3.1, 0.35)), Pen(colour, 0.26)),
        rectangle(-0.55, -3.1, 1.1, 4.6, colour),
        line(((-0.75, 1.7), (-0.75, 3.2), (0.75, 3.2), (0.75, 1.7)), Pen(colour, 0.5)),
        line(((-2.3, -2.1), (-2.3, -2.7), (2.3, -2.7), (2.3, -3.3)), Pen(colour, 0.5)),
    )


def hammer(colour: Colour) -> tuple[Path, ...]:
    """A war hammer."""
    upright = (
        rectangle(-0.2, -1.45, 0.4, 2.0, colour),
        polygon(
            ((-1.0, 0.25), (0.55, 0.25), (1.25, 0.7), (0.55, 1.2), (-1.0, 1.2)),
            colour,
        ),
    )
    return _turned(upright, -20)


def long_ears(colour: Colour) -> tuple[Path, ...]:
    """A narrow face between long ears."""
    return (
        polygon(
            (
                (-1.65, 0.9), (-0.75, 0.55), (-0.45, 0.95), (0.45, 0.95), (0.75, 0.55), (1.65, 0.9),
                (0.85, -0.25), (0.45, -0.95), (0, -1.3), (-0.45, -0.95), (-0.85, -0.25),
            ),
            colour,
        ),
        polygon(((-0.55, 0.35), (-0.1, 0.1), (-0.5, -0.05)), "#ffffff"),
        polygon(((0.55, 0.35), (0.1, 0.1), (0.5, -0.05)), "#ffffff"),
    )  # fmt: skip


def horse(colour: Colour) -> tuple[Path, ...]:
    """A horse's head."""
    return (
        polygon(
            (
                (-1.05, -1.4), (-1.1, -0.3), (-0.75, 0.6), (-0.15, 1.05), (-0.1, 1.55), (0.25, 1.1), (0.7, 0.7),
                (1.35, -0.15), (1.2, -0.55), (0.8, -0.6), (0.35, -0.2), (0.1, -0.25), (0.2, -0.7), (0.65, -1.4),
            ),
            colour,
        ),
        circle(0.3, 0.5, 0.13, "#ffffff"),
    )  # fmt: skip


def pitchfork(colour: Colour) -> tuple[Path, ...]:
    """A fork and a flail crossed: peasants in arms."""
    fork = (
        line(((0, -3.9), (0, 1.4)), Pen(colour, 0.6)),
        line(((-1.3, 3.6), (-1.3, 1.9), (-0.7, 1.3), (0.7, 1.3), (1.3, 1.9), (1.3, 3.6)), Pen(colour, 0.5)),
        line(((0, 1.3), (0, 3.7)), Pen(colour, 0.5)),
    )
    flail = (
        line(((0, -3.9), (0, 2.2)), Pen(colour, 0.6)),
        line(((0, 2.4), (1.9, 1.0)), Pen(colour, 0.95)),
        circle(0, 2.4, 0.5, colour),
    )
    return _turned(fork, 32) + _turned(flail, -32)


def star(colour: Colour) -> tuple[Path, ...]:
    """A star of eight rays, four of them long."""
    rays = (4.0, 1.7, 2.6, 1.7)
    points = tuple((rays[i % 4] * sin(pi * i / 8), rays[i % 4] * cos(pi * i / 8)) for i in range(16))
    return (polygon(points, colour),)


WEAPONS: dict[str, Painter] = {
    "short_sword": short_sword,
    "long_sword": long_sword,
    "recurve_bow": recurve_bow,
    "tall_bow": tall_bow,
    "crossbow": crossbow,
    "windlass_crossbow": windlass_crossbow,
    "pitchfork": pitchfork,
    "star": star,
}
BADGES: dict[str, Painter] = {
    "hammer": hammer,
    "long_ears": long_ears,
    "horse": horse,
}


HALO = 0.7
"""The pale rim that parts a counter from the ground it stands on."""
EDGE = 0.35


class Design(msgspec.Struct, frozen=True):
    """What a token's keys mean: its camp's outline and colours, its quality, the drawing of its symbol."""

    outline: str
    camp: theme.Palette
    quality: theme.Quality
    drawing: Painter
    mark: str
    front: bool
    """It shows where its front is: up, until the whole token is turned."""
    ink: str


def body(outline: tuple[XY, ...], design: Design, rule: float = 0.5) -> list[Item]:
    """The halo and the filled outline with a thin rule inside it; the edge comes later, see `edge`."""
    items: list[Item] = [
        polygon(outline, "#ffffff", Pen("#ffffff", 2 * HALO)),
        polygon(outline, design.camp.fill),
    ]
    if design.ink == "full":
        items.append(polygon(tuple(inset(outline, rule)), None, Pen(design.camp.tint, 0.13)))
    return items


def edge(outline: tuple[XY, ...], design: Design) -> Path:
    """The line round a counter."""
    return polygon(outline, None, Pen(design.camp.line, EDGE if design.ink == "full" else 0.45))


def cut_out(colour: Colour, shape: tuple[XY, ...], *holes: tuple[XY, ...]) -> Path:
    """A filled shape through whose holes the counter is seen."""
    steps: Steps = tuple(step for ring in (shape, *holes) for step in closed(ring))
    return Path(steps, colour, even_odd=True)


def box(x: float, y: float, w: float, h: float) -> tuple[XY, ...]:
    """The corners of an upright rectangle from its lower left one."""
    return (x, y), (x + w, y), (x + w, y + h), (x, y + h)


def mirrored(points: tuple[XY, ...]) -> tuple[XY, ...]:
    """The same shape on the other side of the upright axis, still anticlockwise."""
    return tuple((-x, y) for x, y in reversed(points))


def both(half: tuple[XY, ...]) -> tuple[XY, ...]:
    """A shape from its right half, given upward."""
    return (*half, *mirrored(half))


_FRONT, _REAR, _WIDE = 4.3, -5.4, 6.2
_CUT = 2.3
_BAND = 2.6
_EDGE = 0.8
_PIPS = -3.4
"""The first pip's place; with the corners cut the band begins no farther to the left."""
_DIAMOND, _TIP = 7.4, 1.1

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


def troop(design: Design) -> list[Item]:
    """A base, its front up; DataError for a mark other than `square`."""
    if design.mark not in ("", "square"):
        raise DataError(Problem(f'troops on a base bear no mark "{design.mark}"', hint="accepted: square"))
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
    """The strip along the rear in the brigade's colour with its pips: at its left end, two abreast in a corner."""
    c = design.quality.ink(design.ink)
    yield polygon(strip, c.fill, Pen(design.camp.line, 0.3))
    if design.ink == "saver":
        yield strokes(hatching(strip, design.quality.hatch, 0.62), Pen(c.dark, 0.16))
    pips, corner = design.quality.pips, bool(design.mark)
    first = min(pips, 2) if corner else pips
    apart, down = (1.95, 0.95) if corner else (2.1, 1.25)
    for row, count in enumerate((first, pips - first)):
        left = -apart * (count - 1) / 2 if corner else _PIPS
        for pip in range(count):
            yield circle(left + apart * pip, high - down - 1.2 * row, 0.75, c.light, Pen(c.fill, 0.4))


def _beyond(outline: tuple[XY, ...], level: float, sign: int) -> Iterator[XY]:
    """The part of a convex outline above a level (sign 1) or below it (-1)."""
    for i, (bx, by) in enumerate(outline):
        ax, ay = outline[i - 1]
        if (ay - level) * (by - level) < 0:
            yield ax + (bx - ax) * (level - ay) / (by - ay), level
        if (by - level) * sign >= 0:
            yield bx, by


_MUSKET = (
    (-0.85, -4.7), (0.5, -4.9), (0.55, -2.4), (0.5, 1.7), (0.26, 1.9), (0.2, 4.9), (-0.2, 4.9), (-0.26, 1.9),
    (-0.5, 1.7), (-0.45, -2.2),
)  # fmt: skip


def muskets(colour: Colour) -> tuple[Path, ...]:
    """Two muskets crossed: infantry."""
    return tuple(moved(polygon(_MUSKET, colour), turn=turn) for turn in (-54, 54))


def grenade_and_muskets(colour: Colour) -> tuple[Path, ...]:
    """A flaming grenade on crossed muskets: guardsmen."""
    flame = both(((0.75, 1.15), (1.6, 2.6), (0.7, 2.3)))
    return (*muskets(colour), circle(0, -1.1, 1.95, colour), polygon((*flame[:3], (0, 3.7), *flame[3:]), colour))


_HEAD = (
    (-2.6, -3.3), (1.2, -3.3), (0.9, -2.3), (0.5, -1.4), (0.7, -0.95), (1.3, -0.7), (1.9, -1.15), (2.4, -1.6),
    (2.9, -1.5), (3.3, -0.8), (3.15, -0.2), (2.1, 1.1), (1.3, 2.1), (0.75, 2.5), (0.4, 3.6), (-0.15, 2.75),
    (-1.2, 2.2), (-2.1, 0.9), (-2.6, -0.9),
)  # fmt: skip
_EYE = ((0.95, 0.95), (1.45, 1.15), (1.2, 1.45), (0.85, 1.35))


def horse_head(colour: Colour, x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Path:
    """A horse's head that looks to the right."""
    return moved(cut_out(colour, _HEAD, _EYE), x, y, scale)


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


ARMS: dict[str, Painter] = {
    "muskets": muskets,
    "grenade_and_muskets": grenade_and_muskets,
    "horse_and_sabre": horse_and_sabre,
    "horse_and_cuirass": horse_and_cuirass,
    "cannon": cannon,
    "bicorne": bicorne,
}
