"""Rules for breaking lines: at spaces in English, and between most characters in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.notation.text import SELECTOR

NOT_FIRST = (
    "、。，．,.:;：；・·•･!?！？*)]}）］｝」』】〕〉》”’/@%％ー"
    "々ゃゅょっぁぃぅぇぉャュョッァィゥェォヮヵヶゝゞヽヾ〜～…‥‐–°"
)
"""Characters that must not start a line."""
NOT_LAST = "([{（［｛「『【〔〈《“‘/:"
"""Characters that must not end a line. A slash or colon binds the parts of an order, such as `#2: W / 2 / 0908`."""
_MAX_PART = 6
"""Maximum number of letters of a part of an order, such as `到着ヘクス`, which is not broken."""
_LABELLED = re.compile(r"(?<!\S)(#?\w+:) (?=\S+ / )")
_TURNED = re.compile(r" (@\S+) (?=\S+ / )")
_PIECES = re.compile(
    r"\s+|または|@[^\s/]+|[ァ-ヶー]+(?:-?\d+)?|\d+(?:ヘクス|[個体枚本点つ列])|[!-~\u00a1-\u024f\u2010-\u2026]+"
    rf"|.{SELECTOR}?",
    re.DOTALL,
)
"""Matches white space, a katakana word, a number with its counter, a Latin word, or a single character."""


_PERCENT = re.compile(r"(?<=\d) (?=%)")


def tie_words(text: str) -> str:
    """Return an English text with no-break spaces inside orders, such as `#2: W / 2 / 0908`, and before `%`."""
    if " %" in text:
        text = _PERCENT.sub("\u00a0", text)
    if " / " not in text:
        return text
    tied = _TURNED.sub("\u00a0\\1\u00a0", _LABELLED.sub("\\1\u00a0", text))
    return tied.replace(" / ", "\u00a0/\u00a0")


def unbreakable_units(text: str) -> Iterator[str]:
    """Yield the units of a text that must not be broken, such as a word, or a character with its punctuation.

    The space between two units belongs to the second unit.
    """
    held = ""
    pieces: list[str] = [match[0] for match in _PIECES.finditer(text)]
    for i, piece in enumerate(pieces):
        held += " " * len(piece) if piece.isspace() else piece
        part = held.rpartition("/ ")
        if part[1] and i + 1 < len(pieces) and not pieces[i + 1].isspace() and len(part[2]) < _MAX_PART:
            continue
        behind = next((after for after in pieces[i + 1 : i + 3] if not after.isspace()), "")
        if piece.isspace() or held.strip()[-1:] in NOT_LAST or (behind and behind[0] in NOT_FIRST):
            continue
        yield held
        held = ""
    if held.strip():
        yield held
