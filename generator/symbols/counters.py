"""Counters, banners and battle dice, drawn from the designs in the theme files.

The weapons and badges on counters are defined in data/theme.toml and data/<game>/theme.toml. The counters of a
single game are drawn by its `symbols.py`, which the game's theme.toml names. That module is imported when such a
counter is first drawn, in any process.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from math import cos, pi, sin
from typing import TypeVar

import msgspec

from generator.model.picture import POINTS, XY, Colour, Item, Path, Pen, Text, circle, line, polygon, rectangle
from generator.symbols.shapes import Box, hatching, inset, moved, round_box, strokes
from generator.symbols.theme import Palette, Quality, look, theme

HALO = 0.7
"""Width of the pale rim between a counter and the terrain, in mm."""
EDGE = 0.35
"""Line width of a counter's outline, in mm."""


class Design(msgspec.Struct, frozen=True):
    """The values with which a counter is drawn: outline and colours of its camp, its quality, and its figure."""

    outline: str
    camp: Palette
    quality: Quality
    figure: str
    mark: str
    front: bool
    """Whether the token shows its front, which points up until the whole token is turned."""
    ink: str

    def drawing(self, colour: Colour) -> tuple[Path, ...]:
        """Return the figure in the given colour."""
        return drawn(self.figure, colour)


def body(outline: tuple[XY, ...], design: Design, rule: float = 0.5) -> list[Item]:
    """Return the halo and the filled outline of a counter, with a thin line inside it.

    `edge` draws the outline itself.
    """
    items: list[Item] = [
        polygon(outline, "#ffffff", Pen("#ffffff", 2 * HALO)),
        polygon(outline, design.camp.fill),
    ]
    if design.ink == "full":
        items.append(polygon(tuple(inset(outline, rule)), None, Pen(design.camp.tint, 0.13)))
    return items


def edge(outline: tuple[XY, ...], design: Design) -> Path:
    """Return the line around a counter."""
    return polygon(outline, None, Pen(design.camp.line, EDGE if design.ink == "full" else 0.45))


def mirrored(points: tuple[XY, ...]) -> tuple[XY, ...]:
    """Return a shape mirrored about the vertical axis. Its points stay in anticlockwise order."""
    return tuple((-x, y) for x, y in reversed(points))


def both(half: tuple[XY, ...]) -> tuple[XY, ...]:
    """Return a symmetrical shape from its right half, whose points are in upward order."""
    return (*half, *mirrored(half))


class Counter(msgspec.Struct, frozen=True):
    """The outline of a counter, and the function that draws it."""

    ring: tuple[XY, ...]
    paint: Callable[[Design], list[Item]]
    turns: bool = False
    """Whether the counter has a front and is rotated to its facing."""
    room: float = 0.0
    """Maximum length of a caption inside the outline, in mm. 0 if a caption is printed above the outline, and only on
    a counter that is cut out.
    """
    label_inside: bool = False
    """Whether the label is part of the drawing, at its lower right."""


C = TypeVar("C", bound=Callable[[Design], list[Item]])


class Drawings(dict[str, Counter]):
    """Functions that draw counters, keyed by the names that the theme uses for their outlines."""

    def counter(
        self,
        rings: Mapping[str, tuple[XY, ...]],
        turns: bool = False,
        room: Mapping[str, float] = {},
        label_inside: bool = False,
    ) -> Callable[[C], C]:
        """Return a decorator that registers a function for counters with these outlines, as in `@counter(RINGS)`."""

        def mark(paint: C) -> C:
            for name, ring in rings.items():
                self[name] = Counter(ring, paint, turns, room.get(name, 0.0), label_inside or name in room)
            return paint

        return mark


OURS = Drawings()
"""The counters that are available to every game."""


@lru_cache(64)  # Enough for the shapes of a print.
def counter(shape: str) -> Counter:
    """Return the counter for tokens of the given shape. A game's own counters take precedence over the shared ones.

    Raises:
        DataError: If the shape is unknown.
    """
    outline = look("token shape", theme().shape, shape).outline
    module = theme().homes.get(shape)
    brought: Drawings = importlib.import_module(module).DRAWINGS if module else Drawings()
    return look("outline", OURS | brought, outline)


@lru_cache(256)  # Enough for the figures of a print in their colours.
def drawn(name: str, colour: Colour) -> tuple[Path, ...]:
    """Return a figure from [figure] of the theme in one colour.

    Raises:
        DataError: If the figure is unknown.
    """
    return tuple(_shapes(look("figure", theme().figure, name), {"fill": colour, "line": colour, "white": "#ffffff"}))


def painted(name: str, c: Palette) -> tuple[Path, ...]:
    """Return a drawing from [drawing] of the theme in the colours of a palette.

    Raises:
        DataError: If the drawing is unknown.
    """
    return tuple(_shapes(look("pattern", theme().drawing, name), msgspec.structs.asdict(c)))


