"""Japanese paragraphs broken into lines before ReportLab sees them, which would part words anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from reportlab.lib.styles import ParagraphStyle

from generator.press import BOLD
from generator.press.sheets.markup import Node, squeeze
from generator.press.type import fonts
from generator.press.type.wrapping import NOT_FIRST, unbroken

_Letter = tuple[str, bool, str]
"""A character, whether it is bold, and its colour (empty: the paragraph's own)."""
_BREAK = "\n"


def japanese(parts: Sequence[Node | str], style: ParagraphStyle, width: float) -> str:
    """Inline content as ReportLab's markup, with a break at the end of every line; width in points."""
    letters = list(_letters(parts, style.fontName == BOLD, ""))
    lines: list[list[_Letter]] = [[]]
    for word in _words(letters):
        if word[0][0] == _BREAK:
            lines.append([])
            continue
        for piece in [word] if _wide(word, style) <= width else _parted(word):
            if lines[-1] and _wide([*lines[-1], *piece], style) > width:
                lines.append([])
            lines[-1] += piece if lines[-1] else piece[len(piece) - len(_text(piece).lstrip()) :]
    return "<br/>".join("".join(_marked(line)) for line in lines)


def _letters(parts: Sequence[Node | str], bold: bool, colour: str) -> Iterator[_Letter]:
    for part in parts:
        if isinstance(part, str):
            yield from ((c, bold, colour) for c in squeeze(part))
        elif part.tag == "br":
            yield _BREAK, bold, colour
        else:
            own = colour if part.tag == "b" else part.colour()
            yield from _letters(part.children, bold or part.tag == "b", own)


def _words(letters: list[_Letter]) -> Iterator[list[_Letter]]:
    """What must stay on one line, with the spaces before it; breaks stand alone."""
    end = -1
    for line in _text(letters).split(_BREAK):
        if end >= 0:
            yield [letters[end]]
        start, end = end + 1, end + 1 + len(line)
        for word in unbroken(line):
            yield letters[start : start + len(word)]
            start += len(word)


def _parted(word: list[_Letter]) -> Iterator[list[_Letter]]:
    """A word too wide for a line by its letters, each with what begins no line."""
    piece: list[_Letter] = []
    for letter in word:
        if piece and letter[0] not in NOT_FIRST:
            yield piece
            piece = []
        piece.append(letter)
    yield piece


def _text(letters: Iterable[_Letter]) -> str:
    return "".join(c for c, _, _ in letters)


def _wide(letters: list[_Letter], style: ParagraphStyle) -> float:
    return sum(fonts.width(c, style.fontSize, bold) for c, bold, _ in letters)


def _marked(line: list[_Letter]) -> Iterator[str]:
    for (bold, colour), run in groupby(line, key=lambda letter: letter[1:]):
        text = escape(_text(run), quote=False)
        text = f"<b>{text}</b>" if bold else text
        yield f'<font color="{colour}">{text}</font>' if colour else text
