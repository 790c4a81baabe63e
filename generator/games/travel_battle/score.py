"""What is written down of a battle's result."""

from __future__ import annotations

from generator.games.capability import Score
from generator.games.scoring import scoring
from generator.games.travel_battle.objectives import told
from generator.games.travel_battle.scenario import PLAYERS, Scenario
from generator.games.words import words


def score() -> Score[Scenario]:
    """Brigades destroyed, and units lost; how one wins is the objective's to say."""
    of, names = scoring("travel_battle"), words("travel_battle")["player"]
    blue, red = (names[player] for player in PLAYERS)
    return Score(of.counted, of.lost, of.parts, lambda _: (blue, red), told)
