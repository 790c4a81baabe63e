"""Hit points as a row of pips."""

from __future__ import annotations

from generator.model.picture import Item, Pen, Picture, circle, line

SIZE, STEP = 3.2, 4.0
"""A pip's width and how far it is to the next, in mm."""
GROUP = 5
"""As many are counted at a glance; then a wider gap follows."""
GAP = 1.6
LEFT, GONE, HIT = "#2b2b2b", "#8a867d", "#a3271f"


def pips(before: int, after: int, whole: int) -> Picture:
    """A row of `whole` pips: full what is left, empty what is gone, crossed out what went between the two counts."""
    items: list[Item] = []
    r, x = SIZE / 2, 0.0
    for i in range(max(whole, before)):
        x = i * STEP + i // GROUP * GAP + r
        if i < after:
            items.append(circle(x, r, r - 0.15, LEFT))
            continue
        items.append(circle(x, r, r - 0.25, "#ffffff", Pen(GONE if i >= before else HIT, 0.35)))
        if i < before:
            k = 0.5 * r
            items += [line(((x - k, r - s * k), (x + k, r + s * k)), Pen(HIT, 0.5)) for s in (-1, 1)]
    return Picture(x + r, SIZE, tuple(items))
