"""Tests for rounds beyond the planned ones. They start only on request and can be removed again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import Run, muster

BEGIN = ("tournament", "new", "battling", "--players", "names.txt", "--seed", CODE, "--system", "rotation")


@pytest.fixture
def cup(here: Path) -> Path:
    """Return an event in which both planned rounds are paired."""
    (here / "names.txt").write_text("Ann\nBo\nCid\nDan\n")
    assert muster(*BEGIN, "--rounds", "2", "-o", "cup").code == 0
    for _ in range(2):
        assert muster("tournament", "pair", "cup").code == 0
    return here / "cup"


def rounds() -> list[int]:
    return [one["round"] for one in muster("tournament", "status", "cup", "--json").json["round"]]


def suggested_command(done: Run) -> list[str]:
    """Return the command that an error message suggests."""
    return shlex.split(done.err.strip().splitlines()[-1].rstrip(")）").rpartition("muster ")[2])


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "round 3: the last planned round of the event, round 2, is paired"),
        ("ja", "第3ラウンド：予定の2ラウンドは"),
    ],
)
def test_a_round_more_is_paired_only_when_it_is_asked_for(cup: Path, lang: str, words: str) -> None:
    before = (cup / "event.toml").read_bytes()
    refused = muster("tournament", "pair", "cup", "--lang", lang)
    assert (refused.code, words in refused.err, (cup / "event.toml").read_bytes()) == (2, True, before)
    assert muster("tournament", "pair", "cup", "--round", "3").code == 2
    assert suggested_command(refused)[:5] == ["tournament", "pair", "cup", "--rounds", "3"]
    assert muster(*suggested_command(refused)).code == 0
    assert rounds() == [1, 2, 3]
    assert muster("tournament", "status", "cup", "--json").json["rounds"] == 3


def test_a_round_that_was_added_is_taken_back(cup: Path) -> None:
    assert muster("tournament", "pair", "cup", "--rounds", "3").code == 0
    assert muster("tournament", "pack", "cup", "--round", "3", "--parts", "map").code == 0
    assert "round 3" in muster("tournament", "pair", "cup", "--rounds", "2", "--dry-run").out
    assert rounds() == [1, 2, 3]
    done = muster("tournament", "pair", "cup", "--rounds", "2")
    assert (done.code, done.out.splitlines()[:2]) == (
        0,
        ["The pairings of round 3 were removed", "Number of rounds of the event: 2"],
    )
    assert rounds() == [1, 2] and not (cup / "round-3" / "results.csv").exists()
    assert muster("tournament", "pair", "cup").code == 2
    assert muster("tournament", "status", "cup").code == 0


def test_a_round_that_was_played_is_taken_back_only_by_reopen(cup: Path) -> None:
    assert muster("tournament", "pack", "cup", "--parts", "map").code == 0
    sheet = cup / "round-2" / "results.csv"
    head, *rows = sheet.read_text("utf-8-sig").splitlines()
    at = head.split(",").index("score_a")
    cells = [row.split(",") for row in rows]
    filled = "\n".join([head, *(",".join([*row[:at], "2", "1", *row[at + 2 :]]) for row in cells)])
    sheet.write_text(filled, "utf-8")
    refused = muster("tournament", "pair", "cup", "--rounds", "1")
    assert (refused.code, "add --reopen" in refused.err, rounds()) == (2, True, [1, 2])
    assert muster("tournament", "pair", "cup", "--rounds", "1", "--reopen").code == 0
    assert rounds() == [1]
    assert filled in [path.read_text("utf-8") for path in cup.glob("copies/*.csv")]


def test_who_joins_after_the_last_round_is_refused(cup: Path) -> None:
    refused = muster("tournament", "join", "cup", "Eve", "Fay")
    assert (refused.code, "round 3: the last planned round of the event, round 2, is paired" in refused.err) == (
        2,
        True,
    )
    assert suggested_command(refused) == ["tournament", "join", "cup", "Eve", "Fay", "--rounds", "3"]
    assert muster("tournament", "join", "cup", "Ann", "--team", "Oak").code == 0
    assert muster("tournament", "drop", "cup", "Ann").code == 0
    assert muster("tournament", "join", "cup", "Ann").code == 2
    assert muster(*suggested_command(refused)).code == 0
    assert muster("tournament", "pair", "cup").code == 0
    assert rounds() == [1, 2, 3]


def test_fewer_rounds_than_are_paired_cannot_be_planned_by_who_joins(cup: Path) -> None:
    refused = muster("tournament", "join", "cup", "Eve", "--rounds", "1")
    assert (refused.code, "--rounds 1: round 2 is already paired" in refused.err) == (2, True)


def test_an_event_without_planned_rounds_goes_on(here: Path) -> None:
    (here / "names.txt").write_text("Ann\nBo\nCid\nDan\n")
    assert muster(*BEGIN, "-o", "cup").code == 0
    for _ in range(3):
        assert muster("tournament", "pair", "cup").code == 0
    assert muster("tournament", "join", "cup", "Eve").code == 0
