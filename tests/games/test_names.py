"""Tests that every accepted title, name and id prints on every page, including the widest ones."""

from __future__ import annotations

import re
from contextlib import closing
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pypdfium2 import PdfDocument

from generator import games
from generator.cli.scenario import load
from generator.errors import DataError
from generator.model.scenario import Request, Scenario
from generator.model.views import Kit
from generator.model.words import Lang
from generator.notation import envelope
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from tests.strangers import typist

TITLE, NAME = 80, 24
ID = re.compile(r'(?:id|^  \{ name) = "([^"]*)"', re.MULTILINE)


@cache
def typed_file(game: str) -> str:
    """Return the text of a user's file in which units have ids or names."""
    return next(text for seed in count() if ID.search(text := typist(game).legal_file(seed)))


def with_names(text: str, title: str, name: str) -> str:
    """Return the text of a file with a new title, and with a numbered name in place of every id."""
    text = re.sub("^title = .*$", f'title = "{title}"', text, flags=re.MULTILINE)
    ids = {old: f"{name}{n:02}" for n, old in enumerate(dict.fromkeys(ID.findall(text)))}
    return re.sub(r'"([^"]*)"', lambda of: f'"{ids.get(of[1], of[1])}"', text)


@pytest.mark.parametrize("letter", ["W", "無"])
@pytest.mark.parametrize("game", games.names())
def test_the_widest_names_that_are_accepted_print(tmp_path: Path, game: str, letter: str) -> None:
    path = tmp_path / "wide.toml"
    path.write_text(with_names(typed_file(game), letter * TITLE, letter * (NAME - 2)), "utf-8")
    loaded = load(path)
    assert not loaded.report.illegal
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    assert preflight(print_kit(kit.only(kit.parts), PrintSettings("ja"), packed=False), "a4", "ja") == []
    path.write_text(with_names(typed_file(game), letter * (TITLE + 1), letter), "utf-8")
    with pytest.raises(DataError, match="is longer than 80 characters"):
        load(path)


def units(of: Scenario) -> dict[str, str]:
    """Return the user's unit names, keyed by id."""
    found = games.load(of.origin.game).export(of)
    rows = re.findall(r"'id': '([^']+)', 'name': \{'en': '([^']+)'", str(found))
    return dict(rows)


@pytest.mark.parametrize("game", games.names())
def test_an_id_with_words_is_a_name(tmp_path: Path, game: str) -> None:
    """All references in the file follow the renamed unit."""
    path = tmp_path / "named.toml"
    path.write_text(typed_file(game), "utf-8")
    plain = load(path)
    path.write_text(with_names(typed_file(game), "x", "近衛兵"), "utf-8")
    loaded = load(path)
    assert [finding.rule for finding in loaded.report.findings] == [finding.rule for finding in plain.report.findings]
    assert set(units(loaded.scenario).values()) >= {"近衛兵00"}
    assert all(re.fullmatch(r"[A-Z]\d+[a-z]?", name) for name in units(loaded.scenario))


@pytest.mark.parametrize("game", ["battlelore", "call_to_arms", "travel_battle", "blind_faith"])
def test_a_name_for_an_id_has_the_limit_of_names(tmp_path: Path, game: str) -> None:
    path = tmp_path / "long.toml"
    path.write_text(with_names(typed_file(game), "x", "近" * (NAME - 1)), "utf-8")
    with pytest.raises(DataError, match="is longer than 24 characters"):
        load(path)
    path.write_text(re.sub(r'\bid = "[^"]*"', 'id = "近衛兵"', typed_file(game)), "utf-8")
    with pytest.raises(DataError, match="is used twice"):
        load(path)


@pytest.mark.parametrize("blank", [" ", "　"])
@pytest.mark.parametrize("game", ["battlelore", "call_to_arms"])
def test_an_id_with_only_a_space_prints(tmp_path: Path, game: str, blank: str) -> None:
    """The file is generated, and then a user renames one unit."""
    of = games.load(game)
    scenario = of.draw(Request("K7Q2M-9FHN5", {}, {}))
    path = tmp_path / "blank.toml"
    text = envelope.compose(scenario.origin, of.write(scenario))
    (one,) = re.findall(r'id = "([^"]+)"', text)[:1]
    path.write_text(text.replace(f'id = "{one}"', f'id = "{blank}"'), "utf-8")
    loaded = load(path)
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    assert print_kit(kit.only(kit.parts), PrintSettings("ja"), packed=False)


EVERYBODY = {
    "battlelore": ["setup", "records"],
    "call_to_arms": ["setup", "records"],
    "travel_battle": ["records"],
    "blind_faith": ["cover", "setup", "records"],
    "battling": ["cover", "sight", "records"],
}
"""Sheets of a kit that name every unit by its id. A counter on a map shows only the id."""


@cache
def kit_with_names(game: str) -> tuple[Kit, set[str]]:
    """Return the kit of a file in which every unit has a name, and the set of names."""
    of = games.load(game)
    scenario = of.draw(Request("K7Q2M-9FHN5", {}, {}))
    text = envelope.compose(scenario.origin, of.write(scenario))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "named.toml"
        path.write_text(re.sub(r'^(  \{ id = "([^"]+)",)', r'\1 name = "Zz\2z",', text, flags=re.MULTILINE), "utf-8")
        loaded = load(path)
    kit = loaded.game.kit(loaded.scenario, loaded.report, loaded.stamp, "")
    return kit, set(units(loaded.scenario).values())


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", games.names())
def test_names_are_on_every_sheet_that_lists_units(game: str, lang: Lang) -> None:
    """Fields of fire list only bows and guns."""
    kit, names = kit_with_names(game)
    assert len(names) > 1
    for part in EVERYBODY[game]:
        text = sheet_text(kit, part, lang)
        assert {name for name in names if name not in text} == set(), part
    if "fire" in kit.parts:
        text = sheet_text(kit, "fire", lang)
        assert any(name in text for name in names)


def sheet_text(kit: Kit, part: str, lang: Lang) -> str:
    """Return the text of a sheet without spaces and line breaks."""
    with closing(PdfDocument(print_kit(kit.only([part]), PrintSettings(lang), packed=False))) as document:
        return re.sub(r"\s", "", "".join(page.get_textpage().get_text_bounded() for page in document))
