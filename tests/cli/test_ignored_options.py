"""Tests that options which a command would ignore are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import muster

MAPS = Path(__file__).resolve().parents[1] / "imports"


@pytest.mark.parametrize(
    ("file", "option"),
    [
        ("names.txt", ("--name", "Cup")),
        ("names.txt", ("--sheet", "Players")),
        ("names.txt", ("--terrain", "mud=marsh")),
        ("names.txt", ("--terrain-names", "nofile.toml")),
        (MAPS / "march.txt", ("--sheet", "Players")),
        (MAPS / "hills.tmx", ("--encoding", "cp1252")),
        (MAPS / "open.trf", ("--name", "Cup")),
    ],
)
def test_import_refuses_options_for_other_kinds_of_files(
    file: str | Path, option: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.txt").write_text("Ann Alder\nBob Birch\n")
    done = muster("import", file, *option)
    assert (done.code, done.out) == (2, "")
    assert f"so it cannot use {option[0]}" in done.err
    assert "使えません" in muster("import", file, *option, "--lang", "ja").err


def test_import_refuses_an_unknown_game_for_a_list(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("Ann Alder\nBob Birch\n")
    assert "there is no game named 'chess'" in muster("import", path, "--game", "chess").err
    wrong = muster("import", path, "-o", "list.txt")
    assert "ends in none of .toml, .csv; use one of the names list.toml, list.csv" in wrong.err


def test_reprinting_tables_refuses_options_that_would_change_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pack = ("tournament", "pack", "battling", "--players", "4", "--rounds", "1", "-o", "cup")
    assert muster(*pack).code == 0
    for option in (("--reopen",), ("--players", "6"), ("--paper", "a3"), ("--turns", "9")):
        done = muster("tournament", "pack", "battling", "-o", "cup", "--table", "1", *option)
        assert done.code == 2 and f"so it cannot use {option[0]}" in done.err
    assert muster("tournament", "pack", "-o", "cup", "--round", "1", "--table", "1", "--lang", "ja").code == 0


def test_a_dry_run_of_a_new_event_says_that_nothing_was_written(tmp_path: Path) -> None:
    done = muster("tournament", "new", "battling", "-o", tmp_path / "cup", "--dry-run")
    assert "would contain a new Battling event" in done.out and "Next:" not in done.out
    assert not (tmp_path / "cup").exists()
