"""Grade C: play a scenario many times with computer players and test whether both seats win about equally often.

Games come in duplicates, as in bridge: two players, each with their own dice and choices, play one game, then swap
seats and play again with the same dice and choices. Luck therefore affects both seats equally. If a policy plays
against itself, only the scenario makes a difference. docs/fairness.md explains the statistical test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement, pairwise
from math import erf, exp, sqrt
from statistics import NormalDist
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import replace

from generator.common.fairness import GradeOdds, compute_odds
from generator.common.game import Game
from generator.common.playing import (
    SEATS,
    Engine,
    Playing,
    Seated,
    StepListener,
    Strength,
    Terms,
    at_strength,
    numbers,
    play_game,
)
from generator.seeds import Rng
from generator.workers import Spread, here

PATH = "v1/play"
Series = Literal["full", "weak", "moved"]
SERIES: tuple[Series, ...] = ("full", "weak", "moved")
"""The series of games: `full` decides the grade, `weak` compares weak players, and `moved` measures the value of
moving first by letting the other seat move first.
"""
STANDARD_ERRORS = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""
DUPLICATES_PER_BLOCK = 8
"""The number of duplicates that a process plays as one task."""
STEP, STEPS = 4, 15
"""STEP is the number of duplicates between two looks of a search. STEPS is the number of steps on each side of 0 when
the common deviation is integrated.
"""


class Case(msgspec.Struct, frozen=True):
    """One game of a scenario, identified by its series, pair, duplicate and seating.

    The course of the game depends only on the scenario and on the game's number.
    """

    series: Series
    pair: tuple[str, str]
    """The policies of the two players."""
    duplicate: int
    swapped: bool
    """Whether the first player sits at the second seat."""

    @property
    def seats(self) -> tuple[str, str]:
        """The policy at each seat."""
        return self.pair[::-1] if self.swapped else self.pair


def pairs(playing: Playing[Any]) -> list[tuple[str, str]]:
    """Return the unordered pairs of policies, including each policy paired with itself."""
    return list(combinations_with_replacement(playing.policies, 2))


def case(playing: Playing[Any], number: int) -> Case | None:
    """Return the game with this number, or None if there is none. Numbers start at 0."""
    every = pairs(playing)
    duplicate, swapped = divmod(number, 2)
    pair, duplicate = divmod(duplicate, numbers().grade.max_duplicates)
    series, pair = divmod(pair, len(every))
    if number < 0 or series >= len(SERIES):
        return None
    return Case(SERIES[series], every[pair], duplicate, bool(swapped))


def number(playing: Playing[Any], of: Case) -> int:
    """Return the number of a game, the inverse of `case`."""
    every = pairs(playing)
    at = SERIES.index(of.series) * len(every) + every.index(of.pair)
    return 2 * (at * numbers().grade.max_duplicates + of.duplicate) + of.swapped


class Row(msgspec.Struct, frozen=True):
    """The result of one game."""

    number: int
    winner: int | None
    counted: tuple[int, int]
    length: int
    first: int
    """The seat that moved first."""

    @property
    def score(self) -> float:
        """The score of the first seat: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else 1.0 - self.winner


class Tried(Protocol):
    """The attributes of a game that trials need."""

    @property
    def playing(self) -> Playing[Any] | None:
        """The way to play the game, which is never None here."""

    @property
    def write(self) -> Callable[[Any], str]:
        """The function that returns the body of a scenario's file."""


def scenario_key(game: Tried, scenario: Any) -> str:
    """Return the key of a scenario's games: the SHA-256 of the body of its file without the log."""
    return hashlib.sha256(game.write(replace(scenario, log=())).encode()).hexdigest()


def play(
    engine: Engine[Any, Any], playing: Playing[Any], key: str, of: Case, on_step: StepListener | None = None
) -> Row:
    """Play one game of the scenario with this key. `on_step`, if given, is called with each step."""
    name = f"{PATH}/{of.series}/{'-'.join(of.pair)}/{of.duplicate}"
    strength: Strength = "weak" if of.series == "weak" else "full"
    players = [
        Seated(
            at_strength(playing.policies[policy], strength),
            Rng(key, f"{name}/mind-{who}"),
            Rng(key, f"{name}/luck-{who}"),
        )
        for policy, who in zip(of.pair, "AB", strict=True)
    ]
    seated = (players[1], players[0]) if of.swapped else (players[0], players[1])
    first = _first(engine, of)
    end = play_game(engine, first, seated, on_step)
    return Row(number(playing, of), end.winner, end.counted, end.length, first)


