"""Tablut's counters: a ring for those who attack, a lozenge for those who defend, a crown for the king."""

from __future__ import annotations

from math import cos, pi, sin

from generator.model.picture import XY, Item
from generator.symbols.counters import Design, Drawings, body, edge

DRAWINGS = Drawings()

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
