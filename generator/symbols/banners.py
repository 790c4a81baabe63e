"""Banners, the weapons on them, badges, and the faces of a battle die.

Weapons and badges: one colour each, in a box of about ±3.3 mm (weapons) or ±1.5 mm (badges).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

import msgspec

from generator.model.picture import POINTS, XY, Colour, Item, Path, Pen, Text, circle, line, polygon, rectangle
from generator.symbols.counters import HALO, OURS, Design, Drawings
from generator.symbols.shapes import Steps, closed, hatching, inset, moved, round_box, strokes
from generator.symbols.theme import Quality, look, theme

BADGES = Drawings()
"""Small second symbols."""
figure, badge = OURS.figure, BADGES.figure


def _turned(paths: tuple[Path, ...], degrees: float) -> tuple[Path, ...]:
    return tuple(moved(path, turn=degrees) for path in paths)


def _curve(start: XY, *curves: tuple[XY, XY, XY], pen: Pen) -> Path:
    steps = tuple(("C", *a, *b, *c) for a, b, c in curves)
    return Path((("M", *start), *steps), None, pen)


@figure("short_sword")
def short_sword(colour: Colour) -> tuple[Path, ...]:
    """A broad leaf-shaped blade, upright."""
    return (
        polygon(((-0.7, -1.3), (-0.9, 1.0), (-0.75, 1.9), (0, 3.4), (0.75, 1.9), (0.9, 1.0), (0.7, -1.3)), colour),
        rectangle(-1.9, -2.0, 3.8, 0.7, colour),
        rectangle(-0.38, -3.0, 0.76, 1.1, colour),
        circle(0, -3.1, 0.65, colour),
    )


@figure("long_sword")
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


@figure("recurve_bow")
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


@figure("tall_bow")
def tall_bow(colour: Colour) -> tuple[Path, ...]:
    """A bow of a man's height with an even curve, drawn and raised aslant."""
    bow = _curve((-1.3, 3.8), ((1.7, 2.4), (1.7, -2.4), (-1.3, -3.8)), pen=Pen(colour, 0.7))
    string = line(((-1.3, 3.8), (-2.3, 0), (-1.3, -3.8)), Pen(colour, 0.26))
    drawn = (bow, string, *_arrow(colour, -2.3, 3.6))
    return tuple(moved(path, 0.45, -0.3, 0.9, 42) for path in drawn)


@figure("crossbow")
def crossbow(colour: Colour) -> tuple[Path, ...]:
    """A crossbow from above, a bolt on the stock."""
    return (
        _curve((-3.1, 0.6), ((-2.0, 2.6), (2.0, 2.6), (3.1, 0.6)), pen=Pen(colour, 0.7)),
        line(((-3.1, 0.6), (0, -1.1), (3.1, 0.6)), Pen(colour, 0.26)),
        polygon(((-0.42, 2.3), (0.42, 2.3), (0.42, -1.6), (0.7, -3.2), (-0.7, -3.2), (-0.42, -1.6)), colour),
        polygon(((0, 3.5), (0.7, 2.2), (-0.7, 2.2)), colour),
    )


@figure("windlass_crossbow")
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


@badge("hammer")
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


@badge("long_ears")
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


@badge("horse")
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


@figure("pitchfork")
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


@figure("star")
def star(colour: Colour) -> tuple[Path, ...]:
    """A star of eight rays, four of them long."""
    rays = (4.0, 1.7, 2.6, 1.7)
    points = tuple((rays[i % 4] * sin(pi * i / 8), rays[i % 4] * cos(pi * i / 8)) for i in range(16))
    return (polygon(points, colour),)


@figure("helmet")
def helmet(colour: Colour) -> tuple[Path, ...]:
    """A helmet from the front, with a slit for eyes and nose."""
    dome: Steps = (
        ("M", -3.7, -2.7), ("L", -3.7, 0.7), ("C", -3.7, 3.6, -2.0, 4.8, 0.0, 4.8),
        ("C", 2.0, 4.8, 3.7, 3.6, 3.7, 0.7), ("L", 3.7, -2.7), ("L", 1.0, -3.9), ("L", -1.0, -3.9), ("Z",),
    )  # fmt: skip
    slit = closed(
        ((-2.7, 1.0), (2.7, 1.0), (2.7, 0.0), (0.6, -0.25), (0.6, -3.1), (-0.6, -3.1), (-0.6, -0.25), (-2.7, 0.0))
    )
    return (Path((*dome, *slit), colour, even_odd=True),)


