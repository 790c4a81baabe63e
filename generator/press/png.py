"""Pages and pictures as PNG, for the screen."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pypdfium2

from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.picture import Picture
from generator.model.words import Lang
from generator.press.pdf.canvas import picture_pdf
from generator.store.manifest import seal

if TYPE_CHECKING:
    from PIL.Image import Image


GIF_COLOURS = 128
"""Colours of each picture of a moving one."""
MAX_PIXELS = 89_000_000
"""No picture has more pixels: it would take gigabytes to make, and Pillow warns of a larger one."""


def page_count(pdf: bytes) -> int:
    """How many pages a PDF has."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return len(document)


def page_png(pdf: bytes, page: int = 1, dpi: float = 96.0) -> bytes:
    """The page of that number, counted from 1, as a PNG."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return _png_bytes(_page_image(document[page - 1], dpi), dpi)


def page_pngs(pdf: bytes, dpi: float = 96.0) -> list[bytes]:
    """Every page as a PNG; WrongUsageError where one would be larger than `MOST` pixels."""
    return [_png_bytes(image, dpi) for image in page_images(pdf, dpi)]


def page_images(pdf: bytes, dpi: float = 96.0) -> Iterator[Image]:
    """Every page in RGB; errors are those of `page_pngs`."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield _page_image(page, dpi)


def animated_gif(pages: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """Pages of one size, each a PNG, as a GIF that shows them one after the other for so long, again and again."""
    from PIL import Image

    frames = [Image.open(io.BytesIO(page)).convert("RGB").quantize(GIF_COLOURS) for page in pages]
    made = io.BytesIO()
    times = [round(1000 * time) for time in seconds]
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return seal(made.getvalue())


def picture_png(picture: Picture, lang: Lang, dpi: float = 96.0, clear: bool = False) -> bytes:
    """A picture as a PNG that knows its true size; a clear one shows nothing where nothing is drawn.

    WrongUsageError where it would be larger than `MOST` pixels.
    """
    return _png_bytes(picture_image(picture, lang, dpi, clear), dpi)


def picture_image(picture: Picture, lang: Lang, dpi: float = 96.0, clear: bool = False) -> Image:
    """A picture in RGB, a clear one in RGBA; errors are those of `picture_png`."""
    wide, high = (max(1, round(side / 25.4 * dpi)) for side in (picture.width, picture.height))
    _check_pixels(wide, high, dpi)
    with closing(pypdfium2.PdfDocument(picture_pdf(picture, lang, packed=False))) as document:
        image: Image = document[0].render(scale=dpi / 72, fill_color=(255, 255, 255, 0 if clear else 255)).to_pil()
    # pdfium adds a row of pixels for a hair's breadth; it would show as a line along the edge.
    return image.crop((0, 0, wide, high))


def _check_pixels(wide: int, high: int, dpi: float) -> None:
    if wide * high > MAX_PIXELS:
        max_dpi = int(dpi * (MAX_PIXELS / (wide * high)) ** 0.5)
        raise WrongUsageError(
            tr("at {dpi:g} dpi the picture has {wide} × {high} pixels", dpi=dpi, wide=wide, high=high),
            hint=tr("use {most} dpi or less", most=max_dpi),
        )


def _page_image(page: Any, dpi: float) -> Image:
    width, height = page.get_size()
    _check_pixels(math.ceil(width * dpi / 72), math.ceil(height * dpi / 72), dpi)
    image: Image = page.render(scale=dpi / 72).to_pil()
    return image


def _png_bytes(image: Image, dpi: float) -> bytes:
    out = io.BytesIO()
    # Packing it tighter takes five times as long and saves one byte in a hundred.
    image.save(out, "PNG", dpi=(dpi, dpi))
    return seal(out.getvalue())
