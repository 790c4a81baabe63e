"""How even scenarios of grade C, and drawn ones, are for a player that took no part in the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import sqrt
from pathlib import Path
from statistics import correlation, fmean, linear_regression, pvariance
from typing import Any, NamedTuple

from generator import games
from generator.cli.scenario import load
from generator.common.playing import SEATS, Engine, Playing, Policy, numbers
from generator.common.search import StrongRate, certified
from generator.common.tally import Tally
from generator.common.trials import play_strong, strong_pairs, trial
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.battlelore.held_out import held_out as held_out_battle
from tests.games.battling.held_out import held_out as held_out_squad
from tests.games.blind_faith.held_out import held_out as held_out_fight
from tests.games.travel_battle.held_out import held_out as held_out_field
from tests.prove.figure import SEED, Figure, counted, spread
from tests.prove.parts.strength import score

CERTIFIED = Path(__file__).parents[1] / "certified"
"""The folder with scenarios that `--fair C` found, which are kept so that the searches need not be repeated."""
MAX_CERTIFIED, DRAWN = 20, 40
"""The maximum number of certified scenarios and the number of drawn ones, for each game."""
DUPLICATES = 48
"""Duplicates of two held-out players on each scenario, which are 96 games."""
STRONG_SHARE = 4
"""The held-out player plays this many times as many duplicates on a drawn scenario as each pair of strong players."""
MAX_OUTSIDE = 0.15
"""The share of certified scenarios that may truly be outside the limits, if noise is taken off."""
REPLAYED = 1
"""The number of certificates of each game whose games are played again."""
MIN_SCENARIOS = 8
"""The number of certified scenarios below which no figure is given a ✓ or ✗."""
HELD_OUT: dict[str, Callable[[Playing[Any]], Policy]] = {
    "battlelore": lambda playing: held_out_battle(playing.policies["keeper"]),
    "battling": lambda playing: held_out_squad(),
    "blind_faith": lambda playing: held_out_fight(),
    "call_to_arms": lambda playing: held_out_battle(playing.policies["keeper"]),
    "travel_battle": lambda playing: held_out_field(playing.policies["warden"]),
}
"""The held-out player of each game."""
OPTIONS: Mapping[str, Mapping[str, str]] = {"blind_faith": {"kind": "battle"}}
"""The options with which scenarios of a game are drawn. Only a battle of Blind Faith can have grade C."""


class Case(NamedTuple):
    """A scenario to play: a certified file, or the number of a drawn scenario."""

    game: str
    file: str
    number: int


class Rated(NamedTuple):
    """The win rate of the first side between held-out players, its standard error, and the rate of strong players."""

    rate: float
    error: float
    strong: float
    """The rate in the certificate or, for a drawn scenario, in a few games, averaged over the strong pairs."""


def prove() -> Iterator[Figure]:
    """Compute each figure, game by game."""
    for game in HELD_OUT:
        yield from validity(game)


def certified_files(game: str) -> list[Path]:
    """Return the certified scenario files of a game."""
    return sorted(CERTIFIED.glob(f"{game}-*.toml"))[:MAX_CERTIFIED]


def validity(game: str, drawn: int = DRAWN, duplicates: int = DUPLICATES) -> Iterator[Figure]:
    """Yield the figures of a game: the scenarios outside the limits, and how well certificates predict rates."""
    files = [Case(game, path.name, 0) for path in certified_files(game)]
    every = [*files, *(Case(game, "", number) for number in range(drawn))]
    rated = list(spread(partial(rate, duplicates), every, game, size=1))
    found, others = rated[: len(files)], rated[len(files) :]
    if found:
        what = f"{game}: certificates whose games were played again"
        yield counted(what, REPLAYED, replayed(game), "0 differences")
        yield outside_figure(f"{game}: certified scenarios", found, MAX_OUTSIDE)
    yield outside_figure(f"{game}: drawn scenarios", others, None)
    yield prediction_figure(game, rated)


def replayed(game: str, count: int = REPLAYED) -> list[str]:
    """Return a line for each of the first certificates that differs from the result of playing its games again."""
    wrong = []
    for path in certified_files(game)[:count]:
        loaded = load(path)
        stated, fairness = certified(loaded.scenario.log), loaded.game.fairness
        if fairness and fairness.paired:
            # The odds of the casual players are computed, so only the strong players play.
            tallies = play_strong(loaded.game, loaded.scenario, dice="search")
            passed = all(tally.passed for tally in tallies)
        else:
            again = trial(loaded.game, loaded.scenario, dice="search")
            passed, tallies = again.passed, again.tallies["strong"]
        strong = [StrongRate(one.pair, round(100 * one.rate, 1)) for one in tallies]
        if not (passed and stated and strong == [*stated.strong_pairs]):
            wrong.append(f"{path.name}: {strong}")
    return wrong


def rate(duplicates: int, case: Case) -> Rated:
    """Return how often the first side of a scenario wins, between held-out players and between strong ones."""
    engine, stated = _scenario(case)
    player, playing = HELD_OUT[case.game](_playing(case.game)), _playing(case.game)
    tally = _first_side(engine, (player, player), duplicates, f"validity/{case.file or case.number}")
    if stated is None:
        few, rates = max(1, duplicates // STRONG_SHARE), []
        for pair in strong_pairs(playing):
            one, other = (playing.all_policies[name] for name in pair)
            rates.append(_first_side(engine, (one, other), few, f"validity/strong/{case.number}").rate)
        stated = fmean(rates)
    return Rated(tally.rate, tally.error, stated)


def _first_side(engine: Engine[Any, Any], pair: tuple[Policy, Policy], duplicates: int, name: str) -> Tally:
    """Return the scores of the first side in duplicates of two players."""
    tally = Tally((pair[0].id, pair[1].id))
    for duplicate in range(duplicates):
        # If dice decide who moves first, the sides alternate.
        first = engine.firsts[duplicate % len(engine.firsts)]
        # The first player sits at the first seat, then at the second, where its loss is the first side's win.
        scores = [score(engine, pair, seat, first, f"{name}/{duplicate}") for seat in SEATS]
        tally.scores.append((scores[0] + 1 - scores[1]) / 2)
    return tally


def _playing(game: str) -> Playing[Any]:
    playing = games.load(game).playing
    assert playing, f"{game} has no computer players"
    return playing


@lru_cache(4)  # A process plays the duplicates of a scenario one after another.
def _scenario(case: Case) -> tuple[Engine[Any, Any], float | None]:
    """Return the engine of a scenario, and the strong players' win rate in its certificate."""
    game = games.load(case.game)
    if not case.file:
        request = Request(code_for(SEED + case.number), OPTIONS.get(case.game, {}), {})
        return _playing(case.game).engine(game.draw(request)), None
    loaded = load(CERTIFIED / case.file)
    certificate = certified(loaded.scenario.log)
    assert certificate and certificate.strong_rate is not None
    return _playing(case.game).engine(loaded.scenario), certificate.strong_rate / 100


