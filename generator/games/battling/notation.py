"""Define the notation of Battling: write orders, replies and headers, and read headers."""

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
    """An order; its hexes are numbers, which the arena may or may not have."""

    action: Letter
    legs: tuple[int, ...] = ()
    """The lengths in hexes of a move's one or two straight legs; empty for no move."""
    to: str = ""
    target: str = ""
    turn: str = ""
    """The hex in which a roller dash turns, if it is given."""
    unit: str = ""
    """The AT of the order as entered after `#`: its number or id."""
    start: str = ""
    """The hex of the AT, if it is given in place of the AT."""
    among: tuple[str, ...] = ()
    """The ids of the ATs that it may be for, if a name that several share states it."""


class ShotReply(msgspec.Struct, frozen=True):
    """The target's side's roll against a shot."""

    own: str
    die: int
    hit: bool
    damage: int | None = None
    hp: int | None = None


class ClashReply(msgspec.Struct, frozen=True):
    """The attacked side's roll in battling."""

    own: str
    die: int
    result: Result
    hp: int | None = None


class Answer(msgspec.Struct, frozen=True):
    """The attacker's remaining hit points after an A or EX."""

    own: str
    result: Result
    hp: int | None = None


class Header(msgspec.Struct, frozen=True):
    """The side whose lines follow, and the turn; either may be missing."""

    turn: int | None
    """The turn, counted from 1."""
    side: Side | None


Reply = ShotReply | ClashReply | Answer

_TURN = r"(?:(?:turn|ターン|t(?=[0-9]))([0-9]{1,3})|([0-9]{1,3})(?:(?:st|nd|rd|th)?turn|ターン目?|t))"


def write_line(of: Order | Reply | Header, lang: Lang = "en") -> str:
    """Return the line that is read as this; only headers depend on the language."""
    if isinstance(of, Header):
        return _header(of, lang)
    if isinstance(of, Order):
        legs = [str(leg) for leg in of.legs]
        if of.turn:
            legs[0] += f" @{of.turn}"
        prefix = f"#{of.unit}: " if of.unit else f"{of.start}: " if of.start else ""
        return prefix + " / ".join([of.action, *legs, *filter(None, (of.to, of.target))])
    fields: list[object] = [of.own]
    if isinstance(of, ShotReply):
        fields += [of.die, "H" if of.hit else "F", *([] if of.damage is None else [of.damage])]
    else:
        fields += [of.die, of.result] if isinstance(of, ClashReply) else [of.result]
    return " / ".join(map(str, [*fields, *([] if of.hp is None else [f"HP{of.hp}"])]))


def _header(of: Header, lang: Lang) -> str:
    form: Literal["both", "turn", "side"] = "both" if of.turn and of.side else "turn" if of.turn else "side"
    side = side_name(of.side) if of.side else ""
    return order_words().header[form].fill(turn=of.turn, side=side)[lang]


def read_header(text: str) -> Header | None:
    """Return the header in brackets, such as `turn 3`, `first`, `3ターン 先攻` or `1T先攻`; None if it is not one."""
    text = _bare(text)
    match = _heading().fullmatch(text)
    if not match or not text or (match[1] and match[4]):
        return None
    side_name_ = match[1] or match[4]
    return Header(_int(match[2] or match[3]), next((side for side in SIDES if side_name_ in _names(side)), None))


def names_phase(text: str) -> bool:
    """Return whether a header contains the word phase, so that it needs no turn."""
    return bool(re.search(_PHASE, text, re.IGNORECASE))


def guess_header(text: str) -> Header | None:
    """Return the intended header of a mistyped one, with or without a turn; None if no side's name is similar."""
    text = _bare(text)
    turn = re.search(_TURN, text)
    word = text[: turn.start()] + text[turn.end() :] if turn else text
    # One of two characters may be wrong: 先行 for 先攻.
    cutoff = 0.75 if word.isascii() else 0.5
    near = [side for side in SIDES if _close(word, _names(side), cutoff)]
    return Header(_int(turn[1] or turn[2]) if turn else None, near[0]) if near else None


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)


def _close(word: str, names: list[str], cutoff: float) -> bool:
    """Return whether a word is similar to one of the names; lengths are compared first, to skip most words."""
    likely = [name for name in names if 2 * min(len(word), len(name)) >= cutoff * (len(word) + len(name))]
    return bool(likely and difflib.get_close_matches(word, likely, cutoff=cutoff))


_PHASE = r"(?:行動)?フェ[イー]ズ|phase|player"


_ORDINALS = {"1st": "first", "2nd": "second"} | {sign: str(n) for n, sign in enumerate("一二三四五六七八九十", 1)}
"""Other ways to write the sides and the first turns."""


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
