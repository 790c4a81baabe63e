"""Units of the wagon-fort wars: a chalice or a knight's shield, and what fights under it."""

from __future__ import annotations

from math import cos, pi, sin

from generator.errors import DataError
from generator.model.picture import XY, Colour, Item, Path, Pen, circle, line, polygon, rectangle
from generator.said import say
from generator.symbols.counters import Design, Drawings, body, both, box, cut_out, edge, horse_head, mirrored
from generator.symbols.shapes import moved, turned

DRAWINGS = Drawings()
figure = DRAWINGS.figure

_BOWL = tuple((6.2 * cos(a), 1.6 + 5.4 * sin(a)) for a in (-pi * i / 32 for i in range(13, -1, -1)))

SHIELDS: dict[str, tuple[XY, ...]] = {
    "chalice": both(((3.8, -6.6), (3.4, -5.8), (1.5, -4.9), *_BOWL, (6.2, 5.9))),
    "heater": both(((0.0, -6.9), (2.0, -5.6), (3.9, -3.5), (5.2, -1.0), (5.8, 1.8), (5.9, 5.9)))[1:],
}
"""What a shield looks like, by the theme's word for it."""


@DRAWINGS.counter(SHIELDS)
def shield(design: Design) -> list[Item]:
    """A shield with its drawing; DataError for any mark."""
    if design.mark:
        raise DataError(say('shields bear no mark "{mark}"', mark=design.mark))
    outline = SHIELDS[design.outline]
    figure = [moved(path, 0, 1.15, 1.04) for path in design.drawing(design.camp.light)]
    return [*body(outline, design), edge(outline, design), *figure]


SEAL = tuple((5.4 * cos(pi * i / 24), 5.4 * sin(pi * i / 24) + 0.3) for i in range(48))
_ROOM = 6.0
"""How long a caption on it might be."""


@DRAWINGS.counter({"seal": SEAL}, room={"seal": _ROOM})
def seal(design: Design) -> list[Item]:
    """A round seal with its drawing, and room for letters; DataError for any mark."""
    if design.mark:
        raise DataError(say('seals bear no mark "{mark}"', mark=design.mark))
    return [*body(SEAL, design), edge(SEAL, design), *design.drawing(design.camp.light)]


def _wheel(x: float, y: float, r: float, colour: Colour) -> tuple[Path, ...]:
    spokes = ((x + r * cos(pi * i / 4), y + r * sin(pi * i / 4)) for i in range(4))
    return (
        circle(x, y, r, None, Pen(colour, 0.5)),
        *(line((p, (2 * x - p[0], 2 * y - p[1])), Pen(colour, 0.24)) for p in spokes),
        circle(x, y, 0.4, colour),
    )


@figure("war_wagon")
def war_wagon(colour: Colour) -> tuple[Path, ...]:
    """A wagon with boarded sides and loopholes."""
    side = both(((3.7, 0.1), (4.5, 3.3)))
    holes = tuple(((x - 0.5, 1.2), (x + 0.5, 1.2), (x, 2.3)) for x in (-2.3, 0.0, 2.3))
    return (
        cut_out(colour, side, *holes),
        rectangle(-1.1, -1.6, 2.2, 1.1, colour),
        *_wheel(-2.7, -1.6, 1.5, colour),
        *_wheel(2.7, -1.6, 1.5, colour),
    )


@figure("horse_and_lance")
def horse_and_lance(colour: Colour) -> tuple[Path, ...]:
    """A horse's head and a lance with its pennon: cavalry."""
    return (
        horse_head(colour, 1.1, -0.2, 1.0),
        line(((-3.3, -3.5), (-3.3, 4.2)), Pen(colour, 0.55)),
        polygon(((-3.3, 4.4), (-3.3, 2.0), (0.1, 2.5), (-1.0, 3.3), (0.1, 4.1)), colour),
    )


@figure("horse_and_handgun")
def horse_and_handgun(colour: Colour) -> tuple[Path, ...]:
    """A horse's head below a handgun that goes off: mounted shooters."""
    tube = (
        (-4.6, 2.6), (-1.4, 2.6), (-1.4, 2.2), (1.9, 2.2), (1.9, 3.6), (-1.4, 3.6), (-1.4, 3.2), (-4.6, 3.2),
    )  # fmt: skip
    flash = tuple(turned((1.75 if i % 2 else 0.75, 0), 30 * i) for i in range(12))
    return (
        horse_head(colour, -0.5, -1.3, 0.92),
        polygon(tube, colour),
        moved(polygon(flash, colour), 3.2, 2.9),
    )


