"""Things to tick, count on, write on and measure with, as pictures; lengths in mm, type in points."""

from __future__ import annotations

from typing import Literal, NamedTuple

from generator.model.picture import Item, Pen, Picture, Text, circle, line, rectangle
from generator.press.canvas import MM
from generator.press.type import fonts
from generator.press.type.styles import DARK, FLOOR

_OUTLINE = Pen(DARK, 0.25, round=False)
_SPARE = Pen(DARK, 0.2, (0.8, 0.8))
_HAIR = Pen(DARK, 0.15, round=False)
_FAINT = "#6b675f"
_TALL = 7.0
"""A line is written on with letters of its own height: more white above it is no part of its field."""
_MIDDLE = 0.37
"""From the baseline to the middle of a digit, in type sizes."""


class Spot(NamedTuple):
    """A rectangle to tick (box, step) or to write in (line, room, cell), on its picture."""

    kind: Literal["box", "step", "line", "room", "cell"]
    x: float
    y: float
    width: float
    height: float


class Mark(NamedTuple):
    """What is drawn, and where it is ticked or written on, in reading order."""

    picture: Picture
    spots: tuple[Spot, ...]


def boxes(count: int, size: float, group: int, width: float) -> Mark:
    """Boxes to tick, in groups that people count at a glance; in as many rows as the width asks."""
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
    drawn = tuple(rectangle(spot.x, spot.y, side, side, "#ffffff", _OUTLINE) for spot in spots)
    return Mark(Picture(max((x for x, _ in places), default=0.0) + size, row * step + size, drawn), spots)


def track(first: int, last: int, goal: int, size: float, label: str, type_size: float, width: float) -> Mark:
    """Numbered circles from `first` to `last`, in rows, after a label; `goal` stands out where some follow it."""
    gap, items, spots = 0.18 * size, list[Item](), list[Spot]()
    start = fonts.width(label, type_size, bold=True) / MM + 2 if label else 0.0
    count = last - first + 1
    across = min(count, max(1, int((width - start + gap) // (size + gap))))
    rows = -(-count // across)
    height = rows * (size + gap) - gap
    if label:
        y = height - size / 2 - _MIDDLE * type_size / MM
        items.append(Text(0, y, label, type_size, bold=True))
    number = max(FLOOR, min(type_size, 0.45 * size * MM))
    for i in range(count):
        x = start + i % across * (size + gap) + size / 2
        y = height - i // across * (size + gap) - size / 2
        r = size / 2 - 0.13
        spots.append(Spot("step", x - r, y - r, 2 * r, 2 * r))
        items.append(circle(x, y, r, "#ffffff", _OUTLINE if first + i <= goal else _SPARE))
        if first + i == goal < last:
            items.append(circle(x, y, size / 2 - 0.75, None, _OUTLINE))
        items.append(Text(x, y - _MIDDLE * number / MM, str(first + i), number, "middle", colour=_FAINT))
    return Mark(Picture(start + across * (size + gap) - gap, height, tuple(items)), tuple(spots))


def lines(label: str, count: int, height: float, type_size: float, width: float) -> Mark:
    """Lines to write on, `height` apart, the first after a label."""
    start = fonts.width(label, type_size, bold=True) / MM + 1.5 if label else 0.0
    items: list[Item] = []
    if label:
        items.append(Text(0, (count - 1) * height + 0.8, label, type_size, bold=True))
    spots: list[Spot] = []
    for i in range(count):
        x, y = 0.0 if i else start, (count - 1 - i) * height + 0.1
        items.append(line(((x, y), (width, y)), _HAIR))
        spots.append(Spot("line", x, y + 0.2, width - x, min(height - 0.4, _TALL)))
    return Mark(Picture(max(width, start + height), count * height, tuple(items)), tuple(spots))


def room(label: str, height: float, type_size: float, width: float) -> Mark:
    """An empty box to write in, under its label."""
    items: list[Item] = [rectangle(0.1, 0.1, width - 0.2, height - 0.2, "#ffffff", _HAIR)]
    spots = (Spot("room", 0.5, 0.5, width - 1, height - 1),)
    if not label:
        return Mark(Picture(width, height, tuple(items)), spots)
    items.append(Text(0, height + 0.4 * type_size / MM, label, type_size, bold=True))
    wide = max(width, fonts.width(label, type_size, bold=True) / MM)
    return Mark(Picture(wide, height + 1.35 * type_size / MM, tuple(items)), spots)


def blank(height: float, width: float) -> Mark:
    """A cell of a table that is written in: nothing is drawn."""
    return Mark(Picture(width, height, ()), (Spot("cell", 0.0, 0.0, width, height),))


def ruler() -> Picture:
    """A scale of 100 mm above one of 4 inches."""
    left, upper, lower = 2.0, 7.2, 6.2
    items: list[Item] = [
        line(((left, upper), (left + 100, upper)), _OUTLINE),
        line(((left, lower), (left + 4 * 25.4, lower)), _OUTLINE),
    ]
    for mm in range(101):
        x, length = left + mm, 3.0 if mm % 10 == 0 else 2.2 if mm % 5 == 0 else 1.4
        items.append(line(((x, upper), (x, upper + length)), _HAIR))
        if mm % 10 == 0:
            items.append(Text(x, upper + 3.6, f"{mm} mm" if mm == 100 else str(mm), FLOOR, "middle"))
    for eighth in range(33):
        x, length = left + eighth * 25.4 / 8, 3.0 if eighth % 8 == 0 else 2.2 if eighth % 4 == 0 else 1.4
        items.append(line(((x, lower), (x, lower - length)), _HAIR))
        if eighth % 8 == 0:
            inches = f"{eighth // 8} in" if eighth == 32 else str(eighth // 8)
            items.append(Text(x, 0.8, inches, FLOOR, "middle"))
    return Picture(110, 13.6, tuple(items))
