"""What makes a Call to Arms scenario legal, derived from the scenario alone."""

from __future__ import annotations

from functools import cache

import msgspec

from generator.games.battlelore.rules import TESTS as GROUND
from generator.games.call_to_arms.rules import cards, council, deployment, log, play, pool, reserves, specials
from generator.games.call_to_arms.scenario import Scenario
from generator.notation import toml
from generator.rules.rule import Rule, RuleText, bind
from generator.store.folders import shipped


class _Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[RuleText, ...]


@cache
def rules() -> tuple[Rule[Scenario], ...]:
    """BattleLore's rules of the ground, then the rules of deployment, in their files' order."""
    texts = [
        text
        for game in ("battlelore", "call_to_arms")
        for text in toml.read(shipped("data") / game / "rules.toml", _Rules).rule
    ]
    ground = {
        name: (lambda scenario, test=test: test(scenario.board, scenario.inventory)) for name, test in GROUND.items()
    }
    return bind(
        texts,
        ground
        | cards.TESTS
        | deployment.TESTS
        | reserves.TESTS
        | pool.TESTS
        | play.TESTS
        | council.TESTS
        | specials.TESTS
        | log.TESTS,
    )
