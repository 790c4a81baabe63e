"""The type scale, and lines of text that fit.

The type scale: every size of type that a page may show.

Texts that have to fit.

Lines of a text: English breaks at spaces, Japanese between characters, but not just anywhere.

A symbol too small for its words and numbers is drawn without them, and without the plates that they stand on.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.rl_accel import fp_str

from generator.errors import DoesNotFitError
from generator.model.picture import POINTS, Item, Symbol, Text, Use
from generator.model.words import Lang
from generator.notation.text import SELECTOR, late
from generator.press import fonts
from generator.said import say

Align = Literal["left", "centre", "right"]

FLOOR = 7.0
"""No type that is read as text is smaller, in points."""
LEAST = 5.0
"""Nor any other on a page: coordinates, numbers of units and numerals in drawings (docs/decisions.md)."""
_SAID = late(
    r"[^\W\d_]{3}|[\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]{2}"
)
"""Words: three Latin letters or two Japanese ones, one behind the other; less is a coordinate or a sign."""

SCALES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.78)
"""How far a sheet's type shrinks, step by step, before the sheet is said not to fit."""
LITTLE = 0.9
"""How far it shrinks at most so that a sheet takes a page less than it may."""

BLACK = "#000000"
DARK = "#3c3a36"
QUIET = "#6b665a"
"""Of what is read second: labels, captions, heads of columns, the page's foot."""
LIGHT = "#c9c4b6"
TINT = "#f4f2ec"
RULE, HEAVY = 0.51, 0.71
"""A light rule, and the rule under a table's head: 0.18 and 0.25 mm, in points."""


class _Kind(msgspec.Struct, frozen=True):
    size: float
    leading: float
    bold: bool
    before: float
    after: float


_KINDS = {
    "h1": _Kind(26, 1.08, True, 0, 4),
    "h2": _Kind(12, 1.25, True, 9, 3),
    "h3": _Kind(9, 1.3, True, 6, 2),
    "para": _Kind(9, 1.36, False, 0, 4),
    "small": _Kind(7.5, 1.33, False, 0, 3),
    "label": _Kind(7.5, 1.33, True, 3, 2),
    "lead": _Kind(11, 1.36, False, 0, 4),
    "big": _Kind(15, 1.15, True, 0, 0),
}


class Style(Struct, frozen=True, cache_hash=True):
    """How a text is set; sizes and room are in points."""

    lang: Lang
    size: float
    leading: float
    """From line to line."""
    bold: bool = False
    align: Align = "left"
    colour: str = BLACK
    indent: float = 0.0
    """How far its lines begin behind a list's sign."""
    before: float = 0.0
    after: float = 0.0
    heads: bool = False
    """It stays with what follows it."""


@lru_cache(256)  # the theme's colours
def ink(colour: str) -> Color:
    """`#rrggbb` as ReportLab takes it quickest."""
    return HexColor(colour)


@lru_cache(512)  # kinds of text at every step of the scale
def style(
    kind: str,
    lang: Lang,
    scale: float = 1.0,
    bold: bool = False,
    align: Align = "left",
    colour: str = BLACK,
    indent: float = 0.0,
) -> Style:
    """The style of a text: h1, h2, h3, para, small, label, lead or big, at that share of its size.

    `indent` is in points.
    """
    face = _KINDS[kind]
    size = max(FLOOR, face.size * scale)
    return Style(
        lang,
        size,
        size * face.leading,
        bold or face.bold,
        align,
        colour,
        indent,
        face.before * scale,
        face.after * scale,
        kind.startswith(("h", "label")),
    )


def floor(text: str) -> float:
    """The smallest type for a text, in points: FLOOR where it says words, LEAST for a coordinate or a number."""
    return FLOOR if _SAID.search(text) else LEAST


