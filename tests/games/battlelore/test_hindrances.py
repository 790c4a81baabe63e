"""Check the reasons why units cannot attack, and the nearest hexes from which they could, in random battles."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.common.game import OddsTool
from generator.games.battlelore.base import Scenario
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.hindrances import hindrances
from generator.games.battlelore.odds_report import odds_tool
from generator.games.battlelore.prospects import Turn
from generator.grid.hexes import Hex
from tests.games.battlelore.prospects_cases import random_scenario

CASES = 6
"""Number of random battles."""
SKIPPED = 3
"""Every third hindrance is checked, because each check sets up a battle for every nearer hex."""


@pytest.mark.parametrize("number", range(CASES))
def test_every_enemy_is_either_attacked_or_hindered(number: int) -> None:
    battle = random_scenario(number)
    tool: OddsTool[Scenario] = odds_tool()
    rows = tool(battle, "", False).rows["units"]
    assert isinstance(rows, list)
    for row in rows:
        enemies = [unit.id for camp, unit in battle.units if unit.hex and camp != row["camp"]]
        assert sorted(of["target"] for of in (*row["attacks"], *row["hindered"])) == sorted(enemies)
        assert all(0 < of["any"] <= min(1, of["hits"] + 1e-6) for of in row["attacks"])


@pytest.mark.parametrize("number", range(CASES))
def test_a_unit_could_attack_from_the_stated_hex_and_from_no_nearer_one(number: int) -> None:
    battle = random_scenario(number)
    turn = Turn(battle)
    for cell, (_, unit) in turn.standing.items():
        for of in list(hindrances(turn, cell))[::SKIPPED]:
            steps = distances(turn, cell)
            nearer = [there for there, count in steps.items() if of.start is None or count < of.steps]
            assert not any(could_attack(battle, unit, there, of.at) for there in nearer)
            if of.start:
                assert steps[of.start] == of.steps
                assert could_attack(battle, unit, of.start, of.at)


def test_the_reasons_include_distance_units_terrain_neighbours_and_walls() -> None:
    turns = [Turn(random_scenario(number)) for number in range(CASES)]
    found = [(turn, of) for turn in turns for cell in turn.standing for of in hindrances(turn, cell)]
    assert any(of.distance > of.range for _, of in found)
    assert any(cell in turn.standing for turn, of in found for cell in of.blockers)
    assert any(cell not in turn.standing for turn, of in found for cell in of.blockers)
    assert any(of.engaged for _, of in found)
    assert any(of.wall for _, of in found)
    assert any(of.start is None for _, of in found)


def distances(turn: Turn, cell: Hex) -> dict[Hex, int]:
    """Return the free hexes that a unit can reach in any number of turns, with their distances in steps."""
    steps, ahead = {cell: 0}, [cell]
    while ahead:
        here = ahead.pop(0)
        for there in turn.board.field.neighbours(here):
            if there not in steps and there not in turn.standing and turn.board.step(here, there):
                steps[there] = steps[here] + 1
                ahead.append(there)
    return steps


def could_attack(battle: Scenario, unit: Unit, start: Hex, at: Hex) -> bool:
    """Return whether a unit that stands in a hex can attack the enemy in another hex without a move."""
    forces = {
        camp: replace(force, units=tuple(replace(u, hex=start) if u is unit else u for u in force.units))
        for camp, force in battle.forces.items()
    }
    turn = Turn(replace(battle, forces=forces))
    kind = turn.standing[at][1].kind
    return any(way.steps == 0 for way in turn.ways(start, at, kind))
