"""What a certificate of fairness is: measures of both sides, held against limits, and whether they are images.

A certificate is worked out from the scenario alone, so that anyone who has its file can work it out again. It says
what was measured and no more; docs/fairness.md names and defines the measures.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Generic, Literal, TypeVar

import msgspec

from generator.common.playing import PolicyWords, numbers
from generator.common.tables import Listed, shared_words
from generator.model.scenario import Scenario
from generator.model.views import MapView, Sheet
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.rules import Report
from generator.store.folders import shipped
from generator.store.manifest import data_hash, rules_hash

S = TypeVar("S", bound=Scenario)
T = TypeVar("T")
Exact = int | Fraction
Grade = Literal["A", "B", ""]


class Measure(Listed, frozen=True, forbid_unknown_fields=True):
    """A measure as a game's fairness.toml states it."""

    unit: Words
    text: Words
    """What exactly is counted."""
    limit: int | str
    """By how much the sides may differ for grade B: a whole number, or a fraction such as "1/20"."""

    @property
    def most(self) -> Exact:
        """The limit as a number."""
        return self.limit if isinstance(self.limit, int) else Fraction(self.limit)


class Measured(msgspec.Struct, frozen=True):
    """One measure of a scenario, for the first side and for the second."""

    id: str
    values: tuple[Exact, Exact] | None
    """None where they were not reckoned."""
    why: Words | None = None
    """Why they were not."""
    needed: bool = False
    """Whether there is no grade without it."""


def measuring(sides: Iterable[T]) -> Callable[[str, Callable[[T], Exact]], Measured]:
    """What makes a measure of both sides, by its id and what it is of a side."""
    first, second = sides
    return lambda name, value: Measured(name, (value(first), value(second)))


class MeasureRow(msgspec.Struct, frozen=True):
    """A measure with what it came to."""

    measure: Measure
    values: tuple[Exact, Exact] | None
    why: Words | None = None
    needed: bool = False

    @property
    def difference(self) -> Exact | None:
        """By how much the first side has more; None where that was not reckoned."""
        return None if self.values is None else self.values[0] - self.values[1]

    @property
    def within(self) -> bool | None:
        """Whether the sides differ by no more than the limit; None where nobody knows."""
        most, difference = self.measure.most, self.difference
        return None if difference is None else -most <= difference <= most


class PairOdds(msgspec.Struct, frozen=True):
    """How often the first side wins where two policies meet and both seatings count alike, a draw half."""

    pair: tuple[str, str]
    """Their ids, twice the same where a policy meets itself."""
    words: tuple[PolicyWords, PolicyWords]
    least: Fraction
    missing: Fraction
    """It may be more by as much as could not be followed; 0 where it is exact."""
    draws: Fraction
    """How often nobody wins, at least."""

    @property
    def most(self) -> Fraction:
        """How often it wins at most."""
        return self.least + self.missing

    @property
    def rate(self) -> str:
        """It in percent to one place, as one number or as its bounds."""
        least, most = (f"{float(100 * of):.1f}" for of in (self.least, self.most))
        return least if least == most else f"{least}–{most}"

    @property
    def within(self) -> bool:
        """Whether it lies within what grade C asks, wherever between its bounds it be."""
        of = numbers().grade
        even, off = Fraction(str(of.even)), Fraction(str(of.within))
        return even - off <= self.least and self.most <= even + off


def without_image(own: Iterable[tuple[str, Hashable]], images: Iterable[Hashable]) -> list[str]:
    """The units, each with how it stands, like which no image of the other side stands; each image counts once."""
    left, lone = Counter(images), list[str]()
    for unit, stands in own:
        if left[stands]:
            left[stands] -= 1
        else:
            lone.append(unit)
    return lone


