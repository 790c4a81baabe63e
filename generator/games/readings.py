"""Fixed readings: what a seed leaves open and we settle without a switch, from data/<game>/readings.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from generator.games.rulings import Ruling, Source
from generator.model.words import Words, same
from generator.notation import toml
from generator.store.folders import shipped


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a rule is read; see docs/formats/readings.md."""

    id: str
    text: Words
    source: Source
    name: Words = same("")
    under: dict[str, str] = {}
    """The choices of rulings with which alone it has a meaning."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reading: tuple[Reading, ...]


@cache
def readings(game: str) -> tuple[Reading, ...]:
    """Every fixed reading of the game, in the file's order."""
    return toml.read(shipped("data") / game / "readings.toml", _File).reading


def settled(switches: Mapping[str, Ruling], chosen: Mapping[str, str]) -> list[Reading]:
    """The switches as they are set: each is a reading too."""
    found = [(switches[name], choice) for name, choice in chosen.items()]
    return [Reading(ruling.id, ruling[choice].text, ruling.source, ruling.name) for ruling, choice in found]


def told(of: Iterable[Reading]) -> list[dict[str, object]]:
    """Readings as a template has them; `house` where one is ours."""
    return [{"name": r.name, "text": r.text, "house": r.source == "house"} for r in of]
