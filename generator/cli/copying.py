"""`muster data copy`, and the shelves it copies from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import put, say
from generator.cli.out import out_file
from generator.cli.scenario import SUFFIX
from generator.errors import Problem, WrongUsageError, near
from generator.games.capability import Game, Shelf
from generator.model.words import Lang
from generator.notation.command import command as typed
from generator.notation.text import shown


def shelves() -> list[tuple[Game[Any], Shelf]]:
    """Every game's shelves."""
    return [(game, shelf) for game in map(games.load, games.names()) for shelf in game.shelves]


def _names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What can be copied and goes on from what is typed, for the shell."""
    return [name for name in _files() if name.startswith(incomplete)]


def _files() -> dict[str, tuple[Game[Any], Shelf]]:
    """What can be copied, by name."""
    return {name: (game, shelf) for game, shelf in shelves() if shelf.file for name in (*shelf.items(), *shelf.forms)}


@click.command()
@click.argument("name", shell_complete=_names)
@out_file("The file to write, or - for standard output (default: NAME.toml here).", SUFFIX)
@say.lang_option
@say.json_option
def copy(name: str, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Copy one of them to a file. The copy is yours to change, and its option takes it."""
    known = _files()
    if name not in known:
        raise WrongUsageError(
            Problem(f"nothing to copy is called {shown(name)[:40]!r}", hint=_hint(name, list(known)))
        )
    game, shelf = known[name]
    assert shelf.file
    target = out or Path(f"{name}{SUFFIX}")
    content = shelf.file(name).read_bytes()
    put.file(target, content)
    check = typed(["muster", "data", "check", str(target)], {})
    play = typed(["muster", "kit", game.name], {shelf.takes[0]: str(target)})
    if as_json:
        say.as_json({"file": str(target), "game": game.name, "kind": shelf.kind, "check": check, "command": play})
        return
    click.echo(f"{target}")
    say.line(say.words()["copied"].fill(check=check, command=play)[lang])


def _hint(name: str, known: list[str]) -> str:
    if any(name in shelf.items() for _, shelf in shelves()):
        return f"it is a table that is always ours; look at it: muster data show {name}"
    return near(name, known)
