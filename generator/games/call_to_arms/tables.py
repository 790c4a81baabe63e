"""Words, numbers and switches of data/call_to_arms/.

Call to Arms' numbers and words from data/call_to_arms.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.common.interpretations import Interpretation, Ruling, readings, rulings
from generator.common.tables import enumeration
from generator.common.tables import words as words_of
from generator.games.battlelore.ground import Section
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


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


@cache
def numbers() -> Numbers:
    """The numbers that draw and rules share."""
    return toml.read(shipped("data") / "call_to_arms" / "play.toml", Numbers)


def setup_steps(mode: str) -> tuple[Words, ...]:
    """How to set up in that mode, in ten lines."""
    return enumeration("call_to_arms", "setup", mode)


def words() -> dict[str, dict[str, Words]]:
    """The words that code needs; those of the templates lie in the same file."""
    return words_of("call_to_arms")


def fixed_readings() -> tuple[Interpretation, ...]:
    """What is settled without a switch: of any battle on such a board, then of the deployment."""
    return *readings("battlelore"), *readings("call_to_arms")


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario of this game names."""
    return rulings("battlelore", "call_to_arms")
