"""What a writer of files that shares nothing with Muster says of a slip of the hand."""

from __future__ import annotations

from typing import NamedTuple


class Slip(NamedTuple):
    """A file with one thing wrong in it: what somebody must be told."""

    text: str
    kind: str
    lines: tuple[int, ...]
    """The lines where it may be found; none where what is wrong is that a line is not there."""
    names: tuple[str, ...]
    """What must be named: the place, and what else is wrong there."""
