"""A game's words that code needs, from data/<game>/words.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


@cache
def words(game: str) -> dict[str, dict[str, Words]]:
    """The words of a game's sheets by section and name; enumerations are for the templates alone."""
    return _read(f"{game}/words.toml")


@cache
def shared_words() -> dict[str, dict[str, Words]]:
    """The words of data/words.toml, which all games share."""
    return _read("words.toml")


def _read(file: str) -> dict[str, dict[str, Words]]:
    sections = toml.read(shipped("data") / file, dict[str, dict[str, Words | tuple[Words, ...]]])
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
    return shared_words()["house"]["marked"].fill(text=text) if source == "house" else text
