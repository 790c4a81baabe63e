"""Tests for the suggested next post of a thread: its side, pending rolls, legal orders, and reading the post back."""

from __future__ import annotations

from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from generator.games.battling.forces import house_pack
from generator.games.battling.game import LOGBOOK
from generator.games.battling.legal_orders import orders
from generator.games.battling.model import Scenario
from generator.games.battling.notation import write_line
from generator.games.battling.post.judge import judge
from generator.games.battling.post.random_game import play
from generator.model.words import LANGS, Lang
from generator.seeds import Rng
from tests.games.battling.fields import arena, plaza, scenario

DUEL = scenario(arena(), "scopedog 0707", "brutishdog 1108")
CLOSE = scenario(arena(), "brutishdog 0807", "scopedog 0707, standing_tortoise 1412")


def rows(log: str, of: Scenario = DUEL) -> dict[str, Any]:
    return LOGBOOK.next(of, log, ()).rows


def text(log: str, of: Scenario = DUEL, lang: Lang = "en") -> str:
    return LOGBOOK.next(of, log, ()).text[lang]


@pytest.mark.parametrize(
    ("log", "turn", "side"),
    [
        ("", 1, "first"),
        ("1T先攻\nよろしく\n", 1, "first"),
        ("1T先攻\nD\n", 1, "second"),
        ("1T先攻\nD\n1T後攻\nD\n", 2, "first"),
        ("1T先攻\nF / 1108\n1T後攻\n1108 / 6 / F\n", 1, "second"),
    ],
)
def test_whose_post_it_is(log: str, turn: int, side: str) -> None:
    found = rows(log)
    assert (found["turn"], found["side"], found["over"]) == (turn, side, False)


def test_a_pending_shot_shows_its_number_and_modifiers() -> None:
    """The target is a Standing Tortoise that dashed before the shot."""
    log = "1T先攻\nR / 1 / 0706\n1T後攻\nF / 0706\n"
    of = scenario(arena(), "standing_tortoise 0707", "brutishdog 1008")
    (pending,) = rows(log, of)["owes"]
    number, power = of.pack.number("brutishdog", 4), of.pack.machines["brutishdog"].damage["standing_tortoise"]
    assert pending["distance"] == 4
    assert (pending["number"], pending["change"], pending["last"]) == (number, 1, "R")
    assert (pending["damage"], pending["armour"]) == (power, 1)
    assert (pending["kind"], pending["line"], pending["write"]) == ("shot", 4, "0706 / ? / H / ? / HP?")
    page = text(log, of)
    assert f"to hit: {number}; Shot at after its own roller dash: +1 to the hit die." in page
    assert f"A roll of {number - 1} or less hits" in page
    assert "Standing Tortoise as the target: +1 to the damage die." in page


def test_a_shot_that_cannot_hit_is_pending_as_a_miss() -> None:
    """A hit number of 1 against a machine that dashed never hits, so the line to fill in has only one die."""
    of = scenario(arena(), "scopedog 0710", "scopedog 0702")
    log = "1T先攻\nR / 1 / 0709\n1T後攻\nF / 0709\n"
    (pending,) = rows(log, of)["owes"]
    assert (pending["number"], pending["change"], pending["write"]) == (1, 1, "0709 / ? / F / HP4")
    assert "No roll hits; write a miss as F" in text(log, of)
    assert "命中判定のダイスに+1。出目にかかわらず、はずれ。" in text(log, of, "ja")
    assert "damage:" not in text(log, of)
    assert judge(log + "2T先攻\n" + pending["write"].replace("?", "6"), of).findings == ()


def test_certain_results_are_reported_as_certain() -> None:
    """A user's charts may contain shots that always hit, and armour that no shot penetrates."""
    kinds = house_pack().machines
    sure = msgspec.structs.replace(kinds["scopedog"], shooting=(7,) * 8)
    tank = msgspec.structs.replace(kinds["brutishdog"], armour=6)
    pack = msgspec.structs.replace(house_pack(), machines={**kinds, "scopedog": sure, "brutishdog": tank})
    of = replace(DUEL, pack=pack)
    page = text("1T先攻\nF / 1108\n", of)
    assert "Any roll hits" in page
    assert "No roll costs a hit point (HP4 now)" in page


