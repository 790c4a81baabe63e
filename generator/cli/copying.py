"""`muster data copy`, the shelves it copies from, and what prints with a file of a shelf's kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import put, say
from generator.cli.out import out_file
from generator.cli.scenario import SUFFIX
from generator.errors import DataError, Problem, WrongUsageError, near, nearest
from generator.games.capability import Game, Shelf
from generator.games.whose import uses
from generator.model.words import Lang
from generator.notation.command import command as typed
from generator.notation.text import shown
from generator.notation.toml import Source


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
    play, *more = printing(shelf, target)
    if as_json:
        say.as_json(
            {
                "file": str(target),
                "game": game.name,
                "kind": shelf.kind,
                "check": check,
                "command": play,
                "prints": more,
            }
        )
        return
    click.echo(f"{target}")
    say.line(say.words()["copied"].fill(check=check, command=play)[lang])
    tell_prints(more, lang)


def printing(shelf: Shelf, path: Path) -> list[str]:
    """The commands that print with a file of that kind; that of its own game's kit comes first."""
    return [typed(words, option) for words, option in uses(shelf, path, map(games.load, games.names()))]


def tell_prints(commands: list[str], lang: Lang) -> None:
    """Say how to print with a file, a line for each command."""
    for command in commands:
        say.line(say.words()["prints"].fill(command=command)[lang])


def recognised(path: Path) -> tuple[Shelf, Source]:
    """A user's data file and the shelf it belongs on; DataError where it is none."""
    source = Source.open(path)
    if "muster" in source.data:
        raise DataError(Problem("is a scenario, no data file", str(path), hint="check it with `muster check`"))
    own = [shelf for _, shelf in shelves() if shelf.check]
    fitting = [shelf for shelf in own if all(mark in source.data for mark in shelf.marks)]
    if fitting:
        return max(fitting, key=lambda shelf: len(shelf.marks)), source
    marks = {mark for shelf in own for mark in shelf.marks}
    for key in source.data:
        if key not in marks and (meant := nearest(key, sorted(marks))):
            raise DataError(source.problem((key,), "no data file of any game has it", f"did you mean {meant}?"))
    known = "; ".join(f"{shelf.kind} ({', '.join(shelf.marks)})" for shelf in own)
    raise DataError(source.problem((), "is no data file of any game", f"they are known by: {known}"))


def _hint(name: str, known: list[str]) -> str:
    if any(name in shelf.items() for _, shelf in shelves()):
        return f"it is a table that is always ours; look at it: muster data show {name}"
    return near(name, known)
