"""Sight as a query agrees with the fields of fire, and gives its reasons."""

from __future__ import annotations

from typing import Any

import pytest

from generator.errors import WrongUsageError
from generator.games.travel_battle.play import SIGHT, field_of_fire
from tests.games.travel_battle.test_draw import CODES, drawn, plain


@pytest.mark.parametrize("reading", ["share", "corners"])
def test_rows_of_guns_are_their_fields_of_fire(reading: str) -> None:
    scenario = drawn(CODES[2], sight=reading)
    land = scenario.battlefield.terrain_map
    fires: dict[object, set[object]] = {}
    for row in SIGHT.pairs(scenario):
        fires.setdefault(row["gun"], set())
        if row["fires"]:
            fires[row["gun"]].add(row["to"])
    guns = {i: unit.cell for i, (_, _, unit) in scenario.units.items() if unit.kind.arm == "artillery"}
    assert fires.keys() == guns.keys()
    for i, cell in guns.items():
        assert cell
        seen = field_of_fire(land, tuple(scenario.units_on_board), cell, reading)
        assert fires[i] == {land.field.name(c) for c in seen}


def test_a_pair_may_be_named_by_squares_or_units_in_any_case() -> None:
    scenario = plain(CODES[2])
    gun = next(unit for _, _, unit in scenario.units.values() if unit.kind.arm == "artillery")
    assert gun.cell
    name = scenario.battlefield.terrain_map.field.name(gun.cell)
    assert SIGHT.pair(scenario, gun.id.lower(), "J5") == SIGHT.pair(scenario, name, "j5")
    assert SIGHT.pair(scenario, "a1", "t10")["fires"] is False


def test_a_unit_s_exact_id_comes_before_a_square_of_that_name() -> None:
    """B1 is a brigadier, b1 a square."""
    scenario = plain(CODES[2])
    brigadier = scenario.units["B1"][2].cell
    assert brigadier
    name = scenario.battlefield.terrain_map.field.name
    assert SIGHT.pair(scenario, "B1", "f5")["from"] == name(brigadier) != "b1"
    assert SIGHT.pair(scenario, "b1", "f5")["from"] == "b1"
    assert SIGHT.pair(scenario, "E1", "f5")["from"] == "e1"


def test_unknown_squares_are_refused() -> None:
    scenario = plain(CODES[2])
    with pytest.raises(WrongUsageError, match=r"no square 'z9' on this field \(a1 to t10, or a unit\)"):
        SIGHT.pair(scenario, "a1", "z9")
    with pytest.raises(WrongUsageError, match="both ends are the same square"):
        SIGHT.pair(scenario, "a1", "a1")


def test_every_kind_of_look_is_told_in_both_languages() -> None:
    scenario = plain(CODES[2])
    rows = list(SIGHT.pairs(scenario))
    kinds = {(bool(r["in_sight"]), bool(r["hidden_by"]), r["distance"] == 1, r["share"] == "0/1"): r for r in rows}
    assert len(kinds) >= 5
    for row in kinds.values():
        told = SIGHT.explain(scenario, str(row["from"]), str(row["to"]))
        assert ("In sight" in told.en) == row["in_sight"]
        assert ("Partly or wholly hidden" in told.en) == bool(row["hidden_by"])
        hidden = row["share"] == "0/1"
        assert ("nothing of the target shows" in told.en) == ("まったく見えません" in told.ja) == hidden
        line = SIGHT.line(row)
        for text in (told, line):
            assert text.en != text.ja
            assert "{" not in text.en + text.ja
    assert "Out of range" in SIGHT.explain(scenario, "a1", "t10").en


def test_a_unit_that_hides_is_named() -> None:
    scenario = plain(CODES[2])
    rows: list[dict[str, Any]] = list(SIGHT.pairs(scenario))
    hiding = [(row, told) for row in rows for told in row["hidden"] if told["what"] == "unit"]
    field = scenario.battlefield.terrain_map.field
    assert hiding
    for row, told in hiding[:20]:
        assert told["units"]
        assert all(scenario.units[unit][2].cell == field.find(told["square"]) for unit in told["units"])
        said = SIGHT.explain(scenario, row["from"], row["to"])
        for text in (said.en, said.ja):
            assert all(unit in text for unit in told["units"])
