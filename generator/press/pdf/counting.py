"""Lines that show the number of all pages, which is known only when the last one is made."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern

from generator.press.pdf.canvas import Canvas

Write = Callable[[int], None]
"""Writes lines on the canvas, given the number of all pages."""
CountedWriter = Callable[[Callable[[str], None]], None]
"""Takes what writes a line that ends in such a text as "page 3 of 12", to be written when that is known."""
_MAX_WAITING_CHARS = 500
"""So many letters of operators at most wait with a page's line."""


class PageCounter:
    """The pages made so far, of which each goes to the file at once: only its line waits, a stream of its own."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.pages = 0
        self.waiting: list[tuple[int, str, Write, str]] = []
        """By page the stream of its line, and what that holds: what stands before it, what writes it, the rest."""
        self._line: tuple[Write, str] | None = None

    def write_line(self, write: Write) -> None:
        """Write it on the page in the making, for now as though that were the last one."""
        code = self._code(write, self.canvas.page_number)
        self.canvas.write(code)
        self._line = write, code

    def end_page(self) -> None:
        """The page with the last line is made: all but its line is written down."""
        if self._line is None:
            raise ValueError("a page without a line")
        (write, code), self._line = self._line, None
        file = self.canvas.file
        before, behind = file.page_code().split(code, 1)
        # A stream for a few operators would take more room than they do.
        sides = [file.stream(side) if len(side) > _MAX_WAITING_CHARS else 0 for side in (before, behind)]
        line = file.reserve_number()
        self.waiting.append((line, "" if sides[0] else intern(before), write, "" if sides[1] else intern(behind)))
        file.write_page([number for number in (sides[0], line, sides[1]) if number])
        self.pages += 1

    def close(self) -> None:
        """Every page is made: write all lines as they must be."""
        for line, before, write, behind in self.waiting:
            self.canvas.file.stream(f"{before}{self._code(write, self.pages)}{behind}", line)

    def _code(self, write: Write, total: int) -> str:
        """The operators that write it, which do not go to the page."""
        return self.canvas.recorded(lambda: write(total))
