"""Describe a typo in a file, for writers that share no code with Muster."""

from __future__ import annotations

from typing import NamedTuple


class Typo(NamedTuple):
    """A file with one fault, and the expected report about the fault."""

    text: str
    kind: str
    lines: tuple[int, ...]
    """Lines at which the fault may be reported, or () if a line is missing."""
    names: tuple[str, ...]
    """Words that the report must contain, which name the place and the other parts of the fault."""
