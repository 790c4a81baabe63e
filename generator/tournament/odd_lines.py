"""Recognise lines in a list of players that contain more than a name, such as results, pairs, points and remarks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.localization import tr
from generator.tournament.csv_files import accepted_headings, cell_words, means

_COUNT = "(?:[0-9０-９]{1,3}(?:[.,][05]|½)?|½)"
_SCORE = re.compile(
    rf"(?:^|[^\w½.,]){_COUNT}\s*[-‐–—−－:：]\s*{_COUNT}(?=$|[^\w½])|[○●◯]\s*[-–—－]?\s*[×✕●]|[×✕]\s*[-–—－]?\s*[○◯]"
)
"""Matches a score of two players, such as 2-1, 1 : 0, ½-½ or ○-×."""
_VERSUS = re.compile(
    r"\s(?:vs?\.?|versus|gegen|contre|contra|contro|beats?|bt\.?|defeats?|defeated)\s|\s対|対\s", re.IGNORECASE
)
_DASH = re.compile(r"\S\s+[-‐–—−－]+\s+\S")
"""Matches a dash with spaces around it, which does not occur in names. It separates two players, or a name and a
note.
"""
_COLON = re.compile(r"\w\s*(?::\s|：)\s*\S")
_POINTS = re.compile(r"^(.*\S)\s+[0-9]{1,4}(?:[.,][05]|½)?\s*(?:pts?\.?|points?|punkte|点|勝)?$", re.IGNORECASE)
_STRUCK = re.compile(r"^~~.*~~$")
_NOTE = re.compile(r"[(（\[［]([^()（）\[\]［］]+)[)）\]］]\s*$|\s[-–—*]+\s*(\S.*)$|[,、：:]\s*(\S.*)$")
"""Matches a note after a name, in brackets or after a dash or comma."""


def line_fault(name: str, headed: bool) -> tuple[str, str] | None:
    """Return the reason that a line is not a name and a hint, or None if it may be a name.

    Below a heading for names, only scores of two players are rejected, so that any name can be listed.
    """
    hint = tr(
        "list only players, one per line; give pairings with --pairings and results with muster tournament results"
    )
    score = _SCORE.search(name)
    between = score and name[: score.start()].strip() and name[score.end() :].strip()
    if score and (not headed or between or _DASH.search(name) or _VERSUS.search(name)):
        return tr("“{text}” contains a score", text=name[:60]), hint
    if headed:
        return None
    if _VERSUS.search(name):
        return tr("“{text}” looks like the names of two players", text=name[:60]), hint
    alone = tr("keep only the name; if the whole line is a name, begin the list with the line {named}", named="name")
    if _DASH.search(name) and not is_gone(name):
        return tr("“{text}” looks like two names, or a name and a remark", text=name[:60]), alone
    if _COLON.search(name) and not is_gone(name):
        return tr("“{text}” looks like a name and a remark", text=name[:60]), alone
    return None


def are_standings(names: Sequence[str]) -> bool:
    """Return whether every line is a name and a number, such as points.

    Lines such as “Guest 1” and “Guest 2” are not.
    """
    found = [_POINTS.match(name) for name in names]
    before = {match[1].casefold() for match in found if match}
    return len(names) > 1 and all(found) and len(before) == len(names)


def is_gone(name: str) -> bool:
    """Return whether a note after a name, or a line through the name, means that the player is absent."""
    note = _NOTE.search(name)
    return bool(_STRUCK.match(name.strip())) or bool(note and says_gone(next(filter(None, note.groups()))))


def says_gone(remark: str) -> bool:
    """Return whether a remark means that a player does not play, such as “dropped out” or 欠席."""
    if means(remark, accepted_headings("absent")):
        return True
    words = " ".join(remark.casefold().replace("’", "'").split())
    return any(
        re.search(rf"(?:^|\W){re.escape(word)}(?:\W|$)" if _is_alphabetic(word) else re.escape(word), words)
        for word in cell_words().gone
    )


def _is_alphabetic(word: str) -> bool:
    """Return whether the script of a word separates words. If so, “dropped” must not match within “eavesdropped”."""
    return not any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" for c in word)
