"""The reasons why a unit cannot attack an enemy this turn, and the nearest hex from which it could."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from generator.common.tables import reachable
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.prospects import Turn
from generator.grid.hexes import Hex, distance
from generator.sight.trace import judge


class Hindrance(Struct, frozen=True):
    """An enemy that a unit cannot attack this turn, seen from the hex of the unit."""

    target: Unit
    at: Hex
    """The hex of the target."""
    distance: int
    range: int
    """The maximum distance of the unit's attacks, which is 1 without a bow."""
    blockers: tuple[Hex, ...]
    """The hexes that block the line of sight. They are left out for a target beyond the range of a melee."""
    engaged: bool
    """Whether the unit must fight an adjacent enemy and therefore cannot shoot."""
    wall: bool
    """Whether an impassable hexside separates the unit from an adjacent target."""
    start: Hex | None
    """The nearest hex from which the unit could attack the target, or None if there is no such hex."""
    steps: int
    """The number of hexes to this hex past all other units, or 0 if there is no such hex."""


def hindrances(turn: Turn, cell: Hex) -> Iterator[Hindrance]:
    """Yield the enemies that the unit in a hex cannot attack this turn, in the order of the units."""
    camp, unit = turn.standing[cell]
    attacked = {blow.at for blow in turn.every if blow.unit == unit and blow.camp == camp}
    paths = _paths(turn, cell)
    for at, (other, target) in turn.standing.items():
        if other == camp or at in attacked:
            continue
        far = distance(cell, at)
        start = next((there for there in paths if turn.way(cell, there, at, target.kind)), None)
        shoots = unit.kind.range > 1 and far > 1
        yield Hindrance(
            target=target,
            at=at,
            distance=far,
            range=max(1, unit.kind.range),
            blockers=judge(turn.screens_without(cell), cell, at).blocked_by if shoots and not unit.kind.over else (),
            engaged=shoots and turn.engaged(camp, cell, at),
            wall=far == 1 and turn.board.wall_between(cell, at),
            start=start,
            steps=paths[start] if start else 0,
        )


def _paths(turn: Turn, cell: Hex) -> dict[Hex, int]:
    """Return the free hexes to which a unit can get in any number of turns, the nearest first, with their steps."""

    def ways(here: Hex) -> list[Hex]:
        adjacent = turn.board.field.neighbours(here)
        return [there for there in adjacent if there not in turn.standing and turn.board.step(here, there)]

    return dict(reachable([cell], ways))
