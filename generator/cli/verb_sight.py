"""`muster sight`."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import click

from generator import games
from generator.cli import say
from generator.cli.scenario import load
from generator.errors import Problem, WrongUsageError
from generator.model.words import Lang


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("start", required=False, metavar="[A")
@click.argument("end", required=False, metavar="B]")
@say.lang_option
@say.json_option
def command(file: Path, start: str | None, end: str | None, lang: Lang, as_json: bool) -> None:
    """Explain one line of sight, from cell A to cell B, or list all pairs."""
    loaded = load(file)
    sight = loaded.game.sight
    if sight is None:
        able = [name for name in games.names() if games.load(name).sight]
        hint = f"games that have: {', '.join(able)}"
        raise WrongUsageError(Problem(f"{loaded.game.name} has no lines of sight", hint=hint))
    if start and not end:
        raise WrongUsageError("name both ends of the line, or none for all pairs")
    if start and end:
        pair = (_cell(start), _cell(end))
        if as_json:
            say.as_json(sight.pair(loaded.scenario, *pair))
        else:
            click.echo(sight.explain(loaded.scenario, *pair)[lang])
        return
    rows = list(sight.pairs(loaded.scenario))
    if as_json:
        say.as_json(rows)
        return
    for row in rows:
        click.echo(sight.line(row)[lang])


def _cell(name: str) -> str:
    """A cell's name as typed, full-width too."""
    return unicodedata.normalize("NFKC", name).strip()
