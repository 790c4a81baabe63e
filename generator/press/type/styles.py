"""The type scale: every size of type that a page may show."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle

from generator.model.words import Lang
from generator.press import BOLD, REGULAR

Align = Literal["left", "centre", "right"]

FLOOR = 7.0
"""No type that is read as text is smaller, in points."""
LEAST = 5.0
"""Nor any other on a page: coordinates and card faces (docs/decisions.md)."""

SCALES = (1.0, 0.95, 0.9, 0.85, 0.8)
"""How far a sheet's type shrinks, step by step, before the sheet is said not to fit."""

BLACK = "#000000"
DARK = "#3c3a36"
LIGHT = "#b8b4aa"
TINT = "#f4f2ec"


class _Kind(NamedTuple):
    size: float
    leading: float
    bold: bool
    before: float
    after: float


_KINDS = {
    "h1": _Kind(20, 1.2, True, 0, 5),
    "h2": _Kind(12, 1.25, True, 9, 3),
    "h3": _Kind(9, 1.3, True, 6, 2),
    "para": _Kind(9, 1.36, False, 0, 4),
    "small": _Kind(7.5, 1.33, False, 0, 3),
}
_ALIGN = {"left": TA_LEFT, "centre": TA_CENTER, "right": TA_RIGHT}


@cache
def ink(colour: str) -> Color:
    """`#rrggbb` as ReportLab takes it quickest."""
    return HexColor(colour)


@cache
def style(
    kind: str,
    lang: Lang,
    scale: float = 1.0,
    bold: bool = False,
    align: Align = "left",
    colour: str = BLACK,
    indent: float = 0.0,
) -> ParagraphStyle:
    """The style of a text: h1, h2, h3, para or small, at that share of its size; `indent` in points."""
    face = _KINDS[kind]
    size = max(FLOOR, face.size * scale)
    return ParagraphStyle(
        kind,
        fontName=BOLD if bold or face.bold else REGULAR,
        bulletFontName=REGULAR,
        fontSize=size,
        bulletFontSize=size,
        leading=size * face.leading,
        spaceBefore=face.before * scale,
        spaceAfter=face.after * scale,
        alignment=_ALIGN[align],
        textColor=ink(colour),
        leftIndent=indent,
        wordWrap="CJK" if lang == "ja" else None,
        keepWithNext=kind.startswith("h"),
    )
