"""What is written down of a match's result."""

from __future__ import annotations

from generator.games.battling.scenario import Scenario
from generator.games.capability import Score
from generator.games.scoring import scoring
from generator.games.words import words
from generator.model.words import Words


def score() -> Score[Scenario]:
    """ATs destroyed, and the hit points that they cost."""
    of = scoring("battling")
    goal = of.goal

    def won(match: Scenario) -> tuple[Words, ...]:
        return (goal.fill(turns=match.turns),) if goal else ()

    say = words("battling")["cover"]
    return Score(of.counted, of.lost, of.parts, lambda _: (say["first"], say["second"]), won)