@figure("shield")
def shield(colour: Colour) -> tuple[Path, ...]:
    """A shield, on it a sword."""
    board: Steps = (
        ("M", -3.7, 4.4), ("L", 3.7, 4.4), ("L", 3.7, 0.6), ("C", 3.7, -2.2, 1.7, -3.9, 0.0, -4.7),
        ("C", -1.7, -3.9, -3.7, -2.2, -3.7, 0.6), ("Z",),
    )  # fmt: skip
    sword = closed(
        (
            (0.0, 3.6), (-0.55, 2.6), (-0.55, -0.6), (-1.5, -0.6), (-1.5, -1.3), (-0.4, -1.3), (-0.4, -2.9),
            (0.4, -2.9), (0.4, -1.3), (1.5, -1.3), (1.5, -0.6), (0.55, -0.6), (0.55, 2.6),
        )
    )  # fmt: skip
    return (Path((*board, *sword), colour, even_odd=True),)


@figure("retreat")
def retreat(colour: Colour) -> tuple[Path, ...]:
    """A flag on its pole, on it an arrow back."""
    cloth = closed(((-3.4, 4.4), (4.2, 4.4), (3.3, 1.9), (4.2, -0.6), (-3.4, -0.6)))
    arrow = closed(
        ((-2.4, 1.9), (-0.5, 3.5), (-0.5, 2.5), (2.2, 2.5), (2.2, 1.3), (-0.5, 1.3), (-0.5, 0.3))
    )  # fmt: skip
    return (Path((*cloth, *arrow), colour, even_odd=True), rectangle(-4.2, -4.8, 0.8, 9.6, colour))


_STRUCK = {"full": "#b3261e", "saver": "#000000"}
_DIE = 5.9
"""Half the side of a die's face."""


@OURS.counter({"die": ((-_DIE, -_DIE), (_DIE, -_DIE), (_DIE, _DIE), (-_DIE, _DIE))})
def _die(design: Design) -> list[Item]:
    """A face of a battle die: its figure in its colour, below it the banner's letter and pips."""
    quality, ink = design.quality, design.ink
    c = quality.ink(ink)
    side = 2 * _DIE
    items: list[Item] = [
        Path(round_box(-_DIE, -_DIE, side, side, 2.3), design.camp.fill, Pen(design.camp.line, 0.45)),
        Path(round_box(-_DIE + 0.75, -_DIE + 0.75, side - 1.5, side - 1.5, 1.7), None, Pen(design.camp.tint, 0.16)),
    ]
    up = 0.75 if quality.letter else 0.0
    for path in design.drawing(c.fill):
        items.append(moved(msgspec.structs.replace(path, pen=Pen(c.line, 0.3)), 0, up, 0.9))
    if quality.letter:
        items.append(Text(-4.1, -5.0, quality.letter, 2.4 * POINTS, "middle", True, design.camp.dark))
    items += [circle(4.5 - 1.25 * pip, -4.2, 0.46, design.camp.dark) for pip in range(quality.pips)]
    if design.mark:
        stroke = ((-5.2, -5.2), (5.2, 5.2))
        items += [line(stroke, Pen("#ffffff", 2.6)), line(stroke, Pen(_STRUCK[ink], 1.4))]
    return items


FOLD = 4.0
_WOOD = {"full": "#4a3826", "saver": "#000000"}

OUTLINES: dict[str, tuple[XY, ...]] = {
    "swallowtail": ((-4.9, 5.0), (-4.9, -5.6), (0, -3.3), (4.9, -5.6), (4.9, 5.0)),
    "flag": ((-4.7, 5.3), (-4.7, -4.6), (5.3, -4.6), (5.3, 5.3)),
    "disc": tuple((5.4 * cos(pi * i / 24), 5.4 * sin(pi * i / 24) + 0.3) for i in range(48)),
}
"""What a banner's cloth looks like, by the theme's word for it."""


