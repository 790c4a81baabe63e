"""Tests for twin cards, and for asymmetric Call to Arms scenarios."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from generator import games
from generator.common.fairness import certificate
from generator.errors import WrongUsageError
from generator.games.battlelore.forces import points
from generator.games.battlelore.ground import SIDES
from generator.games.call_to_arms.decks import load_deck
from generator.games.call_to_arms.model import Scenario
from generator.games.call_to_arms.twins import twinned
from generator.model.scenario import Request
from generator.rules import check
from generator.seeds import code_for

GAME = games.load("call_to_arms")
assert GAME.fairness
FAIRNESS = GAME.fairness


def drawn(of: Mapping[str, str], number: int = 5) -> Scenario:
    """Return a mirrored scenario with additional options."""
    scenario: Scenario = GAME.draw(Request(code_for(number), {"mirror": "on", **of}, {}))
    return scenario


def test_twin_cards_bring_the_same_to_either_camp() -> None:
    deck = load_deck()
    twin = twinned(deck)
    assert [(card.camp, card.key) for card in twin.cards] == [(card.camp, card.key) for card in deck.cards]
    for card in twin.cards:
        assert twin.card("pennant", card.key).units == twin.card("standard", card.key).units
        assert {unit.kind.race for unit in card.units} == {"human"}
    for letter in twin.sets:
        assert twin.flavour_of("pennant", letter) == twin.flavour_of("standard", letter)
    assert twinned(twin).cards == twin.cards


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"board": "memoir", "map": "random"},
        {"displaced": "nearest", "age": "lore"},
        {"map": "harrow_plain", "place": "strong"},
        {"set-pennant": "B"},
        {"cards-pennant": "C1,C2,C3,C4", "place-pennant": "C4,C2,C3,C1"},
        {"age": "lore", "council-pennant": "commander 3, warrior 3"},
    ],
    ids=str,
)
def test_a_mirrored_scenario_is_legal_and_a(options: dict[str, str]) -> None:
    for number in range(6):
        scenario = drawn(options, number)
        assert scenario.twins
        assert check(GAME.rules, scenario).findings == ()
        assert certificate(FAIRNESS, scenario).grade == "A"
        assert scenario.forces["pennant"].keys == scenario.forces["standard"].keys


def test_displaced_units_are_symmetric() -> None:
    """Some of these games have units displaced from impassable terrain, and are still symmetric."""
    displaced = 0
    for number in range(40):
        scenario = drawn({"map": "random"}, number)
        displaced += sum(unit.placed == "displaced" for _, unit in scenario.units)
        assert certificate(FAIRNESS, scenario).grade == "A"
    assert displaced


def test_reserves_are_reported_and_not_measured() -> None:
    scenario = drawn({})
    found = certificate(FAIRNESS, scenario)
    brought = {camp: len(force.reserves) for camp, force in scenario.forces.items()}
    assert len(set(brought.values())) == 2
    assert str(brought[scenario.first]) in found.first.en
    strength = {row.measure.id: row.values for row in found.rows}["strength"]
    line = {camp: sum(points(unit.kind) for unit in force.deployed) for camp, force in scenario.forces.items()}
    assert strength == tuple(line.values())


def test_different_cards_break_the_symmetry() -> None:
    scenario = drawn({})
    force = scenario.forces["standard"]
    other = next(ref for ref in scenario.deck.refs("standard", force.set) if ref not in force.keys)
    changed = {**scenario.forces, "standard": replace(force, reserve=other)}
    found = certificate(FAIRNESS, replace(scenario, forces=changed))
    assert found.grade != "A"
    assert any(text.en.startswith("The cards in reserve differ") for text in found.differs)


def test_cards_of_the_same_name_are_told_apart_by_camp() -> None:
    scenario = GAME.draw(Request("YG22N-6P9B6", {"fair": "B"}, {}))
    assert {force.keys[2] for force in scenario.forces.values()} == {"B3"}
    differs = [text.en for text in certificate(FAIRNESS, scenario).differs]
    assert "The cards on the right differ: Pennant B3 and Standard B3" in differs


def test_what_specialists_did_is_measured() -> None:
    for number in range(8):
        scenario = GAME.draw(Request(code_for(number), {"mode": "organized"}, {}))
        found = certificate(FAIRNESS, scenario)
        assert found.grade != "A"
        assert ("Specialists were played" in [text.en for text in found.differs]) is bool(scenario.plays)
        units_on_board = [u for _, force in scenario.final.forces.items() for u in force.deployed if u.hex]
        mounted = {row.measure.id: row.values for row in found.rows if row.values}["mounted"]
        assert sum(mounted) == sum(unit.kind.arm == "mounted" for unit in units_on_board)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "organized"}, "--mirror cannot be combined with Specialists"),
        ({"set-pennant": "A", "set-standard": "B"}, "--set-standard cannot be used, because both sides"),
        ({"cards-standard": "A1,A2,A3,A4"}, "--cards-standard cannot be used, because both sides"),
    ],
    ids=str,
)
def test_options_that_contradict_a_mirror_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(WrongUsageError, match=message):
        drawn(options)


def test_each_camp_has_an_option_for_reserves() -> None:
    scenario = drawn({})
    second = next(camp for camp in SIDES if camp != scenario.first)
    first_card = scenario.card(second, scenario.forces[second].reserve)
    cells = [f"{chr(ord('a') + u.column)}{u.row + 1}" for u in first_card.units[:2]]
    wished = drawn({f"reserves-{second}": ",".join(cells)})
    assert certificate(FAIRNESS, wished).grade == "A"
