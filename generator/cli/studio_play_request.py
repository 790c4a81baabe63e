"""The studio's requests about games in play."""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.common.play_session import Seat
from generator.common.presenter import Face
from generator.model.words import Lang

Action = Literal["new", "open", "move", "roll", "undo", "hint", "odds", "rates", "branch"]


class PlayRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request about a game in play."""

    action: Action
    lang: Lang = "en"
    saved: str = ""
    """The text of the saved game; empty for a new game."""
    scenario: str = ""
    """The text of the scenario of a new game."""
    files: dict[str, str] = {}
    """The text of the user's own files that the scenario names, keyed by name without a folder."""
    seats: tuple[Seat, Seat] = (Seat(), Seat())
    """Who plays the sides of a new game, or of a branch."""
    code: str = ""
    """The code of a new game's random numbers; empty for a new code."""
    by_hand: bool = False
    """Whether the dice are rolled at the table and entered, so that Muster rolls none."""
    since: int = 0
    """The number of steps that the page has already shown."""
    draws: bool = False
    """Whether the page needs the picture of the board, and not only of the units."""
    move: str = ""
    faces: tuple[Face, ...] = ()
    step: int = 0
    """The number of steps of the game that a branch keeps."""
    unit: str = ""
    target: str = ""
    steps: tuple[int, ...] = ()
    """The positions whose win rates are requested, as numbers of steps."""
    games: int = 20
    """The number of games from each of these positions."""
