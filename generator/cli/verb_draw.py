"""`muster draw`: draw one scenario, or a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import batch, console, drawing, put, request
from generator.cli.answers import answered
from generator.cli.output import named, out_file
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, copies, examined
from generator.common.game import Game
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Lang
from generator.store.folders import is_stream
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest, seal
from generator.workers import Workers

MOST_COUNTED = 10_000
"""Scenarios of a batch, at most."""


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@console.lang_option
@out_file()
@click.option("--ask", "asking", is_flag=True)
@click.option("--count", metavar="N", type=click.IntRange(1, MOST_COUNTED), is_eager=True)
@request.workers_options
@console.json_option
def draw_verb(
    game: Game[Any],
    seed: str | None,
    lang: Lang,
    out: Path | None,
    workers: Workers,
    count: int | None,
    as_json: bool,
    asking: bool = False,
    **wishes: Any,
) -> None:
    """Draw a scenario and write it as TOML or JSON.

    With --count, write several scenarios to a folder, with a summary table.
    """
    if count:
        if asking:
            raise WrongUsageError(tr("--count draws everything, --ask asks the players: choose one"))
        _draw_batch(game, request.requested(game, seed, wishes), count, workers, lang, out, as_json)
        return
    named(out, ".json" if as_json else SUFFIX)
    path = out or Path(SCENARIO)
    if out or not as_json:
        put.spare(path)
    order = request.requested(game, seed, wishes)
    if asking:
        drawing.leave_to_the_draw(order, "--ask")
        order = answered(game, order, lang)
    loaded = examined(game, drawing.drawn(game, order, workers))
    if as_json and out is None:
        console.as_json(game.export(loaded.scenario))
        return
    _write(path, loaded, order, as_json)
    if as_json:
        findings = [console.finding_row(f, lang) for f in loaded.report.findings]
        console.as_json({"file": str(path), "code": order.code, "stamp": loaded.stamp, "findings": findings})
    else:
        for line in (*game.story(loaded.scenario), *drawing.story(game, loaded.scenario)):
            click.echo(line[lang])
        console.report(loaded.stamp, loaded.report, lang)
        click.echo(f"{path}")
    console.end_if(loaded.report.illegal)


def _draw_batch(
    game: Game[Any], order: Request, count: int, workers: Workers, lang: Lang, out: Path | None, as_json: bool
) -> None:
    """Draw so many scenarios, write them with a table into a folder, and print the table."""
    folder = out or Path("output") / f"{game.name}-scenarios-{order.code}"
    samples = batch.batch(game, order, count, workers)
    files = {sample.file: sample.text.encode() for sample in samples}
    files |= {batch.TABLE: batch.tabled(samples, lang)}
    files |= copies(order.files, (*files, MANIFEST))
    about = {"game": game.name, "code": order.code, "wishes": dict(order.options)}
    put.folder(folder, files | {MANIFEST: manifest(about, files)})
    row = {"folder": str(folder)} | about | {"table": batch.TABLE, "scenarios": [s.row(lang) for s in samples]}
    lines = (f"{sample.stamp:11}  {sample.grade or '–'}  {sample.story[0][lang]}" for sample in samples)
    console.answer(as_json, row, [*lines, folder / batch.TABLE])
    console.end_if(not all(sample.legal for sample in samples))


def _write(path: Path, loaded: Loaded, order: Request, as_json: bool) -> None:
    """Write the scenario: as JSON, or as TOML with a copy of each file that it names beside it."""
    if as_json:
        put.file(path, seal(console.json_text(loaded.game.export(loaded.scenario)).encode()))
    elif is_stream(path):
        put.file(path, loaded.text.encode())
    else:
        beside = copies(order.files, (path.name,))
        put.folder(path.parent, {**beside, path.name: loaded.text.encode()})
