"""Tests that commands and print options are in every place that needs them. A failure lists the missing places."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import fields

from generator.cli import COMPONENTS, VERBS, game_verbs
from generator.cli.help import texts
from generator.cli.print_options import PrintOptions
from generator.notation.option_names import option_flag
from tests.cli.forms import SECTIONS
from tests.cli.test_option_names import OTHER
from tests.cli.test_product import ENDLESS
from tests.prove.parts.verbs import ROWS

ROOT = Path(__file__).resolve().parents[2]
CLI = ROOT / "generator" / "cli"
SUBCOMMANDS = {"rename", "results", "standings"}
"""Modules `verb_<name>.py` of commands of `muster tournament`, which verb_tournament.py adds to its group."""
LISTS = ("docs/commands.md", "docs/commands.ja.md")
"""The pages that list every command, and the options of a kit."""
MAKERS = ("docs/makers.md", "docs/makers.ja.md")
"""The pages that explain the options of cards and tokens."""


def pages(*names: str) -> dict[str, str]:
    """Return the text of pages, keyed by their paths."""
    return {name: (ROOT / name).read_text("utf-8") for name in names}


def places_without(command: str) -> list[str]:
    """Return the places in which a command is missing."""
    found = []
    if command not in texts("verbs")["told"]:
        found.append(f"data/verbs.toml, [told]: {command}, the line for `muster --help`")
    if command not in texts("help")["verb"]:
        found.append(f"data/help.toml: [verb.{command}] with its help")
    if not any(name.split()[0] == command for section in SECTIONS for name in section.split(", ")):
        found.append(f"docs/json.md: a section `## {command}` with an example and a table of its fields")
    if command not in ENDLESS and not any(row.verb.split()[0] == command for row in ROWS):
        found.append("tests/prove/parts/verbs.py, ROWS: how to run it")
    listed = re.compile(rf"^\|.*`muster (?:[\w-]+\\\|)*{command}\b|^\|.*\\\|{command}\b", re.MULTILINE)
    return found + [
        f"{name}: a row of the table of commands" for name, page in pages(*LISTS).items() if not listed.search(page)
    ]


@pytest.mark.parametrize("command", [*VERBS, *(name for name in game_verbs() if name not in VERBS)])
def test_a_command_is_in_every_place(command: str) -> None:
    missing = places_without(command)
    if command in game_verbs():  # Its line and its help are in data/<game>/verbs.toml.
        missing = [place for place in missing if not place.startswith("data/")]
    assert not missing, f"add `muster {command}` to:\n" + "\n".join(missing)


def test_a_new_command_is_missing_everywhere() -> None:
    assert [place.partition(":")[0] for place in places_without("export")] == [
        "data/verbs.toml, [told]",
        "data/help.toml",
        "docs/json.md",
        "tests/prove/parts/verbs.py, ROWS",
        *LISTS,
    ]


def test_every_module_of_a_command_is_in_the_table_of_commands() -> None:
    """Without its name in VERBS, a command does not exist."""
    modules = {path.stem.removeprefix("verb_") for path in CLI.glob("verb_*.py")} - SUBCOMMANDS
    assert modules == set(VERBS.values()), "list each module verb_<name>.py in VERBS (generator/cli/__init__.py)"
    assert all(VERBS[name] == "components" for name in COMPONENTS)


@pytest.mark.parametrize("field", [field.name for field in fields(PrintOptions)])
def test_a_print_option_is_in_every_place(field: str) -> None:
    flag, missing = option_flag(field), []
    if field not in {**texts("help")["option"], **texts("verbs")["option"]}:
        missing.append(f"data/help.toml, [option]: {field}, with its group and its help in both languages")
    if field not in OTHER:
        missing.append(f"tests/cli/test_option_names.py, OTHER: a value of {field} other than its default")
    for lists in zip(LISTS, MAKERS, strict=True):
        if not any(re.search(rf"{flag}\b(?!-)", page) for page in pages(*lists).values()):
            missing.append(f"{lists[0]} if kits have the option, or {lists[1]}: {flag}")
    assert not missing, f"add {flag} to:\n" + "\n".join(missing)
