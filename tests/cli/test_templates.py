"""Tests for `muster data templates`, from copying a template to printing a kit with it."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from generator import games
from generator.store.folders import shipped_path
from tests.cli.conftest import CODE
from tests.cli.run import muster

RECORD = "battlelore/record.xml"


@pytest.mark.parametrize("game", games.names())
def test_every_template_of_a_kit_is_listed_with_its_part(game: str) -> None:
    rows = {row["template"]: row["part"] for row in muster("data", "templates", game, "--json").json}
    assert all((shipped_path("templates") / name).is_file() for name in rows)
    assert {"cover", "setup", "records", "reference"} <= set(rows.values())
    assert f"{game}/cover.xml" in rows or rows["battlelore/cover.xml"] == "cover"


def test_a_template_is_copied_changed_and_printed(here: Path) -> None:
    done = muster("data", "templates", "call_to_arms", "--only", "records", "-o", "mine")
    assert (done.code, done.out) == (0, f"mine/{RECORD}\n")
    copy = here / "mine" / RECORD
    assert copy.read_bytes() == (shipped_path("templates") / RECORD).read_bytes()
    plain, changed = ("kit", "--seed", CODE, "--parts", "records"), ("--templates", "mine", "-o", "changed")
    assert muster(*plain, "-o", "plain").code == 0
    copy.write_text(copy.read_text("utf-8").replace("<sheet>", "<sheet><para>Our club</para>", 1), "utf-8")
    assert muster(*plain, *changed).code == 0
    assert (here / "plain" / "kit.pdf").read_bytes() != (here / "changed" / "kit.pdf").read_bytes()


@pytest.mark.parametrize("game", games.names())
def test_a_sheet_is_copied_with_what_it_takes_from_the_base_of_all_games(here: Path, game: str) -> None:
    done = muster("data", "templates", game, "--only", "cover,setup", "-o", "mine")
    words = done.out.split()
    assert "mine/base/strip.xml" in words
    copies = list((here / "mine").rglob("*.xml"))
    assert sorted(path.relative_to(here).as_posix() for path in copies) == sorted(words)
    for path in copies:
        assert path.read_bytes() == (shipped_path("templates") / path.relative_to(here / "mine")).read_bytes()


@pytest.mark.parametrize("game", games.names())
def test_a_users_base_template_applies_to_every_game(here: Path, game: str) -> None:
    base = here / "mine" / "base" / "cover.xml"
    base.parent.mkdir(parents=True)
    ours = (shipped_path("templates") / "base" / "cover.xml").read_text("utf-8")
    base.write_text(ours.replace("<sheet>", "<sheet><para>Our club</para>", 1), "utf-8")
    kit = ("kit", game, "--seed", CODE, "--parts", "cover", "--lang", "en", "-o")
    assert muster(*kit, "mine-kit", "--templates", "mine").code == 0
    page = pypdfium2.PdfDocument(here / "mine-kit" / "kit.pdf")[0].get_textpage().get_text_bounded()
    assert "Our club" in page


def test_a_cover_overrides_values_of_the_base(here: Path) -> None:
    """A value set in a game's template overrides the value in the base template."""
    cover = here / "mine" / "battlelore" / "cover.xml"
    cover.parent.mkdir(parents=True)
    made = []
    for wide in (56, 90):
        cover.write_text(f'{{% extends "base/cover.xml" %}}\n{{% set beside = {wide} %}}\n', "utf-8")
        kit = ("kit", "battlelore", "--seed", CODE, "--parts", "cover", "--lang", "en", "-o", f"kit{wide}")
        assert muster(*kit, "--templates", "mine").code == 0
        made.append((here / f"kit{wide}" / "kit.pdf").read_bytes())
    assert made[0] != made[1]


def test_a_typo_in_a_base_is_reported_with_its_place(here: Path) -> None:
    base = here / "mine" / "base" / "cover.xml"
    base.parent.mkdir(parents=True)
    base.write_text("<sheet>\n<h1>{{ kit_titel }}</h1>\n</sheet>", "utf-8")
    done = muster("kit", "--seed", CODE, "--parts", "cover", "--templates", "mine", "-o", "kit")
    assert (done.code, "mine/base/cover.xml:2:" in done.err, "did you mean kit_title?" in done.err) == (3, True, True)


def test_what_was_changed_is_not_copied_over(here: Path) -> None:
    copy = ("data", "templates", "--only", f"records,{RECORD.replace('record', 'half')}", "-o", "mine")
    assert muster(*copy).code == 0
    assert muster(*copy).code == 0
    (here / "mine" / RECORD).write_text("<sheet/>", "utf-8")
    done = muster(*copy)
    assert (done.code, f"mine/{RECORD} would be replaced" in done.err) == (2, True)
    assert (here / "mine" / RECORD).read_text("utf-8") == "<sheet/>"


def test_the_folder_of_a_game_is_taken_for_that_of_all(here: Path) -> None:
    assert muster("data", "templates", "--only", "records", "-o", "mine").code == 0
    done = muster("kit", "--templates", "mine/battlelore")
    assert (
        done.code,
        "contains no file with the name of a shipped template (give the parent folder: mine)" in done.err,
    ) == (3, True)


def test_a_wrong_word_gets_its_near_match(here: Path) -> None:
    done = muster("data", "templates", "--only", "recrds", "-o", "mine")
    assert (done.code, "did you mean records?" in done.err, list(here.iterdir())) == (2, True, [])
