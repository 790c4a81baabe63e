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


def answered(game: Game[Any], order: Request, lang: Lang) -> Request:
    """The order with the players' own choices, asked for on the terminal."""
    for stop in game.stops:
        for question in stop.questions(order):
            while question.option not in order.options:
                order = _one_answer(game, order, stop, question, lang)
    return order


def _one_answer(game: Game[Any], order: Request, stop: Stop[Any], question: Question, lang: Lang) -> Request:
    """The order with one more choice; as it was where the game would not have it, which it tells at once."""
    kinds = {wish.name: request.WishType(wish) for wish in game.options}
    typed = click.prompt(question.text[lang], question.default, err=True)
    try:
        wishes = {**order.options, question.option: kinds[question.option].convert(typed, None, None)}
    except click.BadParameter as error:
        console.line(localize(tr("Error: {message}", message=error.message), lang), err=True)
        return order
    # In the game's order, so that choices typed as options make the same file.
    wished = replace(order, options={name: wishes[name] for name in kinds if name in wishes})
    try:
        stop.questions(wished)
    except WrongUsageError as error:
        click.echo("\n".join(error.lines(lang)), err=True)
        return order
    if sys.stderr.isatty():
        click.clear()  # the next player must not read this one's choice
    return wished
