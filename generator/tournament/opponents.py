"""Read the cells of opponents in tables of other programs, which may mean a bye."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from generator.errors import Problem
from generator.localization import tr
from generator.tournament.csv_files import Row, cell_words, means, plain
from generator.tournament.odd_lines import is_gone

Opponent = Literal["player", "bye", "half", "unclear"]

_AROUND = re.compile(r"[()（）\[\]［］【】<>!！.。*]")
"""Matches signs around a word for a bye, as in `(bye)` and `BYE!`."""


_DASHES = re.compile("[-‐-―−－─━ーｰ]+")
"""Matches a cell that contains only dashes or signs that look like a dash. A spreadsheet may take a hyphen as a
formula, so people type another sign.
"""


def is_dash(text: str) -> bool:
    """Return whether a cell contains only dashes, which means a bye."""
    return _DASHES.fullmatch(text.strip()) is not None


def opponent(name: str, players: Collection[str] | None) -> Opponent:
    """Return whether a cell is a player, a bye or a half-point bye, or contains a word that is not a name.

    `players` are the known players, whose names are always names. If it is None, the file was written by Muster,
    and only the words that cannot be names of players mean a bye.
    """
    words = cell_words()
    if means(name, ("", *words.bye)) or is_dash(name):
        return "bye"
    if players is None or plain(name) in set(map(plain, players)):
        return "player"
    text = _AROUND.sub(" ", name).strip() or name
    if means(text, words.half_bye):
        return "half"
    if means(text, (*words.bye, *words.no_opponent)):
        return "bye"
    return "unclear" if means(text, (*words.unsure, *words.gone, *words.not_opponents)) else "player"


def absence_problem(row: Row, name: str, players: Collection[str] | None) -> Problem | None:
    """Return a problem if a cell has a new name with a note that the player does not play, and None otherwise."""
    if players is None or not name or plain(name) in set(map(plain, players)) or not is_gone(name):
        return None
    message = tr("“{text}” looks like a player who does not play", text=name[:60])
    return row.problem(
        message, tr("write only the name if the player plays; otherwise, give the other player of the pair a bye")
    )


def unclear_problem(row: Row, name: str) -> Problem:
    """Return a problem for a word in the cell of an opponent that is not a name."""
    message = tr("“{text}” is not a name", text=name[:60])
    return row.problem(message, tr("write the player's name; for a bye, leave the cell empty or write bye"))
