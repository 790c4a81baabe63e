"""Certificates of fairness, which compare measures of both sides with limits.

A certificate is computed from the scenario alone, so anyone who has the scenario's file can compute it again. It
states only measured values. docs/fairness.md defines the measures.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import log
from typing import Generic, Literal, TypeVar

import msgspec

from generator.common.playing import PolicyWords, numbers
from generator.common.tables import Listed, shared_words
from generator.common.tally import Tally
from generator.model.scenario import Scenario, WithTexts
from generator.model.views import MapView
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.rules import Report
from generator.store.folders import shipped_path

S = TypeVar("S", bound=Scenario)
T = TypeVar("T")
Exact = int | Fraction
Grade = Literal["A", "B", ""]


class Measure(Listed, frozen=True, forbid_unknown_fields=True):
    """A measure of fairness, as defined in a game's fairness.toml."""

    unit: Words
    text: Words
    """The exact definition of the measured value."""
    limit: int | str
    """The largest difference between the sides for grade B: a whole number, or a fraction such as "1/20"."""

    @property
    def max_difference(self) -> Exact:
        """The limit of the difference, as a number."""
        return self.limit if isinstance(self.limit, int) else Fraction(self.limit)


class Measured(msgspec.Struct, frozen=True):
    """The values of a measure for the first and the second side of a scenario."""

    id: str
    values: tuple[Exact, Exact] | None
    """The values of the two sides, or None if they were not computed."""
    why: Words | None = None
    """The reason that the values were not computed."""
    needed: bool = False
    """Whether the scenario can be graded only if the values are computed."""


def measuring(sides: Iterable[T]) -> Callable[[str, Callable[[T], Exact]], Measured]:
    """Return a function that measures both sides, given the id of a measure and a function of one side."""
    first, second = sides
    return lambda name, value: Measured(name, (value(first), value(second)))


class MeasureRow(msgspec.Struct, frozen=True):
    """A measure with its values for both sides."""

    measure: Measure
    values: tuple[Exact, Exact] | None
    why: Words | None = None
    needed: bool = False

    @property
    def difference(self) -> Exact | None:
        """The first side's value minus the second side's, or None if it was not computed."""
        return None if self.values is None else self.values[0] - self.values[1]

    @property
    def within(self) -> bool | None:
        """Whether the difference is within the limit, or None if it is unknown."""
        limit, difference = self.measure.max_difference, self.difference
        return None if difference is None else -limit <= difference <= limit


class PairOdds(msgspec.Struct, frozen=True):
    """The first side's win rate for a pair of policies.

    Both seatings count equally, and a drawn game counts as half a win.
    """

    pair: tuple[str, str]
    """The ids of the policies. The ids are equal if a policy plays against itself."""
    words: tuple[PolicyWords, PolicyWords]
    min_rate: Fraction
    missing: Fraction
    """The largest possible error of `min_rate`, from outcomes that were not followed. It is 0 if the rate is exact.
    """
    draws: Fraction
    """The smallest possible share of drawn games."""

    @property
    def max_rate(self) -> Fraction:
        """The largest possible win rate."""
        return self.min_rate + self.missing

    @property
    def rate(self) -> str:
        """The win rate in percent with one decimal, or its two bounds if the rate is not exact."""
        low, high = (f"{float(100 * of):.1f}" for of in (self.min_rate, self.max_rate))
        return low if low == high else f"{low}–{high}"

    @property
    def within(self) -> bool:
        """Whether both bounds of the rate satisfy grade C."""
        of = numbers().grade
        even, off = Fraction(str(of.even)), Fraction(str(of.within))
        return even - off <= self.min_rate and self.max_rate <= even + off


def without_image(units: Iterable[tuple[str, Hashable]], images: Iterable[Hashable]) -> list[str]:
    """Return the names of the units that have no mirror image on the other side. Each image matches one unit.

    `units` are pairs of a unit's name and its features. `images` are the features of the other side's units,
    mirrored.
    """
    left, lone = Counter(images), list[str]()
    for unit, stands in units:
        if left[stands]:
            left[stands] -= 1
        else:
            lone.append(unit)
    return lone


