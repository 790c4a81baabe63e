"""Errors a user can mend: what is wrong, where, and what to do next."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

SHOWN = 20


@dataclass(frozen=True)
class Problem:
    """One thing to mend: a sentence, its place (file and 1-based line, 0 when unknown) and a hint."""

    message: str
    file: str = ""
    line: int = 0
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message}" + (f" ({self.hint})" if self.hint else "")


class MusterError(Exception):
    """Problems that end a command; `exit_code` is what the shell sees."""

    exit_code = 70
    code = command = ""
    """The code that was drawn before it went wrong, and the command that draws it again."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems = tuple(p if isinstance(p, Problem) else Problem(p) for p in problems)
        super().__init__("\n".join(str(p) for p in self.problems))

    def lines(self) -> list[str]:
        """The problems a line each, at most `SHOWN` of them."""
        shown = [str(p) for p in self.problems[:SHOWN]]
        rest = len(self.problems) - SHOWN
        return [*shown, f"… and {rest} more"] if rest > 0 else shown


class NotInOrderError(MusterError):
    """The thing examined is not in order."""

    exit_code = 1


class DoesNotFitError(NotInOrderError):
    """A sheet or card has no room for what is to stand on it: no fault of a data file's."""


class WrongUsageError(MusterError):
    """The command cannot be carried out as it was typed."""

    exit_code = 2


class DataError(MusterError):
    """A data file cannot be read, or says what it must not."""

    exit_code = 3


class NothingLegalError(MusterError):
    """No legal scenario was found within the budget."""

    exit_code = 4


class CannotWriteError(MusterError):
    """A file or folder cannot be written."""

    exit_code = 5


def near(word: str, accepted: Iterable[str]) -> str:
    """A hint for a mistyped word: the near match, or else the accepted list (empty if there is none)."""
    words = list(accepted)
    if _count_up(words):
        return f"accepted: {words[0]} to {words[-1]}"
    if found := nearest(word, words):
        return f"did you mean {found}?"
    return f"accepted: {', '.join(words)}" if words else ""


def nearest(word: str, accepted: Iterable[str]) -> str:
    """The word that a mistyped one is near to; empty where none is."""
    by_lower = {w.lower(): w for w in accepted}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else ""


def _count_up(words: list[str]) -> bool:
    """Whether these are whole numbers one after another, and more than a few."""
    if len(words) < 6 or not words[0].isdecimal():
        return False
    return words == [str(n) for n in range(int(words[0]), int(words[0]) + len(words))]
