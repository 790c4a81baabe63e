"""`muster campaign`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import ask, printing
from generator.cli.how import SHEETS, How
from generator.games.capability import Game


@click.command(cls=printing.PrintCommand)
@printing.print_options(SHEETS)
@click.option("--size", metavar="CxR", help="How many boards across and deep, such as 3x4.")
@ask.seed_option
def command(
    game: Game[Any],
    only: str | None,
    how: How,
    out: Path | None,
    as_json: bool,
    size: str | None,
    seed: str | None,
    **files: Any,
) -> None:
    """Draw a campaign's map of boards and print it, with each crossing ready to play."""
    options = {"only": only, "size": size, "seed": ask.code(seed)}
    printing.print_out(game, "campaign", options, files, how, out, as_json)
