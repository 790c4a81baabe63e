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
    """Prove every pair of a scenario under every ruling; WrongUsageError names the games that have lines of sight."""
    return prove_all_pairs(sight_tool(loaded), loaded.scenario)


def sight_tool(loaded: Loaded) -> SightTool[Any]:
    """Return the game's lines of sight; WrongUsageError names the games that have them."""
    return request.capability(loaded.game, lambda game: game.sight, tr("has no lines of sight"))
