"""Fit lines of text into a given width."""

from __future__ import annotations

from generator.errors import DoesNotFitError
from generator.localization import tr
from generator.model.picture import POINTS, Text
from generator.press.layout.line_breaks import unbreakable_units
from generator.press.pdf import fonts
from generator.press.pdf.legible import FLOOR
from generator.press.pdf.typography import typeset


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in mm."""
    return fonts.width(typeset(text), size, bold) / POINTS


def fitting_size(text: str, room: float, size: float, floor: float, bold: bool = False) -> float:
    """Return the largest type size, up to `size` points, at which a line of text fits in `room` mm.

    Raises:
        DoesNotFitError: If that size is smaller than `floor`.
    """
    needed = text_width(text, size, bold)
    if needed > room:
        size = int(size * room / needed * 20) / 20
    if size < floor:
        excerpt = text if len(text) <= 60 else f"{text[:60]}…"
        raise DoesNotFitError(
            tr("the text {text!r} does not fit, even at the smallest size ({floor:g} pt)", text=excerpt, floor=floor),
            hint=tr("shorten the text"),
        )
    return size


def fit_title(text: str, room: float, size: float) -> tuple[float, tuple[str, ...]]:
    """Return the type size in points and the lines of a bold title that fits in `room` mm.

    If a single line would be smaller than FLOOR, the title is set on two lines, in at most two thirds of `size`.

    Raises:
        DoesNotFitError: If the title does not fit on two lines either.
    """
    if text_width(text, FLOOR, bold=True) > room:
        for smaller in (max(FLOOR, size * 2 / 3), FLOOR):
            lines = wrap_text(text, room, smaller, bold=True)
            if lines and len(lines) == 2:
                return smaller, lines
    return fitting_size(text, room, max(size, FLOOR), FLOOR, bold=True), (text,)


def break_text(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """Break a text into lines of at most `room` mm, at spaces if it has any, otherwise between any letters."""
    joint = " " if " " in text else ""
    lines = [""]
    for word in text.split() if joint else text:
        longer = lines[-1] + joint + word if lines[-1] else word
        if not lines[-1] or text_width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    # A line that is still too wide is a single word. The 99 lines returned then are too many for any caller to
    # accept.
    return tuple(lines) if all(text_width(line, size, bold) <= room for line in lines) else (text,) * 99


def text_box(text: Text) -> tuple[float, float, float, float]:
    """Return the left, bottom, right and top of a line of text in mm."""
    width, high = text_width(text.text, text.size, text.bold), text.size / POINTS
    x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return x, text.y - 0.25 * high, x + width, text.y + 0.8 * high


def wrap_text(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...] | None:
    """Break a text into lines of at most `room` mm at `size` points, or return None if a word is wider."""
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
