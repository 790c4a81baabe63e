"""The words, numbers and rulings from data/call_to_arms/."""

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
    """The rules for setting up armies in a mode of play."""

    sets: int
    reveal: tuple[Section, ...]


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of play.toml."""

    tie_dice: int
    drawn: int
    second_reserves: int
    picks: tuple[Literal["owner", "other"], ...]
    mode: dict[str, Mode]


numbers = toml.shipped_table("call_to_arms/play.toml", Numbers)
"""Returns the numbers that the generator and the rules share."""


def ref_words(ref: str, sets: Collection[str] = ()) -> Words:
    """Return the name of a card or set that a file calls `B3` or `B3/standard`.

    The name includes the camp only if the player has several `sets` with the same letter.
    """
    key, _, camp = ref.partition("/")
    plain = camp not in SIDES or (sets and sum(of[:1] == key[:1] for of in sets) == 1)
    return same(key) if plain else words()["choice"][f"of_{camp}"].fill(key=key)


words = partial(words_of, "call_to_arms")
"""Returns the words that the code uses. The words of templates are in the same file."""


switches = partial(rulings, "battlelore", "call_to_arms")
"""Returns the rulings that a scenario of this game can select."""
