"""Certificates of fairness: both sides are measured, and the differences compared with limits.

A certificate is computed from the scenario alone, so that anyone who has its file can compute it again. It states
only measured values; docs/fairness.md defines the measures.
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
from generator.store.folders import shipped_path
from generator.store.manifest import data_hash, rules_hash

S = TypeVar("S", bound=Scenario)
T = TypeVar("T")
Exact = int | Fraction
Grade = Literal["A", "B", ""]


class Measure(Listed, frozen=True, forbid_unknown_fields=True):
    """A measure as defined in a game's fairness.toml."""

    unit: Words
    text: Words
    """The exact definition of the counted value."""
    limit: int | str
    """The largest difference between the sides for grade B: a whole number, or a fraction such as "1/20"."""

    @property
    def max_difference(self) -> Exact:
        """The limit as a number."""
        return self.limit if isinstance(self.limit, int) else Fraction(self.limit)


class Measured(msgspec.Struct, frozen=True):
    """The values of one measure for the first and the second side of a scenario."""

    id: str
    values: tuple[Exact, Exact] | None
    """None if they were not computed."""
    why: Words | None = None
    """The reason that they were not computed."""
    needed: bool = False
    """Whether a grade requires it."""


def measuring(sides: Iterable[T]) -> Callable[[str, Callable[[T], Exact]], Measured]:
    """Return a function that measures both sides, given a measure's id and a function of one side."""
    first, second = sides
    return lambda name, value: Measured(name, (value(first), value(second)))


class MeasureRow(msgspec.Struct, frozen=True):
    """A measure and its values."""

    measure: Measure
    values: tuple[Exact, Exact] | None
    why: Words | None = None
    needed: bool = False

    @property
    def difference(self) -> Exact | None:
        """The first side's value minus the second side's; None if it was not computed."""
        return None if self.values is None else self.values[0] - self.values[1]

    @property
    def within(self) -> bool | None:
        """Whether the difference is within the limit; None if it is unknown."""
        limit, difference = self.measure.max_difference, self.difference
        return None if difference is None else -limit <= difference <= limit


class PairOdds(msgspec.Struct, frozen=True):
    """The first side's win rate for a pair of policies: both seatings count equally, a draw counts half."""

    pair: tuple[str, str]
    """Their ids; both are the same if a policy plays against itself."""
    words: tuple[PolicyWords, PolicyWords]
    min_rate: Fraction
    missing: Fraction
    """The largest possible error of `min_rate`, from outcomes that were not followed; 0 if it is exact."""
    draws: Fraction
    """The smallest possible share of draws."""

    @property
    def max_rate(self) -> Fraction:
        """The largest possible win rate."""
        return self.min_rate + self.missing

    @property
    def rate(self) -> str:
        """The win rate in percent with one decimal, or its bounds if it is not exact."""
        low, high = (f"{float(100 * of):.1f}" for of in (self.min_rate, self.max_rate))
        return low if low == high else f"{low}–{high}"

    @property
    def within(self) -> bool:
        """Whether both bounds of the rate satisfy grade C."""
        of = numbers().grade
        even, off = Fraction(str(of.even)), Fraction(str(of.within))
        return even - off <= self.min_rate and self.max_rate <= even + off


def without_image(units: Iterable[tuple[str, Hashable]], images: Iterable[Hashable]) -> list[str]:
    """Return the units without a mirror image on the other side; each image matches one unit.

    `units` are pairs of a unit's name and its features, `images` the features of the other side's images.
    """
    left, lone = Counter(images), list[str]()
    for unit, stands in units:
        if left[stands]:
            left[stands] -= 1
        else:
            lone.append(unit)
    return lone


class Fairness(msgspec.Struct, Generic[S], frozen=True):
    """How a game's scenarios are measured; each function takes a scenario and raises nothing."""

    tables: tuple[str, ...]
    """The games whose fairness.toml define the measures; a later one adds measures, and replaces limits and texts."""
    sides: tuple[Words, Words]
    measures: Callable[[S], tuple[Measured, ...]]
    mirrored: Callable[[S], tuple[Words, ...]]
    """The differences of map and forces from their image under the 180° turn; empty if symmetric."""
    first: Callable[[S], Words]
    """The side that moves first and the effect of it, which is reported but not measured."""
    view: Callable[[S], MapView]
    """A small map of the scenario."""
    refused: Words | None = None
    """The reason that no scenario of this game is symmetric; None if some are."""
    aside: Words = same("")
    """The parts of the forces that need not be symmetric, in brackets; empty if all must be."""
    quick: Callable[[S], tuple[Measured, ...]] = lambda _: ()
    """The measures that are fast to compute, if others are not: a search checks them first."""
    notes: Callable[[S], tuple[Words, ...]] = lambda _: ()
    """Sentences that a certificate reports beside the grade, which does not depend on them."""
    ungraded: Callable[[S], bool] = lambda _: False
    """Whether a scenario surely has no grade, found in much less time than the measures take."""
    paired: Callable[[S], Iterator[PairOdds]] | None = None
    """The odds of every pair of policies, the fastest to compute first, for games that compute grade C instead of
    playing; empty if no fight is possible yet."""


