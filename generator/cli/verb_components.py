"""The verbs that print without a scenario: boards, cards, reference, sheets, tokens, and games' own.

`muster boards`.

`muster cards`.

`muster reference`.

`muster sheets`.

`muster tokens`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from generator.cli import GameVerb, output, request, verb_help
from generator.cli.print_options import BOARDS, CUT, LAID, RECORDS, SHEETS, How
from generator.common.game import Game


@click.command(cls=output.PrintCommand)
@output.print_options(BOARDS)
@click.option("--board", metavar="NAME", help="A house board's name, `random`, or the path of a drawn one.")
@click.option("--backs", is_flag=True, help="What belongs on the back of a board, too.")
@request.seed_option
def boards_verb(
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
    options = {"only": only, "board": board, "seed": request.code(seed), "backs": "1" if backs else None}
    output.print_out(game, "boards", options, files, how, out, as_json)


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """The command of a verb by which games print something of their own."""
    named = {option: told for verb in verbs.values() for option, told in verb.options.items()}
    draws = any(verb.seed for verb in verbs.values())

    @click.command(name, cls=output.PrintCommand, help=verb_help(verbs))
    @output.print_options(SHEETS)
    def prints(game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, **given: Any) -> None:
        options = {"only": only} | {option: given.pop(option) for option in named}
        if draws:
            options["seed"] = request.code(given.pop("seed"))
        output.print_out(game, name, options, given, how, out, as_json)

    for option, told in named.items():
        prints = click.option(f"--{option}", metavar=told["metavar"], help=told["help"])(prints)
    return request.seed_option(prints) if draws else prints


@click.command(cls=output.PrintCommand)
@output.print_options(CUT)
@click.option("--size", metavar="NAME", help="Card size by name, poker if you name none; a wrong one lists them.")
def cards_verb(
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
    output.print_out(game, "cards", {"only": only}, files, how, out, as_json, size=size)


@click.command(cls=output.PrintCommand)
@output.print_options(SHEETS)
def reference_verb(
    game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, **files: Any
) -> None:
    """Print a game's quick reference and the exact odds of every attack."""
    output.print_out(game, "reference", {"only": only}, files, how, out, as_json)


@click.command(cls=output.PrintCommand)
@output.print_options(RECORDS)
@click.option("--half", is_flag=True, help="Half sheets, two on a page, for beginners.")
def sheets_verb(
    game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, half: bool, **files: Any
) -> None:
    """Print blank record sheets, to fill in by hand."""
    options = {"only": only, "half": "1" if half else None}
    output.print_out(game, "sheets", options, files, how, out, as_json)


@click.command(cls=output.PrintCommand)
@output.print_options(LAID)
def tokens_verb(
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
    output.print_out(game, "tokens", {"only": only}, files, how, out, as_json)
