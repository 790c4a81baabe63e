"""Pictograms for the rows and cells of a sheet, such as dice, hexes, banners, cards and bars of probabilities.

Each pictogram is a Picture in mm with words for what it shows. Tints differ in lightness, so that they can be
distinguished without colours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Literal

import msgspec

from generator.model.picture import (
    INK,
    POINTS,
    Item,
    Path,
    Pen,
    Picture,
    Symbol,
    Text,
    Use,
    circle,
    line,
    polygon,
    rectangle,
    spared,
)
from generator.model.words import Words, joined, same
from generator.symbols.picture_words import picture_words
from generator.symbols.shapes import round_box

WHITE = "#ffffff"
BLACK, QUIET, PALE = INK, "#6b665a", "#c9c4b6"
STRUCK = "#b3261e"
_THIN = Pen(BLACK, 0.25)
_DASHED = Pen(BLACK, 0.25, (0.9, 0.7))
_MIDDLE = 0.36
"""Distance from the baseline to the middle of a capital letter or digit, relative to the type size."""
_PIPS = ((-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 0.0), (1.0, 0.0))
"""Positions of the pips on a die, except the central one, in the order in which they are added."""
_GAP = 0.28
"""Gap between two symbols of a row, relative to their size."""


def dice(count: int, size: float = 3.2, hollow: int = 0) -> Picture:
    """Return `count` dice in a row, followed by `hollow` dashed dice that only count under a condition."""
    return _row("die", count, hollow, size, _GAP, "dice")


def face(pips: int, size: float = 6.6, fill: str = "#ffffff", edge: float = 0.3) -> Picture:
    """Return a die with 1 to 6 pips. `edge` is the width of its outline in mm."""
    far, r = 0.27 * size, 0.085 * size
    middle = size / 2
    items: list[Item] = [_rounded(edge / 2, edge / 2, size - edge, 0.2 * size, fill, Pen(BLACK, edge))]
    spots = [*_PIPS[: pips // 2 * 2], *([(0.0, 0.0)] if pips % 2 else [])]
    items += [circle(middle + far * x, middle + far * y, r, BLACK) for x, y in spots]
    return Picture(size, size, tuple(items), alt=picture_words("face", n=pips))


def needs(text: str, size: float = 6.0) -> Picture:
    """Return a die that shows a required result, such as `4+`."""
    plate = _rounded(0.15, 0.15, size - 0.3, 0.2 * size, WHITE, Pen(BLACK, 0.3))
    points = min(0.46 * size * POINTS, 1.02 * size * POINTS / max(1, len(text)))
    return Picture(
        size,
        size,
        (plate, Text(size / 2, size / 2 - _MIDDLE * points / POINTS, text, points, "middle", True)),
        alt=picture_words("needs", text=text),
    )


def hexes(count: int, size: float = 3.4, hollow: int = 0) -> Picture:
    """Return `count` hexes of a move in a row, followed by `hollow` dashed ones that only count under a condition."""
    return _row("hex", count, hollow, size, _GAP / 2, "hexes")


def squares(count: int, size: float = 3.2, hollow: int = 0) -> Picture:
    """Return `count` squares of a move in a row.

    They are followed by `hollow` dashed squares that only count under a condition.
    """
    return _row("square", count, hollow, size, _GAP, "squares")


def _row(what: str, count: int, hollow: int, size: float, gap: float, words: str) -> Picture:
    """Return `count` filled symbols and `hollow` dashed symbols in a row.

    `gap` is relative to the size of a symbol. `words` is the name of the words for the symbols.
    """
    alt = picture_words(f"{words}_more", n=count, m=hollow) if hollow else picture_words(words, n=count)
    step, total = size * (1 + gap), count + hollow
    items = tuple(
        Use(_one(what, i < count), 0.1 + size / 2 + i * step, 0.1 + size / 2, size / _UNIT) for i in range(total)
    )
    return Picture(max(0.1, total * step - size * gap + 0.2), size + 0.2, items, alt=alt)


_UNIT = 3.2
"""Size at which counted symbols are drawn before they are scaled, in mm."""


@lru_cache(6)  # Dice, hexes and squares, each filled and dashed.
def _one(what: str, filled: bool) -> Symbol:
    """Return a die, hex or square around its own centre, either filled or dashed."""
    fill, pen, r = (BLACK, None, _UNIT / 2) if filled else (None, _DASHED, _UNIT / 2 - 0.1)
    if what == "die":
        shape = _rounded(-r, -r, 2 * r, 0.44 * r, fill, pen)
    elif what == "hex":
        shape = polygon(tuple((r * sin(a * pi / 3), r * cos(a * pi / 3)) for a in range(6)), fill, pen)
    else:
        shape = rectangle(-r, -r, 2 * r, 2 * r, fill, pen)
    return Symbol(f"count.{what}.{'full' if filled else 'dashed'}", (shape,), _UNIT)


def eye(clear: bool, size: float = 5.6) -> Picture:
    """Return an eye for a clear line of sight. For a blocked line it is struck through."""
    high, middle = 0.56 * size, size / 2
    lid = Path(
        (
            ("M", 0.1, high / 2),
            ("C", 0.3 * size, 1.12 * high, 0.7 * size, 1.12 * high, size - 0.1, high / 2),
            ("C", 0.7 * size, -0.12 * high, 0.3 * size, -0.12 * high, 0.1, high / 2),
            ("Z",),
        ),
        WHITE,
        Pen(BLACK, 0.3),
    )
    items: list[Item] = [lid, circle(middle, high / 2, 0.3 * high, BLACK)]
    if not clear:
        items.append(line(((0.18 * size, 0.02), (0.82 * size, high - 0.02)), Pen(WHITE, 0.9)))
        items.append(line(((0.18 * size, 0.02), (0.82 * size, high - 0.02)), Pen(STRUCK, 0.45)))
    words = picture_words("clear" if clear else "blocks")
    return Picture(size, high, tuple(items), saver=spared(items, SIGNS), alt=words)


def banners(count: int, size: float = 5.0, wide: float = 0.0) -> Picture:
    """Return numbered victory banners, one behind the other.

    `wide` is the available width in mm. If it is 0, there is no limit.
    """
    return _numbered(count, size, wide, 0.78, _banner, picture_words("banners", n=count))


def cards(count: int, size: float = 5.6, wide: float = 0.0) -> Picture:
    """Return the backs of `count` cards in a hand."""

    def card(x: float, y: float, size: float, _number: int) -> list[Item]:
        w = 0.68 * size
        back = _rounded(x, y, w, 0.14 * size, WHITE, Pen(BLACK, 0.3), size)
        cross = [
            line(((x + 0.24 * w, y + 0.32 * size), (x + 0.76 * w, y + 0.68 * size)), Pen(BLACK, 0.4)),
            line(((x + 0.24 * w, y + 0.68 * size), (x + 0.76 * w, y + 0.32 * size)), Pen(BLACK, 0.4)),
        ]
        return [back, *cross]

    return _numbered(count, size, wide, 0.68, card, picture_words("cards", n=count))


def rings(first: int, last: int, size: float = 5.4, wide: float = 0.0) -> Picture:
    """Return numbered rings, one for each turn.

    `wide` is the available width in mm. If it is 0, there is no limit.
    """

    def ring(x: float, y: float, size: float, number: int) -> list[Item]:
        r = size / 2
        return [
            circle(x + r, y + r, r - 0.12, WHITE, _THIN),
            _number(x + r, y + r, str(first + number - 1), size),
        ]

    return _numbered(last - first + 1, size, wide, 1.0, ring, picture_words("turns", first=first, last=last))


def number(text: str, size: float = 4.0) -> Picture:
    """Return the number of a step or a unit in white on a dark plate with round corners."""
    width = max(size, (0.62 * len(text) + 0.5) * size * 0.72)
    plate = _rounded(0, 0, width, 0.24 * size, BLACK, None, size)
    outline = _rounded(0.12, 0.12, width - 0.24, 0.24 * size, WHITE, _THIN, size - 0.24)
    points = 0.66 * size * POINTS
    baseline = size / 2 - _MIDDLE * points / POINTS
    dark, light = (Text(width / 2, baseline, text, points, "middle", True, colour) for colour in (BLACK, WHITE))
    return Picture(width, size, (plate, light), saver=(outline, dark), alt=number_words(text))


def number_words(text: str) -> Words:
    """Return the words for the number or letter on a plate."""
    return picture_words("number", n=text) if text.isdecimal() else same(text)


class Share(msgspec.Struct, frozen=True):
    """A part of a bar: its fraction of the whole, its fill, and a short text that is shown if there is room."""

    part: float
    fill: str
    text: str = ""
    light: bool = False
    """Whether the text is white, for use on a dark fill."""


def bar(shares: Sequence[Share], width: float, height: float = 4.6, alt: Words | None = None) -> Picture:
    """Return an outlined bar of parts placed side by side. The sum of the parts may be less than 1.

    `alt` are the words for the parts and their shares.
    """
    items: list[Item] = []
    x, points = 0.0, max(7.0, min(8.5, 0.6 * height * POINTS))
    for share in shares:
        wide = share.part * width
        if wide > 0 and share.fill != WHITE:
            items.append(rectangle(x, 0, wide, height, share.fill))
        # Letters are half an em wide, and digits are slightly wider.
        if share.text and wide >= (0.62 * len(share.text) + 0.5) * points / POINTS:
            at = x + wide / 2, height / 2 - _MIDDLE * points / POINTS
            items.append(Text(*at, share.text, points, "middle", colour=WHITE if share.light else BLACK))
        x += wide
        if wide > 0 and x < width - 0.1:
            items.append(line(((x, 0), (x, height)), Pen(BLACK, 0.18, round=False)))
    items.append(rectangle(0, 0, width, height, None, Pen(BLACK, 0.25)))
    return Picture(width, height, tuple(items), saver=spared(items, SIGNS), alt=alt)


SIGNS = (STRUCK, QUIET)
"""Colours of arrowheads. In ink-saving prints, these stay as dark as their shafts."""


def _number(x: float, y: float, text: str, size: float) -> Text:
    """Return a number that is centred on an item of the given size."""
    points = max(5.0, (0.56 if len(text) < 2 else 0.46) * size * POINTS)
    return Text(x, y - _MIDDLE * points / POINTS, text, points, "middle", bold=True, colour=BLACK)


def _banner(x: float, y: float, size: float, number: int) -> list[Item]:
    w = 0.78 * size
    cloth = (
        (x + 0.08 * w, y + size), (x + 0.92 * w, y + size), (x + 0.92 * w, y),
        (x + 0.5 * w, y + 0.2 * size), (x + 0.08 * w, y),
    )  # fmt: skip
    pole = line(((x, y + size - 0.15), (x + w, y + size - 0.15)), Pen(BLACK, 0.5))
    return [polygon(cloth, WHITE, _THIN), pole, _number(x + w / 2, y + 0.6 * size, str(number), 0.86 * size)]


_One = Callable[[float, float, float, int], list[Item]]
"""A function that draws one item of a row, given x, y, the item's size and its number."""


