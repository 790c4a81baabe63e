"""Measure the fairness of a battle. Docs/fairness.md and fairness.toml define the measures."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from generator.common.fairness import Fairness, Measured, measuring
from generator.common.tables import reachable
from generator.games.battling import ground
from generator.games.battling.ground import ACROSS, Arena, Edge
from generator.games.battling.half_turn import asymmetries, turns, uneven
from generator.games.battling.legal_orders import orders
from generator.games.battling.maps import map_view
from generator.games.battling.model import OTHER, SIDES, Scenario, Side
from generator.games.battling.play import opening
from generator.games.battling.tables import limits, words
from generator.grid.columns import DIRECTIONS, Numbered, distance
from generator.model.words import Words

measured = measuring(SIDES)
TABLES = ("battling",)
FARTHEST = 99
"""The distance, in hexes, that is used if there is no path."""
MOVES = ("W", "R")
"""The actions that only move: walk and roller dash."""


def _measures(scenario: Scenario) -> tuple[Measured, ...]:
    arena, squads, pack = scenario.arena, scenario.squads, scenario.pack

    return (
        measured("squad", lambda side: sum(pack.machines[machine.kind].points for machine in squads[side].machines)),
        measured("machines", lambda side: len(squads[side].machines)),
        measured("hits", lambda side: sum(machine.hp for machine in squads[side].machines)),
        measured("room", lambda side: len(arena.edge(squads[side].edge))),
        measured("exposure", lambda side: _exposed(arena, squads[side].edge)),
        measured("lanes", lambda side: _lanes(arena, squads[side].edge)),
        measured("watched", lambda side: _watched(scenario, side)),
        measured("sighted", lambda side: _sighted(scenario, side)),
        measured("firstshots", lambda side: _first_shots(scenario, side)),
        measured("hiding", lambda side: _hiding(scenario, side)),
        measured("distance", lambda side: _distance(scenario, side)),
    )


def _exposed(arena: Arena, edge: Edge) -> int:
    """Return the number of hexes of an edge that are visible from the opposite edge."""
    found = ground.opening_of(arena, edge)
    return len(found.cells) - len(found.covered)


def _lanes(arena: Arena, edge: Edge) -> int:
    """Return the number of straight open lines from an edge that are as long as a roller dash."""
    return sum(arena.runs(cell, way, limits().dash) for cell in arena.edge(edge) for way in range(len(DIRECTIONS)))


def _watched(scenario: Scenario, side: Side) -> int:
    """Return the number of lines of sight between a side's machines and the hexes of the enemy's edge."""
    arena, across = scenario.arena, scenario.arena.edge(scenario.squads[OTHER[side]].edge)
    return sum(arena.in_sight(machine.cell, cell) for machine in scenario.squads[side].machines for cell in across)


def _sighted(scenario: Scenario, side: Side) -> int:
    """Return the number of a side's machines that an enemy machine can see."""
    squads, arena = scenario.squads, scenario.arena
    enemies = squads[OTHER[side]].machines
    return sum(any(arena.in_sight(machine.cell, of.cell) for of in enemies) for machine in squads[side].machines)


def _first_shots(scenario: Scenario, side: Side) -> int:
    """Return the number of lines of sight between the hexes that a side's first moves can reach and enemies."""
    position, arena = opening(scenario), scenario.arena
    enemies = [machine.cell for machine in position.side(OTHER[side])]
    ends = (
        frozenset(order.to for order in orders(position, machine.id) if order.action in MOVES)
        for machine in position.side(side)
    )
    cells = [cell for names in ends for name in names if (cell := arena.field.find(name))]
    return sum(arena.in_sight(cell, enemy) for cell in cells for enemy in enemies)


def _hiding(scenario: Scenario, side: Side) -> Fraction:
    """Return a machine's mean distance, in hexes, to a hex that cannot be seen from the enemy's edge."""
    arena, across = scenario.arena, scenario.arena.edge(ACROSS[scenario.squads[side].edge])

    def hidden(cell: Numbered) -> bool:
        return not any(arena.in_sight(cell, enemy) for enemy in across)

    return _average(scenario, side, hidden)


def _distance(scenario: Scenario, side: Side) -> Fraction:
    """Return a machine's mean distance, in hexes, to a hex adjacent to an enemy machine."""
    enemies = [machine.cell for machine in scenario.squads[OTHER[side]].machines]
    return _average(scenario, side, lambda cell: any(distance(cell, enemy) == 1 for enemy in enemies))


def _average(scenario: Scenario, side: Side, there: Callable[[Numbered], bool]) -> Fraction:
    """Return the mean distance, over open hexes, from each machine to the nearest hex that meets a condition."""
    machines = scenario.squads[side].machines
    ways = (reachable([machine.cell], scenario.arena.ways) for machine in machines)
    far = sum(next((steps for cell, steps in way if there(cell)), FARTHEST) for way in ways)
    return Fraction(far, len(machines) or 1)


def _mirrored(scenario: Scenario) -> tuple[Words, ...]:
    found = tuple(asymmetries(scenario.arena))
    return (*found, *uneven(scenario)) if turns(scenario.arena.field) else found


def _first(scenario: Scenario) -> Words:
    """Return a text that names the first player, who sets up last unless the set-up is prescribed."""
    texts = words()["mirror"]["first_fixed" if scenario.fixed else "first"]
    return texts.fill(player=scenario.squads["first"].player)


FAIRNESS: Fairness[Scenario] = Fairness(
    tables=TABLES,
    sides=(words()["cover"]["first"], words()["cover"]["second"]),
    measures=_measures,
    mirrored=_mirrored,
    first=_first,
    view=lambda scenario: map_view(scenario, small=True),
)
