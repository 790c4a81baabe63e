"""Works in one straight line, as on a rectangular piece: along its near side, in a box of about 16 × 11 mm."""

from __future__ import annotations

from collections.abc import Callable

from generator.model.picture import Item, Pen, line, polygon, rectangle
from generator.press.symbols.shapes import strokes
from generator.press.theme import Palette

REACH = 7.4
"""From the middle to either end."""


def stakes(c: Palette) -> list[Item]:
    """Sharpened stakes side by side, lashed together, a second rank behind them."""
    items: list[Item] = []
    for y, first, count in ((-1.9, -6.4, 9), (-4.0, -7.2, 10)):
        for i in range(count):
            x = first + 1.6 * i
            post = ((x - 0.62, y - 1.1), (x + 0.62, y - 1.1), (x + 0.62, y + 3.0), (x, y + 4.4), (x - 0.62, y + 3.0))
            items.append(polygon(post, c.fill, Pen(c.line, 0.26)))
        end = first + 1.6 * (count - 1)
        items.append(line(((first - 0.62, y + 0.7), (end + 0.62, y + 0.7)), Pen(c.line, 0.5)))
    return items


def rampart(c: Palette) -> list[Item]:
    """A wall of two courses with battlements."""
    pen = Pen(c.line, 0.3)
    items: list[Item] = [rectangle(-REACH, -5.1, 2 * REACH, 4.4, c.fill, pen)]
    step = 2 * REACH / 9
    items += [rectangle(-REACH + step * i, -0.7, step, 1.7, c.light, pen) for i in range(0, 9, 2)]
    low = [((x, -5.1), (x, -2.9)) for x in (-REACH + step * k for k in range(1, 9))]
    high = [((x, -2.9), (x, -0.7)) for x in (-REACH + step * (k + 0.5) for k in range(9))]
    return [*items, strokes([((-REACH, -2.9), (REACH, -2.9)), *low, *high], Pen(c.line, 0.2))]


STRIPS: dict[str, Callable[[Palette], list[Item]]] = {
    "stakes": stakes,
    "rampart": rampart,
}
"""By the pattern of the feature's look."""
