"""Tests for lines that are not understood or not legal.

Such lines are queried, listed or assumed, and never affect later lines.
"""

from __future__ import annotations

import pytest

from generator.games.battling.game import LOGBOOK
from generator.games.battling.post.judge import Judged, judge
from generator.model.words import LANGS
from tests.games.battling.wordings import battle

SHOT = "1T先攻\n#1: F / 1108\n#2: D\n1T後攻\n"


def judged(log: str) -> Judged:
    return judge(log, battle("apart"))


def found(log: str) -> list[tuple[int, str, str]]:
    return [(finding.line, finding.kind, finding.reason) for finding in judged(log).findings]


def notes(log: str) -> list[tuple[int, str]]:
    return [(note.line, note.reason) for note in judged(log).notes]


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
