"""The verbs that print without a scenario: boards, cards, reference, sheets, tokens, and games' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli import GameVerb, output, request, verb_help
from generator.cli.print_options import BOARDS, CUT, LAID, RECORDS, SHEETS, How
from generator.common.game import Game

F = TypeVar("F", bound=Callable[..., Any])
Options = tuple[Callable[[F], F], ...]

_CARD = "card"
"""The parameter of a card's size, which the paper needs and the game does not."""


def _printing(verb: str, told: str, how_options: Options[Any], *own: Callable[[Any], Any]) -> click.Command:
    """A command that prints what games have of that verb; the values of its `own` options are handed to the game."""
    typed: set[str] = set()

    @click.command(verb, cls=output.PrintCommand, help=told)
    @output.print_options(how_options)
    def prints(game: Game[Any], only: str | None, how: How, out: Path | None, as_json: bool, **given: Any) -> None:
        options = {"only": only} | {name: given.pop(name) for name in typed}
        size = options.pop(_CARD, None)
        if "seed" in typed:
            options["seed"] = request.code(options["seed"])
        asked = {
            name: ("1" if value else None) if isinstance(value, bool) else value for name, value in options.items()
        }
        output.print_out(game, verb, asked, given, how, out, as_json, size=size)

    before = [param.name for param in prints.params]
    for option in own:
        prints = option(prints)
    typed.update(str(param.name) for param in prints.params if param.name not in before)
    return prints


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """The command of a verb by which games print something of their own."""
    named = {option: told for verb in verbs.values() for option, told in verb.options.items()}
    own = [click.option(f"--{option}", metavar=told["metavar"], help=told["help"]) for option, told in named.items()]
    seed = [request.seed_option] if any(verb.seed for verb in verbs.values()) else []
    return _printing(name, verb_help(verbs), SHEETS, *own, *seed)


boards_verb = _printing(
    "boards",
    "Print boards at true size, over as many pages as they take, with marks to join them.",
    BOARDS,
    click.option("--board", metavar="NAME", help="A house board's name, `random`, or the path of a drawn one."),
    click.option("--backs", is_flag=True, help="What belongs on the back of a board, too."),
    request.seed_option,
)
cards_verb = _printing(
    "cards",
    """Print a game's cards to cut out, with backs, bleed and crop marks.

    With --lang en+ja every card is printed once: English on its front, Japanese on its back in place of the
    ornament. With --single too, the fronts come in English and then in Japanese.
    """,
    CUT,
    click.option(
        "--size", _CARD, metavar="NAME", help="Card size by name, poker if you name none; a wrong one lists them."
    ),
)
reference_verb = _printing("reference", "Print a game's quick reference and the exact odds of every attack.", SHEETS)
sheets_verb = _printing(
    "sheets",
    "Print blank record sheets, to fill in by hand.",
    RECORDS,
    click.option("--half", is_flag=True, help="Half sheets, two on a page, for beginners."),
)
tokens_verb = _printing(
    "tokens",
    """Print a game's tokens and tiles to cut out, a hair smaller than the map's hexes.

    They bear no words: with --lang en+ja they are printed once.
    """,
    LAID,
)
