"""Every legal split of an army into brigades, listed, so that a draw takes each as likely as the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from generator.draw.streams import Stream
from generator.errors import NothingLegalError
from generator.games.travel_battle.forces.army import Preset, Roster, Sizes

Share = tuple[int, ...]
"""How many units of each kind of a roster's `fighters` a brigade has."""

Split = tuple[Share, Share, Share]
"""Three brigades. Drawn ones stand in falling order; which of them is called the first says nothing."""


@cache
def splits(counts: Share, least: int, most: int = 0) -> tuple[Split, ...]:
    """The splits of so many units of each kind into brigades of `least` to `most` (0: no limit), in falling order."""
    most = most or sum(counts)
    return tuple(
        (first, second, third)
        for first in _parts(counts, counts)
        for second in _parts(_less(counts, first), first)
        if (third := _less(_less(counts, first), second)) <= second
        and all(least <= sum(brigade) <= most for brigade in (first, second, third))
    )


def draw_split(stream: Stream, roster: Roster, sizes: Sizes) -> Split:
    """A split of that kind, each as likely as the others; NothingLegalError where there is none."""
    found = splits(roster.counts, sizes.least, sizes.most)
    if not found:
        raise NothingLegalError(f"this army has no split into brigades of that size ({sizes.id})")
    return stream.choice(found)


def preset_split(roster: Roster, preset: Preset) -> Split:
    """A split to choose, in the order of its brigades."""
    first, second, third = (tuple(brigade.get(kind.id, 0) for kind in roster.fighters) for brigade in preset.brigades)
    return first, second, third


def _parts(counts: Share, limit: Share) -> Iterator[Share]:
    """Every brigade that can be made of so many units and stands no higher than `limit`, in falling order."""
    if not counts:
        yield ()
        return
    for n in range(min(counts[0], limit[0]), -1, -1):
        for rest in _parts(counts[1:], limit[1:] if n == limit[0] else counts[1:]):
            yield n, *rest


def _less(counts: Share, taken: Share) -> Share:
    return tuple(a - b for a, b in zip(counts, taken, strict=True))
