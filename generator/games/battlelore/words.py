"""BattleLore's words that code needs, from data/battlelore/words.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.battlelore.board import Camp, Section
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


@cache
def words(game: str = "battlelore") -> dict[str, dict[str, Words]]:
    """The words of a game's sheets by section and name; enumerations are for the templates alone."""
    sections = toml.read(shipped("data") / game / "words.toml", dict[str, dict[str, Words | tuple[Words, ...]]])
    return {
        section: {name: text for name, text in texts.items() if isinstance(text, Words)}
        for section, texts in sections.items()
    }


@cache
def enumeration(game: str, section: str, name: str) -> tuple[Words, ...]:
    """An enumeration of a game's words."""
    sections = toml.read(shipped("data") / game / "words.toml", dict[str, dict[str, object]])
    return msgspec.convert(sections[section][name], tuple[Words, ...])


def marked(text: Words, source: str) -> Words:
    """A heading, marked where what it stands over is our own content or reading."""
    return words()["reference"]["marked"].fill(text=text) if source == "house" else text


def camp_name(camp: Camp) -> Words:
    """What a camp is called."""
    return words()["camp"][camp]


def section_name(section: Section) -> Words:
    """What a section is called."""
    return words()["section"][section]
