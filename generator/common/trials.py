"""Grade C: a scenario is played many times by simple computer players, and both seats win about equally often.

Game `i` of a scenario depends only on the scenario and on `i`. Games come in duplicates, as in bridge: two players,
each with their own dice and choices, play one game, then swap seats and keep both. Luck therefore affects both seats
equally; for a policy against itself, only the scenario makes a difference.

For each unordered pair of full-strength policies (including a policy against itself), two one-sided hypotheses are
tested: that the first seat's win rate, with a draw as half, is at most 40 %, and that it is at least 60 %. Both must
be rejected at the same look, each at 5 %. A pair outside these limits therefore passes at most once in 20 trials (two
one-sided tests). All pairs must pass, so that the level need not be divided by their number (intersection-union
test). There are five looks at equal steps with the bounds of O'Brien and Fleming, 1.751 × √(5 / look), under which
the chance of crossing a limit at any look is at most the level. The bounds assume nearly normal sums, as those of at
least 32 duplicates with values from 0 to 1 are; a test simulates it. The variance is that of the duplicates plus two
more that are half a win off, so that it is never 0.

A pair fails if its rate is outside by the same bound, or if it can hardly pass any more; this stops a trial early and
lets no pair pass. docs/fairness.md explains it in detail.
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
"""The purposes of games: the grade; a comparison with weak players; and the value of moving first, with the other
seat moving first."""
STANDARD_ERRORS = NormalDist().inv_cdf(0.975)
"""Half the width of a reported rate's interval, in standard errors, for 95 %."""
DUPLICATES_PER_BLOCK = 8
"""Number of duplicates that are played as one piece of work."""
STEP, STEPS = 4, 15
"""Duplicates between two looks of a search; steps to each side in the integration over the common deviation."""


class Case(msgspec.Struct, frozen=True):
    """One game of a scenario."""

    series: Series
    pair: tuple[str, str]
    """The policies of the two players."""
    duplicate: int
    swapped: bool
    """Whether the first player is at the second seat."""

    @property
    def seats(self) -> tuple[str, str]:
        """The policy at each seat."""
        return self.pair[::-1] if self.swapped else self.pair


def pairs(playing: Playing[Any]) -> list[tuple[str, str]]:
    """Return the unordered pairs of policies, including each policy with itself."""
    return list(combinations_with_replacement(playing.policies, 2))


def case(playing: Playing[Any], number: int) -> Case | None:
    """Return the game with that number, counted from 0; None if there is none."""
    every = pairs(playing)
    duplicate, swapped = divmod(number, 2)
    pair, duplicate = divmod(duplicate, numbers().grade.max_duplicates)
    series, pair = divmod(pair, len(every))
    if number < 0 or series >= len(SERIES):
        return None
    return Case(SERIES[series], every[pair], duplicate, bool(swapped))


def number(playing: Playing[Any], of: Case) -> int:
    """Return the number of a game."""
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
        """The first seat's score: 1 for a win, 0.5 for a draw."""
        return 0.5 if self.winner is None else 1.0 - self.winner


class Tried(Protocol):
    """The parts of a game that trials need."""

    @property
    def playing(self) -> Playing[Any] | None:
        """How the game is played; never None here."""

    @property
    def write(self) -> Callable[[Any], str]:
        """Return the body of a scenario's file."""


def scenario_key(game: Tried, scenario: Any) -> str:
    """Return the key of a scenario's games: the SHA-256 of its file's body without the log."""
    return hashlib.sha256(game.write(replace(scenario, log=())).encode()).hexdigest()


