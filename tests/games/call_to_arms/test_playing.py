"""Tests for playing Call to Arms with the armies after Specialists, with either player first."""

from __future__ import annotations

import pytest

from generator.games.battlelore.told_playing import PlayReporter
from generator.games.call_to_arms.game import GAME
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.battlelore.play_cases import play_differences


def drawn(number: int, **options: str) -> Scenario:
    return GAME.draw(Request(code_for(number), options, {}))


def engine(scenario: Scenario) -> PlayReporter:
    assert GAME.playing
    made = GAME.playing.engine(scenario)
    assert isinstance(made, PlayReporter)
    return made


@pytest.mark.parametrize("number", range(4))
def test_units_stand_as_specialists_leave_them(number: int) -> None:
    scenario = drawn(number, mode="organized")
    field = engine(scenario).field
    stands = {
        unit.id: (field.cells[cell], left)
        for (_, unit), cell, left in zip(field.units, field.at, field.figures, strict=True)
    }
    assert stands == {unit.id: (unit.hex, unit.figures) for _, unit in scenario.final.units if unit.hex}
    assert [unit.kind for _, unit in field.units] == [field.kinds[kind] for kind in field.kind]


def test_both_may_move_first_where_dice_decide() -> None:
    found = {len(engine(one).firsts): one for one in (drawn(number, mode="impromptu") for number in range(40))}
    assert set(found) == {1, 2}
    assert found[2].green("pennant") == found[2].green("standard")
    assert engine(found[1]).firsts == (("pennant", "standard").index(found[1].first),)


def test_hands_are_the_commanders_in_lore_games() -> None:
    scenario = drawn(5, mode="organized", age="lore")
    assert engine(scenario).hands == (scenario.hand_of("pennant"), scenario.hand_of("standard"))


def test_engine_and_reference_agree_after_specialists() -> None:
    scenario = drawn(7, mode="organized")
    assert list(play_differences(scenario.final, "organized", 60)) == []
