"""Tests for printed fields of fire, which share one page for both sides.

Longer lists are split evenly between pages.
"""

from __future__ import annotations

import io
from typing import cast

import pikepdf
import pytest
from msgspec.structs import replace

from generator.games import load
from generator.games.battlelore.draw import draw
from generator.games.battlelore.forces import Unit
from generator.games.battlelore.maps import Field, crossfire, fields_of_fire, fire_detail
from generator.games.battlelore.model import Battle
from generator.games.battlelore.pages.sheets import ON_A_PAGE, fire_sheets, whole_fire_sheets
from generator.grid.hexes import Hex, distance
from generator.model.scenario import Request
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import Lang, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings

CODE = "K7Q2M-9FHN5"


def sheet(count: int) -> Sheet:
    """Return a sheet with `count` fields of fire, by repeating those of a generated battle."""
    battle = draw(Request(CODE, {}, {}))
    found = next(whole_fire_sheets(battle))
    rows = list(found.view["rows"])  # type: ignore[call-overload]
    return Sheet(
        found.part,
        found.title,
        found.template,
        {**found.view, "rows": [rows[i % len(rows)] for i in range(count)]},
        found.figures,
        pages=99,
    )


@pytest.mark.parametrize(
    ("count", "lang", "paper"), [(1, "en", "a4"), (3, "ja", "letter"), (5, "en", "letter"), (7, "ja", "a4")]
)
def test_every_number_of_bows_has_its_pages(count: int, lang: Lang, paper: str) -> None:
    pdf = print_kit(Kit(same("Game"), same("Fire"), CODE, (sheet(count),)), PrintSettings(lang, paper))
    assert len(pikepdf.open(io.BytesIO(pdf)).pages) == -(-count // ON_A_PAGE)
    assert preflight(pdf, paper, lang) == []


CODES = ("AS800-00SCJ", "FS800-00WQE", "9S800-00T55", "MS800-007WG")
"""Codes of Call to Arms battles in which four, five, none and one of the archers have targets."""


def table(code: str) -> Battle:
    """Return the battle of a code with its units deployed."""
    final: Battle = load("call_to_arms").draw(Request(code, {}, {})).final
    return final


def fields(battle: Battle) -> tuple[Field, ...]:
    """Return the fields of fire of a battle."""
    return fields_of_fire(battle.board, battle.units, battle.rulings)


@pytest.mark.parametrize("code", CODES)
def test_flags_count_the_archers_that_see_a_hex(code: str) -> None:
    battle = table(code)
    found = fields(battle)
    view = crossfire(battle.board, found, battle.units)
    counted = {(flag.cell, flag.shape): int(flag.text) for flag in view.flags}
    for camp in ("pennant", "standard"):
        for cell in battle.board.field.cells:
            assert counted.get((cell, camp), 0) == sum(cell in f.seen for f in found if f.camp == camp)
    counters = {(t.label, t.shape, t.colour, t.symbol): c for c, t in view.tokens}
    assert counters == {
        (unit.id, camp, unit.kind.banner, unit.kind.weapon): unit.hex for camp, unit in battle.units if unit.hex
    }


@pytest.mark.parametrize("code", CODES)
def test_only_archers_with_a_target_are_listed_in_detail(code: str) -> None:
    battle = table(code)
    (page,) = fire_sheets(battle)
    ready = [field for field in fields(battle) if field.targets]
    details = {name for name, figure in page.figures.items() if isinstance(figure, MapView)} - {"map", "details"}
    assert details == {field.unit.id for field in ready}
    assert page.landscape is not bool(ready)
    idle = {row["id"] for row in page.view["idle"]}  # type: ignore[attr-defined]
    assert idle == {field.unit.id for field in fields(battle)} - details


def test_a_ring_is_round_every_unit_that_can_be_shot() -> None:
    battle = table(CODES[0])
    found = fields(battle)
    view = crossfire(battle.board, found, battle.units)
    ringed = {cell for shade in view.shades if shade.look == "target" for cell in shade.cells}
    assert ringed == {target.hex for field in found for target in field.targets}
    for field in found:
        rays = fire_detail(battle.board, field, battle.units).rays
        assert {ray.end for ray in rays} == {target.hex for target in field.targets}


def test_an_archer_next_to_an_enemy_has_no_target_farther_off() -> None:
    battle = table(CODES[0])
    field = next(field for field in fields(battle) if field.targets)
    enemy = next(unit for camp, unit in battle.units if camp != field.camp)
    taken = {unit.hex for _, unit in battle.units}
    adjacent = next(c for c in battle.board.field.neighbours(field.at) if c not in taken)
    moved = [(c, unit if unit.id != enemy.id else at(unit, adjacent)) for c, unit in battle.units]
    now = next(f for f in fields_of_fire(battle.board, moved, battle.rulings) if f.unit.id == field.unit.id)
    assert distance(field.at, adjacent) == 1
    assert now.targets == ()


def at(unit: Unit, cell: Hex) -> Unit:
    """Return the unit, moved to another hex."""
    return replace(unit, hex=cell)


def test_a_battle_without_archers_has_no_page() -> None:
    without = cast(Battle, Bladed(table(CODES[0])))
    assert without.units
    assert [*fire_sheets(without), *whole_fire_sheets(without)] == []


class Bladed:
    """The data of a battle without its archers."""

    def __init__(self, battle: Battle) -> None:
        self.board, self.rulings = battle.board, battle.rulings
        self.units = tuple(row for row in battle.units if not row[1].kind.bow)
