"""Tests for lines that are not understood or not legal.

Such lines are queried, listed or assumed, and never affect later lines.
"""

from __future__ import annotations

import pytest

from generator.games.battling.game import LOGBOOK
from generator.games.battling.notation import Answer, BattlingReply, Header, ShotReply
from generator.games.battling.post.judge import Judged, judge
from generator.games.battling.post.log import parse
from generator.games.battling.post.normalize import lines
from generator.model.words import LANGS
from tests.games.battling.wordings import battle

SHOT = "1T先攻\n#1: F / 1108\n#2: D\n1T後攻\n"


def judged(log: str) -> Judged:
    return judge(log, battle("apart"))


def found(log: str) -> list[tuple[int, str, str]]:
    return [(finding.line, finding.kind, finding.reason) for finding in judged(log).findings]


def notes(log: str) -> list[tuple[int, str]]:
    return [(note.line, note.reason) for note in judged(log).notes]


def headers(log: str) -> list[Header]:
    return [entry.item for entry in parse(log) if isinstance(entry.item, Header)]


@pytest.mark.parametrize(
    "log",
    [
        "1T先攻\n#1は F / 1108\n#2は W / 1 / 0607\n1T後攻\n"
        "1108 / 3 / H / 2 / HP3\n#1は F / 0707\n#2は W / 1 / 0808\n",
        f"{SHOT}F / 1108 の判定です。\n1108 / 3 / H / 2 / HP3\n",
        f"{SHOT}#1のF / 1108を受けて、1108 / 3 / H / 2 / HP3\n",
        f"{SHOT}#1: F / 1108\n1108 / 3 / H / 2 / HP3\n",
    ],
)
def test_a_legal_thread_with_particles_and_quotations_has_no_findings(log: str) -> None:
    assert found(log) == []
    assert len([deed for turn in judged(log).turns for deed in turn.deeds if deed.reply]) == 1


@pytest.mark.parametrize(
    "log",
    [
        "[turn 1] [first] #1: F / 1108 #2: D [turn 1] [second] 1108 / 5 / F #1: D [turn 2] [first] #1: W / 2 / 0908",
        "1T先攻 #1: F / 1108 #2: D 1T後攻 1108 / 5 / F #1: D 2T先攻 #1: W / 2 / 0908",
        "T1 first: #1: F / 1108 #2: D T1 second: 1108 / 5 / F. #1: D T2 first: #1: W / 2 / 0908",
        "【1T先攻】#1: D #2: D 【1T後攻】 #1: D 【2T先攻】 #1: W / 2 / 0908",
    ],
)
def test_several_posts_in_a_line_are_read_as_if_each_were_on_its_own_line(log: str) -> None:
    assert found(log) == []
    assert headers(log) == [Header(1, "first"), Header(1, "second"), Header(2, "first")]
    assert judged(log).turns[-1].deeds[-1].order.action == "W"


def test_a_header_within_a_line_that_names_an_earlier_post_is_talk() -> None:
    log = "[turn 2] [first] after [turn 1] [second] #1: D, I move #1: W / 2 / 0908\n"
    assert headers(log) == [Header(2, "first")]


def test_a_guard_within_a_sentence_changes_the_die() -> None:
    log = (
        "[turn 1] [first]\n#1: F / 1108, and #2 guards: D\n[turn 1] [second]\n1108 / 3 / H / 2 / HP3\n#1: F / 0507\n"
    )
    assert found(f"{log}[turn 2] [first]\n0507 / 1 / H / 5 / HP5\n") == [(7, "fault", "reply.hit")]


def test_an_order_for_either_of_two_ats_is_a_question() -> None:
    assert found("1T先攻\nF / 1108\n") == [(2, "question", "order.whose")]
    (finding,) = judged("1T先攻\nD\n").findings
    assert finding.text.en.startswith("which of F1, F2 does this?")


def test_a_roll_that_depends_on_a_line_that_is_not_understood_is_accepted_and_says_so() -> None:
    log = "1T先攻\n#1: F / 110\n#2: D\n1T後攻\n1108 / 3 / H / 2 / HP3\n#1: D\n"
    assert found(log) == [(2, "unread", "text.order")]
    assert notes(log) == [(2, "assumed.anyone"), (5, "assumed.reply")]


