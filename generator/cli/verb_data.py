"""`muster data`."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import say
from generator.errors import DataError, Problem, WrongUsageError, near
from generator.games.capability import Game, Shelf
from generator.model.words import Lang
from generator.notation.toml import Source


def _shelves() -> list[tuple[Game[Any], Shelf]]:
    return [(game, shelf) for game in map(games.load, games.names()) for shelf in game.shelves]


@click.group(name="data")
def command() -> None:
    """Decks, maps, inventories and tables: what ships, and what you type yourself."""


@command.command("list")
@say.lang_option
@say.json_option
def list_data(lang: Lang, as_json: bool) -> None:
    """List what ships."""
    rows = [
        {"game": game.name, "kind": shelf.kind, "name": name, "title": title[lang]}
        for game, shelf in _shelves()
        for name, title in shelf.items().items()
    ]
    if as_json:
        say.as_json(rows)
        return
    for row in rows:
        click.echo(f"{row['game']:<14} {row['kind']:<10} {row['name']:<18} {row['title']}")


@command.command("show")
@click.argument("name")
@say.lang_option
@say.json_option
def show(name: str, lang: Lang, as_json: bool) -> None:
    """Show one of them: a deck with its measure, a map, an inventory, a table."""
    found = [(shelf, name) for _, shelf in _shelves() if name in shelf.items()]
    if not found:
        known = [item for _, shelf in _shelves() for item in shelf.items()]
        raise WrongUsageError(Problem(f"nothing is called {name!r}", hint=near(name, known)))
    rows = found[0][0].show(name, lang)
    if as_json:
        say.as_json(rows)
        return
    widths: list[int] = []
    for row in rows:
        if len(row) > 1:
            widths += [0] * (len(row) - len(widths))
            widths = [max(w, _width(cell)) for w, cell in zip(widths, [*row, *[""] * len(widths)], strict=False)]
    for row in rows:
        cells = [cell + " " * (w - _width(cell)) for cell, w in zip(row, widths or [0], strict=False)]
        click.echo("  ".join(cells).rstrip())


def _width(text: str) -> int:
    """Columns that a text takes on a terminal, where Japanese letters take two."""
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


@command.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@say.json_option
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Name every fault of files of your own, with its line."""
    problems = [problem for path in files for problem in _problems(path)]
    if as_json:
        say.as_json([say.problem_row(p) for p in problems])
    else:
        for problem in problems:
            say.line(str(problem))
        if not problems:
            click.echo(f"in order: {', '.join(map(str, files))}")
    if problems:
        raise click.exceptions.Exit(1)


def _problems(path: Path) -> list[Problem]:
    try:
        source = Source.open(path)
    except DataError as error:
        return list(error.problems)
    if "muster" in source.data:
        return [Problem("is a scenario, no data file", str(path), hint="check it with `muster check`")]
    known: list[str] = []
    for _, shelf in _shelves():
        if shelf.check and all(mark in source.data for mark in shelf.marks):
            return shelf.check(source)
        known += [f"{shelf.kind} ({', '.join(shelf.marks)})"] if shelf.check else []
    return [Problem("is no data file of any game", str(path), hint=f"they are known by: {'; '.join(known)}")]
