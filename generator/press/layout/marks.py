"""Draw boxes, tracks, lines and rulers as pictures. Lengths are in mm, type sizes in points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from generator.model.picture import XY, Item, Path, Pen, Picture, Still, Text, circle, line, rectangle
from generator.press.layout.styles import DARK
from generator.press.pdf import fonts
from generator.press.pdf.fields import Spot
from generator.press.pdf.legible import FLOOR, floor
from generator.press.pdf.units import MM
from generator.symbols.shapes import strokes

_OUTLINE = Pen(DARK, 0.25, round=False)
_GREY = Pen("#8c8678", 0.22, round=False)
_SPARE = Pen(DARK, 0.2, (0.8, 0.8))
_HAIR = Pen(DARK, 0.15, round=False)
_FAINT = "#6b675f"
_MAX_FIELD_HEIGHT = 7.0
"""Maximum height in mm of a form field on a line. White space above that height is not part of the field."""
_DIGIT_MIDDLE = 0.37
"""Distance from the baseline to the middle of a digit, relative to the type size."""


class Mark(NamedTuple):
    """A picture with spots to tick or write on, in reading order."""

    picture: Picture
    spots: tuple[Spot, ...]


def draw_boxes(count: int, size: float, group: int, width: float, quiet: bool = False) -> Mark:
    """Return boxes to tick in groups of `group`, on as many rows as the width requires.

    `quiet` draws them in grey.
    """
    gap, between = 0.22 * size, 0.75 * size
    places: list[tuple[float, int]] = []
    x, row = 0.0, 0
    for i in range(count):
        opens = i % group == 0
        if i:
            x += size + (between if opens else gap)
        run = min(group, count - i) if opens else 1
        if x and x + run * (size + gap) - gap > width:
            x, row = 0.0, row + 1
        places.append((x, row))
    step, side = size + gap, size - 0.26
    spots = tuple(Spot("box", x + 0.13, (row - r) * step + 0.13, side, side) for x, r in places)
    pen = _GREY if quiet else _OUTLINE
    drawn = _one_path([rectangle(spot.x, spot.y, side, side) for spot in spots], pen)
    return Mark(Picture(max((x for x, _ in places), default=0.0) + size, row * step + size, drawn), spots)


def _one_path(outlines: Sequence[Path], pen: Pen) -> tuple[Path, ...]:
    """Join white shapes that do not touch into one path. The result is empty if there are no shapes."""
    steps = tuple([step for one in outlines for step in one.steps])
    return (Path(steps, "#ffffff", pen),) if steps else ()


_TRACK_GAP, _MIN_TRACK_SCALE = 0.18, 0.84
"""Gap between the circles of a track relative to their size, and the minimum scale to which circles shrink to save a
row."""


def draw_track(first: int, last: int, goal: int, size: float, label: str, type_size: float, width: float) -> Mark:
    """Return a label followed by numbered circles from `first` to `last`. `goal` is marked unless it is the last.

    The circles shrink slightly if that saves a row. All rows except the last have the same length.
    """
    items, spots, rings = list[Item](), list[Spot](), list[Path]()
    start = fonts.width(label, type_size, bold=True) / MM + 2 if label else 0.0
    count = last - first + 1
    whole = (width - start) / (count * (1 + _TRACK_GAP) - _TRACK_GAP)
    size = whole if _MIN_TRACK_SCALE * size < whole < size else size
    gap = _TRACK_GAP * size
    across = min(count, max(1, int((width - start + gap + 1e-6) // (size + gap))))
    rows = -(-count // across)
    across = -(-count // rows)
    height = rows * (size + gap) - gap
    if label:
        y = height - size / 2 - _DIGIT_MIDDLE * type_size / MM
        items.append(Text(0, y, label, type_size, bold=True))
    number = max(FLOOR, min(type_size, 0.45 * size * MM))
    for i in range(count):
        x = start + i % across * (size + gap) + size / 2
        y = height - i // across * (size + gap) - size / 2
        r = size / 2 - 0.13
        spots.append(Spot("step", x - r, y - r, 2 * r, 2 * r))
        rings.append(circle(x, y, r))
        if first + i == goal < last:
            items.append(circle(x, y, size / 2 - 0.75, None, _OUTLINE))
        items.append(Text(x, y - _DIGIT_MIDDLE * number / MM, str(first + i), number, "middle", colour=_FAINT))
    steps = max(0, goal + 1 - first)
    drawn = (*_one_path(rings[:steps], _OUTLINE), *_one_path(rings[steps:], _SPARE), *items)
    return Mark(Picture(start + across * (size + gap) - gap, height, drawn), tuple(spots))


def draw_lines(label: str, count: int, height: float, type_size: float, width: float) -> Mark:
    """Return lines to write on, `height` mm apart. The label is at the start of the first line."""
    start = fonts.width(label, type_size, bold=True) / MM + 1.5 if label else 0.0
    items: list[Item] = []
    if label:
        items.append(Text(0, (count - 1) * height + 0.8, label, type_size, bold=True))
    spots: list[Spot] = []
    for i in range(count):
        x, y = 0.0 if i else start, (count - 1 - i) * height + 0.1
        items.append(line(((x, y), (width, y)), _HAIR))
        spots.append(Spot("line", x, y + 0.2, width - x, min(height - 0.4, _MAX_FIELD_HEIGHT)))
    return Mark(Picture(max(width, start + height), count * height, tuple(items)), tuple(spots))


def draw_writing_box(label: str, height: float, type_size: float, width: float) -> Mark:
    """Return an empty box to write in, below its label."""
    items: list[Item] = [rectangle(0.1, 0.1, width - 0.2, height - 0.2, "#ffffff", _HAIR)]
    spots = (Spot("room", 0.5, 0.5, width - 1, height - 1),)
    if not label:
        return Mark(Picture(width, height, tuple(items)), spots)
    items.append(Text(0, height + 0.4 * type_size / MM, label, type_size, bold=True))
    wide = max(width, fonts.width(label, type_size, bold=True) / MM)
    return Mark(Picture(wide, height + 1.35 * type_size / MM, tuple(items)), spots)


def blank_cell(height: float, width: float) -> Mark:
    """Return an empty table cell to write in."""
    return Mark(Picture(width, height, ()), (Spot("cell", 0.0, 0.0, width, height),))


def draw_row(pictures: Sequence[Picture], size: float, gap: float, width: float) -> Picture:
    """Return pictures in rows, each scaled to a square of `size` mm. The width determines the length of a row."""
    step = size + gap
    across = max(1, min(len(pictures), int((width + gap + 1e-6) // step)))
    rows = -(-len(pictures) // across) if pictures else 0
    items: list[Item] = []
    for i, picture in enumerate(pictures):
        down, right = divmod(i, across)
        share = size / max(picture.width, picture.height)
        x, y = right * step + size / 2, (rows - down - 1) * step + size / 2
        items += scaled_items(picture, x, y, share)
    return Picture(max(0.0, min(across, len(pictures)) * step - gap), max(0.0, rows * step - gap), tuple(items))


def scaled_items(picture: Picture, x: float, y: float, share: float) -> tuple[Item, ...]:
    """Return the items of a picture scaled by the factor `share`, with the picture's centre at (x, y)."""
    left, low = x - share * picture.width / 2, y - share * picture.height / 2

    return Still(picture.items, left, low, share).items


