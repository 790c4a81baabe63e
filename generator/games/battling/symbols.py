"""Walking machines: a frame, a silhouette, a type number above it and the machine's own at its lower right."""

from __future__ import annotations

from generator.errors import DataError
from generator.model.picture import XY, Colour, Item, Path, Pen, circle, line, polygon
from generator.said import say
from generator.symbols.counters import Design, Drawings, body, both, box, cut_out, edge, mirrored
from generator.symbols.shapes import moved

DRAWINGS = Drawings()
figure = DRAWINGS.figure

FRAMES: dict[str, tuple[XY, ...]] = {
    "plate": both(((5.4, -6.1), (6.1, -5.4), (6.1, 5.4), (5.4, 6.1))),
    "hexagon": both(((3.6, -6.24), (7.2, 0.0), (3.6, 6.24))),
}
"""What a frame looks like, by the theme's word for it."""
_ROOM = {"plate": 10.8, "hexagon": 8.0}
"""How long a caption may be."""


_WRECK = "#808080"


@DRAWINGS.counter(FRAMES, room=_ROOM)
def machine(design: Design) -> list[Item]:
    """A frame with its silhouette; a wreck is pale and crossed out. DataError for a mark other than `wrecked`."""
    if design.mark not in ("", "wrecked"):
        raise DataError(say('machines bear no mark "{mark}"', mark=design.mark), hint=say("accepted: wrecked"))
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


def _pair(colour: Colour, *shapes: tuple[XY, ...]) -> tuple[Path, ...]:
    """Shapes on the right, and the same on the left."""
    return tuple(polygon(points, colour) for shape in shapes for points in (shape, mirrored(shape)))


@figure("walker")
def walker(colour: Colour) -> tuple[Path, ...]:
    """A plain machine: a box for a head, two arms, two legs, a rifle."""
    torso = both(((1.5, -0.5), (2.0, 2.1)))
    return (
        cut_out(colour, box(-1.15, 2.4, 2.3, 1.7), box(-0.8, 3.0, 1.6, 0.5)),
        cut_out(colour, torso, box(-0.9, 0.5, 1.8, 0.7)),
        *_pair(
            colour,
            box(2.3, 1.0, 1.3, 1.4),
            box(2.45, -1.7, 1.0, 2.4),
            ((0.3, -0.8), (1.6, -0.8), (1.9, -3.9), (0.6, -3.9)),
            box(0.4, -5.0, 2.0, 0.8),
        ),
        polygon(box(3.75, -2.6, 0.7, 5.4), colour),
    )


@figure("shoulder_gun")
def shoulder_gun(colour: Colour) -> tuple[Path, ...]:
    """A machine for the attack: a long gun on one shoulder, a great claw for the other hand."""
    gun = both(((0.7, -1.9), (0.5, 3.1), (0.85, 3.1), (0.85, 3.9)))
    claw = (
        (-4.2, 0.3), (-2.8, 0.3), (-2.8, -1.2), (-2.2, -2.8), (-3.1, -2.0), (-3.5, -1.4), (-3.9, -2.0), (-4.8, -2.8),
        (-4.2, -1.2),
    )  # fmt: skip
    return (
        moved(polygon(gun, colour), 1.3, 2.9, 1, -78),
        cut_out(colour, ((-1.9, -0.6), (1.6, -0.6), (2.1, 1.7), (0.2, 2.2), (-2.3, 2.2)), box(-1.4, 1.0, 1.5, 0.5)),
        polygon(((-4.5, 0.6), (-2.6, 0.6), (-2.6, 2.9), (-3.6, 3.6), (-4.5, 2.9)), colour),
        polygon(claw, colour),
        polygon(box(2.3, -1.5, 1.0, 2.4), colour),
        *_pair(
            colour,
            ((0.3, -0.9), (1.6, -0.9), (2.3, -3.9), (0.9, -3.9)),
            ((0.6, -5.0), (2.9, -5.0), (2.4, -4.2), (0.7, -4.2)),
        ),
    )


@figure("fortress")
def fortress(colour: Colour) -> tuple[Path, ...]:
    """A heavy machine: a broad hull without a head on short legs, a barrel on each side."""
    hull = both(((2.9, -2.2), (4.0, -0.4), (3.9, 1.4), (2.4, 2.9)))
    return (
        cut_out(colour, hull, box(-2.2, 1.1, 4.4, 0.65), box(-2.9, -0.9, 5.8, 0.35)),
        *_pair(
            colour,
            box(2.9, 2.75, 1.1, 1.9),
            ((0.5, -2.5), (2.9, -2.5), (3.3, -4.0), (0.5, -4.0)),
            box(0.4, -5.1, 3.4, 0.9),
        ),
        polygon(both(((1.0, 3.1), (0.7, 3.8))), colour),
    )


@figure("strider")
def strider(colour: Colour) -> tuple[Path, ...]:
    """A scout: a small body on long bent legs, an aerial, no arms."""
    leg = line(((0.8, 0.0), (2.2, -1.4), (0.9, -3.0), (1.5, -4.6)), Pen(colour, 0.72))
    far = line(((-0.8, 0.0), (-1.4, -1.7), (-3.1, -2.9), (-2.7, -4.6)), Pen(colour, 0.72))
    return (
        cut_out(
            colour,
            ((-1.5, -0.3), (1.2, -0.3), (2.3, 0.6), (2.0, 1.7), (0.6, 2.4), (-1.6, 2.1), (-2.1, 0.9)),
            box(0.5, 0.85, 1.2, 0.6),
        ),
        leg,
        far,
        line(((0.8, -4.75), (2.7, -4.75)), Pen(colour, 0.6)),
        line(((-3.4, -4.75), (-1.5, -4.75)), Pen(colour, 0.6)),
        line(((-1.2, 2.0), (-2.0, 3.8)), Pen(colour, 0.4)),
        circle(-2.0, 3.8, 0.45, colour),
    )
