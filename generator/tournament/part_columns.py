"""Recognise columns about a part of an event, such as `Round 2`, `Saturday` or 午前, and the players who miss it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from generator.tournament.attendance import may_be_absence
from generator.tournament.csv_files import cell_words, means

_WEEKDAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_DATE = r"(?:[0-9]{4}[-/.年])?[0-9]{1,2}(?:[/.-]|月)[0-9]{1,2}日?(?:\([月火水木金土日]\))?"
_LABEL = (
    rf"(?:(?:r|rd\.?|round|day|session)\s?[0-9]{{1,2}}|第?[0-9]{{1,2}}\s?(?:回戦|ラウンド|r|戦目?|日目|節|部)|{_WEEKDAY}|{_DATE}"
    r"|morning|afternoon|evening|a\.?m\.?|p\.?m\.?|午前|午後|昼|夜|夕方|初日|[月火水木金土日]曜日?)"
)
_PART = re.compile(
    rf"(?:(?:are|will|can) you\s+)?(?:be\s+)?(?:attend(?:ing)?|com(?:e|ing)|play(?:ing)?|available|there|here)?\s*"
    rf"(?:on|in|for|at)?\s*(?:the\s+)?{_LABEL}(?:の部)?の?(?:参加|出席|出欠|出場|可否)?",
    re.IGNORECASE,
)
"""Matches the heading of a column that states whether a player takes part in a round or on a day."""
_ROUNDS = re.compile(r"(?:arriv(?:es?|al)|from|joins?|starts?|(?:plays\s+)?rounds?|出場ラウンド)", re.IGNORECASE)
"""Matches the heading of a column with the rounds that a player plays."""
_SOME_ROUNDS = re.compile(
    r"(?:(?:r|rd\.?|round)\s?[2-9]|[2-9]\s?(?:回戦|ラウンド|r)).*|[2-9]\s?[-–~〜,、]\s?[0-9].*", re.IGNORECASE
)
_BYE = re.compile(rf"bye\s+(?:in\s+)?{_LABEL}", re.IGNORECASE)


def misses_part(head: str, cells: Sequence[str], cell: str) -> bool:
    """Return whether a cell means, or may mean, that the player misses a part of the event.

    `cells` are all cells of the column. An empty cell means it if other cells are answers such as “yes” or ○.
    """
    title = unicodedata.normalize("NFKC", head).strip(" ?")
    text, words = unicodedata.normalize("NFKC", cell).strip(), cell_words()
    if _PART.fullmatch(title):
        if not text:
            return any(one and means(one, (*words.yes, *words.plays)) and not may_be_absence(one) for one in cells)
        return not text.isdecimal() and (may_be_absence(text) or means(text, (*words.no, *words.unsure)))
    if _BYE.fullmatch(title):
        return bool(text) and not means(text, words.no)
    return bool(_ROUNDS.fullmatch(title) and _SOME_ROUNDS.fullmatch(text))
