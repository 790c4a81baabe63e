"""What makes a Travel Battle scenario legal, derived from the scenario alone."""

from __future__ import annotations

from functools import cache

from generator.games.ruleset import ruleset
from generator.games.travel_battle.rules import (  # noqa: F401 - importing them binds their rules
    armies,
    dice,
    field,
    log,
    order,
    placing,
    play,
)
from generator.games.travel_battle.scenario import Scenario
from generator.rules.rule import Rule


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """The rules of boards, armies, their set-up and the play, in their file's order."""
    return ruleset(armies.rule, dice.rule)
