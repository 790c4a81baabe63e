"""Convert pages and pictures to PNG and animated GIF."""

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
"""Number of colours per frame of an animated GIF."""
MAX_PIXELS = 89_000_000
"""Maximum number of pixels in a picture. Larger pictures need gigabytes of memory, and Pillow warns about them."""


def page_count(pdf: bytes) -> int:
    """Return the number of pages of a PDF."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return len(document)


def page_png(pdf: bytes, page: int = 1, dpi: float = 96.0) -> bytes:
    """Return a page of a PDF as a PNG. Pages are counted from 1."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return _png_bytes(_page_image(document[page - 1], dpi), dpi)


def page_pngs(pdf: bytes, dpi: float = 96.0) -> list[bytes]:
    """Return all pages of a PDF as PNG files.

    Raises:
        WrongUsageError: If a page has more than MAX_PIXELS pixels.
    """
    return [_png_bytes(image, dpi) for image in page_images(pdf, dpi)]


def page_images(pdf: bytes, dpi: float = 96.0) -> Iterator[Image]:
    """Yield all pages of a PDF as RGB images. Errors are the same as for `page_pngs`."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield _page_image(page, dpi)


def animated_gif(pages: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """Return PNG pages of equal size as a GIF that repeats forever.

    `seconds` is the display time of each page.
    """
    from PIL import Image

    frames = [Image.open(io.BytesIO(page)).convert("RGB").quantize(GIF_COLOURS) for page in pages]
    made = io.BytesIO()
    times = [round(1000 * time) for time in seconds]
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return seal(made.getvalue())


def picture_png(picture: Picture, lang: Lang, dpi: float = 96.0, clear: bool = False) -> bytes:
    """Return a picture as a PNG in its true size. If `clear` is true, the background is transparent.

    Raises:
        WrongUsageError: If the picture has more than MAX_PIXELS pixels.
    """
    return _png_bytes(picture_image(picture, lang, dpi, clear), dpi)


def picture_image(picture: Picture, lang: Lang, dpi: float = 96.0, clear: bool = False) -> Image:
    """Return a picture as an RGB image, or as RGBA if `clear` is true. Errors are the same as for `picture_png`."""
    wide, high = (max(1, round(side / 25.4 * dpi)) for side in (picture.width, picture.height))
    _check_pixels(wide, high, dpi)
    with closing(pypdfium2.PdfDocument(picture_pdf(picture, lang, packed=False))) as document:
        image: Image = document[0].render(scale=dpi / 72, fill_color=(255, 255, 255, 0 if clear else 255)).to_pil()
    # PDFium rounds up to a whole row of pixels, which would be visible as a line along the edge.
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
    # A higher level takes five times as long and saves 1 % of the bytes.
    image.save(out, "PNG", dpi=(dpi, dpi))
    return seal(out.getvalue())