def _first(engine: Engine[Any, Any], of: Case) -> int:
    """Return the seat that moves first.

    The rules determine it, and seats alternate if dice decide. In the series `moved`, the other seat moves first.
    """
    if of.series == "moved":
        return 1 - engine.firsts[0]
    return engine.firsts[of.duplicate % len(engine.firsts)]


class Tally(msgspec.Struct):
    """The results of a pair of policies so far."""

    pair: tuple[str, str]
    scores: list[float] = []
    """The first seat's score of each duplicate, from 0 to 1."""
    rows: list[Row] = []
    passed: bool | None = None
    """Whether the pair passes, or None if it is undecided."""

    def take(self, rows: Sequence[Row]) -> None:
        """Add the results of the two games of a duplicate."""
        self.rows += rows
        self.scores.append(sum(row.score for row in rows) / len(rows))

    @property
    def rate(self) -> float:
        """The first seat's win rate, with a draw counted as half."""
        return sum(self.scores) / len(self.scores)

    @property
    def error(self) -> float:
        """The standard error of the rate.

        The variance is computed from the duplicates and two additional ones that are half a win off, so it is
        never 0.
        """
        n, mean = len(self.scores), self.rate
        spread = sum((score - mean) ** 2 for score in self.scores) + 2 * 0.5**2
        return sqrt(spread / (n + 1) / n)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate."""
        return _around(self.rate, self.error)

    def decide(self, of: Terms) -> None:
        """Set `passed` if the results at this look allow a decision.

        Two one-sided hypotheses are tested: that the first seat's win rate is at most 40 %, and that it is at
        least 60 %. The pair passes if both are rejected at the same look, each at the 5 % level. A pair whose true
        rate is outside these limits therefore passes at most once in 20 trials (two one-sided tests).

        There are five looks at equal steps with the bounds of O'Brien and Fleming, 1.751 × √(5 / look). With these
        bounds, the chance of crossing a limit at any look is at most the level. The bounds assume nearly normal
        sums. The sums of at least 32 duplicates with values from 0 to 1 are nearly normal, which a test confirms
        by simulation.

        A pair fails if its rate is outside the limits by the same bound, or if it is very unlikely to pass later.
        Failing early shortens a trial and never lets a pair pass.
        """
        look = of.looks.index(len(self.scores))
        off, error, bound = abs(self.rate - of.even), self.error, of.bounds[look]
        if off + bound * error <= of.within:
            self.passed = True
        elif off - bound * error >= of.within or self._below(of, of.hopeless) or look == len(of.looks) - 1:
            self.passed = False

    def _below(self, of: Terms, chance: float) -> bool:
        """Return whether the probability of passing at the last look is below `chance` if the rest is even."""
        n, left = len(self.scores), of.max_duplicates - len(self.scores)
        variance = self.error**2 * n
        room = of.within - of.bounds[-1] * sqrt(variance / of.max_duplicates)
        drift = abs(self.rate - of.even) * n / of.max_duplicates
        return drift - NormalDist().inv_cdf(1 - chance) * sqrt(variance * left) / of.max_duplicates > room


class Trial(msgspec.Struct, frozen=True):
    """The results of all games of a scenario.

    All pairs must pass, so the level of their tests need not be divided by their number (intersection-union test).
    """

    key: str
    tallies: Mapping[Series, tuple[Tally, ...]]

    @property
    def passed(self) -> bool:
        """Whether all pairs of full-strength policies pass."""
        return all(tally.passed for tally in self.tallies["full"])

    @property
    def rows(self) -> list[Row]:
        """The results of all games, in the order of the games' numbers."""
        every = (row for tallies in self.tallies.values() for tally in tallies for row in tally.rows)
        return sorted(every, key=lambda row: row.number)

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.rows)

    @property
    def digest(self) -> str:
        """The SHA-256 of the results, with number, winner, counts, length and first mover of a game on each line."""
        lines = (f"{r.number} {r.winner} {r.counted[0]} {r.counted[1]} {r.length} {r.first}\n" for r in self.rows)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def first(self) -> tuple[Moving, Moving] | None:
        """The first seat's win rates when it moves first and when the other seat does.

        None unless each seat moved first in some games.
        """
        by: dict[tuple[int, tuple[str, str]], Tally] = {}
        for series in ("full", "moved"):
            for tally in self.tallies[series]:
                for at in range(0, len(tally.rows), 2):
                    rows = tally.rows[at : at + 2]
                    by.setdefault((rows[0].first, tally.pair), Tally(tally.pair)).take(rows)
        found = [[tally for (first, _), tally in by.items() if first == seat] for seat in SEATS]
        return (_moving(found[0]), _moving(found[1])) if all(found) else None


