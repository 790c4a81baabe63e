"""Page labels: what a viewer shows and finds in place of a page's number."""

from __future__ import annotations

from typing import Any


def label_pages(canvas: Any, name: str, first: int, total: int) -> None:
    """Label the pages that come next by name, from that number on; by the name alone where it has but one page."""
    page = canvas.getPageNumber() - 1
    if total == 1:
        canvas.addPageLabel(page, prefix=name)
    else:
        canvas.addPageLabel(page, "ARABIC", first, f"{name} ")