def _numbered(count: int, size: float, wide: float, share: float, one: _One, alt: Words) -> Picture:
    step = share * size * (1 + _GAP)
    across = max(1, min(count, int((wide + share * size * _GAP) // step))) if wide else max(1, count)
    rows, down = -(-count // across), size * 1.2
    items: list[Item] = []
    for i in range(count):
        row, column = divmod(i, across)
        items += one(column * step, (rows - 1 - row) * down, size, i + 1)
    across = min(across, count)
    right, high = max(0.1, across * step - share * size * _GAP), max(0.1, rows * down - 0.2 * size)
    return Picture(right, high, tuple(items), alt=alt)


def _rounded(x: float, y: float, w: float, r: float, fill: str | None, pen: Pen | None, h: float = 0.0) -> Path:
    """Return a rectangle with round corners. It is a square unless `h` specifies the height."""
    return Path(round_box(x, y, w, h or w, r), fill, pen)


class Arrow(msgspec.Struct, frozen=True):
    """An event between two hexes of a row."""

    start: int
    end: int
    what: Literal["move", "fight", "blow", "answer"] = "move"
    """A move into the hex, a fight, or a blow and the reply to it, which are drawn one above the other."""


def steps(cells: Sequence[str], arrows: Sequence[Arrow], high: float = 11.0) -> Picture:
    """Return hexes side by side, with arrows for the events between them.

    A hex with an empty string is dashed and empty. Other hexes contain a letter. The attacker "A" is on a black
    background, other letters are on a pale background.
    """
    r = high / 2 - 0.2
    wide = r * 3**0.5
    items: list[Item] = []
    middles = [0.2 + wide * (i + 0.5) for i in range(len(cells))]
    ring = tuple((r * sin(a * pi / 3), r * cos(a * pi / 3)) for a in range(6))

    def shape(x: float, fill: str | None, pen: Pen) -> Path:
        return polygon(tuple((x + a, high / 2 + b) for a, b in ring), fill, pen)

    for x, letter in zip(middles, cells, strict=True):
        if not letter:
            items.append(shape(x, None, Pen(BLACK, 0.35, (1.3, 0.9))))
    for x, letter in zip(middles, cells, strict=True):
        if letter:
            dark = letter == "A"
            items.append(shape(x, BLACK if dark else "#e9e2d0", Pen(BLACK, 0.4)))
            at = high / 2 - _MIDDLE * 11 / POINTS
            items.append(Text(x, at, letter, 11, "middle", True, WHITE if dark else BLACK))
    y = high / 2
    for arrow in arrows:
        a, b = middles[arrow.start], middles[arrow.end]
        ahead = wide if b > a else -wide
        match arrow.what:
            case "move":
                items += _arrow(a + 0.36 * ahead, b + 0.12 * ahead, y, STRUCK)
            case "fight":
                items += _clash((a + b) / 2, y, 1.5)
            case "blow":
                items += _arrow(a + 0.25 * ahead, b - 0.25 * ahead, y + 2.2, QUIET)
            case "answer":
                items += _arrow(a + 0.25 * ahead, b - 0.25 * ahead, y - 2.2, STRUCK)
    events = [picture_words(arrow.what, **_actors(cells, arrow)) for arrow in arrows]
    alt = joined(events, "; ", "；")
    return Picture(wide * len(cells) + 0.4, high, tuple(items), saver=spared(items, SIGNS), alt=alt)


def _actors(cells: Sequence[str], arrow: Arrow) -> dict[str, str]:
    """Return the letters of the units at the start and the end of an arrow."""
    return {"a": cells[arrow.start], "b": cells[arrow.end]}


def _arrow(x: float, tip: float, y: float, colour: str) -> list[Item]:
    sign = 1 if tip > x else -1
    head = tip - sign * 2.2
    shaft = (
        line(((x, y), (head, y)), Pen(WHITE, 1.9, round=False)),
        line(((x, y), (head, y)), Pen(colour, 1.1, round=False)),
    )
    point = polygon(((tip, y), (head, y + 1.5), (head, y - 1.5)), colour, Pen(WHITE, 0.35))
    return [*shaft, point]


def _clash(x: float, y: float, r: float) -> list[Item]:
    """Return a cross that represents a fight between two units."""
    strokes = [((x - r, y - r), (x + r, y + r)), ((x - r, y + r), (x + r, y - r))]
    return [
        line(ends, Pen(colour, wide, round=False))
        for colour, wide in ((WHITE, 1.9), (STRUCK, 1.0))
        for ends in strokes
    ]
