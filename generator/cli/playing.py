"""Find the computer players for the game of a scenario."""

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
    """Return the computer players for the game of a scenario.

    Raises:
        WrongUsageError: If the computer does not play this game. The hint lists the games that it plays.
        NotInOrderError: If the scenario is illegal.
    """
    found: Playing[Any] = request.capability(
        loaded.game, lambda game: game.playing, tr("cannot be played by the computer")
    )
    if loaded.report.illegal:
        raise NotInOrderError(
            tr("an illegal scenario cannot be played"), hint=tr("to list the findings, run muster check FILE")
        )
    return found


def playing_with_trials(loaded: Loaded) -> Playing[Any]:
    """Return the computer players for a game with numbered trials.

    Raises:
        WrongUsageError: As in `playing_for`, or if grade C of the game is computed without playing.
        NotInOrderError: If the scenario is illegal.
    """
    found = playing_for(loaded)
    if not loaded.game.tried:
        why = tr("this game's grade C is computed without playing games, so no game can be selected by number")
        raise WrongUsageError(why, hint=tr("to play the scenario, run muster play FILE"))
    return found
