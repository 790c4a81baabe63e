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
_REMARK = re.compile(r"\((?![^()]*HP)[^()]{7,}(?:\)|$)")
"""A remark in brackets. Short brackets may contain a die or hex, as in `missed (5)`, and others hit points."""
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
_SHOT = re.compile(
    r"\s*(?:(?:#\s?[0-9]{1,2}\s?:?\s*)?F\s*/\s*(?=[0-9]{4}(?![0-9]))"
    r"|(?:your|あなたの|そちらの|相手の)\s*#\s?[0-9]{1,2}|#\s?[0-9]{1,2}(?:'s|の)\s*(?:shot|fire|射撃|攻撃))",
    re.IGNORECASE,
)
"""The beginning of the shot to which a line replies, as in `F / 1108 → 5, F` and `Your #1 missed with a 5`."""
_UNIT = re.compile(r"#\s?[0-9]{1,2}(?![0-9])|F\s*/")
_SENTENCE = re.compile(r".+?(?:[。!;]+|\.(?=\s|$)|$)")
_CLAUSE = re.compile(r".+?(?:[,、&]+|(?<![A-Za-z])and(?![A-Za-z])|$)", re.IGNORECASE)
_FOR_ALL = re.compile(r"(?<![A-Za-z])(?:both|all)(?![A-Za-z])|両方|どちらも|どれも|全部|発とも", re.IGNORECASE)
"""Words which show that a result is that of every shot."""


def replies_in_words(text: str, pending: Collection[str], answered: Collection[str]) -> list[ShotReply | Unread]:
    """Return the replies of a line that names the hexes of several pending shots, in the order of the line.

    Hexes in `answered` have a reply in the usual form. If the reply of another hex cannot be found, the whole line is
    a passage to ask about, because its numbers may be those of any shot.
    """
    first = _HEX.search(text)
    before = text[: first.start()] if first else ""
    shared = before if _FOR_ALL.search(before) and _verdict(before) and not _NUMBER.search(before) else ""
    found: dict[str, ShotReply | Unread | None] = {}
    named = set()
    for part in _parts(text):
        hexes = set(_HEX.findall(part)) & {*pending} - {*answered}
        named |= hexes
        whole = part if part.startswith(shared) else shared + part
        if not hexes or not _verdict(whole[: _limits(whole)[1]]):
            continue
        reply = reply_in_words(whole, pending) if len(hexes) == 1 else None
        found |= {of: reply[0] if reply and of not in found else None for of in hexes}
    replies = [reply for reply in found.values() if reply]
    is_complete = len(replies) == (len(named) if _FOR_ALL.search(text) else len(found))
    return replies if is_complete or not replies else [Unread(text.strip(), hex=replies[0].hex, is_reply=True)]


def _parts(text: str) -> list[str]:
    """Return the parts of a text that name one hex each, if its sentences and clauses do.

    Words without a hex belong to the hex before them.
    """
    parts = [""]
    for sentence in _SENTENCE.findall(text):
        clauses = _CLAUSE.findall(sentence) if len(_HEX.findall(sentence)) > 1 else [sentence]
        for clause in clauses:
            named, before = _HEX.findall(clause), _HEX.findall(parts[-1])
            if named and before and named != before:
                parts.append("")
            parts[-1] += clause
    return parts


def reply_in_words(text: str, pending: Collection[str]) -> tuple[ShotReply | Unread, int, int] | None:
    """Return the reply to a pending shot with which a line begins, its start and its end, or None for talk.

    `pending` are the hexes of the shots that the writer has to reply to, each once for each shot. If a part of the
    reply is missing or its meaning is not certain, the reply is a passage to ask about.
    """
    start, end = _limits(text)
    passage = _REMARK.sub(" ", _UNIT.sub(" ", text[:end]))
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
        return Unread(passage.strip(), hex=of, is_reply=True), start, end
    assert die is not None
    return ShotReply(of, die, is_hit, damage if is_hit else None, hp if is_hit else None), start, end


def _limits(text: str) -> tuple[int, int]:
    """Return the position after the beginning of the shot that a text names, and the end of the reply."""
    shot = _SHOT.match(text)
    start = shot.end() if shot else 0
    found = _END.search(text, start)
    return start, found.start() if found else len(text)


def may_be_replies(text: str) -> bool:
    """Return whether a text states a result and a number that is no hex, and is no question and no condition."""
    considered = any(words.search(text) for words in (HYPOTHETICAL_BEFORE, CONDITION_BEFORE, PAST_BEFORE))
    return bool(_verdict(text) and _NUMBER.search(_UNIT.sub(" ", text)) and "?" not in text and not considered)


def _verdict(text: str) -> str | None:
    """Return whether a text states a `hit`, a `miss`, or both (`unclear`), or None."""
    plain = _NO_HIT.sub("miss", _UNIT.sub(" ", text))
    is_hit, is_miss = (bool(form.search(plain) or form.search(plain.lower())) for form in (_HIT, _MISS))
    return "unclear" if is_hit and is_miss else "hit" if is_hit else "miss" if is_miss else None


def _take(form: re.Pattern[str], text: str) -> tuple[int | None, str]:
    """Return the number that a text states in a form, and the text without it. Several numbers count as none."""
    found = [*form.finditer(text)]
    if len(found) != 1:
        return None, text
    number = next(group for group in found[0].groups() if group)
    return int(number), f"{text[: found[0].start()]} {text[found[0].end() :]}"
