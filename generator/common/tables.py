"""Read a game's words, numbers and rules from data/, with helpers for tables and cells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar

import msgspec

from generator.model.words import Words, same
from generator.notation import toml
from generator.rules import Fault, Rule, RuleText, bind
from generator.store.folders import shipped_path


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range of whole numbers that includes both ends."""

    minimum: int = msgspec.field(name="least")
    maximum: int = msgspec.field(name="most")

    def __contains__(self, number: int) -> bool:
        return self.minimum <= number <= self.maximum

    def __str__(self) -> str:
        return f"{self.minimum} to {self.maximum}"

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest number."""
        return self.minimum, self.maximum

    @property
    def numbers(self) -> range:
        """All numbers of the range."""
        return range(self.minimum, self.maximum + 1)

    @property
    def words(self) -> tuple[str, ...]:
        """The numbers of the range as strings."""
        return tuple(str(n) for n in range(self.minimum, self.maximum + 1))


class UsualRange(Range, frozen=True, forbid_unknown_fields=True):
    """A range of whole numbers with a usual value."""

    usual: int


@lru_cache(16)  # One entry per game.
def words(game: str) -> dict[str, dict[str, Words]]:
    """Return the words of a game's sheets, keyed by section and name.

    Lists are omitted, because only templates use them.
    """
    return _read(f"{game}/words.toml")


@cache
def shared_words() -> dict[str, dict[str, Words]]:
    """Return the words of data/words.toml, which all games share."""
    return _read("words.toml")


def place_words(where: str) -> Words:
    """Return the place of a finding in words. A place without words is returned unchanged.

    Places are, for example, a step of the log, a side, or a part of the file.
    """
    texts = shared_words()["place"]
    for name, numbered in (("log ", texts["step"]), ("special ", texts["special"])):
        if where.startswith(name):
            return numbered.fill(n=where.removeprefix(name))
    return texts.get(where, same(where))


def _read(file: str) -> dict[str, dict[str, Words]]:
    sections = toml.read(shipped_path("data") / file, dict[str, dict[str, Words | tuple[Words, ...]]])
    return {
        section: {name: text for name, text in texts.items() if isinstance(text, Words)}
        for section, texts in sections.items()
    }


def numeral(n: int) -> Words:
    """Return a number in words if it is below 100, and in digits otherwise."""
    if n >= 100:
        return same(n)
    texts, (tens, ones) = shared_words()["number"], divmod(n, 10)
    if whole := texts.get(str(n)):
        return whole
    ten, one = texts[str(10 * tens)], texts[str(ones)]
    return Words(f"{ten.en}-{one.en}", ten.ja + one.ja)


def mark_house_content(text: Words, source: str) -> Words:
    """Return a heading, with the mark for house content if `source` is `house`."""
    return shared_words()["house"]["marked"].fill(text=text) if source == "house" else text


Test = TypeVar("Test", bound=Callable[..., Iterable[Fault]])


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table row with an id and a name."""

    id: str
    name: Words


Row = TypeVar("Row", bound=Listed)


class Explained(Listed, frozen=True, forbid_unknown_fields=True):
    """A table row with an id, a name and an explanation."""

    text: Words


def by_id(rows: Callable[[], Iterable[Row]]) -> Callable[[], Mapping[str, Row]]:
    """Return a function that returns the rows of a table keyed by id. The rows are read on the first call only."""
    return cache(lambda: {row.id: row for row in rows()})


class ReferenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in one or two sentences, with a keyword."""

    name: Words
    text: Words


@lru_cache(32)  # At least the number of rules files.
def _texts(file: str) -> dict[str, RuleText]:
    return {text.id: text for text in toml.read(shipped_path("data") / file, dict[str, tuple[RuleText, ...]])["rule"]}


class RuleBook:
    """The rules of one file in data/, to which tests are bound by decorators.

    After `rule = RuleBook(file)`, write `@rule("squad.points")` above the test of the rule. The text, source and
    reasons of the rule are in the file. Several modules may each have a book for the same file.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.tests: dict[str, Callable[..., Iterable[Fault]]] = {}
        self.concerns: dict[str, Callable[[Any], bool]] = {}

    def __call__(self, name: str, concerns: Callable[[Any], bool] | None = None) -> Callable[[Test], Test]:
        """Return a decorator that binds a test to the rule `name` and sets the test's docstring to the rule's text.

        `concerns` returns whether the rule concerns a scenario; without it, the rule concerns all of them.

        Raises:
            KeyError: If the file has no such rule, or the rule already has a test.
        """
        text = _texts(self.file)[name]
        if name in self.tests:
            raise KeyError(f"{name} has two tests")

        def mark(test: Test) -> Test:
            test.__doc__ = f"{text.text.en}\n\n{text.text.ja}\n\nSource: {text.source}"
            self.tests[name] = test
            if concerns:
                self.concerns[name] = concerns
            return test

        return mark

    def bind_shared(self, tests: Mapping[str, Callable[[Any], Iterable[Fault]]]) -> None:
        """Bind tests that several games share, keyed by rule name. Each test is wrapped in a new function."""
        for name, test in tests.items():
            self(name)(_again(test))


