"""The type scale: every size of type that a page may show."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from generator.model.words import Lang
from generator.press.pdf.legible import FLOOR

Align = Literal["left", "centre", "right"]


SCALES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.78)
"""How far a sheet's type shrinks, step by step, before the sheet is said not to fit."""
MIN_PREFERRED_SCALE = 0.9
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
    keep_with_next: bool = False
    """It stays with what follows it."""


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
