"""`muster replay`: show a log of play again as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, logs, output, put
from generator.cli.help import Verb
from generator.cli.logs import finding_lines
from generator.cli.output import out_folder
from generator.cli.print_options import ONE_SHEET, How, fineness_option, how_options
from generator.common.proof import rows as verified_rows
from generator.store.folders import is_stream

PDF, GIF = "replay.pdf", "replay.gif"
SECONDS = {"start": 1.5, "": 4.0}
"""How long the moving picture shows a sheet of such a part, and any other."""


@click.command(cls=Verb)
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@how_options(ONE_SHEET)
@fineness_option
@out_folder()
@console.json_option
def replay_verb(log: Path, scenario: Path | None, how: How, fineness: int, out: Path | None, as_json: bool) -> None:
    """Draw each turn of a log, its start and its actions: PNG for a blog, a GIF, and one PDF.

    A log that breaks a rule is drawn as well; the refused orders are marked, and listed on the terminal.
    """
    from generator.press.png import animated_gif, page_pngs

    loaded, book, text = logs.read(log, scenario)
    kit = output.of_scenario(book.replay(loaded.scenario, text, loaded.stamp), loaded, (scenario or log).parent)
    pdf = output.kit_pdf(kit, how.edition(loaded.game))
    pages = page_pngs(pdf, fineness)
    parts = [sheet.part for sheet in kit.sheets]
    names = [f"{part}-{parts[: at + 1].count(part):02}.png" for at, part in enumerate(parts)]
    shown = [SECONDS.get(part, SECONDS[""]) for part in parts]
    files = {PDF: pdf, GIF: animated_gif(pages, shown)} | dict(zip(names, pages, strict=True))
    folder = out or Path("output") / ("replay" if is_stream(log) else f"replay-{log.stem}")
    held = loaded.watched(lambda battle: book.replay(battle, text, loaded.stamp))
    put.folder(folder, files)
    judged = book.judge(loaded.scenario, text)
    if as_json:
        told = {"folder": str(folder), "files": list(files), "clean": not judged.findings}
        console.as_json(told | {"verified": verified_rows(held)})
        return
    for line in finding_lines(log, judged, how.first):
        console.line(line, err=True)
    console.line(judged.position[how.first])
    console.verified(held, how.first)
    click.echo(f"{folder / PDF}")
