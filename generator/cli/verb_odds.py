"""`muster odds`: compute what may come of a scenario."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import console, request
from generator.cli.help import Verb
from generator.cli.scenario import load
from generator.localization import tr
from generator.model.words import Lang


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--now", metavar="UNITS")
@click.option("--wait", metavar="SECONDS", type=click.FloatRange(0, 86_400), default=0.0)
@console.answer_options
def odds_verb(file: Path, now: str | None, wait: float, lang: Lang, as_json: bool) -> None:
    """Tell what may come of it: who wins a fight and what to do now, or what units can do and have to fear."""
    loaded = load(file)
    tool = request.capability(loaded.game, lambda game: game.odds, tr("has no odds"))
    found = tool(loaded.scenario, now or "", wait)
    console.answer(as_json, console.spoken(found.rows, lang), (line[lang] for line in found.lines))
