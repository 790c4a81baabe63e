"""A game's rules: their texts from files of data/, each bound to its test by a decorator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

import msgspec

from generator.notation import toml
from generator.rules.rule import Fault, Rule, RuleText, bind
from generator.store.folders import shipped

Test = TypeVar("Test", bound=Callable[..., Iterable[Fault]])


class _Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[RuleText, ...]


@cache
def _texts(file: str) -> dict[str, RuleText]:
    return {text.id: text for text in toml.read(shipped("data") / file, _Rules).rule}


class RuleBook:
    """Rules of one file of data/. `rule = RuleBook(file)` makes the decorator: `@rule("squad.points")` above a test.

    The sentence, its source and the reasons stay in the file. Several modules may have a book of the same file each.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.tests: dict[str, Callable[..., Iterable[Fault]]] = {}

    def __call__(self, name: str) -> Callable[[Test], Test]:
        """Bind a test to the rule of that name, and give it the rule's words as its docstring.

        KeyError where the file has no such rule, or where it is bound already.
        """
        text = _texts(self.file)[name]
        if name in self.tests:
            raise KeyError(f"{name} has two tests")

        def mark(test: Test) -> Test:
            test.__doc__ = f"{text.text.en}\n\n{text.text.ja}\n\nSource: {text.source}"
            self.tests[name] = test
            return test

        return mark


def ruleset(*books: RuleBook) -> tuple[Rule[Any], ...]:
    """The rules of these books, in the order of their files and of the texts in each.

    KeyError where a text has no test, or two.
    """
    tests: dict[str, Callable[..., Iterable[Fault]]] = {}
    for book in books:
        if twice := tests.keys() & book.tests.keys():
            raise KeyError(f"two tests: {sorted(twice)}")
        tests |= book.tests
    files = dict.fromkeys(book.file for book in books)
    return bind([text for file in files for text in _texts(file).values()], tests)
