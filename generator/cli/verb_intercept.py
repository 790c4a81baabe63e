"""`muster intercept`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, querying, say
from generator.cli.how import How


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@paper.sheet_options
@say.json_option
def command(file: Path, how: How, out: Path | None, as_json: bool) -> None:
    """Tell which stacks can intercept a march, and at which hexes; with -o, drawn over the map."""
    querying.answer("intercept", file, (), how, out, as_json)
