"""`muster gallery`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import ask, put, say
from generator.cli.how import SHOWN, How, how_options
from generator.cli.out import out_file
from generator.cli.scenario import examined, rebuild
from generator.cli.telling import Telling
from generator.games.capability import Game
from generator.model.scenario import Order
from generator.notation.command import command as typed
from generator.press.gallery import Hung, Room, Wall, gallery, settings

DPI = (48, 200)
BOARDS = "boards"
"""The verb that prints maps alone."""


def _games(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[Game[Any]]:
    return [ask.known_game(name) for name in dict.fromkeys(value or games.names())]


@click.command()
@click.argument("chosen", nargs=-1, metavar="[GAME]…", callback=_games, shell_complete=ask.games_beginning)
@out_file("The HTML page to write, or - for standard output.", ".html")
@click.option("--seed", metavar="CODE", help="The code of what is drawn to be shown.")
@click.option("--dpi", "fineness", metavar="DOTS", type=click.IntRange(*DPI), help="How fine the pictures are.")
@how_options(SHOWN)
@say.json_option
def command(
    chosen: list[Game[Any]], how: How, out: Path | None, seed: str | None, fineness: int | None, as_json: bool
) -> None:
    """Show every map, board, arena and sheet on one page for a browser, with the commands that make them.

    The page holds its pictures and fetches nothing: it opens from a phone's memory as from a disk.
    """
    target = out or Path("output") / "gallery.html"
    put.spare(target)
    code = ask.code(seed or settings().code)
    rooms = [room(game, code, how) for game in chosen]
    with Telling() as telling:
        page = gallery(rooms, how.first, fineness or settings().dpi, telling)
    put.file(target, page)
    if as_json:
        names = [game.name for game in chosen]
        say.as_json({"file": str(target), "code": code, "games": names, "bytes": len(page)})
    else:
        click.echo(f"{target}")


def room(game: Game[Any], code: str, how: How) -> Room:
    """What is shown of a game: its maps, the kit of that code, and what it prints without a scenario."""
    walls = (*maps(game, how), kit(game, code, how), *prints(game, code, how))
    return Room(game.name, game.title, game.summary, walls)


def maps(game: Game[Any], how: How) -> Iterator[Wall]:
    """The maps that ship with the game, each with the command that prints it: alone, or else in a kit."""
    alone = any(what.verb == BOARDS for what in game.prints)
    for shelf in game.shelves:
        if view := shelf.view:
            verb, option = (BOARDS, "board") if alone else ("kit", shelf.kind)
            hung = (
                Hung(title, name, typed(["muster", verb, game.name], {option: name, **how.typed()}), view(name))
                for name, title in shelf.items().items()
            )
            yield Wall(settings().kind[shelf.kind], tuple(hung), how.edition(game))


def kit(game: Game[Any], code: str, how: How) -> Wall:
    """The kit that the code draws."""
    loaded = examined(game, game.draw(Order(code, {}, {})))
    again = rebuild(loaded, how.typed())
    pages = game.kit(loaded.scenario, loaded.report, loaded.stamp, again)
    return Wall(settings().words["kit"].fill(title=pages.title), pages, how.edition(game), code, again)


def prints(game: Game[Any], code: str, how: How) -> Iterator[Wall]:
    """What the game prints without a scenario, fronts only; its boards hang by themselves."""
    edition = replace(how, single=True).edition(game)
    for what in game.prints:
        if what.verb != BOARDS:
            seed = {"seed": code} if "seed" in what.takes else {}
            made = what.make({"paper": how.paper, **seed})
            again = typed(["muster", what.verb, game.name], {**seed, **how.typed()})
            yield Wall(made.title, made, edition, made.stamp, again)