def play(
    engine: Engine[Any, Any], playing: Playing[Any], key: str, of: Case, on_step: StepListener | None = None
) -> Row:
    """Play a game of the scenario with that key."""
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

    It follows the rules, and alternates if dice decide; in the series `moved` it is the other seat.
    """
    if of.series == "moved":
        return 1 - engine.firsts[0]
    return engine.firsts[of.duplicate % len(engine.firsts)]


class Tally(msgspec.Struct):
    """The results so far of a pair of policies."""

    pair: tuple[str, str]
    scores: list[float] = []
    """The first seat's score of each duplicate, from 0 to 1."""
    rows: list[Row] = []
    passed: bool | None = None
    """Whether the pair passes; None if it is undecided."""

    def take(self, rows: Sequence[Row]) -> None:
        """Add the two games of a duplicate."""
        self.rows += rows
        self.scores.append(sum(row.score for row in rows) / len(rows))

    @property
    def rate(self) -> float:
        """The first seat's win rate, with a draw as half."""
        return sum(self.scores) / len(self.scores)

    @property
    def error(self) -> float:
        """The standard error of the rate."""
        n, mean = len(self.scores), self.rate
        spread = sum((score - mean) ** 2 for score in self.scores) + 2 * 0.5**2
        return sqrt(spread / (n + 1) / n)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate."""
        return _around(self.rate, self.error)

    def decide(self, of: Terms) -> None:
        """Decide at a look, if a decision is possible."""
        look = of.looks.index(len(self.scores))
        off, error, bound = abs(self.rate - of.even), self.error, of.bounds[look]
        if off + bound * error <= of.within:
            self.passed = True
        elif off - bound * error >= of.within or self._below(of, of.hopeless) or look == len(of.looks) - 1:
            self.passed = False

    def _below(self, of: Terms, chance: float) -> bool:
        """Return whether it passes the last look with less than this chance if all remaining duplicates are even."""
        n, left = len(self.scores), of.max_duplicates - len(self.scores)
        variance = self.error**2 * n
        room = of.within - of.bounds[-1] * sqrt(variance / of.max_duplicates)
        drift = abs(self.rate - of.even) * n / of.max_duplicates
        return drift - NormalDist().inv_cdf(1 - chance) * sqrt(variance * left) / of.max_duplicates > room


class Trial(msgspec.Struct, frozen=True):
    """The results of a scenario's games."""

    key: str
    tallies: Mapping[Series, tuple[Tally, ...]]

    @property
    def passed(self) -> bool:
        """Whether all pairs of full-strength policies pass."""
        return all(tally.passed for tally in self.tallies["full"])

    @property
    def rows(self) -> list[Row]:
        """Every game, in the order of their numbers."""
        every = (row for tallies in self.tallies.values() for tally in tallies for row in tally.rows)
        return sorted(every, key=lambda row: row.number)

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.rows)

    @property
    def digest(self) -> str:
        """The SHA-256 of every game's number, winner, counts, length and first mover, one line each."""
        lines = (f"{r.number} {r.winner} {r.counted[0]} {r.counted[1]} {r.length} {r.first}\n" for r in self.rows)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def first(self) -> tuple[Moving, Moving] | None:
        """The first seat's win rates when it moves first and when the other one does; None unless both occurred."""
        by: dict[tuple[int, tuple[str, str]], Tally] = {}
        for series in ("full", "moved"):
            for tally in self.tallies[series]:
                for at in range(0, len(tally.rows), 2):
                    rows = tally.rows[at : at + 2]
                    by.setdefault((rows[0].first, tally.pair), Tally(tally.pair)).take(rows)
        found = [[tally for (first, _), tally in by.items() if first == seat] for seat in SEATS]
        return (_moving(found[0]), _moving(found[1])) if all(found) else None


class Moving(msgspec.Struct, frozen=True):
    """The first seat's win rate when one seat moves first; every pair of players counts equally."""

    rate: float
    interval: tuple[float, float]


def _moving(of: Sequence[Tally]) -> Moving:
    rate, error = mean_of([tally.rate for tally in of]), sqrt(sum(tally.error**2 for tally in of)) / len(of)
    return Moving(rate, _around(rate, error))


def _around(rate: float, error: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate."""
    return max(0.0, rate - STANDARD_ERRORS * error), min(1.0, rate + STANDARD_ERRORS * error)


def mean_of(of: Sequence[float]) -> float:
    """Return the mean of these numbers, of which there must be at least one."""
    return sum(of) / len(of)


def trial(
    game: Tried,
    scenario: Any,
    spread: Spread = here,
    report_progress: Callable[[int, int], object] = lambda done, total: None,
) -> Trial:
    """Play the games of a scenario until all pairs are decided; `spread` distributes the work.

    `report_progress` is called with the number of games played and the maximum. Raises WrongUsageError if the
    scenario cannot be played.
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
        # Workers receive blocks in advance: the games of a pair that was decided in the meantime are not counted.
        if tally.passed is None:
            for at in range(0, len(rows), 2):
                tally.take(rows[at : at + 2])
            if block.series == "full" and len(tally.scores) in of.looks:
                tally.decide(of)
        done += len(rows)
        report_progress(done, total)
    return Trial(key, found)


def find_failing_pair(game: Tried, scenario: Any) -> Tally | None:
    """Return the pair of policies that makes a search reject a candidate; None if it has the grade.

    Each pair has the games and the test of `trial`, so that the result is the same. But the pair least likely to pass
    is played first, and a candidate is rejected as soon as it is unlikely that all pairs pass: about 19 of 20
    candidates are rejected, most of them after a few dozen games. Raises WrongUsageError if it cannot be played.
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
    """Return the probability that all undecided pairs pass at the last look, and that of each pair.

    A pair's rate is assumed to deviate from even by an amount common to all pairs and by one of its own, both
    normally distributed (`common`, `apart` are their standard deviations). The common deviation is integrated
    numerically, weighted by its likelihood given the games so far.
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
    """Duplicates that are played as one piece of work: from `first` up to, but not including, `end`."""

    series: Series
    pair: tuple[str, str]
    first: int
    end: int


def _blocks(found: Mapping[Series, tuple[Tally, ...]], of: Terms, extra: Mapping[Series, int]) -> Iterator[_Block]:
    """Yield the blocks to play for undecided pairs, look by look, then those of the other series."""
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
    """Play the games of some duplicates."""
    assert game.playing, "only games that are played are tried"
    engine = _engine(game, scenario, key)
    cases = (
        Case(block.series, block.pair, duplicate, swapped)
        for duplicate in range(block.first, block.end)
        for swapped in (False, True)
    )
    return block, [play(engine, game.playing, key, of) for of in cases]


_KEPT: dict[tuple[str, Callable[[Any], Engine[Any, Any]]], Engine[Any, Any]] = {}
"""The engine of the scenario that this process plays, by the scenario's key and the function that made it."""


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
    """Return the games of a scenario (see `trial`), or its odds in a game that computes them instead of playing."""
    if game.fairness and game.fairness.paired:
        return compute_odds(game.fairness, scenario, scenario_key(game, scenario))
    return trial(game, scenario, spread, report_progress)