class Fairness(msgspec.Struct, Generic[S], frozen=True):
    """How a game's scenarios are measured; each function is given a scenario and raises nothing."""

    tables: tuple[str, ...]
    """The games whose fairness.toml state the measures; a later one adds measures, and replaces limits and texts."""
    sides: tuple[Words, Words]
    measures: Callable[[S], tuple[Measured, ...]]
    mirrored: Callable[[S], tuple[Words, ...]]
    """Whatever keeps ground and forces from mapping onto each other under the half turn; none: symmetric."""
    first: Callable[[S], Words]
    """Who moves first, and what comes with it: told, never measured."""
    view: Callable[[S], MapView]
    """The map of the scenario, small."""
    refused: Words | None = None
    """Why no scenario of this game is ever symmetric; None where one may be."""
    aside: Words = same("")
    """What of the forces need have no image, in brackets; empty where all of them must."""
    quick: Callable[[S], tuple[Measured, ...]] = lambda _: ()
    """Those of the measures that take no time, where others do: a search looks at them first."""
    beside: Callable[[S], tuple[Words, ...]] = lambda _: ()
    """Sentences that a certificate reports beside the grade, which does not depend on them."""
    ungraded: Callable[[S], bool] = lambda _: False
    """Whether a scenario surely has no grade, found in much less time than the measures take."""
    paired: Callable[[S], Iterator[PairOdds]] | None = None
    """Every pair of policies, the quickest first, in a game whose grade C is reckoned and not played; none where
    nobody fights yet."""


class Certificate(msgspec.Struct, frozen=True):
    """What a scenario's fairness comes to."""

    grade: Grade
    """A: symmetric by construction; B: all that was reckoned within its limit; empty: neither, or not legal, or
    something is not known that must be."""
    rows: tuple[MeasureRow, ...]
    differs: tuple[Words, ...]
    """What keeps it from being symmetric, or why it can never be."""
    sides: tuple[Words, Words]
    first: Words
    aside: Words
    report: Report | None
    """Whether the scenario is legal; None where nobody asked."""

    @property
    def beyond(self) -> tuple[MeasureRow, ...]:
        """The measures beyond their limits."""
        return tuple(row for row in self.rows if row.within is False)

    @property
    def wanting(self) -> tuple[MeasureRow, ...]:
        """The measures of which nothing is known and that a grade needs."""
        return tuple(row for row in self.unreckoned if row.needed)

    @property
    def unreckoned(self) -> tuple[MeasureRow, ...]:
        """The measures of which nothing is known."""
        return tuple(row for row in self.rows if row.values is None)


class Leaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is added to a forecast for a computer player who plays himself; for two players half of both counts."""

    first: float
    weight: Mapping[str, float]


class Forecast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What differences of measures tell of the first seat's win rate in play, as docs/make_forecast.py fits it.

    It chooses what is worth playing, and grades nothing.
    """

    source: Literal["house"]
    scenarios: int
    """On how many it was fitted."""
    limit: float
    """How far from even a forecast may lie for a scenario to be played."""
    first: float
    """What is added where the first seat moves first, and taken away where the other does."""
    weight: Mapping[str, float]
    """What a difference of one is worth, by measure."""
    cap: Mapping[str, float]
    """A greater difference counts as so much."""
    player: Mapping[str, Leaning] = {}
    """By player; empty where nobody knows how they differ."""


@lru_cache(16)  # one for each game
def forecaster(tables: tuple[str, ...]) -> Forecast | None:
    """The forecast of a game with these measures, in the folder of the last; None where nothing was fitted."""
    path = shipped("data") / tables[-1] / "forecast.toml"
    return toml.read(path, Forecast) if path.exists() else None


def forecast(of: Forecast, differences: Mapping[str, Exact | float | None], first: int) -> float:
    """The first seat's win rate as it is forecast, from 0 to 1; `first` as `moving` has it.

    A difference that was not reckoned, or of a measure that the game lacks, counts nothing.
    """
    return max(0.0, min(1.0, 0.5 + _added(of, of, differences, first)))


def farthest(of: Forecast, differences: Mapping[str, Exact | float | None], first: int) -> float:
    """How far off even the forecast is for the players for whom it is farthest: no pair of them is farther off."""
    every = _added(of, of, differences, first)
    leanings = (_added(of, one, differences, first) for one in of.player.values())
    return max((abs(every + own) for own in leanings), default=abs(every))


def _added(
    of: Forecast, by: Forecast | Leaning, differences: Mapping[str, Exact | float | None], first: int
) -> float:
    """What the measures add to an even rate, by these weights."""
    found = first * by.first
    for name, weight in by.weight.items():
        off = float(differences.get(name) or 0)
        found += weight * max(-of.cap[name], min(of.cap[name], off))
    return found


def moving(firsts: Sequence[int]) -> int:
    """1 where the first seat moves first, -1 where the other does, 0 where dice decide."""
    return 0 if len(firsts) > 1 else 1 - 2 * firsts[0]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Literal["house"]
    measure: tuple[Measure, ...] = ()
    limit: dict[str, int | str] = {}
    text: dict[str, Words] = {}


