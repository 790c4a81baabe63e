"""Read the header that a forum writes above a post, with the number, the writer and the time of the post."""

from __future__ import annotations

import re
from typing import NamedTuple

from generator.games.battling.notation import Header, read_header

MAX_LENGTH = 100
"""The maximum number of characters at the beginning of a line in which the time of a post is searched."""

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_DATE = (
    r"(?:19|20)[0-9]{2}\s?[-/.年]\s?[0-9]{1,2}\s?[-/.月]\s?[0-9]{1,2}(?![0-9])日?"
    rf"|[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.](?:(?:19|20)?[0-9]{{2}})(?![0-9])|(?:{_DAY}\s{_MONTH}|{_MONTH}\s{_DAY}),?\s(?:19|20)[0-9]{{2}}"
)
_DAY_OF_TIME = (
    rf"[0-9]{{1,2}}(?:/|月)[0-9]{{1,2}}日?|{_DAY}\s{_MONTH}|{_MONTH}\s{_DAY}|today|yesterday|今日|昨日|本日"
)
"""A date without a year, which counts only before a time."""
_BETWEEN = r"(?:[\s,・T]|at(?![a-z])|\(?(?:[月火水木金土日](?:曜日?)?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?)\)?)*"
_TIME = r"(?:午[前後])?\s?[0-9]{1,2}:[0-9]{2}(?![0-9])(?::[0-9]{2}(?:\.[0-9]+)?)?(?:\s?[ap]\.?m\.?(?![a-z]))?"
_STAMP = re.compile(
    rf"(?<![0-9a-z/])(?:(?P<date>{_DATE}){_BETWEEN}(?P<hour>{_TIME})?|(?:(?:{_DAY_OF_TIME}){_BETWEEN})?(?P<time>{_TIME}))",
    re.IGNORECASE,
)
"""The date of a post, its time, or both."""
_NUMBER = re.compile(
    r"\W{0,8}(?:(?:no|nr|post|res|re)(?![a-z])\.?\s*|レス(?:番号)?\s*)?[0-9]{1,4}(?:\s*[番:.)\]>、|-]|(?=\s|名前))\s*",
    re.IGNORECASE,
)
"""The number of a post at the beginning of its header."""
_LABELS = re.compile(
    r"(?:お?名前|投稿日時?|投稿者?|日時|(?<![a-z])(?:name|author|posted|written|wrote|writes|said|date|from|by|on|at)(?![a-z]))(?:\s*:)?",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?:さん|君|くん|様|氏)?\s*(?:[◆@][^\s:]{1,20}|\([^()]{1,20}\))?\s*$")
"""A title, a trip code or a place after the name of a writer."""
_TAIL = re.compile(
    r"(?:[\s:>|—.,()\[\]-]|ID\s?:\s?[^\s]+|返信|編集済み?|sage|(?:wrote|writes|said|says|reply|edited)(?![a-z]))*",
    re.IGNORECASE,
)
"""The signs and words after the time of a post."""
_SIGNS = " :;=-~*_■◆●◇□○<>《》〈〉|.。、,—·•[]【】「」()»"
_TALK = re.compile(
    r"(?:[のはがをにへでまか]|と(?!り)|より|です|(?:is|was|will|would|works|and|or|to|for|suits)(?![a-z]))",
    re.IGNORECASE,
)
"""Words after a time that show that the line talks about it."""


class Stamped(NamedTuple):
    """The header of a post with its date or time."""

    header: Header
    text: str
    """The text after the header."""
    is_certain: bool
    """Whether the line has both a date and a time, so that it is a header whatever follows."""


def stamped_header(line: str) -> Stamped | None:
    """Return the header with which a line begins, with the name of a side before or after a date or time, or None."""
    found = _STAMP.search(line, 0, MAX_LENGTH)
    if found is None:
        return None
    before, after = line[: found.start()], line[found.end() :]
    header = _name(before)
    if header is None:
        if before.strip(_SIGNS) and not _NUMBER.fullmatch(before):
            return None
        ends = [m.start() for m in re.finditer(r"[:\s]", after.lstrip(_SIGNS))][:4]
        after = after.lstrip(_SIGNS)
        end = next((end for end in (*reversed(ends), len(after)) if _name(after[:end])), None)
        if end is None:
            return None
        header, after = _name(after[:end]), after[end:]
        assert header
    tail = _TAIL.match(after)
    rest = after[tail.end() if tail else 0 :]
    is_certain = bool(found["date"] and found["hour"]) and not _TALK.match(rest)
    return Stamped(header, rest, is_certain or not rest)


def is_stamp(text: str) -> bool:
    """Return whether a text consists of a date or time and signs."""
    found = _STAMP.search(text, 0, MAX_LENGTH)
    return bool(found and not text[: found.start()].strip(_SIGNS) and _TAIL.fullmatch(text, found.end()))


def without_number(line: str) -> str:
    """Return a line without the number of a post at its beginning."""
    number = _NUMBER.match(line)
    return line[number.end() :] if number else line


def _name(text: str) -> Header | None:
    """Return the header that consists of the name of a side, with the number and the labels of a post around it."""
    if len(text) > MAX_LENGTH:
        return None
    for part in (without_number(text), text):
        plain = _LABELS.sub(" ", part).rstrip(" :,-—")
        for name in (plain.strip(_SIGNS), _TITLE.sub("", plain).strip(_SIGNS)):
            header = read_header(name) if name else None
            if header and header.side:
                return header
    return None
