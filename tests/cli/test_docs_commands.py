"""Tests that the commands in the documentation exist, with the options that they are shown with."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from generator import games
from generator.cli import muster
from generator.cli.request import game_option
from tests.cli.forms import leaves

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
COMMANDS = leaves(muster)
GROUPS = {command.split()[0] for command in COMMANDS}
OF_GAMES = {
    flag for game in map(games.load, games.names()) for of in game.options for flag in game_option(game, of).opts
}
EXAMPLES = (
    "muster reach tablut.toml",
    "muster draw tablut --seed K7Q2M-9FHN5 --moves 12 -o tablut.toml",
    "muster export FILE --to csv",
    "muster export --json",
)
"""Commands of a game and of a command that docs/add_a_game.md and docs/recipes.md explain how to add."""
ADDED_OPTION = "--fold-lines"
"""The print option that docs/recipes.md explains how to add."""


def flags(command: click.Command) -> set[str]:
    """Return the options of a command, in all spellings."""
    return {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)} | {"-h", "--help"}


def commands(page: Path) -> Iterator[str]:
    """Yield the Muster commands of a page: those in code blocks, indented ones and those within sentences."""
    text = page.read_text("utf-8")
    for block in re.findall(r"```\w*\n(.*?)```", text, re.S):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"(?:^|\| )(muster [^|;&]*)", line.strip().removeprefix("$ "))
    yield from re.findall(r"^    (muster .*)$", text, re.M)
    for span in re.findall(r"`(muster [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.S)):
        yield " ".join(span.replace("\\|", "|").split())


def fault(line: str) -> str:
    """Return what is wrong with a command, or an empty string."""
    words = shlex.split(re.split(" #| > | < ", line)[0])[1:]
    arguments = [*words, "--"]
    path = arguments[: next(at for at, word in enumerate(arguments) if word.startswith("-"))]
    name = next((joined for count in (2, 1) if (joined := " ".join(path[:count])) in COMMANDS), "")
    if not path:
        return ""
    if not name:
        # The name of a group, several names such as `new|pair`, or a placeholder such as COMMAND.
        known = all(part in GROUPS or not part.isascii() or part.isupper() for part in path[0].split("|"))
        return "" if known and (len(path) < 2 or re.search(r"[|…]|^[A-Z]+$", path[1])) else "no such command"
    options = [re.split("[=,.…]", word)[0] for word in words if re.match("--?[a-z]", word)]
    unknown = [option for option in options if option not in flags(COMMANDS[name]) | OF_GAMES]
    return f"no option {', '.join(unknown)}" if unknown else ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_their_options_exist(page: Path) -> None:
    found = {line: fault(line) for line in commands(page) if line not in EXAMPLES}
    assert {line: wrong for line, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_options_within_sentences_exist(page: Path) -> None:
    every = {flag for command in COMMANDS.values() for flag in flags(command)} | OF_GAMES | {ADDED_OPTION}
    spans = re.findall(r"`(--[^`]+)`", page.read_text("utf-8"))
    assert {flag for span in spans for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", span)} - every == set()


def test_there_are_hundreds_of_commands_in_the_documentation() -> None:
    assert sum(len(list(commands(page))) for page in PAGES) > 600


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("muster kit battlelore --paper letter", ""),
        ("muster tournament new|pair|pack|…", ""),
        ("muster COMMAND --help", ""),
        ("muster --help", ""),
        ("muster kti battlelore", "no such command"),
        ("muster tournament par cup", "no such command"),
        ("muster kit battlelore --papers letter --sed X", "no option --papers, --sed"),
    ],
)
def test_wrong_commands_are_found(line: str, expected: str) -> None:
    assert fault(line) == expected
