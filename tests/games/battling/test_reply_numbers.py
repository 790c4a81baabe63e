"""Tests for the numbers of replies: dice, the numbers that they have to reach, and hit points."""

from __future__ import annotations

import pytest

from generator.games.battling.notation import Answer, ShotReply
from generator.games.battling.post.judge import Judged, judge
from generator.games.battling.post.normalize import lines
from tests.games.battling.wordings import battle

SHOT = "1T先攻\n#1: F / 1108\n#2: D\n1T後攻\n"
SHOTS = "1T先攻\n#1: F / 1108\n#2: F / 0809\n1T後攻\n"
EXCHANGE = "1T先攻\n#1: B / 0807\n#2: D\n1T後攻\n0807 / 2 / EX / HP3\n2T先攻\n"
HIT, HELD = ShotReply("1108", 3, True, 2, 3), ShotReply("1108", 2, True, 5, 4)
MISSES = [ShotReply("1108", 5, False), ShotReply("0809", 6, False)]


def judged(log: str) -> Judged:
    return judge(log, battle("apart"))


def found(log: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.kind) for finding in judged(log).findings]


@pytest.mark.parametrize(
    ("post", "reply"),
    [
        ("I need a 5 or more to evade: 2. Hit. Damage on 3 or less: 5. HP4.", HELD),
        ("Hits on 4 or less. Rolled 2: hit. Damage 5, HP4.", HELD),
        ("Needs a 4 to hit: rolled 2, hit, damage 5, HP4", HELD),
        ("Die 2 <= 4: hit. Damage 5 > 3. HP4.", HELD),
        ("4以下で命中。出目2で命中、損害5、残りHP4", HELD),
        ("命中は4以下。2。ダメージ3以下で5。HP4", HELD),
        ("5+ to dodge. I rolled a 3. Hit, damage 2, HP3", HIT),
        ("miss on 4 or higher: 5", MISSES[0]),
        ("Misses on 4-6: rolled a 5", MISSES[0]),
        ("Evaded! (needed 4+, got 5)", MISSES[0]),
        ("4以上ならはずれ。5！はずれ", MISSES[0]),
    ],
)
def test_a_number_that_a_die_has_to_reach_is_not_a_die(post: str, reply: ShotReply) -> None:
    of = judged(f"{SHOT}{post}\n")
    assert of.turns[0].deeds[0].reply == reply and of.findings == ()


@pytest.mark.parametrize(
    "post",
    [
        "Hit. Damage on 3 or less: 5. HP4.",
        "Hit on 4 or less, HP4",
        "3以下で命中、出目6、はずれ",
        "Rolled a 6, a 5 or 6 misses",
    ],
)
def test_a_reply_whose_dice_are_not_certain_is_asked_about(post: str) -> None:
    assert found(f"{SHOT}{post}\n") == [(5, "unread")]


@pytest.mark.parametrize(
    "hit_points",
    [
        "3HP remaining",
        "3 hit points left",
        "three HP",
        "3 remaining",
        "from HP4 to HP3",
        "from 4 to 3",
        "HP 4 to 3",
        "HP4 to HP3",
        "4HP → 3HP",
        "HP drops to three",
        "now HP3",
        "HP remaining: 3",
        "耐久力4→3",
        "耐久力4から3へ",
        "HPが4から3に",
        "HP残り3",
        "残り3",
        "残り三",
        "HP三",
    ],
)
def test_hit_points_at_the_end_of_a_reply_are_read(hit_points: str) -> None:
    of = judged(f"{SHOT}1108 / 3 / H / 2 / {hit_points}\n")
    assert of.turns[0].deeds[0].reply == HIT and of.findings == ()


@pytest.mark.parametrize("rest", ["1 damage, HP3", "that leaves the poor dog with 3"])
def test_a_part_of_a_reply_that_is_not_understood_is_asked_about(rest: str) -> None:
    """The reply was called illegal, because its hit points were missing."""
    assert found(f"{SHOT}1108 / 3 / H / 2 / {rest}\n") == [(5, "unread")]


@pytest.mark.parametrize("text", ["#1: W / 2 / 0908", "#2: R / 1 / 4 / 1205", "1108 / 3 / H / 2 / HP3"])
def test_the_numbers_of_orders_and_replies_are_kept(text: str) -> None:
    assert [line for _, line in lines(text)] == [text]


@pytest.mark.parametrize(
    "post",
    [
        "Missed! A 5 on 1108. Missed! A 6 on 0809.",
        "1108: 5. Missed! 0809: 6. Missed!",
        "A 5 on 1108! Missed! A 6 on 0809! Missed!",
        "はずれ！1108は5。はずれ！0809は6。",
        "1108は5！はずれ！0809は6！はずれ！",
    ],
)
def test_results_and_dice_in_neighbouring_sentences_belong_together(post: str) -> None:
    of = judged(f"{SHOTS}{post}\n#1: D\n")
    assert [deed.reply for deed in of.turns[0].deeds if deed.side == "first"] == MISSES and of.findings == ()


@pytest.mark.parametrize(
    "post",
    ["1108 missed with a 5. 0809 with a 6.", "1108に5、はずれ。0809には6。", "Miss. 5 on 1108. And 6 on 0809."],
)
def test_a_hex_with_a_die_but_no_result_is_asked_about(post: str) -> None:
    """The second reply was lost."""
    assert found(f"{SHOTS}{post}\n#1: D\n2T先攻\n#1: D\n") == [(5, "unread")]


@pytest.mark.parametrize(
    "post",
    [
        "娘に振らせたら5！はずれ！",
        "サイコロを振ったら5。はずれ。",
        "振ってみたら5が出ました！はずれです！",
        "My son rolls... 5! Missed!",
        "Rolled! Five! Missed!",
    ],
)
def test_a_die_and_its_result_can_be_exclamations(post: str) -> None:
    of = judged(f"{SHOT}{post}\n#1: D\n")
    assert of.turns[0].deeds[0].reply == MISSES[0] and of.findings == ()


@pytest.mark.parametrize("post", ["5!\nMissed!", "出目5\nはずれ！", "Missed!\nA 5."])
def test_a_die_and_its_result_on_two_lines_are_asked_about(post: str) -> None:
    assert found(f"{SHOT}{post}\n#1: D\n2T先攻\n#1: D\n") == [(6, "unread")]


def test_a_die_with_a_condition_and_a_result_are_listed() -> None:
    assert judged(f"{SHOT}5が出たら…はずれでした\n").doubtful == (5,)


@pytest.mark.parametrize(
    "post",
    [
        "EX, so I have three hit points left.",
        "EX, so I have 3 hit points left.",
        "EX, HP three",
        "I'm down to three.",
        "three HP left",
        "My hit points are three now",
        "EXで残り三です",
        "残りは三つです",
        "耐久力は三",
    ],
)
def test_an_answer_can_state_hit_points_in_words(post: str) -> None:
    of = judge(f"{EXCHANGE}{post}\n#2: D\n2T後攻\n#1: D\n", battle("close"))
    assert of.turns[0].deeds[0].answer == Answer("0707", "EX", 3) and of.findings == ()
