"""Tests for choosing a hand. Muster stops after drawing cards and continues with the cards that the player keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import contents, muster

PENNANT, STANDARD = "A4,A6,A5,A2", "C5,C3,C4,C7"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_until_hand_prints_each_players_cards(here: Path, lang: str) -> None:
    done = muster("kit", "--seed", CODE, "--until", "hand", "--lang", lang, "-o", "hands")
    assert done.code == 0
    assert f"--seed {CODE} --lang {lang} --paper a4 --place-pennant … --place-standard …" in done.out
    assert sorted(contents(here / "hands")) == ["hand-pennant.pdf", "hand-standard.pdf"]


def test_continuing_keeps_the_options(here: Path) -> None:
    done = muster("kit", "--seed", CODE, "--until", "hand", "--set-pennant", "B", "--title", "my war", "-o", "hands")
    assert f"--seed {CODE} --set-pennant B --title 'my war' --lang en" in done.out


def test_until_hand_as_json(here: Path) -> None:
    done = muster("kit", "--seed", CODE, "--until", "hand", "--json").json
    assert (done["code"], sorted(done["files"])) == (CODE, ["hand-pennant.pdf", "hand-standard.pdf"])
    assert (here / done["folder"] / "hand-pennant.pdf").is_file()


def places(*args: str, user_input: str = "") -> list[str]:
    done = muster("draw", "--seed", CODE, "--json", *args, user_input=user_input)
    assert done.code == 0, done.err
    return [",".join(force["cards"].values()) for force in done.json["forces"]]


def test_choices_typed_as_options() -> None:
    assert places("--place-pennant", PENNANT, "--place-standard", STANDARD) == [PENNANT, STANDARD]


def test_choices_typed_in_full_width() -> None:
    assert places("--place-pennant", "ａ４，Ａ６、Ａ５、a2")[0] == PENNANT


def test_choices_typed_at_the_prompt() -> None:
    assert places("--ask", user_input=f"{PENNANT}\n{STANDARD}\n") == [PENNANT, STANDARD]
    assert places("--ask", "--place-pennant", PENNANT, user_input=f"{STANDARD}\n") == [PENNANT, STANDARD]


def test_the_prompt_offers_the_hand_as_it_was_drawn() -> None:
    drawn = muster("draw", "--seed", CODE, "--json").json["log"]
    hands = [",".join(step["result"]) for step in drawn if step["step"] == "hand"]
    assert places("--ask", user_input="\n\n") == hands


def test_the_prompt_speaks_the_players_language() -> None:
    done = muster("draw", "--seed", CODE, "--ask", "--lang", "ja", "--json", user_input="\n\n")
    assert "左翼" in done.err and done.json


def test_the_rest_of_the_draw_does_not_depend_on_how_the_choices_came(here: Path) -> None:
    kit = ("kit", "--seed", CODE, "--banners", "5", "--parts", "cover,map")
    assert muster(*kit, "--ask", "-o", "a", user_input=f"{PENNANT}\n{STANDARD}\n").code == 0
    assert muster(*kit, "--place-pennant", PENNANT, "--place-standard", STANDARD, "-o", "b").code == 0
    assert contents(here / "a") == contents(here / "b")
    assert muster("check", "a/scenario.toml", "--strict").code == 0


@pytest.mark.parametrize("wrong", ["A1,A6,A5,A2", "A4,A6,A5", "A4,A4,A5,A2", "A9,A6,A5,A2", "C5,C3,C4,C7", "left"])
def test_wrong_cards_get_a_clear_answer(here: Path, wrong: str) -> None:
    as_option = muster("draw", "--seed", CODE, "--place-pennant", wrong)
    assert as_option.code == 2
    assert as_option.err.startswith("--place-pennant")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("wrong", ["A1,A6,A5,A2", "A4,A6,A5", "C5,C3,C4,C7", "left"])
def test_a_wrong_answer_is_reported_at_once_and_asked_again(here: Path, wrong: str) -> None:
    as_option = muster("draw", "--seed", CODE, "--place-pennant", wrong)
    answered = muster("draw", "--seed", CODE, "--ask", "--json", user_input=f"{wrong}\n{PENNANT}\n{STANDARD}\n")
    assert answered.code == 0
    assert as_option.err in answered.err
    assert answered.json["wishes"] == {"place-pennant": PENNANT, "place-standard": STANDARD}


def test_leaving_the_prompt_is_an_interruption(here: Path) -> None:
    done = muster("kit", "--ask", user_input="")
    assert (done.code, list(here.iterdir())) == (130, [])