class Fairness(msgspec.Struct, Generic[S], frozen=True):
    """The functions that measure a game's scenarios. Their argument is a scenario, and they raise no errors."""

    tables: tuple[str, ...]
    """The games whose fairness.toml files define the measures. A later file adds measures and replaces limits and
    texts.
    """
    sides: tuple[Words, Words]
    measures: Callable[[S], tuple[Measured, ...]]
    mirrored: Callable[[S], tuple[Words, ...]]
    """The differences of the map and the forces from their image under the 180° turn. Empty if the scenario is
    symmetric.
    """
    first: Callable[[S], Words]
    """Return a sentence on who moves first and what that is worth, which is reported but not measured."""
    view: Callable[[S], MapView]
    """A small map of the scenario."""
    refused: Words | None = None
    """The reason that no scenario of this game is symmetric, or None if some are."""
    aside: Words = same("")
    """The parts of the forces that need not be symmetric, in brackets. Empty if all parts must be symmetric."""
    quick: Callable[[S], tuple[Measured, ...]] = lambda _: ()
    """The measures that are fast to compute, for games that also have slow measures. A search for a fair scenario
    checks the fast ones first.
    """
    notes: Callable[[S], tuple[Words, ...]] = lambda _: ()
    """Sentences that a certificate prints next to the grade and that do not affect the grade."""
    ungraded: Callable[[S], bool] = lambda _: False
    """Return whether a scenario certainly gets no grade. This test is much faster than computing the measures."""
    paired: Callable[[S], Iterator[PairOdds]] | None = None
    """Yield the odds of every pair of policies, the fastest to compute first. It yields nothing if no fight is
    possible yet.

    None for a game whose grade C is found by playing.
    """


class Certificate(msgspec.Struct, frozen=True):
    """The result of measuring a scenario's fairness."""

    grade: Grade
    """`A` if the scenario is symmetric by construction, `B` if every computed measure is within its limit.

    Empty if neither applies, the scenario is illegal, or a required measure is unknown.
    """
    rows: tuple[MeasureRow, ...]
    differs: tuple[Words, ...]
    """The reasons that the scenario is not symmetric, or cannot be symmetric."""
    sides: tuple[Words, Words]
    first: Words
    aside: Words
    report: Report | None
    """The report of the check, or None if the scenario was not checked."""

    @property
    def beyond(self) -> tuple[MeasureRow, ...]:
        """The rows whose difference exceeds the limit."""
        return tuple(row for row in self.rows if row.within is False)

    @property
    def missing(self) -> tuple[MeasureRow, ...]:
        """The rows with an unknown value that a grade requires."""
        return tuple(row for row in self.unknown if row.needed)

    @property
    def unknown(self) -> tuple[MeasureRow, ...]:
        """The rows whose values are unknown."""
        return tuple(row for row in self.rows if row.values is None)


class Leaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction to a forecast for one player. A game's correction is the mean of its two players' corrections."""

    first: float
    weight: Mapping[str, float]


class Forecast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights that forecast the first seat's win rate from the differences of measures.

    docs/make_forecast.py fits the weights. A forecast selects the scenarios that are worth playing. It does not
    affect grades.
    """

    source: Literal["house"]
    scenarios: int
    """The number of scenarios to which the weights were fitted."""
    limit: float
    """The largest distance between the forecast and an even rate for which a scenario is still played."""
    first: float
    """The amount added if the first seat moves first, and subtracted if the other seat does."""
    weight: Mapping[str, float]
    """The change of the rate for each unit of difference, keyed by measure."""
    cap: Mapping[str, float]
    """The largest difference that counts, keyed by measure."""
    player: Mapping[str, Leaning] = {}
    """Corrections keyed by player. Empty if differences between players are unknown."""


@lru_cache(16)  # One entry per game.
def forecaster(tables: tuple[str, ...]) -> Forecast | None:
    """Return the forecast of the last of these games, or None if no forecast was fitted for the game."""
    path = shipped_path("data") / tables[-1] / "forecast.toml"
    return toml.read(path, Forecast) if path.exists() else None


