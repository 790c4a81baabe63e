"""`muster cards`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import printing
from generator.cli.how import CUT, How
from generator.games.capability import Game


@click.command(cls=printing.PrintCommand)
@printing.print_options(CUT)
@click.option("--size", metavar="NAME", help="Card size by name, poker if you name none; a wrong one lists them.")
def command(
    game: Game[Any],
    only: str | None,
    how: How,
    out: Path | None,
    as_json: bool,
    size: str | None,
    **files: Any,
) -> None:
    """Print a game's cards to cut out, with backs, bleed and crop marks.

    With --lang en+ja every card is printed once: English on its front, Japanese on its back in place of the
    ornament. With --single too, the fronts come in English and then in Japanese.
    """
    printing.print_out(game, "cards", {"only": only}, files, how, out, as_json, size=size)
