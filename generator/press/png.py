"""A page as a picture for the screen."""

from __future__ import annotations

import io

import pypdfium2


def page_png(pdf: bytes, page: int = 1, dpi: float = 96.0) -> bytes:
    """The page of that number, counted from 1, as a PNG."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        image = document[page - 1].render(scale=dpi / 72).to_pil()
    finally:
        document.close()
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
