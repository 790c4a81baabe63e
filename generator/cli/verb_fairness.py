"""`muster fairness`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator import games
from generator.cli import paper, put, say
from generator.cli.how import How
from generator.cli.scenario import Loaded, load
from generator.errors import Problem, WrongUsageError
from generator.games.covers import warning
from generator.games.fairness import Certificate, Fairness, certificate, exported
from generator.games.fairsheet import certificate_sheet, lines
from generator.model.views import Kit
from generator.model.words import Lang, Words


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@paper.sheet_options
@say.json_option
def command(files: tuple[Path, ...], how: How, out: Path | None, as_json: bool) -> None:
    """Measure how fair scenarios are, and whether legal, from their files alone; with -o, one of them as a page."""
    if out and len(files) > 1:
        raise WrongUsageError(Problem("-o prints one certificate", hint="name one scenario"))
    every = [
        (path, loaded, certificate(_fairness(loaded), loaded.scenario, loaded.report))
        for path in files
        for loaded in (load(path),)
    ]
    if as_json:
        say.as_json([_row(path, loaded, found, how.first) for path, loaded, found in every])
    for path, _, found in every if not as_json else ():
        for text in lines(found):
            say.line(f"{path}: {text[how.first]}" if len(files) > 1 else text[how.first])
    if out:
        [(path, loaded, found)] = every
        sheet = certificate_sheet(_fairness(loaded), loaded.scenario, found)
        put.spare(out)
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, (sheet,), warning=warning(loaded.report))
        put.file(out, paper.pdf(paper.of_scenario(kit, loaded, path.parent), how.edition(loaded.game)))
        click.echo(f"{out}", err=as_json)


def _fairness(loaded: Loaded) -> Fairness[Any]:
    """How the scenario's game is measured; WrongUsageError names the games that are."""
    if loaded.game.fairness is None:
        able = [name for name in games.names() if games.load(name).fairness]
        raise WrongUsageError(
            Problem(f"{loaded.game.name} has no measures", hint=f"games that have: {', '.join(able)}")
        )
    return loaded.game.fairness


def _row(path: Path, loaded: Loaded, found: Certificate, lang: Lang) -> dict[str, object]:
    """A certificate as plain values (docs/json.md)."""
    head: dict[str, object] = {"file": str(path), "game": loaded.game.name, "stamp": loaded.stamp}
    head |= {"legal": not loaded.report.illegal, "unproved": len(loaded.report.unproved)}
    return head | {key: _spoken(value, lang) for key, value in exported(found).items()}


def _spoken(value: object, lang: Lang) -> object:
    if isinstance(value, Words):
        return value[lang]
    if isinstance(value, dict):
        return {key: _spoken(inner, lang) for key, inner in value.items()}
    return [_spoken(inner, lang) for inner in value] if isinstance(value, list) else value
