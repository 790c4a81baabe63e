"""What makes a Call to Arms scenario legal, derived from the scenario alone."""

from __future__ import annotations

from functools import cache

from generator.games.battlelore.rules import board
from generator.games.call_to_arms.rules import (  # noqa: F401 - importing them binds their rules
    cards,
    council,
    deployment,
    log,
    play,
    pool,
    reserves,
    specials,
)
from generator.games.call_to_arms.scenario import Scenario
from generator.games.ruleset import ruleset
from generator.rules.rule import Rule


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """BattleLore's rules of the ground, then the rules of deployment, in their files' order."""
    return ruleset(board.rule, cards.rule, deployment.rule, specials.rule)
