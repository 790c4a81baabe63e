"""The numbers of setting up, read from data/travel_battle/play.toml."""

from __future__ import annotations

from functools import cache

import msgspec

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


@cache
def play() -> Play:
    """The shipped numbers."""
    return toml.read(shipped("data") / "travel_battle" / "play.toml", Play)