class Moving(msgspec.Struct, frozen=True):
    """The first seat's win rate for a given first mover. Every pair of players has the same weight."""

    rate: float
    interval: tuple[float, float]


def _moving(of: Sequence[Tally]) -> Moving:
    rate, error = mean_of([tally.rate for tally in of]), sqrt(sum(tally.error**2 for tally in of)) / len(of)
    return Moving(rate, _around(rate, error))


def _around(rate: float, error: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate, given its standard error."""
    return max(0.0, rate - STANDARD_ERRORS * error), min(1.0, rate + STANDARD_ERRORS * error)


def mean_of(of: Sequence[float]) -> float:
    """Return the mean of the numbers, which must not be empty."""
    return sum(of) / len(of)


def trial(
    game: Tried,
    scenario: Any,
    spread: Spread = here,
    report_progress: Callable[[int, int], object] = lambda done, total: None,
) -> Trial:
    """Play the games of a scenario until all pairs are decided. `spread` distributes the games over processes.

    `report_progress` is called with the number of games played and the maximum.

    Raises:
        WrongUsageError: If the scenario cannot be played.
    """
    assert game.playing, "only games that are played are tried"
    key, of, every = scenario_key(game, scenario), numbers().grade, pairs(game.playing)
    given = len(_engine(game, scenario, key).firsts) == 1
    found: dict[Series, tuple[Tally, ...]] = {series: tuple(Tally(pair) for pair in every) for series in SERIES}
    counts: dict[Series, int] = {"weak": of.weak, "moved": of.moved if given else 0}
    total = 2 * len(every) * (of.max_duplicates + sum(counts.values()))
    done = 0
    for block, rows in spread(partial(_block, game, scenario, key), _blocks(found, of, counts)):
        tally = found[block.series][every.index(block.pair)]
        # Workers receive blocks in advance. If a pair was decided in the meantime, its further games are not counted.
        if tally.passed is None:
            for at in range(0, len(rows), 2):
                tally.take(rows[at : at + 2])
            if block.series == "full" and len(tally.scores) in of.looks:
                tally.decide(of)
        done += len(rows)
        report_progress(done, total)
    return Trial(key, found)


def find_failing_pair(game: Tried, scenario: Any) -> Tally | None:
    """Return the pair of policies for which a search rejects a candidate, or None if the candidate has the grade.

    Each pair plays the same games and takes the same test as in `trial`, so a candidate that is accepted here also
    passes `trial`. To save time, the pair least likely to pass is played first, and a candidate is rejected as
    soon as it is unlikely that all pairs pass. About 19 of 20 candidates are rejected, most of them after a few
    dozen games.

    Raises:
        WrongUsageError: If the scenario cannot be played.
    """
    assert game.playing, "only games that are played are tried"
    key, of = scenario_key(game, scenario), numbers().grade
    tallies = [Tally(pair) for pair in pairs(game.playing)]
    tally = tallies[0]
    while True:
        played = len(tally.scores)
        _, rows = _block(game, scenario, key, _Block("full", tally.pair, played, played + STEP))
        for at in range(0, len(rows), 2):
            tally.take(rows[at : at + 2])
        if len(tally.scores) in of.looks:
            tally.decide(of)
        if tally.passed is False:
            return tally
        waiting = [one for one in tallies if one.passed is None]
        if not waiting:
            return None
        whole, each = prospects(tallies, of)
        tally = min(waiting, key=lambda one: each[one.pair] if one.scores else -1.0)
        if whole < of.hope:
            return min((one for one in waiting if one.scores), key=lambda one: each[one.pair], default=tally)


def prospects(tallies: Sequence[Tally], of: Terms) -> tuple[float, dict[tuple[str, str], float]]:
    """Return the probability that all undecided pairs pass at the last look, and the probability for each pair.

    A pair's rate is assumed to deviate from even by the sum of a common deviation, which all pairs share, and a
    deviation of the pair. Both are normally distributed with the standard deviations `common` and `apart`. The
    common deviation is integrated numerically, weighted by its likelihood given the games so far.
    """
    played = [one for one in tallies if one.scores]
    count = sum(len(one.scores) for one in played)
    spread = sum((score - one.rate) ** 2 for one in played for score in one.scores)
    noise, pair_variance = (spread + 2 * 0.5**2) / (count + 1), of.apart**2
    edge = of.within - of.bounds[-1] * sqrt(noise / of.max_duplicates)
    sums = [(len(one.scores), sum(one.scores) - of.even * len(one.scores)) for one in tallies]
    total, whole, each = 0.0, 0.0, [0.0] * len(tallies)
    for step in range(-STEPS, STEPS + 1):
        off = 3 * of.common * step / STEPS
        strain = (off / of.common) ** 2 + sum((s / n - off) ** 2 / (pair_variance + noise / n) for n, s in sums if n)
        weight = exp(-strain / 2)
        total += weight
        both = weight
        for at, (n, s) in enumerate(sums):
            left, sure = of.max_duplicates - n, 1 / (1 / pair_variance + n / noise)
            mean = (s + left * (off + sure * (s - n * off) / noise)) / of.max_duplicates
            scatter = sqrt(2 * (left * noise + left**2 * sure)) / of.max_duplicates or 1e-9
            chance = (erf((edge - mean) / scatter) + erf((edge + mean) / scatter)) / 2
            each[at] += weight * chance
            if tallies[at].passed is None:
                both *= chance
        whole += both
    return whole / total, {one.pair: chance / total for one, chance in zip(tallies, each, strict=True)}


class _Block(msgspec.Struct, frozen=True):
    """Duplicates that a process plays as one task, from `first` up to but not including `end`."""

    series: Series
    pair: tuple[str, str]
    first: int
    end: int


def _blocks(found: Mapping[Series, tuple[Tally, ...]], of: Terms, extra: Mapping[Series, int]) -> Iterator[_Block]:
    """Yield the blocks of the undecided pairs for each look in order, then those of the other series."""
    for first, end in pairwise((0, *of.looks)):
        for tally in found["full"]:
            if tally.passed is None:
                yield from _pieces("full", tally.pair, first, end)
    for series, count in extra.items():
        for tally in found[series]:
            yield from _pieces(series, tally.pair, 0, count)


def _pieces(series: Series, pair: tuple[str, str], first: int, end: int) -> Iterator[_Block]:
    for at in range(first, end, DUPLICATES_PER_BLOCK):
        yield _Block(series, pair, at, min(end, at + DUPLICATES_PER_BLOCK))


def _block(game: Tried, scenario: Any, key: str, block: _Block) -> tuple[_Block, list[Row]]:
    """Play the games of a block of duplicates."""
    assert game.playing, "only games that are played are tried"
    engine = _engine(game, scenario, key)
    cases = (
        Case(block.series, block.pair, duplicate, swapped)
        for duplicate in range(block.first, block.end)
        for swapped in (False, True)
    )
    return block, [play(engine, game.playing, key, of) for of in cases]


_KEPT: dict[tuple[str, Callable[[Any], Engine[Any, Any]]], Engine[Any, Any]] = {}
"""The engine of the scenario that this process plays, keyed by the scenario's key and the function that made the
engine.
"""


def _engine(game: Tried, scenario: Any, key: str) -> Engine[Any, Any]:
    assert game.playing, "only games that are played are tried"
    made = game.playing.engine
    if (key, made) not in _KEPT:
        _KEPT.clear()
        _KEPT[key, made] = made(scenario)
    return _KEPT[key, made]


def grade_c(
    game: Game[Any],
    scenario: Any,
    spread: Spread = here,
    report_progress: Callable[[int, int], object] = lambda done, total: None,
) -> Trial | GradeOdds:
    """Return the results of a scenario's games (see `trial`), or its odds if the game computes odds instead."""
    if game.fairness and game.fairness.paired:
        return compute_odds(game.fairness, scenario, scenario_key(game, scenario))
    return trial(game, scenario, spread, report_progress)
