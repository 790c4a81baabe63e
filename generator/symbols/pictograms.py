"""Pictures that a page counts with: dice, hexes, banners, cards, rings of turns, bars of chances.

Each is a Picture in mm, for a row or a cell of a sheet; what is meant by one stands beside it in words. Tints differ
in lightness, so that they are told apart without colours too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, circle, line, polygon, rectangle

BLACK, QUIET, PALE = "#23211c", "#6b665a", "#c9c4b6"
STRUCK = "#b3261e"
_THIN = Pen(BLACK, 0.25)
_DASHED = Pen(BLACK, 0.25, (0.9, 0.7))
_MIDDLE = 0.36
"""From the baseline to the middle of a capital or a digit, in type sizes."""
_PIPS = ((-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 0.0), (1.0, 0.0))
"""Where pips lie on a die, in the order in which they come, besides the one in the middle."""
_GAP = 0.28
"""Between two of a row, in their sizes."""


def dice(count: int, size: float = 3.2, hollow: int = 0) -> Picture:
    """So many dice in a row, then so many that count only under a condition."""
    corner = 0.22 * size

    def die(x: float, filled: bool) -> Item:
        return _rounded(x, 0.1, size, corner, BLACK if filled else None, None if filled else _DASHED)

    step = size * (1 + _GAP)
    items = tuple(die(0.1 + i * step, i < count) for i in range(count + hollow))
    return Picture(_wide(count + hollow, size), size + 0.2, items)


def face(pips: int, size: float = 6.6) -> Picture:
    """A die that shows so many pips, 1 to 6."""
    far, r = 0.27 * size, 0.085 * size
    middle = size / 2
    items: list[Item] = [_rounded(0.15, 0.15, size - 0.3, 0.2 * size, "#ffffff", Pen(BLACK, 0.3))]
    spots = [*_PIPS[: pips // 2 * 2], *([(0.0, 0.0)] if pips % 2 else [])]
    items += [circle(middle + far * x, middle + far * y, r, BLACK) for x, y in spots]
    return Picture(size, size, tuple(items))


def needs(text: str, size: float = 6.0) -> Picture:
    """A die and what it has to show, such as `4+`."""
    plate = _rounded(0.15, 0.15, size - 0.3, 0.2 * size, "#ffffff", Pen(BLACK, 0.3))
    points = min(0.46 * size * POINTS, 1.02 * size * POINTS / max(1, len(text)))
    return Picture(
        size, size, (plate, Text(size / 2, size / 2 - _MIDDLE * points / POINTS, text, points, "middle", True))
    )


def hexes(count: int, size: float = 3.4, hollow: int = 0) -> Picture:
    """So many hexes of a move in a row, then so many that count only under a condition, dashed."""
    step, r = size * (1 + _GAP / 2), size / 2
    items = []
    for i in range(count + hollow):
        corners = tuple((0.1 + r + i * step + r * sin(a * pi / 3), 0.1 + r + r * cos(a * pi / 3)) for a in range(6))
        items.append(polygon(corners, BLACK if i < count else None, None if i < count else _DASHED))
    total = count + hollow
    return Picture(max(0.1, total * step - size * _GAP / 2 + 0.2), size + 0.2, tuple(items))


def squares(count: int, size: float = 3.2, hollow: int = 0) -> Picture:
    """So many squares of a move in a row, then so many that count only under a condition, dashed."""
    step = size * (1 + _GAP)
    items = tuple(
        rectangle(0.1 + i * step, 0.1, size, size, BLACK if i < count else None, None if i < count else _DASHED)
        for i in range(count + hollow)
    )
    return Picture(_wide(count + hollow, size), size + 0.2, items)


def eye(clear: bool, size: float = 5.6) -> Picture:
    """An eye: one sees across; struck through: one does not."""
    high, middle = 0.56 * size, size / 2
    lid = Path(
        (
            ("M", 0.1, high / 2),
            ("C", 0.3 * size, 1.12 * high, 0.7 * size, 1.12 * high, size - 0.1, high / 2),
            ("C", 0.7 * size, -0.12 * high, 0.3 * size, -0.12 * high, 0.1, high / 2),
            ("Z",),
        ),
        "#ffffff",
        Pen(BLACK, 0.3),
    )
    items: list[Item] = [lid, circle(middle, high / 2, 0.3 * high, BLACK)]
    if not clear:
        items.append(line(((0.18 * size, 0.02), (0.82 * size, high - 0.02)), Pen("#ffffff", 0.9)))
        items.append(line(((0.18 * size, 0.02), (0.82 * size, high - 0.02)), Pen(STRUCK, 0.45)))
    return Picture(size, high, tuple(items))


def banners(count: int, size: float = 5.0, wide: float = 0.0) -> Picture:
    """Numbered victory banners to win, one behind the other; `wide` is the room there is in mm, 0 for any."""
    return _numbered(count, size, wide, 0.78, _banner)


def cards(count: int, size: float = 5.6, wide: float = 0.0) -> Picture:
    """So many cards in a hand, as backs."""

    def card(x: float, y: float, size: float, _number: int) -> list[Item]:
        w = 0.68 * size
        back = _rounded(x, y, w, 0.14 * size, "#ffffff", Pen(BLACK, 0.3), size)
        cross = [
            line(((x + 0.24 * w, y + 0.32 * size), (x + 0.76 * w, y + 0.68 * size)), Pen(BLACK, 0.4)),
            line(((x + 0.24 * w, y + 0.68 * size), (x + 0.76 * w, y + 0.32 * size)), Pen(BLACK, 0.4)),
        ]
        return [back, *cross]

    return _numbered(count, size, wide, 0.68, card)


def rings(first: int, last: int, size: float = 5.4, wide: float = 0.0) -> Picture:
    """Numbered rings, one for each turn; `wide` is the room there is in mm, 0 for any."""

    def ring(x: float, y: float, size: float, number: int) -> list[Item]:
        r = size / 2
        return [
            circle(x + r, y + r, r - 0.12, "#ffffff", _THIN),
            _number(x + r, y + r, str(first + number - 1), size),
        ]

    return _numbered(last - first + 1, size, wide, 1.0, ring)


def number(text: str, size: float = 4.0) -> Picture:
    """A step's or a unit's number, white on a dark plate with round corners."""
    width = max(size, (0.62 * len(text) + 0.5) * size * 0.72)
    plate = _rounded(0, 0, width, 0.24 * size, BLACK, None, size)
    points = 0.66 * size * POINTS
    baseline = size / 2 - _MIDDLE * points / POINTS
    return Picture(width, size, (plate, Text(width / 2, baseline, text, points, "middle", True, "#ffffff")))


class Share(NamedTuple):
    """A part of a bar: how much of the whole, its fill, and a short text that stands in it where it finds room."""

    part: float
    fill: str
    text: str = ""
    light: bool = False
    """Its text is white: the fill is dark."""


def bar(shares: Sequence[Share], width: float, height: float = 4.6) -> Picture:
    """The shares of a whole side by side, outlined; together they may come to less than one."""
    items: list[Item] = []
    x, points = 0.0, max(7.0, min(8.5, 0.6 * height * POINTS))
    for share in shares:
        wide = share.part * width
        if wide > 0:
            items.append(rectangle(x, 0, wide, height, share.fill, Pen(BLACK, 0.18)))
        # Letters are half an em wide, digits a little more.
        if share.text and wide >= (0.62 * len(share.text) + 0.5) * points / POINTS:
            at = x + wide / 2, height / 2 - _MIDDLE * points / POINTS
            items.append(Text(*at, share.text, points, "middle", colour="#ffffff" if share.light else BLACK))
        x += wide
    items.append(rectangle(0, 0, width, height, None, Pen(BLACK, 0.25)))
    return Picture(width, height, tuple(items))


def _number(x: float, y: float, text: str, size: float) -> Text:
    """A number in the middle of something of that size."""
    points = max(5.0, (0.56 if len(text) < 2 else 0.46) * size * POINTS)
    return Text(x, y - _MIDDLE * points / POINTS, text, points, "middle", bold=True, colour=BLACK)


def _banner(x: float, y: float, size: float, number: int) -> list[Item]:
    w = 0.78 * size
    cloth = (
        (x + 0.08 * w, y + size), (x + 0.92 * w, y + size), (x + 0.92 * w, y),
        (x + 0.5 * w, y + 0.2 * size), (x + 0.08 * w, y),
    )  # fmt: skip
    pole = line(((x, y + size - 0.15), (x + w, y + size - 0.15)), Pen(BLACK, 0.5))
    return [polygon(cloth, "#ffffff", _THIN), pole, _number(x + w / 2, y + 0.6 * size, str(number), 0.86 * size)]


_One = Callable[[float, float, float, int], list[Item]]
"""Draws one of a row: at x and y, of that size, with that number."""


def _numbered(count: int, size: float, wide: float, share: float, one: _One) -> Picture:
    step = share * size * (1 + _GAP)
    across = max(1, min(count, int((wide + share * size * _GAP) // step))) if wide else max(1, count)
    rows, down = -(-count // across), size * 1.2
    items: list[Item] = []
    for i in range(count):
        row, column = divmod(i, across)
        items += one(column * step, (rows - 1 - row) * down, size, i + 1)
    across = min(across, count)
    return Picture(max(0.1, across * step - share * size * _GAP), max(0.1, rows * down - 0.2 * size), tuple(items))


def _rounded(x: float, y: float, w: float, r: float, fill: str | None, pen: Pen | None, h: float = 0.0) -> Path:
    """A rectangle with round corners, square unless `h` gives its height."""
    h, k = h or w, 0.45 * r
    return Path(
        (
            ("M", x + r, y), ("L", x + w - r, y), ("C", x + w - k, y, x + w, y + k, x + w, y + r),
            ("L", x + w, y + h - r), ("C", x + w, y + h - k, x + w - k, y + h, x + w - r, y + h),
            ("L", x + r, y + h), ("C", x + k, y + h, x, y + h - k, x, y + h - r),
            ("L", x, y + r), ("C", x, y + k, x + k, y, x + r, y), ("Z",),
        ),
        fill,
        pen,
    )  # fmt: skip


def _wide(count: int, size: float) -> float:
    """How wide a row of so many is, with the room of a pen around it."""
    return max(0.1, count * size * (1 + _GAP) - size * _GAP + 0.2)
