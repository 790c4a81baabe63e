"""What is written down of a result, as data/<game>/score.toml states it."""

from __future__ import annotations

import msgspec

from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a victory and casualties are counted in, which parts of the kit lie on the table, how one wins."""

    counted: Words
    lost: Words
    parts: tuple[str, ...]
    goal: Words | None = None
    """Its `{placeholders}` are filled from the scenario."""


def scoring(game: str) -> Scoring:
    """The scoring of that game."""
    return toml.read(shipped("data") / game / "score.toml", Scoring)