@figure("halberd_and_flail")
def halberd_and_flail(colour: Colour) -> tuple[Path, ...]:
    """A halberd and a flail crossed: men on foot."""
    halberd = (
        line(((0, -4.4), (0, 4.3)), Pen(colour, 0.7)),
        polygon(((-0.4, 2.9), (0.4, 2.9), (0, 5.3)), colour),
        polygon(((0.2, 0.7), (2.0, 0.2), (2.5, 1.8), (2.0, 3.3), (0.2, 2.8)), colour),
        polygon(((-0.2, 2.7), (-1.9, 1.9), (-0.2, 1.2)), colour),
    )
    flail = (
        line(((0, -4.4), (0, 3.4)), Pen(colour, 0.7)),
        line(((0, 3.5), (-2.1, 3.1)), Pen(colour, 0.4)),
        line(((-2.2, 2.9), (-2.2, 0.3)), Pen(colour, 1.5)),
    )
    return tuple(moved(p, 0.3, -0.2, 0.97, -36) for p in halberd) + tuple(
        moved(p, -0.3, -0.2, 0.97, 36) for p in flail
    )


@figure("crown")
def crown(colour: Colour) -> tuple[Path, ...]:
    """A crown on a closed helm: who leads them."""
    rim = ((2.9, 0.5), (3.6, 3.3), (2.0, 2.0), (1.2, 3.5))
    helm = both(((0.0, -3.9), (1.7, -3.1), (2.1, -1.6), (2.2, -0.2)))[1:]
    return (
        polygon((*rim, (0.0, 2.0), *mirrored(rim)), colour),
        *(circle(x, y, 0.45, colour) for x, y in ((-3.6, 3.5), (-1.2, 3.7), (1.2, 3.7), (3.6, 3.5))),
        cut_out(colour, helm, box(-1.6, -1.3, 3.2, 0.42), box(-0.2, -3.2, 0.4, 1.5)),
    )


@figure("bombard")
def bombard(colour: Colour) -> tuple[Path, ...]:
    """A great siege gun on its bed, with its stones."""
    tube = (
        (-4.0, -0.8), (-1.7, -0.8), (-1.7, -1.35), (2.6, -1.35), (2.6, -1.8), (3.6, -1.8), (3.6, 1.8), (2.6, 1.8),
        (2.6, 1.35), (-1.7, 1.35), (-1.7, 0.8), (-4.0, 0.8),
    )  # fmt: skip
    bed = ((-4.2, -2.9), (1.6, -2.9), (1.6, -1.3), (0.2, -1.3), (-2.6, -1.9), (-3.4, -1.0), (-4.2, -1.0))
    return (
        moved(polygon(tube, colour), 0.1, 1.3, 1.0, 14),
        polygon(bed, colour),
        *(circle(x, y, 0.72, colour) for x, y in ((2.6, -2.2), (4.1, -2.2), (3.35, -0.9))),
    )


@figure("galero")
def galero(colour: Colour) -> tuple[Path, ...]:
    """A cardinal's broad hat with its tassels."""
    brim = (
        ("M", -4.3, 1.6), ("C", -4.3, 0.7, 4.3, 0.7, 4.3, 1.6), ("C", 4.3, 2.5, -4.3, 2.5, -4.3, 1.6), ("Z",),
    )  # fmt: skip
    dome = (("M", -1.8, 2.2), ("C", -1.8, 4.2, 1.8, 4.2, 1.8, 2.2), ("Z",))
    tassels = tuple((s * x, y) for s in (-1, 1) for x, y in ((2.9, -0.9), (2.2, -2.4), (3.6, -2.4)))
    cords = tuple(((s * 3.0, 1.2), (s * 2.9, -0.7)) for s in (-1, 1))
    return (
        Path(brim, colour),
        Path(dome, colour),
        *(line(cord, Pen(colour, 0.4)) for cord in cords),
        *(polygon(((x, y + 0.9), (x - 0.62, y - 0.6), (x + 0.62, y - 0.6)), colour) for x, y in tassels),
        line(((0, -3.1), (0, 0.3)), Pen(colour, 0.7)),
        line(((-1.1, -0.8), (1.1, -0.8)), Pen(colour, 0.7)),
    )


@figure("double_cross")
def double_cross(colour: Colour) -> tuple[Path, ...]:
    """A cross with two bars: who speaks for the Pope."""
    return (
        rectangle(-0.5, -4.0, 1.0, 8.0, colour),
        rectangle(-1.7, 1.7, 3.4, 0.95, colour),
        rectangle(-2.8, -0.3, 5.6, 0.95, colour),
        rectangle(-1.3, -4.2, 2.6, 0.8, colour),
    )