def test_after_an_illegal_order_the_assumption_is_noted_and_no_later_line_is_wrong() -> None:
    log = "1T先攻\n#1: W / 3 / 0908\n#2: F / 0102\n1T後攻\n#1: F / 0908\n2T先攻\n0908 / 1 / H / 1 / HP3\n"
    assert [finding[:2] for finding in found(log)] == [(2, "fault"), (3, "fault")]
    assert notes(log) == [(2, "assumed.moved"), (3, "assumed.stayed")]
    stays = log.replace("F / 0908", "F / 0707").replace("0908 / 1", "0707 / 1")
    assert found(stays) == found(log)


@pytest.mark.parametrize("mention", ["「F / 1108」", "F / 1108 かな", "# F / 1108"])
def test_an_order_that_is_taken_for_talk_is_noted_and_allowed_for(mention: str) -> None:
    log = f"1T先攻\n{mention}\n#2: D\n1T後攻\n1108 / 3 / H / 2 / HP3\n"
    assert judged(log).doubtful == (2,)
    assert found(log) == []


def test_the_verdict_separates_broken_rules_from_lines_that_are_not_clear() -> None:
    unclear, illegal = (
        LOGBOOK.judge(battle("apart"), f"1T先攻\n{line}\n") for line in ("F / 1108", "#1: W / 3 / 0908")
    )
    assert (bool(unclear.findings), unclear.broke_rule) == (True, False)
    assert (bool(illegal.findings), illegal.broke_rule) == (True, True)
    assert all(note.text[lang] for note in illegal.notes for lang in LANGS)


@pytest.mark.parametrize(
    "post",
    [
        "If #2 can't see anything it guards: D.",
        "#1: F / 1108, or if that is out of sight, #1: D",
        "#1: F / 1108 - if blocked, W / 2 / 0908 instead",
        "#1: F / 1108, otherwise D",
        "#1: F / 1108 (or D if it's blocked)",
        "Unless it's blocked, #1: F / 1108",
        "もし射線が通るなら#1はF / 1108、通らなければD",
        "射線が通っていればF / 1108、だめならW / 2 / 0908（#1）",
    ],
)
def test_an_order_with_a_condition_is_asked_about(post: str) -> None:
    assert found(f"1T先攻\n{post}\n") == [(2, "unread", "text.condition")]
    (finding,) = judged(f"1T先攻\n{post}\n").findings
    assert finding.text.ja.endswith("（実際に行う行動だけを書いてください）")


@pytest.mark.parametrize(
    "post",
    [
        "#1: F / 1107, sorry 1108",
        "#1: F / 1107 -- I mean 1108",
        "#1：F / 1107（訂正：1108）",
        "#1：F / 1107 ※1108の間違いです",
        "#1: F / 1107*\n*1108, sorry",
        "#1：F / 1107\n↑1108の間違いです",
        "#1: W / 2 / 0908\nSorry, 0808 not 0908",
        "#1: F / 1108, 1107",
        "#1: F / 1108 & 0809",
    ],
)
def test_a_correction_of_only_a_hex_is_asked_about(post: str) -> None:
    ((line, kind, reason),) = found(f"1T先攻\n{post}\n")
    assert (line, kind, reason) == (2 + post.count("\n"), "unread", "text.order")


@pytest.mark.parametrize(
    "post",
    [
        "1108 / 3 / H / 2 / HP3, sorry HP2",
        "1108 / 3 / H / 2 / HP3\n↑HP2の間違いです。",
        "1108 / 3 / H / 2 / HP3（訂正：ダイスは4でした）",
        "1108 / 5 / F / 0707",
        "1108 / 5 / F ×2",
        "1108 / 3 / H / 2 / HP3。すみません、ダイスの目は4でした。",
        "1108 / 3 / H / 2 / HP3\nEdit: die was 4",
        "1108 / H / HP3",
        "1108 / F",
        "1108: miss",
    ],
)
def test_a_reply_with_a_part_of_another_is_asked_about(post: str) -> None:
    kinds = [kind for _, kind, _ in found(f"{SHOT}{post}\n")]
    assert kinds in (["unread"], ["question"])


