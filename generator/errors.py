"""Errors a user can mend: what is wrong, where, and what to do next."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from generator.said import Lang, Said, each, say, theirs, told

SHOWN = 20
LONGEST, LONGEST_HINT = 500, 1500
"""Characters of a message, and of a hint, that are told; a path is told as long as a message."""
UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""The Unicode categories of what a reader cannot see, or what would steer his terminal."""


@dataclass(frozen=True)
class Problem:
    """One thing to mend: a sentence, its place (file and 1-based line, 0 when unknown) and a hint.

    Sentence and hint are one line each, whatever values stand in them; what `say` made of them is told in either
    language, any other text as it is.
    """

    message: str
    file: str = ""
    line: int = 0
    hint: str = ""
    remark: bool = False
    """Whether it only goes beyond what our own draws offer, and nothing need be mended."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", each(self.message, partial(one_line, longest=LONGEST)))
        object.__setattr__(self, "hint", each(self.hint, partial(one_line, longest=LONGEST_HINT)))

    def __str__(self) -> str:
        return self.told("en")

    def but(self, **changes: Any) -> Problem:
        """The same but for this."""
        return replace(self, **changes)

    def told(self, lang: Lang) -> str:
        """The whole in a line."""
        file = one_line(self.file, LONGEST)
        place = f"{file}:{self.line}: " if self.line else f"{file}: " if file else ""
        hint = {"en": " ({})", "ja": "（{}）"}[lang].format(told(self.hint, lang)) if self.hint else ""
        return f"{place}{told(self.message, lang)}{hint}"


class MusterError(Exception):
    """Problems that end a command; `exit_code` is what the shell sees.

    A problem that is but a sentence may be given as one, with its hint.
    """

    exit_code = 70
    code = command = ""
    """The code that was drawn before it went wrong, and the command that draws it again."""

    def __init__(self, *problems: Problem | str, hint: str = "") -> None:
        self.problems = tuple(p if isinstance(p, Problem) else Problem(p, hint=hint) for p in problems)
        super().__init__("\n".join(str(p) for p in self.problems))

    @classmethod
    def if_any(cls, problems: Iterable[Problem]) -> None:
        """Raise it with these problems, where there are any."""
        if found := tuple(problems):
            raise cls(*found)

    def __reduce__(self) -> tuple[type[MusterError], tuple[Problem | str, ...], dict[str, object]]:
        """Between processes it travels with its problems."""
        return type(self), self.problems, vars(self)

    def lines(self, lang: Lang = "en") -> list[str]:
        """The problems a line each, at most `SHOWN` of them."""
        shown = [p.told(lang) for p in self.problems[:SHOWN]]
        rest = len(self.problems) - SHOWN
        return [*shown, told(say("… and {rest} more", rest=rest), lang)] if rest > 0 else shown


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


def one_line(text: str, longest: int) -> str:
    """A text on one line: what is invisible is spelt out, and of a very long one the middle is left out."""
    if len(text) > longest:
        text = f"{text[: longest - longest // 4]} … {text[-longest // 4 :]}"
    if text.isprintable():
        return text
    return "".join(c.encode("unicode_escape").decode() if unicodedata.category(c) in UNSEEN else c for c in text)


def why(error: Exception) -> Said:
    """What the system says of an error, or else the error itself."""
    text = error.args[0] if error.args and isinstance(error.args[0], Said) else getattr(error, "strerror", None)
    return text if isinstance(text, Said) else theirs(text or str(error))


def near(word: str, accepted: Iterable[str]) -> str:
    """A hint for a mistyped word: the near match, or else the accepted list (empty if there is none).

    >>> near("hil", ["hill", "forest"])
    'did you mean hill?'
    >>> near("100", ["1", "2", "3", "4", "5", "6"])
    'accepted: 1 to 6'
    """
    words = list(accepted)
    if _count_up(words):
        return say("accepted: {least} to {most}", least=words[0], most=words[-1])
    return near_or(word, words, accepted_words(words) if words else "")


def among(word: str, accepted: Iterable[str], message: str) -> str:
    """A word that is accepted; WrongUsageError with the near match where it is none of those."""
    words = list(accepted)
    if word not in words:
        raise WrongUsageError(message, hint=near(word, words))
    return word


def near_or(word: str, accepted: Iterable[str], other: str) -> str:
    """A hint at the near match alone, or else this one."""
    found = nearest(word, accepted)
    return say("did you mean {word}?", word=found) if found else other


def accepted_words(words: object) -> str:
    """A hint at all the words that there are."""
    return say("accepted: {words}", words=words)


def nearest(word: str, accepted: Iterable[str]) -> str:
    """The word that a mistyped one is near to; empty where none is."""
    import difflib  # nobody needs it who mistypes nothing

    by_lower = {w.lower(): w for w in accepted}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else ""


def _count_up(words: list[str]) -> bool:
    """Whether these are whole numbers one after another, and more than a few."""
    if len(words) < 6 or not words[0].isdecimal():
        return False
    return words == [str(n) for n in range(int(words[0]), int(words[0]) + len(words))]
