"""`muster tokens`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import printing
from generator.cli.how import LAID, How
from generator.games.capability import Game


@click.command(cls=printing.PrintCommand)
@printing.print_options(LAID)
def command(
    game: Game[Any],
    only: str | None,
    how: How,
    out: Path | None,
    as_json: bool,
    **files: Any,
) -> None:
    """Print a game's tokens and tiles to cut out, a hair smaller than the map's hexes.

    They bear no words: with --lang en+ja they are printed once.
    """
    printing.print_out(game, "tokens", {"only": only}, files, how, out, as_json)
