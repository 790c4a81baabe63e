"""`muster sight`."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from generator.cli import say
from generator.cli.scenario import load
from generator.errors import WrongUsageError
from generator.model.words import Lang, Words, joined, same


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
        raise WrongUsageError(f"{loaded.game.name} has no lines of sight")
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
        click.echo(f"{row['from']} {row['to']} {row['distance']} {_verdict(row)[lang]}")


def _cell(name: str) -> str:
    """A cell's name as typed, full-width too."""
    return unicodedata.normalize("NFKC", name).strip().upper()


def _verdict(row: Mapping[str, Any]) -> Words:
    words = say.words()
    if row["melee"]:
        return words["barred" if row["cliff"] else "melee"]
    if row["clear"]:
        return words["clear"]
    what = [same(cell) for cell in row["blocked_by"]] + [words["edge"]] * row["off_board"]
    return words["blocked"].fill(what=joined(what))
