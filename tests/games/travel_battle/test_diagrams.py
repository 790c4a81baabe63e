"""Tests that the diagrams of the reference show what the rules compute."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.pages.diagrams import (
    GUN,
    LINKED,
    SCREENS,
    TARGET,
    UNLINKED,
    diagrams,
    visible_segment,
)
from generator.games.travel_battle.pages.reference import reference_sheet
from generator.grid.squares import Square, distance
from generator.sight.squares import visible_share


@pytest.mark.parametrize("name", SCREENS)
def test_the_visible_part_of_the_target_is_that_of_the_ruling(name: str) -> None:
    assert Square(0, 0) == GUN
    share = visible_share(TARGET).share([SCREENS[name]])
    assert (share >= 0.5) == (name == "enough")
    whole = visible_segment(Square(-2, 2))  # hides nothing of the target
    assert dist(*visible_segment(SCREENS[name])) / dist(*whole) == pytest.approx(float(share))


def test_a_linked_brigade_touches_at_sides_and_corners_and_one_unit_does_not() -> None:
    reached, left = {LINKED[0]}, set(LINKED[1:])
    while near := {cell for cell in left if any(distance(cell, other) == 1 for other in reached)}:
        reached, left = reached | near, left - near
    assert not left
    assert all(distance(UNLINKED, cell) > 1 for cell in LINKED)
    touching = [(a, b) for a, b in combinations(LINKED, 2) if distance(a, b) == 1]
    assert {a.c != b.c and a.r != b.r for a, b in touching} == {True, False}


def test_every_diagram_is_on_the_reference() -> None:
    assert diagrams(house_roster()).keys() <= reference_sheet().figures.keys()