class Certificate(msgspec.Struct, frozen=True):
    """The result of measuring a scenario's fairness."""

    grade: Grade
    """A: symmetric by construction. B: every computed measure is within its limit. Empty: neither, or the scenario is
    illegal, or a required measure is unknown."""
    rows: tuple[MeasureRow, ...]
    differs: tuple[Words, ...]
    """The reasons that the scenario is not symmetric, or cannot be."""
    sides: tuple[Words, Words]
    first: Words
    aside: Words
    report: Report | None
    """The report of the check; None if the scenario was not checked."""

    @property
    def beyond(self) -> tuple[MeasureRow, ...]:
        """The measures beyond their limits."""
        return tuple(row for row in self.rows if row.within is False)

    @property
    def missing(self) -> tuple[MeasureRow, ...]:
        """The unknown measures that a grade requires."""
        return tuple(row for row in self.unknown if row.needed)

    @property
    def unknown(self) -> tuple[MeasureRow, ...]:
        """The measures whose values are unknown."""
        return tuple(row for row in self.rows if row.values is None)


class Leaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A correction to a forecast, for two equal players; different players add half of each one's correction."""

    first: float
    weight: Mapping[str, float]


class Forecast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights that forecast the first seat's win rate from differences of measures; docs/make_forecast.py fits them.

    A forecast selects scenarios that are worth playing; it does not affect grades.
    """

    source: Literal["house"]
    scenarios: int
    """The number of scenarios that the weights were fitted to."""
    limit: float
    """The largest distance of a forecast from even at which a scenario is still played."""
    first: float
    """The amount added if the first seat moves first, and subtracted if the other seat does."""
    weight: Mapping[str, float]
    """The change of the rate for a difference of one, by measure."""
    cap: Mapping[str, float]
    """The largest difference that counts, by measure."""
    player: Mapping[str, Leaning] = {}
    """Corrections by player; empty if the players' differences are unknown."""


@lru_cache(16)  # one for each game
def forecaster(tables: tuple[str, ...]) -> Forecast | None:
    """Return the forecast from the folder of the last of these games; None if no forecast was fitted for it."""
    path = shipped_path("data") / tables[-1] / "forecast.toml"
    return toml.read(path, Forecast) if path.exists() else None


def forecast(of: Forecast, differences: Mapping[str, Exact | float | None], first: int) -> float:
    """Return the forecast win rate of the first seat, from 0 to 1; `first` is the value of `first_mover_sign`.

    A difference that is unknown, or of a measure that the game lacks, counts as 0.
    """
    return max(0.0, min(1.0, 0.5 + _added(of, of, differences, first)))


def farthest(of: Forecast, differences: Mapping[str, Exact | float | None], first: int) -> float:
    """Return the largest distance from even among the forecasts for all players; no pair of players exceeds it."""
    every = _added(of, of, differences, first)
    leanings = (_added(of, one, differences, first) for one in of.player.values())
    return max((abs(every + leaning) for leaning in leanings), default=abs(every))


def _added(
    of: Forecast, by: Forecast | Leaning, differences: Mapping[str, Exact | float | None], first: int
) -> float:
    """Return the change of an even rate by the measures and by who moves first."""
    found = first * by.first
    for name, weight in by.weight.items():
        off = float(differences.get(name) or 0)
        found += weight * max(-of.cap[name], min(of.cap[name], off))
    return found


def first_mover_sign(firsts: Sequence[int]) -> int:
    """Return 1 if the first seat moves first, -1 if the other one does, 0 if dice decide."""
    return 0 if len(firsts) > 1 else 1 - 2 * firsts[0]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Literal["house"]
    measure: tuple[Measure, ...] = ()
    limit: dict[str, int | str] = {}
    text: dict[str, Words] = {}


@lru_cache(16)  # one for each game
def measures(tables: tuple[str, ...]) -> Mapping[str, Measure]:
    """Return the measures of these games by id, each with its limit.

    Raises KeyError for a limit or text of an unknown measure.
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

    With the check's report, the certificate states whether the scenario is legal; an illegal one gets no grade.
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
    """Return the ids of the fast measures that are beyond their limits."""
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
        unreckoned=texts["unreckoned"].fill(measures=_names(found.unknown)) if found.unknown else same(""),
    )


def _names(rows: Iterable[MeasureRow]) -> Words:
    return joined([row.measure.name for row in rows])


def graded_line(fairness: Fairness[S], scenario: S, report: Report | None = None) -> Words:
    """Return the line of a scenario's certificate for its map; empty if it has no grade."""
    if fairness.ungraded(scenario):
        return same("")
    found = certificate(fairness, scenario, report)
    return certificate_line(found) if found.grade else same("")


