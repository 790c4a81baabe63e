"""`muster reference`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import printing
from generator.games.capability import Game


@click.command()
@printing.print_options
def command(game: Game[Any], only: str | None, lang: str, sheet: str, ink: str, out: Path | None) -> None:
    """Print a game's quick reference and the exact odds of every attack."""
    printing.print_out(game, "reference", {"only": only}, lang, sheet, ink, out)
