"""Compare the damage that machines deal and receive on each hex with every roll, judged by the text of the rules."""

from __future__ import annotations

import pytest

from generator.games.battling.prospects import Duel
from tests.games.battling.prospects_cases import prospect_differences, random_position

CASES = 10
"""Number of random duels. The proof has many more."""


@pytest.mark.parametrize("number", range(CASES))
def test_what_a_hex_is_worth_is_that_of_every_roll(number: int) -> None:
    assert not list(prospect_differences(random_position(number), number))


def test_the_cases_have_what_there_is_to_try() -> None:
    duels = [Duel(random_position(number)) for number in range(CASES)]
    every = [(duel, machine) for duel in duels for machine in duel.machines]
    assert any(list(duel.shots(machine)) for duel, machine in every)
    assert any(list(duel.battling_attacks(machine)) for duel, machine in every)
    assert {machine.last for _, machine in every} == {"", "W", "R", "F", "B", "D"}
    assert {letter for duel, machine in every for letter, _ in duel.reach(machine)} == {"W", "R", "D"}
    assert max(worth.shooters for duel, machine in every for worth in duel.all_hex_values(machine)) > 1
