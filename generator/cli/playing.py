"""Find the computer players for the game of a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.cli import request
from generator.cli.scenario import Loaded
from generator.common.playing import Outcome, Playing
from generator.common.tables import shared_words
from generator.common.trials import scenario_key
from generator.errors import NotInOrderError, WrongUsageError
from generator.localization import lang_option, tr
from generator.model.words import Words
from generator.notation.text import suggested_command

KEY_DIGITS = 16
"""The number of digits of a scenario's SHA-256 in a saved game, enough to recognize a changed scenario."""


def playing_for(loaded: Loaded, file: Path | None = None) -> Playing[Any]:
    """Return the computer players for the game of a scenario.

    `file` is the file of the scenario, if there is one, for the hint.

    Raises:
        WrongUsageError: If the computer does not play this game. The hint lists the games that it plays.
        NotInOrderError: If the scenario is illegal.
    """
    found: Playing[Any] = request.capability(
        loaded.game, lambda game: game.playing, tr("cannot be played by the computer")
    )
    if loaded.report.illegal:
        command = suggested_command(["muster", "check", file, *lang_option()]) if file else ""
        hint = tr("to list the findings, run {command}", command=command) if command else ""
        raise NotInOrderError(tr("an illegal scenario cannot be played"), hint=hint)
    return found


def playing_with_trials(loaded: Loaded, file: Path) -> Playing[Any]:
    """Return the computer players for a game with numbered trials. `file` is the file of the scenario.

    Raises:
        WrongUsageError: As in `playing_for`, or if grade C of the game is computed without playing.
        NotInOrderError: If the scenario is illegal.
    """
    found = playing_for(loaded, file)
    if not loaded.game.tried:
        why = tr("this game's grade C is computed without playing games, so no game can be selected by number")
        command = suggested_command(["muster", "play", file, *lang_option()])
        raise WrongUsageError(why, hint=tr("to play a scenario: {command}", command=command))
    return found


def result_line(loaded: Loaded, playing: Playing[Any], end: Outcome) -> Words:
    """Return a line with the result of a game."""
    texts = shared_words()["played"]
    won = texts["draw"] if end.winner is None else texts["won"].fill(seat=playing.seats[end.winner])
    counted = loaded.game.score.counted if loaded.game.score else Words("", "")
    first, second = end.counted
    return texts["ended"].fill(result=won, counted=counted, first=first, second=second, length=end.length)


def saved_key(loaded: Loaded) -> str:
    """Return the digits by which a saved game recognizes its scenario."""
    return scenario_key(loaded.game, loaded.scenario)[:KEY_DIGITS]
