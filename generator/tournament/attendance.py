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
_CROSSES = ("×", "✕", "✖", "✗", "✘", "❌", "x", "X")
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


def is_unclear_remark(cell: str) -> bool:
    """Return whether a remark may mean that a player does not play, in a column in which another remark does."""
    words = cell_words()
    if may_be_absence(cell):
        return True
    if (
        not any(c.isalpha() for c in cell)
        or means(cell, (*words.no, *words.nothing))
        or has_word(cell, words.harmless)
    ):
        return False
    return attendance("status", cell) != "here"


def may_be_absence(cell: str) -> bool:
    """Return whether a whole remark is a cross or a short word that may mean that a player does not play."""
    words = cell_words()
    return cell.strip() in _CROSSES or (means(cell, words.gone_notes) and not means(cell, words.no))


def is_remark_column(head: str, cells: Sequence[str]) -> bool:
    """Return whether a column is for remarks, given its heading and its cells.

    A column without a heading, or in which at most half of the cells are filled, is also one.
    """
    return not head or means(head, cell_words().remark_headings) or 2 * sum(map(bool, cells)) <= len(cells)


def is_about_attendance(cells: Sequence[str]) -> bool:
    """Return whether a column of statuses is about attendance.

    If all cells are filled and none can be understood, the column has another meaning, such as the state in which
    each player lives.
    """
    return any(not cell or attendance("status", cell) != "unclear" for cell in cells)
