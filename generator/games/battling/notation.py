"""Define the notation of Battling, write orders, replies and headers, and read headers."""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import Literal

import msgspec

from generator.games.battling.model import SIDES, Letter, Side, order_words, side_name
from generator.games.battling.tables import Result
from generator.model.words import LANGS, Lang


class Order(msgspec.Struct, frozen=True):
    """An order.

    Its hexes are numbers that need not exist in the arena.
    """

    action: Letter
    legs: tuple[int, ...] = ()
    """The lengths, in hexes, of the one or two straight legs of a move. An order without a move has no legs."""
    to: str = ""
    target: str = ""
    turn: str = ""
    """The hex in which a roller dash turns, if the order states it."""
    unit: str = ""
    """The number or id of the AT, as entered after `#`."""
    start: str = ""
    """The hex of the AT, if the order states it instead of the AT."""
    among: tuple[str, ...] = ()
    """The ids of the ATs that the order may be for, if it states a name that several ATs share."""


class ShotReply(msgspec.Struct, frozen=True):
    """The target side's roll against a shot."""

    hex: str
    """The hex of the target."""
    die: int
    hit: bool
    damage: int | None = None
    hp: int | None = None


class BattlingReply(msgspec.Struct, frozen=True):
    """The attacked side's roll in battling."""

    hex: str
    """The hex of the attacked machine."""
    die: int
    result: Result
    hp: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """The attacker's remaining hit points after the results A or EX."""

    hex: str
    """The hex of the attacker."""
    result: Result
    hp: int | None = None


class Header(msgspec.Struct, frozen=True):
    """A header that states the turn and the side whose lines follow. One of them may be missing."""

    turn: int | None
    """The turn, counted from 1."""
    side: Side | None


Reply = ShotReply | BattlingReply | Answer

_TURN = r"(?:(?:turn|ターン|t(?=[0-9]))([0-9]{1,3})|([0-9]{1,3})(?:(?:st|nd|rd|th)?turn|ターン目?|t))"


def write_line(of: Order | Reply | Header, lang: Lang = "en") -> str:
    """Return the line from which this order, reply or header is read. Only headers depend on the language."""
    if isinstance(of, Header):
        return _header(of, lang)
    if isinstance(of, Order):
        legs = [str(leg) for leg in of.legs]
        if of.turn:
            legs[0] += f" @{of.turn}"
        prefix = f"#{of.unit}: " if of.unit else f"{of.start}: " if of.start else ""
        return prefix + " / ".join([of.action, *legs, *filter(None, (of.to, of.target))])
    fields: list[object] = [of.hex]
    if isinstance(of, ShotReply):
        fields += [of.die, "H" if of.hit else "F", *([] if of.damage is None else [of.damage])]
    else:
        fields += [of.die, of.result] if isinstance(of, BattlingReply) else [of.result]
    return " / ".join(map(str, [*fields, *([] if of.hp is None else [f"HP{of.hp}"])]))


def _header(of: Header, lang: Lang) -> str:
    form: Literal["both", "turn", "side"] = "both" if of.turn and of.side else "turn" if of.turn else "side"
    side = side_name(of.side) if of.side else ""
    return order_words().header[form].fill(turn=of.turn, side=side)[lang]


def read_header(text: str) -> Header | None:
    """Return the header in brackets, such as `turn 3`, `first`, `3ターン 先攻` or `1T先攻`, or None."""
    text = _bare(text)
    match = _heading().fullmatch(text)
    if not match or not text or (match[1] and match[4]):
        return None
    side_name_ = match[1] or match[4]
    return Header(_int(match[2] or match[3]), next((side for side in SIDES if side_name_ in _names(side)), None))


def names_phase(text: str) -> bool:
    """Return whether a header contains the word phase. Such a header needs no turn."""
    return bool(re.search(_PHASE, text, re.IGNORECASE))


def guess_header(text: str) -> Header | None:
    """Return the header that a mistyped header probably means, or None if no side's name is similar."""
    text = _bare(text)
    turn = re.search(_TURN, text)
    word = text[: turn.start()] + text[turn.end() :] if turn else text
    # One of two characters may be wrong, such as 先行 for 先攻.
    cutoff = 0.75 if word.isascii() else 0.5
    near = [side for side in SIDES if _close(word, _names(side), cutoff)]
    return Header(_int(turn[1] or turn[2]) if turn else None, near[0]) if near else None


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)


def _close(word: str, names: list[str], cutoff: float) -> bool:
    """Return whether a word is similar to one of the names. Names of very different length are skipped."""
    likely = [name for name in names if 2 * min(len(word), len(name)) >= cutoff * (len(word) + len(name))]
    return bool(likely and difflib.get_close_matches(word, likely, cutoff=cutoff))


_PHASE = r"(?:行動)?フェ[イー]ズ|phase|player"


_ORDINALS = {"1st": "first", "2nd": "second"} | {sign: str(n) for n, sign in enumerate("一二三四五六七八九十", 1)}
"""Other ways to write the names of sides and the numbers of turns."""


def _bare(header: str) -> str:
    ordinals = r"(?:1st|2nd)(?!\s*turn)|[一二三四五六七八九十](?=\s*ターン)"
    text = re.sub(ordinals, lambda found: _ORDINALS[found[0]], header.lower())
    return re.sub(rf"[\s・,、.:の|/()#\-–—―]|第|側|'s|{_PHASE}", "", text)


@cache
def _heading() -> re.Pattern[str]:
    sides = "|".join(re.escape(name) for side in SIDES for name in _names(side))
    return re.compile(rf"({sides})?{_TURN}?({sides})?")


def _names(side: Side) -> list[str]:
    return [side_name(side)[lang] for lang in LANGS]
