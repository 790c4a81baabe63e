"""`muster sheets`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import printing
from generator.cli.how import RECORDS, How
from generator.games.capability import Game


@click.command(cls=printing.PrintCommand)
@printing.print_options(RECORDS)
@click.option("--half", is_flag=True, help="Half sheets, two on a page, for beginners.")
def command(
    game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, half: bool, **files: Any
) -> None:
    """Print blank record sheets, to fill in by hand."""
    options = {"only": only, "half": "1" if half else None}
    printing.print_out(game, "sheets", options, files, how, out, as_json)
