"""Estimate who wins a battle from a small number of games between computer players of the casual level."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean, pstdev
from typing import Any

import msgspec

from generator.common.game import Game
from generator.common.playing import Level
from generator.common.tally import interval_around
from generator.common.trials import Case, pairs, play, scenario_key
from generator.model.words import Words

LEVEL: Level = "casual"
"""The level of the players. Stronger players take too long for a figure that every battle shows."""


class WinRates(msgspec.Struct, frozen=True):
    """The result of a number of games of a battle."""

    sides: tuple[Words, Words]
    games: int
    """The number of games, or 0 if the rates were computed without playing."""
    rates: tuple[float, float]
    """The share of games that each side won, from 0 to 1."""
    interval: tuple[float, float]
    """The 95 % interval of the first side's share, if a draw counts as half a win."""
    level: Level = LEVEL

    @property
    def draws(self) -> float:
        """The share of drawn games."""
        return max(0.0, 1 - sum(self.rates))


def win_rates(
    game: Game[Any], scenario: Any, count: int, on_progress: Callable[[int, int], None] = lambda *_: None
) -> WinRates | None:
    """Play `count` games of a legal scenario and return who won, or None if the game cannot be played.

    The pairs of casual players take turns, and every pair plays each game from both seats with the same dice. The
    dice are those of the games of grade C, so the result depends only on the scenario. If the game's odds are
    computed, the result is that of the first pair, without any games.
    """
    if game.fairness and game.fairness.paired:
        odds = next(game.fairness.paired(scenario), None)
        if odds is None:
            return None
        first = float(odds.min_rate + odds.missing / 2 - odds.draws / 2)
        rates = (first, 1 - first - float(odds.draws))
        return WinRates(game.fairness.sides, 0, rates, (float(odds.min_rate), float(odds.max_rate)))
    if game.playing is None:
        return None
    engine, key, won = game.playing.engine(scenario), scenario_key(game, scenario), [0, 0]
    every, scores = pairs(game.playing), list[float]()
    for number in range(count):
        duplicate, swapped = divmod(number, 2)
        of = Case("full", every[duplicate % len(every)], duplicate // len(every), bool(swapped))
        winner = play(engine, game.playing, key, of).winner
        if winner is not None:
            won[winner] += 1
        scores.append(0.5 if winner is None else float(winner == 0))
        on_progress(number + 1, count)
    # The two games of a duplicate have the same dice, so they count as one observation.
    means = [fmean(scores[at : at + 2]) for at in range(0, count, 2)]
    error = pstdev(means) / len(means) ** 0.5
    return WinRates(
        game.playing.seats, count, (won[0] / count, won[1] / count), interval_around(fmean(scores), error)
    )
