"""Tests for logs in the formats that people post."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games.battling.notation import Header, Order, ShotReply
from generator.games.battling.post.entries import Doubtful, Misspelt, Unread
from generator.games.battling.post.log import parse, print_log
from generator.model.words import LANGS, Lang
from tests.games.battling.noise import item, posted

WALK = Order("W", (2,), "0908")


def read(text: str) -> list[object]:
    return [entry.item for entry in parse(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Ｗ／２／０９０８",
        "　w ／ 2 ／ 0908　",
        "W / 2 / 0908 # 前進",
        "W / 2 / 0908 // forward",
        "W / 2 / 0908（前進）",
        "W / 2 / 0908 「前進」",
        'W / 2 / 0908 "go (far)"',
        "W / 2 / 0908 (unclosed",
        "(as said) W / 2 / 0908。",
        "<p>W&nbsp;/ 2 / 0908</p>",
        "W<br>/ 2<br />/ 0908",
        "W\n/ 2\n/ 0908",
        "W /\n2 /\n\n0908",
        "\ufeffW / 2 / 09\u200b08",
        "・W / 2 / 0908",
        "- W / 2 / 0908",
        "■ Ｗ／２／０９０８",
        "<li>W / 2 / 0908</li>",
        "<table><tr><td>W / 2 / 0908</td><td>よろしく</td></tr></table>",
        "W / 2 / 0908 <!-- F / 1108 -->",
        "いくぞ！\nW / 2 / 0908\nGo on, Kiriko!\n2008/05/12 21:33\n> F / 0101\n# F / 0101\n「F / 0101」\nB隊は待機",
    ],
)
def test_an_order_is_read_in_every_notation(text: str) -> None:
    """An order inside a comment or quotation is reported as doubtful."""
    assert [item for item in read(text) if not isinstance(item, Doubtful)] == [WALK]


def test_the_seeds_line_break_inside_an_order_counts_where_it_begins() -> None:
    entries = parse("D\n\nB\n/ 0907\nD")
    assert [(e.line, e.item) for e in entries] == [(1, Order("D")), (3, Order("B", target="0907")), (5, Order("D"))]


def test_headers_stand_for_themselves_or_before_an_order() -> None:
    text = "[turn 3] [first] W / 2 / 0908\n【３ターン　後攻】\n[後攻]\n[so be it]\n［turn 4］"
    wanted = [Header(3, "first"), WALK, Header(3, "second"), Header(None, "second"), Header(4, None)]
    assert read(text) == wanted


def test_a_header_of_turn_and_side_needs_no_brackets() -> None:
    text = "3ターン目 先攻\n■第３ターン・後攻\nTurn 4, First\n【先攻・4ターン】\n先攻\nturn 5\nfirst of all"
    assert read(text) == [Header(3, "first"), Header(3, "second"), Header(4, "first"), Header(4, "first")]


def test_a_dash_as_a_result_is_not_a_bullet() -> None:
    assert read("0707 / 2 /\n- / HP3") == read("0707 / 2 / - / HP3")


@pytest.mark.parametrize(
    "text", ["2: W / 2 / 0908", "＃２　Ｗ／２／０９０８", "②：W / 2 / 0908", "・#2: W / 2 / 0908"]
)
def test_an_at_is_named_however_it_is_posted(text: str) -> None:
    assert read(text) == [Order("W", (2,), "0908", unit="2")]


def test_a_time_of_day_is_talk() -> None:
    assert read("10:30\n9:05 B.C. 12: done\n1:1") == []


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("1) W / 2 / 0908", Order("W", (2,), "0908", unit="1")),
        ("W-2-0908", WALK),
        ("W|2|0908", WALK),
        ("W 2 0908", WALK),
        ("D 防御", Order("D")),
        ("0707 1 / H / 2 / HP3", ShotReply("0707", 1, True, 2, 3)),
        ("0707 1 H 2 HP3", ShotReply("0707", 1, True, 2, 3)),
        ("#1; W / 2 / 1407", Order("W", (2,), "1407", unit="1")),
        ("1: W 2 1407", Order("W", (2,), "1407", unit="1")),
        ("1：W／２，１４０７", Order("W", (2,), "1407", unit="1")),
        ("S1 W 2 / 1407", Order("W", (2,), "1407", unit="S1")),
        ("1 F 1108", Order("F", target="1108", unit="1")),
        ("#2; D", Order("D", unit="2")),
        ("1 D", Order("D", unit="1")),
        ("歩行／２／０９０８", WALK),
        ("歩行（W）／２／０９０８", WALK),
    ],
)
def test_other_signs_than_slashes_are_read_where_nothing_else_can_be_meant(text: str, item: object) -> None:
    assert read(f"\n{text}\n") == [item]


@pytest.mark.parametrize(
    "text", ["W / 2 / 098", "#2: hello", "707 / 1 / H", "F / 11O8", "/ 0907", "W / 0908", "#1: F"]
)
def test_unreadable_notation_is_reported(text: str) -> None:
    (entry,) = parse(f"\n{text}\n")
    assert entry.line == 2
    assert isinstance(entry.item, Unread)


@pytest.mark.parametrize(
    "text",
    [
        "あなたの W / 2 / 0908 は遠い",
        "V / 2 / 1407",
        "[secnd]",
        "turn 2 secnd",
        "[turn 2 rain]",
    ],
)
def test_talk_that_looks_like_notation_is_noted(text: str) -> None:
    (item,) = read(text)
    assert isinstance(item, Doubtful)


def test_ordinary_sentences_are_talk_without_a_note() -> None:
    talk = (
        "I moved 2 hexes to 0908.\n0907 has HP 3 left\nMay/12/2008\nPlan B 2008\nturn 2 was fun\n#1 rule\n24/7"
        "\n2) But why?\nF列の敵が2機\n第2ターン後半は雨\n3ターン目は厳しい\n【激闘】\n今日は1407番"
        "\n0808 is where he was."
    )
    assert read(talk) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[turn 1] [secnd]", Header(1, "second")),
        ("[turn 12 seconds]", Header(12, "second")),
        ("[turn 3, frist]", Header(3, "first")),
        ("【1ターン 先行】", Header(1, "first")),
        ("【第2ターン】【後行】", Header(2, "second")),
    ],
)
def test_a_header_with_a_typo_is_read_as_intended(text: str, meant: Header) -> None:
    (item,) = read(text)
    assert isinstance(item, Misspelt)
    assert item.header == meant


@pytest.mark.parametrize("dash", "-−ー－–—‐‑‒―─ｰ")
def test_every_kind_of_dash_means_no_effect(dash: str) -> None:
    assert read(f"0707 / 3 / {dash} / HP4") == read("0707 / 3 / - / HP4")
    assert not isinstance(read(f"0707 / 3 / {dash} / HP4")[0], Unread)


def test_a_machine_number_after_a_hash_is_not_a_comment() -> None:
    assert (
        read("#2: W / 2 / 0908 #2 go\n＃２：　Ｗ／２／０９０８\n# 2 go") == [Order("W", (2,), "0908", unit="2")] * 2
    )


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 1 << 32), st.sampled_from(LANGS))
def test_posted_logs_round_trip(seed: int, lang: Lang) -> None:
    random = Random(seed)
    items = [item(random) for _ in range(20)]
    text = "\n".join(posted(of, random) for of in items)
    assert read(text) == items, text
    again = print_log(items, lang)
    assert read(again) == items
    assert print_log(read(again), lang) == again  # type: ignore[arg-type]  # what was read is what was printed


def test_a_runaway_line_is_cut() -> None:
    assert isinstance(read("W / 2 / " + "0908" * 5000)[0], Unread)
    assert read("(" * 100000) == []
    assert isinstance(read("0707 / 5 / F / HP4")[0], ShotReply)
