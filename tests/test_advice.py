"""Tests that every command and option named in a message, help text or data file exists, in that combination."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from generator import games
from generator.cli import muster as root
from generator.cli.request import GAME
from tests.modules import nodes

ROOT = Path(__file__).resolve().parents[1]
CODE = sorted((ROOT / "generator").rglob("*.py"))
DATA = sorted((ROOT / "data").rglob("*.toml"))
COMMAND = re.compile(r"\bmuster(?= +[a-z-])((?: +(?:\{\w+\}|[\w/|<>…=-]+(?:\.\w+)*|\[[A-Z]+\]))+)", re.ASCII)
"""A command within a sentence, up to the first character that no command contains."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]\b(?!-\{)", re.ASCII)
BEGUN = re.compile(r"(?<![\w-])(--[a-z][a-z-]*-)\{", re.ASCII)
"""An option with a placeholder in its name, such as --cards-{camp}."""
WISHED = re.compile(r"--\{|--[a-z-]*\{")


def texts(value: object) -> Iterator[str]:
    """Yield every text in a data table, including keys of messages."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key if " " in key else ""
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


@cache
def sentences() -> dict[str, str]:
    """Return every sentence that a user may read, with its place."""
    found: dict[str, str] = {}
    for path in DATA:
        for text in texts(tomllib.loads(path.read_text("utf-8"))):
            found.setdefault(text, str(path.relative_to(ROOT)))
    for path in CODE:
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "bilingual"):
                for arg in node.args:
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                        found.setdefault(arg.value, f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def context(command: click.Command, game: str) -> click.Context:
    made = click.Context(command, info_name=command.name)
    made.meta[GAME] = games.load(game)
    return made


@cache
def options(*path: str) -> frozenset[str]:
    """Return the options of a command, including those of every game."""
    command = found(path)
    assert command is not None
    names = {name for game in games.names() for p in command.get_params(context(command, game)) for name in p.opts}
    return frozenset(names | {"--help", "--debug", "--lang"})


def found(path: tuple[str, ...]) -> click.Command | None:
    """Return the command with the given path, or None."""
    here: click.Command | None = root
    for word in path:
        if not isinstance(here, click.Group):
            return None
        here = here.get_command(click.Context(here, info_name=here.name), word)
    return here


@cache
def every() -> dict[tuple[str, ...], click.Command]:
    """Return all commands, keyed by path."""
    made: dict[tuple[str, ...], click.Command] = {}

    def walk(path: tuple[str, ...], command: click.Command) -> None:
        made[path] = command
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command, info_name=command.name)):
                inner = found((*path, name))
                assert inner is not None
                walk((*path, name), inner)

    walk((), root)
    return made


def faults(words: str) -> list[str]:
    """Return the words or options of a suggested command that do not exist."""
    user_input = words.split()
    if user_input[0].startswith("-"):
        return [word for word in user_input if word.startswith("--") and word.partition("=")[0] not in options()]
    if found((user_input[0],)) is None:
        return [user_input[0]]
    path: tuple[str, ...] = (user_input[0],)
    if isinstance(found(path), click.Group) and len(user_input) > 1 and re.fullmatch("[a-z-]*[a-z]", user_input[1]):
        if found((*path, user_input[1])) is None:
            return [f"{user_input[0]} {user_input[1]}"]
        path = (*path, user_input[1])
    names = (word.partition("=")[0] for word in user_input if word.startswith("--") and not WISHED.match(word))
    return [f"{' '.join(path)} {name}" for name in names if name not in options(*path)]


def test_every_command_that_a_sentence_advises_exists() -> None:
    advised = [(match[1], where) for text, where in sentences().items() for match in COMMAND.finditer(text)]
    assert len(advised) > 40
    wrong = {f"{where}: muster{words}": fault for words, where in advised if (fault := faults(words))}
    assert not wrong


def test_every_option_that_a_sentence_names_exists() -> None:
    known = {name for path in every() for name in options(*path)}
    names = {(name, where) for text, where in sentences().items() for name in OPTION.findall(text)}
    assert len({name for name, _ in names}) > 30
    assert not {(name, where) for name, where in names if name not in known}
    begun = {(name, where) for text, where in sentences().items() for name in BEGUN.findall(text)}
    assert not {(name, where) for name, where in begun if not any(other.startswith(name) for other in known)}


def test_every_command_that_tournaments_suggest_exists() -> None:
    """Users type the result of `command_of("join", folder, name, "--rest", …)` without changes."""
    built = 0
    for path in CODE:
        for node in nodes(path):
            name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            if name != "command_of" or not isinstance(node, ast.Call):
                continue
            words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno}: name the command itself"
            assert not faults(" ".join(["tournament", *map(str, words)])), f"{path}:{node.lineno}"
            built += 1
    assert built >= 10


@pytest.mark.parametrize(
    "words",
    ["tournment pair", "tournament repair", "tournament pair cup --system rotation", "kit --no-such", "nonsense"],
)
def test_a_command_that_does_not_exist_is_found(words: str) -> None:
    assert faults(words)
