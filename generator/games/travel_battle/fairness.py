"""Measure the fairness of a battle. Docs/fairness.md and fairness.toml define the measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from generator.common.fairness import Fairness, Measured, measuring
from generator.common.tables import reachable
from generator.games.travel_battle.ground import EDGES, HALF, SIZE, OrientedBoard, TerrainMap
from generator.games.travel_battle.maps import map_view
from generator.games.travel_battle.model import OTHER, SIDES, Scenario, Side, Unit
from generator.games.travel_battle.objectives import asymmetries
from generator.games.travel_battle.play import field_of_fire
from generator.games.travel_battle.tables import ARMS, Terrain, words
from generator.grid.squares import Square, SquareField
from generator.model.words import Words

measured = measuring(SIDES)
TABLES = ("travel_battle",)
FARTHEST = 99
"""The distance, in squares, that is used if there is no path."""


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    terrain_map = scenario.battlefield.terrain_map

    def ground(name: str, holds: Callable[[Terrain], object]) -> Measured:
        return measured(
            name, lambda player: sum(bool(holds(terrain_map.terrain(cell))) for cell in half_of(terrain_map, player))
        )

    return (
        measured("fighters", lambda player: sum(unit.kind.fights for unit in _units_on_board(scenario, player))),
        ground("shelter", _shelters),
        ground("heights", lambda terrain: terrain.height),
        ground("barriers", lambda terrain: len(terrain.enter) < len(ARMS)),
        ground("highways", lambda terrain: terrain.road),
        measured("passage", lambda player: _passage(scenario, player)),
        measured("battery", lambda player: _battery(scenario, player)),
        Measured("turns", _turns(scenario)),
    )


def _shelters(terrain: Terrain) -> bool:
    """Return whether units in a terrain are harder to hit by fire or stronger in melee."""
    return bool(terrain.cover or terrain.defence)


def half_of(terrain_map: TerrainMap, player: Side) -> tuple[Square, ...]:
    """Return the squares of a player's half of the field."""
    middle = terrain_map.field.rows // 2
    return tuple(cell for cell in terrain_map.field.cells if (cell.r < middle) == (player == SIDES[0]))


def _units_on_board(scenario: Scenario, player: Side) -> list[Unit]:
    return [unit for unit in scenario.armies[player].units if unit.cell is not None]


def _passage(scenario: Scenario, player: Side) -> Fraction:
    """Return the mean distance of a player's units from the enemy's edge, in squares."""
    terrain_map, units = scenario.battlefield.terrain_map, _units_on_board(scenario, player)
    edge = terrain_map.field.rows - 1 if player == SIDES[0] else 0
    ways = {arm: _ways(terrain_map.field, terrain_map.open_to[arm], edge) for arm in ARMS}
    far = sum(ways[unit.kind.arm].get(unit.cell, FARTHEST) for unit in units if unit.cell)
    return Fraction(far, len(units) or 1)


@lru_cache(8)  # the paths to both edges for each arm, which do not depend on the rulings
def _ways(field: SquareField, allowed: frozenset[Square], row: int) -> Mapping[Square, int]:
    """Return the distance of each square from a row, on paths over allowed squares only."""
    starts = (cell for cell in field.row(row) if cell in allowed)
    return dict(reachable(starts, lambda cell: (near for near in field.neighbours(cell) if near in allowed)))


def _battery(scenario: Scenario, player: Side) -> Fraction:
    """Return the fraction of the enemy's half at which a player's guns may fire."""
    terrain_map, reading = scenario.battlefield.terrain_map, scenario.rulings["sight"]
    guns = [unit.cell for unit in _units_on_board(scenario, player) if unit.kind.arm == "artillery" and unit.cell]
    under = {cell for gun in guns for cell in field_of_fire(terrain_map, scenario.units_on_board, gun, reading)}
    enemy_half = half_of(terrain_map, OTHER[player])
    return Fraction(sum(cell in under for cell in enemy_half), len(enemy_half))


def _turns(scenario: Scenario) -> tuple[Fraction, Fraction]:
    """Return, for each player, the fraction of all orientations of the boards that would be better for this player.

    An orientation is better for a player if it increases the player's lead in good ground.
    """
    field = scenario.battlefield
    middle = field.terrain_map.field.rows // 2
    now, ways = 0, Counter({0: 1})
    for r, row in enumerate(field.rows):
        near = [SIZE * r + line < middle for line in range(SIZE)]
        for board in row:
            leads = _leads(board, near)
            now += leads[0]
            ways = _sums(ways, Counter(leads))
    total = ways.total()
    better = sum(count for lead, count in ways.items() if lead > now)
    worse = sum(count for lead, count in ways.items() if lead < now)
    return Fraction(better, total), Fraction(worse, total)


def _leads(board: OrientedBoard, near: Sequence[bool]) -> list[int]:
    """Return Blue's lead in squares of good ground on a board, now and after each further quarter turn.

    `near` contains for each row whether the row is in Blue's half. A half of a double board has only one
    orientation.
    """
    terrain_map = board.turned.terrain_map
    good = [
        cell for cell in terrain_map.field.cells if _shelters(terrain_map.terrain(cell)) or terrain_map.height(cell)
    ]
    leads = []
    for _edge in EDGES if board.board.type != HALF else EDGES[:1]:
        leads.append(sum(1 if near[cell.r] else -1 for cell in good))
        good = [terrain_map.field.quarter(cell) for cell in good]
    return leads


def _sums(one: Counter[int], other: Counter[int]) -> Counter[int]:
    """Return how often each sum occurs if one number is chosen from each counter."""
    sums: Counter[int] = Counter()
    for a, often in one.items():
        for b, times in other.items():
            sums[a + b] += often * times
    return sums


def _first(scenario: Scenario) -> Words:
    texts, players = words()["fairness"], words()["player"]
    return texts["first"].fill(mover=players[scenario.first_mover], placer=players[scenario.first_placer])


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(words()["player"][SIDES[0]], words()["player"][SIDES[1]]),
    measures=_measures,
    mirrored=lambda scenario: tuple(asymmetries(scenario)),
    first=_first,
    view=lambda scenario: map_view(scenario.battlefield, scenario.armies, small=True),
)
