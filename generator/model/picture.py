"""Pictures as display lists, which contain the shapes and texts of a map or a card face.

Coordinates are in mm, and y increases upwards. A picture determines every colour and position. The PDF canvas
draws it, and `Picture.lines` is the text form that tests compare.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Literal

import msgspec

from generator.model.words import Words

Colour = str
"""A colour in the form `#rrggbb`."""

XY = tuple[float, float]

POINTS = 72 / 25.4
"""The number of points in one millimetre."""
INK = "#23211c"
"""The black of letters and lines in pictures."""
DARKEST_SPARED = 0.55
"""The lightness of black fills in an ink-saving print, from 0 to 1. Other fills are between this value and white."""
SLANT = 0.2
"""The horizontal shift of slanted letters per unit of height. The fonts have no italics."""


class Pen(msgspec.Struct, frozen=True):
    """A stroke with a colour, a width in mm and a dash pattern in mm, which is empty for a solid line."""

    colour: Colour
    width: float = 0.2
    dash: tuple[float, ...] = ()
    round: bool = True


class Path(msgspec.Struct, frozen=True):
    """A path of straight and curved segments.

    The segments are ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) and ("Z",).
    """

    steps: tuple[tuple[str | float, ...], ...]
    fill: Colour | None = None
    pen: Pen | None = None
    alpha: float = 1.0
    even_odd: bool = False


class Text(msgspec.Struct, frozen=True):
    """A line of text. `size` is in points, and (x, y) is the point of the baseline that `anchor` specifies."""

    x: float
    y: float
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: Colour = "#000000"
    slanted: bool = False
    spacing: float = 0.0
    """Additional space between letters, relative to the type size."""
    turn: float = 0.0
    """Rotation about (x, y) in degrees, anticlockwise."""

    @property
    def extra_width(self) -> float:
        """The width in mm that the spacing adds."""
        return self.spacing * max(0, len(self.text) - 1) * self.size / POINTS


class Use(msgspec.Struct, frozen=True):
    """A use of a symbol, moved to (x, y), scaled, and rotated anticlockwise by `turn` degrees."""

    symbol: Symbol
    x: float
    y: float
    scale: float = 1.0
    turn: float = 0.0
    data: tuple[tuple[str, str], ...] = ()
    """Data for programs that read the picture, as pairs of a key, such as `unit` or `cell`, and its value."""


Item = Path | Text | Use


class Symbol(msgspec.Struct, frozen=True, eq=False):
    """A named drawing around its own origin. Within a document, a name always refers to the same drawing."""

    name: str
    items: tuple[Item, ...]
    reach: float = 10.0
    """The maximum distance of any part of the drawing from the origin, in mm."""
    plate: bool = False
    """Whether the symbol is the background of a text. It is omitted if the text is."""


class Still(msgspec.Struct, frozen=True):
    """Items that several pictures share, moved to (x, y) and scaled."""

    part: tuple[Item, ...]
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    @property
    def items(self) -> tuple[Item, ...]:
        """The items at their positions in the picture."""
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


ENTRY = "entry"
"""Name of the layers of a legend, one for each entry."""


class Picture(msgspec.Struct, frozen=True):
    """A drawing with a size in mm. Its lower left corner is (0, 0)."""

    width: float
    height: float
    upon: tuple[Item, ...]
    """The items drawn last. Most pictures contain only these."""
    layers: tuple[tuple[str, int], ...] = ()
    """The names of layers with the number of items in each, beginning with the first item. The remaining items have
    no layer.
    """
    still: tuple[Still, ...] = ()
    """The items drawn first. Pictures that share a part contain the same tuple, so that a PDF contains the part only
    once.
    """
    saver: tuple[Item, ...] = ()
    """The items that replace all others in an ink-saving print. If the others need little ink, the tuple is empty."""
    alt: Words | None = None
    """A description of the picture for readers who cannot see it."""

    @property
    def items(self) -> tuple[Item, ...]:
        """All items in the order in which they are drawn."""
        return (*chain.from_iterable(still.items for still in self.still), *self.upon) if self.still else self.upon

    def lines(self) -> Iterator[str]:
        """Yield the picture as text, with a line for each item and numbers to a hundredth of a millimetre."""
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
"""The text form of each kind of step."""


def rectangle(x: float, y: float, w: float, h: float, fill: Colour | None = None, pen: Pen | None = None) -> Path:
    """Return an upright rectangle, given its lower left corner."""
    return polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), fill, pen)


def polygon(points: tuple[XY, ...], fill: Colour | None = None, pen: Pen | None = None, alpha: float = 1.0) -> Path:
    """Return a closed polygon."""
    (x, y), *rest = points
    return Path((("M", x, y), *(("L", a, b) for a, b in rest), ("Z",)), fill, pen, alpha)


def line(points: tuple[XY, ...], pen: Pen) -> Path:
    """Return an open line through the points."""
    (x, y), *rest = points
    return Path((("M", x, y), *(("L", a, b) for a, b in rest)), None, pen)


def circle(x: float, y: float, r: float, fill: Colour | None = None, pen: Pen | None = None) -> Path:
    """Return a circle made of four cubic arcs."""
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


def spared(
    items: Iterable[Item], signs: Collection[Colour] = (), darkest: float = DARKEST_SPARED
) -> tuple[Item, ...]:
    """Return the items in pale greys for an ink-saving print. Lines and the colours `signs` keep their lightness.

    The order of lightness of fills stays the same, and black becomes a grey with the lightness `darkest`, from 0 to
    1. White letters become black, because their background becomes pale.
    """
    return tuple(_spared(item, signs, darkest) for item in items)


def _spared(item: Item, signs: Collection[Colour], darkest: float) -> Item:
    if isinstance(item, Text):
        return msgspec.structs.replace(item, colour=INK) if item.colour == "#ffffff" else item
    if isinstance(item, Use):
        return item
    fill = item.fill
    if fill:
        fill = _grey(light_of(fill) if fill in signs else darkest + (1 - darkest) * light_of(fill))
    pen = msgspec.structs.replace(item.pen, colour=_grey(light_of(item.pen.colour))) if item.pen else None
    return msgspec.structs.replace(item, fill=fill, pen=pen)


def light_of(colour: Colour) -> float:
    """Return the perceived lightness of a colour, from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _grey(light: float) -> Colour:
    return "#" + 3 * f"{round(255 * light):02x}"
