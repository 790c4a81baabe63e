"""Find how the game of a scenario is played by the computer."""

from __future__ import annotations

from typing import Any

from generator.cli import request
from generator.cli.scenario import Loaded
from generator.common.playing import (
    Playing,
)
from generator.errors import NotInOrderError, WrongUsageError
from generator.localization import tr


def playing_of(loaded: Loaded) -> Playing[Any]:
    """How a scenario's game is played; WrongUsageError names the games that are, and one that is not legal."""
    found: Playing[Any] = request.capability(
        loaded.game, lambda game: game.playing, tr("cannot be played by the computer")
    )
    if loaded.report.illegal:
        raise NotInOrderError(tr("an illegal scenario cannot be played"), hint=tr("muster check FILE"))
    return found


def numbered_of(loaded: Loaded) -> Playing[Any]:
    """The same, of a game whose trials number their games; WrongUsageError where grade C is reckoned."""
    found = playing_of(loaded)
    if not loaded.game.tried:
        why = tr("grade C of this game is computed without games, so there are no numbers")
        raise WrongUsageError(why, hint=tr("muster play FILE"))
    return found
