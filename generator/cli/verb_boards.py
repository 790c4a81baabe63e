"""`muster boards`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import ask, printing
from generator.cli.how import BOARDS, How
from generator.games.capability import Game


@click.command(cls=printing.PrintCommand)
@printing.print_options(BOARDS)
@click.option("--board", metavar="NAME", help="A house board's name, `random`, or the path of a drawn one.")
@click.option("--backs", is_flag=True, help="What belongs on the back of a board, too.")
@ask.seed_option
def command(
    game: Game[Any],
    only: str | None,
    how: How,
    out: Path | None,
    as_json: bool,
    board: str | None,
    backs: bool,
    seed: str | None,
    **files: Any,
) -> None:
    """Print boards at true size, over as many pages as they take, with marks to join them."""
    options = {"only": only, "board": board, "seed": ask.code(seed), "backs": "1" if backs else None}
    printing.print_out(game, "boards", options, files, how, out, as_json)
