"""Compare the units of the house pack with the text of the draft rules."""

from __future__ import annotations

from generator.games.blind_faith.tables import SIDES, house_pack

PACK = house_pack()
UNITS = PACK.units.values()


def test_a_house_pack_says_that_it_is_one() -> None:
    assert PACK.source == "house"
    assert "house" in PACK.note.en.lower()


def test_who_fires_at_all() -> None:
    assert {unit.type for unit in UNITS if "attack" in unit.fires} == {"wagon", "leader", "youth"}
    assert all("defence" in unit.fires for unit in UNITS if unit.infantry or "attack" in unit.fires)
    assert all(unit.infantry or "attack" in unit.fires for unit in UNITS if unit.fires)


def test_only_wagons_fire_at_each_box() -> None:
    assert {unit.id for unit in UNITS if unit.each_box} == {"tabor"}


def test_only_wagons_and_cavalry_intercept() -> None:
    assert {unit.type for unit in UNITS if unit.intercepts} == {"wagon", "horse", "youth"}


def test_persons_are_there_once_and_the_cardinal_in_a_crusade() -> None:
    assert {unit.id for unit in UNITS if unit.max_count == 1} == {"sigismund", "cardinal"}
    assert {unit.id for unit in UNITS if unit.crusade} == {"cardinal"}


def test_one_legate_is_a_unit() -> None:
    assert [(legate.id, legate.unit) for legate in PACK.legates if legate.unit] == [("winchester", "cardinal")]
    assert len(PACK.legates) >= 4


def test_sides_and_lines() -> None:
    assert {unit.id for side in SIDES for unit in PACK.of_side(side)} == set(PACK.units)
    assert PACK.line(["gun", "tabor", "knights", "tabor"]) == ("tabor", "tabor", "knights", "gun")
    assert PACK.points(["tabor", "gun"]) == PACK.units["tabor"].points + PACK.units["gun"].points
