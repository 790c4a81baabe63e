"""What counters have in common: how one is described, its body, cut-out drawings, and who draws which.

A game's own counters lie in its `symbols.py`, and its data/<game>/theme.toml names that module. It is loaded when a
token of such a look is drawn, in whatever process that is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from generator.model.picture import XY, Colour, Item, Path, Pen, polygon
from generator.symbols.shapes import Steps, closed, inset, moved
from generator.symbols.theme import Palette, Quality, look, theme

Painter = Callable[[Colour], tuple[Path, ...]]
"""Draws a figure in one colour, in a box of about ±5 mm."""


HALO = 0.7
"""The pale rim that parts a counter from the ground it stands on."""
EDGE = 0.35


class Design(msgspec.Struct, frozen=True):
    """What a token's keys mean: its camp's outline and colours, its quality, the drawing of its symbol."""

    outline: str
    camp: Palette
    quality: Quality
    drawing: Painter
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


_HEAD = (
    (-2.6, -3.3), (1.2, -3.3), (0.9, -2.3), (0.5, -1.4), (0.7, -0.95), (1.3, -0.7), (1.9, -1.15), (2.4, -1.6),
    (2.9, -1.5), (3.3, -0.8), (3.15, -0.2), (2.1, 1.1), (1.3, 2.1), (0.75, 2.5), (0.4, 3.6), (-0.15, 2.75),
    (-1.2, 2.2), (-2.1, 0.9), (-2.6, -0.9),
)  # fmt: skip
_EYE = ((0.95, 0.95), (1.45, 1.15), (1.2, 1.45), (0.85, 1.35))


def horse_head(colour: Colour, x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Path:
    """A horse's head that looks to the right."""
    return moved(cut_out(colour, _HEAD, _EYE), x, y, scale)


class Counter(msgspec.Struct, frozen=True):
    """How counters of one outline are drawn."""

    ring: tuple[XY, ...]
    paint: Callable[[Design], list[Item]]
    turns: bool = False
    """It has a front, and turns as it faces."""
    room: float = 0.0
    """How long a caption on it may be; 0 where its label stands beside it, and it bears no caption."""


P = TypeVar("P", bound=Painter)
C = TypeVar("C", bound=Callable[[Design], list[Item]])


class Drawings:
    """Drawings by the theme's words for them: figures, and the counters that they stand on."""

    def __init__(self) -> None:
        self.figures: dict[str, Painter] = {}
        self.counters: dict[str, Counter] = {}

    def figure(self, name: str) -> Callable[[P], P]:
        """`@figure("cannon")` above what draws it; KeyError where something is called so already."""

        def mark(painter: P) -> P:
            if name in self.figures:
                raise KeyError(f"two drawings are called {name}")
            self.figures[name] = painter
            return painter

        return mark

    def counter(
        self, rings: Mapping[str, tuple[XY, ...]], turns: bool = False, room: Mapping[str, float] = {}
    ) -> Callable[[C], C]:
        """`@counter(RINGS)` above what draws counters of these outlines."""

        def mark(paint: C) -> C:
            for name, ring in rings.items():
                self.counters[name] = Counter(ring, paint, turns, room.get(name, 0.0))
            return paint

        return mark


OURS = Drawings()
"""What every game may use; the modules beside this one fill it."""


def counter(shape: str) -> Counter:
    """How a token of that shape is drawn: as its game draws it, or as we do; DataError for an unknown one."""
    outline = look("token shape", theme().shape, shape).outline
    return look("outline", OURS.counters | _brought("shape", shape).counters, outline)


def figure(symbol: str) -> Painter:
    """What draws that symbol, in the same way."""
    drawing = look("token symbol", theme().symbol, symbol)
    return look("symbol drawing", OURS.figures | _brought("symbol", symbol).figures, drawing)


def _brought(kind: str, key: str) -> Drawings:
    """The drawings of the game whose theme has that look; none where it is ours."""
    module = theme().homes.get((kind, key))
    if not module:
        return Drawings()
    drawings: Drawings = importlib.import_module(module).DRAWINGS
    return drawings
