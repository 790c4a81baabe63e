"""Compare the prospects of guns and melees with every roll, judged by the text of the rules."""

from __future__ import annotations

import pytest

from generator.games.travel_battle.prospects import attacks, batteries, exposures
from tests.games.travel_battle.prospects_cases import prospect_differences, random_scenario

CASES = 8
"""Number of random battles. The proof has many more."""


@pytest.mark.parametrize("number", range(CASES))
def test_guns_and_melees_are_those_of_every_roll(number: int) -> None:
    assert not list(prospect_differences(random_scenario(number)))


def test_the_cases_have_what_there_is_to_try() -> None:
    every = [random_scenario(number) for number in range(CASES)]
    guns = [gun for scenario in every for gun in batteries(scenario)]
    assert {gun.engaged for gun in guns} == {True, False}
    shots = [aim for gun in guns for aim in gun.shots]
    assert any(aim.targets for aim in shots)
    assert {(aim.shot.cover, aim.shot.massed) for aim in shots} == {(0, False), (1, False), (0, True)}
    melees = [melee for scenario in every for melee in attacks(scenario)]
    assert {melee.steps for melee in melees} >= {0, 1}
    assert {(melee.fight.attacker.dice, melee.fight.defender.dice) for melee in melees} >= {(1, 1), (2, 1), (1, 2)}
    assert any(stand.defence for scenario in every for stand in exposures(scenario))
    assert any(stand.units[0].square for scenario in every for stand in exposures(scenario))
