"""Tests for the second player's choice of two reserve units and their hexes."""

from __future__ import annotations

import pytest

from generator import games
from generator.errors import WrongUsageError
from generator.games.call_to_arms.cards import cell_name
from generator.games.call_to_arms.model import Scenario
from generator.model.scenario import Request
from generator.rules import check

GAME = games.load("call_to_arms")
CODE = "K7Q2M-9FHN5"
"""A code with which the Pennant player moves first. The reserve cards are A4 (Pennant) and C5 (Standard)."""


def drawn(**options: str) -> Scenario:
    scenario: Scenario = GAME.draw(
        Request(CODE, {name.replace("_", "-"): text for name, text in options.items()}, {})
    )
    return scenario


def came(scenario: Scenario, camp: str) -> list[str]:
    name = scenario.board.field.name
    return [
        f"{cell_name(u.cell)}>{name(u.hex)}"
        for c, f in scenario.forces.items()
        if c == camp
        for u in f.reserves
        if u.hex
    ]


def test_units_and_hexes_come_as_wished() -> None:
    scenario = drawn(reserves_standard="c1>E9, C2>l9")
    assert came(scenario, "standard") == ["c1>E9", "c2>L9"]
    assert not check(GAME.rules, scenario).findings


def test_what_is_not_wished_for_is_drawn_as_before() -> None:
    assert came(drawn(reserves_standard="c1>E9,c2"), "pennant") == came(drawn(), "pennant")


def test_the_first_player_still_brings_all_reserves() -> None:
    scenario = drawn(reserves_pennant="d3>A1")
    assert came(scenario, "pennant")[0] == "d3>A1"
    assert len(came(scenario, "pennant")) == len(came(drawn(), "pennant"))
    assert not check(GAME.rules, scenario).findings


@pytest.mark.parametrize(
    ("camp", "option", "expected"),
    [
        ("standard", "c1", "give 2 different cells"),
        ("standard", "c1,c1", "give 2 different cells"),
        ("standard", "c1,z9", "no unit on cell 'z9'"),
        ("standard", "c1>E2,c2", "no reserve unit can be placed on 'E2'"),
        ("standard", "c1>E9,c2>E9", "no reserve unit can be placed on 'E9'"),
        ("pennant", "a3,b3,d3,b2,a1", "no unit on cell 'a1'"),
    ],
)
def test_an_invalid_option_is_reported(camp: str, option: str, expected: str) -> None:
    with pytest.raises(WrongUsageError, match=expected):
        drawn(**{f"reserves_{camp}": option})
