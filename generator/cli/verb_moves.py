"""`muster moves`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, querying, say
from generator.model.words import Lang


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("unit")
@paper.sheet_options
@say.json_option
def command(file: Path, unit: str, lang: Lang, sheet: str, ink: str, out: Path | None, as_json: bool) -> None:
    """List where a unit of a scenario may move, and why; with -o, drawn over the map."""
    querying.answer("moves", file, (unit,), lang, sheet, ink, out, as_json)
