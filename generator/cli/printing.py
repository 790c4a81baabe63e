"""What the verbs that print without a scenario share: cards, tokens, reference, sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from generator import games
from generator.cli import paper, put, say
from generator.cli.ask import chosen, default_game, games_beginning, going_on, known_game
from generator.cli.how import How, how_options
from generator.cli.out import out_file
from generator.errors import Problem, WrongUsageError
from generator.games.capability import Game, Printable

F = TypeVar("F", bound=Callable[..., Any])


def file_option(name: str) -> Callable[[F], F]:
    """An option for a file of the user's own."""
    kind = click.Path(exists=True, dir_okay=False, allow_dash=True)
    return click.option(f"--{name}", metavar="FILE", type=kind, help=f"Your own {name} in place of the house one.")


def _game(ctx: click.Context, param: click.Parameter, value: str | None) -> Game[Any]:
    if value is None and ctx.info_name:
        able = [name for name in games.names() if any(p.verb == ctx.info_name for p in games.load(name).prints)]
        value = able[0] if len(able) == 1 else None
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
    able = [name for name in games.names() if any(p.verb == verb for p in games.load(name).prints)]
    hint = f"games that have them: {', '.join(able)}" if able else "no game has them"
    raise WrongUsageError(Problem(f"{game.name} has no {verb} to print", hint=hint))


def print_out(
    game: Game[Any],
    verb: str,
    options: Mapping[str, str | None],
    how: How,
    out: Path | None,
    as_json: bool,
    size: str | None = None,
) -> None:
    """Make the game's kit for that verb, print it, write it, and say where."""
    about: dict[str, object] = {"verb": verb, "game": game.name}
    from generator.press.png import page_count

    what = printable(game, verb)
    edition = how.edition(game, size)
    asked = {name: value for name, value in options.items() if value is not None}
    for name in asked:
        if name not in (*(["only"] if what.kinds else []), *what.takes):
            raise WrongUsageError(Problem(f"{game.name}: its {verb} take no --{name}"))
    if "only" in asked:
        asked["only"] = ",".join(chosen(asked["only"], what.kinds, "--only"))
    kit = what.make(asked | {"paper": how.paper})
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
    if what.ships() and len(kit.sheets) > 1 and "board" not in asked:
        values = {"pages": pages, "n": len(kit.sheets), "name": what.ships()[0]}
        click.echo(say.words()["all_boards"].fill(**values)[how.first])