def forecast(of: Forecast, differences: Mapping[str, Exact | float | None], first: int) -> float:
    """Return the forecast win rate of the first seat, from 0 to 1. `first` is the result of `first_mover_sign`.

    An unknown difference counts as 0, and so does the difference of a measure that the game does not have.
    """
    return max(0.0, min(1.0, 0.5 + _added(of, of, differences, first)))


def farthest(of: Forecast, differences: Mapping[str, Exact | float | None], first: int) -> float:
    """Return the largest distance from an even rate among the forecasts for all players.

    A forecast for a pair of players is never farther from even.
    """
    every = _added(of, of, differences, first)
    leanings = (_added(of, one, differences, first) for one in of.player.values())
    return max((abs(every + leaning) for leaning in leanings), default=abs(every))


def _added(
    of: Forecast, by: Forecast | Leaning, differences: Mapping[str, Exact | float | None], first: int
) -> float:
    """Return the amount that the measures and the first mover add to an even rate."""
    found = first * by.first
    for name, weight in by.weight.items():
        off = float(differences.get(name) or 0)
        found += weight * max(-of.cap[name], min(of.cap[name], off))
    return found


def first_mover_sign(firsts: Sequence[int]) -> int:
    """Return 1 if the first seat moves first, -1 if the second seat does, or 0 if dice decide."""
    return 0 if len(firsts) > 1 else 1 - 2 * firsts[0]


class SearchFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measured effort of searches for grade C with default options (docs/measure_search.py)."""

    searches: int
    """The number of searches that were measured."""
    candidates: int
    """The mean number of candidates that a search examines."""
    cpu_s: float
    """The mean processor time of a search, in seconds."""

    @property
    def usual_cpu_s(self) -> tuple[float, float]:
        """The first and the third quartile of the processor time of a search, in seconds.

        Each candidate has the same chance, so the time is distributed almost exponentially.
        """
        return self.cpu_s * log(4 / 3), self.cpu_s * log(4)


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Literal["house"]
    measure: tuple[Measure, ...] = ()
    limit: dict[str, int | str] = {}
    text: dict[str, Words] = {}
    search: SearchFigures | None = None


@lru_cache(16)  # One entry per game.
def search_figures(game: str) -> SearchFigures | None:
    """Return the effort of searches for grade C in a game, or None if it was not measured."""
    return toml.read(shipped_path("data") / game / "fairness.toml", _Table).search


@lru_cache(16)  # One entry per game.
def measures(tables: tuple[str, ...]) -> Mapping[str, Measure]:
    """Return the measures of these games keyed by id, each with its limit.

    Raises:
        KeyError: If a limit or text is for an unknown measure.
    """
    found: dict[str, Measure] = {}
    for game in tables:
        table = toml.read(shipped_path("data") / game / "fairness.toml", _Table)
        found |= {measure.id: measure for measure in table.measure}
        for name, limit in table.limit.items():
            found[name] = msgspec.structs.replace(found[name], limit=limit)
        for name, text in table.text.items():
            found[name] = msgspec.structs.replace(found[name], text=text)
    return found


def certificate(fairness: Fairness[S], scenario: S, report: Report | None = None) -> Certificate:
    """Return the certificate of a scenario, with the measures in the order of their tables.

    If `report` is given, the certificate states whether the scenario is legal, and an illegal scenario gets no
    grade.

    Raises:
        KeyError: If the game does not measure exactly the measures of its tables.
    """
    known = measures(fairness.tables)
    measured = {of.id: of for of in fairness.measures(scenario)}
    if measured.keys() != known.keys():
        raise KeyError(f"measured {sorted(measured)}, stated {sorted(known)}")
    found = [(known[name], measured[name]) for name in known]
    rows = tuple(MeasureRow(measure, of.values, of.why, of.needed) for measure, of in found)
    reasons = tuple(fairness.mirrored(scenario))
    differs = reasons or (fairness.refused,) if fairness.refused else (*reasons, *_unmeasured(scenario))
    grade = "" if report and report.illegal else _grade(rows, differs)
    return Certificate(grade, rows, differs, fairness.sides, fairness.first(scenario), fairness.aside, report)


def _unmeasured(scenario: Scenario) -> tuple[Words, ...]:
    """Return the parts of a written adventure that no measure covers, so that the sides may not be alike."""
    special = isinstance(scenario, WithTexts) and scenario.texts.special_rules.en
    return (shared_words()["fairness"]["special_rules"],) if special else ()


def beyond_quickly(fairness: Fairness[S], scenario: S) -> tuple[str, ...]:
    """Return the ids of the fast measures whose difference exceeds the limit."""
    known = measures(fairness.tables)
    return tuple(of.id for of in fairness.quick(scenario) if MeasureRow(known[of.id], of.values).within is False)


def _grade(rows: tuple[MeasureRow, ...], differs: tuple[Words, ...]) -> Grade:
    if not differs and not any(row.difference for row in rows):
        return "A"
    lacks = any(row.within is False or (row.needed and row.values is None) for row in rows)
    return "" if lacks else "B"


def certificate_line(found: Certificate) -> Words:
    """Return the grade and its reasons as one line."""
    texts = shared_words()["fairness"]
    if found.report and found.report.illegal:
        return texts["line_illegal"]
    every, known = len(found.rows), len(found.rows) - len(found.unknown)
    line = f"line_{found.grade.lower()}" if found.grade or found.beyond else "line_wanting"
    return texts[line].fill(
        aside=found.aside,
        counted=texts["some" if found.unknown else "all"].fill(n=every, m=known),
        n=known,
        m=len(found.beyond),
        measures=_names(found.beyond or found.missing),
        uncomputed=texts["uncomputed"].fill(measures=_names(found.unknown)) if found.unknown else same(""),
    )


def _names(rows: Iterable[MeasureRow]) -> Words:
    return joined([row.measure.name for row in rows])


def graded_line(fairness: Fairness[S], scenario: S, report: Report | None = None) -> Words:
    """Return the certificate as a line for the scenario's map, or an empty text if the scenario has no grade."""
    if fairness.ungraded(scenario):
        return same("")
    found = certificate(fairness, scenario, report)
    return certificate_line(found) if found.grade else same("")


