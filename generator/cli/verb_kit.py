"""`muster kit`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from generator.cli import ask, paper, say
from generator.cli.scenario import examined, kit_command
from generator.games.capability import Game, Stop
from generator.model.scenario import Order
from generator.model.words import Lang
from generator.store.write import write_all


@click.command(cls=ask.GameCommand)
@ask.game_argument
@ask.seed_option
@paper.print_options
@click.option("--until", metavar="STEP", help="Stop where the players choose (hand), and print what they need.")
@click.option("--ask", "asking", is_flag=True, help="Ask for the players' own choices on the terminal.")
@say.json_option
def command(
    game: Game[Any],
    seed: str | None,
    lang: Lang,
    sheet: str,
    ink: str,
    out: Path | None,
    until: str | None,
    asking: bool,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Draw a battle, prove it legal, and print everything you need to play it.

    What you do not wish for is drawn from the code; the same code draws the same battle again.
    """
    order = ask.order(game, seed, wishes)
    if until:
        _stop(game, order, _find(game, until), lang, sheet, ink, out, as_json)
        return
    if asking:
        order = answered(game, order, lang)
    loaded = examined(game, game.draw(order))
    folder = paper.folder(loaded, out)
    files = paper.kit_files(loaded, lang, sheet, ink, dict(order.files))
    paper.write_kit(folder, files)
    if as_json:
        say.as_json(
            {"folder": str(folder), "code": order.code, "stamp": loaded.stamp, "files": list(files)}
            | {"findings": [say.finding_row(f, lang) for f in loaded.report.findings]}
        )
    else:
        for line in game.story(loaded.scenario):
            click.echo(line[lang])
        say.report(loaded.stamp, loaded.report, lang)
        click.echo(f"{folder / paper.PDF}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)


def _find(game: Game[Any], name: str) -> Stop[Any]:
    from generator.errors import Problem, WrongUsageError, near

    stops = {stop.name: stop for stop in game.stops}
    if name not in stops:
        raise WrongUsageError(Problem(f"--until: no step {name!r} in this game", hint=near(name, stops)))
    return stops[name]


def _stop(
    game: Game[Any],
    order: Order,
    stop: Stop[Any],
    lang: Lang,
    sheet: str,
    ink: str,
    out: Path | None,
    as_json: bool,
) -> None:
    folder = out or Path("output") / f"{game.name}-{order.code}"
    files = {f"{name}.pdf": paper.pdf(kit, lang, sheet, ink) for name, kit in stop.kits(order).items()}
    write_all(folder, files)
    if as_json:
        say.as_json({"folder": str(folder), "code": order.code, "files": list(files)})
        return
    for name in files:
        click.echo(f"{folder / name}")
    asked = {name: str(order.files.get(name, value)) for name, value in order.wishes.items()}
    command = kit_command(game.name, order.code, asked | paper.options(lang, sheet, ink))
    given = " ".join(f"--{question.wish} …" for question in stop.questions(order))
    click.echo(say.words()["go_on"].fill(command=f"{command} {given}")[lang])


def answered(game: Game[Any], order: Order, lang: Lang) -> Order:
    """The order with the players' own choices, asked for on the terminal."""
    kinds = {wish.name: ask.WishType(wish) for wish in game.wishes}
    wishes = dict(order.wishes)
    for stop in game.stops:
        for question in stop.questions(order):
            if question.wish not in wishes:
                wishes[question.wish] = click.prompt(
                    question.text[lang], question.default, type=kinds[question.wish], err=True
                )
    # In the game's order, so that choices typed as options make the same file.
    return replace(order, wishes={name: wishes[name] for name in kinds if name in wishes})
