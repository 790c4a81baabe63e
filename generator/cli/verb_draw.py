"""`muster draw`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import ask, fair, put, say
from generator.cli.out import named, out_file
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, copies, examined
from generator.cli.verb_kit import answered
from generator.games.capability import Game
from generator.model.scenario import Order
from generator.model.words import Lang
from generator.store.read import is_stream
from generator.store.seal import seal


@click.command(cls=ask.GameCommand)
@ask.game_argument
@ask.seed_option
@say.lang_option
@out_file("The file to write, .toml or with --json .json, or - for standard output (default: scenario.toml).")
@click.option("--ask", "asking", is_flag=True, help="Ask for the players' own choices on the terminal.")
@say.json_option
def command(
    game: Game[Any],
    seed: str | None,
    lang: Lang,
    out: Path | None,
    as_json: bool,
    asking: bool = False,
    **wishes: Any,
) -> None:
    """Draw a scenario and write scenario.toml, or print it with --json; with both --json and -o, write it as JSON."""
    named(out, ".json" if as_json else SUFFIX)
    path = out or Path(SCENARIO)
    if out or not as_json:
        put.spare(path)
    order = ask.order(game, seed, wishes)
    if asking:
        fair.leave_to_the_draw(order, "--ask")
        order = answered(game, order, lang)
    loaded = examined(game, game.draw(order))
    if as_json and out is None:
        say.as_json(game.export(loaded.scenario))
        return
    _write(path, loaded, order, as_json)
    if as_json:
        findings = [say.finding_row(f, lang) for f in loaded.report.findings]
        say.as_json({"file": str(path), "code": order.code, "stamp": loaded.stamp, "findings": findings})
    else:
        for line in (*game.story(loaded.scenario), *fair.story(game, loaded.scenario)):
            click.echo(line[lang])
        say.report(loaded.stamp, loaded.report, lang)
        click.echo(f"{path}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)


def _write(path: Path, loaded: Loaded, order: Order, as_json: bool) -> None:
    """Write the scenario: as JSON, or as TOML with a copy of each file that it names beside it."""
    if as_json:
        put.file(path, seal(say.json_text(loaded.game.export(loaded.scenario)).encode()))
    elif is_stream(path):
        put.file(path, loaded.text.encode())
    else:
        beside = copies(order.files, (path.name,))
        put.folder(path.parent, {**beside, path.name: loaded.text.encode()})
