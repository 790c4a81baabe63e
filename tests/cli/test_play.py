"""Tests for `muster play`, and for `muster fairness` on recorded and new games."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from generator import games
from generator.cli.verb_play import _find_seat
from generator.common.play_session import folded
from tests.cli.conftest import CODE, SMALL, Made
from tests.cli.run import muster


@pytest.fixture
def duel(here: Path, made: Made) -> Path:
    """Return the file of a small, short and symmetric battle."""
    return Path(shutil.copy(made("draw", "battling", "--seed", CODE, *SMALL, "-o", "duel.toml") / "duel.toml", here))


@pytest.fixture
def field_battle(here: Path, made: Made) -> Path:
    """Return the file of a Blind Faith battle in which the Crusaders attack."""
    drawn = made("draw", "blind_faith", "--seed", CODE, "--kind", "battle", "--points", "30", "-o", "met.toml")
    return Path(shutil.copy(drawn / "met.toml", here))


def test_a_code_plays_the_same_game_again(duel: Path) -> None:
    one, again = (muster("play", duel, "--seed", CODE, "--json") for _ in range(2))
    assert one.out == again.out
    assert one.json["log"][0] == "[turn 1] [first]"
    assert [step["what"] for step in one.json["steps"] if not step["dice"]]
    assert muster("play", duel, "--seed", CODE).out.splitlines()[2:-1] == one.json["log"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_log_that_is_written_is_judged_and_shown_by_others(duel: Path, lang: str) -> None:
    done = muster("play", duel, "--players", "brawler,lurker", "-o", "game.txt", "--lang", lang)
    assert done.code == 0
    judged = muster("orders", "check", "game.txt", "--scenario", duel, "--json").json
    assert (judged["clean"], judged["over"]) == (True, True)
    assert ("ターン" in Path("game.txt").read_text("utf-8")) == (lang == "ja")


def test_a_person_plays_and_may_leave(duel: Path) -> None:
    user_input = "?#1: D\n#1: X\n#1: D\n#2: D\n\nquit\n"
    done = muster("play", duel, "--me", "1", "--seed", CODE, user_input=user_input)
    assert done.code == 0
    assert "  F1 D  F1" in done.out
    assert "This move is not possible here: #1: X" in done.out
    assert done.out.count("Type an order") == 6
    assert done.out.rstrip().endswith("muster play --resume duel.game.json")


def test_a_move_may_be_typed_in_letters_of_any_size(duel: Path) -> None:
    done = muster("play", duel, "--me", "1", "--seed", CODE, user_input="?#1: d\n#1: d\n＃2:　d\n")
    assert "  F1 D  F1" in done.out
    assert "not possible" not in done.out
    assert done.out.count("Type an order") == 4


def test_a_card_is_named_with_its_words_apart() -> None:
    assert folded("Left Probe") == folded("left_probe")


@pytest.mark.parametrize("seat", ["first", "First player", "先攻", "1"])
def test_a_seat_is_known_by_its_name_and_how_it_begins(duel: Path, seat: str) -> None:
    assert "First player: you" in muster("play", duel, "--me", seat, user_input="\n").out


def test_games_are_recounted_by_their_numbers(duel: Path) -> None:
    rows = muster("fairness", duel, "--replay", "0-3", "--json").json
    assert [row["number"] for row in rows] == [0, 1, 2, 3]
    assert muster("fairness", duel, "--replay", "2", "--json").json == rows[2:3]
    answer = muster("play", duel, "--game", "2", "--json").json
    assert (answer["winner"], answer["counted"], answer["length"]) == tuple(
        rows[2][key] for key in ("winner", "counted", "length")
    )
    assert "2: Brawler – Brawler" in muster("fairness", duel, "--replay", "2").out


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("play", "duel.toml", "--players", "nobody"), "there is no player named 'nobody'"),
        (("play", "duel.toml", "--players", "brawler,lurker,lurker"), "one player for each side"),
        (("play", "duel.toml", "--me", "third"), "there is no side named 'third'"),
        (("play", "duel.toml", "--game", "99999"), "there is no game with this number"),
        (("play", "duel.toml", "--game", "1", "--me", "1"), "the number given to --game determines the players"),
        (("play", "duel.toml", "--me", "1", "--json"), "cannot be combined with --json"),
        (("play", "march.toml"), "this scenario has no fight yet"),
        (("play", "faith.toml", "--game", "1"), "so no game can be selected by number"),
        (("fairness", "duel.toml", "--replay", "x"), "no games have these numbers"),
        (("fairness", "duel.toml", "--replay", "99999"), "no games have these numbers"),
        (("fairness", "duel.toml", "duel.toml", "--replay", "1"), "--replay accepts only one scenario"),
        (("fairness", "faith.toml", "--replay", "1"), "so no game can be selected by number"),
    ],
)
def test_scenarios_that_cannot_be_played_are_reported(
    duel: Path, made: Made, args: tuple[str, ...], expected: str
) -> None:
    for kind, name in (("march", "march.toml"), ("battle", "faith.toml")):
        shutil.copy(made("draw", "blind_faith", "--seed", CODE, "--kind", kind, "-o", name) / name, name)
    done = muster(*args)
    assert done.code == 2
    assert expected in done.out + done.err and "FILE" not in done.err


def test_a_scenario_that_is_not_legal_is_not_played(duel: Path) -> None:
    text = re.sub(r'(id = "F1", hex = )"\d{4}"', r'\1"0707"', duel.read_text("utf-8"))
    duel.write_text(text, "utf-8")
    for args in (("play", duel), ("play", duel, "--me", "1"), ("fairness", duel, "--play")):
        done = muster(*args)
        assert done.code == 1
        assert "cannot be played" in done.err and f"run muster check {duel}" in done.err


def test_a_scenario_is_sought_that_holds_in_play(here: Path) -> None:
    args = ("draw", "battling", "--seed", CODE, *SMALL, "--fair", "C", "--jobs", "1")
    done = muster(*args, "-o", "even.toml")
    assert done.code == 0
    assert "Drawn with fairness grade C" in done.out
    (row,) = muster("fairness", "even.toml", "--play", "--jobs", "1", "--json").json
    assert row["played"]["grade"] == "C"
    assert row["legal"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_computed_game_has_odds_instead_of_played_games(field_battle: Path, lang: str) -> None:
    done = muster("fairness", "met.toml", "--play", "-o", "fair.pdf", "--lang", lang)
    assert done.code == 0
    assert (
        len([line for line in done.out.splitlines() if line.endswith(("% draws", " %")) and "50 ±" not in line]) == 6
    )
    assert muster("preflight", "fair.pdf", "--json").code == 0
    assert len(PdfDocument("fair.pdf")) == 2
    (row,) = muster("fairness", "met.toml", "--play", "--json", "--lang", lang).json
    assert {pair["series"] for pair in row["played"]["pairs"]} == {"computed"}
    assert all(pair["interval"][0] <= pair["rate"] <= pair["interval"][1] for pair in row["played"]["pairs"])


@pytest.mark.parametrize(("lang", "began", "who"), [("en", "Round 1.", "Crusaders"), ("ja", "第1ラウンド", "十字軍")])
def test_a_computed_fight_can_also_be_played(field_battle: Path, lang: str, began: str, who: str) -> None:
    done = muster("play", field_battle, "--seed", CODE, "--lang", lang)
    again = muster("play", field_battle, "--seed", CODE, "--lang", lang, "--json").json
    assert done.out.splitlines()[2:-1] == again["log"]
    assert (again["log"][0].startswith(began), who in again["log"][0]) == (True, True)
    assert again["players"] == ["half", "careful"]
    assert [again["counted"], again["length"]] == [[0, 2], 4]


def test_a_user_plays_a_fight_and_typos_are_reported(field_battle: Path) -> None:
    user_input = "?youth\nyouth_horse > tabor\nYouth horse > Tabor-2\n-\nstand\nstay\n"
    done = muster("play", field_battle, "--me", "crusaders", "--seed", CODE, user_input=user_input)
    assert done.code == 0
    assert "Crusaders: you" in done.out
    assert "  youth_horse > hussite_foot-4  youth_horse fires at hussite_foot-4" in done.out
    rejected = "This move is not possible here: youth_horse > tabor\nDid you mean: youth_horse > tabor-"
    assert rejected in done.out
    assert "Fire, Youth cavalry at Tabor 2: " in done.out
    assert "This move is not possible here: stand\nDid you mean: stay" in done.out
    assert done.out.rstrip().endswith("muster play --resume met.game.json")


def test_the_lines_of_a_fight_are_drawn(field_battle: Path) -> None:
    done = muster("play", field_battle, "--seed", CODE, "--pictures", "shown", "--json")
    assert done.code == 0
    assert len(list(Path("shown").iterdir())) > done.json["length"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_games_came_to_is_a_page_behind_the_certificate(duel: Path, lang: str) -> None:
    done = muster("fairness", duel, "--play", "--jobs", "1", "-o", "fair.pdf", "--lang", lang)
    assert done.code == 0
    preflighted = muster("preflight", "fair.pdf", "--json")
    assert preflighted.code == 0
    assert len(PdfDocument("fair.pdf")) == 2


def test_a_game_is_shown_turn_by_turn(duel: Path) -> None:
    done = muster("play", duel, "--game", "2", "--pictures", "shown", "--json")
    assert done.code == 0
    files = sorted(path.name for path in Path("shown").iterdir())
    assert files == [f"moment-{number:02}.png" for number in range(1, len(files) + 1)]
    assert len(files) == done.json["length"] + 1
    assert all(Path("shown", name).read_bytes().startswith(b"\x89PNG") for name in files)


@pytest.mark.parametrize("game", ["battling", "travel_battle", "call_to_arms", "battlelore", "blind_faith"])
def test_the_first_and_second_side_can_be_named_in_every_game(game: str) -> None:
    playing = games.load(game).playing
    assert playing is not None
    assert [_find_seat(playing, name) for name in ("first", "second", "Second")] == [0, 1, 1]
