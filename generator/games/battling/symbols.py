"""Draw counters of machines with a frame, a silhouette, the type number and the machine's number."""

from __future__ import annotations

from generator.errors import DataError
from generator.localization import tr
from generator.model.picture import XY, Item, Pen, line, polygon
from generator.symbols.counters import Design, Drawings, body, both, edge
from generator.symbols.shapes import moved

DRAWINGS = Drawings()

FRAMES: dict[str, tuple[XY, ...]] = {
    "plate": both(((5.4, -6.1), (6.1, -5.4), (6.1, 5.4), (5.4, 6.1))),
    "hexagon": both(((3.6, -6.24), (7.2, 0.0), (3.6, 6.24))),
}
"""The outline of each frame, by its name in the theme."""
_ROOM = {"plate": 10.8, "hexagon": 8.0}
"""The width available for a caption in each frame, in the drawing's units."""


_WRECK = "#808080"


@DRAWINGS.counter(FRAMES, room=_ROOM)
def machine(design: Design) -> list[Item]:
    """Return a frame with its silhouette. A wrecked machine is crossed out.

    Raises:
        DataError: If the mark is not `wrecked`.
    """
    if design.mark not in ("", "wrecked"):
        raise DataError(tr('machines cannot carry the mark "{mark}"', mark=design.mark), hint=tr("accepted: wrecked"))
    outline, camp = FRAMES[design.outline], design.camp
    if not design.mark:
        figure = [moved(path, -0.8, -1.1, 0.92) for path in design.drawing(camp.light)]
        return [*body(outline, design), edge(outline, design), *figure]
    items = body(outline, design)[:1]
    items.append(polygon(outline, camp.tint, Pen(camp.line, 0.45, (1.1, 0.8))))
    items += [moved(path, -0.8, -1.1, 0.88, 12) for path in design.drawing(_WRECK)]
    arm, foot, head = 4.2, -5.0, 3.0
    cross = ((-arm, foot), (arm, head)), ((-arm, head), (arm, foot))
    items += [line(bar, Pen("#ffffff", 1.2)) for bar in cross]
    return items + [line(bar, Pen(camp.line, 0.6)) for bar in cross]
