"""Find the header at the beginning of a line of a post, with or without brackets."""

from __future__ import annotations

import re
from functools import cache

from generator.games.battling.model import SIDES, side_name
from generator.games.battling.notation import Header, guess_header, names_phase, read_header
from generator.games.battling.post.entries import Doubtful, Misspelt
from generator.games.battling.post.stamps import stamped_header, without_number
from generator.model.words import LANGS

MAX_STARTS, MAX_STOPS = 4, 3
"""The maximum numbers of places at which a header without brackets may end. Further places in a long line are not
tried.
"""

_BULLET = re.compile(r"(?:[・•●○■□◆◇▼▶→*]\s*(?=#|[0-9WRFBD【第\[])|-\s+(?=[0-9WRFBD【第\[]))", re.IGNORECASE)
"""Signs that people write before the lines of a list."""
_BRACKETED = re.compile(r"\s*(?:\[([^\[\]]*)\]|【([^【】]*)】)")
_TURN = re.compile(r"turn\s*[0-9]|[0-9]\s*ターン|ターン\s*[0-9]", re.IGNORECASE)
_MAY_HAVE_TURN = re.compile(r"turn|ターン|(?<![a-z])t\s?[0-9]|[0-9]\s?t(?![a-z])", re.IGNORECASE)
_WORD = re.compile(r"\s*[^\W0-9_]+\s*")
BEGINNING = (
    r"(?<![A-Z0-9])(?:#|[A-Z]?[0-9]{1,2}\s*:|[0-9]{4}\s*[:/]|[WRFBD]\s*/\s*[0-9]"
    r"|(?:(?:dice\s*)?chain|seal(?:ed)?|open(?:ed)?|チェーン|鎖|封印|開封)\s*[:=]"
)
"""The beginning of notation. A pattern that uses it adds a single D, and closes the group."""
_START = re.compile(rf"{BEGINNING}|D\s*$)", re.IGNORECASE)
"""The beginning of notation after a header on the same line."""
_STOP = re.compile(r"[:!。、,]")
_AROUND = " =-~*_■◆●◇□○<>《》〈〉|:!。.、,"
"""Signs that people write around a header."""
_DECORATED = re.compile(
    r"([=~*_■◆●◇□○|-]+|[<《〈])\s*[^\s\w]*\w[^\n]{0,20}?(?:\1|[>》〉])|[■◆●◇□○▼▶]\s*\w{1,20}\W*"
    r"|[^\n]{1,20}の(?:ターン|手番|番|行動)\W*"
)
"""A line that is only the name of a side with signs around it, or with a word for its turn."""
_TAIL = re.compile(
    r"\s*(?:の(?:ターン|手番|番)|です|いきます|行きます|(?:の)?行動(?:開始|です)?|開始|begins|starts)$", re.IGNORECASE
)

_MAY_BE_STAMPED = re.compile(
    r"[0-9]:[0-9]|(?:19|20)[0-9]{2}(?![0-9])|^\W{0,8}[A-Za-z]{0,4}\W{0,3}[0-9]{1,4}(?:\W|名前)"
)
"""Text that a header with the number or time of a post contains. Most lines do not contain it."""
_NUMBER_AND_SIDE = re.compile(
    r"\W*[0-9]{1,4}\s*[:.]\s*(?:[^\s:]{1,12}\s*|\S{1,20}\s?:\s?(?:19|20)[0-9]{2}[-/][0-9]{1,2}[-/][0-9]{1,2}(?!.*[#/]).{0,30})"
)
"""The number of a post and a name that contains the name of a side, also with a date."""

Heading = Header | Misspelt | Doubtful
"""The items that may be at the beginning of a line."""


