"""Errors that a user can fix. Each problem has a place and a hint on what to do next."""

from __future__ import annotations

import errno
import shlex
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from generator.localization import Lang, LocalizedStr, localize, map_languages, tr, tr_external

SHOWN = 20
LONGEST, LONGEST_HINT = 500, 1500
"""The maximum number of characters of a displayed message or path, and of a displayed hint."""
UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories of characters that are invisible or could control the user's terminal."""


@dataclass(frozen=True)
class Problem:
    """A problem that a user can fix, with its file, its line and a hint.

    The line is counted from 1, and 0 if unknown. The message and the hint are one line each, whatever values they
    contain. A text made by `tr` can be displayed in either language. Any other text is displayed unchanged.
    """

    message: str
    file: str = ""
    line: int = 0
    hint: str = ""
    remark: bool = False
    """Whether the value is only outside the range that Muster itself uses, so nothing needs to be fixed."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", map_languages(self.message, partial(one_line, longest=LONGEST)))
        object.__setattr__(self, "hint", map_languages(self.hint, partial(one_line, longest=LONGEST_HINT)))

    def __str__(self) -> str:
        return self.describe("en")

    def but(self, **changes: Any) -> Problem:
        """Return a copy of the problem with these attributes changed."""
        return replace(self, **changes)

    def describe(self, lang: Lang) -> str:
        """Return the place, the message and the hint as one line."""
        file = one_line(self.file, LONGEST)
        place = f"{file}:{self.line}: " if self.line else f"{file}: " if file else ""
        hint = {"en": " ({})", "ja": "（{}）"}[lang].format(localize(self.hint, lang)) if self.hint else ""
        return f"{place}{localize(self.message, lang)}{hint}"


class MusterError(Exception):
    """An error that ends a command. `exit_code` is the exit code of the process.

    A problem without a place may be passed as a string, with its hint.
    """

    exit_code = 70
    code = command = ""
    """The code of the scenario in which the error occurred, and the command that generates it again. Empty if
    unknown.
    """

    def __init__(self, *problems: Problem | str, hint: str = "") -> None:
        self.problems = tuple(p if isinstance(p, Problem) else Problem(p, hint=hint) for p in problems)
        super().__init__("\n".join(str(p) for p in self.problems))

    @classmethod
    def raise_if_any(cls, problems: Iterable[Problem]) -> None:
        """Raise this error if there are any problems."""
        if found := tuple(problems):
            raise cls(*found)

    def __reduce__(self) -> tuple[type[MusterError], tuple[Problem | str, ...], dict[str, object]]:
        """Pickle the error with its problems, so that processes can exchange it."""
        return type(self), self.problems, vars(self)

    def lines(self, lang: Lang = "en") -> list[str]:
        """Return the problems, one line each.

        At most `SHOWN` problems are described; a last line counts the others.
        """
        displayed = [p.describe(lang) for p in self.problems[:SHOWN]]
        rest = len(self.problems) - SHOWN
        return [*displayed, localize(tr("… and {rest} more", rest=rest), lang)] if rest > 0 else displayed


class NotInOrderError(MusterError):
    """Raised if the examined object has faults."""

    exit_code = 1


class DoesNotFitError(NotInOrderError):
    """Raised if the contents of a sheet or card do not fit, although the data files are valid."""


class WrongUsageError(MusterError):
    """Raised if a command cannot be carried out as entered."""

    exit_code = 2


class DataError(MusterError):
    """Raised if a data file cannot be read or has contents that are not allowed."""

    exit_code = 3


class NothingLegalError(MusterError):
    """Raised if no legal scenario was found within the maximum number of attempts."""

    exit_code = 4


class CannotWriteError(MusterError):
    """Raised if a file or folder cannot be written."""

    exit_code = 5


def one_line(text: str, longest: int) -> str:
    """Return a text as one line. Invisible characters are escaped, and the middle of a very long text is omitted."""
    if len(text) > longest:
        text = f"{text[: longest - longest // 4]} … {text[-longest // 4 :]}"
    if text.isprintable():
        return text
    return "".join(c.encode("unicode_escape").decode() if unicodedata.category(c) in UNSEEN else c for c in text)


def describe_error(error: Exception) -> LocalizedStr:
    """Return the operating system's description of an error, or the error as text if there is none."""
    text = (
        error.args[0] if error.args and isinstance(error.args[0], LocalizedStr) else getattr(error, "strerror", None)
    )
    return text if isinstance(text, LocalizedStr) else tr_external(text or str(error))


