"""Read replies to shots that are written in words, such as `I rolled a 3, a hit for 2, so 1108 is down to HP3`."""

from __future__ import annotations

import re
from collections.abc import Collection

from generator.games.battling.notation import ShotReply
from generator.games.battling.post.entries import Unread
from generator.games.battling.post.phrases import CONDITION_BEFORE, HYPOTHETICAL_BEFORE, PAST_BEFORE

MAX_LENGTH = 200
"""The maximum number of characters of a reply in words. Longer text is talk."""

_END = re.compile(
    r"#\s?[FS]?[0-9]{1,2}(?![0-9])|(?<![A-Za-z0-9])[WRFBD]\s*/|[0-9]号機|//|(?<![A-Za-z])(?:my|unit)\s+[#0-9]",
    re.IGNORECASE,
)
"""The beginning of an order or comment, which ends the reply before it."""
_HIT = re.compile(
    r"命中(?!せ|し(?:な|ま)|な|率|値|判定|すれ|した[らい]|さ)|ヒット(?!せ|しな)|(?:当|あ)た(?:り(?!ませ)|っ)|(?<![A-Za-z])(?:hits?|H)(?![A-Za-z'])"
)
_MISS = re.compile(
    r"はずれ|ハズレ|外れ|ミス(?!テ)|命中(?:せず|しな|しませ|なし)|(?:当|あ)たら(?:ず|な)|当たりませ|回避(?:成功|しま)"
    r"|(?<![A-Za-z])(?:miss(?:es|ed)?|dodge[sd]?|F)(?![A-Za-z'])"
)
_NO_HIT = re.compile(
    r"(?<![A-Za-z])(?:not?|n't|without)\s+(?:a\s+)?hit(?:s|ting)?(?![A-Za-z])|n't hit", re.IGNORECASE
)
_REMARK = re.compile(r"\([^()]{7,}(?:\)|$)")
"""A remark in brackets. Short brackets may contain a die or hex, as in `missed (5)`."""
_HEX = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_HP = re.compile(
    r"HP\s?[:=は]?\s?([0-9]{1,2})(?![0-9])|(?<![0-9])([0-9]{1,2})\s?HP(?!\s?[:=]?\s?[0-9])(?:\s+left)?|残り?(?:HP)?\s?[:=は]?\s?([0-9]{1,2})"
    r"|耐久力?\s?[:=は]?\s?([0-9]{1,2})|(?:down|drops?)\s+to\s+([0-9]{1,2})(?![0-9])|(?<![0-9])([0-9]{1,2})\s+left",
    re.IGNORECASE,
)
_DAMAGE = re.compile(
    r"(?<![0-9])([0-9])\s?(?:points?\s+(?:of\s+)?)?(?:damage|dmg|ダメージ|点)"
    r"|(?:damage|dmg|ダメージ)\s*(?:は|が|:|=|of|is|die|roll)*\s*([0-9])(?![0-9])|hits?\s+for\s+([0-9])(?![0-9])",
    re.IGNORECASE,
)
_DIE = re.compile(
    r"(?:roll(?:ed|s)?|threw|throw|die|dice|d6|ダイス|サイコロ|出目)(?:\s*(?:an?|the|of|is|was|shows?|came\s+up|は|が|で|=|:|→))*"
    r"\s*([1-6])(?![0-9])|(?<![0-9])([1-6])(?:でした|だった|が出|を出|の目)|\(\s*([1-6])\s*\)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,3}(?![0-9])")


def reply_in_words(text: str, pending: Collection[str]) -> tuple[ShotReply | Unread, int] | None:
    """Return the reply to a pending shot with which a line begins, and the position after it, or None for talk.

    `pending` are the hexes of the shots that the writer has to reply to, each once for each shot. If a part of the
    reply is missing or its meaning is not certain, the reply is a passage to ask about.
    """
    found = _END.search(text)
    end = found.start() if found else len(text)
    passage = _REMARK.sub(" ", text[:end])
    verdict = _verdict(passage)
    is_remark = text.startswith("(") and text.endswith(")")
    if verdict is None or is_remark or len(passage) > MAX_LENGTH or "?" in passage:
        return None
    if any(words.search(passage) for words in (HYPOTHETICAL_BEFORE, CONDITION_BEFORE, PAST_BEFORE)):
        return None
    hexes = set(_HEX.findall(passage))
    if not hexes and len(set(pending)) == 1:
        hexes = {*pending}
    if len(hexes) != 1 or not hexes <= {*pending}:
        return None
    (of,) = hexes
    rest = _HEX.sub(" ", passage)
    hp, rest = _take(_HP, rest)
    damage, rest = _take(_DAMAGE, rest)
    die, rest = _take(_DIE, rest)
    others = [int(number) for number in _NUMBER.findall(rest)]
    if die is None and others:
        die = others.pop(0)
    if verdict == "hit" and damage is None and others:
        damage = others.pop(0)
    if die is None and hp is None and damage is None:
        return None
    is_hit = verdict == "hit"
    complete = die in range(1, 7) and (not is_hit or None not in (damage, hp))
    if verdict == "unclear" or others or not complete or list(pending).count(of) != 1:
        return Unread(passage.strip(), hex=of, is_reply=True), end
    assert die is not None
    return ShotReply(of, die, is_hit, damage if is_hit else None, hp if is_hit else None), end


def _verdict(text: str) -> str | None:
    """Return whether a text states a `hit`, a `miss`, or both (`unclear`), or None."""
    plain = _NO_HIT.sub("miss", text.lower() if text.isupper() else text)
    is_hit, is_miss = (bool(form.search(plain) or form.search(plain.lower())) for form in (_HIT, _MISS))
    return "unclear" if is_hit and is_miss else "hit" if is_hit else "miss" if is_miss else None


def _take(form: re.Pattern[str], text: str) -> tuple[int | None, str]:
    """Return the number that a text states in a form, and the text without it. Several numbers count as none."""
    found = [*form.finditer(text)]
    if len(found) != 1:
        return None, text
    number = next(group for group in found[0].groups() if group)
    return int(number), f"{text[: found[0].start()]} {text[found[0].end() :]}"
