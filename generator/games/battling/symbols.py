"""Draw counters of machines with a frame, a silhouette and the machine's number."""

from __future__ import annotations

from math import cos, pi, sin

from generator.errors import DataError
from generator.localization import tr
from generator.model.picture import XY, Item, Pen, line, polygon
from generator.symbols.counters import Design, Drawings, body, both, edge
from generator.symbols.shapes import inset, moved

DRAWINGS = Drawings()

FRAMES: dict[str, tuple[XY, ...]] = {
    "plate": both(((5.4, -6.1), (6.1, -5.4), (6.1, 5.4), (5.4, 6.1))),
    "hexagon": both(((3.6, -6.24), (7.2, 0.0), (3.6, 6.24))),
    "round": tuple((6.4 * cos(pi * i / 24), 6.4 * sin(pi * i / 24)) for i in range(48)),
}
"""The outline of each frame, by its name in the theme."""
_FIGURE = {"plate": (-0.35, 0.2, 0.98), "hexagon": (-0.35, 0.15, 0.9), "round": (0.0, 0.0, 0.86)}
"""Position and scale of the silhouette in each frame."""
_SECOND_RULE = 0.75
"""Distance between the two rules of a plate in ink-saver prints, in mm."""


_WRECK = "#808080"


@DRAWINGS.counter(FRAMES, label_inside=True)
def machine(design: Design) -> list[Item]:
    """Return a frame with its silhouette. A wrecked machine is crossed out.

    Raises:
        DataError: If the mark is not `wrecked`.
    """
    if design.mark not in ("", "wrecked"):
        raise DataError(tr('machines cannot carry the mark "{mark}"', mark=design.mark), hint=tr("accepted: wrecked"))
    outline, camp = FRAMES[design.outline], design.camp
    x, y, size = _FIGURE[design.outline]
    if not design.mark:
        items = [*body(outline, design), edge(outline, design)]
        if design.ink == "saver" and design.outline == "plate":
            # Without colours, a second rule distinguishes the plate from the hexagon at the size of a map.
            items.append(polygon(tuple(inset(outline, _SECOND_RULE)), None, Pen(camp.line, 0.2)))
        return items + [moved(path, x, y, size) for path in design.drawing(camp.light)]
    items = body(outline, design)[:1]
    items.append(polygon(outline, camp.tint, Pen(camp.line, 0.45, (1.1, 0.8))))
    items += [moved(path, x, y, 0.96 * size, 12) for path in design.drawing(_WRECK)]
    arm, foot, head = 4.2, -4.6, 4.2
    cross = ((-arm, foot), (arm, head)), ((-arm, head), (arm, foot))
    items += [line(bar, Pen("#ffffff", 1.2)) for bar in cross]
    return items + [line(bar, Pen(camp.line, 0.6)) for bar in cross]
