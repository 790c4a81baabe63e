"""`muster games`."""

from __future__ import annotations

import click

from generator import games
from generator.cli import say
from generator.cli.ask import default_game
from generator.model.words import Lang


@click.command()
@say.lang_option
@say.json_option
def command(lang: Lang, as_json: bool) -> None:
    """List the games that Muster can draw."""
    found = [games.load(name) for name in games.names()]
    if as_json:
        say.as_json(
            [
                {
                    "name": g.name,
                    "title": g.title[lang],
                    "summary": g.summary[lang],
                    "default": g.name == default_game(),
                    "wishes": [w.name for w in g.wishes],
                }
                for g in found
            ]
        )
        return
    for game in found:
        default = " *" if game.name == default_game() else ""
        click.echo(f"{game.name}{default}  {game.title[lang]}: {game.summary[lang]}")
    click.echo(say.words()["default_game"][lang])
