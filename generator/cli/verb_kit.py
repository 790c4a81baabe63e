"""`muster kit`: generate a scenario, check it, and print everything needed to play it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from generator.cli import console, drawing, output, request, safe_write
from generator.cli.ask_players import ask_choices
from generator.cli.print_options import PrintOptions
from generator.cli.scenario import examine
from generator.common.game import Game, Stop
from generator.common.search import SearchStoppedError
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
    print_options: PrintOptions,
    workers: Workers,
    out: Path | None,
    as_json: bool,
    until: str | None = None,
    asking: bool = False,
    **game_options: Any,
) -> None:
    """Generate a scenario, check that it is legal, and print everything needed to play it.

    Choices that are not given as options follow from the code. The same code always gives the same scenario.
    """
    order = request.make_request(game, seed, game_options)
    lang = print_options.main_lang
    if until or asking:
        drawing.check_not_searched(order, "--until" if until else "--ask")
    if until:
        stops = {stop.name: stop for stop in game.stops}
        stop = stops[among(until, stops, tr("--until: this game has no step named {name!r}", name=until))]
        with _with_code(game, order, print_options):
            _print_step(game, order, stop, print_options, out, as_json)
        return
    if asking:
        order = ask_choices(game, order, lang)
    try:
        scenario = drawing.draw_order(game, order, workers)
    except SearchStoppedError as stopped:
        drawing.report_stopped(drawing.best_candidate(game, order, stopped)[1])
    with _with_code(game, order, print_options):
        loaded = examine(game, scenario)
        folder = output.kit_folder(loaded, out)
        held = loaded.verify_sight("printed")
        files = output.kit_files(loaded, print_options, dict(order.files), held)
        output.write_kit(folder, files)
    if as_json:
        output.print_kit_json(folder, loaded, files, print_options, order.files, held)
    else:
        for line in (*game.story(loaded.scenario), *drawing.search_story(game, loaded.scenario)):
            click.echo(line[lang])
        console.print_report(loaded.stamp, loaded.report, lang)
        console.report_verified(held, lang, loaded.stamp)
        output.print_location(folder, files)
    console.exit_if(loaded.report.illegal)


@contextmanager
def _with_code(game: Game[Any], order: Request, print_options: PrintOptions) -> Iterator[None]:
    """Add the code, and the command that generates the scenario again, to every error.

    Otherwise the code would be lost if the kit cannot be printed.
    """
    try:
        yield
    except WrongUsageError:
        # The command line was wrong, and no scenario has been shown yet.
        raise
    except MusterError as error:
        error.code, error.command = order.code, _redraw_command(game, order, print_options)
        raise
    except Exception as error:
        error.add_note(f"{order.code}: {_redraw_command(game, order, print_options)}")
        raise


def _redraw_command(game: Game[Any], order: Request, print_options: PrintOptions) -> str:
    """Return the command that prints the requested kit again in the same folder."""
    options = {name: str(order.files.get(name, value)) for name, value in order.options.items()}
    return kit_command(game.name, order.code, options | print_options.as_options())


def _print_step(
    game: Game[Any],
    order: Request,
    stop: Stop[Any],
    print_options: PrintOptions,
    out: Path | None,
    as_json: bool,
) -> None:
    if out == STREAM:
        raise WrongUsageError(output.several_files_fault(out))
    folder = out or Path("output") / f"{game.name}-{order.code}"
    press_options = print_options.press_options(game)
    files = {
        f"{name}.pdf": output.kit_pdf(output.with_credit(kit, game, order.files), press_options)
        for name, kit in stop.kits(order).items()
    }
    safe_write.write_folder(folder, files)
    given = " ".join(f"{option_flag(question.option)} …" for question in stop.questions(order))
    go_on = console.words()["go_on"].fill(command=f"{_redraw_command(game, order, print_options)} {given}")[
        print_options.main_lang
    ]
    row = {"folder": str(folder), "code": order.code, "files": list(files)}
    console.print_answer(as_json, row, [*(folder / name for name in files), go_on])
