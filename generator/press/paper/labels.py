"""Page labels: what a viewer shows and finds in place of a page's number."""

from __future__ import annotations

from typing import Any


def label_pages(canvas: Any, before: int, name: str, first: int, total: int) -> None:
    """Label the pages behind so many by name, from that number on; by the name alone where it has but one page."""
    if total == 1:
        canvas.addPageLabel(before, prefix=name)
    else:
        canvas.addPageLabel(before, "ARABIC", first, f"{name} ")