@lru_cache(16)  # one for each game
def measures(tables: tuple[str, ...]) -> Mapping[str, Measure]:
    """The measures of these games by id, each with its limit; KeyError for a limit or text of no measure."""
    found: dict[str, Measure] = {}
    for game in tables:
        table = toml.read(shipped("data") / game / "fairness.toml", _Table)
        found |= {measure.id: measure for measure in table.measure}
        for name, limit in table.limit.items():
            found[name] = msgspec.structs.replace(found[name], limit=limit)
        for name, text in table.text.items():
            found[name] = msgspec.structs.replace(found[name], text=text)
    return found


def certificate(fairness: Fairness[S], scenario: S, report: Report | None = None) -> Certificate:
    """The certificate of a scenario, the measures in the order of their tables.

    With the check's report it says whether the scenario is legal, and gives no grade to one that is not.
    """
    known = measures(fairness.tables)
    measured = {of.id: of for of in fairness.measures(scenario)}
    if measured.keys() != known.keys():
        raise KeyError(f"measured {sorted(measured)}, stated {sorted(known)}")
    found = [(known[name], measured[name]) for name in known]
    rows = tuple(MeasureRow(measure, of.values, of.why, of.needed) for measure, of in found)
    differs = (fairness.refused,) if fairness.refused else fairness.mirrored(scenario)
    grade = "" if report and report.illegal else _grade(rows, differs)
    return Certificate(grade, rows, differs, fairness.sides, fairness.first(scenario), fairness.aside, report)


def beyond_quickly(fairness: Fairness[S], scenario: S) -> tuple[str, ...]:
    """The quick measures that are beyond their limits, by id."""
    known = measures(fairness.tables)
    return tuple(of.id for of in fairness.quick(scenario) if MeasureRow(known[of.id], of.values).within is False)


def _grade(rows: tuple[MeasureRow, ...], differs: tuple[Words, ...]) -> Grade:
    if not differs and not any(row.difference for row in rows):
        return "A"
    lacks = any(row.within is False or (row.needed and row.values is None) for row in rows)
    return "" if lacks else "B"


def certificate_line(found: Certificate) -> Words:
    """The grade and what it rests on, in a line."""
    say = shared_words()["fairness"]
    if found.report and found.report.illegal:
        return say["line_illegal"]
    every, known = len(found.rows), len(found.rows) - len(found.unreckoned)
    line = f"line_{found.grade.lower()}" if found.grade or found.beyond else "line_wanting"
    return say[line].fill(
        aside=found.aside,
        counted=say["some" if found.unreckoned else "all"].fill(n=every, m=known),
        n=known,
        m=len(found.beyond),
        measures=_names(found.beyond or found.wanting),
        unreckoned=say["unreckoned"].fill(measures=_names(found.unreckoned)) if found.unreckoned else same(""),
    )


def _names(rows: Iterable[MeasureRow]) -> Words:
    return joined([row.measure.name for row in rows])


def graded_line(fairness: Fairness[S], scenario: S, report: Report | None = None) -> Words:
    """Return the line of a scenario's certificate for its map; an empty one if it has no grade."""
    if fairness.ungraded(scenario):
        return same("")
    found = certificate(fairness, scenario, report)
    return certificate_line(found) if found.grade else same("")


def exact(number: Exact | None) -> int | str | None:
    """A number as JSON has it: a whole number, a fraction as text, or None."""
    return number if number is None else int(number) if number == int(number) else str(number)


def exported(found: Certificate) -> dict[str, object]:
    """The certificate as plain values (docs/json.md), with Words where there is text."""
    return {
        "grade": found.grade,
        "symmetric": not found.differs,
        "differs": list(found.differs),
        "sides": list(found.sides),
        "first": found.first,
        "measures": [
            {
                "id": row.measure.id,
                "name": row.measure.name,
                "unit": row.measure.unit,
                "values": [exact(value) for value in row.values] if row.values else None,
                "why": row.why,
                "difference": exact(row.difference),
                "limit": exact(row.measure.most),
                "within": row.within,
            }
            for row in found.rows
        ],
    }


