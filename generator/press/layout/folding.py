"""Move a map sideways so that the fold of a booklet does not cross its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.model.picture import Item, Picture, Text, Use
from generator.press.layout.fitting import text_box

_CLEARANCE = 0.1
"""Minimum distance between a text and the fold, in mm."""
_STEP = 0.25
"""Distance between the positions that are tried, in mm."""
_MAX_SHIFT = 8.0
"""Maximum distance by which a map is moved, in mm. This is about half the width of a hex."""


def shift_from_fold(picture: Picture, width: float) -> float:
    """Return the distance in mm by which to move a centred picture to the right.

    `width` is the width of the column in mm, whose middle is the fold. The fold then crosses as few texts as
    possible, and the distance is as short as possible.
    """
    spans = [(left - _CLEARANCE, right + _CLEARANCE) for left, right in _text_spans(picture.items)]
    room = min(_MAX_SHIFT, max(0.0, (width - picture.width) / 2))
    steps = int(room / _STEP)
    shifts = sorted((_STEP * n for n in range(-steps, steps + 1)), key=abs)

    def crossed(shift: float) -> int:
        fold = picture.width / 2 - shift
        return sum(left < fold < right for left, right in spans)

    return min(shifts, key=crossed)


def _text_spans(items: Iterable[Item], x: float = 0.0, scale: float = 1.0) -> Iterator[tuple[float, float]]:
    """Yield the left and right end of each text in mm."""
    for item in items:
        if isinstance(item, Text):
            left, _, right, _ = text_box(item)
            yield x + scale * left, x + scale * right
        elif isinstance(item, Use) and not item.turn:
            yield from _text_spans(item.symbol.items, x + scale * item.x, scale * item.scale)
