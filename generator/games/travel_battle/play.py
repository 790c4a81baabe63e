"""The numbers of setting up, read from data/travel_battle/play.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.rulings import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands; see its head."""

    rows: int
    brigades: int
    lost: int
    turned: int
    guns_see: int
    tables: tuple[str, ...]
    turns: tuple[int, ...]
    armies: int
    places: tuple[Words, ...]

    def armies_on(self, columns: int, rows: int) -> int:
        """How many armies a side has on so many boards: one for every two, as far as its edge has room for them."""
        return max(1, min(columns * rows // 2, columns, self.armies))


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What we settle without a switch."""

    id: str
    name: Words
    text: Words
    source: Source


class _Readings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reading: tuple[Reading, ...]


@cache
def play() -> Play:
    """The shipped numbers."""
    return toml.read(shipped("data") / "travel_battle" / "play.toml", Play)


@cache
def readings() -> tuple[Reading, ...]:
    """What the seed leaves open and has no switch, from readings.toml."""
    return toml.read(shipped("data") / "travel_battle" / "readings.toml", _Readings).reading
