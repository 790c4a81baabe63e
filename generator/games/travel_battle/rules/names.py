"""Players and grounds as faults name them."""

from __future__ import annotations

from generator.games.words import words
from generator.model.words import Words


def player_name(who: str | None) -> Words | str:
    """A player as he is called; somebody else by what the log calls him."""
    return words("travel_battle")["player"].get(who or "", who or "?")


def lower(name: Words) -> Words:
    """A name within a sentence."""
    return Words(name.en.lower(), name.ja)
