"""Rules for breaking lines: at spaces in English, and between most characters in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.notation.text import SELECTOR

NOT_FIRST = (
    "、。，．,.:;：；・·•･!?！？*)]}）」』】〕〉》%％ー々ゃゅょっぁぃぅぇぉャュョッァィゥェォヮヵヶゝゞヽヾ〜～…‥‐–°"
)
"""Characters that must not start a line."""
_NOT_LAST = "([{（「『【〔〈《"
"""Characters that must not end a line."""
_PIECES = re.compile(
    r"\s+|[ァ-ヶー]+(?:-?\d+)?|\d+(?:ヘクス|[個体枚本点つ列])|[!-~\u00a1-\u024f\u2010-\u2026]+"
    rf"|.{SELECTOR}?",
    re.DOTALL,
)
"""Matches white space, a katakana word, a number with its counter, a Latin word, or a single character."""


def unbreakable_units(text: str) -> Iterator[str]:
    """Yield the units of a text that must not be broken, such as a word, or a character with its punctuation.

    The space between two units belongs to the second unit.
    """
    held = ""
    pieces: list[str] = [match[0] for match in _PIECES.finditer(text)]
    for i, piece in enumerate(pieces):
        held += " " * len(piece) if piece.isspace() else piece
        behind = next((after for after in pieces[i + 1 : i + 3] if not after.isspace()), "")
        if piece.isspace() or held.strip()[-1:] in _NOT_LAST or (behind and behind[0] in NOT_FIRST):
            continue
        yield held
        held = ""
    if held.strip():
        yield held
