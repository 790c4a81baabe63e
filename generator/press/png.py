"""A page as a picture for the screen."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2


def page_png(pdf: bytes, page: int = 1, dpi: float = 96.0) -> bytes:
    """The page of that number, counted from 1, as a PNG."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return _png(document[page - 1], dpi)
    finally:
        document.close()


def page_pngs(pdf: bytes, dpi: float = 96.0) -> list[bytes]:
    """Every page as a PNG."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_png(page, dpi) for page in document]
    finally:
        document.close()


def _png(page: Any, dpi: float) -> bytes:
    out = io.BytesIO()
    page.render(scale=dpi / 72).to_pil().save(out, "PNG", optimize=True)
    return out.getvalue()
