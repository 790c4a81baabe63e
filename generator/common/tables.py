"""Read a game's words, numbers and rules from data/."""

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
    """The least and the most of something, both included."""

    minimum: int = msgspec.field(name="least")
    maximum: int = msgspec.field(name="most")

    def __contains__(self, number: int) -> bool:
        return self.minimum <= number <= self.maximum

    def __str__(self) -> str:
        return f"{self.minimum} to {self.maximum}"

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the most."""
        return self.minimum, self.maximum

    @property
    def numbers(self) -> range:
        """Every number between them, both included."""
        return range(self.minimum, self.maximum + 1)


class UsualRange(Range, frozen=True, forbid_unknown_fields=True):
    """A range, and what is usual."""

    usual: int

    @property
    def words(self) -> tuple[str, ...]:
        """Its numbers as they are typed."""
        return tuple(str(n) for n in range(self.minimum, self.maximum + 1))


@lru_cache(16)  # one for each game
def words(game: str) -> dict[str, dict[str, Words]]:
    """The words of a game's sheets by section and name; enumerations are for the templates alone."""
    return _read(f"{game}/words.toml")


@cache
def shared_words() -> dict[str, dict[str, Words]]:
    """The words of data/words.toml, which all games share."""
    return _read("words.toml")


def place_words(where: str) -> Words:
    """Where a finding is, for people: a step of the log, a side and a part of the file in words, an id as it is."""
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
    """A number below a hundred in words; larger ones in digits."""
    if n >= 100:
        return same(n)
    texts, (tens, ones) = shared_words()["number"], divmod(n, 10)
    if whole := texts.get(str(n)):
        return whole
    ten, one = texts[str(10 * tens)], texts[str(ones)]
    return Words(f"{ten.en}-{one.en}", ten.ja + one.ja)


def marked(text: Words, source: str) -> Words:
    """A heading, marked where what it stands over is our own content or reading."""
    return shared_words()["house"]["marked"].fill(text=text) if source == "house" else text


Test = TypeVar("Test", bound=Callable[..., Iterable[Fault]])


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table has under an id, and what it is called."""

    id: str
    name: Words


Row = TypeVar("Row", bound=Listed)


class Explained(Listed, frozen=True, forbid_unknown_fields=True):
    """The same with what there is to say of it."""

    text: Words


def by_id(rows: Callable[[], Iterable[Row]]) -> Callable[[], Mapping[str, Row]]:
    """What finds the rows of a table by their ids; they are read when it is first asked, and kept."""
    return cache(lambda: {row.id: row for row in rows()})


class ReferenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in a sentence or two, under its catchword."""

    name: Words
    text: Words


@lru_cache(32)  # the files of rules there are
def _texts(file: str) -> dict[str, RuleText]:
    return {text.id: text for text in toml.read(shipped_path("data") / file, dict[str, tuple[RuleText, ...]])["rule"]}


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

    def bind_shared(self, tests: Mapping[str, Callable[[Any], Iterable[Fault]]]) -> None:
        """Bind tests that several games share, by the rules' names; each becomes a function of its own."""
        for name, test in tests.items():
            self(name)(_again(test))


def _again(test: Callable[[Any], Iterable[Fault]]) -> Callable[[Any], Iterable[Fault]]:
    @wraps(test)
    def again(scenario: Any) -> Iterable[Fault]:
        return test(scenario)

    return again


def ruleset(*books: RuleBook) -> tuple[Rule[Any], ...]:
    """The rules of these books, in the order of their files and of the texts in each.

    KeyError where a text has no test, or two.
    """
    tests: dict[str, Callable[..., Iterable[Fault]]] = {}
    for rule_book in books:
        if twice := tests.keys() & rule_book.tests.keys():
            raise KeyError(f"two tests: {sorted(twice)}")
        tests |= rule_book.tests
    files = dict.fromkeys(rule_book.file for rule_book in books)
    return bind([text for file in files for text in _texts(file).values()], tests)


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a victory and casualties are counted in, which parts of the kit lie on the table, how one wins."""

    counted: Words
    lost: Words
    parts: tuple[str, ...]
    goal: Words | None = None
    """Its `{placeholders}` are filled from the scenario."""


def scoring(game: str) -> Scoring:
    """The scoring of that game."""
    return toml.read(shipped_path("data") / game / "score.toml", Scoring)


NEVER = "–"


def percent(chance: Fraction) -> str:
    """A chance in whole percent; a dash for never, and nothing rounded to never or to surely.

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
    """A number of 0 or more to two places after the point."""
    hundredths = int(value * 100 + Fraction(1, 2))
    return f"{hundredths // 100}.{hundredths % 100:02}"


def rounded(value: Fraction) -> float:
    """A chance or a mean as rows for JSON have it."""
    return round(float(value), 6)


Cell = TypeVar("Cell", bound=Hashable)


def reachable(
    starts: Iterable[Cell], ways: Callable[[Cell], Iterable[Cell]], max_steps: int | None = None
) -> Iterator[tuple[Cell, int]]:
    """Every cell that can be reached in so many steps, with the fewest that it takes, the nearest first.

    `ways` are the cells to which a step leads from a cell; the starts take none.

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
    """The connected parts of these cells, by the first cell of each.

    `beside` are a cell's neighbours, be they among these cells or not; `step` tells whether one leads to the other.

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
