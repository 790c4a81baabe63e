"""`muster moves`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import paper, querying, say
from generator.cli.how import How


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("unit")
@paper.sheet_options
@say.json_option
def command(file: Path, unit: str, how: How, out: Path | None, as_json: bool) -> None:
    """List where a unit of a scenario may move, and why; with -o, drawn over the map."""
    querying.answer("moves", file, (unit,), how, out, as_json)
