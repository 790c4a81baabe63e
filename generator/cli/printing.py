"""What the verbs that print without a scenario share: cards, tokens, reference, sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from generator import games
from generator.cli import paper, put, say
from generator.cli.ask import (
    GAME,
    GameCommand,
    chosen,
    default_game,
    games_beginning,
    going_on,
    known_game,
    wish_option,
)
from generator.cli.how import How, how_options
from generator.cli.out import out_file
from generator.errors import Problem, WrongUsageError
from generator.games.capability import Game, Printable, Shelf
from generator.games.whose import credit, owners, shelf_of
from generator.model.words import Words

F = TypeVar("F", bound=Callable[..., Any])


class PrintCommand(GameCommand):
    """A command whose game decides which files of a person's own are options: those that change what it prints."""

    def usual(self, ctx: click.Context) -> str:
        """The one game that has something of the kind, or else the default game."""
        able = _able(str(ctx.info_name))
        return able[0] if len(able) == 1 else default_game()

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, then the wishes that take such a file, then --help."""
        *own, helping = click.Command.get_params(self, ctx)
        game: Game[Any] = ctx.meta.get(GAME) or games.load(self.usual(ctx))
        taken = [option for what in game.prints if what.verb == ctx.info_name for option in what.takes]
        return [
            *own,
            *(wish_option(wish, streams=True) for wish in game.wishes if wish.file and wish.name in taken),
            helping,
        ]

    def elsewhere(self, ctx: click.Context, option: str) -> click.UsageError | None:
        """Why the game does not take a file here, and what does take it; None for what is no file's option."""
        game, verb, name = ctx.meta[GAME], str(ctx.info_name), option.removeprefix("--")
        printable(game, verb)
        users = [each for each in map(games.load, games.names()) if _takes_file(each, name)]
        if not users:
            return None
        user = game if game in users else users[0]
        verbs = [what.verb for what in user.prints if name in what.takes]
        hint = "; ".join(f"muster {able} {user.name} {option} …" for able in ("kit", *verbs))
        why = f"{ctx.command_path} prints nothing that {option} changes" if user is game else f"it has no {option}"
        return click.UsageError(f"{game.name}: {why}; what takes it: {hint}", ctx)


def _takes_file(game: Game[Any], name: str) -> bool:
    return any(wish.file and wish.name == name for wish in game.wishes)


def _able(verb: str) -> list[str]:
    """The games that have something of the kind to print."""
    return [name for name in games.names() if any(p.verb == verb for p in games.load(name).prints)]


def _game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any]:
    if value is None and GAME in ctx.meta:
        game: Game[Any] = ctx.meta[GAME]
        return game
    return known_game(value or default_game())


def _kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The words for --only that go on from what is typed, for the shell."""
    # Click leaves the game among the rest, as the option behind it has no value yet.
    named = next((word for word in ctx.args if word in games.names()), None)
    try:
        return going_on(incomplete, printable(_game(ctx, param, named), str(ctx.info_name)).kinds)
    except WrongUsageError:
        return []


game_argument = click.argument(
    "game", required=False, metavar="[GAME]", callback=_game, shell_complete=games_beginning
)


def print_options(
    options: tuple[Callable[[F], F], ...],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """GAME, --only, -o FILE, --json, and these of how it is printed."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        made = how_options(options)(command)
        for option in (
            say.json_option,
            out_file("The PDF to write, or - for standard output; with --format a folder.", ".pdf"),
            click.option(
                "--only",
                metavar="WORDS",
                shell_complete=_kinds,
                help="Only these, by comma; a wrong word lists what there is.",
            ),
            game_argument,
        ):
            made = option(made)
        return made

    return decorate


def printable(game: Game[Any], verb: str) -> Printable:
    """What that verb prints for the game; WrongUsageError names the games that have it."""
    for found in game.prints:
        if found.verb == verb:
            return found
    able = _able(verb)
    hint = f"games that have them: {', '.join(able)}" if able else "no game has them"
    raise WrongUsageError(Problem(f"{game.name} has no {verb} to print", hint=hint))


def print_out(
    game: Game[Any],
    verb: str,
    options: Mapping[str, str | None],
    files: Mapping[str, Any],
    how: How,
    out: Path | None,
    as_json: bool,
    size: str | None = None,
) -> None:
    """Make the game's kit for that verb, print it, write it, and say where; `files` are wishes by parameter."""
    from generator.press.png import page_count

    about: dict[str, object] = {"verb": verb, "game": game.name}
    what = printable(game, verb)
    edition = how.edition(game, size)
    brought = {wish: value for wish in what.takes if (value := files.get(wish.replace("-", "_"))) is not None}
    asked = {name: value for name, value in options.items() if value is not None}
    asked |= {wish: str(value) for wish, value in brought.items()}
    for name in asked:
        if name not in (*(["only"] if what.kinds else []), *what.takes):
            raise WrongUsageError(Problem(f"{game.name}: its {verb} take no --{name}"))
    if "only" in asked:
        asked["only"] = ",".join(chosen(asked["only"], what.kinds, "--only"))
    kit = replace(what.make(asked | {"paper": how.paper}), credit=own_credit(game, brought))
    if not kit.sheets:
        raise WrongUsageError(Problem(f"there are no such {verb} to print"))
    if how.format:
        folder = out or Path("output") / f"{game.name}-{verb}"
        files = paper.printed(kit, how, edition, "")
        put.folder(folder, files)
        if as_json:
            say.as_json(about | {"stamp": kit.stamp, "folder": str(folder), "files": list(files), "pages": None})
            return
        for name in files:
            click.echo(f"{folder / name}")
        return
    target = out or Path("output") / f"{game.name}-{verb}.pdf"
    put.spare(target)
    pdf = paper.pdf(kit, edition)
    put.file(target, pdf)
    pages = page_count(pdf)
    if as_json:
        where = {"folder": str(target.parent), "files": [target.name], "pages": pages}
        say.as_json(about | {"stamp": kit.stamp} | where)
        return
    click.echo(f"{target}")
    if what.ships() and len(kit.sheets) > 1 and "board" not in asked and not brought:
        values = {"pages": pages, "n": len(kit.sheets), "name": what.ships()[0]}
        click.echo(say.words()["all_boards"].fill(**values)[how.first])


def own_credit(game: Game[Any], brought: Mapping[str, object]) -> Words | None:
    """What is said of an owner's files on every page; of a board its own note says it."""
    files = {wish: path for wish, path in brought.items() if isinstance(path, Path)}
    return credit(game, {w: of for w, of in owners(game, files).items() if not _is_ground(shelf_of(game, w))})


def _is_ground(shelf: Shelf | None) -> bool:
    return bool(shelf and shelf.view)
