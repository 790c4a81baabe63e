"""Prove every line of sight of a scenario under every ruling."""

from __future__ import annotations

from typing import Any

from generator.cli import request
from generator.cli.scenario import Loaded
from generator.common.game import SightTool
from generator.common.proof import (
    Case,
    prove_all_pairs,
)
from generator.localization import tr


def prove_sight(loaded: Loaded) -> tuple[Case, ...]:
    """Prove the line of sight for every pair of cells of a scenario under every ruling.

    Raises:
        WrongUsageError: If the game has no lines of sight. The hint lists the games that have them.
    """
    return prove_all_pairs(sight_tool(loaded), loaded.scenario)


def sight_tool(loaded: Loaded) -> SightTool[Any]:
    """Return the tool for the lines of sight of a game.

    Raises:
        WrongUsageError: If the game has no lines of sight. The hint lists the games that have them.
    """
    return request.capability(loaded.game, lambda game: game.sight, tr("has no lines of sight"))
