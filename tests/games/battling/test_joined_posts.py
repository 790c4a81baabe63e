"""Tests for headers within a line and for headers that a forum writes above a post."""

from __future__ import annotations

import pytest

from generator.games.battling.post.judge import Judged, judge
from tests.games.battling.wordings import battle


def judged(log: str) -> Judged:
    return judge(log, battle("apart"))


def found(log: str) -> list[tuple[int, str, str]]:
    return [(finding.line, finding.kind, finding.reason) for finding in judged(log).findings]


def orders(log: str) -> list[str]:
    return [f"{turn.number} {deed.unit} {deed.order.action}" for turn in judged(log).turns for deed in turn.deeds]


GUARDS = ["1 F2 D", "1 S1 D"]


@pytest.mark.parametrize(
    "log",
    [
        "【1ターン 先攻】#2: D【1ターン 後攻】#1: D",
        "[turn 1] [first]#2: D[turn 1] [second]#1: D",
        "[turn 1 first]#2: D[turn 1 second]#1: D",
        "【1ターン 先攻】#2：Dです。【1ターン 後攻】#1：Dです。",
        "【1ターン 先攻】\n#2: D【1ターン 後攻】#1: D",
        "【1ターン 先攻】\n#2: D【1ターン 後攻】\n#1: D",
        "【先攻】#2: D【後攻】#1: D",
        "[first] #2: D [second]\n#1: D",
        "1T先攻#2: D1T後攻#1: D",
        "【1ターン 先攻】#2: D■1T後攻■#1: D",
        "【1ターン 先攻】#2: D\n太郎：【1ターン 後攻】よろしく\n#1: D",
        "【1ターン 先攻】#2: D\n6：【1ターン 後攻】2026/11/29(日) 21:02\n#1: D",
    ],
)
def test_a_header_directly_after_other_text_begins_a_post(log: str) -> None:
    assert orders(log) == GUARDS and found(log) == []


def test_a_thread_in_one_line_without_spaces_is_read_as_if_each_post_had_its_own_line() -> None:
    log = "【1ターン 先攻】#1: F / 1108【1ターン 後攻】1108 / 5 / F#1: D【2ターン 先攻】#2: D"
    assert orders(log) == ["1 F1 F", "1 S1 D", "2 F2 D"] and found(log) == []


@pytest.mark.parametrize(
    "log",
    [
        "【1ターン 先攻】#2: D【1ターン 後攻】よろしく！#1: D",
        "[turn 1] [first] #2: D [turn 1] [second] Hello there. #1: D",
        "【1ターン 先攻】#2: D【1ターン 後攻】よろしく！\n#1: D",
        "【1ターン 先攻】#2: D では【1ターン 後攻】さん、どうぞ\n#1: D",
    ],
)
def test_a_header_before_talk_and_an_order_is_asked_about(log: str) -> None:
    assert orders(log) == GUARDS and found(log) == [(1, "question", "header.within")]


@pytest.mark.parametrize(
    "log",
    [
        "【1ターン 先攻】#2: D【1ターン 後攻】よろしく！",
        "【1ターン 先攻】#2: D。次は【1ターン 後攻】です\n【1ターン 後攻】\n",
        "[turn 1] [first] #2: D. See [turn 2] [first] for more.",
    ],
)
def test_a_later_header_before_talk_alone_is_listed(log: str) -> None:
    assert orders(log) == GUARDS[:1] and found(log) == [] and judged(log).doubtful == (1,)


def test_the_order_of_a_later_turn_is_asked_about() -> None:
    log = "[turn 1] [first] #2: D. In [turn 2] [first] I'll do #1: F / 1108"
    assert orders(log) == GUARDS[:1] and found(log) == [(1, "unread", "text.unreadable")]


def test_a_digit_before_a_header_is_asked_about() -> None:
    log = "1T先攻 #1: F / 1108\n1T後攻 1108 / 3 / H / 2 / HP32T先攻#1: D"
    assert found(log) == [(2, "question", "header.within")]


FIRST = "【1ターン 先攻】\n#2: D\n\n"


@pytest.mark.parametrize(
    "header",
    [
        "6：後攻：2026/11/29(日) 21:02",
        "6 ：後攻：2026/11/29(日) 21:02:33.12 ID:abc/D0",
        "6 名前：後攻 投稿日：2026/11/29(日) 21:02:33",
        "6: 1T後攻: 2026/11/29(日) 21:02",
        "[6] 後攻さん 2026/11/29(日) 21:02",
        "6：後攻：",
        "後攻 2026/11/29 21:02",
        "後攻 11/29 21:02",
        "後攻（太郎） 2026年11月29日 21:02",
        "2026/11/29 21:02 後攻",
        "7: second: 2026-11-29 21:02",
        "second wrote on 2026-11-29 21:02:",
        "Posted by second on Nov 29, 2026 at 9:02 PM",
        "second » 29 Nov 2026, 21:02",
        "second — Today at 21:02",
        "29/11/2026, 21:02 - second:",
        "[21:02] second:",
        "second 2026-11-29 21:02 Hello!",
    ],
)
def test_a_header_with_the_number_or_time_of_a_post_is_read(header: str) -> None:
    log = f"{FIRST}{header}\n#1: D\n"
    assert orders(log) == GUARDS and found(log) == []


@pytest.mark.parametrize("line", ["21:02 後攻 #1: D", "29/11/2026, 21:02 - second: #1: D", "後攻 21:02 #1: D"])
def test_an_order_can_follow_the_time_of_a_post(line: str) -> None:
    assert orders(f"{FIRST}{line}\n") == GUARDS and found(f"{FIRST}{line}\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "6：後攻",
        "6：名無しさん＠後攻：2026/11/29(日) 21:02",
        "second 5:30 works for me",
        "後攻 2026/11/29 21:00 に投稿予定",
    ],
)
def test_a_line_that_may_be_such_a_header_is_listed(line: str) -> None:
    assert judged(f"{FIRST}{line}\n").doubtful == (4,) and found(f"{FIRST}{line}\n") == []


@pytest.mark.parametrize("line", ["First, today I rest.", "Sunday 21:00, second player please", "後攻は11/29までに"])
def test_talk_about_a_time_is_not_a_header(line: str) -> None:
    assert orders(f"{FIRST}{line}\n#1: D\n") == ["1 F2 D", "1 F1 D"]
