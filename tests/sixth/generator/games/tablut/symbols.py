"""Draw Tablut's counters: a ring for attackers, a lozenge for defenders, a crown for the king."""

from __future__ import annotations

from math import cos, pi, sin

from generator.model.picture import XY, Item
from generator.symbols.counters import Design, Drawings, body, edge

DRAWINGS = Drawings()

RINGS: dict[str, tuple[XY, ...]] = {
    "ring": tuple((6 * cos(pi * i / 24), 6 * sin(pi * i / 24)) for i in range(48)),
    "lozenge": ((0.0, -7.4), (7.4, 0.0), (0.0, 7.4), (-7.4, 0.0)),
}
"""Outlines of counters, keyed by their name in the theme."""


@DRAWINGS.counter(RINGS)
def man(design: Design) -> list[Item]:
    """Return the drawing of a counter with its figure."""
    ring = RINGS[design.outline]
    return [*body(ring, design), edge(ring, design), *design.drawing(design.camp.light)]