def _shapes(written: str, inks: Mapping[str, Colour]) -> Iterator[Path]:
    at: tuple[float, ...] = (0.0, 0.0)
    for shape in written.replace("\n ", "").splitlines():
        style, *words = shape.split()
        match style:
            case "at":
                at = tuple(map(float, words))
            case "use":
                yield from (moved(path, *at) for path in drawn(words[0], inks["fill"]))
            case _:
                yield moved(_shape(style, words, inks), *at)


def _shape(style: str, words: list[str], inks: Mapping[str, Colour]) -> Path:
    """Return a shape with its pen and fill.

    The shape is not filled if `style` is `line` and there is a pen, or if `style` has no colour before the slash.
    """
    area, _, edge = style.partition("/")
    area, _, share = area.partition("@")
    width, *dash = map(float, words.pop(0).split(",")) if words[0][0].isdigit() else (0.0,)
    pen = Pen(inks[edge or "line"], width, tuple(dash)) if width else None
    fill = None if not area or (area == "line" and pen) else inks["fill" if area == "holed" else area]
    match words:
        case ["circle", x, y, r]:
            made = circle(float(x), float(y), float(r), fill, pen)
        case ["box", x, y, w, h]:
            made = rectangle(float(x), float(y), float(w), float(h), fill, pen)
        case _:
            made = Path(tuple(_steps(words)), fill, pen)
    return msgspec.structs.replace(made, alpha=float(share or 1), even_odd=area == "holed")


def _steps(words: Iterable[str]) -> Iterator[tuple[str | float, ...]]:
    """Yield path steps from letters and points.

    A letter applies until the next one, except that M is followed by lines.
    """
    letter = ""
    points: list[float] = []
    for word in words:
        if word.isalpha():
            letter = word
            if word == "Z":
                yield ("Z",)
        else:
            points += map(float, word.split(","))
            if letter != "C" or len(points) == 6:
                yield letter, *points
                letter, points = "L" if letter == "M" else letter, []


_STRUCK = {"full": "#b3261e", "saver": "#000000"}
_DIE = 5.9
"""Half the side of a die's face, in mm."""


@OURS.counter({"die": ((-_DIE, -_DIE), (_DIE, -_DIE), (_DIE, _DIE), (-_DIE, _DIE))})
def _die(design: Design) -> list[Item]:
    """Return a face of a battle die with its figure, and below the figure the letter and pips of the banner."""
    quality, ink = design.quality, design.ink
    c = quality.ink(ink)
    side = 2 * _DIE
    items: list[Item] = [
        Path(round_box(-_DIE, -_DIE, side, side, 2.3), design.camp.fill, Pen(design.camp.line, 0.45)),
        Path(round_box(-_DIE + 0.75, -_DIE + 0.75, side - 1.5, side - 1.5, 1.7), None, Pen(design.camp.tint, 0.16)),
    ]
    up = 0.75 if quality.letter else 0.0
    for path in design.drawing(c.fill):
        items.append(moved(msgspec.structs.replace(path, pen=Pen(c.line, 0.3)), 0, up, 0.9))
    if quality.letter:
        items.append(Text(-4.1, -5.0, quality.letter, 2.4 * POINTS, "middle", True, design.camp.dark))
    items += [circle(4.5 - 1.25 * pip, -4.2, 0.46, design.camp.dark) for pip in range(quality.pips)]
    if design.mark:
        stroke = ((-5.2, -5.2), (5.2, 5.2))
        items += [line(stroke, Pen("#ffffff", 2.6)), line(stroke, Pen(_STRUCK[ink], 1.4))]
    return items


_HATCH, _HATCHED = 0.72, 0.3
"""Distance in mm between the hatching lines of a banner, and the hatched part of its height."""
FOLD = 4.0
"""Width of the folded corner of a banner, in mm."""
_WOOD = {"full": "#4a3826", "saver": "#000000"}

OUTLINES: dict[str, tuple[XY, ...]] = {
    "swallowtail": ((-4.9, 5.0), (-4.9, -5.6), (0, -3.3), (4.9, -5.6), (4.9, 5.0)),
    "flag": ((-4.7, 5.3), (-4.7, -4.6), (5.3, -4.6), (5.3, 5.3)),
    "disc": tuple((5.4 * cos(pi * i / 24), 5.4 * sin(pi * i / 24) + 0.3) for i in range(48)),
}
"""Outlines of banners, keyed by the names that the theme uses for them."""


