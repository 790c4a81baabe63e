"""Tests that the text on the cover has its length, states true facts, and that the cover explains its symbols."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from generator.common.cover_text import MAX_LENGTH, MIN_LENGTH, total_length
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.interception import all_chances, defenders, retreats
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.pages.cover import cover
from generator.games.blind_faith.pages.layout import fires, signed
from generator.games.blind_faith.pages.story import cover_text, leader, spelled, wordings
from generator.games.blind_faith.rules import rules
from generator.games.blind_faith.siege import breach_chance
from generator.games.blind_faith.tables import SIDES
from generator.model.scenario import Request
from generator.model.views import MapView
from generator.model.words import LANGS, Words
from generator.rules import check
from generator.seeds import code_for
from tests.games.blind_faith.scenes import scene

KINDS = ("march", "battle", "siege")


@cache
def drawn(kind: str, number: int) -> Scenario:
    return draw(Request(code_for(number * 91_452_383 + 5), {"kind": kind}, {}))


SCENARIOS = [(kind, number) for kind in KINDS for number in range(12)]


@pytest.mark.parametrize(("kind", "number"), SCENARIOS)
def test_a_text_has_its_length_and_no_gaps(kind: str, number: int) -> None:
    of = cover_text(drawn(kind, number))
    for lang in LANGS:
        assert MIN_LENGTH[lang] <= total_length([of.whole], lang) <= MAX_LENGTH[lang]
        assert not set("{}") & set(of.whole[lang])
        assert "Words(" not in of.whole[lang]


@pytest.mark.parametrize("lang", LANGS)
def test_every_fact_has_wordings_in_both_languages(lang: str) -> None:
    assert all(text[lang] for texts in wordings().values() for text in texts)  # type: ignore[index]


@pytest.mark.parametrize(("kind", "number"), SCENARIOS)
def test_the_facts_are_true(kind: str, number: int) -> None:
    scenario = drawn(kind, number)
    pack = scenario.pack
    facts = {clause.about: clause for clause in cover_text(scenario).clauses}
    keys = {clause.key: clause.values for clause in facts.values()}
    active = scenario.active
    if scenario.battle:
        other = scenario.stack(scenario.battle.defender)
        there = len(defenders(pack, other, scenario.battle.hex))
        assert keys["battle"]["n"] == spelled(len(active.units))
        assert keys["battle"]["k"] == spelled(there)
        assert keys["battle"]["who"] == leader(active)
        if "fronts" in keys:
            sizes = [len(force.front) for force in (scenario.battle.defence, scenario.battle.attack)]
            assert [keys["fronts"][name] for name in "nk"] == [spelled(n) for n in sizes]
        if "no_way" in keys:
            assert not all(retreats(scenario, side) for side in SIDES)
    if siege := scenario.siege:
        garrison = scenario.stack(siege.garrison)
        assert (keys["siege"]["n"], keys["siege"]["k"]) == (spelled(len(active.units)), spelled(len(garrison.units)))
        if "parts" in keys:
            sizes = [len(siege.bombard), len(siege.storm), len(siege.reserve)]
            assert [keys["parts"][name] for name in "nkm"] == [spelled(n) for n in sizes]
        if "no_guns" in keys:
            assert not any(breach_chance(pack, unit, siege.wall) for unit in siege.bombard)
    if kind == "march":
        assert keys["march"]["n"] == spelled(len(active.units))
        first = dict.fromkeys(c.stack for c in all_chances(scenario) if c.verdict == "intercepts")
        assert ("nobody_first" not in keys) or not first
        if "several_first" in keys:
            assert keys["several_first"]["n"] == spelled(len(first))
    for name in ("wagons", "wagons_one"):
        if name in keys:
            wagons = sum(pack.units[u].symbol == "wagon" for side in SIDES for u in scenario.units_of(side))
            assert keys[name]["n"] == spelled(wagons)
    if "legate" in keys:
        assert any(stack.legate and stack.label == keys["legate"]["stack"] for stack in scenario.stacks)
    assert any(clause.key.startswith("win_") for clause in facts.values())


@pytest.mark.parametrize(
    ("n", "expected"), [(0, "no"), (1, "one"), (19, "nineteen"), (20, "twenty"), (38, "thirty-eight"), (100, "100")]
)
def test_a_count_in_a_sentence(n: int, expected: str) -> None:
    assert spelled(n) == Words(expected, str(n))


@pytest.mark.parametrize("kind", KINDS)
def test_the_cover_explains_every_unit_symbol(kind: str) -> None:
    """Each class on the map has a row with its symbol, name, movement points, modifier and fire."""
    scenario = drawn(kind, 1)
    made = cover(scenario, check(rules(), scenario))
    rows: Any = made.extra["units"]
    for side in SIDES:
        for name in set(scenario.units_of(side)):
            unit = scenario.pack.units[name]
            (row,) = [row for row in rows if row["figure"] == f"{side}.{name}"]
            assert (row["name"], row["move"]) == (unit.name, unit.movement)
            assert (row["drm"], row["fires"]) == (signed(unit.drm), fires(scenario.pack, unit))


def test_the_fought_hex_has_an_inset_with_its_stacks() -> None:
    for kind in ("battle", "siege"):
        scenario = scene(kind)
        made = cover(scenario, check(rules(), scenario))
        inset = made.figures["inset"]
        assert isinstance(inset, MapView)
        at = scenario.battle.hex if scenario.battle else scenario.active.hex
        assert inset.grid.cells == (at,)
        assert {token.label for _, token in inset.tokens} >= {
            scenario.active.id,
            scenario.battle.defender if scenario.battle else scenario.siege.garrison,  # type: ignore[union-attr]
        }
        assert made.extra["inset"]
    assert not cover(scene("march"), check(rules(), scene("march"))).extra["inset"]


def test_the_lead_does_not_repeat_the_numbers_of_the_opening() -> None:
    for kind, number in SCENARIOS:
        of = cover_text(drawn(kind, number))
        if kind != "march":
            assert not [fact for fact in of.clauses if fact.key == "outnumbered" and {"m", "n"} & set(fact.values)]


def test_a_legate_who_is_a_unit_is_named_once() -> None:
    for kind, number in SCENARIOS:
        keys = [fact.key for fact in cover_text(drawn(kind, number)).clauses]
        cardinal = any(stack.legate == "winchester" for stack in drawn(kind, number).stacks)
        sigismund = any("sigismund" in stack.units for stack in drawn(kind, number).stacks)
        assert "person" not in keys or not cardinal or sigismund, (kind, number)


def test_units_that_all_return_on_one_turn_are_not_given_a_first_turn() -> None:
    for kind, number in SCENARIOS:
        scenario = drawn(kind, number)
        turns = {side: {one.back for one in scenario.routed if one.side == side} for side in SIDES}
        for fact in cover_text(scenario).clauses:
            if fact.key == "returning":
                assert any(len(found) > 1 for found in turns.values()), (kind, number)
