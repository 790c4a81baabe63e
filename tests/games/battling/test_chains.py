"""Tests for dice from hash chains, forged chains and sealed texts. The tests compute hashes with hashlib alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from random import Random
from typing import cast

import pytest

from generator.games.battling.game import LOGBOOK
from generator.games.battling.model import SIDES, Side, order_words
from generator.games.battling.notation import Order
from generator.games.battling.post.chain import digest, forge, sealed, spoken, thrown
from generator.games.battling.post.judge import judge
from tests.games.battling.chains import chain, chain_posts, chained, dice, sha
from tests.games.battling.fields import arena, plaza, scenario
from tests.games.battling.plants import FORGED, is_reported, opening_of_seal, sealing
from tests.games.battling.threads import RHYTHMS, Event, Rhythm, type_thread

DUEL = scenario(arena(), "scopedog 0707", "brutishdog 1108")
FIRST, SECOND = chain("red shoulder", 4), chain("kummen", 4)


@cache
def battle(number: int) -> tuple[list[Event], dict[Side, str]]:
    return chained(plaza(), str(number))


def test_a_chain_is_as_the_document_has_it() -> None:
    assert list(forge("red shoulder", 4)) == FIRST
    assert [digest(link) for link in FIRST[1:]] == FIRST[:-1]
    assert digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert FIRST[-1] == sha("red shoulder")


def test_dice_are_the_digits_of_a_hash() -> None:
    mixture = f"{FIRST[1]} {SECOND[1]} F / 1108"
    made = thrown(mixture)
    wanted = dice(FIRST[1], SECOND[1], "F / 1108")
    assert [next(made) for _ in wanted] == wanted
    # After the last digit, the hash of the digits supplies more digits.
    assert next(made) == dice_of(sha(sha(mixture)))[0]
    assert LOGBOOK.dice.roll(FIRST[1], SECOND[1], "#2: f/1108")[0] == mixture


def dice_of(digits: str) -> list[int]:
    return [int(digit, 16) % 6 + 1 for digit in digits if digit < "c"]


def test_every_face_comes_as_often_as_any_other() -> None:
    made = thrown("fair?")
    counts = [0] * 6
    for _ in range(60_000):
        counts[next(made) - 1] += 1
    assert max(abs(count - 10_000) for count in counts) < 500


def test_an_order_goes_into_a_roll_without_its_at() -> None:
    assert spoken(Order("B", (1,), "0806", "0907", unit="2")) == "B / 1 / 0806 / 0907"


@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_a_battle_by_chains_is_verified(rhythm: Rhythm) -> None:
    for number in range(2):
        events, ends = battle(number)
        judged = judge(type_thread(events, rhythm, "ja", Random(number), first=chain_posts(ends)).text, plaza())
        assert judged.findings == ()
        assert judged.outcome.over
        assert set(judged.links) == {"first", "second"}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forgery_is_reported_at_its_line(kind: str) -> None:
    caught = 0
    for number in range(3):
        events, ends = battle(number)
        random = Random(f"{kind}{number}")
        plant = next(FORGED[kind](plaza(), events, random), None)
        if plant:
            caught += 1
            first = plant.first(chain_posts(ends))
            assert is_reported(
                plant, type_thread(plant.events, "mixed", "en", random, plant.change, first=first), plaza()
            )
    assert caught


def test_every_reason_for_chains_and_seals_is_planted() -> None:
    """The proof must plant every reason that the judge can report for chains and seals."""
    events, _ = battle(0)
    planted = {plant.reasons for way in FORGED.values() for plant in islice(way(plaza(), events, Random(0)), 1)}
    known = {f"{group}.{name}" for group in ("dice", "seal") for name in order_words().why[group]}
    assert {reason for of in planted for reason in of} == known


@pytest.mark.parametrize("number", range(4))
def test_opening_a_sealed_set_up_unchanged_is_correct(number: int) -> None:
    events, ends = battle(number % 3)
    random, side = Random(number), SIDES[number % 2]
    post, text = sealing(plaza(), side, random)
    opened, at = opening_of_seal(events, text, side, random)
    thread = type_thread(opened, "mixed", "ja", random, first=[*chain_posts(ends), post])
    assert judge(thread.text, plaza()).findings == ()
    lines = thread.text.splitlines()
    for talk in (" これで全部です。よろしく！", "（これで全部）", "。", " // that is all", "#!"):
        lines[thread.lines[at] - 1] = f"open: {text.removeprefix('open: ')}{talk}"
        assert judge("\n".join(lines), plaza()).findings == ()


def log(*lines: str) -> str:
    return "\n".join((*chain_posts({"first": FIRST[0], "second": SECOND[0]}), *lines, ""))


def reasons_of(text: str) -> list[str]:
    return [finding.reason for finding in judge(text, DUEL).findings]


def test_an_order_that_was_posted_with_its_link_stands() -> None:
    posted = log("1T先攻", f"F / 1108 {FIRST[1]}", f"訂正：R / 1 / 0807 {FIRST[1]}")
    assert reasons_of(posted) == ["correction.late"]


@pytest.mark.parametrize(
    "vow",
    ["よろしく！ chain: {}", "Here is my chain: {}", "1T先攻 chain: {}", "1T先攻：チェーン {} です", "私の鎖　{}"],
)
def test_a_chain_may_be_published_within_a_line(vow: str) -> None:
    told_so = log("1T先攻", f"F / 1108 {FIRST[1]}").replace(f"chain: {FIRST[0]}", vow.format(FIRST[0]))
    assert set(judge(told_so, DUEL).links) == {"first", "second"}
    second = log("D").replace(f"1T後攻\nチェーン：{SECOND[0]}", f"1T後攻 chain: {SECOND[0]}\n1T先攻")
    assert set(judge(second, DUEL).links) == {"first", "second"}


def test_a_link_behind_an_order_is_its_own_whatever_it_is_called() -> None:
    assert reasons_of(log("1T先攻", f"F / 1108 chain: {FIRST[1]}")) == []


def test_both_players_publish_chains_before_the_first_order() -> None:
    alone = f"1T先攻\nchain: {FIRST[0]}\nD\n"
    assert reasons_of(alone) == ["dice.alone"]
    assert reasons_of(f"{alone}1T後攻\nchain: {SECOND[0]}\n") == ["dice.alone", "dice.late"]
    assert reasons_of(log("1T先攻", f"chain: {FIRST[1]}")) == ["dice.twice"]


def test_a_pending_reply_is_rolled_from_the_defenders_chain() -> None:
    posted = log("1T先攻", f"F / 1108 {FIRST[1]}")
    first, second = dice(FIRST[1], SECOND[1], "F / 1108")[:2]
    (pending,) = owes(posted, SECOND)
    hit = f"H / {second} / HP{4 - (second <= 2)}" if first <= 3 else "F / HP4"
    assert pending["write"] == f"1108 / {first} / {hit} {SECOND[1]}"
    assert reasons_of(f"{posted}1T後攻\n{pending['write']}\nD\n") == []
    (blank,) = owes(posted, FIRST)
    assert blank["write"] == "1108 / ? / H / ? / HP?"


def owes(posted: str, links: list[str]) -> list[dict[str, object]]:
    return cast(list[dict[str, object]], LOGBOOK.next(DUEL, posted, tuple(links)).rows["owes"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text, None),
        (lambda text: text.replace("S1 1108", "S1  1108"), None),
        (lambda text: text.replace("blue", "red"), "seal.other"),
        (lambda text: text.replace("1108", "1109"), "seal.other"),
    ],
)
def test_a_sealed_set_up_is_what_it_says(change: Callable[[str], str], reason: str | None) -> None:
    text = "blue-kettle S1 1108"
    posted = f"後攻：\n1T後攻\nseal: {sha(text)}\n1T先攻\nD\n1T後攻\nopen: {change(text)}\nD\n"
    assert sealed(text) == sha(text)
    assert reasons_of(posted.replace("後攻：\n", "")) == ([reason] if reason else [])


def test_a_machine_stands_where_it_was_sealed() -> None:
    text = "blue-kettle S1 1109"
    assert reasons_of(f"1T後攻\n封印：{sha(text)}\n1T先攻\nD\n1T後攻\n開封：{text}\n") == ["seal.place"]
    assert reasons_of("1T先攻\nopen: the door\nD\n") == []


def test_a_link_in_brackets_is_talk() -> None:
    assert reasons_of(log("1T先攻", f"F / 1108 ({FIRST[1]})")) == ["dice.none"]
