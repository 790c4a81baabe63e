"""Tests with short logs judged line by line, including the examples of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.games.battling.model import Machine, Scenario, order_words
from generator.games.battling.post.judge import judge
from generator.grid.columns import distance
from generator.model.words import LANGS
from tests.games.battling.fields import arena, scenario

OPEN = scenario(arena(), "scopedog 0707", "brutishdog 1108")
CLOSE = scenario(arena(), "scopedog 0707", "brutishdog 0807")
SQUADS = scenario(
    arena(14, 12, "0708 0605"),
    "scopedog 0707, brutishdog 0706, scopedog 0108",
    "strikedog 0806, scopedog 1108, scopedog 1412",
)


def findings_of(log: str, of: Scenario) -> list[tuple[int, str]]:
    return [(f.line, f.reason) for f in judge(log, of).findings]


@pytest.mark.parametrize("order", ["W / 2 / 0908", "R / 1/ 4 / 1205", "F / 1108", "D / 1 / 0806"])
def test_the_seeds_orders_from_0707_are_legal(order: str) -> None:
    assert findings_of(f"[turn 1] [first]\n{order}\n", OPEN) == []


@pytest.mark.parametrize("order", ["B / 1 / 0806 / 0907", "0707: B\n/ 1 / 0806 / 0907"])
def test_the_seeds_battling_is_legal(order: str) -> None:
    of = scenario(arena(), "scopedog 0707", "brutishdog 0907")
    assert findings_of(f"[turn 1] [first]\n{order}\n", of) == []


def test_the_seeds_shot_and_its_reply() -> None:
    log = "[turn 1] [first]\n[turn 1] [second]\nF / 1108\n[turn 1] [first]\n1108 / 1 / H / 2 / HP3\n"
    of = replace(OPEN, squads=scenario(arena(), "scopedog 1108", "brutishdog 0707").squads)
    assert findings_of(log, of) == []
    assert findings_of(log.replace("H / 2", "H / 3"), of) == [(5, "reply.hp")]
    deed = judge(log, of).turns[0].deeds[0]
    assert (deed.unit, deed.target, deed.reply and deed.reply.hp) == ("S1", "F1", 3)


def test_the_seeds_battling_replies() -> None:
    log = "[turn 1] [first]\n[turn 1] [second]\nB / 0707\n[turn 1] [first]\n0707 / 2 / D / HP3\n"
    assert findings_of(log, CLOSE) == []
    log = log.replace("0707 / 2 / D / HP3", "0707 / 4 / EX / HP3\n[turn 1] [second]\n0807 / EX / HP3")
    judged = judge(log, CLOSE)
    assert judged.findings == ()
    assert {unit: machine.hp for unit, machine in judged.position.machines.items()} == {"F1": 3, "S1": 3}


@pytest.mark.parametrize(
    ("last", "die", "right"), [("W / 1 / 0706", 2, "H"), ("R / 1 / 0706", 2, "F"), ("D", 2, "F")]
)
def test_the_targets_own_last_action_changes_the_die(last: str, die: int, right: str) -> None:
    of = scenario(arena(), "scopedog 0707", "strikedog 1307")
    at = "0706" if "0706" in last else "0707"
    assert house_number(of, at) == 3
    for result in "HF":
        rest = " / 6" if result == "H" else ""
        log = f"[turn 1] [first]\n{last}\n[turn 1] [second]\nF / {at}\n[turn 1] [first]\n"
        log += f"{at} / {die + 1} / {result}{rest} / HP4"
        assert (findings_of(log, of) == []) == (result == right)


def house_number(of: Scenario, at: str) -> int:
    cell = of.arena.field.find(at)
    assert cell
    return of.pack.number("strikedog", distance(of.squads["second"].machines[0].cell, cell))


def test_a_guard_lasts_one_phase_and_an_idle_machine_has_no_action() -> None:
    of = scenario(arena(), "scopedog 0707", "strikedog 1307")
    log = (
        "[turn 1] [first]\nD\n[turn 2] [first]\n[turn 2] [second]\nF / 0707\n[turn 2] [first]\n0707 / 3 / H / 6 / HP4"
    )
    assert findings_of(log, of) == []


CASES = {
    "W / 3 / 0907": "move.far",
    "R / 3 / 3 / 1305": "move.far",
    "W / 0 / 0707": "move.none",
    "W / 2 / 1007": "move.reach",
    "W / 1 / 0708": "move.closed",
    "W / 1 / 0806": "move.enemy",
    "W / 1 / 0706": "move.stack",
    "W / 2 / 9907": "move.hex",
    "R / 2 / 0909": "dash.straight",
    "R / 1 / 1 / 0907": "dash.where",
    "R / 1 @0706 / 1 / 0907": "dash.turn",
    "R / 2 / 0906": "move.enemy",
    "R / 1 / 0708": "move.closed",
    "F / 0909": "target.none",
    "F / 0706": "target.own",
    "F / 1412": "target.range",
    "B / 1108": "target.next",
    "B / 1 / 0807 / 0909": "target.none",
    "B / 0909": "target.none",
    "D / 2 / 0608": "move.far",
    "D / 1 / 0607 / 3": "text.order",
}


@pytest.mark.parametrize(("order", "reason"), CASES.items())
def test_an_order_is_refused_for_its_reason(order: str, reason: str) -> None:
    assert findings_of(f"[turn 1] [first]\n#1: {order}\n", SQUADS) == [(2, reason)]


@pytest.mark.parametrize(
    ("log", "reasons"),
    [
        ("W / 1 / 0607", [(1, "header.none")]),
        ("[turn 1] [first]\nD", [(2, "order.whose")]),
        ("[turn 1] [first]\nW / 1 / 0807", []),
        ("[turn 1] [first]\n#7: D", [(2, "order.unknown")]),
        ("[turn 1] [first]\n0909: D", [(2, "order.unknown")]),
        ("[turn 1] [first]\n0707: D\n0707: D / 1 / 0708", [(3, "order.twice")]),
        ("[turn 1] [first]\n#1: W / 1 / 0807\n#1: W / 1 / 0808", [(3, "order.twice")]),
        ("[turn 1] [first]\nW / 2 / 1410", [(2, "order.side")]),
        ("[turn 1] [first]\nW / 2 / 0401", [(2, "order.nobody")]),
        ("[turn 1] [second]\n#1: D", [(1, "header.first")]),
        ("[turn 2] [first]\n#1: D", [(1, "header.turn")]),
        ("[turn 3] [first]\n#1: D", [(1, "header.turn")]),
        ("[turn 1] [first]\n#1: D\n[turn 2] [second]\n#1: D", [(3, "header.first")]),
        ("[turn 1] [first]\n#1; W / 1 / 807\n1: W 0807", [(2, "text.order"), (3, "text.order")]),
        ("[turn 1] [first]\n#1; W / 1 / 807\nF / 1108", [(2, "text.order"), (3, "order.whose")]),
        ("[turn 1] [first]\n#1: D\n[turn 1] [secnd]\n#1: D", [(3, "header.misspelt")]),
        ("[turn 1] [first]\n0707 / 1 / H / 2 / HP3", [(2, "reply.none")]),
        ("[turn 1] [first]\n0707 / EX / HP3", [(2, "answer.none")]),
        ("[turn 1] [first]\n#1: F / 1108\n1108 / 6 / F", [(3, "reply.side")]),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n1108 / 6 / - / HP4", [(4, "reply.shot")]),
        ("[turn 1] [first]\n#1: B / 0806\n[turn 1] [second]\n0806 / 6 / F / HP5", [(4, "reply.clash")]),
        ("[turn 1] [first]\n#1: B / 0806\n[turn 1] [second]\n0806 / 2 / EX / HP4", [(4, "reply.result")]),
        ("[turn 1] [first]\n#1: B / 0806\n[turn 1] [second]\n0806 / 1 / EX", [(4, "reply.no_hp")]),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n#1: D", []),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n#1: D\n[turn 2] [first]\n#1: D", [(2, "reply.missing")]),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n1108 / 7 / F", [(4, "reply.die")]),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n1108 / 1 / H / HP3", [(4, "reply.damage")]),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n1108 / 6 / F / 1 / HP4", [(4, "reply.no_damage")]),
        ("[turn 1] [first]\n#1: F / 1108\n[turn 1] [second]\n1108 / 1 / H / 1", [(4, "reply.no_hp")]),
    ],
)
def test_faults_of_a_log_are_reported(log: str, reasons: list[tuple[int, str]]) -> None:
    assert findings_of(log, SQUADS) == reasons


def test_an_order_for_all_is_listed_if_each_at_has_another_order() -> None:
    orders = "[turn 1] [first]\n#1: W / 1 / 0807\n#2: D\n#3: D / 1 / 0208\n"
    found = judge(f"{orders}[turn 1] [first]\nall: F / 1108", SQUADS)
    assert (found.findings, found.doubtful) == ((), (6,))


def test_strict_dashes_never_turn() -> None:
    log = "[turn 1] [first]\nR / 1 / 4 / 1205"
    assert findings_of(log, replace(OPEN, rulings={"dash": "strict"})) == [(2, "dash.strict")]
    assert findings_of(log.replace("1 / 4 / 1205", "5 / 1204"), replace(OPEN, rulings={"dash": "strict"})) == []


def test_sight_through_a_building_is_blocked_and_through_a_machine_is_not() -> None:
    second = "brutishdog 0707, scopedog 0708"
    log = "[turn 1] [first]\nF / 0707"
    assert findings_of(log, scenario(arena(14, 12, "0708"), "scopedog 0710", "brutishdog 0707")) == [
        (2, "target.sight")
    ]
    assert findings_of(log, scenario(arena(), "scopedog 0710", second)) == []


def test_an_attack_without_a_reply_yet_is_not_a_fault() -> None:
    judged = judge("[turn 1] [first]\nF / 1108\n", OPEN)
    assert (judged.findings, [of.line for of in judged.waiting], judged.outcome.over) == ((), [2], False)
    judged = judge("[turn 1] [first]\n[turn 1] [second]\nB / 0707\n[turn 1] [first]\n0707 / 4 / EX / HP3\n", CLOSE)
    assert [(of.line, of.stage, of.side) for of in judged.waiting] == [(5, "answer", "second")]


def test_the_last_machine_lost_ends_the_battle_at_once() -> None:
    of = replace(OPEN, squads={**OPEN.squads, "second": replace(OPEN.squads["second"], machines=weak(OPEN))})
    log = "[turn 1] [first]\nF / 1108\n[turn 1] [second]\n1108 / 1 / H / 1 / HP0\n"
    judged = judge(log, of)
    assert (judged.findings, judged.outcome.winner) == ((), "first")
    assert findings_of(log + "D\n#1: D\n", of) == [(5, "end.over")]


def weak(of: Scenario) -> tuple[Machine, ...]:
    return tuple(replace(machine, hp=1) for machine in of.squads["second"].machines)


@pytest.mark.parametrize(("tie", "winner"), [("draw", None), ("hit_points", "first")])
def test_after_the_last_turn_the_greater_number_wins(tie: str, winner: str | None) -> None:
    of = replace(OPEN, turns=1, rulings={"tie": tie})
    log = "[turn 1] [first]\nF / 1108\n[turn 1] [second]\n1108 / 1 / H / 1 / HP3\nD\n"
    judged = judge(log, of)
    assert judged.findings == ()
    assert (judged.outcome.over, judged.outcome.winner) == (True, winner)
    assert findings_of(log + "[turn 2] [first]\nD\n", of) == [(7, "end.turns")]


def test_two_attacks_on_one_hex_are_answered_in_either_order() -> None:
    of = scenario(arena(), "scopedog 0707, scopedog 0907", "strikedog 0807")
    log = "[turn 1] [first]\n#1: F / 0807\n#2: B / 0807\n[turn 1] [second]\n{}\n{}\n"
    shot, melee = "0807 / 6 / F / HP5", "0807 / 2 / - / HP5"
    assert of.pack.battling_roll("scopedog", "strikedog").result(2) == "-"
    assert findings_of(log.format(shot, melee), of) == findings_of(log.format(melee, shot), of) == []


def test_a_machine_destroyed_by_the_first_shot_answers_no_second() -> None:
    of = scenario(arena(), "scopedog 0707, scopedog 0708", "strikedog 0807, scopedog 1412")
    second = of.squads["second"]
    squad = replace(second, machines=(replace(second.machines[0], hp=1), second.machines[1]))
    of = replace(of, squads={**of.squads, "second": squad})
    log = "[turn 1] [first]\n#1: F / 0807\n#2: F / 0807\n[turn 1] [second]\n0807 / 1 / H / 1 / HP0\n#2: D\n"
    assert findings_of(log, of) == []
    extra = log.replace("#2: D", "0807 / 6 / F / HP0\n#1: D")
    assert findings_of(extra, of) == [(6, "reply.none"), (7, "order.destroyed")]


def test_wrong_hit_points_are_reported_once_whichever_number_is_used_later() -> None:
    first = "[turn 1] [first]\nF / 1108\n[turn 1] [second]\n1108 / 1 / H / 1 / HP4\nD\n"
    first += "[turn 2] [first]\nF / 1108\n[turn 2] [second]\n"
    for hp in (3, 4):
        assert findings_of(f"{first}1108 / 6 / F / HP{hp}", OPEN) == [(4, "reply.hp")]
    assert findings_of(f"{first}1108 / 6 / F / HP2", OPEN) == [(4, "reply.hp"), (9, "reply.hp")]


def test_a_side_only_header_turns_the_page_by_itself() -> None:
    log = "【先攻】\nD\n【後攻】\nD\n【先攻】\nW / 1 / 0807\n【後攻】\nD\n"
    judged = judge("【1ターン】\n" + log, OPEN)
    assert judged.findings == ()
    assert [turn.number for turn in judged.turns] == [1, 2]


def test_turns_tell_paths_shots_and_what_became_of_them() -> None:
    log = "[turn 1] [first]\nR / 1 / 4 / 1205\n[turn 1] [second]\nF / 1205\n[turn 1] [first]\n1205 / 6 / F / HP4\n"
    (turn,) = judge(log, OPEN).turns
    name = OPEN.arena.field.name
    dash, shot = turn.deeds
    assert [name(cell) for cell in dash.path] == ["0707", "0807", "0907", "1006", "1106", "1205"]
    assert (shot.aim and name(shot.aim), shot.target, shot.path) == ("1205", "F1", (turn.before[1].cell,))
    assert [name(machine.cell) for machine in turn.before] == ["0707", "1108"]
    assert [name(machine.cell) for machine in turn.after] == ["1205", "1108"]


def test_a_refused_shot_keeps_its_line_for_the_picture() -> None:
    of = scenario(arena(14, 12, "0708"), "scopedog 0710", "brutishdog 0707")
    (deed,) = judge("[turn 1] [first]\nF / 0707", of).turns[0].deeds
    assert (deed.refused, deed.target) == ("target.sight", "S1")
    assert deed.aim
    assert of.arena.sight(deed.path[-1], deed.aim).blocked_at


def test_too_many_faults_end_it() -> None:
    judged = judge("[turn 1] [first]\n" + "#9: D\n" * 1000, OPEN)
    assert [finding.reason for finding in judged.findings[-2:]] == ["order.unknown", "text.many"]
    assert len(judged.findings) == 201


@pytest.mark.parametrize(
    "text", ["", "hello", "[turn 1] [first]", "[turn 0] [first]\nD", "\x00", "#" * 500, "W /" * 500]
)
def test_any_text_is_judged_without_a_crash(text: str) -> None:
    assert not judge(text, OPEN).outcome.over


def test_every_reason_speaks_both_languages() -> None:
    for group in order_words().why.values():
        for text in group.values():
            assert all(text[lang] for lang in LANGS)
            assert text.en.count("{") == text.ja.count("{")


@pytest.mark.parametrize("page", ["order_log.md", "order_log.ja.md"])
def test_the_documents_example_is_legal(page: str) -> None:
    text = (Path(__file__).parents[3] / "docs" / "formats" / page).read_text(encoding="utf-8")
    of = scenario(arena(), "scopedog 0707, brutishdog 0709", "scopedog 1108, scopedog 1107")
    judged = judge(text.split("```")[1], of)
    assert (judged.findings, len(judged.turns[0].deeds)) == ((), 4)
    assert findings_of("[turn 1] [first]\n0707: R / 2 @0906 / 2 / 1107", OPEN) == []
