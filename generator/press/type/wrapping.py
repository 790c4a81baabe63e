"""Lines of a text: English breaks at spaces, Japanese between characters, but not just anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.press.symbols.lettering import wide

NOT_FIRST = "、。，．,.:;：；・!?！？*)]}）」』】〕〉》%％ー々ゃゅょっぁぃぅぇぉャュョッァィゥェォ…"
"""Characters that begin no line."""
_NOT_LAST = "([{（「『【〔〈《"
"""Characters that end no line."""
_PIECES = re.compile(
    r"\s+|[ァ-ヶー]+(?:-?\d+)?|\d+(?:ヘクス|[個体枚本点つ列])|[!-~\u00a1-\u024f\u2010-\u2026]+|.", re.DOTALL
)
"""White space, a word in katakana, a number with its counter, a word in Latin letters, or one character."""


def wrapped(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...] | None:
    """The text in lines no wider than `room` mm at that size in points; None where a word is wider."""
    lines = [""]
    for piece in unbroken(text):
        longer = lines[-1] + piece
        if wide(longer.rstrip(), size, bold) <= room:
            lines[-1] = longer
        elif wide(piece.strip(), size, bold) > room:
            return None
        else:
            lines.append(piece.lstrip())
    return tuple(line.rstrip() for line in lines if line.strip())


def unbroken(text: str) -> Iterator[str]:
    """What stays together: a word, or a character with what must not part from it; spaces lead."""
    held = ""
    pieces: list[str] = [match[0] for match in _PIECES.finditer(text)]
    for i, piece in enumerate(pieces):
        held += " " if piece.isspace() else piece
        behind = pieces[i + 1] if i + 1 < len(pieces) else ""
        if piece.isspace() or held.strip()[-1:] in _NOT_LAST or (behind and behind[0] in NOT_FIRST):
            continue
        yield held
        held = ""
    if held.strip():
        yield held
