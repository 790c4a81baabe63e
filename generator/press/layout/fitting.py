"""Fit lines of text into a width."""

from __future__ import annotations

from generator.errors import DoesNotFitError
from generator.localization import tr
from generator.model.picture import POINTS, Text
from generator.press.layout.line_breaks import unbreakable_units
from generator.press.pdf import fonts
from generator.press.pdf.legible import FLOOR


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in mm."""
    return fonts.width(text, size, bold) / POINTS


def fitting_size(text: str, room: float, size: float, floor: float, bold: bool = False) -> float:
    """Return the type size, at most `size` points, at which a line fits `room` mm.

    Raises: DoesNotFitError if that is below `floor`.
    """
    needed = text_width(text, size, bold)
    if needed > room:
        size = int(size * room / needed * 20) / 20
    if size < floor:
        excerpt = text if len(text) <= 60 else f"{text[:60]}…"
        raise DoesNotFitError(
            tr("the text {text!r} does not fit, not even at {floor:g} pt", text=excerpt, floor=floor),
            hint=tr("shorten the text"),
        )
    return size


def fit_title(text: str, room: float, size: float) -> tuple[float, tuple[str, ...]]:
    """Return a type size and lines for a bold title in `room` mm, in two lines if one would be smaller than FLOOR.

    Two lines have at most two thirds of `size` points. Raises: DoesNotFitError if even they are too small.
    """
    if text_width(text, FLOOR, bold=True) > room:
        for smaller in (max(FLOOR, size * 2 / 3), FLOOR):
            lines = wrap_text(text, room, smaller, bold=True)
            if lines and len(lines) == 2:
                return smaller, lines
    return fitting_size(text, room, max(size, FLOOR), FLOOR, bold=True), (text,)


def break_text(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """Return the text in lines of at most `room` mm, broken at spaces, or anywhere in a text without spaces."""
    joint = " " if " " in text else ""
    lines = [""]
    for word in text.split() if joint else text:
        longer = lines[-1] + joint + word if lines[-1] else word
        if not lines[-1] or text_width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    # A line that is still too wide is a single word: the result has too many lines to be accepted.
    return tuple(lines) if all(text_width(line, size, bold) <= room for line in lines) else (text,) * 99


def text_box(text: Text) -> tuple[float, float, float, float]:
    """Return the box of a line of text: left, bottom, right, top, in mm."""
    width, high = text_width(text.text, text.size, text.bold), text.size / POINTS
    x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return x, text.y - 0.25 * high, x + width, text.y + 0.8 * high


def wrap_text(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...] | None:
    """Return the text in lines of at most `room` mm at `size` points; None if a word is wider."""
    lines = [""]
    for piece in unbreakable_units(text):
        longer = lines[-1] + piece
        if text_width(longer.rstrip(), size, bold) <= room:
            lines[-1] = longer
        elif text_width(piece.strip(), size, bold) > room:
            return None
        else:
            lines.append(piece.lstrip())
    return tuple(line.rstrip() for line in lines if line.strip())
