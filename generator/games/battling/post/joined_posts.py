"""Find headers within a line, as in a thread whose line breaks were lost when it was copied."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from generator.games.battling.notation import Header
from generator.games.battling.post.entries import Misspelt, Unread
from generator.games.battling.post.headers import BEGINNING, Heading, as_header, bracketed, split_heading
from generator.games.battling.post.stamps import is_stamp

MAX_HEADER = 40
"""The maximum number of characters of a header without brackets within a line. Longer text is talk."""
MAX_BEFORE = 20
"""The number of characters before a header within a line that decide whether it begins a post."""

_START = re.compile(rf"{BEGINNING}|D(?=[\s。.!、,]|$))", re.IGNORECASE)
"""The beginning of notation after a header within a line, where more can follow a guard."""
_CANDIDATE = re.compile(
    r"[\[【]|(?<=[\s。.!)\]】■◆●◇□○▼▶<《〈|~=*-])(?:[0-9tT]|ターン)"
    r"|(?<![\s0-9。.!)\]】■◆●◇□○▼▶<《〈|~=*-])(?=第?[0-9]{1,2}\s?(?:T|ターン))"
    r"|(?<=[0-9])(?=[1-9]\s?(?:T|ターン))"
)
"""The beginning of a header within a line. A header in brackets, or with a turn in Japanese, may directly follow
other text.
"""
_ENDS_NOTATION = re.compile(r"(?:[0-9]|(?<![A-Za-z])(?:[DHFA]|EX)|/\s*-)[\s。.!)]*$")
_NAMES_WRITER = re.compile(r"\W{0,8}(?:[0-9]{1,4}|[^\s/#:]{1,12}\s*[:>])[\s:>.)]*")
"""The number of a post or the name of its writer at the beginning of a line."""
_TALK_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:in|on|at|for|from|until|till|before|after|since|the|my|your|of|with|by|to|and|or|see|like|is|was)"
    r"|[がのをにへとも])\s*$",
    re.IGNORECASE,
)
_TALK_AFTER = re.compile(
    r"[のはがをにへともで]|まで|から|より|です|(?:is|was|will|has|had|and|or)(?![a-z])", re.IGNORECASE
)
"""Words next to a header which show that the sentence talks about a post."""

_Meaning = Literal["post", "ask", "unread", "mention", ""]
"""How a header within a line is understood. An empty string means that it is talk about another post."""


class Post(NamedTuple):
    """A post, or the part of it that is in one line."""

    heading: tuple[Heading | Unread, ...]
    text: str
    mentioned: Header | None = None
    """A later header in the text after which only talk follows. It may be the header of the next line."""

    def until(self, text: str) -> Post:
        """Return the post with the text before the next post. The text of a post that is not understood is empty."""
        return self._replace(text=text.strip() if self.text else "")


def split_posts(line: str, last: Header | None) -> list[Post]:
    """Return the posts of a plain line. `last` is the header of the line before it.

    A header within the line begins a post if it comes later in the game than the header before it and precedes
    notation. If talk is next to it, it is asked about or listed.
    """
    heading, text = split_heading(line)
    posts = [Post(heading, text)]
    last = later_header(heading, last)
    start = passed = 0
    for found in _CANDIDATE.finditer(text, 1):
        at = found.start()
        if at < passed:
            continue
        header, end = _header_at(text, at)
        if header is None or not _is_later(header, last):
            passed = end if found[0] in ("[", "【") else at
            continue
        if not found[0] and header.turn and last and header.turn > (last.turn or header.turn) + 1:
            continue  # the digit before the turn belongs to the text before, as in `HP31T後攻`
        before, after = text[start:at], text[end:].lstrip()
        is_glued = not found[0] and text[at - 1].isdigit()
        meaning = _meaning(header, before, after, found[0] in ("[", "【"), is_glued)
        if not meaning:
            continue
        if meaning == "mention":
            posts[-1] = posts[-1]._replace(mentioned=header)
            passed = end
            continue
        posts[-1] = posts[-1].until(before)
        new: dict[str, Heading | Unread] = {
            "post": header,
            "ask": Misspelt(text[at:], header, is_within=True),
            "unread": Unread(text[at:]),
        }
        posts.append(Post((new[meaning],), "" if meaning == "unread" else after))
        start = passed = end
        last = header if meaning != "unread" else last
    return posts


def _meaning(header: Header, before: str, after: str, is_bracketed: bool, is_glued: bool) -> _Meaning:
    """Return the meaning of a header with the texts before and after it.

    `is_glued` states that the header begins with a digit directly after another one, as in `HP31T後攻`.
    """
    is_talk = bool(_TALK_BEFORE.search(before[-MAX_BEFORE:]) or _TALK_AFTER.match(after))
    if _START.match(after):
        if is_glued:
            return "ask"
        return "unread" if is_talk and before.strip() else "post"
    if not is_bracketed:
        return ""
    if not before.strip() or is_stamp(before) or _NAMES_WRITER.fullmatch(before):
        return "post"
    if not after or is_stamp(after):
        return "post" if _ENDS_NOTATION.search(before[-MAX_BEFORE:]) else "mention"
    if _START.search(after):
        return "unread" if is_talk else "ask"
    return "mention"


def _header_at(text: str, at: int) -> tuple[Header | None, int]:
    """Return the header that begins at a position of a line, or None, and the position after it."""
    if text[at] in "[【":
        header, end = bracketed(text, at)
        return (header if header and header.side else None), end
    near = text[at : at + MAX_HEADER]
    start = next((found.start() for found in _START.finditer(near) if found.start()), len(near))
    return as_header(near[:start]), at + start


def _is_later(header: Header, last: Header | None) -> bool:
    """Return whether a header comes later in the game than the last one, or is for the other side without a turn."""
    if last is None or not (header.turn and last.turn):
        return last is None or header.side != last.side
    return (header.turn, header.side == "second") > (last.turn, last.side == "second")


def later_header(heading: Iterable[Heading | Unread], last: Header | None) -> Header | None:
    """Return the header with a side that holds after a heading."""
    for item in heading:
        header = item.header if isinstance(item, Misspelt) else item
        if isinstance(header, Header) and header.side:
            last = header
    return last
