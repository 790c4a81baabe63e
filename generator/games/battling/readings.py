"""What the seed leaves open and has no switch, from data/battling/readings.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.rulings import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What we settle without a switch."""

    id: str
    name: Words
    text: Words
    source: Source
    under: dict[str, str] = {}
    """The choices of rulings with which alone it has a meaning."""


class _Readings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reading: tuple[Reading, ...]


@cache
def readings() -> tuple[Reading, ...]:
    """Every reading, in the file's order."""
    return toml.read(shipped("data") / "battling" / "readings.toml", _Readings).reading
