"""Draw hit points as a row of pips."""

from __future__ import annotations

from generator.model.picture import Item, Pen, Picture, circle, line

SIZE, STEP = 3.2, 4.0
"""A pip's width and how far it is to the next, in mm."""
WIDE = 17.2
"""How wide pips may stand side by side; more are smaller."""
TIERS = (5, 12)
"""Up to how many stand in one row, in two."""
LEFT, GONE, HIT_PIP = "#2b2b2b", "#8a867d", "#a3271f"


def pips(before: int, after: int, whole: int) -> Picture:
    """Rows of `whole` pips: full what is left, empty what is gone, crossed out what went between the two counts."""
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
    return Picture((across - 1) * step + 2 * r, high, tuple(items))
