"""The verbs that print without a scenario: boards, cards, reference, sheets, tokens, and games' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from generator.cli import GameVerb, output, request, verb_help
from generator.cli.print_options import BOARDS, CUT, LAID, RECORDS, SHEETS, How
from generator.common.game import Game

Option = Callable[[Any], Any]


def _printing(verb: str, told: str, options: tuple[Option, ...], **own: Option) -> click.Command:
    """The command that prints what a game has for that verb; `own` are options that the game heeds, by parameter.

    `card_size` is the press's alone.
    """

    def printing(game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, **typed: Any) -> None:
        size = typed.pop("card_size", None)
        heeded = {name: _given(name, typed.pop(name)) for name in own if name in typed}
        output.print_out(game, verb, {"only": only, **heeded}, typed, how, out, as_json, size)

    made: Any = printing
    for option in reversed(own.values()):
        made = option(made)
    return click.command(verb, cls=output.PrintCommand, help=told)(output.print_options(options)(made))


def _given(name: str, value: Any) -> str | None:
    """What was typed as a game takes it: a switch that is on is `1`, and a code is drawn where none was named."""
    if name == "seed":
        return request.code(value)
    typed: str | None = ("1" if value else None) if isinstance(value, bool) else value
    return typed


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


boards_verb = _printing(
    "boards",
    "Print boards at true size, over as many pages as they take, with marks to join them.",
    BOARDS,
    board=click.option("--board", metavar="NAME", help="A house board's name, `random`, or the path of a drawn one."),
    backs=click.option("--backs", is_flag=True, help="What belongs on the back of a board, too."),
    seed=request.seed_option,
)
cards_verb = _printing(
    "cards",
    """Print a game's cards to cut out, with backs, bleed and crop marks.

    With --lang en+ja every card is printed once: English on its front, Japanese on its back in place of the
    ornament. With --single too, the fronts come in English and then in Japanese.
    """,
    CUT,
    card_size=click.option(
        "--size",
        "card_size",
        metavar="NAME",
        help="Card size by name, poker if you name none; a wrong one lists them.",
    ),
)
reference_verb = _printing("reference", "Print a game's quick reference and the exact odds of every attack.", SHEETS)
sheets_verb = _printing(
    "sheets",
    "Print blank record sheets, to fill in by hand.",
    RECORDS,
    half=click.option("--half", is_flag=True, help="Half sheets, two on a page, for beginners."),
)
tokens_verb = _printing(
    "tokens",
    """Print a game's tokens and tiles to cut out, a hair smaller than the map's hexes.

    They bear no words: with --lang en+ja they are printed once.
    """,
    LAID,
)