def _again(test: Callable[[Any], Iterable[Fault]]) -> Callable[[Any], Iterable[Fault]]:
    @wraps(test)
    def again(scenario: Any) -> Iterable[Fault]:
        return test(scenario)

    return again


def ruleset(*books: RuleBook) -> tuple[Rule[Any], ...]:
    """Return the rules of these books, in the order of the files and of the texts within each file.

    Raises:
        KeyError: If a rule has no test or more than one.
    """
    tests: dict[str, Callable[..., Iterable[Fault]]] = {}
    concerns: dict[str, Callable[[Any], bool]] = {}
    for rule_book in books:
        if twice := tests.keys() & rule_book.tests.keys():
            raise KeyError(f"two tests: {sorted(twice)}")
        tests |= rule_book.tests
        concerns |= rule_book.concerns
    files = dict.fromkeys(rule_book.file for rule_book in books)
    return bind([text for file in files for text in _texts(file).values()], tests, concerns)


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The units of victory and losses, the kit parts needed on the table, and the goal of a game."""

    counted: Words
    lost: Words
    parts: tuple[str, ...]
    goal: Words | None = None
    """How to win. The `{placeholders}` are filled from the scenario."""


def scoring(game: str) -> Scoring:
    """Return the scoring of a game."""
    return toml.read(shipped_path("data") / game / "score.toml", Scoring)


NEVER = "–"


def percent(chance: Fraction) -> str:
    """Return a probability in whole percent. 0 becomes a dash, and other values are never rounded to 0 or 100.

    >>> [percent(Fraction(n, 300)) for n in (0, 1, 100, 299, 300)]
    ['–', '<1', '33', '>99', '100']
    """
    if not chance:
        return NEVER
    whole = int(chance * 100 + Fraction(1, 2))
    if whole == 0:
        return "<1"
    return ">99" if whole == 100 and chance < 1 else str(whole)


def decimal(value: Fraction) -> str:
    """Return a non-negative number with two decimals."""
    hundredths = int(value * 100 + Fraction(1, 2))
    return f"{hundredths // 100}.{hundredths % 100:02}"


def rounded(value: Fraction) -> float:
    """Return a probability or an average, rounded to six decimals for JSON."""
    return round(float(value), 6)


Cell = TypeVar("Cell", bound=Hashable)


def reachable(
    starts: Iterable[Cell], ways: Callable[[Cell], Iterable[Cell]], max_steps: int | None = None
) -> Iterator[tuple[Cell, int]]:
    """Yield every cell within `max_steps` steps and its smallest number of steps, in ascending order of steps.

    `ways` returns the cells one step away from a cell. The starts are 0 steps away.

    >>> dict(reachable([5], lambda n: (n - 1, n + 1), max_steps=1))
    {5: 0, 4: 1, 6: 1}
    """
    steps = dict.fromkeys(starts, 0)
    ahead = [*steps]
    for cell in ahead:
        yield cell, steps[cell]
        for other in ways(cell) if max_steps is None or steps[cell] < max_steps else ():
            if other not in steps:
                steps[other] = steps[cell] + 1
                ahead.append(other)


def connected(
    cells: Iterable[Cell],
    neighbours: Callable[[Cell], Iterable[Cell]],
    step: Callable[[Cell, Cell], bool] = lambda a, b: True,
) -> list[tuple[Cell, ...]]:
    """Return the connected parts of these cells, in the order of their first cells.

    `neighbours` returns the neighbours of a cell, including any outside these cells. `step` returns whether two
    neighbours are connected.

    >>> connected([1, 2, 4, 7, 8], lambda n: (n - 1, n + 1))
    [(1, 2), (4,), (7, 8)]
    """
    left = dict.fromkeys(cells)
    parts: list[tuple[Cell, ...]] = []
    while left:
        part = [next(iter(left))]
        del left[part[0]]
        for cell in part:
            for other in neighbours(cell):
                if other in left and step(cell, other):
                    del left[other]
                    part.append(other)
        parts.append(tuple(part))
    return parts
