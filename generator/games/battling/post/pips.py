"""Draw hit points as rows of pips."""

from __future__ import annotations

from generator.model.picture import Item, Pen, Picture, circle, line
from generator.symbols.picture_words import picture_words

SIZE, STEP = 3.2, 4.0
"""The width of a pip and the distance between the centres of pips, in mm."""
WIDE = 17.2
"""The maximum width of a row of pips, in mm. Pips are smaller if there are more."""
TIERS = (5, 12)
"""The maximum numbers of pips that are drawn in one row and in two rows."""
LEFT, GONE, HIT_PIP = "#2b2b2b", "#8a867d", "#a3271f"


def pips(before: int, after: int, whole: int) -> Picture:
    """Return rows of `whole` pips.

    Remaining hit points (`after`) are full, lost ones are empty, and those lost since `before` are crossed out.
    """
    items: list[Item] = []
    count = max(whole, before)
    rows = 1 + sum(count > most for most in TIERS)
    across = -(-count // rows)
    share = min(1.0, WIDE / ((across - 1) * STEP + SIZE))
    r, step = share * SIZE / 2, share * STEP
    high = (rows - 1) * step + 2 * r
    for i in range(count):
        x, y = i % across * step + r, high - i // across * step - r
        if i < after:
            items.append(circle(x, y, r - 0.15, LEFT))
            continue
        items.append(circle(x, y, r - 0.25, "#ffffff", Pen(GONE if i >= before else HIT_PIP, 0.35 * share)))
        if i < before:
            k = 0.5 * r
            items += [line(((x - k, y - s * k), (x + k, y + s * k)), Pen(HIT_PIP, 0.5 * share)) for s in (-1, 1)]
    return Picture((across - 1) * step + 2 * r, high, tuple(items), alt=picture_words("hit_points", n=after, m=count))
