"""Tablut's counters: a ring for those who attack, a lozenge for those who defend, a crown for the king."""

from __future__ import annotations

from math import cos, pi, sin

from generator.model.picture import XY, Colour, Item, Path, Pen, polygon
from generator.symbols.counters import Design, Drawings, body, box, edge
from generator.symbols.shapes import moved

DRAWINGS = Drawings()
figure = DRAWINGS.figure

RINGS: dict[str, tuple[XY, ...]] = {
    "ring": tuple((6 * cos(pi * i / 24), 6 * sin(pi * i / 24)) for i in range(48)),
    "lozenge": ((0.0, -7.4), (7.4, 0.0), (0.0, 7.4), (-7.4, 0.0)),
}
"""What a counter looks like, by the theme's word for it."""


@DRAWINGS.counter(RINGS)
def man(design: Design) -> list[Item]:
    """A counter with its figure."""
    ring = RINGS[design.outline]
    return [*body(ring, design), edge(ring, design), *design.drawing(design.camp.light)]


@figure("spear")
def spear(colour: Colour) -> tuple[Path, ...]:
    """A spear aslant: a man of either side."""
    head = polygon(((-0.9, 2.4), (0.9, 2.4), (0.0, 4.6)), colour)
    return tuple(moved(path, turn=-35) for path in (polygon(box(-0.25, -4.0, 0.5, 6.6), colour), head))


@figure("crown")
def crown(colour: Colour) -> tuple[Path, ...]:
    """A crown with three points."""
    rim = ((-3.0, -2.2), (3.0, -2.2), (3.6, 2.4), (1.6, 0.4), (0.0, 3.4), (-1.6, 0.4), (-3.6, 2.4))
    return (polygon(rim, colour, Pen(colour, 0.3)),)
