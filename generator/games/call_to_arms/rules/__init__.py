"""What makes a Call to Arms scenario legal, derived from the scenario alone."""

from __future__ import annotations

from functools import cache

from generator.games.battlelore.rules.board import with_ground
from generator.games.call_to_arms.rules import cards, council, deployment, log, play, pool, reserves, specials
from generator.games.call_to_arms.scenario import Scenario
from generator.rules.rule import Rule

_ROOMS = (cards, deployment, reserves, pool, play, council, specials, log)


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """BattleLore's rules of the ground, then the rules of deployment, in their files' order."""
    return with_ground("call_to_arms/rules.toml", *(room.TESTS for room in _ROOMS))
