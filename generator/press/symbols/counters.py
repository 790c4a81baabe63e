"""What the counters of several games have in common: how one is described, its body, and cut-out drawings."""

from __future__ import annotations

import msgspec

from generator.model.picture import XY, Colour, Item, Path, Pen, polygon
from generator.press import theme
from generator.press.symbols.shapes import Steps, closed, inset
from generator.press.symbols.weapons import Drawing

HALO = 0.7
"""The pale rim that parts a counter from the ground it stands on."""
EDGE = 0.35


class Design(msgspec.Struct, frozen=True):
    """What a token's keys mean: its camp's outline and colours, its quality, the drawing of its symbol."""

    outline: str
    camp: theme.Palette
    quality: theme.Colour
    drawing: Drawing
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
