"""Read the numbers in data/tablut/play.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.common.tables import UsualRange
from generator.notation import toml
from generator.store.folders import shipped_path


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of play.toml, described at its head."""

    rows: str
    moves: UsualRange
    square: float


@cache
def numbers() -> Numbers:
    """Return the shipped numbers."""
    return toml.read(shipped_path("data") / "tablut" / "play.toml", Numbers)