@OURS.counter(OUTLINES)
def _banner(design: Design) -> list[Item]:
    """A banner's cloth in its quality's colour, and what it hangs on."""
    quality, mark, ink = design.quality, design.mark, design.ink
    outline = OUTLINES[design.outline]
    if mark:
        outline = _cut(outline)
    ink_of = quality.ink(ink)
    items: list[Item] = [
        *rods(design.outline, "halo", HALO),
        polygon(outline, "#ffffff", Pen("#ffffff", 2 * HALO)),
    ]
    items += rods(design.outline, ink, 0.0)
    items.append(polygon(outline, ink_of.fill, None))
    left = min(p[0] for p in outline)
    index = left + 1.55
    x, y, size = (left + 5.6, -0.75, 0.9) if mark else (left + 5.95, 0.3, 1.0)
    if not (quality.letter or quality.pips or mark):
        x = 0.0
    drawing = [moved(path, x, y, size) for path in design.drawing(ink_of.light)]
    if ink == "saver":
        items.append(strokes(hatching(outline, quality.hatch, 0.95), Pen(ink_of.dark, 0.16)))
        if quality.letter or quality.pips:
            items.append(rectangle(index - 1.0, -3.3, 2.0, 8.0, "#ffffff"))
        items += [_haloed(path) for path in drawing]
    else:
        items.append(polygon(tuple(inset(outline, 0.5)), None, Pen(ink_of.tint, 0.13)))
    items.append(polygon(outline, None, Pen(ink_of.line, 0.35)))
    items += drawing
    items += _index(quality, ink, index)
    if mark:
        items += _fold(outline, look("mark", theme().mark, mark), ink)
    return items


def rods(outline: str, ink: str, halo: float) -> tuple[Path, ...]:
    """The wood that the cloth hangs on: a crossbar, a pole, or nothing."""
    wood = _WOOD.get(ink, "#ffffff")
    match outline:
        case "swallowtail":
            return (
                line(((-5.7, 5.3), (5.7, 5.3)), Pen(wood, 0.8 + 2 * halo)),
                line(((0, 5.3), (0, 5.85)), Pen(wood, 0.7 + 2 * halo)),
                circle(-5.7, 5.3, 0.6 + halo, wood),
                circle(5.7, 5.3, 0.6 + halo, wood),
            )
        case "flag":
            return (
                line(((-5.0, -6.3), (-5.0, 5.8)), Pen(wood, 0.75 + 2 * halo)),
                circle(-5.0, 6.0, 0.65 + halo, wood),
            )
        case _:
            return ()


def _haloed(path: Path) -> Path:
    width = path.pen.width if path.pen else 0.0
    return Path(path.steps, "#ffffff" if path.fill else None, Pen("#ffffff", width + 1.1))


def _index(quality: Quality, ink: str, x: float) -> Iterator[Item]:
    """The letter and the pips in the corner, as on a playing card."""
    light = quality.ink(ink).light
    if quality.letter:
        yield Text(x, 2.3, quality.letter, 3.0 * POINTS, "middle", True, light)
    for pip in range(quality.pips):
        yield circle(x, 1.2 - 1.35 * pip, 0.48, light)


def _cut(outline: tuple[XY, ...]) -> tuple[XY, ...]:
    """The cloth without the corner that is folded over."""
    x, y = max(p[0] for p in outline), max(p[1] for p in outline)
    corner = ((x, y - FOLD), (x - FOLD, y))
    return tuple(q for p in outline for q in (corner if p == (x, y) else (p,)))


def _fold(outline: tuple[XY, ...], letter: str, ink: str) -> Iterator[Item]:
    """A folded upper right corner with a letter: a stand-in, not the unit itself."""
    x, y = max(p[0] for p in outline), max(p[1] for p in outline)
    flap = ((x - FOLD, y), (x - FOLD, y - FOLD), (x, y - FOLD))
    yield polygon(flap, "#f6e7b4" if ink == "full" else "#ffffff", Pen("#3a3a3a", 0.28))
    yield Text(x - FOLD * 0.66, y - FOLD * 0.9, letter, 2.5 * POINTS, "middle", True, "#202020")