@pytest.mark.parametrize(
    ("log", "note"),
    [
        ("1T先攻\n#1: F / 1108\n#2: D\n\n#1: F / 1108\n#2: D\n", [(5, "assumed.repeated"), (6, "assumed.repeated")]),
        ("1T先攻\n0707：W / 2 / 0908\n0707：W / 2 / 0908\n", [(3, "assumed.repeated")]),
        (f"{SHOT}1108 / 5 / F\n1108 / 5 / F\n", [(6, "assumed.repeated")]),
        (f"{SHOT}1108 / 3 / H / 2 / HP3\n#1: D\n1T後攻\n1108 / 3 / H / 2 / HP3\n#1: D\n",
         [(8, "assumed.repeated"), (9, "assumed.repeated")]),
    ],
)  # fmt: skip
def test_an_order_or_reply_that_is_posted_twice_counts_once(log: str, note: list[tuple[int, str]]) -> None:
    assert found(log) == []
    assert notes(log) == note
    assert judged(log).position == judged("\n".join(dict.fromkeys(log.split("\n")))).position


@pytest.mark.parametrize(
    "post",
    [
        "#1は1108に射撃、#2は防御。",
        "#1 fires at 1108. #2: D",
        "#1 shoots at 1108, #2 guards.",
        "#1 F。1108",
        "#1→1108へF",
        "#1は、1108のブルーティッシュにF",
        "The Scopedog fires, F / 1108, while the Tortoise guards.",
        "#2 D xD",
        "#1はF / 1108ではなくDです",
    ],
)
def test_an_order_in_words_beside_another_order_is_listed(post: str) -> None:
    of = judged(f"1T先攻\n{post}\n")
    assert of.doubtful == (2,) or [finding.reason for finding in of.findings] == ["text.order"]


HIT, MISS = ShotReply("1108", 3, True, 2, 3), ShotReply("1108", 5, False)


@pytest.mark.parametrize(
    ("post", "reply"),
    [
        ("判定：3（命中）、2（損害）→HP3", HIT),
        ("Hit on a 3, damage 2, HP3 left.", HIT),
        ("Rolled a 3 for 1108, hit, 2 damage, HP3 left.", HIT),
        ("1108 takes it: 3, H, 2 → HP 3. My #1 walks 1 to 0507.", HIT),
        ("I roll 3... that's a hit for 2, so 1108 is down to HP3. #1 D.", HIT),
        ("HIT (3)! 2 damage, 3 HP left at 1108. Then #1 D", HIT),
        ("1108 → 3 hit 2 HP3", HIT),
        ("1108 / H / 3 / 2 / HP3", HIT),
        ("1108 / 3,2 / H / HP3", HIT),
        ("1108 is hit with a 3 for 2 damage (HP3 left)", HIT),
        ("1108 5 F", MISS),
        ("1108 - 5 - F", MISS),
        ("| 1108 | 5 | F |", MISS),
        ("F / 1108 → 5, F", MISS),
        ("#1's shot at 1108: 5, miss", MISS),
        ("あなたの#1の射撃（1108）：5、はずれ", MISS),
        ("1108: die 3 -> H, damage die 2, HP 5-2=3.", HIT),
        ("ダイスは3、命中、ダメージ2で残りHP3です。#1は防御します", HIT),
        ("ダイス3で命中。2点食らって残り3", HIT),
        ("shot at 1108 misses (5). #1 guards.", MISS),
        ("No hit, I rolled 5 (what luck, I had feared the worst)", MISS),
        ("はずれ。5でした（1108）。#1 待機。", MISS),
        ("5なのではずれです", MISS),
        ("Rolled a five, missed 1108. Ready for more?", MISS),
        (f"Hello. {'What a long evening, with no end of rain. ' * 8}1108 was missed with a 5.", MISS),
    ],
)
def test_a_reply_in_words_is_read(post: str, reply: ShotReply) -> None:
    (turn,) = judged(f"{SHOT}{post}\n").turns
    assert turn.deeds[0].reply == reply


@pytest.mark.parametrize("text", ["#1: D (it's a trap)", "#1: D (don't)", "#1: D (EX_A)"])
def test_words_in_brackets_are_not_faces(text: str) -> None:
    assert [line for _, line in lines(text)] == [text]
    assert [line for _, line in lines("#1: D (^o^)/")] == ["#1: D"]


@pytest.mark.parametrize(
    "post", ["Brutishdog: D, and 1108 was missed with a 5", "ブルーティッシュドッグはD。1108は5ではずれです"]
)
def test_an_order_before_a_reply_in_words_is_not_lost(post: str) -> None:
    of = judged(f"{SHOT}{post}\n")
    assert of.turns[0].deeds[0].reply == MISS
    assert [deed.order.action for deed in of.turns[0].deeds if deed.side == "second"] == ["D"]


