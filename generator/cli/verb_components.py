"""The verbs that print without a scenario: boards, cards, reference, sheets, tokens, and a game's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli import GameVerb, output, request, verb_help
from generator.cli.help import Option
from generator.cli.print_options import (
    BOARDS,
    CUT,
    LAID,
    RECORDS,
    SHEETS,
    How,
)
from generator.common.game import Game
from generator.localization import bilingual
from generator.notation.option_names import option_flag

F = TypeVar("F", bound=Callable[..., Any])
Options = tuple[Callable[[F], F], ...]

_CARD = "card"
"""The parameter of a card's size, which the paper needs and the game does not."""


def _printing(verb: str, how_options: Options[Any], *own: Callable[[Any], Any], does: str = "") -> click.Command:
    """A command that prints what games have of that verb; the values of its `own` options are handed to the game."""
    typed: set[str] = set()

    @click.command(verb, cls=output.PrintCommand, help=does)
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
    own = [
        click.option(option_flag(name), cls=Option, metavar=told["metavar"], does=bilingual(**told["help"]))
        for name, told in named.items()
    ]
    seed = [request.seed_option] if any(verb.seed for verb in verbs.values()) else []
    return _printing(name, SHEETS, *own, *seed, does=verb_help(verbs))


boards_verb = _printing(
    "boards",
    BOARDS,
    click.option("--board", metavar="NAME"),
    click.option("--backs", is_flag=True),
    request.seed_option,
)
cards_verb = _printing(
    "cards",
    CUT,
    click.option("--size", _CARD, metavar="NAME"),
)
reference_verb = _printing("reference", SHEETS)
sheets_verb = _printing(
    "sheets",
    RECORDS,
    click.option("--half", is_flag=True),
    click.option("--record", metavar="FILE"),
)
tokens_verb = _printing(
    "tokens",
    LAID,
)
