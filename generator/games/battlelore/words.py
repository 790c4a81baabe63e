"""BattleLore's words that code needs, from data/battlelore/words.toml."""

from __future__ import annotations

from generator.games.battlelore.ground.board import Camp, Section
from generator.games.words import words as words_of
from generator.model.words import Words


def words() -> dict[str, dict[str, Words]]:
    """The words of BattleLore's sheets."""
    return words_of("battlelore")


def camp_name(camp: Camp) -> Words:
    """What a camp is called."""
    return words()["camp"][camp]


def section_name(section: Section) -> Words:
    """What a section is called."""
    return words()["section"][section]
