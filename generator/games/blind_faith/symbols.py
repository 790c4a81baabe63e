"""Counters of the Hussite wars: a chalice or a knight's shield with the figure of a unit."""

from __future__ import annotations

from math import cos, pi, sin

from generator.errors import DataError
from generator.localization import tr
from generator.model.picture import XY, Item
from generator.symbols.counters import Design, Drawings, body, both, edge
from generator.symbols.shapes import moved

DRAWINGS = Drawings()

_BOWL = tuple((6.2 * cos(a), 1.6 + 5.4 * sin(a)) for a in (-pi * i / 32 for i in range(13, -1, -1)))

SHIELDS: dict[str, tuple[XY, ...]] = {
    "chalice": both(((3.8, -6.6), (3.4, -5.8), (1.5, -4.9), *_BOWL, (6.2, 5.9))),
    "heater": both(((0.0, -6.9), (2.0, -5.6), (3.9, -3.5), (5.2, -1.0), (5.8, 1.8), (5.9, 5.9)))[1:],
}
"""The outline of each shield, keyed by its name in the theme."""


@DRAWINGS.counter(SHIELDS)
def shield(design: Design) -> list[Item]:
    """Return a shield with its drawing.

    Raises DataError if the design has a mark.
    """
    if design.mark:
        raise DataError(tr('shields cannot carry the mark "{mark}"', mark=design.mark))
    outline = SHIELDS[design.outline]
    figure = [moved(path, 0, 1.15, 1.04) for path in design.drawing(design.camp.light)]
    return [*body(outline, design), edge(outline, design), *figure]


SEAL = tuple((5.4 * cos(pi * i / 24), 5.4 * sin(pi * i / 24) + 0.3) for i in range(48))
_ROOM = 6.0
"""Maximum length of a caption on a seal, in mm."""


@DRAWINGS.counter({"seal": SEAL}, room={"seal": _ROOM})
def seal(design: Design) -> list[Item]:
    """Return a round seal with its drawing and room for letters.

    Raises DataError if the design has a mark.
    """
    if design.mark:
        raise DataError(tr('seals cannot carry the mark "{mark}"', mark=design.mark))
    return [*body(SEAL, design), edge(SEAL, design), *design.drawing(design.camp.light)]
