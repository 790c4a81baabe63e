"""Errors that a user can fix: the problem, its place, and the next step."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from generator.localization import Lang, LocalizedStr, localize, map_languages, tr, tr_external

SHOWN = 20
LONGEST, LONGEST_HINT = 500, 1500
"""Maximum number of characters shown of a message (and of a path), and of a hint."""
UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories of characters that are invisible, or that would control the user's terminal."""


@dataclass(frozen=True)
class Problem:
    """One problem to fix: a sentence, its place (file and 1-based line, 0 if unknown) and a hint.

    Sentence and hint are one line each, whatever values they contain. A text made by `say` can be shown in either
    language; any other text is shown unchanged.
    """

    message: str
    file: str = ""
    line: int = 0
    hint: str = ""
    remark: bool = False
    """Whether it only exceeds what Muster draws, so that nothing needs fixing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", map_languages(self.message, partial(one_line, longest=LONGEST)))
        object.__setattr__(self, "hint", map_languages(self.hint, partial(one_line, longest=LONGEST_HINT)))

    def __str__(self) -> str:
        return self.describe("en")

    def but(self, **changes: Any) -> Problem:
        """Return the problem with these changes."""
        return replace(self, **changes)

    def describe(self, lang: Lang) -> str:
        """Return the whole problem as one line."""
        file = one_line(self.file, LONGEST)
        place = f"{file}:{self.line}: " if self.line else f"{file}: " if file else ""
        hint = {"en": " ({})", "ja": "（{}）"}[lang].format(localize(self.hint, lang)) if self.hint else ""
        return f"{place}{localize(self.message, lang)}{hint}"


class MusterError(Exception):
    """Problems that end a command; `exit_code` is the exit code of the process.

    A problem that is only a sentence may be passed as a string, with its hint.
    """

    exit_code = 70
    code = command = ""
    """The code that was drawn before the error, and the command that draws it again."""

    def __init__(self, *problems: Problem | str, hint: str = "") -> None:
        self.problems = tuple(p if isinstance(p, Problem) else Problem(p, hint=hint) for p in problems)
        super().__init__("\n".join(str(p) for p in self.problems))

    @classmethod
    def raise_if_any(cls, problems: Iterable[Problem]) -> None:
        """Raise this error with these problems, if there are any."""
        if found := tuple(problems):
            raise cls(*found)

    def __reduce__(self) -> tuple[type[MusterError], tuple[Problem | str, ...], dict[str, object]]:
        """Pickle the error with its problems, to pass it between processes."""
        return type(self), self.problems, vars(self)

    def lines(self, lang: Lang = "en") -> list[str]:
        """Return the problems, one line each, at most `SHOWN` of them."""
        displayed = [p.describe(lang) for p in self.problems[:SHOWN]]
        rest = len(self.problems) - SHOWN
        return [*displayed, localize(tr("… and {rest} more", rest=rest), lang)] if rest > 0 else displayed


class NotInOrderError(MusterError):
    """The examined object has faults."""

    exit_code = 1


class DoesNotFitError(NotInOrderError):
    """A sheet or card has no room for its contents; the data files are not at fault."""


class WrongUsageError(MusterError):
    """The command cannot be carried out as entered."""

    exit_code = 2


class DataError(MusterError):
    """A data file cannot be read, or its contents are not allowed."""

    exit_code = 3


class NothingLegalError(MusterError):
    """No legal scenario was found within the budget."""

    exit_code = 4


class CannotWriteError(MusterError):
    """A file or folder cannot be written."""

    exit_code = 5


def one_line(text: str, longest: int) -> str:
    """Return a text as one line: invisible characters are escaped, and the middle of a very long text is left out."""
    if len(text) > longest:
        text = f"{text[: longest - longest // 4]} … {text[-longest // 4 :]}"
    if text.isprintable():
        return text
    return "".join(c.encode("unicode_escape").decode() if unicodedata.category(c) in UNSEEN else c for c in text)


def describe_error(error: Exception) -> LocalizedStr:
    """Return the system's description of an error, or else the error itself as text."""
    text = (
        error.args[0] if error.args and isinstance(error.args[0], LocalizedStr) else getattr(error, "strerror", None)
    )
    return text if isinstance(text, LocalizedStr) else tr_external(text or str(error))


def near(word: str, accepted: Iterable[str]) -> str:
    """Return a hint for a mistyped word: the near match, or else the accepted list (empty if there is none).

    >>> near("hil", ["hill", "forest"])
    'did you mean hill?'
    >>> near("100", ["1", "2", "3", "4", "5", "6"])
    'accepted: 1 to 6'
    """
    words = list(accepted)
    if _count_up(words):
        return tr("accepted: {least} to {most}", least=words[0], most=words[-1])
    return near_or(word, words, accepted_words(words) if words else "")


def among(word: str, accepted: Iterable[str], message: str) -> str:
    """Return a word if it is accepted; raises WrongUsageError with the near match if it is not."""
    words = list(accepted)
    if word not in words:
        raise WrongUsageError(message, hint=near(word, words))
    return word


def near_or(word: str, accepted: Iterable[str], other: str) -> str:
    """Return a hint with the near match, or else the hint `other`."""
    found = nearest(word, accepted)
    return tr("did you mean {word}?", word=found) if found else other


def accepted_words(words: object) -> str:
    """Return a hint that lists all accepted words."""
    return tr("accepted: {words}", words=words)


def nearest(word: str, accepted: Iterable[str]) -> str:
    """Return the accepted word that a mistyped one is near to; empty if there is none."""
    import difflib  # Only a typo needs this module.

    by_lower = {w.lower(): w for w in accepted}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else ""


def _count_up(words: list[str]) -> bool:
    """Return whether these are at least six consecutive whole numbers."""
    if len(words) < 6 or not words[0].isdecimal():
        return False
    return words == [str(n) for n in range(int(words[0]), int(words[0]) + len(words))]
