"""Tests for judged logs as plain values, for lists of orders, and for battles played from a code."""

from __future__ import annotations

from typing import Any, cast

import pytest

from generator.errors import WrongUsageError
from generator.games.battling.game import LOGBOOK
from generator.games.battling.legal_orders import orders
from generator.games.battling.notation import write_line
from generator.games.battling.play import opening
from tests.games.battling.fields import plaza, scenario
from tests.games.battling.scenes import CODE, house

DUEL = scenario(house("crossroads"), "scopedog 0707", "brutishdog 0907, brutishdog 1108")
LOG = """[turn 1] [first]
B / 0907
[turn 1] [second]
0907 / 4 / - / HP4
#2: F / 0707
"""
CLASH = """[turn 1] [first]
B / 1 / 0806 / 0907
[second]
0907 / 2 / EX / HP3
[first]
0806 / EX / HP3
"""


def test_a_judged_log_tells_each_order_with_its_reply_and_answer() -> None:
    judged = LOGBOOK.judge(DUEL, CLASH)
    assert judged.findings == ()
    (turn,) = cast(list[dict[str, Any]], judged.rows["turns"])
    (order,) = turn["orders"]
    assert order == {
        "line": 2,
        "side": "first",
        "unit": "F1",
        "order": "B / 1 / 0806 / 0907",
        "path": ["0707", "0806"],
        "target": "S1",
        "reply": "0907 / 2 / EX / HP3",
        "answer": "0806 / EX / HP3",
        "refused": None,
    }
    assert {unit["id"]: unit["hp"] for unit in turn["units"]} == {"F1": 3, "S1": 3, "S2": 4}
    assert (judged.rows["over"], judged.rows["winner"], judged.rows["waiting"]) == (False, None, [])


def test_a_fault_has_its_line_and_reason_and_the_order_is_marked() -> None:
    judged = LOGBOOK.judge(DUEL, LOG)
    assert [(f.line, f.reason) for f in judged.findings] == [(2, "target.next")]
    (turn,) = cast(list[dict[str, Any]], judged.rows["turns"])
    assert [order["refused"] for order in turn["orders"]] == ["target.next", None]
    assert judged.rows["waiting"] == [5]
    assert "line 5" in judged.position.en
    assert "5行目" in judged.position.ja


def test_expected_notation_is_suggested_and_doubtful_talk_is_noted() -> None:
    judged = LOGBOOK.judge(DUEL, "[turn 1] [first]\nあなたの D / 1 / 0806 は？\n#1; F / 110\n[turn 1] [seconds]")
    assert [(f.line, f.reason) for f in judged.findings] == [(3, "text.order"), (4, "header.misspelt")]
    order, header = judged.findings
    assert "F / TARGET" in order.text.en
    assert "[turn 1] [second]" in header.text.en
    assert judged.rows["doubtful"] == [2]
    assert "line 2" in judged.position.en
    assert "2行目" in judged.position.ja


def test_listed_orders_are_those_of_the_position_after_the_log() -> None:
    listed = [row["order"] for row in LOGBOOK.orders(DUEL, "", "S1")]
    assert listed == [write_line(order) for order in orders(opening(DUEL), "S1")]
    after = [row["order"] for row in LOGBOOK.orders(DUEL, CLASH, "S1")]
    assert "B / 0806" in after
    assert "B / 0806" not in listed
    with pytest.raises(WrongUsageError, match="F1"):
        LOGBOOK.orders(DUEL, "", "F2")


def test_a_code_plays_one_battle_in_either_language() -> None:
    played = LOGBOOK.play(plaza(), CODE, "en")
    assert played == LOGBOOK.play(plaza(), CODE, "en")
    assert played != LOGBOOK.play(plaza(), "OTHER-CODE1", "en")
    assert LOGBOOK.judge(plaza(), played).findings == ()
    japanese = LOGBOOK.play(plaza(), CODE, "ja")
    assert LOGBOOK.judge(plaza(), japanese).rows["turns"] != []
    assert "先攻" in japanese
