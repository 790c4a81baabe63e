"""Tests for battles written as threads of posts: no false findings, planted faults reported, corrections understood.

`make prove ARGS=umpire` repeats these tests with many more battles.
"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from generator.games.battling.model import Scenario
from generator.games.battling.notation import Answer, Header, Order, ShotReply
from generator.games.battling.post.entries import Doubtful
from generator.games.battling.post.judge import Judged, judge
from generator.games.battling.post.log import parse
from generator.games.battling.post.random_game import play
from generator.model.words import LANGS, Lang
from generator.seeds import Rng
from tests.games.battling.fields import arena, plaza, scenario
from tests.games.battling.plants import WAYS, is_reported
from tests.games.battling.threads import RHYTHMS, Event, Rhythm, events, type_thread

OPEN = scenario(arena(), "scopedog 0707", "brutishdog 1108")
DUEL = scenario(
    arena(9, 9, "0505"),
    "scopedog 0402, brutishdog 0502, scopedog 0602",
    "scopedog 0406, scopedog 0506, scopedog 0606",
    hp=1,
)


@cache
def battles() -> list[tuple[Scenario, list[Event]]]:
    return [(of, events(of, play(of, Rng(str(n), "v1/test/threads")))) for n in range(3) for of in (plaza(), DUEL)]


@pytest.mark.parametrize("rhythm", RHYTHMS)
@pytest.mark.parametrize("lang", LANGS)
def test_a_thread_in_any_rhythm_is_found_clean(rhythm: Rhythm, lang: Lang) -> None:
    for number, (of, found) in enumerate(battles()):
        thread = type_thread(found, rhythm, lang, Random(f"{rhythm}{lang}{number}"))
        judged = judge(thread.text, of)
        assert judged.findings == (), thread.text
        assert judged.outcome.over
        assert judged.waiting == ()


@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_what_a_thread_tells_does_not_hang_on_its_rhythm(rhythm: Rhythm) -> None:
    of, found = battles()[0]
    clean = judge(type_thread(found, "at once", "en", Random(1), plain=True).text, of)
    other = judge(type_thread(found, rhythm, "ja", Random(2)).text, of)
    assert [turn.after for turn in other.turns] == [turn.after for turn in clean.turns]
    assert [deed_rows(turn.deeds) for turn in other.turns] == [deed_rows(turn.deeds) for turn in clean.turns]


def deed_rows(deeds: object) -> list[object]:
    return [(d.unit, d.path, d.target, d.reply and d.reply.die, d.answer) for d in deeds]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", WAYS)
def test_a_planted_fault_is_the_only_finding_at_its_line(kind: str) -> None:
    tried = reported = 0
    for number, (of, found) in enumerate(battles()):
        random = Random(f"{kind}{number}")
        plant = next(WAYS[kind](of, found, random), None)
        if plant:
            tried += 1
            reported += is_reported(plant, type_thread(plant.events, "next post", "ja", random, plant.change), of)
    # Not every fault is possible in these few battles. The proof covers all of them.
    assert reported >= tried - 1


def judged(log: str, of: Scenario = OPEN) -> Judged:
    return judge(log, of)


def test_examples_of_the_rules_as_a_thread_with_talk() -> None:
    """The second player judges and acts in the same post. The first player confirms a loss in the next post."""
    of = scenario(arena(), "brutishdog 0807", "scopedog 0707")
    thread = """1T先攻です。よろしくお願いします！
こちらはブルーティッシュドッグ。さっそく殴ります。 B / 0707 くらえ！

1T後攻
＞B / 0707
うわ、いきなりですか…
0707 / 4 / EX / HP3 相打ち！
では離れます。Ｄ／１／０６０７

