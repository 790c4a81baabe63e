"""Texts that have to fit."""

from __future__ import annotations

from generator.errors import DoesNotFitError, Problem
from generator.model.picture import Text
from generator.press.type import fonts

POINTS = 72 / 25.4
"""Points in a millimetre."""


def wide(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in mm."""
    return fonts.width(text, size, bold) / POINTS


def fitted(text: str, room: float, size: float, floor: float, bold: bool = False) -> float:
    """The size, at most `size` points, at which a line fits into `room` mm; DoesNotFitError below the floor."""
    needed = wide(text, size, bold)
    if needed > room:
        size = int(size * room / needed * 20) / 20
    if size < floor:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise DoesNotFitError(
            Problem(f"the text {shown!r} does not fit, not even at {floor:g} pt", hint="shorten it")
        )
    return size


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
