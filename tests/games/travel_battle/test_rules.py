"""Tests of the rules on generated battles, and on hand-made battles that are legal in unusual ways."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.objectives import kinds
from generator.games.travel_battle.rules import rules
from generator.games.travel_battle.tables import numbers
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.travel_battle.scenes import battle, both, fired, log, order, report, setting, unit

WISHES: list[Mapping[str, str]] = [
    {},
    {"sizes": "any"},
    {"split-blue": "wings", "split-red": "by_arm"},
    {"side-blue": "right", "edge-red": "3"},
    {"board-blue": "random", "board-red": "market_road"},
    *({"objective": kind} for kind in kinds()),
    *({"boards": table} for table in numbers().tables[1:3]),
]


@pytest.mark.parametrize("options", WISHES, ids=str)
def test_what_is_drawn_is_legal(options: Mapping[str, str]) -> None:
    for number in range(4):
        scenario = draw(Request(code_for(number), options, {}))
        assert [(f.rule.id, f.where, f.why.en) for f in report(scenario).findings] == []


def test_a_scenario_without_a_log_is_unproved_not_illegal() -> None:
    found = report(replace(battle(), log=()))
    assert found.illegal == ()
    unproved = {finding.rule.id for finding in found.unproved}
    assert unproved == {"setup.side", "setup.turn", "setup.placer", "setup.order", "setup.mover"}


def test_red_may_set_up_first() -> None:
    dice, turns = log("placer_dice", ("1", "6")), order("R2", "B1", "R1", "B2", "R3", "B3")
    assert fired(both(dice, turns, setting(first_placer="red"))(battle())) == set()
    assert fired(both(dice, turns)(battle())) == {"setup.placer", "setup.order"}


def test_a_chain_may_run_through_doubled_foot_and_round_corners() -> None:
    assert fired(both(unit("B3b", cell="o1"), unit("B3e", cell="r1"), unit("B3d", cell="q2"))(battle())) == set()


def test_every_rule_is_stated_in_both_languages_with_its_source() -> None:
    for rule in rules():
        assert rule.text.source
        for words in (rule.text.text, *rule.text.why.values()):
            assert words.en
            assert words.ja
        assert rule.text.text.en != rule.text.text.ja
        assert rule.text.source.startswith(("seed", "house", "the game's boards", "the army's file"))
