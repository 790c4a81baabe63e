"""Compare the prospects and dangers of units in one turn with an oracle's exhaustive search."""

from __future__ import annotations

import pytest

from generator.games.battlelore.prospects import Turn
from generator.games.battlelore.tables import lore
from tests.games.battlelore.prospects_cases import GROUNDS, prospect_differences, random_scenario

CASES = 24
"""Number of random battles. The proof has many more."""


@pytest.mark.parametrize("number", range(CASES))
def test_attacks_and_danger_are_those_of_every_walk_and_roll(number: int) -> None:
    found = list(prospect_differences(random_scenario(number), number))
    assert not found, f"prospects.py or tests/games/battlelore/prospects_oracle.py is wrong; the first: {found[0]}"


def test_the_random_battles_have_every_terrain() -> None:
    """Otherwise no reference knows the rules of a new terrain, and no test compares them."""
    assert GROUNDS.keys() == lore().terrain.keys(), (
        "list each terrain in GROUNDS (prospects_cases.py), and state its rules in prospects_oracle.py and "
        "play_reference.py (docs/recipes.md)"
    )


def test_the_cases_have_what_there_is_to_try() -> None:
    blows = [blow for number in range(CASES) for blow in Turn(random_scenario(number)).every]
    assert {blow.way.ranged for blow in blows} == {True, False}
    assert {blow.nerve.ignored for blow in blows} >= {0, 1, 2}
    assert {blow.nerve.morale for blow in blows} == {"steady", "bold", "frightened"}
    assert {blow.way.roll.dice for blow in blows if not blow.unit.kind.piece} == {1, 2, 3, 4}
    assert {blow.way.roll.dice for blow in blows} == {1, 2, 3, 4, 5, 6}
    assert {True, False} == {blow.unit.kind.over for blow in blows if blow.way.ranged}
    assert {blow.way.roll.ignored for blow in blows} >= {0, 1}
    assert any(blow.cornered > blow.falls for blow in blows)
