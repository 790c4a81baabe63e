"""Read the cells of attendance columns in lists of players, such as `Attending`, `Status`, 欠席 or 参加."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from generator.tournament.csv_files import accepted_headings, cell_words, means
from generator.tournament.odd_lines import has_word, says_gone

Attendance = Literal["here", "away", "unclear"]

_TIME = re.compile(r"[0-9]{1,4}[-/.:年][0-9]{1,2}(?:[-/.:月][0-9]{1,4}日?)?(?:[T\s].*)?")
"""Matches a time or a date, which a column such as `Checked In` contains for players who have arrived."""
_AROUND = "\ufe0f .。!！,、…♪〜~"
"""Characters around an answer that do not change its meaning, and the selector that makes a sign an emoji."""


def attendance(key: str, cell: str) -> Attendance:
    """Return the meaning of a filled cell in a column `absent`, `present` or `status`."""
    words = cell_words()
    if key == "absent":
        return "here" if means(cell, (*words.no, *accepted_headings("present"))) else "away"
    text = unicodedata.normalize("NFKC", cell).strip(_AROUND)
    if means(text, (*words.no, *words.unsure, *accepted_headings("absent"), "away")):
        return "away"
    yes = (*words.yes, *words.plays, *accepted_headings("present"))
    if means(text, yes) or (key == "present" and _TIME.fullmatch(text)):
        return "here"
    if says_gone(text) or has_word(text, (*words.unsure, *words.sections)) or text.endswith("?"):
        return "away"
    # The first word of an answer may be enough, as in `Yes, with Bob`, `No, sorry` or `Registered on 3 May`.
    begins = re.match(r"[^\W\d]{2,}(?=\W)", text)
    first = begins[0] if begins else ""
    if means(first, words.no):
        return "away"
    return "here" if means(first, yes if len(first) > 2 else words.yes) else "unclear"


def is_about_attendance(cells: Sequence[str]) -> bool:
    """Return whether a column of statuses is about attendance.

    If all cells are filled and none can be understood, the column has another meaning, such as the state in which
    each player lives.
    """
    return any(not cell or attendance("status", cell) != "unclear" for cell in cells)
