"""`muster draw`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import ask, fair, say
from generator.cli.out import out_file
from generator.cli.scenario import SCENARIO, copies, examined, load, spare
from generator.cli.verb_kit import answered
from generator.errors import DataError, Problem, WrongUsageError
from generator.games.capability import Game
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.write import write_all


@click.command(cls=ask.GameCommand)
@ask.game_argument
@ask.seed_option
@say.lang_option
@out_file("Where to write it.")
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
    """Draw a scenario and write scenario.toml, or print it with --json."""
    if out and as_json:
        raise WrongUsageError("--json prints the scenario, -o writes it as TOML: choose one")
    order = ask.order(game, seed, wishes)
    if asking:
        fair.leave_to_the_draw(order, "--ask")
        order = answered(game, order, lang)
    loaded = examined(game, game.draw(order))
    if as_json:
        say.as_json(game.export(loaded.scenario))
        return
    path = out or Path(SCENARIO)
    if out is None and is_file(path) and not _as_drawn(path):
        hint = "name another file with -o"
        raise WrongUsageError(Problem(f"{path} is there, written or changed by hand", hint=hint))
    beside = copies(order.files, (path.name,))
    spare(path.parent, beside)
    write_all(path.parent, {**beside, path.name: loaded.text.encode()})
    for line in (*game.story(loaded.scenario), *fair.story(game, loaded.scenario)):
        click.echo(line[lang])
    say.report(loaded.stamp, loaded.report, lang)
    click.echo(f"{path}")
    if loaded.report.illegal:
        raise click.exceptions.Exit(1)


def _as_drawn(path: Path) -> bool:
    """Whether a scenario file is still as a code drew it, so that nothing is lost with it."""
    try:
        return bool(load(path).scenario.origin.code)
    except DataError:
        return False
