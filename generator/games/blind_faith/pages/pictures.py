"""Pictures that Blind Faith's sheets count with: movement points, units in fives, turns, die faces, bars of chances.

Each is in mm. A side's colour differs from the other's in lightness and in being solid or hatched, so that bars are
told apart without colours too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.common.tables import NEVER
from generator.games.blind_faith.tables import Fate, Hit, Losses, Side
from generator.model.picture import POINTS, Item, Path, Pen, Picture, Text, circle, line, rectangle
from generator.symbols.pictograms import BLACK, PALE, QUIET

FIVE, ROW = 5, 10
"""Units are counted in fives, and so many stand in a row."""
_DOTS = 6
COLOURS: Mapping[Side, str] = {"hussite": "#87302b", "crusader": "#35506e"}
_PALE: Mapping[Side, str] = {"hussite": "#f0dcd9", "crusader": "#dbe3ec"}
_WHITE = "#ffffff"
_MIDDLE = 0.36
"""From the baseline to the middle of a digit, in type sizes."""
_DIGIT = 0.56
"""The width of a bold digit, in type sizes."""


def dots(count: int, size: float = 1.6) -> Picture:
    """So many movement points, no more than six in a row."""
    step, r = 1.35 * size, size / 2
    rows = max(1, -(-count // _DOTS))
    places = [(i % _DOTS, rows - 1 - i // _DOTS) for i in range(count)]
    items = tuple(circle(r + x * step, r + y * step, r - 0.05, BLACK) for x, y in places)
    return Picture(max(0.1, (min(count, _DOTS) - 1) * step + size), (rows - 1) * step + size, items)


def tally(filled: int, hollow: int = 0, size: float = 1.3, row: int = ROW) -> Picture:
    """A mark for each unit, in fives; hollow ones stay behind."""
    step, gap, down = 1.32 * size, 0.7 * size, 1.5 * size
    rows = max(1, -(-(filled + hollow) // row))
    items, right = list[Item](), 0.1
    for i in range(filled + hollow):
        level, at = divmod(i, row)
        x, y = at * step + at // FIVE * gap + 0.1, (rows - 1 - level) * down + 0.1
        pen = Pen(BLACK, 0.12)
        items.append(rectangle(x, y, size, size, BLACK if i < filled else _WHITE, pen))
        right = max(right, x + size)
    return Picture(right + 0.1, (rows - 1) * down + size + 0.2, tuple(items))


def turns(now: int, last: int, wide: float, size: float = 4.0) -> Picture:
    """A ring for each turn, the present one filled; in as many rows as the width asks."""
    step = 1.14 * size
    across = max(1, int((wide + 0.14 * size) // step))
    rows, r, points = -(-last // across), size / 2, max(5.0, 0.46 * size * POINTS)
    items: list[Item] = []
    for i in range(last):
        level, at = divmod(i, across)
        x, y = at * step + r, (rows - 1 - level) * step + r
        here = i + 1 == now
        items.append(circle(x, y, r - 0.12, BLACK if here else _WHITE, Pen(BLACK, 0.22)))
        colour = _WHITE if here else QUIET
        items.append(Text(x, y - _MIDDLE * points / POINTS, str(i + 1), points, "middle", here, colour))
    return Picture(min(last, across) * step - 0.14 * size, rows * step - 0.14 * size, tuple(items))


def scale(most: int, size: float) -> Picture:
    """Over boxes of that size in fives: how many there are up to the end of each five."""
    points, items, x = 7.0, list[Item](), 0.0
    for n in range(FIVE, most + 1, FIVE):
        x = n * size + (n - n // FIVE) * _BOX_GAP * size + (n // FIVE - 1) * _FIVES_GAP * size
        items.append(Text(x, 0.4, str(n), points, "end", True, QUIET))
    return Picture(max(x, 1.0), 3.0, tuple(items))


_BOX_GAP, _FIVES_GAP = 0.22, 0.75
"""Between boxes to tick, and between their fives, in their sizes (press/forms.py)."""


def faces(results: Sequence[Hit | Fate], size: float = 2.3) -> Picture:
    """A square for each result, as of a die's faces from 1 to 6: empty, struck (routed), black (gone, breached)."""
    items: list[Item] = []
    for i, result in enumerate(results):
        x = 0.1 + i * size
        fill = BLACK if result in ("eliminate", "breach") else PALE if result == "rout" else _WHITE
        items.append(rectangle(x, 0.1, size, size, fill, Pen(QUIET, 0.14)))
        if result == "rout":
            items.append(line(((x + 0.3, 0.4), (x + size - 0.3, size - 0.2)), Pen(BLACK, 0.25)))
    return Picture(max(0.1, len(results) * size + 0.2), size + 0.2, tuple(items))


