"""How much ink a page takes, measured on its picture."""

from __future__ import annotations

from typing import Any

import pypdfium2

DPI = 48.0
"""Finer pictures cost more time; on coarser ones hair lines weigh too much."""
_WHITE = 255.0


def coverage(pdf: bytes) -> list[dict[str, float]]:
    """For each page the share of its area that is inked: in grey as `dark`, and in cyan, magenta and yellow.

    1.0 is a page covered all over. A screen's red, green and blue are taken to be what these inks leave.
    """
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_page(page) for page in document]
    finally:
        document.close()


def _page(page: Any) -> dict[str, float]:
    from PIL import ImageStat

    picture = page.render(scale=DPI / 72).to_pil().convert("RGB")
    shares = [1.0 - mean / _WHITE for mean in ImageStat.Stat(picture).mean]
    dark = 1.0 - ImageStat.Stat(picture.convert("L")).mean[0] / _WHITE
    return {
        name: round(share, 4)
        for name, share in zip(("dark", "cyan", "magenta", "yellow"), (dark, *shares), strict=True)
    }
