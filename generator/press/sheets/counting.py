"""Lines that tell how many pages there are in all, which is known only when the last one is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Write = Callable[[int], None]
"""Writes lines on the canvas, given the number of all pages."""
Counted = Callable[[Callable[[str], None]], None]
"""Takes what writes a line that ends in such a text as "page 3 of 12", to be written when that is known."""


class Counting:
    """The pages made so far, of which each can go to the canvas at once: only its line waits."""

    def __init__(self, canvas: Any) -> None:
        self.canvas = canvas
        self.waiting: list[tuple[int, str, Write]] = []

    def line(self, write: Write) -> None:
        """Write it on the page in the making, for now as though that were the last one."""
        number = self.canvas.getPageNumber()
        code = self._code(write, number)
        self.canvas._code.append(code)
        self.waiting.append((number, code, write))

    def close(self) -> None:
        """Every page is made: write all lines as they must be."""
        pages = self.canvas._doc.Pages.pages
        for number, code, write in self.waiting:
            page = pages[number - 1]
            page.stream = page.stream.replace(code, self._code(write, len(pages)), 1)

    def _code(self, write: Write, total: int) -> str:
        """The operators that write it, which do not go to the page."""
        page, self.canvas._code = self.canvas._code, []
        write(total)
        code, self.canvas._code = "\n".join(self.canvas._code), page
        return code