def losses(cost: Losses, size: float = 1.9) -> Picture:
    """A square for each unit that is lost: struck where it is routed, black where it is eliminated."""
    routed: Hit = "rout"
    eliminated: Hit = "eliminate"
    lost = [routed] * cost.rout + [eliminated] * cost.eliminate
    return faces(lost, size)


class Part(NamedTuple):
    """A part of a bar: its share of the whole, and whose it is; nobody's is white or, not solid, grey."""

    share: float
    side: Side | None
    text: str
    solid: bool = True


def bar(parts: Sequence[Part], width: float, height: float, points: float = 8.5) -> Picture:
    """Shares of a whole side by side: solid, white or hatched, each with its number where that finds room.

    A number that finds none in its part stands in the white part beside it, as far as there is one.
    """
    items: list[Item] = []
    x, places = 0.0, list[tuple[float, float, Part]]()
    for part in parts:
        wide = part.share * width
        if wide > 0:
            items += _filled(x, wide, height, part)
        places.append((x, wide, part))
        x += wide
    for i, (left, wide, part) in enumerate(places):
        # What a narrow neighbour has to say stands at the white part's ends.
        before, after = (_beside(places, j, i, points) for j in (i - 1, i + 1))
        for text, at in ((before, left + before[1] / 2), (after, left + wide - after[1] / 2)):
            if text[0] and before[1] + after[1] <= wide:
                items += _number(at, height, Part(0.0, None, text[0]), points, text[1])
        needed, spare = _needed(part, points), wide - before[1] - after[1]
        if part.text and part.share and spare >= needed:
            items += _number(left + before[1] + spare / 2, height, part, points, needed)
    items.append(rectangle(0, 0, width, height, None, Pen(BLACK, 0.2)))
    return Picture(width, height, tuple(items))


def _needed(part: Part, points: float) -> float:
    return (_DIGIT * len(part.text) + 0.5) * points / POINTS if part.text else 0.0


def _beside(places: Sequence[tuple[float, float, Part]], of: int, white: int, points: float) -> tuple[str, float]:
    """What a part writes into the white one beside it, and how wide that is."""
    if places[white][2].side is not None or not 0 <= of < len(places):
        return "", 0.0
    _, wide, part = places[of]
    needed = _needed(part, points)
    return (part.text, needed) if needed > wide and part.text != NEVER else ("", 0.0)


def clash(harm: float, risk: float, width: float, height: float = 1.9) -> Picture:
    """Two chances one above the other: that a charge costs its target, black, and the charger, grey."""
    items: list[Item] = []
    for y, share, fill in ((height + 0.5, harm, BLACK), (0.0, risk, QUIET)):
        items.append(rectangle(0, y, max(0.0, share) * width, height, fill))
        items.append(rectangle(0, y, width, height, None, Pen(BLACK, 0.15)))
    return Picture(width, 2 * height + 0.5, tuple(items))


def _filled(x: float, wide: float, height: float, part: Part) -> list[Item]:
    if part.side is None:
        return [rectangle(x, 0, wide, height, _WHITE if part.solid else PALE)]
    if part.solid:
        return [rectangle(x, 0, wide, height, COLOURS[part.side])]
    steps: list[tuple[str | float, ...]] = []
    pitch = 1.5
    # Strokes that rise to the right, cut off where the part ends.
    for k in range(int(-height / pitch), int(wide / pitch) + 1):
        low, high = max(0.0, -k * pitch), min(height, wide - k * pitch)
        if high > low:
            steps += [("M", x + k * pitch + low, low), ("L", x + k * pitch + high, high)]
    hatch = Path(tuple(steps), None, Pen(COLOURS[part.side], 0.42, round=False))
    return [rectangle(x, 0, wide, height, _PALE[part.side]), hatch]


def _number(x: float, height: float, part: Part, points: float, needed: float) -> list[Item]:
    solid = part.side is not None and part.solid
    grey = part.side is None and not part.solid
    at = Text(x, height / 2 - _MIDDLE * points / POINTS, part.text, points, "middle", part.side is not None)
    if solid:
        return [Text(at.x, at.y, at.text, points, "middle", True, _WHITE)]
    if part.side is None:
        return [Text(at.x, at.y, at.text, points, "middle", grey, BLACK if grey else QUIET)]
    high = 1.05 * points / POINTS
    return [rectangle(x - needed / 2 + 0.3, (height - high) / 2, needed - 0.6, high, _WHITE), at]
