"""Find how the computer plays the game of a scenario."""

from __future__ import annotations

from typing import Any

from generator.cli import request
from generator.cli.scenario import Loaded
from generator.common.playing import (
    Playing,
)
from generator.errors import NotInOrderError, WrongUsageError
from generator.localization import tr


def playing_for(loaded: Loaded) -> Playing[Any]:
    """Return how the computer plays a scenario's game.

    Raises:
        WrongUsageError: it does not play this game; the hint names the games that it plays.
        NotInOrderError: the scenario is illegal.
    """
    found: Playing[Any] = request.capability(
        loaded.game, lambda game: game.playing, tr("cannot be played by the computer")
    )
    if loaded.report.illegal:
        raise NotInOrderError(tr("an illegal scenario cannot be played"), hint=tr("muster check FILE"))
    return found


def playing_with_trials(loaded: Loaded) -> Playing[Any]:
    """Return the same for a game with numbered trials; WrongUsageError if its grade C is computed without games."""
    found = playing_for(loaded)
    if not loaded.game.tried:
        why = tr("this game's grade C is computed without playing games, so no game can be selected by number")
        raise WrongUsageError(why, hint=tr("muster play FILE"))
    return found
