"""Which letters can be printed: those of the largest fonts we print with, told without opening a font."""

from __future__ import annotations

from functools import cache

from generator.said import say
from generator.store.folders import shipped

HINT = say("write it in other letters")
_TOLD = 3
"""So many letters are told at once."""


@cache
def printable() -> frozenset[str]:
    """Every letter that our fonts have: data/letters.txt, which docs/make_letters.py writes."""
    return frozenset((shipped("data") / "letters.txt").read_text(encoding="utf-8"))


def unprinted(text: str) -> str:
    """Which letters of a text no font here prints, as a complaint; empty where it can be printed."""
    if text.isascii() or printable().issuperset(text):
        return ""
    lacking = [letter for letter in dict.fromkeys(text) if letter not in printable()]
    shown = ", ".join(f"{letter!r} (U+{ord(letter):04X})" for letter in lacking[:_TOLD])
    return say("holds {shown}, which no font here prints", shown=shown)


def legible(text: str) -> str:
    """A text that others typed, as it can be printed: letters that no font here has are spelt out."""
    if not unprinted(text):
        return text
    return "".join(c if c in printable() else c.encode("unicode_escape").decode() for c in text)
