"""From a kit to paper: the only users of ReportLab, Jinja2, fontTools, pypdfium2 and pikepdf."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is called with what is done now, and the share of the work that is done already, from 0 to 1."""

    def __call__(self, message: str, share: float | None = None) -> None:
        """Tell it."""


def silent(message: str, share: float | None = None) -> None:
    """Tell nobody."""