@OURS.counter(OUTLINES)
def _banner(design: Design) -> list[Item]:
    """Return a banner in the colour of its quality, with its crossbar or pole."""
    quality, mark, ink = design.quality, design.mark, design.ink
    outline = OUTLINES[design.outline]
    if mark:
        outline = _cut(outline)
    ink_of = quality.ink(ink)
    items: list[Item] = [
        *rods(design.outline, "halo", HALO),
        polygon(outline, "#ffffff", Pen("#ffffff", 2 * HALO)),
    ]
    items += rods(design.outline, ink, 0.0)
    items.append(polygon(outline, ink_of.fill, None))
    left = min(p[0] for p in outline)
    index = left + 1.55
    x, y, size = (left + 5.6, -0.75, 0.9) if mark else (left + 5.95, 0.3, 1.0)
    if not (quality.letter or quality.pips or mark):
        x = 0.0
    drawing = [moved(path, x, y, size) for path in design.drawing(ink_of.light)]
    if ink == "saver":
        items.append(strokes(hatching(_foot(outline), quality.hatch, _HATCH), Pen(ink_of.dark, 0.3)))
        if quality.letter or quality.pips:
            items.append(rectangle(index - 1.0, -3.3, 2.0, 8.0, "#ffffff"))
        items += [_haloed(path) for path in drawing]
    else:
        items.append(polygon(tuple(inset(outline, 0.5)), None, Pen(ink_of.tint, 0.13)))
    items.append(polygon(outline, None, Pen(ink_of.line, 0.35)))
    items += drawing
    items += _index(quality, ink, index)
    if mark:
        items += _fold(outline, look("mark", theme().mark, mark), ink)
    return items


ROD_BOXES: dict[str, Box] = {"swallowtail": (-6.4, 4.7, 6.4, 6.0), "flag": (-5.7, -6.8, -4.3, 6.8)}
"""The left, lower, right and upper ends of a banner's crossbar or pole, in mm, keyed like OUTLINES."""


def rods(outline: str, ink: str, halo: float) -> tuple[Path, ...]:
    """Return the crossbar or pole from which the banner hangs. The result is empty if the outline has neither."""
    wood = _WOOD.get(ink, "#ffffff")
    match outline:
        case "swallowtail":
            return (
                line(((-5.7, 5.3), (5.7, 5.3)), Pen(wood, 0.8 + 2 * halo)),
                line(((0, 5.3), (0, 5.85)), Pen(wood, 0.7 + 2 * halo)),
                circle(-5.7, 5.3, 0.6 + halo, wood),
                circle(5.7, 5.3, 0.6 + halo, wood),
            )
        case "flag":
            return (
                line(((-5.0, -6.3), (-5.0, 5.8)), Pen(wood, 0.75 + 2 * halo)),
                circle(-5.0, 6.0, 0.65 + halo, wood),
            )
        case _:
            return ()


def _foot(outline: tuple[XY, ...]) -> list[XY]:
    """Return the lowest part of a banner, which is hatched to save ink."""
    low, high = min(y for _, y in outline), max(y for _, y in outline)
    level = low + _HATCHED * (high - low)
    found: list[XY] = []
    for i, (x, y) in enumerate(outline):
        px, py = outline[i - 1]
        if (py < level) != (y < level):
            found.append((px + (x - px) * (level - py) / (y - py), level))
        if y < level:
            found.append((x, y))
    return found


def _haloed(path: Path) -> Path:
    width = path.pen.width if path.pen else 0.0
    return Path(path.steps, "#ffffff" if path.fill else None, Pen("#ffffff", width + 1.1))


def _index(quality: Quality, ink: str, x: float) -> Iterator[Item]:
    """Yield the letter and the pips in the corner of a banner, as on a playing card."""
    light = quality.ink(ink).light
    if quality.letter:
        yield Text(x, 2.2, quality.letter, 3.4 * POINTS, "middle", True, light)
    for pip in range(quality.pips):
        yield circle(x, 1.15 - 1.36 * pip, 0.55, light)


def _cut(outline: tuple[XY, ...]) -> tuple[XY, ...]:
    """Return the outline of a banner without the corner that is folded over."""
    x, y = max(p[0] for p in outline), max(p[1] for p in outline)
    corner = ((x, y - FOLD), (x - FOLD, y))
    return tuple(q for p in outline for q in (corner if p == (x, y) else (p,)))


def _fold(outline: tuple[XY, ...], letter: str, ink: str) -> Iterator[Item]:
    """Yield a folded upper right corner with a letter. It marks a unit that replaces another unit."""
    x, y = max(p[0] for p in outline), max(p[1] for p in outline)
    flap = ((x - FOLD, y), (x - FOLD, y - FOLD), (x, y - FOLD))
    yield polygon(flap, "#f6e7b4" if ink == "full" else "#ffffff", Pen("#3a3a3a", 0.28))
    yield Text(x - FOLD * 0.66, y - FOLD * 0.9, letter, 2.5 * POINTS, "middle", True, "#202020")
