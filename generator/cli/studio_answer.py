"""The result of a command that the studio runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Answer(NamedTuple):
    """The result of a command."""

    exit: int
    out: str
    err: str
    files: dict[str, bytes]
    """The files that the command wrote, keyed by their path within its folder."""


Task = Callable[[Sequence[str], Mapping[str, bytes], Callable[[str, float | None], None]], Answer]
"""A function of a module, which a runner calls with the words and files of a request and a listener for progress."""
