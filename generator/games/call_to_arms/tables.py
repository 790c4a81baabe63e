"""Read words, numbers and switches from data/call_to_arms/."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Literal

import msgspec

from generator.common.interpretations import rulings
from generator.common.tables import words as words_of
from generator.games.battlelore.ground import SIDES, Section
from generator.model.words import Words, same
from generator.notation import toml


class Mode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How armies are raised in one mode."""

    sets: int
    reveal: tuple[Section, ...]


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands."""

    tie_dice: int
    drawn: int
    second_reserves: int
    picks: tuple[Literal["owner", "other"], ...]
    mode: dict[str, Mode]


numbers = toml.shipped_table("call_to_arms/play.toml", Numbers)
"""The numbers that draw and rules share."""


def ref_told(ref: str, sets: Collection[str] = ()) -> Words:
    """A card or a set as people call it, where a file writes `B3` or `B3/standard`.

    Of `sets`, those that the player plays with, a card tells the camp only where two bear its letter.
    """
    key, _, camp = ref.partition("/")
    plain = camp not in SIDES or (sets and sum(of[:1] == key[:1] for of in sets) == 1)
    return same(key) if plain else words()["choice"][f"of_{camp}"].fill(key=key)


words = partial(words_of, "call_to_arms")
"""The words that code needs; those of the templates lie in the same file."""


switches = partial(rulings, "battlelore", "call_to_arms")
"""The rulings that a scenario of this game names."""
