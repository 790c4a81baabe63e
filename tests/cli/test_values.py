"""Tests for values of users' files as JSON, and for files written from JSON by programs and the studio's forms."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from generator import games
from generator.cli.data_files import content_types, forms
from generator.notation.text import document
from tests.cli.conftest import CODE
from tests.cli.run import muster

COPIES = [
    (name, f"{game.name}-{shelf.kind}")
    for game, shelf in content_types()
    if shelf.file and shelf.form
    for name in (*shelf.items(), *shelf.forms)
]
OWN = sorted({form for _, form in COPIES})
SCENARIOS = [form.name for form in forms() if form.kind == "scenario"]


@pytest.mark.parametrize(("name", "form"), COPIES)
def test_what_ships_comes_back_from_its_values(here: Path, name: str, form: str) -> None:
    answer = muster("data", "values", name).json
    assert answer["schema"] == form
    assert muster("data", "values", name, "-o", "own.json", "--json").json == {"file": "own.json"}
    made = muster("data", "write", "own.json", "--json").json
    text = Path("own.toml").read_text("utf-8")
    owner = {key: of for key, of in tomllib.loads(text).items() if key == "source"}
    assert tomllib.loads(text) == answer["values"] | owner
    # Shipped files state a source, but the record of a campaign does not.
    assert owner.get("source") in (("owner", "own") if "source" in answer["values"] else (None,))
    assert text.startswith("#:schema ./") and Path(made["schema"]).is_file()
    rows = text.splitlines()
    for way, line in made["lines"].items():
        parts = way.split("/")
        key = next(part for part in reversed(parts) if not part.isdigit())
        assert key in rows[line - 1] or parts[-1] != key, (way, rows[line - 1])
    checked = muster("data", "check", "own.toml")
    assert checked.code == (1 if name == "blank-pack" else 0), checked.out
    assert made["command"] in checked.out or checked.code


@pytest.mark.parametrize("game", games.names())
def test_a_scenario_comes_back_from_its_values_and_is_still_legal(here: Path, game: str) -> None:
    muster("draw", game, "--seed", CODE, "-o", "drawn.toml")
    answer = muster("data", "values", "drawn.toml").json
    assert (answer["schema"], answer["command"]) == (f"{game}-scenario", "muster print drawn.toml")
    muster("data", "values", "drawn.toml", "-o", "own.json")
    made = muster("data", "write", "own.json", "--json").json
    assert (made["check"], made["command"]) == ("muster check own.toml", "muster print own.toml")
    text = Path("own.toml").read_text("utf-8")
    assert tomllib.loads(text) == answer["values"] == tomllib.loads(Path("drawn.toml").read_text("utf-8"))
    assert text.splitlines()[:3] == Path("drawn.toml").read_text("utf-8").splitlines()[:3]
    assert muster("check", "own.toml").code == 0


def test_a_users_file_is_shown_unchanged(here: Path) -> None:
    Path("my.toml").write_text('name = "Box"\n\n[[card]]\nkey = "A1"\ncells = """\nGS\nBS\n"""\n', "utf-8")
    answer = muster("data", "values", "my.toml").json
    assert answer["schema"] == "call_to_arms-deck"
    assert answer["values"] == {"name": "Box", "card": [{"key": "A1", "cells": "GS\nBS\n"}]}
    assert {way: answer["lines"][way] for way in ("name", "card/0/key", "card/0/cells/1")} == {
        "name": 1,
        "card/0/key": 4,
        "card/0/cells/1": 7,
    }
    Path("my.toml").write_text('name = "Box\n', "utf-8")
    assert muster("data", "values", "my.toml").code == 3


def test_nothing_is_checked_and_nulls_are_left_out(here: Path) -> None:
    values = {"card": [{"name": None, "key": "Z9", "odd": 1.5}], "name": "Half", "source": "house"}
    Path("half.json").write_text(json.dumps({"schema": "call_to_arms-deck", "values": values}), "utf-8")
    assert muster("data", "write", "half.json").code == 0
    text = Path("half.toml").read_text("utf-8")
    assert tomllib.loads(text) == {"name": "Half", "source": "owner", "card": [{"key": "Z9", "odd": 1.5}]}
    assert text.splitlines()[1:4] == ['name = "Half"', 'source = "owner"', ""]
    assert "`name` is missing" in muster("data", "check", "half.toml").out


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"schema": 1, "values": {}}', '{"schema": "pool"}', '{"a": 1, "a": 2}', "[" * 900]
)
def test_invalid_tables_of_values_are_reported(here: Path, text: str) -> None:
    Path("own.json").write_text(text, "utf-8")
    done = muster("data", "write", "own.json", "--lang", "ja")
    assert done.code == 3 and "own.json" in done.err and not Path("own.toml").exists()


def test_forms_that_no_owner_types_are_not_written(here: Path) -> None:
    for kind in ("event", "printers", "dekc"):
        Path("own.json").write_text(json.dumps({"schema": kind, "values": {}}), "utf-8")
        assert muster("data", "write", "own.json").code == 2


DATA = Path(__file__).parents[2] / "data"


def descriptions(of: object) -> set[str]:
    """Return the descriptions in a schema."""
    if isinstance(of, list):
        return {text for inner in of for text in descriptions(inner)}
    if not isinstance(of, dict):
        return set()
    texts = {of["description"]} if isinstance(of.get("description"), str) else set()
    return texts | {text for inner in of.values() for text in descriptions(inner)}


@pytest.mark.parametrize("form", [form.name for form in forms()])
def test_every_key_of_a_users_file_is_described_in_japanese(form: str) -> None:
    described = descriptions(muster("data", "schema", form, "--lang", "ja").json)
    assert described and all(any(letter > "\u3000" for letter in text) for text in described)


def test_every_description_in_fields_toml_belongs_to_a_key_of_its_game() -> None:
    """A description whose docstring has changed would never be shown."""
    by_game: dict[str, set[str]] = {}
    for form in forms():
        by_game[form.game] = by_game.get(form.game, set()) | descriptions(form.schema)
    every = set().union(*by_game.values())
    unused = {
        f"data/fields.toml: {text}"
        for text in tomllib.loads((DATA / "fields.toml").read_text("utf-8")).keys() - every
    }
    for path in DATA.glob("*/fields.toml"):
        known = tomllib.loads(path.read_text("utf-8")).keys()
        unused |= {f"{path.relative_to(DATA.parent)}: {text}" for text in known - by_game[path.parent.name]}
    assert unused == set()


def test_a_long_or_nested_table_stands_apart_and_texts_in_both_languages_do_not() -> None:
    table = {
        "a": {"b": {"x": 1}, "en": "so"},
        "w": {"en": "x" * 200, "ja": "y"},
        "many": {str(n): n for n in range(9)},
    }
    text = "\n".join(document(table))
    assert tomllib.loads(text) == table
    assert "[a]" in text and "b = { x = 1 }" in text and "[many]" in text and "[w]" not in text
