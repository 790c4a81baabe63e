"""`muster gallery`: show every map and sheet on one HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from generator import games
from generator.cli import console, request, safe_write
from generator.cli.console import ProgressLine
from generator.cli.data_files import printing_commands, recognise
from generator.cli.help import Option, Verb
from generator.cli.output import out_file, owner_credit, with_credit
from generator.cli.print_options import ON_SCREEN, PrintOptions, add_print_options
from generator.cli.scenario import examine
from generator.common.game import ContentType, Game
from generator.common.ownership import content_type_of
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.scenario import Request
from generator.model.words import Words
from generator.notation.option_names import option_flag, option_name
from generator.notation.text import command as format_command
from generator.notation.text import kit_command
from generator.notation.toml import Source
from generator.press.gallery import GalleryMap, GameGallery, PictureGroup, gallery, gallery_settings
from generator.workers import Workers

DPI_RANGE = (48, 200)
"""The minimum and maximum resolution of the pictures in the gallery, in dots per inch."""
BOARDS = "boards"
"""The command that prints maps without a scenario."""
Files = dict[str, Path]
"""The user's files, keyed by option."""


def _games(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[Game[Any]]:
    return [request.game_by_name(name) for name in dict.fromkeys(value or games.names())]


class GalleryCommand(Verb):
    """A command with options for the user files of every game."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options of the command, then an option for each type of user file, then --help."""
        *params, help_option = super().get_params(ctx)
        kind = click.Path(exists=True, dir_okay=False, path_type=Path)
        names = {option.name: option for name in games.names() for option in games.load(name).options if option.file}
        options = (
            Option([option_flag(option)], metavar="FILE", type=kind, does=_option_help(option)) for option in names
        )
        return [*params, *options, help_option]


def _option_help(option: str) -> str:
    able = [name for name in games.names() if any(w.file and w.name == option for w in games.load(name).options)]
    return tr("Show your own file instead of the shipped one, for {able}.", able=[*able])


@click.command(cls=GalleryCommand)
@click.argument("chosen", nargs=-1, metavar="[GAME]…", callback=_games, shell_complete=request.complete_games)
@out_file(".html")
@click.option("--seed", metavar="CODE")
@click.option("--dpi", "screen_dpi", metavar="DOTS", type=click.IntRange(*DPI_RANGE))
@add_print_options(ON_SCREEN)
@request.workers_options
@console.json_option
def gallery_verb(
    chosen: list[Game[Any]],
    print_options: PrintOptions,
    workers: Workers,
    out: Path | None,
    seed: str | None,
    screen_dpi: int | None,
    as_json: bool,
    **files: Path | None,
) -> None:
    """Show every map, board, arena and sheet on one HTML page, with the commands that print them.

    The page contains its pictures and loads nothing from the network, so it can also be opened on a phone.
    """
    target = out or Path("output") / "gallery.html"
    safe_write.check_replaceable(target)
    code = request.parse_seed(seed or gallery_settings().code)
    user_files = files_by_game(chosen, {option_name(name): path for name, path in files.items() if path})
    rooms = [game_room(game, code, print_options, user_files[game.name]) for game in chosen]
    with ProgressLine() as progress:
        page = gallery(rooms, print_options.main_lang, screen_dpi or gallery_settings().dpi, progress, workers.spread)
    safe_write.write_file(target, page)
    row = {"file": str(target), "code": code, "games": [game.name for game in chosen], "bytes": len(page)}
    console.print_answer(as_json, row, [target])


def files_by_game(chosen: Iterable[Game[Any]], files: Mapping[str, Path]) -> dict[str, Files]:
    """Return the files that each game accepts, keyed by game and option.

    Raises:
        WrongUsageError: If no game accepts a file.
    """
    found: dict[str, Files] = {game.name: {} for game in chosen}
    for option, path in files.items():
        content_type, _ = recognise(path)
        takers = [game for game in chosen if content_type_of(game, option) is content_type]
        if not takers:
            message = tr(
                "--{key}: none of the games shown accepts the {kind} {path}",
                key=option,
                kind=content_type.kind,
                path=path,
            )
            raise WrongUsageError(message, hint="; ".join(printing_commands(content_type, path)))
        for game in takers:
            found[game.name][option] = path
    return found


def game_room(game: Game[Any], code: str, print_options: PrintOptions, files: Files) -> GameGallery:
    """Return the part of the gallery for a game: its maps, the kit of the code, and its prints without a scenario."""
    # A user's file is read here, because it may be a pipe or may be missing on the machine of another worker.
    drawn = (
        kit_wall(game, code, print_options, files) if files else partial(kit_wall, game, code, print_options, files)
    )
    walls = (*map_walls(game, print_options, files), drawn, *component_walls(game, code, print_options, files))
    return GameGallery(game.name, game.title, game.summary, walls)


def map_walls(game: Game[Any], print_options: PrintOptions, files: Files) -> Iterator[PictureGroup]:
    """Yield the user's maps and the shipped maps, each with the commands that use it for a kit and print it alone."""
    for content_type in game.content_types:
        if content_type.view:
            paths = (path for option, path in files.items() if content_type_of(game, option) is content_type)
            user_maps = (
                _map_entry(game, content_type, print_options, _map_title(content_type, path), path) for path in paths
            )
            ours = (
                _map_entry(game, content_type, print_options, title, name)
                for name, title in content_type.items().items()
            )
            yield PictureGroup(
                gallery_settings().kind[content_type.kind], (*user_maps, *ours), print_options.press_options(game)
            )


def _map_entry(
    game: Game[Any], content_type: ContentType, print_options: PrintOptions, title: Words, of: str | Path
) -> GalleryMap:
    assert content_type.view
    option = next(option.name for option in game.options if content_type_of(game, option.name) is content_type)
    alone = format_command(["muster", BOARDS, game.name], {"board": str(of), **print_options.as_options()})
    play = format_command(["muster", "kit", game.name], {option: str(of), **print_options.as_options()})
    return GalleryMap(title, Path(of).name, alone, play, content_type.view(of))


def _map_title(content_type: ContentType, path: Path) -> Words:
    assert content_type.read
    return content_type.read(Source.open(path)).name


def kit_wall(game: Game[Any], code: str, print_options: PrintOptions, files: Files) -> PictureGroup:
    """Return the group of pictures that shows the kit of a code, with the user's files."""
    loaded = examine(game, game.draw(Request(code, {option: path.name for option, path in files.items()}, files)))
    again = kit_command(
        game.name, code, {option: str(path) for option, path in files.items()} | print_options.as_options()
    )
    whole = with_credit(game.kit(loaded.scenario, loaded.report, loaded.stamp, again), game, files)
    # Optional parts are not shown, and they cannot be pickled for another process.
    pages = replace(whole, more=())
    return PictureGroup(
        gallery_settings().words["kit"].fill(title=pages.title), pages, print_options.press_options(game), code, again
    )


def component_walls(game: Game[Any], code: str, print_options: PrintOptions, files: Files) -> Iterator[PictureGroup]:
    """Yield what the game prints without a scenario, without the backs. Boards are shown among the maps."""
    press_options = replace(print_options, single=True).press_options(game)
    for what in game.prints:
        if what.verb != BOARDS:
            seed = {"seed": code} if "seed" in what.takes else {}
            taken = {option: path for option, path in files.items() if option in what.takes}
            file_options = {option: str(path) for option, path in taken.items()}
            made = replace(
                what.make({"paper": print_options.paper, **seed, **file_options}), credit=owner_credit(game, taken)
            )
            again = format_command(
                ["muster", what.verb, game.name], {**seed, **file_options, **print_options.as_options()}
            )
            yield PictureGroup(made.title, made, press_options, made.stamp, again)