def split_heading(text: str) -> tuple[tuple[Heading, ...], str]:
    """Return the header at the beginning of a plain line, and the rest of the line.

    In brackets, turn and side may be separate. A header without brackets must state both, or contain the word
    phase, or have the form of a speaker's name, because it may otherwise be talk.
    """
    if bullet := _BULLET.match(text):
        text = text[bullet.end() :]
    found, end = bracketed(text, 0)
    text = text[end:].strip()
    match = _BRACKETED.match(text)
    typo = None
    if match and not (found and found.side):
        typo = _mistyped(match[1] or match[2] or "", found.turn if found else None)
    if match and isinstance(typo, Misspelt):
        return (typo,), text[match.end() :].strip()
    if found is None and (plain := _stamped(text) or _without_brackets(text)):
        return (plain[0],), plain[1]
    return tuple(one for one in (found, typo) if one), text


def bracketed(text: str, at: int) -> tuple[Header | None, int]:
    """Return the header in brackets that begins at a position, or None, and the position after it.

    Turn and side may be in separate brackets.
    """
    turn = side = None
    while (match := _BRACKETED.match(text, at)) and (
        header := read_header(_TAIL.sub("", match[1] or match[2] or ""))
    ):
        turn, side, at = header.turn or turn, header.side or side, match.end()
    return (Header(turn, side) if turn or side else None), at


def _stamped(text: str) -> tuple[Heading, str] | None:
    """Return a header with the number, date or time of a post, and the text after it, or None.

    If talk follows and the header may belong to the talk, it is asked about or only listed.
    """
    if not _MAY_BE_STAMPED.search(text):
        return None
    if (plain := without_number(text)) != text and (header := as_header(plain, plain.rstrip().endswith(":"))):
        return header, ""
    found = stamped_header(text)
    if found is None:
        is_possible = bool(_NUMBER_AND_SIDE.fullmatch(text)) and any(name in text for name in _side_names())
        return (Doubtful(), text) if is_possible else None
    if found.is_certain or _START.match(found.text):
        return found.header, found.text
    if _START.search(found.text):
        return Misspelt(text, found.header, is_within=True), found.text
    return Doubtful(), text


def is_nearly_header(text: str) -> bool:
    """Return whether a line of talk looks like a mistyped header with a turn and a side."""
    guess = guess_header(text) if _MAY_HAVE_TURN.search(text) else None
    return guess is not None and guess.turn is not None


def _mistyped(text: str, turn: int | None) -> Misspelt | Doubtful | None:
    """Return the meaning of text in brackets that is not a header, or None for a comment.

    `turn` is the turn of the preceding header, if there is one.
    """
    guess = guess_header(text)
    if guess and (turn or guess.turn):
        return Misspelt(text, Header(guess.turn or turn, guess.side))
    return Doubtful() if guess or _TURN.search(text) or (turn and _WORD.fullmatch(text)) else None


def _without_brackets(text: str) -> tuple[Header, str] | None:
    """Return a header without brackets and the text after it, which may be empty, notation, or talk after a stop."""
    if not any(name in text for name in _side_names()):
        return None
    if header := as_header(text, text.rstrip().endswith(":")):
        return header, ""
    for start in list(_START.finditer(text))[:MAX_STARTS]:
        head = text[: start.start()]
        if header := as_header(head, head.rstrip().endswith(":")):
            return header, text[start.start() :]
    for stop in list(_STOP.finditer(text))[:MAX_STOPS]:
        if (header := as_header(text[: stop.start()])) and header.turn:
            return header, text[stop.end() :].strip()
    return None


def as_header(text: str, is_speaker: bool = False) -> Header | None:
    """Return the header that a text states, or None.

    A side without a turn is a header only if the text names a phase or has the form of a speaker's name.
    """
    is_decorated = bool(_DECORATED.fullmatch(text.strip()))
    text = _TAIL.sub("", text.strip(_AROUND)).strip(_AROUND)
    header = read_header(text)
    is_certain = is_speaker or is_decorated or names_phase(text)
    return header if header and header.side and (header.turn or is_certain) else None


@cache
def _side_names() -> tuple[str, ...]:
    """Return the names of the sides as people write them. Every header without brackets contains one of them."""
    names = [*(side_name(side)[lang] for side in SIDES for lang in LANGS), "1st", "2nd"]
    return tuple(dict.fromkeys(form for name in names for form in (name, name.capitalize(), name.upper())))
