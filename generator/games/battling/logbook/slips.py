"""What may have been meant as notation and slipped: mistyped headers, and talk that looks like an order."""

from __future__ import annotations

import re

import msgspec

from generator.games.battling.play.orders import Header, guess_header

NUMBERS = r"[-|\\,;.]?\s*(?:[0-9]{1,2}[-\s/|\\,;.@]+)*[0-9]{4}(?![0-9])"
"""What follows the letter of an order whose slashes slipped: numbers of hexes, and a hex."""


class Misspelt(msgspec.Struct, frozen=True):
    """A header but for a slip, and what it was meant as."""

    text: str
    header: Header


class Doubtful(msgspec.Struct, frozen=True):
    """A line that is passed over as talk, though it may have been meant as something else."""


_HEX = r"(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4}(?![0-9])"
"""A hex's number; that of a year is talk."""
_LIKELY = re.compile(
    rf"(?<![A-Z0-9])[WRFBD]\s*/\s*(?:[0-9]{{1,2}}\s*/\s*)*{_HEX}"
    rf"|(?<![A-Z0-9])[WRFBD][-\s|\\,;.:]*[0-9]{{1,2}}[-\s/|\\,;.:]+{_HEX}"
    rf"|[^\W0-9_]\s*/\s*[0-9]{{1,2}}\s*/\s*{_HEX}"
    r"|^[A-Z]?[0-9]{1,2}\s+D$"
    r"|^[0-9]{4}[-\s|\\,;.]+[1-6][-\s|\\,;.]+(?:[HFDA-]|EX)(?![A-Z])",
    re.IGNORECASE,
)
"""Anywhere in a line an order, its slashes or its letter slipped, or a line that is one or a reply."""
_TURN = re.compile(r"turn\s*[0-9]|[0-9]\s*ターン|ターン\s*[0-9]", re.IGNORECASE)
_WORD = re.compile(r"\s*[^\W0-9_]+\s*")


def likely(line: str) -> bool:
    """Whether a line of talk looks like an order or a reply, or like a header of turn and side."""
    whole = guess_header(line)
    return bool(_LIKELY.search(line)) or (whole is not None and whole.turn is not None)


def header(text: str, turn: int | None) -> Misspelt | Doubtful | None:
    """What a bracket's content is that is no header, behind a header of this turn or by itself; None: a comment."""
    guess = guess_header(text)
    if guess and (turn or guess.turn):
        return Misspelt(text, Header(guess.turn or turn, guess.side))
    return Doubtful() if guess or _TURN.search(text) or (turn and _WORD.fullmatch(text)) else None
