"""Print kits as pages, pictures and web pages.

No other package imports ReportLab, Jinja2, fontTools, pypdfium2 or pikepdf.
"""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A callback that reports progress: the current step, and the finished fraction of the work, from 0 to 1."""

    def __call__(self, message: str, share: float | None = None) -> None:
        """Report that a step has begun."""


def silent(message: str, share: float | None = None) -> None:
    """Ignore the progress."""
