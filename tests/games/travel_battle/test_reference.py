"""The engine of Travel Battle against a slow reference: what is lawful, what follows, and ways counted by depth."""

from __future__ import annotations

import random

import pytest

from generator.games.travel_battle.draw import draw
from generator.games.travel_battle.playing import Battle
from generator.model.scenario import Request
from generator.seeds import code_for
from tests.games.travel_battle.perft import DEEP, SETUPS, fast, slowly, table
from tests.games.travel_battle.play_cases import BATTLES, POSITIONS, battle, differs


@pytest.mark.parametrize("number", random.Random("play").sample(range(BATTLES), 8))
def test_engine_and_reference_agree_on_what_is_lawful_and_what_every_roll_does(number: int) -> None:
    assert list(differs(battle(number), number, POSITIONS // 2)) == []


def test_the_reference_finds_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were what is thrown again of no account, it would be told."""
    monkeypatch.setattr(Battle, "_again", lambda _engine, state, _die: state.pend[2])
    assert any("ways lead to" in fault for number in range(9) for fault in differs(battle(number), number, POSITIONS))


@pytest.mark.parametrize("wishes", [{"boards": "2x2"}, {"boards": "4x1"}, {"mirror": "on"}])
def test_they_agree_on_other_fields(wishes: dict[str, str]) -> None:
    assert list(differs(draw(Request(code_for(21), wishes, {})), str(wishes), 12)) == []


@pytest.mark.parametrize("number", SETUPS)
def test_ways_to_go_on_are_as_many_as_the_table_says(number: int) -> None:
    assert tuple(fast(number, depth) for depth in range(1, DEEP)) == table()[number][:-1]


@pytest.mark.parametrize("number", random.Random("perft").sample(SETUPS, 3))
def test_the_reference_counts_as_many(number: int) -> None:
    assert tuple(slowly(number, depth) for depth in range(1, DEEP)) == table()[number][:-1]
