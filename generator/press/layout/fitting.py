"""Lines of text that fit a width."""

from __future__ import annotations

from generator.errors import DoesNotFitError
from generator.localization import tr
from generator.model.picture import POINTS, Text
from generator.press.layout.line_breaks import unbroken
from generator.press.pdf import fonts
from generator.press.pdf.legible import FLOOR


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
            tr("the text {text!r} does not fit, not even at {floor:g} pt", text=shown, floor=floor),
            hint=tr("shorten it"),
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
