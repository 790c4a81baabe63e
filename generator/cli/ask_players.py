"""Ask the players on the terminal for the choices that a scenario leaves to them."""

from __future__ import annotations

import sys
from typing import Any

import click
from msgspec.structs import replace

from generator.cli import console, request
from generator.common.game import Game, Question, Stop
from generator.errors import WrongUsageError
from generator.localization import localize, tr
from generator.model.scenario import Request
from generator.model.words import Lang


def ask_choices(game: Game[Any], order: Request, lang: Lang) -> Request:
    """Ask for every open choice on the terminal, and return the request with the answers."""
    for stop in game.stops:
        for question in stop.questions(order):
            while question.option not in order.options:
                order = _ask_choice(game, order, stop, question, lang)
    return order


def _ask_choice(game: Game[Any], order: Request, stop: Stop[Any], question: Question, lang: Lang) -> Request:
    """Ask for one choice and return the request with the answer.

    If the answer is invalid, print why and return it unchanged.
    """
    kinds = {option.name: request.GameOptionType(game, option) for option in game.options}
    user_input = click.prompt(question.text[lang], question.default, err=True)
    try:
        options = {**order.options, question.option: kinds[question.option].convert(user_input, None, None)}
    except click.BadParameter as error:
        console.print_line(localize(tr("Error: {message}", message=error.message), lang), err=True)
        return order
    # The options keep the game's order, so that entered choices and options result in the same file.
    changed = replace(order, options={name: options[name] for name in kinds if name in options})
    try:
        stop.questions(changed)
    except WrongUsageError as error:
        click.echo("\n".join(error.lines(lang)), err=True)
        return order
    if sys.stderr.isatty():
        click.clear()  # Hides this choice from the next player.
    return changed