2T先攻
「0707 / 4 / EX / HP3」了解です。
W / 1 / 0707
すみません、訂正です。W / 1 / 0708
0807 / EX / HP3
"""
    found = judged(thread, of)
    assert found.findings == ()
    assert {unit: machine.hp for unit, machine in found.position.machines.items()} == {"F1": 3, "S1": 3}
    assert found.corrected == ((13, 12),)
    name = of.arena.field.name
    first, second = found.turns
    assert [name(machine.cell) for machine in first.after] == ["0807", "0607"]
    assert [name(machine.cell) for machine in second.after] == ["0708", "0607"]
    assert (first.deeds[0].reply and first.deeds[0].reply.hp, first.deeds[0].answer) == (3, Answer("0807", "EX", 3))


def test_a_reply_below_orders_refers_to_the_position_before_them() -> None:
    """The target dashed only after the shot, which was aimed at its earlier hex."""
    above, below = "1108 / 3 / H / 6 / HP4\nR / 1 / 1008", "R / 1 / 1008\n1108 / 3 / H / 6 / HP4"
    for post in (above, below):
        assert judged(f"1T先攻\nF / 1108\n\n1T後攻\n{post}\n").findings == ()
    assert OPEN.pack.number("scopedog", 4) == 3


def test_who_dies_by_the_reply_below_cannot_have_acted_above() -> None:
    of = scenario(arena(), "scopedog 0707", "brutishdog 1108, scopedog 1412", hp=1)
    log = "1T先攻\nF / 1108\n\n1T後攻\n#1: D\n#2: D\n1108 / 1 / H / 1 / HP0\n"
    assert [(f.line, f.reason) for f in judged(log, of).findings] == [(5, "order.destroyed")]


def test_an_answer_confirms_a_loss_that_was_already_applied() -> None:
    of = scenario(arena(), "brutishdog 0807", "scopedog 0707")
    log = "1T先攻\nB / 0707\n\n1T後攻\n0707 / 4 / EX / HP3\nD\n"
    found = judged(log, of)
    assert found.position.machines["F1"].hp == 3
    assert [(w.line, w.side, w.stage) for w in found.waiting] == [(5, "first", "answer")]
    assert judged(log + "\n2T先攻\nD\n0807 / EX / HP3\n", of).findings == ()
    wrong = judged(log + "\n2T先攻\nD\n0807 / EX / HP4\n", of).findings
    assert [(f.line, f.reason) for f in wrong] == [(10, "reply.hp")]
    never = judged(log + "\n2T先攻\nD\n\n2T後攻\nD\n", of).findings
    assert [(f.line, f.reason) for f in never] == [(5, "answer.missing")]


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("1T先攻", Header(1, "first")),
        ("１Ｔ後攻です", Header(1, "second")),
        ("先攻フェイズ", Header(None, "first")),
        ("Turn 3, second player", Header(3, "second")),
        ("--- 2T先攻 ---", Header(2, "first")),
        ("《第3ターン・後攻側・行動フェイズ》", Header(3, "second")),
        ("T4 first:", Header(4, "first")),
        ("Turn 3, second player: here we go!", Header(3, "second")),
        ("先攻：D / 1 / 0806", Header(None, "first")),
        ("1T先攻 W/2/0908 で回り込む", Header(1, "first")),
        ("1T先攻です、よろしく！", Header(1, "first")),
        ("Turn 3, second player, and I am late", Header(3, "second")),
        ("後攻：", Header(None, "second")),
        ("第一ターン　先攻", Header(1, "first")),
        ("ターン1（先攻）", Header(1, "first")),
        ("1ターン目／先攻", Header(1, "first")),
        ("## Turn 1 - first player", Header(1, "first")),
        ("Turn 2. Second player.", Header(2, "second")),
        ("2nd player, turn 2", Header(2, "second")),
        ("1st turn, first player", Header(1, "first")),
    ],
)
def test_headers_as_people_write_them(line: str, header: Header) -> None:
    assert parse(line)[0].item == header


@pytest.mark.parametrize(
    "line",
    ["先攻の射撃は痛い", "turn 2, second player said hi", "先攻", "1Tの話", "1st prize!", "my 1st turn hurt"],
)
def test_talk_about_turns_is_not_a_header(line: str) -> None:
    assert not [entry for entry in parse(line) if isinstance(entry.item, Header)]


WALK, SHOT, STAY = Order("W", (2,), "0908"), Order("F", target="1108"), Order("D")


@pytest.mark.parametrize(
    ("line", "items"),
    [
        ("W / 2 / 0908 F / 1108", [WALK, SHOT]),
        ("W/2/0908、F/1108、D", [WALK, SHOT, STAY]),
        ("よし、W / 2 / 0908 で回り込む！", [WALK]),
        ("1108 / 5 / F 外れ。F / 1108", [ShotReply("1108", 5, False), SHOT]),
        ("あなたの F / 1108 は痛かった", [Doubtful(SHOT)]),
        ("結果 0707/5/F/HP4 はずれ～", [ShotReply("0707", 5, False, hp=4)]),
        ("よし F / 1108 がんばれ", [SHOT]),
        ("0707 / 1 / H / 2 / 残りHP3", [ShotReply("0707", 1, True, 2, 3)]),
        ("①Ｗ／２／０９０８", [Order("W", (2,), "0908", unit="1")]),
        ("② D", [Order("D", unit="2")]),
        ("F1 W/2/0908", [Order("W", (2,), "0908", unit="F1")]),
        ("Dします！", [STAY]),
        ("D でお願いします。", [STAY]),
        ("①まずは様子見", []),
        ("[quote=A]F / 1108\nD[/quote] W / 2 / 0908", [WALK]),
        ("<blockquote>F / 1108</blockquote>\nW / 2 / 0908", [WALK]),
        ("引用：F / 1108\nW / 2 / 0908", [WALK]),
    ],
)
def test_orders_among_talk(line: str, items: list[object]) -> None:
    assert [entry.item for entry in parse(line)] == items


@pytest.mark.parametrize("line", ["いくぞ W / 2 / 098", "ここは F / 11O8 だ", "判定は 1108 / 5 / Z", "W / 2 / O908"])
def test_notation_that_is_wrong_is_never_talk(line: str) -> None:
    (found,) = judged(f"1T先攻\n{line}\n").findings
    assert (found.line, found.reason.split(".")[0]) == (2, "text")


@pytest.mark.parametrize(
    "correction",
    [
        "訂正：W / 1 / 0807",
        "訂正：#1: W / 1 / 0807",
        "【訂正】W / 1 / 0807",
        "W / 2 / 0807 → W / 1 / 0807 に訂正",
        "訂正します。\nW / 1 / 0807",
    ],
)
def test_a_correction_stands_for_what_it_corrects(correction: str) -> None:
    found = judged(f"1T先攻\nW / 2 / 0807\n{correction}\n")
    assert found.findings == ()
    assert [old for _, old in found.corrected] == [2]
    assert len(found.turns[0].deeds) == 1


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("1T先攻\n訂正：F / 1108\n", "correction.none"),
        ("1T先攻\n#1: F / 1108\n1T後攻\n1108 / 6 / F\n1T先攻\n訂正：#1: D\n", "correction.late"),
        ("1T先攻\nF / 1108\n1T後攻\nD\n1T先攻\n訂正：F / 1107\n", "correction.late"),
    ],
)
def test_a_late_or_unfounded_correction_is_reported(log: str, reason: str) -> None:
    assert [f.reason for f in judged(log).findings] == [reason]


def test_pending_replies_are_expected_in_the_last_turn() -> None:
    of = scenario(arena(), "scopedog 0707", "brutishdog 1108", turns=1)
    log = "1T先攻\nD\n1T後攻\nF / 0707\n"
    found = judged(log, of)
    assert (found.outcome.over, [w.line for w in found.waiting]) == (False, [4])
    assert judged(log + "2T先攻\n0707 / 6 / F\n", of).outcome.over
