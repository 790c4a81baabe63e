"""`muster replay`: draw the turns of a game log as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, logs, output, safe_write
from generator.cli.help import Verb
from generator.cli.logs import finding_lines
from generator.cli.output import out_folder
from generator.cli.print_options import ONE_SHEET, PrintOptions, add_print_options, screen_dpi_option
from generator.common.proof import rows as verified_rows
from generator.store.folders import is_stream

PDF, GIF = "replay.pdf", "replay.gif"
FRAME_SECONDS = {"start": 1.5, "": 4.0}
"""The number of seconds for which the GIF shows a page, keyed by part. The empty key is for all other parts."""


@click.command(cls=Verb)
@click.argument("log", type=click.Path(path_type=Path))
@logs.scenario_option
@add_print_options(ONE_SHEET)
@screen_dpi_option
@out_folder()
@console.json_option
def replay_verb(
    log: Path, scenario: Path | None, print_options: PrintOptions, screen_dpi: int, out: Path | None, as_json: bool
) -> None:
    """Draw the start and the actions of each turn of a game log, as PNG files, a GIF, and one PDF.

    A log that breaks a rule is drawn as well. Its illegal orders are marked, and they are listed on the terminal.
    """
    from generator.press.png import animated_gif, page_pngs

    loaded, logbook, text = logs.load_log(log, scenario)
    kit = output.with_scenario_credit(
        logbook.replay(loaded.scenario, text, loaded.stamp), loaded, (scenario or log).parent
    )
    pdf = output.kit_pdf(kit, print_options.press_options(loaded.game))
    pages = page_pngs(pdf, screen_dpi)
    parts = [sheet.part for sheet in kit.sheets]
    names = [f"{part}-{parts[: at + 1].count(part):02}.png" for at, part in enumerate(parts)]
    durations = [FRAME_SECONDS.get(part, FRAME_SECONDS[""]) for part in parts]
    files = {PDF: pdf, GIF: animated_gif(pages, durations)} | dict(zip(names, pages, strict=True))
    folder = out or Path("output") / ("replay" if is_stream(log) else f"replay-{log.stem}")
    held = loaded.verify_sight_while(lambda battle: logbook.replay(battle, text, loaded.stamp))
    safe_write.write_folder(folder, files)
    judged = logbook.judge(loaded.scenario, text)
    if as_json:
        values = {"folder": str(folder), "files": list(files), "clean": not judged.findings}
        console.print_json(values | {"verified": verified_rows(held)})
        return
    for line in finding_lines(log, judged, print_options.main_lang):
        console.print_line(line, err=True)
    console.print_line(judged.position[print_options.main_lang])
    console.report_verified(held, print_options.main_lang)
    click.echo(f"{folder / PDF}")
