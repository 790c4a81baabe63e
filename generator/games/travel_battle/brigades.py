"""Every legal split of an army into brigades, listed, so that a draw takes each as likely as the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from generator.draw.streams import Stream
from generator.games.travel_battle.army import Preset, Sizes, fighters

BRIGADES = 3
"""How many brigades an army has, each with a brigadier of its own."""

Brigade = tuple[int, ...]
"""How many units of each kind of `fighters` a brigade has besides its brigadier."""

Split = tuple[Brigade, Brigade, Brigade]
"""Three brigades in falling order; which of them is called the first says nothing."""


@cache
def splits(least: int, most: int = 0) -> tuple[Split, ...]:
    """The splits of one army into brigades of `least` to `most` units (0: no limit), in falling order."""
    counts = tuple(unit.count for unit in fighters())
    most = most or sum(counts)
    return tuple(
        (first, second, third)
        for first in _parts(counts, counts)
        for second in _parts(_less(counts, first), first)
        if (third := _less(_less(counts, first), second)) <= second
        and all(least <= sum(brigade) <= most for brigade in (first, second, third))
    )


def draw_split(stream: Stream, sizes: Sizes) -> Split:
    """A split of that kind, each as likely as the others."""
    return stream.choice(splits(sizes.least, sizes.most))


def preset_split(preset: Preset) -> Split:
    """A split to choose, in the order of its brigades. ValueError where it is no split of the army."""
    first, second, third = (tuple(brigade.get(unit.id, 0) for unit in fighters()) for brigade in preset.brigades)
    if tuple(map(sum, zip(first, second, third, strict=True))) != tuple(unit.count for unit in fighters()):
        raise ValueError(f"{preset.id} is no split of the army")
    return first, second, third


def _parts(counts: Brigade, limit: Brigade) -> Iterator[Brigade]:
    """Every brigade that can be made of so many units and stands no higher than `limit`, in falling order."""
    if not counts:
        yield ()
        return
    for n in range(min(counts[0], limit[0]), -1, -1):
        for rest in _parts(counts[1:], limit[1:] if n == limit[0] else counts[1:]):
            yield n, *rest


def _less(counts: Brigade, taken: Brigade) -> Brigade:
    return tuple(a - b for a, b in zip(counts, taken, strict=True))
