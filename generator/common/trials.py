"""Grade C: play a scenario many times with computer players and test whether both seats win about equally often.

Games come in duplicates, as in bridge: two players, each with their own dice and choices, play one game, then swap
seats and play again with the same dice and choices. Luck therefore affects both seats equally. If a policy plays
against itself, only the scenario makes a difference. Casual players play first. If their games are even, strong
players play. docs/fairness.md explains the statistical test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement, pairwise, zip_longest
from math import erf, exp, sqrt
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
from generator.common.tally import Row, Tally, interval_around, mean_of
from generator.model.scenario import AdventureTexts
from generator.model.words import same
from generator.seeds import Rng
from generator.workers import Spread, here

PATH = "v1/play"
Series = Literal["full", "weak", "moved", "strong"]
SERIES: tuple[Series, ...] = ("full", "weak", "moved", "strong")
"""The series of games: `full` (casual players) and `strong` decide the grade. `weak` compares weak players, and
`moved` measures the value of moving first by letting the other seat move first.
"""
Dice = Literal["trial", "search"]
"""The dice of a scenario's games. A search plays with other dice than a later trial of the scenario that it found."""
ALONE_S = 1.0
"""The number of seconds that strong players play in this process before other processes join in."""
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
    """Return the unordered pairs of casual policies, including each policy paired with itself."""
    return list(combinations_with_replacement(playing.policies, 2))


def strong_pairs(playing: Playing[Any]) -> list[tuple[str, str]]:
    """Return the pairs of the two strongest policies: against each other, then each against itself.

    The list is empty if the game has no strong policies. If there is only one, it plays against itself.
    """
    strongest = list(playing.strong)[:2]
    every = combinations_with_replacement(strongest, 2)
    return sorted(every, key=lambda pair: pair[0] == pair[1])


def strong_terms(pair: tuple[str, str]) -> Terms:
    """Return the conditions for a pair of strong policies, which differ if a policy plays against itself."""
    return numbers().self_play if pair[0] == pair[1] else numbers().strong


def _pairs_played(playing: Playing[Any]) -> list[tuple[Series, tuple[str, str]]]:
    """Return each series with each of its pairs, in the order of the numbers of their games."""
    by_series = {series: pairs(playing) for series in SERIES} | {"strong": strong_pairs(playing)}
    return [(series, pair) for series in SERIES for pair in by_series[series]]


def case(playing: Playing[Any], number: int) -> Case | None:
    """Return the game with this number, or None if there is none. Numbers start at 0."""
    every = _pairs_played(playing)
    duplicate, swapped = divmod(number, 2)
    at, duplicate = divmod(duplicate, numbers().grade.max_duplicates)
    if number < 0 or at >= len(every):
        return None
    series, pair = every[at]
    if series == "strong" and duplicate >= strong_terms(pair).max_duplicates:
        return None
    return Case(series, pair, duplicate, bool(swapped))


def number(playing: Playing[Any], of: Case) -> int:
    """Return the number of a game, the inverse of `case`."""
    at = _pairs_played(playing).index((of.series, of.pair))
    return 2 * (at * numbers().grade.max_duplicates + of.duplicate) + of.swapped


class Tried(Protocol):
    """The attributes of a game that trials need."""

    @property
    def playing(self) -> Playing[Any] | None:
        """The way to play the game, which is never None here."""

    @property
    def write(self) -> Callable[[Any], str]:
        """The function that returns the body of a scenario's file."""


def scenario_key(game: Tried, scenario: Any, dice: Dice = "trial") -> str:
    """Return the key of a scenario's games, on which their dice depend.

    It is the SHA-256 of the body of the scenario's file without the log, the title and the texts of an adventure,
    so neither of these gives a scenario other dice. The games of a search have a key of their own.
    """
    unnamed = {"log": (), "title": same(""), "texts": AdventureTexts()}
    plain = replace(scenario, **{name: unnamed[name] for name in unnamed if name in scenario.__struct_fields__})
    prefix = "" if dice == "trial" else f"{dice}\n"
    return hashlib.sha256(f"{prefix}{game.write(plain)}".encode()).hexdigest()


