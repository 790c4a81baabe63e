"""How lengths, numbers and colours are written in a PDF."""

from __future__ import annotations

from functools import lru_cache

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.rl_accel import fp_str

from generator.model.picture import Colour

MM = 72 / 25.4
"""Points in a millimetre."""


def numbers(*values: float) -> str:
    """Numbers in as few digits as a PDF needs, with a space between two."""
    formatted: str = fp_str(*values)
    return formatted


@lru_cache(256)  # the theme's colours
def colour_of(colour: Colour) -> Color:
    """`#rrggbb` as ReportLab takes it fastest."""
    return HexColor(colour)


@lru_cache(256)  # the theme's colours
def rgb(colour: Colour) -> str:
    """The operands of a colour, for text."""
    found = colour_of(colour)
    return numbers(found.red, found.green, found.blue)


def rectangle(*sides: float) -> bytes:
    """Left, bottom, right and top, in points, as an array."""
    return b"[ %b ]" % numbers(*sides).encode()
