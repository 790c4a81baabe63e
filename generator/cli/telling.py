"""What a terminal shows while one waits."""

from __future__ import annotations

import sys
import unicodedata
from shutil import get_terminal_size

BAR = 20
"""How long a progress bar is, in characters."""
_WIPE = "\r\x1b[K"
"""Back to the line's beginning, and clear the line."""


class Telling:
    """Says on a terminal what long work is at, with a bar of how much of it is done; wipes the line at the end."""

    def __init__(self) -> None:
        self.line = ""
        self.stream = sys.stderr
        self.live = self.stream.isatty()

    def __call__(self, message: str, share: float | None = None) -> None:
        """Show it, cut off at the terminal's edge."""
        if not self.live:
            return
        line = _cut(message if share is None else f"{_bar(share)} {message}", get_terminal_size().columns - 1)
        if line != self.line:
            self.line = line
            self._write(line)

    def __enter__(self) -> Telling:
        return self

    def __exit__(self, *_: object) -> None:
        if self.line:
            self._write("")

    def _write(self, line: str) -> None:
        self.stream.write(_WIPE + line)
        self.stream.flush()


def _bar(share: float) -> str:
    done = int(BAR * share)
    return f"[{'#' * done}{'.' * (BAR - done)}] {int(100 * share):3} %"


def _cut(text: str, columns: int) -> str:
    """As much of a text as so many columns hold, where Japanese letters take two."""
    for end, letter in enumerate(text):
        columns -= 1 + (unicodedata.east_asian_width(letter) in "WF")
        if columns < 0:
            return text[:end]
    return text
