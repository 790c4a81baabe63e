"""A tournament's words that code needs, from data/tournament/words.toml."""

from __future__ import annotations

import unicodedata

from generator.games.words import words as words_of
from generator.model.words import Words, same
from generator.tournament.pairings import Pairing

NARROW, WIDE = 20, 32
"""How many columns of a terminal a player's name and an event's may take in a page's head."""


def words() -> dict[str, dict[str, Words]]:
    """The words of a tournament's sheets."""
    return words_of("tournament")


def pair(a: str, b: str) -> Words:
    """Two names side by side."""
    return words()["at"]["pair"].fill(a=a, b=b)


def heading(number: int, pairing: Pairing) -> Words:
    """What stands at the head of a table's pages."""
    say = words()["at"]
    return say["heading"].fill(round=say["round"].fill(n=number), place=place(pairing))


def place(pairing: Pairing) -> Words:
    """A table and who sits there, long names cut short."""
    say = words()["at"]
    where = say["bye"] if pairing.bye else say["table"].fill(n=pairing.table)
    who = same(short(pairing.a)) if pairing.bye else pair(short(pairing.a), short(pairing.b))
    return say["place"].fill(where=where, who=who)


def short(name: str, room: int = NARROW) -> str:
    """A name cut to so many columns."""
    kept = ""
    for character in name:
        room -= columns(character)
        if room < 0:
            return f"{kept}…"
        kept += character
    return name


def columns(text: str) -> int:
    """How many columns of a terminal a text takes; ideographs take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
