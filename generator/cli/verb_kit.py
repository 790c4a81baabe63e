"""`muster kit`: draw a scenario, check it and print everything needed to play it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from generator.cli import console, drawing, output, put, request
from generator.cli.answers import answered
from generator.cli.print_options import How
from generator.cli.scenario import examined
from generator.common.game import Game, Stop
from generator.errors import MusterError, WrongUsageError, among
from generator.localization import tr
from generator.model.scenario import Request
from generator.notation.option_names import option_flag
from generator.notation.text import kit_command
from generator.store.folders import STREAM
from generator.workers import Workers


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@output.kit_options
@click.option("--until", metavar="STEP")
@click.option("--ask", "asking", is_flag=True)
@request.workers_options
@console.json_option
def kit_verb(
    game: Game[Any],
    seed: str | None,
    how: How,
    workers: Workers,
    out: Path | None,
    as_json: bool,
    until: str | None = None,
    asking: bool = False,
    **wishes: Any,
) -> None:
    """Draw a battle, prove that it is legal, and print everything you need to play it.

    Whatever you do not choose is drawn from the code; the same code always draws the same battle.
    """
    order = request.requested(game, seed, wishes)
    lang = how.first
    if until or asking:
        drawing.leave_to_the_draw(order, "--until" if until else "--ask")
    if until:
        stops = {stop.name: stop for stop in game.stops}
        stop = stops[among(until, stops, tr("--until: no step {name!r} in this game", name=until))]
        with _telling(game, order, how):
            _stop(game, order, stop, how, out, as_json)
        return
    if asking:
        order = answered(game, order, lang)
    scenario = drawing.drawn(game, order, workers)
    with _telling(game, order, how):
        loaded = examined(game, scenario)
        folder = output.folder(loaded, out)
        held = loaded.verified("printed")
        files = output.kit_files(loaded, how, dict(order.files), held)
        output.write_kit(folder, files)
    if as_json:
        output.as_json(folder, loaded, files, how, order.files, held)
    else:
        for line in (*game.story(loaded.scenario), *drawing.story(game, loaded.scenario)):
            click.echo(line[lang])
        console.report(loaded.stamp, loaded.report, lang)
        console.verified(held, lang, loaded.stamp)
        output.told(folder, files)
    console.end_if(loaded.report.illegal)


@contextmanager
def _telling(game: Game[Any], order: Request, how: How) -> Iterator[None]:
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


def _again(game: Game[Any], order: Request, how: How) -> str:
    """The command that draws the order again from where it was typed."""
    asked = {name: str(order.files.get(name, value)) for name, value in order.options.items()}
    return kit_command(game.name, order.code, asked | how.typed())


def _stop(
    game: Game[Any],
    order: Request,
    stop: Stop[Any],
    how: How,
    out: Path | None,
    as_json: bool,
) -> None:
    if out == STREAM:
        raise WrongUsageError(output.several(out))
    folder = out or Path("output") / f"{game.name}-{order.code}"
    edition = how.edition(game)
    files = {
        f"{name}.pdf": output.kit_pdf(output.credited(kit, game, order.files), edition)
        for name, kit in stop.kits(order).items()
    }
    put.folder(folder, files)
    given = " ".join(f"{option_flag(question.option)} …" for question in stop.questions(order))
    go_on = console.words()["go_on"].fill(command=f"{_again(game, order, how)} {given}")[how.first]
    row = {"folder": str(folder), "code": order.code, "files": list(files)}
    console.answer(as_json, row, [*(folder / name for name in files), go_on])