def exact(number: Exact | None) -> int | str | None:
    """Return a number for JSON: a whole number, a fraction as a string, or None."""
    return number if number is None else int(number) if number == int(number) else str(number)


def certificate_json(found: Certificate) -> dict[str, object]:
    """Return the certificate as plain values for JSON (docs/json.md). Texts are `Words`."""
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
                "limit": exact(row.measure.max_difference),
                "within": row.within,
            }
            for row in found.rows
        ],
    }


class GradeOdds(msgspec.Struct, frozen=True):
    """The odds that decide a scenario's grade C, in a game that computes odds instead of playing."""

    key: str
    """The key of the scenario's body, the same as for scenarios that are played."""
    pairs: tuple[PairOdds, ...]
    """The odds of every pair of policies. Empty if no fight is possible yet."""
    strong: tuple[Tally, ...] = ()
    """The games of the strong pairs. Empty if they were not played because the odds are uneven."""

    @property
    def games(self) -> int:
        """The number of games that strong players played."""
        return sum(len(tally.rows) for tally in self.strong)

    @property
    def passed_casual(self) -> bool:
        """Whether the odds of all pairs satisfy grade C."""
        return bool(self.pairs) and all(one.within for one in self.pairs)

    @property
    def passed(self) -> bool:
        """Whether the scenario has grade C: even odds for all pairs, and even games of strong players."""
        return self.passed_casual and all(tally.passed for tally in self.strong)

    @property
    def digest(self) -> str:
        """The SHA-256 of every pair's chances as fractions, and of the strong players' games, on one line each."""
        lines = [f"{' '.join(one.pair)} {one.min_rate} {one.missing} {one.draws}\n" for one in self.pairs]
        lines += [row.line for tally in self.strong for row in tally.rows]
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def policies(self) -> dict[str, PolicyWords]:
        """The policies keyed by id."""
        return {name: of for one in self.pairs for name, of in zip(one.pair, one.words, strict=True)}

    def rows(self) -> list[dict[str, object]]:
        """The pairs as rows for the terminal and for pages."""
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


def compute_odds(of: Fairness[S], scenario: S, key: str) -> GradeOdds:
    """Return the odds of a scenario. `key` is the scenario's key."""
    assert of.paired, "only games whose odds are computed"
    return GradeOdds(key, tuple(of.paired(scenario)))
