"""`muster sight`: explain one line of sight, or list all lines."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import click

from generator.cli import console, request
from generator.cli.help import Verb
from generator.cli.scenario import load
from generator.common.proof import verify_claims
from generator.localization import tr
from generator.model.words import Lang


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("start", required=False, metavar="[A")
@click.argument("end", required=False, metavar="[B]]")
@console.answer_options
def sight_verb(file: Path, start: str | None, end: str | None, lang: Lang, as_json: bool) -> None:
    """Explain the line of sight from A to B. Without B, list all lines from A. Without both, list all lines."""
    loaded = load(file)
    sight = request.capability(loaded.game, lambda game: game.sight, tr("has no lines of sight"))
    if start and end:
        pair = (_normalized(start), _normalized(end))
        row = sight.pair(loaded.scenario, *pair)
        held = verify_claims(sight.claims.rows(loaded.scenario, [row]))
        console.print_answer(as_json, row, [sight.explain(loaded.scenario, *pair)[lang]])
        console.report_verified(held, lang, err=as_json)
        return
    every = list(sight.lines_from(loaded.scenario, _normalized(start)) if start else sight.pairs(loaded.scenario))
    held = verify_claims(sight.claims.rows(loaded.scenario, every))
    console.print_answer(as_json, every, (sight.line(row)[lang] for row in every))
    console.report_verified(held, lang, err=True)


def _normalized(name: str) -> str:
    """Return the name of a cell in half-width characters."""
    return unicodedata.normalize("NFKC", name).strip()
