"""`muster data templates`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import printing, put, say
from generator.cli.ask import chosen
from generator.cli.out import out_folder
from generator.cli.sample import sample
from generator.games.capability import Game
from generator.model.views import Sheet
from generator.store.folders import shipped


@click.command()
@printing.game_argument
@click.option("--only", metavar="WORDS", help="Only these parts and templates, by comma; a wrong word lists them.")
@out_folder("Copy them to this folder.")
@say.lang_accepted
@say.json_option
def templates(game: Game[Any], only: str | None, out: Path | None, as_json: bool) -> None:
    """List or copy templates. The copies are yours to change (docs/templates.md)."""
    found = _found(game)
    if only is not None:
        words = chosen(only, dict.fromkeys([*filter(None, found.values()), *found]), "--only")
        found = {name: part for name, part in found.items() if {name, part} & {*words}}
    if out:
        files = {name: (shipped("templates") / name).read_bytes() for name in found}
        put.files({out / name: content for name, content in files.items()})
    if as_json:
        say.as_json([{"template": name, "part": part} for name, part in found.items()])
        return
    for name, part in found.items():
        click.echo(f"{out / name}" if out else f"{name:<28}{part}".rstrip())


def _found(game: Game[Any]) -> dict[str, str]:
    """The templates that a game's sheets are made of, each with the part of a kit that it prints.

    The part is empty for those that only some kits, other templates or other verbs use.
    """
    parts = {sheet.template: sheet.part for sheet in sample(game).sheets if isinstance(sheet, Sheet)}
    root = shipped("templates")
    folders = dict.fromkeys([*((root / name).parent for name in parts), root / game.name, root])
    found = [path.relative_to(root).as_posix() for folder in folders for path in sorted(folder.glob("*.xml"))]
    return {name: parts.get(name, "") for name in found}