def test_pending_battling_lists_each_face_and_the_answer() -> None:
    log = "1T先攻\nD\n1T後攻\n#1: D\n2T先攻\nB / 0707\n"
    (pending,) = rows(log, CLOSE)["owes"]
    row = CLOSE.pack.results[CLOSE.pack.machines["brutishdog"].battling["scopedog"]]
    assert pending["results"] == [*row[1:], row[-1]]
    assert pending["change"] == 1
    face = pending["results"].index("EX") + 1
    log += f"2T後攻\n0707 / {face} / EX / HP3\n#2: D\n"
    found = rows(log, CLOSE)
    assert [row["write"] for row in found["owes"]] == ["0807 / EX / HP3"]
    assert (found["turn"], found["side"], found["idle"]) == (3, "first", ["S1"])


def test_pending_replies_of_the_other_side_are_shown() -> None:
    log = "1T先攻\nB / 0707\n1T後攻\n0707 / 4 / EX / HP3\n"
    found = rows(log, CLOSE)
    assert (found["owes"], [row["write"] for row in found["others"]]) == ([], ["0807 / EX / HP3"])
    assert "the first player must still reply to line 4" in text(log, CLOSE)


def test_orders_are_those_that_are_legal() -> None:
    log = "1T先攻\nD\n"
    position = judge(log, CLOSE).position
    listed = rows(log, CLOSE)["orders"]
    assert listed == {unit: [write_line(o) for o in orders(position, unit)] for unit in ("S1", "S2")}


@pytest.mark.parametrize("lang", LANGS)
def test_the_filled_in_post_reads_back(lang: Lang) -> None:
    """In a complete battle, each post begins with the suggested text.

    The judge ignores the explanations in this text.
    """
    of = plaza(turns=4)
    clean = play(of, Rng("3", "v1/test/umpire")).split("\n\n")
    log = ""
    for post in clean:
        head, *lines = post.splitlines()
        begun = text(log, of, lang).splitlines()
        talk = [line for line in begun[1:] if "?" not in line or line[0] in "(（"]
        answers = [line for line in talk if line[0] not in "(（"]
        log += "\n".join([head, *talk, *(line for line in lines if line not in answers)]) + "\n\n"
    found = judge(log, of)
    assert found.findings == ()
    assert found.doubtful == ()
    assert [turn.after for turn in found.turns] == [turn.after for turn in judge("\n\n".join(clean), of).turns]


def test_a_remaining_blank_is_reported() -> None:
    log = "1T先攻\nF / 1108\n"
    (found,) = judge(log + text(log), DUEL).findings
    assert found.reason == "text.unreadable"


def test_when_it_is_over_nothing_is_to_be_written() -> None:
    of = scenario(arena(), "scopedog 0707", "brutishdog 1108", hp=1)
    log = "1T先攻\nF / 1108\n1T後攻\n1108 / 1 / H / 1 / HP0\n"
    found = rows(log, of)
    assert (found["over"], found["turn"], found["orders"]) == (True, None, {})
    assert text(log, of) == "(The first player wins: 1 machine left against 0.)"


def test_only_pending_replies_remain_after_the_last_turn() -> None:
    of = scenario(arena(), "scopedog 0707", "brutishdog 1108", turns=1)
    found = rows("1T先攻\nD\n1T後攻\nF / 0707\n", of)
    assert (found["over"], found["turn"], found["side"], found["orders"]) == (False, 1, "first", {})
    assert len(found["owes"]) == 1


def test_the_picture_is_of_the_start_of_the_turn() -> None:
    log = "1T先攻\nR / 1 / 0806\n"
    sheet = LOGBOOK.next(DUEL, log, ()).sheet
    (view,) = [figure for name, figure in sheet.figures.items() if name == "map_0"]
    places = {DUEL.arena.field.name(cell) for cell, _ in cast(Any, view).tokens}
    assert places == {"0707", "1108"}
    assert (cast(Any, view).tracks, sheet.title.en) == ((), "Start of turn 1 of 10")
    later = LOGBOOK.next(DUEL, log + "1T後攻\nD\n", ()).sheet
    assert "0806" in {DUEL.arena.field.name(cell) for cell, _ in cast(Any, later.figures["map_0"]).tokens}
