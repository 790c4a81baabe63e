"""Print lines that contain the total number of pages, which is known only after the last page."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern

from generator.press.pdf.canvas import Canvas

Write = Callable[[int], None]
"""A function that writes a line on the canvas, given the total number of pages."""
CountedWriter = Callable[[Callable[[str], None]], None]
"""A function that receives a function for writing a line such as "page 3 of 12", and calls it when the total is
known."""
_MAX_WAITING_CHARS = 500
"""Maximum length of the operators of a page that are kept in memory, in characters. Longer ones are written as a
stream."""


class PageCounter:
    """A counter that writes each finished page to the file, except for the line with the page total.

    The lines with the total are separate streams, which `close` writes after the last page.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.pages = 0
        self.waiting: list[tuple[int, str, Write, str]] = []
        """For each page: the number of the line's stream, the operators before the line, the function that writes the
        line, and the operators after the line."""
        self._line: tuple[Write, str] | None = None

    def write_line(self, write: Write) -> None:
        """Write the line on the current page, with the current page number as a provisional total."""
        code = self._code(write, self.canvas.page_number)
        self.canvas.write(code)
        self._line = write, code

    def end_page(self) -> None:
        """Write the page that has just ended to the file, without its line."""
        if self._line is None:
            raise ValueError("the page has no line with the page total")
        (write, code), self._line = self._line, None
        file = self.canvas.file
        before, behind = file.page_code().split(code, 1) if code else (file.page_code(), "")
        # For a few operators, a separate stream would need more space than the text itself.
        sides = [file.stream(side) if len(side) > _MAX_WAITING_CHARS else 0 for side in (before, behind)]
        line = file.reserve_number()
        self.waiting.append((line, "" if sides[0] else intern(before), write, "" if sides[1] else intern(behind)))
        file.write_page(streams=[number for number in (sides[0], line, sides[1]) if number])
        self.pages += 1

    def close(self) -> None:
        """Write the lines of all pages with the final total."""
        for line, before, write, behind in self.waiting:
            self.canvas.file.stream(f"{before}{self._code(write, self.pages)}{behind}", line)

    def _code(self, write: Write, total: int) -> str:
        """Return the operators that write a line with this total, without adding them to the page."""
        return self.canvas.recorded(lambda: write(total))
