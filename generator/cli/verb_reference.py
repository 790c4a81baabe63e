"""`muster reference`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import printing
from generator.cli.how import SHEETS, How
from generator.games.capability import Game


@click.command(cls=printing.PrintCommand)
@printing.print_options(SHEETS)
def command(game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, **files: Any) -> None:
    """Print a game's quick reference and the exact odds of every attack."""
    printing.print_out(game, "reference", {"only": only}, files, how, out, as_json)
