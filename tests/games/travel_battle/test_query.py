"""Tests that the sight query agrees with the fields of fire and gives reasons."""

from __future__ import annotations

from typing import Any

import pytest

from generator.errors import WrongUsageError
from generator.games.travel_battle.play import SIGHT, field_of_fire
from tests.games.travel_battle.test_draw import CODES, drawn, plain


@pytest.mark.parametrize("reading", ["share", "corners"])
def test_rows_of_guns_are_their_fields_of_fire(reading: str) -> None:
    scenario = drawn(CODES[2], sight=reading)
    terrain = scenario.battlefield.terrain_map
    fires: dict[object, set[object]] = {}
    for row in SIGHT.pairs(scenario):
        fires.setdefault(row["gun"], set())
        if row["fires"]:
            fires[row["gun"]].add(row["to"])
    guns = {i: unit.cell for i, (_, _, unit) in scenario.units.items() if unit.kind.arm == "artillery"}
    assert fires.keys() == guns.keys()
    for i, cell in guns.items():
        assert cell
        seen = field_of_fire(terrain, tuple(scenario.units_on_board), cell, reading)
        assert fires[i] == {terrain.field.name(c) for c in seen}


def test_a_pair_may_be_named_by_squares_or_units_in_any_case() -> None:
    scenario = plain(CODES[2])
    gun = next(unit for _, _, unit in scenario.units.values() if unit.kind.arm == "artillery")
    assert gun.cell
    name = scenario.battlefield.terrain_map.field.name(gun.cell)
    assert SIGHT.pair(scenario, gun.id.lower(), "J5") == SIGHT.pair(scenario, name, "j5")
    assert SIGHT.pair(scenario, "a1", "t10")["fires"] is False


def test_an_exact_unit_id_takes_precedence_over_a_square() -> None:
    """B1 is a brigadier, and b1 is a square."""
    scenario = plain(CODES[2])
    brigadier = scenario.units["B1"][2].cell
    assert brigadier
    name = scenario.battlefield.terrain_map.field.name
    assert SIGHT.pair(scenario, "B1", "f5")["from"] == name(brigadier) != "b1"
    assert SIGHT.pair(scenario, "b1", "f5")["from"] == "b1"
    assert SIGHT.pair(scenario, "E1", "f5")["from"] == "e1"


def test_unknown_squares_are_refused() -> None:
    scenario = plain(CODES[2])
    refused = r"there is no square 'z9' on this field \(give a square from a1 to t10, or a unit\)"
    with pytest.raises(WrongUsageError, match=refused):
        SIGHT.pair(scenario, "a1", "z9")
    with pytest.raises(WrongUsageError, match="the two ends must be different squares"):
        SIGHT.pair(scenario, "a1", "a1")


def test_every_kind_of_sight_line_is_described_in_both_languages() -> None:
    scenario = plain(CODES[2])
    rows = list(SIGHT.pairs(scenario))
    kinds = {(bool(r["in_sight"]), bool(r["hidden_by"]), r["distance"] == 1, r["share"] == "0/1"): r for r in rows}
    assert len(kinds) >= 5
    for row in kinds.values():
        explanation = SIGHT.explain(scenario, str(row["from"]), str(row["to"]))
        assert ("In sight" in explanation.en) == row["in_sight"]
        assert ("Partly or wholly hidden" in explanation.en) == bool(row["hidden_by"])
        hidden = row["share"] == "0/1"
        assert ("nothing of the target shows" in explanation.en) == ("まったく見えません" in explanation.ja) == hidden
        line = SIGHT.line(row)
        for text in (explanation, line):
            assert text.en != text.ja
            assert "{" not in text.en + text.ja
    assert "Out of range" in SIGHT.explain(scenario, "a1", "t10").en


def test_a_unit_that_hides_is_named() -> None:
    scenario = plain(CODES[2])
    rows: list[dict[str, Any]] = list(SIGHT.pairs(scenario))
    hiding = [(row, blocker) for row in rows for blocker in row["hidden"] if blocker["what"] == "unit"]
    field = scenario.battlefield.terrain_map.field
    assert hiding
    for row, blocker in hiding[:20]:
        assert blocker["units"]
        assert all(scenario.units[unit][2].cell == field.find(blocker["square"]) for unit in blocker["units"])
        explanation = SIGHT.explain(scenario, row["from"], row["to"])
        for text in (explanation.en, explanation.ja):
            assert all(unit in text for unit in blocker["units"])
