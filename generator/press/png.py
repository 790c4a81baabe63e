"""Pages and pictures as PNG, for the screen."""

from __future__ import annotations

import io
import math
from typing import Any

import pypdfium2

from generator.errors import Problem, WrongUsageError
from generator.model.picture import Picture
from generator.model.words import Lang
from generator.press.canvas import alone
from generator.store.seal import seal

MOST = 89_000_000
"""No picture has more pixels: it would take gigabytes to make, and Pillow warns of a larger one."""


def page_count(pdf: bytes) -> int:
    """How many pages a PDF has."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


def page_png(pdf: bytes, page: int = 1, dpi: float = 96.0) -> bytes:
    """The page of that number, counted from 1, as a PNG."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return _png(document[page - 1], dpi)
    finally:
        document.close()


def page_pngs(pdf: bytes, dpi: float = 96.0) -> list[bytes]:
    """Every page as a PNG; WrongUsageError where one would be larger than `MOST` pixels."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_png(page, dpi) for page in document]
    finally:
        document.close()


def picture_png(picture: Picture, lang: Lang, dpi: float = 96.0, clear: bool = False) -> bytes:
    """A picture as a PNG that knows its true size; a clear one shows nothing where nothing is drawn.

    WrongUsageError where it would be larger than `MOST` pixels.
    """
    wide, high = (max(1, round(side / 25.4 * dpi)) for side in (picture.width, picture.height))
    _check(wide, high, dpi)
    document = pypdfium2.PdfDocument(alone(picture, lang))
    try:
        image = document[0].render(scale=dpi / 72, fill_color=(255, 255, 255, 0 if clear else 255)).to_pil()
    finally:
        document.close()
    # pdfium adds a row of pixels for a hair's breadth; it would show as a line along the edge.
    return _saved(image.crop((0, 0, wide, high)), dpi)


def _check(wide: int, high: int, dpi: float) -> None:
    if wide * high > MOST:
        most = int(dpi * (MOST / (wide * high)) ** 0.5)
        raise WrongUsageError(
            Problem(f"at {dpi:g} dpi the picture has {wide} × {high} pixels", hint=f"take {most} dpi or fewer")
        )


def _png(page: Any, dpi: float) -> bytes:
    width, height = page.get_size()
    _check(math.ceil(width * dpi / 72), math.ceil(height * dpi / 72), dpi)
    return _saved(page.render(scale=dpi / 72).to_pil(), dpi)


def _saved(image: Any, dpi: float) -> bytes:
    out = io.BytesIO()
    # Packing it tighter takes five times as long and saves one byte in a hundred.
    image.save(out, "PNG", dpi=(dpi, dpi))
    return seal(out.getvalue())
