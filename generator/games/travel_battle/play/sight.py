"""Travel Battle's ruling on sight: what screens a target from a gun, and how what shows of it is measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.games.travel_battle.ground.board import Land
from generator.games.travel_battle.play.tables import artillery
from generator.grid.squares import Square, distance
from generator.sight.looks import Looks, Screens, looks
from generator.sight.shares import Reading, four_corners, visible_share

READINGS: Mapping[str, Reading] = {"share": visible_share, "corners": four_corners}
"""What "half of the target" is measured by, for each choice of the switch; the first is the default."""


def screens(land: Land, units: Iterable[Square]) -> Screens:
    """Buildings and woods always block, hills and units as the heights of both ends have it."""
    return land.screens.with_units(land.field, units)


def gun_looks(land: Land, reading: str = "share") -> Looks:
    """Every look of the land's field out to the range of a gun."""
    return looks(land.field, artillery().range, READINGS[reading])


def field_of_fire(land: Land, units: Iterable[Square], gun: Square, reading: str = "share") -> tuple[Square, ...]:
    """The squares that a gun in this square may fire into: in range, in sight and not next to it, in field order."""
    clear = gun_looks(land, reading).in_sight(screens(land, units), gun)
    return tuple(cell for cell in clear if distance(gun, cell) >= artillery().near)