def shrink_picture(picture: Picture, share: float) -> Picture:
    """Return a picture scaled by a factor below 1, with its texts at their minimum sizes or larger."""

    def shrink(item: Item) -> Item:
        if not isinstance(item, Text):
            return item
        return replace(item, size=max(item.size, floor(item.text) / share))

    items = tuple(shrink(item) for item in picture.items)
    return Picture(share * picture.width, share * picture.height, Still(items, scale=share).items)


def draw_ruler() -> Picture:
    """Return a ruler with a scale of 100 mm above a scale of 4 inches."""
    left, upper, lower = 2.0, 7.2, 6.2
    items: list[Item] = [
        line(((left, upper), (left + 100, upper)), _OUTLINE),
        line(((left, lower), (left + 4 * 25.4, lower)), _OUTLINE),
    ]
    ticks: list[tuple[XY, XY]] = []
    for mm in range(101):
        x, length = left + mm, 3.0 if mm % 10 == 0 else 2.2 if mm % 5 == 0 else 1.4
        ticks.append(((x, upper), (x, upper + length)))
        if mm % 10 == 0:
            items.append(Text(x, upper + 3.6, f"{mm} mm" if mm == 100 else str(mm), FLOOR, "middle"))
    for eighth in range(33):
        x, length = left + eighth * 25.4 / 8, 3.0 if eighth % 8 == 0 else 2.2 if eighth % 4 == 0 else 1.4
        ticks.append(((x, lower), (x, lower - length)))
        if eighth % 8 == 0:
            inches = f"{eighth // 8} in" if eighth == 32 else str(eighth // 8)
            items.append(Text(x, 0.8, inches, FLOOR, "middle"))
    return Picture(110, 13.6, (*items, strokes(ticks, _HAIR)))
