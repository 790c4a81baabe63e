"""Results of games between computer players, and the test of one pair of players."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import msgspec

from generator.common.playing import Terms

STANDARD_ERRORS = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


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

    @property
    def line(self) -> str:
        """The line of the game in a digest: number, winner, counts, length and first mover."""
        return f"{self.number} {self.winner} {self.counted[0]} {self.counted[1]} {self.length} {self.first}\n"


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
        return interval_around(self.rate, self.error)

    def decide(self, of: Terms) -> None:
        """Set `passed` if the results at this look allow a decision.

        Two one-sided hypotheses are tested: that the first seat's win rate is at most 40 %, and that it is at
        least 60 %. The pair passes if both are rejected at the same look, each at the 5 % level. A pair whose true
        rate is outside these limits therefore passes at most once in 20 trials (two one-sided tests).

        There are five looks at equal steps with the bounds of O'Brien and Fleming, 1.751 × √(5 / look). With these
        bounds, the chance of crossing a limit at any look is at most the level. The bounds assume nearly normal
        sums. The sums of at least 32 duplicates with values from 0 to 1 are nearly normal, which a test confirms
        by simulation. Strong players have a single look with the bound 1.645.

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


def interval_around(rate: float, error: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate, given its standard error."""
    return max(0.0, rate - STANDARD_ERRORS * error), min(1.0, rate + STANDARD_ERRORS * error)


def mean_of(of: Sequence[float]) -> float:
    """Return the mean of the numbers, which must not be empty."""
    return sum(of) / len(of)