def play(
    engine: Engine[Any, Any], playing: Playing[Any], key: str, of: Case, on_step: StepListener | None = None
) -> Row:
    """Play one game of the scenario with this key. `on_step`, if given, is called with each step."""
    name = f"{PATH}/{of.series}/{'-'.join(of.pair)}/{of.duplicate}"
    strength: Strength = "weak" if of.series == "weak" else "full"
    players = [
        Seated(
            at_strength(playing.all_policies[policy], strength),
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


class Trial(msgspec.Struct, frozen=True):
    """The results of all games of a scenario.

    All pairs must pass, so the level of their tests need not be divided by their number (intersection-union test).
    """

    key: str
    tallies: Mapping[Series, tuple[Tally, ...]]
    """The results of each pair, keyed by series.

    The series `strong` is empty if the casual players are uneven. If a strong pair fails, others may be undecided.
    """

    @property
    def passed_casual(self) -> bool:
        """Whether all pairs of casual policies pass."""
        return all(tally.passed for tally in self.tallies["full"])

    @property
    def passed(self) -> bool:
        """Whether the scenario has grade C: all pairs of casual policies pass, and all strong pairs."""
        return self.passed_casual and all(tally.passed for tally in self.tallies["strong"])

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
        return hashlib.sha256("".join(row.line for row in self.rows).encode()).hexdigest()

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
    return Moving(rate, interval_around(rate, error))


def trial(
    game: Tried,
    scenario: Any,
    spread: Spread = here,
    report_progress: Callable[[int, int], object] = lambda done, total: None,
    dice: Dice = "trial",
) -> Trial:
    """Play the games of a scenario until all pairs are decided. `spread` distributes the games over processes.

    `report_progress` is called with the number of games played and the maximum. With the dice of a search, the
    result is the one for which the search accepted or rejected the scenario.

    Raises:
        WrongUsageError: If the scenario cannot be played.
    """
    assert game.playing, "only games that are played are tried"
    key, of, every = scenario_key(game, scenario, dice), numbers().grade, pairs(game.playing)
    given = len(_engine(game, scenario, key).firsts) == 1
    casual: tuple[Series, ...] = ("full", "weak", "moved")
    found: dict[Series, tuple[Tally, ...]] = {series: tuple(Tally(pair) for pair in every) for series in casual}
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
    even = all(tally.passed for tally in found["full"])
    strong = play_strong(game, scenario, spread, report_progress, dice) if even else ()
    return Trial(key, {**found, "strong": strong})


def play_strong(
    game: Tried,
    scenario: Any,
    spread: Spread = here,
    report_progress: Callable[[int, int], object] = lambda done, total: None,
    dice: Dice = "trial",
) -> tuple[Tally, ...]:
    """Return the results of the strong pairs, with `passed` set. It is empty if the game has no strong policies.

    A pair passes only after all its games (one look), and all pairs must pass. The games stop as soon as a pair fails
    or all pairs are unlikely to pass; then some pairs may have no games or no decision. A pair that is outside the
    limits could pass only at its look, so stopping early does not increase the chance that it passes.

    Raises:
        WrongUsageError: If the scenario cannot be played.
    """
    assert game.playing, "only games that are played are tried"
    key, tallies = scenario_key(game, scenario, dice), tuple(map(Tally, strong_pairs(game.playing)))
    terms = {tally.pair: strong_terms(tally.pair) for tally in tallies}
    total = 2 * sum(of.max_duplicates for of in terms.values())
    by_pair = {tally.pair: tally for tally in tallies}
    results = spread(partial(_block, game, scenario, key), _strong_blocks(terms), alone=ALONE_S, along=True)
    for block, rows in results:
        tally, of = by_pair[block.pair], terms[block.pair]
        for at in range(0, len(rows), 2):
            tally.take(rows[at : at + 2])
        report_progress(sum(len(one.rows) for one in tallies), total)
        if len(tally.scores) in of.looks:
            tally.decide(of)
        whole, each = prospects(tallies, [*terms.values()])
        if whole < numbers().strong.hope and not any(one.passed is False for one in tallies):
            unlikely = min((one for one in tallies if one.passed is None), key=lambda one: each[one.pair])
            unlikely.passed = False
        if any(one.passed is False for one in tallies):
            break
    return tallies


class Casual(msgspec.Struct, frozen=True):
    """The results of the casual players in a search."""

    tallies: tuple[Tally, ...]
    failing: Tally | None
    """The pair for which the search rejects the candidate, or None if all pairs pass."""
    hope: float
    """The estimated probability, at the last decision, that all undecided pairs pass."""


def play_casual(game: Tried, scenario: Any) -> Casual:
    """Play the games of a search between casual players until the candidate is accepted or rejected.

    Each pair plays the same games and takes the same test as in `trial` with the dice of a search, so a candidate
    that is accepted here also passes there. To save time, the pair least likely to pass is played first, and a
    candidate is rejected as soon as it is unlikely that all pairs pass. About 19 of 20 candidates are rejected, most
    of them after a few dozen games.

    Raises:
        WrongUsageError: If the scenario cannot be played.
    """
    assert game.playing, "only games that are played are tried"
    key, of = scenario_key(game, scenario, "search"), numbers().grade
    tallies = tuple(Tally(pair) for pair in pairs(game.playing))
    tally = tallies[0]
    while True:
        played = len(tally.scores)
        _, rows = _block(game, scenario, key, _Block("full", tally.pair, played, played + STEP))
        for at in range(0, len(rows), 2):
            tally.take(rows[at : at + 2])
        if len(tally.scores) in of.looks:
            tally.decide(of)
        whole, each = prospects(tallies, of)
        if tally.passed is False:
            return Casual(tallies, tally, whole)
        waiting = [one for one in tallies if one.passed is None]
        if not waiting:
            return Casual(tallies, None, 1.0)
        tally = min(waiting, key=lambda one: each[one.pair] if one.scores else -1.0)
        if whole < of.hope:
            worst = min((one for one in waiting if one.scores), key=lambda one: each[one.pair], default=tally)
            return Casual(tallies, worst, whole)


def prospects(tallies: Sequence[Tally], terms: Terms | Sequence[Terms]) -> tuple[float, dict[tuple[str, str], float]]:
    """Return the probability that all undecided pairs pass at the last look, and the probability for each pair.

    A pair's rate is assumed to deviate from even by the sum of a common deviation, which all pairs share, and a
    deviation of the pair. Both are normally distributed with the standard deviations `common` and `apart`. The
    common deviation is integrated numerically, weighted by its likelihood given the games so far.

    Args:
        tallies: The results so far.
        terms: The conditions of all pairs or, in the order of `tallies`, of each pair. The first `common` counts.
    """
    each_terms = [terms] * len(tallies) if isinstance(terms, Terms) else list(terms)
    of = each_terms[0]
    played = [one for one in tallies if one.scores]
    count = sum(len(one.scores) for one in played)
    spread = sum((score - one.rate) ** 2 for one in played for score in one.scores)
    noise, pair_variance = (spread + 2 * 0.5**2) / (count + 1), of.apart**2
    # The number of duplicates of each pair, and the largest distance from even with which it passes.
    ends = [
        (one.max_duplicates, one.within - one.bounds[-1] * sqrt(noise / one.max_duplicates)) for one in each_terms
    ]
    sums = [(len(one.scores), sum(one.scores) - of.even * len(one.scores)) for one in tallies]
    total, whole, each = 0.0, 0.0, [0.0] * len(tallies)
    for step in range(-STEPS, STEPS + 1):
        off = 3 * of.common * step / STEPS
        strain = (off / of.common) ** 2 + sum((s / n - off) ** 2 / (pair_variance + noise / n) for n, s in sums if n)
        weight = exp(-strain / 2)
        total += weight
        both = weight
        for at, ((n, s), (end, edge)) in enumerate(zip(sums, ends, strict=True)):
            left, sure = end - n, 1 / (1 / pair_variance + n / noise)
            mean = (s + left * (off + sure * (s - n * off) / noise)) / end
            scatter = sqrt(2 * (left * noise + left**2 * sure)) / end or 1e-9
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


def _strong_blocks(terms: Mapping[tuple[str, str], Terms]) -> Iterator[_Block]:
    """Yield the blocks of the strong pairs in turn, so that the most uneven pair is noticed early."""
    every = [tuple(_pieces("strong", pair, 0, of.max_duplicates)) for pair, of in terms.items()]
    for blocks in zip_longest(*every):
        yield from (block for block in blocks if block)


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
    dice: Dice = "trial",
) -> Trial | GradeOdds:
    """Return the results of a scenario's games (see `trial`), or its odds if the game computes odds instead.

    If the odds are even, strong players also play.
    """
    if game.fairness and game.fairness.paired:
        odds = compute_odds(game.fairness, scenario, scenario_key(game, scenario, dice))
        if not odds.passed_casual or game.playing is None:
            return odds
        return replace(odds, strong=play_strong(game, scenario, spread, report_progress, dice))
    return trial(game, scenario, spread, report_progress, dice)
