"""Tests for `muster data copy`. The copy of a shipped file works as a user's file."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from generator.cli.data_files import content_types
from tests.cli.run import muster

OWN_CONTENT = (Path(__file__).parents[2] / "docs" / "your_own_content.md").read_text("utf-8")
IMPORTING = (Path(__file__).parents[2] / "docs" / "importing.md").read_text("utf-8")
KINDS = {
    (game.name, shelf.kind): (shelf, next(iter(shelf.items())))
    for game, shelf in content_types()
    if shelf.check and shelf.items()
}


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_copy_of_each_kind_is_in_order_and_taken(here: Path, game: str, kind: str) -> None:
    content_type, name = KINDS[game, kind]
    row = muster("data", "copy", name, "--json").json
    assert (row["game"], row["kind"], row["file"]) == (game, kind, f"{name}.toml")
    assert muster(*shlex.split(row["check"])[1:]).code == 0
    if content_type.command:  # A table that another command uses.
        table = f"{name}.toml"
        assert row["command"] == f"muster import FILE --terrain-names {table}"
        building = "building" if game == "battling" else "forest"
        Path("hexes.txt").write_text(f"0101 {building}\n0912 {building}\n", "utf-8")
        options = ("--terrain-names", table, "--game", game, "-o", "imported.toml")
        imported = muster("import", "hexes.txt", *options)
        assert imported.code == 0 and "--terrain-names" in IMPORTING
        return
    drawn = muster("draw", *shlex.split(row["command"])[2:], "--json")
    assert drawn.code == 0 and row["file"] in drawn.json["files"][content_type.takes[0]]["name"]
    assert all(f"--{option} FILE" in OWN_CONTENT for option in content_type.takes)


def test_every_file_that_ships_can_be_copied(here: Path) -> None:
    for _, content_type in content_types():
        if content_type.check:
            assert content_type.file and all(
                content_type.file(name).is_file() for name in (*content_type.items(), *content_type.forms)
            )


def test_what_was_changed_is_not_copied_over(here: Path) -> None:
    done = muster("data", "copy", "saint_ivo", "-o", "mine.toml")
    assert done.out.startswith("mine.toml\nYou can edit this file.") and "--map mine.toml" in done.out
    assert muster("data", "copy", "saint_ivo", "-o", "mine.toml").code == 0
    (here / "mine.toml").write_text("mine", "utf-8")
    done = muster("data", "copy", "saint_ivo", "-o", "mine.toml")
    assert (done.code, "mine.toml would be replaced" in done.err) == (2, True)
    assert (here / "mine.toml").read_text("utf-8") == "mine"


def test_a_form_is_listed_and_copied_to_be_filled_in(here: Path) -> None:
    assert "blank-pack" in [row["name"] for row in muster("data", "list", "--json").json]
    assert muster("data", "show", "blank-pack").out.startswith("# A pack to fill in: copy this file")
    assert muster("data", "copy", "blank-pack").code == 0
    assert "not filled in yet" in muster("data", "check", "blank-pack.toml").out


def test_what_cannot_be_copied(here: Path) -> None:
    assert "did you mean saint_ivo?" in muster("data", "copy", "saint_ivol").err
    assert "muster data show weapons" in muster("data", "copy", "weapons").err
    assert list(here.iterdir()) == []
