"""`muster odds`: compute the odds of a scenario's attacks and fights."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, request
from generator.cli.help import Verb
from generator.cli.scenario import load
from generator.localization import lang_option, localize, tr
from generator.model.words import Lang
from generator.notation.text import suggested_command


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--now", metavar="UNITS")
@click.option("--exact", is_flag=True)
@click.option("--wait", type=click.FloatRange(0, 86_400), default=0.0, hidden=True)
@console.answer_options
def odds_verb(file: Path, now: str | None, exact: bool, wait: float, lang: Lang, as_json: bool) -> None:
    """Show the odds of attacks and fights, with advice on what to do next or what each unit can do and must fear.

    The option `--wait SECONDS` of version 0.2 is still accepted. It was replaced by `--exact`.
    """
    loaded = load(file)
    tool = request.capability(loaded.game, lambda game: game.odds, tr("does not support odds"))
    found = tool(loaded.scenario, now or "", exact or wait > 0)
    console.print_answer(as_json, console.in_language(found.rows, lang), (line[lang] for line in found.lines))
    if loaded.report.illegal:
        command = suggested_command(["muster", "check", file, *lang_option()])
        note = tr(
            "{file} is not legal, so these odds may be wrong (to list the findings, run {command})",
            file=file, command=command,
        )  # fmt: skip
        console.print_line(localize(note, lang), err=True)
