"""Tests for `muster draw --count`, which writes several scenarios and a summary table."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from generator.cli import batch
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
