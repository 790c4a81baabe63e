"""Call to Arms' numbers and words from data/call_to_arms."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.battlelore.words import words as words_of
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands."""

    cards: int
    drawn: int
    tie_dice: int
    second_reserves: int


@cache
def numbers() -> Numbers:
    """The numbers that draw and rules share."""
    return toml.read(shipped("data") / "call_to_arms" / "play.toml", Numbers)


@cache
def setup_steps() -> tuple[Words, ...]:
    """How to set up, in ten lines."""
    sections = toml.read(shipped("data") / "call_to_arms" / "words.toml", dict[str, dict[str, object]])
    return msgspec.convert(sections["setup"]["step"], tuple[Words, ...])


def words() -> dict[str, dict[str, Words]]:
    """The words that code needs; those of the templates lie in the same file."""
    return words_of("call_to_arms")
