"""`muster draw`: generate one scenario or a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import batch, console, drawing, request, safe_write
from generator.cli.ask_players import ask_choices
from generator.cli.output import check_suffix, out_file
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, examine, file_copies
from generator.common.game import Game
from generator.common.search import SearchStoppedError
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Lang, same
from generator.store.folders import is_stream
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import manifest, seal
from generator.workers import Workers

MAX_SCENARIOS = 10_000
"""The maximum number of scenarios in a batch."""


@click.command(cls=request.GameCommand)
@request.game_argument
@request.seed_option
@console.lang_option
@out_file()
@click.option("--ask", "asking", is_flag=True)
@click.option("--count", metavar="N", type=click.IntRange(1, MAX_SCENARIOS), is_eager=True)
@click.option("--different-maps", is_flag=True)
@click.option("--small-maps", is_flag=True)
@request.workers_options
@console.json_option
def draw_verb(
    game: Game[Any],
    seed: str | None,
    lang: Lang,
    out: Path | None,
    workers: Workers,
    count: int | None,
    different_maps: bool,
    small_maps: bool,
    as_json: bool,
    asking: bool = False,
    **game_options: Any,
) -> None:
    """Generate a scenario and write it as TOML or JSON.

    With --count, write several scenarios to a folder, with a summary table.
    """
    if count:
        if asking:
            raise WrongUsageError(tr("--count and --ask cannot be combined, because --count never asks the players"))
        order = request.make_request(game, seed, game_options)
        samples = batch.draw_batch(game, order, count, workers, different_maps, lang if small_maps else None)
        _write_batch(game, order, samples, lang, out, as_json)
        return
    if different_maps or small_maps:
        raise WrongUsageError(
            tr("--different-maps and --small-maps are for several scenarios"),
            hint=tr("add --count, for example --count 12"),
        )
    check_suffix(out, ".json" if as_json else SUFFIX)
    path = out or Path(SCENARIO)
    if out or not as_json:
        safe_write.check_replaceable(path)
    order = request.make_request(game, seed, game_options)
    if asking:
        drawing.check_not_searched(order, "--ask")
        order = ask_choices(game, order, lang)
    try:
        loaded = examine(game, drawing.draw_order(game, order, workers))
    except SearchStoppedError as stopped:
        best, stopped_lines = drawing.best_candidate(game, order, stopped)
        if out or not as_json:
            _write_scenario(path, examine(game, game.draw(best)), best, as_json)
            stopped_lines.append(console.words()["search_kept"].fill(file=same(str(path))))
        drawing.report_stopped(stopped_lines)
    if as_json and out is None:
        console.print_json(game.export(loaded.scenario))
        return
    _write_scenario(path, loaded, order, as_json)
    if as_json:
        findings = [console.finding_values(f, lang) for f in loaded.report.findings]
        console.print_json({"file": str(path), "code": order.code, "stamp": loaded.stamp, "findings": findings})
    else:
        for line in (*game.story(loaded.scenario), *drawing.search_story(game, loaded.scenario)):
            click.echo(line[lang])
        console.print_report(loaded.stamp, loaded.report, lang)
        click.echo(f"{path}")
    console.exit_if(loaded.report.illegal)


def _write_batch(
    game: Game[Any], order: Request, samples: list[batch.Sample], lang: Lang, out: Path | None, as_json: bool
) -> None:
    """Write scenarios and their table to a folder, and print the table."""
    folder = out or Path("output") / f"{game.name}-scenarios-{order.code}"
    files = {sample.file: sample.text.encode() for sample in samples}
    files |= {sample.map_file: sample.small_map.encode() for sample in samples if sample.map_file}
    files |= {batch.TABLE_FILE: batch.csv_table(samples, lang)}
    files |= file_copies(order.files, (*files, MANIFEST))
    about = {"game": game.name, "code": order.code, "wishes": dict(order.options)}
    safe_write.write_folder(folder, files | {MANIFEST: manifest(about, files)})
    row = {"folder": str(folder)} | about | {"table": batch.TABLE_FILE, "scenarios": [s.row(lang) for s in samples]}
    lines = (f"{sample.stamp:11}  {sample.grade or '–'}  {sample.story[0][lang]}" for sample in samples)
    console.print_answer(as_json, row, [*lines, folder / batch.TABLE_FILE])
    console.exit_if(not all(sample.legal for sample in samples))


def _write_scenario(path: Path, loaded: Loaded, order: Request, as_json: bool) -> None:
    """Write a scenario as JSON, or as TOML with copies of its files."""
    if as_json:
        safe_write.write_file(path, seal(console.json_text(loaded.game.export(loaded.scenario)).encode()))
    elif is_stream(path):
        safe_write.write_file(path, loaded.text.encode())
    else:
        user_copies = file_copies(order.files, (path.name,))
        safe_write.write_folder(path.parent, {**user_copies, path.name: loaded.text.encode()})
