"""`muster intercept`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, querying, say
from generator.model.words import Lang


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@paper.sheet_options
@say.json_option
def command(file: Path, lang: Lang, sheet: str, ink: str, out: Path | None, as_json: bool) -> None:
    """Tell which stacks can intercept a march, and at which hexes; with -o, drawn over the map."""
    querying.answer("intercept", file, (), lang, sheet, ink, out, as_json)
