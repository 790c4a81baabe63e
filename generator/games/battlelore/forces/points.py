"""The house measure of a unit's strength: its banner, its horses, its bow and its natural morale."""

from __future__ import annotations

from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.lore import lore


def points(kind: Kind) -> int:
    """A unit's points, as [points] in units.toml has it."""
    measure = lore().points
    mounted = measure.mounted if kind.arm == "mounted" else 0
    bow = measure.bow if kind.bow else 0
    return measure.banner[kind.banner] + mounted + bow + measure.morale[lore().races[kind.race].morale]
