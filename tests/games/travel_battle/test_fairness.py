"""The measures of Travel Battle held against a count by hand, and why it has no grade A."""

from __future__ import annotations

from functools import cache

import pytest

from generator import games
from generator.draw.codes import code_for
from generator.errors import WrongUsageError
from generator.games.fairness import Exact, certificate
from generator.games.travel_battle.fairness import FAIRNESS, half
from generator.games.travel_battle.gunfields import fields_of_fire
from generator.games.travel_battle.scenario import OTHER, PLAYERS, Scenario
from generator.model.scenario import Order

GAME = games.load("travel_battle")


@cache
def drawn(number: int) -> Scenario:
    scenario: Scenario = GAME.draw(Order(code_for(number), {}, {}))
    return scenario


def values(scenario: Scenario) -> dict[str, tuple[Exact, Exact]]:
    return {row.id: row.values for row in FAIRNESS.measures(scenario)}


@pytest.mark.parametrize("number", range(3))
def test_the_halves_share_the_ground(number: int) -> None:
    scenario = drawn(number)
    land, found = scenario.battlefield.land, values(scenario)
    near, far = (half(land, player) for player in PLAYERS)
    assert len(near) == len(far) == len(land.field.cells) // 2
    assert not set(near) & set(far)
    assert sum(found["highways"]) == len(land.roads())
    assert sum(found["heights"]) == sum(land.height(cell) > 0 for cell in land.field.cells)


@pytest.mark.parametrize("number", range(3))
def test_the_guns_cover_what_their_fields_of_fire_have(number: int) -> None:
    scenario = drawn(number)
    for i, player in enumerate(PLAYERS):
        seen = {cell for field in fields_of_fire(scenario) if field.player == player for cell in field.seen}
        theirs = half(scenario.battlefield.land, OTHER[player])
        assert values(scenario)["battery"][i] * len(theirs) == len(seen & set(theirs))


def test_the_way_across_is_no_shorter_than_the_rows_between() -> None:
    scenario = drawn(1)
    for i, player in enumerate(PLAYERS):
        last = scenario.battlefield.land.field.rows - 1
        cells = [unit.cell for unit in scenario.armies[player].units if unit.cell]
        rows = [last - cell.r if player == "blue" else cell.r for cell in cells]
        assert values(scenario)["passage"][i] * len(rows) >= sum(rows)


def test_a_field_turned_twice_lies_as_before() -> None:
    scenario = drawn(2)
    turned = FAIRNESS.swapped(scenario)
    assert turned.boards != scenario.boards
    assert FAIRNESS.swapped(turned) == scenario


def test_it_is_never_symmetric_and_says_why() -> None:
    assert certificate(FAIRNESS, drawn(1)).differs == (FAIRNESS.refused,)
    with pytest.raises(WrongUsageError, match="--fair A: two boards that join are of two types"):
        GAME.draw(Order(code_for(1), {"fair": "A"}, {}))
