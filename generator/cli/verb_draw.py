"""`muster draw`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import ask, say
from generator.cli.scenario import examined
from generator.cli.verb_kit import answered
from generator.games.capability import Game
from generator.model.words import Lang
from generator.store.write import write


@click.command(cls=ask.GameCommand)
@ask.game_argument
@ask.seed_option
@say.lang_option
@click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Where to write it.")
@click.option("--ask", "asking", is_flag=True, help="Ask for the players' own choices on the terminal.")
@say.json_option
def command(
    game: Game[Any],
    seed: str | None,
    lang: Lang,
    out: Path | None,
    asking: bool,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Draw a scenario and write scenario.toml, or print it with --json."""
    order = ask.order(game, seed, wishes)
    if asking:
        order = answered(game, order, lang)
    loaded = examined(game, game.draw(order))
    if as_json:
        say.as_json(game.export(loaded.scenario))
        return
    path = out or Path("scenario.toml")
    write(path, loaded.text.encode())
    for line in game.story(loaded.scenario):
        click.echo(line[lang])
    say.report(loaded.stamp, loaded.report, lang)
    click.echo(f"{path}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)