NO_PERMISSION_HINT = tr("use a folder that you may write to, or change its permissions")
NO_SPACE_HINT = tr("free some space on this disk, then run the command again")
_WRITE_HINTS = {
    errno.EACCES: NO_PERMISSION_HINT,
    errno.EPERM: NO_PERMISSION_HINT,
    errno.EROFS: tr("use a folder that you may write to, such as one in your home folder"),
    errno.ENOSPC: NO_SPACE_HINT,
    errno.EDQUOT: NO_SPACE_HINT,
    errno.ENAMETOOLONG: tr("choose a shorter name"),
    errno.ENOTDIR: tr("choose the path of a folder, or of a file in a folder"),
}
"""Hints for files and folders that cannot be written, keyed by the system's number of the error."""


def cannot_write(folder: object, error: OSError) -> CannotWriteError:
    """Return the error that a folder cannot be written, with the reason and, if known, what to do next."""
    message = tr("cannot write to {folder}: {reason}", folder=folder, reason=describe_error(error))
    return CannotWriteError(message, hint=_WRITE_HINTS.get(error.errno or 0, ""))


def near(word: str, accepted: Iterable[str]) -> str:
    """Return a hint for a mistyped word: the most similar word, or the list of accepted words.

    The hint is an empty string if there are no accepted words.

    >>> near("hil", ["hill", "forest"])
    'did you mean hill?'
    >>> near("100", ["1", "2", "3", "4", "5", "6"])
    'accepted: 1 to 6'
    """
    words = list(accepted)
    if _count_up(words):
        return tr("accepted: {least} to {most}", least=words[0], most=words[-1])
    return near_or(word, words, accepted_words(words) if words else "")


def install_hint(*requirements: str) -> str:
    """Return a hint with the command that installs packages for the Python on which Muster runs."""
    command = shlex.join([sys.executable or "python3", "-m", "pip", "install", *requirements])
    return tr("to install what is missing: {command}", command=command)


def among(word: str, accepted: Iterable[str], message: str) -> str:
    """Return a word if it is accepted.

    Raises:
        WrongUsageError: If the word is not accepted. The hint is the one from `near`.
    """
    words = list(accepted)
    if word not in words:
        raise WrongUsageError(message, hint=near(word, words))
    return word


def near_or(word: str, accepted: Iterable[str], other: str) -> str:
    """Return a hint with the most similar accepted word, or the hint `other` if none is similar."""
    found = nearest(word, accepted)
    return tr("did you mean {word}?", word=found) if found else other


def accepted_words(words: object) -> str:
    """Return a hint that lists all accepted words."""
    return tr("accepted: {words}", words=words)


def nearest(word: str, accepted: Iterable[str], similar: float = 0.6) -> str:
    """Return the accepted word that is most similar to a mistyped one, or an empty string if none is similar.

    Two words are similar if difflib's ratio of them is at least `similar` (0 to 1).
    """
    import difflib  # Imported here because only typos need it.

    by_lower = {w.lower(): w for w in accepted}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=similar)
    return by_lower[close[0]] if close else ""


def _count_up(words: list[str]) -> bool:
    """Return whether the words are at least six consecutive whole numbers."""
    if len(words) < 6 or not words[0].isdecimal():
        return False
    return words == [str(n) for n in range(int(words[0]), int(words[0]) + len(words))]
