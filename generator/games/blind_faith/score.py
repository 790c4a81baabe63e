"""What is written down of a result."""

from __future__ import annotations

from generator.games.blind_faith.forces.units import SIDES
from generator.games.blind_faith.scenario import Scenario
from generator.games.blind_faith.words import side_name
from generator.games.capability import Score
from generator.games.scoring import scoring


def score() -> Score[Scenario]:
    """Units eliminated, and the points that one's own were worth."""
    of = scoring("blind_faith")
    goal = (of.goal,) if of.goal else ()
    hussites, crusaders = (side_name(side) for side in SIDES)
    return Score(of.counted, of.lost, of.parts, lambda _: (hussites, crusaders), lambda _: goal)
