"""What the verbs share that put a question to a scenario: moves, intercept."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import paper, put, say
from generator.cli.how import How
from generator.cli.scenario import load
from generator.errors import Problem, WrongUsageError
from generator.games.capability import Game, Query
from generator.model.views import Kit


def answer(
    verb: str,
    file: Path,
    arguments: tuple[str, ...],
    how: How,
    out: Path | None,
    as_json: bool,
) -> None:
    """Put the question to the scenario of a file: say the answer, and print it over the map where a PDF is named."""
    loaded = load(file)
    query = _query(loaded.game, verb)
    asked = tuple(unicodedata.normalize("NFKC", argument).strip() for argument in arguments)
    if as_json:
        say.as_json(query.rows(loaded.scenario, asked))
    else:
        for line in query.lines(loaded.scenario, asked):
            click.echo(line[how.first])
    if out:
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (query.sheet(loaded.scenario, asked),))
        put.spare(out)
        put.file(out, paper.pdf(paper.of_scenario(kit, loaded, file.parent), how.edition(loaded.game)))
        click.echo(f"{out}", err=as_json)


def _query(game: Game[Any], verb: str) -> Query[Any]:
    for found in game.queries:
        if found.verb == verb:
            return found
    able = [name for name in games.names() if any(q.verb == verb for q in games.load(name).queries)]
    raise WrongUsageError(Problem(f"{game.name} has no {verb}", hint=f"games that have: {', '.join(able)}"))
