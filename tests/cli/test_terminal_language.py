"""Tests that terminal messages use the requested language and help after a typo."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from generator.store.folders import shipped_path
from tests.cli.conftest import CODE
from tests.cli.run import muster


def wide(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def test_verdicts_speak_japanese(kit: Path) -> None:
    for command in (("check", kit / "scenario.toml"), ("verify", kit)):
        done = muster(*command, "--lang", "ja")
        assert done.code == 0
        assert any("\u3040" <= c <= "\u9fff" for c in done.out), done.out
        assert "legal" not in done.out and "complete" not in done.out
    inventory = shipped_path("data") / "battlelore" / "inventory.toml"
    assert "誤りはありません" in muster("data", "check", inventory, "--lang", "ja").out


def test_findings_are_counted_without_a_plural(scenario: Path) -> None:
    scenario.write_text(scenario.read_text("utf-8").replace('first = "pennant"', 'first = "standard"'), "utf-8")
    done = muster("check", scenario)
    assert done.code == 1
    assert done.out.splitlines()[-1].endswith(f"findings: {done.out.count('✗')}")


@pytest.mark.parametrize(
    ("game", "start"), [("battlelore", "c3"), ("call_to_arms", "P1"), ("battling", "0707"), ("travel_battle", "Ｃ３")]
)
def test_lines_from_a_cell_are_described_like_single_lines(here: Path, game: str, start: str) -> None:
    muster("draw", game, "--seed", CODE)
    rows = muster("sight", "scenario.toml", start, "--json").json
    assert len({row["from"] for row in rows}) == 1 and len({row["to"] for row in rows}) == len(rows) > 60
    assert len(muster("sight", "scenario.toml", start).out.splitlines()) == len(rows)
    for row in rows[::40]:
        assert row.pop("gun", None) is None
        assert row == muster("sight", "scenario.toml", row["from"], row["to"], "--json").json
    if game != "travel_battle":  # in Travel Battle only guns need a line of sight
        every = muster("sight", "scenario.toml", "--json").json
        ends = {*(row["to"] for row in rows), rows[0]["from"]}
        assert ends == {row[end] for row in every for end in ("from", "to")}
        verdicts = {frozenset((row["from"], row["to"])): row["clear"] for row in every}
        assert all(verdicts[frozenset((row["from"], row["to"]))] == row["clear"] for row in rows)
    else:
        guns = muster("sight", "scenario.toml", "--json").json
        at = guns[0]["from"]
        assert muster("sight", "scenario.toml", at, "--json").json == [row for row in guns if row["from"] == at]


def test_all_pairs_tell_melee_from_shots(here: Path) -> None:
    muster("draw", "--seed", CODE, "--map", "eagle_crags")
    rows = muster("sight", "scenario.toml").out.splitlines()
    adjacent = [row.split(" ", 3)[3] for row in rows if row.split()[2] == "1"]
    assert set(adjacent) == {"melee", "no attack (cliff side)"}
    assert all("melee" not in row for row in rows if row.split()[2] != "1")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    "name",
    [
        "house-deck",
        "house-pool",
        "terrain",
        "weapons",
        "saint_ivo",
        "units",
        "council",
        "orders",
        "rulings",
        "specialists",
    ],
)
def test_data_show_keeps_to_a_terminal(name: str, lang: str) -> None:
    lines = muster("data", "show", name, "--lang", lang).out.splitlines()
    assert max(map(wide, lines)) <= 100


def test_data_show_accepts_a_users_file(here: Path) -> None:
    for kind, name in (("call_to_arms", "deck"), ("battlelore", "inventory")):
        user_file = here / f"my_{name}.toml"
        user_file.write_bytes((shipped_path("data") / kind / f"{name}.toml").read_bytes())
        assert muster("data", "show", user_file).out == muster("data", "show", f"house-{name}").out
    user_file.write_text("tiles = 3\n", "utf-8")
    assert muster("data", "show", user_file).code == 3


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("data show deck", "data of this kind: house-deck"),
        ("data show house-dekc", "did you mean house-deck?"),
        ("check .", "is a folder"),
        ("kit --map my_map.toml", "no such file: my_map.toml"),
        ("kit --map saint_iv", "did you mean saint_ivo?"),
        (f"kit --seed {CODE}+", "the + means that the scenario was drawn with options"),
        (f"kit --seed {CODE}＋", "use the whole command on the cover"),
        ("kit --seed K7Q2M-9FHNA+", f"did you mean {CODE}?"),
    ],
)
def test_a_typo_is_explained(command: str, expected: str) -> None:
    done = muster(*command.split())
    assert done.code in (2, 3)
    assert expected in done.err
