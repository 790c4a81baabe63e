"""The commands that print without a scenario: boards, cards, reference, sheets, tokens, and those of single games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli import GameVerb, output, request, verb_help
from generator.cli.help import Option
from generator.cli.print_options import (
    BOARD_PIECES,
    BOARDS,
    CARD_PIECES,
    RECORDS,
    SHEETS,
    PrintOptions,
)
from generator.common.game import Game
from generator.localization import bilingual
from generator.notation.option_names import option_flag

F = TypeVar("F", bound=Callable[..., Any])
Options = tuple[Callable[[F], F], ...]

_CARD = "card"
"""The parameter for a card size. It affects only the layout on paper and is not passed to the game."""


def _make_print_command(
    verb: str, shared_options: Options[Any], *extra_options: Callable[[Any], Any], does: str = ""
) -> click.Command:
    """Return a command that prints a component of a game. The values of `extra_options` are passed to the game."""
    option_names: set[str] = set()

    @click.command(verb, cls=output.PrintCommand, help=does)
    @output.component_options(shared_options)
    def prints(
        game: Game[Any], only: str | None, print_options: PrintOptions, out: Path | None, as_json: bool, **given: Any
    ) -> None:
        options = {"only": only} | {name: given.pop(name) for name in option_names}
        size = options.pop(_CARD, None)
        if "seed" in option_names:
            options["seed"] = request.parse_seed(options["seed"])
        values = {
            name: ("1" if value else None) if isinstance(value, bool) else value for name, value in options.items()
        }
        output.print_components(game, verb, values, given, print_options, out, as_json, size=size)

    before = [param.name for param in prints.params]
    for option in extra_options:
        prints = option(prints)
    option_names.update(str(param.name) for param in prints.params if param.name not in before)
    return prints


def game_command(name: str, verbs: Mapping[str, GameVerb]) -> click.Command:
    """Return the command of a print that games add, which needs no scenario."""
    option_texts = {option: texts for verb in verbs.values() for option, texts in verb.options.items()}
    extra_options = [
        click.option(option_flag(name), cls=Option, metavar=texts["metavar"], does=bilingual(**texts["help"]))
        for name, texts in option_texts.items()
    ]
    seed = [request.seed_option] if any(verb.seed for verb in verbs.values()) else []
    return _make_print_command(name, SHEETS, *extra_options, *seed, does=verb_help(verbs))


boards_verb = _make_print_command(
    "boards",
    BOARDS,
    click.option("--board", metavar="NAME"),
    click.option("--backs", is_flag=True),
    request.seed_option,
)
cards_verb = _make_print_command(
    "cards",
    CARD_PIECES,
    click.option("--size", "--card", _CARD, metavar="NAME"),
)
reference_verb = _make_print_command("reference", SHEETS)
sheets_verb = _make_print_command(
    "sheets",
    RECORDS,
    click.option("--half", is_flag=True),
    click.option("--record", metavar="FILE"),
)
tokens_verb = _make_print_command(
    "tokens",
    BOARD_PIECES,
)
