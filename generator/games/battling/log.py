"""A posted log as lines of orders, replies and headers, slips among them named.

What may have been meant as notation and slipped: mistyped headers, and talk that looks like an order.

A log of orders and replies as people post it: read out of blog text line by line, and written clean.

What may stand around the notation, and what is a comment: docs/formats/order_log.md.

What a judged log tells of a battle, turn by turn: what the replay's pictures are made from.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator

import msgspec

from generator.games.battling.model import OTHER, SIDES, Side, order_words, side_name
from generator.games.battling.play import (
    Answer,
    ClashReply,
    Header,
    Order,
    Position,
    Reply,
    ShotReply,
    Standing,
    guess_header,
    read,
    read_header,
    write_line,
)
from generator.grid.columns import Numbered
from generator.model.words import Lang, Words

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


def slipped_header(text: str, turn: int | None) -> Misspelt | Doubtful | None:
    """What a bracket's content is that is no header, behind a header of this turn or by itself; None: a comment."""
    guess = guess_header(text)
    if guess and (turn or guess.turn):
        return Misspelt(text, Header(guess.turn or turn, guess.side))
    return Doubtful() if guess or _TURN.search(text) or (turn and _WORD.fullmatch(text)) else None


class Unread(msgspec.Struct, frozen=True):
    """A line that looks like notation and is none."""

    text: str


Item = Header | Misspelt | Order | Reply | Unread | Doubtful


class Entry(msgspec.Struct, frozen=True):
    """What stands on a line of a log, counted from 1; an order on several lines counts where it begins."""

    line: int
    item: Item


LINE_LIMIT = 4096
"""Characters of a line that are looked at."""

_DASHES = dict.fromkeys(map(ord, "‐‒–—―−─━ー⁻"), "-")
_SLASHES = dict.fromkeys(map(ord, "⁄∕╱"), "/")
_BREAK = re.compile(r"<\s*/?(?:br|p|div|li|t[dhr]|h[1-6r]|d[dt]|blockquote)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>")
_HEADER = re.compile(r"\s*(?:\[([^\[\]]*)\]|【([^【】]*)】)")
_BRACKETS = {"(": ")", "[": "]", "【": "】", "「": "」", "『": "』", "“": "”", '"': '"'}
_BULLET = re.compile(r"(?:[・•●○■□◆◇▼▶→*]\s*(?=#|[0-9WRFBD【第\[])|-\s+(?=[0-9WRFBD【第\[]))", re.IGNORECASE)
"""What people put before the lines of a list; a dash before a comment may be a result."""
_NAMED = re.compile(rf"#\s*[A-Z]?[0-9]{{1,2}}\s*(?::|[;,.)]?\s*(?=[WRFBD]\s*(?:/|$|{NUMBERS})))", re.IGNORECASE)
"""How an order begins that names its AT; any other `#` begins a comment."""
_DATE = re.compile(r"(?:19|20)[0-9]{2}/[0-9]{1,2}/[0-9]{1,2}(?![/0-9])")
_ATTEMPT = re.compile(
    r"#|/|[WRFBD](?=\s|[/0-9@]|[-|\\]\s*[0-9]|$)|[A-Z]?[0-9]{1,2}\s*[:;,.)]\s*[WRFBD]\s*(?:/|$)"
    rf"|[A-Z]?[0-9]{{1,2}}\s*[:;,.)]?\s*[WRFBD]\s*(?:/\s*[0-9]|{NUMBERS})"
    r"|[0-9]{3,}\s*(?:[/:]|[0-9]\s*/)|[0-9]+\s*/[^/]*/|[0-9]{4}$",
    re.IGNORECASE,
)
"""How a line begins that is meant as notation; any other is talk, and so is a date."""

Said = Header | Misspelt | Doubtful
"""What a line says before its notation."""


def parse(text: str) -> tuple[Entry, ...]:
    """Every header, order and reply of a log, and every line that was or may be meant as one, in their order."""
    return tuple(_entries(text))


def print_log(items: Iterable[Header | Order | Reply], lang: Lang = "en") -> str:
    """The log of these, a line each, which `parse` reads back; an empty line before each header but the first."""
    lines: list[str] = []
    for item in items:
        if isinstance(item, Header) and lines:
            lines.append("")
        lines.append(write_line(item, lang))
    return "\n".join(lines) + "\n"


