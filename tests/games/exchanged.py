"""Exchange the sides of a scenario by a half turn, to compare the fairness measures before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from generator.games.battlelore import base
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.ground import SECTIONS, Board, Side
from generator.games.battlelore.model import OTHER, turned
from generator.games.battling import model as battling
from generator.games.blind_faith import model as blind_faith
from generator.games.call_to_arms import model as call_to_arms
from generator.games.travel_battle import model as travel_battle
from generator.games.travel_battle.ground import OrientedBoard, opposite
from generator.games.travel_battle.objectives import half_turn, replace_units


def _units(board: Board, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units on a board after a half turn."""
    return tuple(replace(unit, hex=board.field.turned(unit.hex) if unit.hex else None) for unit in units)


def _battlelore(scenario: base.Scenario) -> base.Scenario:
    board, forces = scenario.board, scenario.forces
    exchanged_forces = {
        camp: replace(forces[other], camp=camp, units=_units(board, forces[other].units))
        for camp, other in OTHER.items()
    }
    return replace(scenario, board=turned(board), forces=exchanged_forces, first=OTHER[scenario.first])


def _call_to_arms(scenario: call_to_arms.Scenario) -> call_to_arms.Scenario:
    """Swap the camps of every card. Effects of Specialists are merged into the units."""
    final = scenario.final
    forces = {camp: _as(camp, final.forces[other], scenario.board) for camp, other in OTHER.items()}
    return replace(final, board=turned(final.board), forces=forces, first=OTHER[scenario.first])


def _as(camp: Side, force: call_to_arms.Force, board: Board) -> call_to_arms.Force:
    def ref(key: str) -> str:
        name, _, owner = key.partition("/")
        return name if owner == camp else f"{name}/{force.camp}"

    return replace(
        force,
        camp=camp,
        cards={section: ref(force.cards[section]) for section in SECTIONS},
        reserve=ref(force.reserve),
        units=tuple(replace(unit, card=ref(unit.card) if unit.card else "") for unit in _units(board, force.units)),
    )


def _travel_battle(scenario: travel_battle.Scenario) -> travel_battle.Scenario:
    field, of, other = scenario.battlefield.terrain_map.field, scenario.objective, travel_battle.OTHER
    return replace(
        scenario,
        boards=tuple(tuple(map(_placed, reversed(row))) for row in reversed(scenario.boards)),
        armies={p: replace_units(scenario.armies[other[p]], p, lambda unit: half_turn(unit, field)) for p in other},
        first_placer=other[scenario.first_placer],
        first_mover=other[scenario.first_mover],
        objective=structs.replace(
            of, player=other[of.player] if of.player else None, cells=tuple(map(field.turned, of.cells))
        ),
    )


def _placed(board: travel_battle.Placed) -> travel_battle.Placed:
    """Return a board as seen and owned by the opposite player."""
    placed = OrientedBoard(board.oriented.board, opposite(board.oriented.edge))
    return travel_battle.Placed(board.name, travel_battle.OTHER[board.owner], placed)


def _battling(scenario: battling.Scenario) -> battling.Scenario:
    """Exchange the squads.

    The arena is not turned, because arenas with an odd number of columns have no half turn.
    """
    squads, other = scenario.squads, battling.OTHER
    return replace(scenario, squads={side: replace(squads[other[side]], side=side) for side in battling.SIDES})


def _blind_faith(scenario: blind_faith.Scenario) -> blind_faith.Scenario:
    """Exchange the stacks. The map is not turned, because no measure depends on its direction."""
    other = blind_faith.OTHER
    return replace(
        scenario,
        armies={side: scenario.armies[of] for side, of in other.items()},
        stacks=tuple(replace(stack, side=other[stack.side]) for stack in scenario.stacks),
        routed=tuple(replace(routed, side=other[routed.side]) for routed in scenario.routed),
    )


EXCHANGED: Mapping[str, Callable[[Any], Any]] = {
    "battlelore": _battlelore,
    "battling": _battling,
    "blind_faith": _blind_faith,
    "call_to_arms": _call_to_arms,
    "travel_battle": _travel_battle,
}
"""Functions that exchange the sides, keyed by game. A game without a function fails the tests."""