SHOTS = "1T先攻\n#1: F / 1108\n#2: F / 0809\n1T後攻\n"


@pytest.mark.parametrize(
    "post",
    [
        "1108: 5, F. 0809: 6, F.",
        "1108 → 5 → F, 0809 → 6 → F",
        "Rolled 5 against 1108: miss. Rolled 6 against 0809: miss.",
        "1108: miss (5). 0809 / 6 / F",
        "1108 / 5 / F and 0809 was missed with a 6",
        "Both missed: 1108 with a 5, 0809 with a 6.",
        "Your #1 missed 1108 with a 5 and your #2 missed 0809 with a 6",
        "1108のほうは出目5で回避成功、0809のほうは出目6で回避成功",
        "まず判定から。1108は5ではずれ。0809も6ではずれ。行動は#1がD、#2もDです。",
        "#1 (1108) / 5 / F\n#2 (0809) / 6 / F",
        "| hex | die | result |\n|---|---|---|\n| 1108 | 5 | F |\n| 0809 | 6 | F |",
    ],
)
def test_replies_in_words_to_several_shots_are_read(post: str) -> None:
    """A line that names two hexes was talk, without a word about it."""
    of = judged(f"{SHOTS}{post}\n")
    replies = [deed.reply for deed in of.turns[0].deeds if deed.side == "first"]
    assert replies == [MISS, ShotReply("0809", 6, False)] and not of.findings


def test_a_hit_and_a_miss_in_one_sentence_are_distinguished() -> None:
    of = judged(f"{SHOTS}1108は1で命中、ダメージ1で残りHP3、0809は6ではずれ\n")
    assert [deed.reply for deed in of.turns[0].deeds] == [
        ShotReply("1108", 1, True, 1, 3),
        ShotReply("0809", 6, False),
    ]


@pytest.mark.parametrize(
    "post",
    [
        "F / 1108 and F / 0809 both miss: 5 and 6",
        "1108 and 0809 were both missed with a 5",
        "5で1108ははずれ、6が出て、0809もはずれ",
        "1108は5か6ではずれ、0809は6ではずれ",
    ],
)
def test_numbers_that_may_belong_to_any_shot_are_asked_about(post: str) -> None:
    assert [(line, kind) for line, kind, _ in found(f"{SHOTS}{post}\n#1: D\n")] == [(5, "unread")]


@pytest.mark.parametrize(
    "talk",
    [
        "Ouch, if you hit both 1108 and 0809 I lose.",
        "1108 and 0809 both in danger. Nice shots with 2 and 3 last turn!",
        "F / 1108とF / 0809ですね。了解です",
    ],
)
def test_talk_about_several_shots_is_not_a_reply(talk: str) -> None:
    assert found(f"{SHOTS}{talk}\n1108 / 5 / F\n0809 / 6 / F\n#1: D\n") == []


def test_a_reply_in_words_does_not_take_the_order_of_another_target() -> None:
    of = judged(f"{SHOTS}1108 dodged with a 5. 0809: D\n")
    assert of.turns[0].deeds[0].reply == MISS
    assert [deed.order.action for deed in of.turns[0].deeds if deed.side == "second"] == ["D"]


PUNCH = "1T先攻\n#1: B / 0807\n#2: D\n1T後攻\n"


def of_close(log: str) -> Judged:
    return judge(log, battle("close"))


@pytest.mark.parametrize(
    "post",
    [
        "0807 / 1 / D / HP3",
        "Rolled a 1: D, HP3 left.",
        "0807: 1, D, HP3",
        "0807は1でD、残りHP3",
        "バトリングの判定：1、D、HP3です",
        "The punch: die 1, result D, 3 HP left",
        "0807 - 1 - D - HP3",
        "| 0807 | 1 | D | HP3 |",
        "D! Rolled 1, HP3",
    ],
)
def test_a_reply_in_words_to_battling_is_read(post: str) -> None:
    """The letter of the result D was read as an order to guard, or the line was talk."""
    of = of_close(f"{PUNCH}{post}\n#2: D\n")
    first, *others = of.turns[0].deeds
    assert first.reply == BattlingReply("0807", 1, "D", 3)
    assert [(deed.unit, deed.order.action) for deed in others if deed.side == "second"] == [("S2", "D")]
    assert of.findings == () and of.doubtful == ()


