"""A game's kit as an example, from which to tell what kits are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from generator.cli import ask
from generator.cli.scenario import examined, load
from generator.errors import MusterError
from generator.games.capability import Game
from generator.model.scenario import Order
from generator.model.views import Kit
from generator.notation import toml
from generator.store.folders import shipped


class _Gallery(msgspec.Struct, frozen=True):
    code: str


def sample(game: Game[Any]) -> Kit:
    """The kit that the gallery shows."""
    code = toml.read(shipped("data") / "gallery.toml", _Gallery).code
    loaded = examined(game, game.draw(Order(code, {}, {})))
    return game.kit(loaded.scenario, loaded.report, loaded.stamp, "")


def parts_beginning(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The parts that go on from what is typed, for the shell: of the command's game, or of the file's."""
    try:
        # Click leaves the file among the rest, as the option behind it has no value yet.
        game = ctx.meta.get(ask.GAME) or load(Path(next(iter(ctx.args), ""))).game
        return ask.going_on(incomplete, sample(game).parts)
    except MusterError:
        return []
