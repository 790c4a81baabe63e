"""Convert lengths, numbers and colours to the form used in PDF files."""

from __future__ import annotations

from functools import lru_cache

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.rl_accel import fp_str

from generator.model.picture import Colour

MM = 72 / 25.4
"""Points per millimetre."""


def numbers(*values: float) -> str:
    """Return numbers separated by spaces, with no more digits than a PDF needs."""
    formatted: str = fp_str(*values)
    return formatted


@lru_cache(256)  # Enough for the colours of the theme.
def colour_of(colour: Colour) -> Color:
    """Return a `#rrggbb` colour as ReportLab's colour object."""
    return HexColor(colour)


@lru_cache(256)  # Enough for the colours of the theme.
def rgb(colour: Colour) -> str:
    """Return the operands of the operator that sets a text colour."""
    found = colour_of(colour)
    return numbers(found.red, found.green, found.blue)


def rectangle(*sides: float) -> bytes:
    """Return a rectangle, given as left, bottom, right and top in points, as a PDF array."""
    return b"[ %b ]" % numbers(*sides).encode()