@pytest.mark.parametrize(
    ("post", "reply"),
    [
        ("0807: 5, no effect", BattlingReply("0807", 5, "-")),
        ("Rolled 5, nothing happens to 0807", BattlingReply("0807", 5, "-")),
        ("0807は5で効果なし", BattlingReply("0807", 5, "-")),
        ("0807: 4 → A, HP4", BattlingReply("0807", 4, "A", 4)),
        ("EX! I rolled 2, HP3", BattlingReply("0807", 2, "EX", 3)),
        ("2で相打ち、残り3です", BattlingReply("0807", 2, "EX", 3)),
    ],
)
def test_every_result_of_battling_has_words(post: str, reply: BattlingReply) -> None:
    assert of_close(f"{PUNCH}{post}\n").turns[0].deeds[0].reply == reply


@pytest.mark.parametrize("post", ["0807: D", "0807 D", "#1: D"])
def test_a_guard_is_no_result_of_battling(post: str) -> None:
    of = of_close(f"{PUNCH}{post}\n")
    assert [(deed.unit, deed.order.action) for deed in of.turns[0].deeds if deed.side == "second"] == [("S1", "D")]


@pytest.mark.parametrize(
    "talk", ["I need a 5 or EX kills me", "EXは勘弁してください", "Ouch, D?", "Rolling for 0807 now"]
)
def test_talk_about_battling_is_not_a_reply(talk: str) -> None:
    assert of_close(f"{PUNCH}{talk}\n0807 / 1 / D / HP3\n").findings == ()


EXCHANGE = f"{PUNCH}0807 / 2 / EX / HP3\n2T先攻\n"


@pytest.mark.parametrize(
    "post",
    [
        "0707: EX, HP3",
        "EX, HP3",
        "EXで残り3です",
        "My #1 takes the EX: HP3",
        "0707 is down to HP3.",
        "0707 / HP3",
        "#1: HP3",
        "I lose one too, HP3 left",
        "EX受けました。HP3",
    ],
)
def test_an_answer_in_words_is_read(post: str) -> None:
    """A legal thread was called illegal, because the attacker's hit points were said to be missing."""
    of = of_close(f"{EXCHANGE}{post}\n#2: D\n2T後攻\n#1: D\n")
    assert of.turns[0].deeds[0].answer == Answer("0707", "EX", 3) and of.findings == ()


def test_an_answer_in_words_with_wrong_hit_points_is_listed() -> None:
    of = of_close(f"{EXCHANGE}EX, HP4\n#2: D\n2T後攻\n#1: D\n")
    assert [finding.reason for finding in of.findings] == ["answer.missing"] and of.doubtful == (7,)


@pytest.mark.parametrize("talk", ["You have 3 HP left, careful!", "Status: #1 HP3, #2 HP5", "HP 4 left, phew"])
def test_talk_about_hit_points_is_not_an_answer(talk: str) -> None:
    assert of_close(f"{EXCHANGE}{talk}\n0707 / EX / HP3\n#2: D\n2T後攻\n#1: D\n").findings == ()


@pytest.mark.parametrize(
    "post", ["It hit, 3 then 2, three HP left", "It hit! No, I missed: 5", "Hit on a 3!", "1108 missed with 4 or 5"]
)
def test_a_reply_in_words_with_missing_or_contradictory_parts_is_asked_about(post: str) -> None:
    log = f"{SHOT}{post}\n#1: D\n2T先攻\n#1: D\n#2: D\n"
    assert found(log) == [(5, "unread", "text.unreadable")]


@pytest.mark.parametrize(
    "talk",
    [
        "You hit me last turn with a 3.",
        "Nice, I would have missed with a 5.",
        "If you hit with 3, I am down to HP3.",
        "命中率2で修正+1です",
        "Your shot at 0909 missed by 2.",
        "(a roll of 3 or less hits, and costs 1 HP)",
    ],
)
def test_talk_about_shots_is_not_a_reply(talk: str) -> None:
    assert found(f"{SHOT}{talk}\n1108 / 3 / H / 2 / HP3\n#1: D\n") == []


def test_a_reply_in_words_does_not_count_beside_one_in_numbers() -> None:
    assert found(f"{SHOT}A hit with 3, damage 2, HP 4?\n1108 / 3 / H / 2 / HP3\n") == []
    assert found(f"{SHOT}Missed, I rolled a 6! No, wait.\n1108 / 3 / H / 2 / HP3\n") == []


