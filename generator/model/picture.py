"""A display list: what a map or a card face is made of, in millimetres, y upward, before any page.

Drawing decides nothing: whoever makes a picture has settled every colour and place. The PDF canvas is a
back end of it, and `lines()` is the text form that tests compare.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Literal

import msgspec

Colour = str
"""`#rrggbb`."""

XY = tuple[float, float]

POINTS = 72 / 25.4
"""Points in a millimetre."""
INK = "#23211c"
"""What letters and lines of pictures are black with."""
_PALEST = 0.55
"""How light black is where ink is saved; everything else between it and white."""
SLANT = 0.2
"""How far slanted letters lean to the right, in their heights: no font of ours has any."""


class Pen(msgspec.Struct, frozen=True):
    """A stroke: colour, width in mm, dash pattern in mm (empty: a solid line)."""

    colour: Colour
    width: float = 0.2
    dash: tuple[float, ...] = ()
    round: bool = True


class Path(msgspec.Struct, frozen=True):
    """Straight and curved segments: ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y), ("Z",)."""

    steps: tuple[tuple[str | float, ...], ...]
    fill: Colour | None = None
    pen: Pen | None = None
    alpha: float = 1.0
    even_odd: bool = False


class Text(msgspec.Struct, frozen=True):
    """One line of text; `size` is in points, (x, y) the end of the baseline that `anchor` names."""

    x: float
    y: float
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: Colour = "#000000"
    slanted: bool = False


class Use(msgspec.Struct, frozen=True):
    """A symbol drawn once and used many times, moved to (x, y), scaled and turned (degrees)."""

    symbol: Symbol
    x: float
    y: float
    scale: float = 1.0
    turn: float = 0.0
    data: tuple[tuple[str, str], ...] = ()
    """What stands there, for whoever reads the picture with a program: `unit`, `cell` and so on, and which."""


Item = Path | Text | Use


class Symbol(msgspec.Struct, frozen=True, eq=False):
    """A named drawing around its own origin; within a document one name means one drawing."""

    name: str
    items: tuple[Item, ...]
    reach: float = 10.0
    """Nothing of it lies farther than this from the origin, in mm."""
    plate: bool = False
    """It is there to hold a text, and goes where the text does not stand."""


class Still(msgspec.Struct, frozen=True):
    """What several pictures have in common, moved to (x, y) and scaled."""

    part: tuple[Item, ...]
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    @property
    def items(self) -> tuple[Item, ...]:
        """What is seen of it where it lies."""
        at_home = self == Still(self.part)
        return self.part if at_home else tuple(self._laid(item) for item in self.part)

    def _laid(self, item: Item) -> Item:
        share, replace = self.scale, msgspec.structs.replace
        if isinstance(item, Path):
            pen = item.pen and replace(
                item.pen, width=item.pen.width * share, dash=tuple(n * share for n in item.pen.dash)
            )
            return replace(item, steps=tuple(self._step(*step) for step in item.steps), pen=pen)
        at = {"x": self.x + share * item.x, "y": self.y + share * item.y}
        if isinstance(item, Text):
            return replace(item, **at, size=item.size * share)
        return replace(item, **at, scale=item.scale * share)

    def _step(self, sign: str | float, *places: str | float) -> tuple[str | float, ...]:
        return sign, *[(self.y if i % 2 else self.x) + self.scale * float(n) for i, n in enumerate(places)]


class Picture(msgspec.Struct, frozen=True):
    """A drawing of a stated size; (0, 0) is its lower left corner."""

    width: float
    height: float
    upon: tuple[Item, ...]
    """What is drawn last, mostly all."""
    layers: tuple[tuple[str, int], ...] = ()
    """What its items make up, from the first: a name, and how many they are; what is left belongs to no layer."""
    still: tuple[Still, ...] = ()
    """What it begins with: pictures that have a part in common have the same tuple there, and a PDF describes it
    once."""
    saver: tuple[Item, ...] = ()
    """What stands in their place where ink is saved; none where they take little as they are."""

    @property
    def items(self) -> tuple[Item, ...]:
        """All that is drawn, from the ground up."""
        return (*chain.from_iterable(still.items for still in self.still), *self.upon) if self.still else self.upon

    def lines(self) -> Iterator[str]:
        """The picture as text, a line for each item, numbers to a hundredth of a millimetre."""
        yield f"picture {self.width:.2f} x {self.height:.2f}"
        for item in self.items:
            if isinstance(item, Text):
                yield f"text {item.x:.2f} {item.y:.2f} {item.size:g}pt {item.anchor} {item.text!r}"
            elif isinstance(item, Use):
                yield f"use {item.symbol.name} {item.x:.2f} {item.y:.2f} x{item.scale:.2f} @{item.turn:g}"
            else:
                steps = " ".join([_LINES[step[0]] % step[1:] for step in item.steps])
                pen = f" pen {item.pen.colour} {item.pen.width:g}" if item.pen else ""
                yield f"path {item.fill or 'none'}{pen} {steps}"


_LINES: dict[str | float, str] = {"M": "M%.2f,%.2f", "L": "L%.2f,%.2f", "C": f"C{','.join(6 * ['%.2f'])}", "Z": "Z"}
"""Each kind of step as text."""


def rectangle(x: float, y: float, w: float, h: float, fill: Colour | None = None, pen: Pen | None = None) -> Path:
    """An upright rectangle from its lower left corner."""
    return polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), fill, pen)


def polygon(points: tuple[XY, ...], fill: Colour | None = None, pen: Pen | None = None, alpha: float = 1.0) -> Path:
    """A closed polygon."""
    (x, y), *rest = points
    return Path((("M", x, y), *(("L", a, b) for a, b in rest), ("Z",)), fill, pen, alpha)


def line(points: tuple[XY, ...], pen: Pen) -> Path:
    """An open line through the points."""
    (x, y), *rest = points
    return Path((("M", x, y), *(("L", a, b) for a, b in rest)), None, pen)


def circle(x: float, y: float, r: float, fill: Colour | None = None, pen: Pen | None = None) -> Path:
    """A circle of four cubic arcs."""
    k = 0.5523 * r
    return Path(
        (
            ("M", x + r, y),
            ("C", x + r, y + k, x + k, y + r, x, y + r),
            ("C", x - k, y + r, x - r, y + k, x - r, y),
            ("C", x - r, y - k, x - k, y - r, x, y - r),
            ("C", x + k, y - r, x + r, y - k, x + r, y),
            ("Z",),
        ),
        fill,
        pen,
    )


def spared(items: Iterable[Item], signs: Collection[Colour] = ()) -> tuple[Item, ...]:
    """The same with little ink and no colour: pale greys in their order, lines and `signs` as dark as they are.

    Letters that were white on a dark ground are black on a pale one.
    """
    return tuple(_spared(item, signs) for item in items)


def _spared(item: Item, signs: Collection[Colour]) -> Item:
    if isinstance(item, Text):
        return msgspec.structs.replace(item, colour=INK) if item.colour == "#ffffff" else item
    if isinstance(item, Use):
        return item
    fill = item.fill
    if fill:
        fill = _grey(light_of(fill) if fill in signs else _PALEST + (1 - _PALEST) * light_of(fill))
    pen = msgspec.structs.replace(item.pen, colour=_grey(light_of(item.pen.colour))) if item.pen else None
    return msgspec.structs.replace(item, fill=fill, pen=pen)


def light_of(colour: Colour) -> float:
    """How light a colour is to the eye, from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _grey(light: float) -> Colour:
    return "#" + 3 * f"{round(255 * light):02x}"