def outside_figure(what: str, rated: Sequence[Rated], maximum: float | None) -> Figure:
    """Return the share of scenarios whose rate is outside the limits, raw and with noise taken off.

    Noise spreads the measured rates. Its mean variance is subtracted from their variance, and the rates are moved
    towards their mean until they have the remaining variance. The share of these rates outside the limits is the
    second one.
    """
    rates = [one.rate for one in rated]
    raw, true = share_outside(rates), share_outside(without_noise(rated))
    mean, spread_of = fmean(rates), sqrt(pvariance(rates))
    text = f"{raw:.0%} of {len(rates)} raw, {true:.0%} without noise, mean {mean:.1%}, deviation {spread_of:.1%}"
    wanted = "measured" if maximum is None else f"{maximum:.0%} or less without noise"
    return _figure(f"{what} outside 40–60 %", text, wanted, rated, maximum is None or true <= maximum)


def _figure(what: str, found: str, wanted: str, rated: Sequence[Rated], holds: bool) -> Figure:
    """Return a figure of scenarios. It is undecided if there are few, and does not hold if a result is required."""
    if len(rated) >= MIN_SCENARIOS:
        return Figure(what, found, wanted, holds)
    few = f"{wanted}; fewer than {MIN_SCENARIOS} scenarios show nothing"
    return Figure(what, found, few, wanted == "measured", undecided=True)


def share_outside(rates: Sequence[float]) -> float:
    """Return the share of rates that are outside the limits of grade C."""
    of = numbers().strong
    return sum(abs(rate - of.even) > of.within for rate in rates) / len(rates)


def without_noise(rated: Sequence[Rated]) -> list[float]:
    """Return the rates, moved towards their mean so that their variance is that of the true rates."""
    rates = [one.rate for one in rated]
    mean, total, noise = fmean(rates), pvariance(rates), fmean(one.error**2 for one in rated)
    shrink = sqrt(max(0.0, total - noise) / total) if total else 0.0
    return [mean + shrink * (rate - mean) for rate in rates]


def prediction_figure(game: str, rated: Sequence[Rated]) -> Figure:
    """Return the correlation and the slope of the held-out player's rates on those of the strong players."""
    rates, strong = [one.rate for one in rated], [one.strong for one in rated]
    slope, _ = linear_regression(strong, rates)
    text = f"correlation {correlation(strong, rates):+.2f}, slope {slope:+.2f}, {len(rated)} scenarios"
    return _figure(f"{game}: rates of the held-out player and of the strong players", text, "measured", rated, True)