class GradeOdds(msgspec.Struct, frozen=True):
    """What the odds of a scenario come to for grade C, in a game that is reckoned and not played."""

    key: str
    """What the scenario's body is known by, as of those that are played."""
    pairs: tuple[PairOdds, ...]
    """Every pair of policies; none where nobody fights yet."""
    games: int = 0
    """None is played."""

    @property
    def passed(self) -> bool:
        """Whether all pairs are within."""
        return bool(self.pairs) and all(one.within for one in self.pairs)

    @property
    def digest(self) -> str:
        """The SHA-256 of every pair's chances as fractions, a line each."""
        lines = (f"{' '.join(one.pair)} {one.least} {one.missing} {one.draws}\n" for one in self.pairs)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def line(self) -> Words:
        """Whether it has the grade, and what that is said of."""
        of, beyond = numbers().grade, sum(not one.within for one in self.pairs)
        key = "reckoned" if self.passed else "not_reckoned" if self.pairs else "unfought"
        percent = {"even": f"{100 * of.even:.0f}", "within": f"{100 * of.within:.0f}"}
        return shared_words()["played"][key].fill(m=len(self.pairs), k=beyond, **percent)

    @property
    def policies(self) -> dict[str, PolicyWords]:
        """The policies by their ids."""
        return {name: of for one in self.pairs for name, of in zip(one.pair, one.words, strict=True)}

    def rows(self) -> list[dict[str, object]]:
        """The pairs as they are told."""
        return [
            {
                "mark": " " if one.within else "✗",
                "beyond": not one.within,
                "one": one.words[0].name,
                "other": one.words[1].name,
                "rate": one.rate,
                "draws": f"{float(100 * one.draws):.1f}",
            }
            for one in self.pairs
        ]


def reckoned(of: Fairness[S], scenario: S, key: str) -> GradeOdds:
    """The odds of a scenario that is known by that key."""
    assert of.paired, "only games whose odds are reckoned"
    return GradeOdds(key, tuple(of.paired(scenario)))


def reckoned_lines(of: Fairness[S], found: GradeOdds, searched: Sequence[Words] = ()) -> list[Words]:
    """The same for the terminal; `searched` tells of candidates that were refused before."""
    say = shared_words()["played"]
    told = [say["of_reckoned"].fill(seat=of.sides[0]), *(say["pair"].fill(**row) for row in found.rows())]
    return [found.line, *(told if found.pairs else ()), *searched, say["about"], made(found.digest, found.key)]


def reckoned_sheet(of: Fairness[S], found: GradeOdds, searched: Sequence[Words] = ()) -> Sheet:
    """The same on a page behind the certificate."""
    say = shared_words()["played"]
    view = {
        "say": say,
        "line": found.line,
        "intro": say["of_reckoned"].fill(seat=of.sides[0]) if found.pairs else None,
        "heads": [say[f"head_{name}"] for name in ("players", "rate", "draws")],
        "cols": "* 40mm 30mm",
        "align": "left centre centre",
        "rows": [row | {"cells": [f"{row['rate']} %", f"{row['draws']} %"]} for row in found.rows()],
        "beside": None,
        "first": [],
        "searched": searched,
        "players": [say["player"].fill(name=of.name, text=of.text) for of in found.policies.values()],
        "left_out": [],
        "house": [],
        "made": made(found.digest, found.key),
    }
    return Sheet(part="certificate", title=say["title_reckoned"], template="played.xml", view=view)


def reckoned_export(found: GradeOdds, searched: Sequence[Words] = ()) -> dict[str, object]:
    """The same as plain values (docs/json.md), with Words where there is text."""
    return {
        "grade": "C" if found.passed else "",
        "games": found.games,
        "policies": [{"id": name, "name": of.name, "text": of.text} for name, of in found.policies.items()],
        "pairs": [
            {
                "series": "reckoned",
                "policies": list(one.pair),
                "games": 0,
                "rate": round(float(one.least + one.missing / 2), 6),
                "interval": [round(float(one.least), 6), round(float(one.most), 6)],
                "exact": not one.missing,
                "draws": round(float(one.draws), 6),
                "within": one.within,
            }
            for one in found.pairs
        ],
        "refused": list(searched),
        "about": shared_words()["played"]["about"],
        "key": found.key,
        "digest": found.digest,
        "data": data_hash(),
        "rules": rules_hash(),
    }


def made(digest: str, key: str) -> Words:
    """By which hashes somebody else comes to the same."""
    hashes = {"digest": digest, "key": key, "data": data_hash(), "rules": rules_hash()}
    return shared_words()["played"]["made"].fill(**{name: of[:16] for name, of in hashes.items()})
