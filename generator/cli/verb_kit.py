"""`muster kit`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from generator.cli import ask, fair, paper, put, say
from generator.cli.how import How
from generator.cli.scenario import examined
from generator.errors import MusterError, Problem, WrongUsageError, near
from generator.games.capability import Game, Question, Stop
from generator.model.scenario import Order
from generator.model.words import Lang
from generator.notation.command import kit_command


@click.command(cls=ask.GameCommand)
@ask.game_argument
@ask.seed_option
@paper.kit_options
@click.option("--until", metavar="STEP", help="Stop where the players choose (hand), and print what they need.")
@click.option("--ask", "asking", is_flag=True, help="Ask for the players' own choices on the terminal.")
@say.json_option
def command(
    game: Game[Any],
    seed: str | None,
    how: How,
    out: Path | None,
    as_json: bool,
    until: str | None = None,
    asking: bool = False,
    **wishes: Any,
) -> None:
    """Draw a battle, prove it legal, and print everything you need to play it.

    What you do not wish for is drawn from the code; the same code draws the same battle again.
    """
    order = ask.order(game, seed, wishes)
    lang = how.first
    if until or asking:
        fair.leave_to_the_draw(order, "--until" if until else "--ask")
    if until:
        stop = _find(game, until)
        with _telling(game, order, how):
            _stop(game, order, stop, how, out, as_json)
        return
    if asking:
        order = answered(game, order, lang)
    scenario = game.draw(order)
    with _telling(game, order, how):
        loaded = examined(game, scenario)
        folder = paper.folder(loaded, out)
        files = paper.kit_files(loaded, how, dict(order.files))
        paper.write_kit(folder, files)
    if as_json:
        paper.as_json(folder, loaded, files, how, order.files)
    else:
        for line in (*game.story(loaded.scenario), *fair.story(game, loaded.scenario)):
            click.echo(line[lang])
        say.report(loaded.stamp, loaded.report, lang)
        click.echo(f"{folder / next(iter(files))}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)


@contextmanager
def _telling(game: Game[Any], order: Order, how: How) -> Iterator[None]:
    """Let every error tell the code that was drawn, which would be lost with the kit, and how to draw it again."""
    try:
        yield
    except WrongUsageError:
        # What was typed is what was wrong, and nobody has seen the battle yet.
        raise
    except MusterError as error:
        error.code, error.command = order.code, _again(game, order, how)
        raise
    except Exception as error:
        error.add_note(f"{order.code}: {_again(game, order, how)}")
        raise


def _again(game: Game[Any], order: Order, how: How) -> str:
    """The command that draws the order again from where it was typed."""
    asked = {name: str(order.files.get(name, value)) for name, value in order.wishes.items()}
    return kit_command(game.name, order.code, asked | how.typed())


def _find(game: Game[Any], name: str) -> Stop[Any]:
    stops = {stop.name: stop for stop in game.stops}
    if name not in stops:
        raise WrongUsageError(Problem(f"--until: no step {name!r} in this game", hint=near(name, stops)))
    return stops[name]


def _stop(
    game: Game[Any],
    order: Order,
    stop: Stop[Any],
    how: How,
    out: Path | None,
    as_json: bool,
) -> None:
    folder = out or Path("output") / f"{game.name}-{order.code}"
    edition = how.edition(game)
    files = {
        f"{name}.pdf": paper.pdf(paper.credited(kit, game, order.files), edition)
        for name, kit in stop.kits(order).items()
    }
    put.folder(folder, files)
    if as_json:
        say.as_json({"folder": str(folder), "code": order.code, "files": list(files)})
        return
    for name in files:
        click.echo(f"{folder / name}")
    command = _again(game, order, how)
    given = " ".join(f"--{question.wish} …" for question in stop.questions(order))
    click.echo(say.words()["go_on"].fill(command=f"{command} {given}")[how.first])


def answered(game: Game[Any], order: Order, lang: Lang) -> Order:
    """The order with the players' own choices, asked for on the terminal."""
    for stop in game.stops:
        for question in stop.questions(order):
            while question.wish not in order.wishes:
                order = _one_answer(game, order, stop, question, lang)
    return order


def _one_answer(game: Game[Any], order: Order, stop: Stop[Any], question: Question, lang: Lang) -> Order:
    """The order with one more choice; as it was where the game would not have it, which it tells at once."""
    kinds = {wish.name: ask.WishType(wish) for wish in game.wishes}
    answer = click.prompt(question.text[lang], question.default, type=kinds[question.wish], err=True)
    wishes = {**order.wishes, question.wish: answer}
    # In the game's order, so that choices typed as options make the same file.
    wished = replace(order, wishes={name: wishes[name] for name in kinds if name in wishes})
    try:
        stop.questions(wished)
    except WrongUsageError as error:
        click.echo("\n".join(error.lines()), err=True)
        return order
    if sys.stderr.isatty():
        click.clear()  # the next player must not read this one's choice
    return wished
