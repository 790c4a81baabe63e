"""Tests for `muster draw --count`, which writes several scenarios and a summary table."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest

from generator import games
from generator.cli import batch
from generator.cli.scenario import load
from generator.common.battle_words import word_table
from tests.cli.conftest import CODE
from tests.cli.run import contents, muster

FIVE = ("draw", "travel_battle", "--seed", CODE, "--count", "5")


def test_each_lies_in_its_file_and_stands_in_the_table(here: Path) -> None:
    done = muster(*FIVE, "--json", "-o", "many")
    answer = done.json
    assert (done.code, answer["folder"], answer["code"], len(answer["scenarios"])) == (0, "many", CODE, 5)
    with Path("many", answer["table"]).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, one in zip(rows, answer["scenarios"], strict=True):
        assert (row["code"], row["file"], row["fairness"]) == (one["code"], one["file"], one["grade"])
        assert row["scenario"] == one["story"][0]
        assert one["legal"] and muster("check", f"many/{one['file']}").code == 0
    assert muster("verify", "many").code == 0
    assert {path.name for path in Path("many").iterdir()} == {
        *(one["file"] for one in answer["scenarios"]),
        "scenarios.csv",
        "manifest.json",
    }


def test_the_first_is_what_the_code_draws_and_more_change_none(here: Path) -> None:
    assert muster(*FIVE, "-o", "five").code == 0
    assert muster(*FIVE[:-1], "3", "-o", "three").code == 0
    assert muster("draw", "travel_battle", "--seed", CODE, "-o", "one.toml").code == 0
    three, five = contents(here / "three"), contents(here / "five")
    assert (here / "one.toml").read_bytes() == three[f"scenario-{CODE}.toml"]
    files = [name for name in three if name.endswith(".toml")]
    assert len(files) == 3 and all(three[name] == five[name] for name in files)


def test_summary_is_shown_in_both_languages(here: Path) -> None:
    english, japanese = (muster(*FIVE, "--lang", lang, "-o", lang).out for lang in ("en", "ja"))
    assert english.startswith(f"{CODE}  ") and english.splitlines()[-1] == "en/scenarios.csv"
    assert "random board" in english and "ランダム" in japanese
    assert (here / "ja" / "scenarios.csv").read_text("utf-8-sig").startswith("コード,ファイル,公平性")


def test_each_scenario_may_have_options_and_a_fairness_grade(here: Path) -> None:
    wished = ("--objective", "hold", "--fair", "B", "--tries", "200")
    answer = muster(*FIVE[:-1], "2", *wished, "--json").json
    assert [(one["grade"], one["stamp"]) for one in answer["scenarios"]] == [
        ("B", f"{one['code']}+") for one in answer["scenarios"]
    ]
    assert answer["wishes"] == {"objective": "hold", "fair": "B", "tries": "200"}
    assert answer["folder"] == f"output/travel_battle-scenarios-{CODE}"


@pytest.mark.parametrize("args", [("--ask",), ("-o", "many.toml"), ("--count", "0"), ("--count", "10001")])
def test_impossible_requests_are_reported_and_nothing_is_written(here: Path, args: tuple[str, ...]) -> None:
    done = muster("draw", "call_to_arms", *FIVE[2:], *args)
    assert (done.code, list(here.iterdir())) == (2, [])


def test_codes_that_draw_nothing_are_passed_over_for_a_while(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wished = ("draw", "call_to_arms", "--seed", CODE, "--count", "1", "--fair", "B", "--tries", "1")
    answer = muster(*wished, "--json", "-o", "one").json
    assert [one["grade"] for one in answer["scenarios"]] == ["B"] and answer["scenarios"][0]["code"] != CODE
    monkeypatch.setattr(batch, "MAX_EMPTY_CODES", 3)
    done = muster(*wished, "-o", "none")
    assert (done.code, (here / "none").exists()) == (4, False)


@pytest.mark.parametrize("game", games.names())
def test_different_maps_are_selected_with_two_words_and_a_small_map(here: Path, game: str) -> None:
    words = ("draw", game, "--seed", CODE, "--count", "4", "--json", "--lang", "ja", "--different-maps")
    answer = muster(*words, "--small-maps", "-o", "many").json
    rows = answer["scenarios"]
    table = word_table(game)
    assert table and answer["scenarios"][0]["code"] == CODE and len({row["code"] for row in rows}) == 4
    terrain = {word.name.ja for word in table.terrain.values()}
    forces = {word.name.ja for word in table.forces.values()}
    views = []
    for row in rows:
        assert row["title"] in row["story"][0]
        first, second = row["words"]
        assert first in terrain and second in forces
        drawn = ElementTree.fromstring((here / "many" / row["map"]).read_text("utf-8"))
        assert drawn.get("aria-label") == row["title"] and len((here / "many" / row["map"]).read_bytes()) < 20_000
        loaded = load(here / "many" / row["file"])
        assert loaded.game.fairness
        view = loaded.game.fairness.view(loaded.scenario)
        assert len(drawn.findall("{*}circle")) + len(drawn.findall("{*}rect")) == len(view.tokens) + len(
            view.features
        )
        views.append((view.ground, view.features, view.areas))
    assert all(view not in views[:number] for number, view in enumerate(views))
    # The selection depends only on the code.
    assert [row["code"] for row in muster(*words, "-o", "again").json["scenarios"]] == [row["code"] for row in rows]


def test_a_map_is_repeated_only_if_there_is_no_other(here: Path) -> None:
    pool = [batch.Candidate(str(n), terrain, ("open", "close")) for n, terrain in enumerate("aabaac")]
    assert batch._different(pool, 4) == ["0", "2", "5", "1"]
    words = [batch.Candidate(str(n), str(n), pair) for n, pair in enumerate((("x", "y"), ("x", "y"), ("x", "z")))]
    assert batch._different(words, 2) == ["0", "2"]


def test_maps_of_one_scenario_are_refused(here: Path) -> None:
    for option in ("--different-maps", "--small-maps"):
        done = muster("draw", option)
        assert done.code == 2 and "--count 12" in done.err and not list(here.iterdir())