def narrow(text: str) -> str:
    """A text with full-width characters made narrow and nothing invisible."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


def _entries(text: str) -> Iterator[Entry]:
    began, order = 0, ""
    for number, line in _lines(text):
        if isinstance(line, str) and order and (order.endswith("/") or line.startswith(("/", "@"))):
            order += line
            continue
        yield from _entry(began, order)
        began, order = number, ""
        if not isinstance(line, str):
            yield Entry(number, line)
        elif _ATTEMPT.match(line) and not _DATE.match(line):
            order = line
        elif likely(line):
            yield Entry(number, Doubtful())
    yield from _entry(began, order)


def _entry(number: int, text: str) -> Iterator[Entry]:
    # A number by itself is the beginning of a reply only if the next line goes on with it.
    if text and not text.isdecimal():
        yield Entry(number, read(text) or Unread(text))


def _lines(text: str) -> Iterator[tuple[int, str | Said]]:
    """What is left of each line without its comments, if anything, and its headers for themselves."""
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        for part in _BREAK.sub("\n", raw[:LINE_LIMIT]).split("\n"):
            rest = narrow(html.unescape(_TAG.sub("", part))).strip()
            if rest.startswith(">"):
                continue
            said, rest = _header(rest[bullet.end() :] if (bullet := _BULLET.match(rest)) else rest)
            yield from ((number, one) for one in said)
            if rest := _uncommented(rest.translate(_DASHES | _SLASHES)):
                yield number, rest


def _header(text: str) -> tuple[tuple[Said, ...], str]:
    """The header that a line begins with, its turn and side in one bracket or two, and the rest of the line.

    Without brackets it is a whole line with both: either by itself might be talk.
    """
    turn = side = None
    while (match := _HEADER.match(text)) and (header := read_header(match[1] or match[2] or "")):
        turn, side = header.turn or turn, header.side or side
        text = text[match.end() :].strip()
    slip = slipped_header(match[1] or match[2] or "", turn) if match and not side else None
    if match and isinstance(slip, Misspelt):
        return (slip,), text[match.end() :].strip()
    if not (turn or side) and (header := read_header(text)) and header.turn and header.side:
        return (header,), ""
    said = Header(turn, side) if turn or side else None
    return tuple(one for one in (said, slip) if one), text


def _uncommented(text: str) -> str:
    """A line without its comments, the last bracket closed or not, and without a full stop."""
    kept = ""
    closing: list[str] = []
    for at, char in enumerate(text):
        if closing and char == closing[-1]:
            closing.pop()
        elif char in _BRACKETS:
            closing.append(_BRACKETS[char])
        elif not closing:
            if text.startswith("//", at) or (char == "#" and (kept.strip() or not _NAMED.match(text, at))):
                break
            kept += char
    return kept.strip().rstrip(".。、 ")


class Deed(msgspec.Struct, frozen=True):
    """An order as it was carried out, and what came of it."""

    line: int
    side: Side
    unit: str
    order: Order
    path: tuple[Numbered, ...]
    """The hexes from where it stood to where it went, both among them; of a refused order only those two."""
    aim: Numbered | None = None
    """The hex that it attacks; a shot's line is `arena.sight(path[-1], aim)`."""
    target: str = ""
    """The machine there; empty where it attacks nobody."""
    reply: ShotReply | ClashReply | None = None
    answer: Answer | None = None
    refused: str = ""
    """The reason why it is not legal; empty where it is."""


class Turn(msgspec.Struct, frozen=True):
    """One turn: the machines at its start and end, the first player's first, and what they did."""

    number: int
    before: tuple[Standing, ...]
    deeds: tuple[Deed, ...]
    after: tuple[Standing, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a battle stands."""

    over: bool
    winner: Side | None
    text: Words


HIT_POINTS = "hit_points"
"""The choice of the ruling `tie` by which hit points decide between equal numbers of machines."""


def outcome(position: Position, turn: int, ended: bool, tie: str) -> Outcome:
    """How it stands in a turn; `ended` when its last one is over."""
    left = {side: position.side(side) for side in SIDES}
    over = ended or not all(left.values())
    if not over:
        return Outcome(False, None, order_words().outcome["going"].fill(turn=turn))
    machines = {side: len(left[side]) for side in SIDES}
    if winner := _more(machines):
        return Outcome(True, winner, _told("won", winner, machines))
    hp = {side: sum(machine.hp for machine in left[side]) for side in SIDES}
    if tie == HIT_POINTS and (winner := _more(hp)):
        return Outcome(True, winner, _told("on_points", winner, hp))
    return Outcome(True, None, order_words().outcome["draw"].fill(own=machines["first"]))


def _more(of: dict[Side, int]) -> Side | None:
    return next((side for side in SIDES if of[side] > of[OTHER[side]]), None)


def _told(what: str, winner: Side, of: dict[Side, int]) -> Words:
    return order_words().outcome[what].fill(side=side_name(winner), own=of[winner], enemy=of[OTHER[winner]])
