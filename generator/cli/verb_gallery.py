"""`muster gallery`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console, put, request
from generator.cli.console import Telling
from generator.cli.help import Option, Verb
from generator.cli.output import credited, out_file, own_credit
from generator.cli.print_options import SHOWN, How, how_options
from generator.cli.scenario import examined
from generator.cli.shelves import printing, recognised
from generator.common.game import ContentType, Game
from generator.common.ownership import content_type_of
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation.option_names import option_flag, option_name
from generator.notation.text import command as typed
from generator.notation.text import kit_command
from generator.notation.toml import Source
from generator.press.gallery import GalleryMap, GameGallery, PictureGroup, gallery, gallery_settings
from generator.workers import Workers

DPI = (48, 200)
BOARDS = "boards"
"""The verb that prints maps alone."""
Files = dict[str, Path]
"""A person's own files, by wish."""


def _games(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[Game[Any]]:
    return [request.known_game(name) for name in dict.fromkeys(value or games.names())]


class GalleryCommand(Verb):
    """A command that takes the files of every game."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, then a file for each kind of content, then --help."""
        *own, helping = super().get_params(ctx)
        kind = click.Path(exists=True, dir_okay=False, path_type=Path)
        wishes = {wish.name: wish for name in games.names() for wish in games.load(name).options if wish.file}
        options = (Option([option_flag(wish)], metavar="FILE", type=kind, does=_told(wish)) for wish in wishes)
        return [*own, *options, helping]


def _told(wish: str) -> str:
    able = [name for name in games.names() if any(w.file and w.name == wish for w in games.load(name).options)]
    return tr("Show it with a file of your own: {able}.", able=[*able])


@click.command(cls=GalleryCommand)
@click.argument("chosen", nargs=-1, metavar="[GAME]…", callback=_games, shell_complete=request.games_beginning)
@out_file(".html")
@click.option("--seed", metavar="CODE")
@click.option("--dpi", "fineness", metavar="DOTS", type=click.IntRange(*DPI))
@how_options(SHOWN)
@request.workers_options
@console.json_option
def gallery_verb(
    chosen: list[Game[Any]],
    how: How,
    workers: Workers,
    out: Path | None,
    seed: str | None,
    fineness: int | None,
    as_json: bool,
    **files: Path | None,
) -> None:
    """Show every map, board, arena and sheet on one HTML page, with the commands that make them.

    The page contains its pictures and loads nothing from the network, so it also opens on a phone.
    """
    target = out or Path("output") / "gallery.html"
    put.spare(target)
    code = request.code(seed or gallery_settings().code)
    own = brought(chosen, {option_name(name): path for name, path in files.items() if path})
    rooms = [room(game, code, how, own[game.name]) for game in chosen]
    with Telling() as telling:
        page = gallery(rooms, how.first, fineness or gallery_settings().dpi, telling, workers.spread)
    put.file(target, page)
    row = {"file": str(target), "code": code, "games": [game.name for game in chosen], "bytes": len(page)}
    console.answer(as_json, row, [target])


def brought(chosen: Iterable[Game[Any]], files: Mapping[str, Path]) -> dict[str, Files]:
    """The files that each game takes, by wish; WrongUsageError for one that none of them does."""
    found: dict[str, Files] = {game.name: {} for game in chosen}
    for wish, path in files.items():
        shelf, _ = recognised(path)
        takers = [game for game in chosen if content_type_of(game, wish) is shelf]
        if not takers:
            message = tr(
                "--{wish}: none of the games shown accepts the {kind} {path}", wish=wish, kind=shelf.kind, path=path
            )
            raise WrongUsageError(message, hint="; ".join(printing(shelf, path)))
        for game in takers:
            found[game.name][wish] = path
    return found


def room(game: Game[Any], code: str, how: How, files: Files) -> GameGallery:
    """What is shown of a game: its maps, the kit of that code, and what it prints without a scenario."""
    # A person's file may be a pipe, and is not there where another machine works.
    drawn = kit(game, code, how, files) if files else partial(kit, game, code, how, files)
    walls = (*maps(game, how, files), drawn, *prints(game, code, how, files))
    return GameGallery(game.name, game.title, game.summary, walls)


def maps(game: Game[Any], how: How, files: Files) -> Iterator[PictureGroup]:
    """A person's own maps and those that ship, each with the commands that play on it and print it alone."""
    for shelf in game.content_types:
        if shelf.view:
            brought = (path for wish, path in files.items() if content_type_of(game, wish) is shelf)
            own = (_hung(game, shelf, how, _title(shelf, path), path) for path in brought)
            ours = (_hung(game, shelf, how, title, name) for name, title in shelf.items().items())
            yield PictureGroup(gallery_settings().kind[shelf.kind], (*own, *ours), how.edition(game))


def _hung(game: Game[Any], shelf: ContentType, how: How, title: Words, of: str | Path) -> GalleryMap:
    assert shelf.view
    wish = next(wish.name for wish in game.options if content_type_of(game, wish.name) is shelf)
    alone = typed(["muster", BOARDS, game.name], {"board": str(of), **how.typed()})
    play = typed(["muster", "kit", game.name], {wish: str(of), **how.typed()})
    return GalleryMap(title, Path(of).name, alone, play, shelf.view(of))


def _title(shelf: ContentType, path: Path) -> Words:
    assert shelf.read
    return shelf.read(Source.open(path)).name


def kit(game: Game[Any], code: str, how: How, files: Files) -> PictureGroup:
    """The kit that the code draws, with a person's own files."""
    loaded = examined(game, game.draw(Request(code, {wish: path.name for wish, path in files.items()}, files)))
    again = kit_command(game.name, code, {wish: str(path) for wish, path in files.items()} | how.typed())
    whole = credited(game.kit(loaded.scenario, loaded.report, loaded.stamp, again), game, files)
    # What is made only where asked for is not shown, and could not travel to another process.
    pages = replace(whole, more=())
    return PictureGroup(
        gallery_settings().words["kit"].fill(title=pages.title), pages, how.edition(game), code, again
    )


def prints(game: Game[Any], code: str, how: How, files: Files) -> Iterator[PictureGroup]:
    """What the game prints without a scenario, fronts only; its boards hang by themselves."""
    edition = replace(how, single=True).edition(game)
    for what in game.prints:
        if what.verb != BOARDS:
            seed = {"seed": code} if "seed" in what.takes else {}
            own = {wish: path for wish, path in files.items() if wish in what.takes}
            named = {wish: str(path) for wish, path in own.items()}
            made = replace(what.make({"paper": how.paper, **seed, **named}), credit=own_credit(game, own))
            again = typed(["muster", what.verb, game.name], {**seed, **named, **how.typed()})
            yield PictureGroup(made.title, made, edition, made.stamp, again)