def exact(number: Exact | None) -> int | str | None:
    """Return a number for JSON: a whole number, a fraction as text, or None."""
    return number if number is None else int(number) if number == int(number) else str(number)


def certificate_json(found: Certificate) -> dict[str, object]:
    """Return the certificate as plain values (docs/json.md), with Words for texts."""
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
    """The odds that decide grade C of a scenario, in a game that computes odds instead of playing."""

    key: str
    """The key of the scenario's body, as for scenarios that are played."""
    pairs: tuple[PairOdds, ...]
    """Every pair of policies; empty if no fight is possible yet."""
    games: int = 0
    """The number of games played: none."""

    @property
    def passed(self) -> bool:
        """Whether the odds of all pairs satisfy grade C."""
        return bool(self.pairs) and all(one.within for one in self.pairs)

    @property
    def digest(self) -> str:
        """The SHA-256 of every pair's chances as fractions, one line each."""
        lines = (f"{' '.join(one.pair)} {one.min_rate} {one.missing} {one.draws}\n" for one in self.pairs)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def line(self) -> Words:
        """The grade and the number of pairs behind it, as one line."""
        of, beyond = numbers().grade, sum(not one.within for one in self.pairs)
        key = "reckoned" if self.passed else "not_reckoned" if self.pairs else "unfought"
        percent = {"even": f"{100 * of.even:.0f}", "within": f"{100 * of.within:.0f}"}
        return shared_words()["played"][key].fill(m=len(self.pairs), k=beyond, **percent)

    @property
    def policies(self) -> dict[str, PolicyWords]:
        """The policies by their ids."""
        return {name: of for one in self.pairs for name, of in zip(one.pair, one.words, strict=True)}

    def rows(self) -> list[dict[str, object]]:
        """The pairs as rows for lines and pages."""
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
    """Return the odds of a scenario that has that key."""
    assert of.paired, "only games whose odds are reckoned"
    return GradeOdds(key, tuple(of.paired(scenario)))


def odds_lines(of: Fairness[S], found: GradeOdds, searched: Sequence[Words] = ()) -> list[Words]:
    """Return the odds as lines for the terminal; `searched` describes candidates that were rejected before."""
    texts = shared_words()["played"]
    pair_lines = [texts["of_reckoned"].fill(seat=of.sides[0]), *(texts["pair"].fill(**row) for row in found.rows())]
    return [
        found.line,
        *(pair_lines if found.pairs else ()),
        *searched,
        texts["about"],
        hashes_line(found.digest, found.key),
    ]


def odds_sheet(of: Fairness[S], found: GradeOdds, searched: Sequence[Words] = ()) -> Sheet:
    """Return the odds as a page that follows the certificate."""
    texts = shared_words()["played"]
    view = {
        "say": texts,
        "line": found.line,
        "intro": texts["of_reckoned"].fill(seat=of.sides[0]) if found.pairs else None,
        "heads": [texts[f"head_{name}"] for name in ("players", "rate", "draws")],
        "cols": "* 40mm 30mm",
        "align": "left centre centre",
        "rows": [row | {"cells": [f"{row['rate']} %", f"{row['draws']} %"]} for row in found.rows()],
        "beside": None,
        "first": [],
        "searched": searched,
        "players": [texts["player"].fill(name=of.name, text=of.text) for of in found.policies.values()],
        "left_out": [],
        "house": [],
        "made": hashes_line(found.digest, found.key),
    }
    return Sheet(part="certificate", title=texts["title_reckoned"], template="played.xml", view=view)


def odds_json(found: GradeOdds, searched: Sequence[Words] = ()) -> dict[str, object]:
    """Return the odds as plain values (docs/json.md), with Words for texts."""
    return {
        "grade": "C" if found.passed else "",
        "games": found.games,
        "policies": [{"id": name, "name": of.name, "text": of.text} for name, of in found.policies.items()],
        "pairs": [
            {
                "series": "reckoned",
                "policies": list(one.pair),
                "games": 0,
                "rate": round(float(one.min_rate + one.missing / 2), 6),
                "interval": [round(float(one.min_rate), 6), round(float(one.max_rate), 6)],
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


def hashes_line(digest: str, key: str) -> Words:
    """Return a line with the hashes by which the result can be reproduced."""
    hashes = {"digest": digest, "key": key, "data": data_hash(), "rules": rules_hash()}
    return shared_words()["played"]["made"].fill(**{name: of[:16] for name, of in hashes.items()})