@pytest.mark.parametrize(
    "order",
    [
        "#1 stays and guards.",
        "My #1 walks 1 to 0507.",
        "#1 待機。",
        "1号機、0908へ2歩移動。",
        "My Brutishdog attacks 0707!",
        "ブルーティッシュドッグで0707を射撃！",
        "F(0707) #1",
        "W2 0908 for me",
        "0707にF (#1)",
    ],
)
def test_orders_in_words_are_listed(order: str) -> None:
    assert judged(f"{SHOT}1108 / 3 / H / 2 / HP3\n{order}\n").doubtful == (6,)


@pytest.mark.parametrize("talk", ["(S1 in 1108: F 0707 is possible)", "This game is from W 1998.", "I moved in 2024"])
def test_remarks_and_years_are_not_listed(talk: str) -> None:
    assert judged(f"{SHOT}1108 / 3 / H / 2 / HP3\n{talk}\n").doubtful == ()


@pytest.mark.parametrize("post", ["#1 was hit, HP3 now"])
def test_a_line_that_may_be_a_reply_is_listed(post: str) -> None:
    assert judged(f"{SHOT}{post}\n").doubtful == (5,)


@pytest.mark.parametrize(
    "post", ["#1はF / 1108のつもりでしたが、やっぱりDで。", "#1 was going to F / 1108, but now D."]
)
def test_an_order_that_was_given_up_is_not_read(post: str) -> None:
    assert judged(f"1T先攻\n{post}\n").turns == ()
    assert judged(f"1T先攻\n{post}\n").doubtful == (2,)


@pytest.mark.parametrize(
    "post", ["#1: F / 1108 now, then W / 2 / 0908 next turn", "#1：F / 1108。次はW / 2 / 0908を次のターンに。"]
)
def test_an_order_for_the_next_turn_is_not_given_now(post: str) -> None:
    of = judged(f"1T先攻\n{post}\n")
    assert [deed.order.action for turn in of.turns for deed in turn.deeds] == ["F"]
    assert (of.findings, of.doubtful) == ((), (2,))


@pytest.mark.parametrize(
    "line", ["Never forget that #1 is a beast.", "I cannot cancel #1 now, can I?", "#1は取り消さないよ"]
)
def test_talk_about_taking_back_keeps_the_order(line: str) -> None:
    (turn,) = judge(f"[turn 1] [first]\n#1: F / 1108\n{line}\n", battle("apart")).turns
    assert [deed.order.target for deed in turn.deeds] == ["1108"]


@pytest.mark.parametrize(
    "post",
    [
        "#2:\nguard",
        "#2:\nGuard.",
        "#2:\n\nguards",
        "#2：\n防御",
        "2号機\n防御します",
        "②\n防御",
        "#2は\nガードで",
        "#2 -\nguard",
    ],
)
def test_a_guard_in_words_can_follow_the_line_with_its_at(post: str) -> None:
    of = judged(f"1T先攻\n#1: F / 1108\n{post}\n")
    assert [(deed.unit, deed.order.action) for deed in of.turns[0].deeds] == [("F1", "F"), ("F2", "D")]
    assert of.findings == () and of.doubtful == ()


@pytest.mark.parametrize(
    "post", ["#2:\nstays put", "#2:\nguard this hex please", "#2:\nwalk 1 to 0607", "#2：\n待機"]
)
def test_other_words_after_the_line_with_an_at_are_asked_about(post: str) -> None:
    assert [(line, kind) for line, kind, _ in found(f"1T先攻\n#1: F / 1108\n{post}\n")] == [(4, "unread")]


@pytest.mark.parametrize("post", ["#2:", "#2：\n\n2T先攻", "2.\nguard"])
def test_an_at_without_a_certain_order_is_listed(post: str) -> None:
    assert judged(f"1T先攻\n#1: F / 1108\n{post}\n").doubtful in ((3,), (4,))


@pytest.mark.parametrize("post", ["D x2", "D×2", "防御", "Everyone stays.", "全機待機", "We all defend"])
def test_a_guard_without_an_at_is_listed_if_it_is_the_whole_line(post: str) -> None:
    assert judged(f"1T先攻\n{post}\n").doubtful == (2,)
