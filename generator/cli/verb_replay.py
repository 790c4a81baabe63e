"""`muster replay`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import logs, paper, put, say
from generator.cli.how import ONE_SHEET, How, how_options
from generator.cli.imposing import DPI
from generator.cli.out import out_folder
from generator.store.read import is_stream

PDF = "replay.pdf"


@click.command()
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@how_options(ONE_SHEET)
@click.option(
    "--dpi", "fineness", metavar="DOTS", type=DPI, default=110, show_default=True, help="How fine the pictures are."
)
@out_folder("Folder for PDF and pictures.")
@say.json_option
def command(log: Path, scenario: Path | None, how: How, fineness: int, out: Path | None, as_json: bool) -> None:
    """Make the picture of each turn of a log: PNG for a blog, and one PDF.

    A log that breaks a rule is shown too; what was refused is marked, and told on the terminal.
    """
    from generator.press.png import page_pngs

    loaded, book, text = logs.read(log, scenario)
    kit = paper.of_scenario(book.replay(loaded.scenario, text, loaded.stamp), loaded, (scenario or log).parent)
    pdf = paper.pdf(kit, how.edition(loaded.game))
    pages = page_pngs(pdf, fineness)
    files = {PDF: pdf} | {f"turn-{n:02}.png": picture for n, picture in enumerate(pages, 1)}
    folder = out or Path("output") / ("replay" if is_stream(log) else f"replay-{log.stem}")
    put.folder(folder, files)
    judged = book.judge(loaded.scenario, text)
    if as_json:
        say.as_json({"folder": str(folder), "files": list(files), "clean": not judged.findings})
        return
    for finding in judged.findings:
        say.line(f"{log}:{finding.line}: {finding.text[how.first]} [{finding.reason}]", err=True)
    say.line(judged.standing[how.first])
    click.echo(f"{folder / PDF}")
