"""Styles of text, including all type sizes on a page."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from generator.model.words import Lang
from generator.press.pdf.legible import FLOOR

Align = Literal["left", "centre", "right"]


SCALES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.78)
"""Scales to which a sheet's type shrinks, in this order, before the sheet is reported as too large."""
MIN_PREFERRED_SCALE = 0.9
"""Minimum scale at which a sheet is fitted on its preferred, smaller number of pages."""

BLACK = "#000000"
DARK = "#3c3a36"
QUIET = "#6b665a"
"""Colour of secondary text, such as labels, captions, column heads and footers."""
LIGHT = "#c9c4b6"
TINT = "#f4f2ec"
RULE, HEAVY = 0.51, 0.71
"""Line widths of a light rule and of the rule below a table's head, in points (0.18 and 0.25 mm)."""


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
    """The style of a text, with sizes and distances in points."""

    lang: Lang
    size: float
    leading: float
    """Distance between baselines."""
    bold: bool = False
    align: Align = "left"
    colour: str = BLACK
    indent: float = 0.0
    """Distance between the bullet of a list item and the start of its lines."""
    before: float = 0.0
    after: float = 0.0
    keep_with_next: bool = False
    """Whether the text stays on the same page as the next text."""


@lru_cache(512)  # Enough for all kinds of text at every scale.
def style(
    kind: str,
    lang: Lang,
    scale: float = 1.0,
    bold: bool = False,
    align: Align = "left",
    colour: str = BLACK,
    indent: float = 0.0,
) -> Style:
    """Return the style for a kind of text: h1, h2, h3, para, small, label, lead or big.

    The type size is multiplied by `scale` but is at least FLOOR. `indent` is in points.
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