def wide(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in mm."""
    return fonts.width(text, size, bold) / POINTS


def put(canvas: Any, x: float, y: float, text: str, size: float, bold: bool = False, share: float = 0.0) -> None:
    """A line of text on a page, with that share of its width before that place; all in points."""
    place = fp_str(x - share * fonts.width(text, size, bold) if share else x, y)
    canvas._code.append(f"BT 1 0 0 1 {place} Tm {fonts.shown(canvas, text, size, bold)} T* ET")


def fitted(text: str, room: float, size: float, floor: float, bold: bool = False) -> float:
    """The size, at most `size` points, at which a line fits into `room` mm; DoesNotFitError below the floor."""
    needed = wide(text, size, bold)
    if needed > room:
        size = int(size * room / needed * 20) / 20
    if size < floor:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise DoesNotFitError(
            say("the text {text!r} does not fit, not even at {floor:g} pt", text=shown, floor=floor),
            hint=say("shorten it"),
        )
    return size


def titled(text: str, room: float, size: float) -> tuple[float, tuple[str, ...]]:
    """A bold line for `room` mm at `size` points at most, in two lines where it would be smaller than FLOOR in one.

    Two lines have at most two thirds of that size. DoesNotFitError where even they are too small.
    """
    if wide(text, FLOOR, bold=True) > room:
        for smaller in (max(FLOOR, size * 2 / 3), FLOOR):
            lines = wrapped(text, room, smaller, bold=True)
            if lines and len(lines) == 2:
                return smaller, lines
    return fitted(text, room, max(size, FLOOR), FLOOR, bold=True), (text,)


def broken(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """The text in lines no wider than `room` mm: broken at spaces, or anywhere in a text without them."""
    joint = " " if " " in text else ""
    lines = [""]
    for word in text.split() if joint else text:
        longer = lines[-1] + joint + word if lines[-1] else word
        if not lines[-1] or wide(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    # A line too wide even so is one word: it counts as lines without end.
    return tuple(lines) if all(wide(line, size, bold) <= room for line in lines) else (text,) * 99


def text_box(text: Text) -> tuple[float, float, float, float]:
    """What a line of text covers: left, bottom, right, top."""
    width, high = wide(text.text, text.size, text.bold), text.size / POINTS
    x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return x, text.y - 0.25 * high, x + width, text.y + 0.8 * high


NOT_FIRST = (
    "、。，．,.:;：；・·•･!?！？*)]}）」』】〕〉》%％ー々ゃゅょっぁぃぅぇぉャュョッァィゥェォヮヵヶゝゞヽヾ〜～…‥‐–°"
)
"""Characters that begin no line."""
_NOT_LAST = "([{（「『【〔〈《"
"""Characters that end no line."""
_PIECES = late(
    r"\s+|[ァ-ヶー]+(?:-?\d+)?|\d+(?:ヘクス|[個体枚本点つ列])|[!-~\u00a1-\u024f\u2010-\u2026]+"
    rf"|.{SELECTOR}?",
    re.DOTALL,
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
        held += " " * len(piece) if piece.isspace() else piece
        behind = next((after for after in pieces[i + 1 : i + 3] if not after.isspace()), "")
        if piece.isspace() or held.strip()[-1:] in _NOT_LAST or (behind and behind[0] in NOT_FIRST):
            continue
        yield held
        held = ""
    if held.strip():
        yield held


_BIT = 0.001


def legible(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A picture's items: no symbol shows a text that would be smaller than its floor."""
    return tuple(_fit(item) if isinstance(item, Use) else item for item in items)


def _fit(use: Use) -> Use:
    least = (1 - _BIT) / use.scale
    dropped = bisect_left(_shares(use.symbol), least)
    return Use(_without(use.symbol, dropped), use.x, use.y, use.scale, use.turn, use.data) if dropped else use


@lru_cache(256)  # the symbols of a print
def _shares(symbol: Symbol) -> tuple[float, ...]:
    """The sizes of all texts in a symbol, and in those that it uses, in shares of their floors, from the smallest."""
    return tuple(sorted(_all(symbol.items)))


def _all(items: tuple[Item, ...]) -> Iterator[float]:
    for item in items:
        if isinstance(item, Text):
            yield item.size / floor(item.text)
        elif isinstance(item, Use):
            yield from (share * item.scale for share in _shares(item.symbol))


@lru_cache(256)  # the symbols of a print
def _without(symbol: Symbol, dropped: int) -> Symbol:
    """The symbol without so many of its texts, those farthest below their floors, under a name of its own."""
    shares = _shares(symbol)
    least = shares[dropped] if dropped < len(shares) else float("inf")
    items: list[Item] = []
    for item in symbol.items:
        if isinstance(item, Use):
            inner = sum(share * item.scale < least for share in _shares(item.symbol))
            if inner and item.symbol.plate:
                continue
            if inner:
                item = Use(_without(item.symbol, inner), item.x, item.y, item.scale, item.turn)
        elif isinstance(item, Text) and item.size / floor(item.text) < least:
            continue
        items.append(item)
    return Symbol(f"{symbol.name}.less{dropped}", tuple(items), symbol.reach)
