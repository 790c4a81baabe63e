"""Tests that the set-up page describes the battle correctly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from generator import games
from generator.common.tables import numeral
from generator.games.battlelore.ground import SIDES, needs
from generator.games.battlelore.pages.laying import number
from generator.games.battlelore.pages.story import counted
from generator.model.scenario import Request
from generator.model.views import MapView, Sheet, Token
from generator.model.words import Words
from generator.rules import check
from generator.seeds import code_for

CASES = [
    ("battlelore", {}),
    ("battlelore", {"age": "lore"}),
    ("call_to_arms", {}),
    ("call_to_arms", {"mode": "organized", "age": "lore"}),
]


def drawn(game: str, options: dict[str, str], n: int) -> Any:
    scenario: Any = games.load(game).draw(Request(code_for(n), options, {}))
    return scenario


def final(scenario: Any) -> Any:
    return getattr(scenario, "final", scenario)


def sheet(scenario: Any, game: str, part: str) -> Sheet:
    of = games.load(game)
    kit = of.kit(scenario, check(of.rules, scenario), "CODE", "muster kit")
    return next(s for s in kit.only([part]).sheets if isinstance(s, Sheet))


def test_numbers_are_written_in_words() -> None:
    numerals = {n: numeral(n) for n in (0, 1, 10, 11, 19, 20, 21, 45, 99, 100)}
    assert [numerals[n].en for n in numerals] == [
        *("no", "one", "ten", "eleven", "nineteen", "twenty", "twenty-one", "forty-five", "ninety-nine", "100"),
    ]
    assert [numerals[n].ja for n in numerals] == [
        *("〇", "一", "十", "十一", "十九", "二十", "二十一", "四十五", "九十九", "100"),
    ]
    assert counted(2, Words("Ford", "浅瀬")) == Words("two fords", "浅瀬ふたつ")
    assert counted(1, Words("Stone bridge", "石橋")) == Words("one stone bridge", "石橋ひとつ")


@pytest.mark.parametrize(("game", "options"), CASES)
def test_every_unit_is_laid_once_and_bears_its_number_on_the_map(game: str, options: dict[str, str]) -> None:
    for n in range(350, 354):
        scenario = drawn(game, options, n)
        battle, page = final(scenario), sheet(scenario, game, "setup")
        view: Any = page.view
        placed_units = {(camp, unit.id): unit for camp, unit in battle.units if unit.hex}
        placed = [unit for row in view["rows"] for unit in row["units"]]
        assert Counter(unit["figure"] for unit in placed) == Counter(f"icon_{name}" for _, name in placed_units)
        at = {unit["figure"]: unit["at"] for unit in placed}
        for (camp, name), unit in placed_units.items():
            icon = page.figures[f"icon_{name}"]
            assert isinstance(icon, Token) and icon.shape == camp and icon.colour == unit.kind.banner
            assert at[f"icon_{name}"] == battle.board.field.name(unit.hex)
        field = page.figures["map"]
        assert isinstance(field, MapView)
        assert {(cell, t.shape, t.colour, t.symbol, t.label) for cell, t in field.tokens} == {
            (unit.hex, camp, unit.kind.banner, unit.kind.weapon, number(camp, unit))
            for (camp, _), unit in placed_units.items()
        }
        assert [row["n"] for row in (*view["rows"], *view["after"])] == list(
            range(2, len(view["rows"]) + len(view["after"]) + 2)
        )


@pytest.mark.parametrize(("game", "options"), CASES)
def test_what_is_fetched_is_what_stands(game: str, options: dict[str, str]) -> None:
    scenario = drawn(game, options, 360)
    battle, page = final(scenario), sheet(scenario, game, "setup")
    view: Any = page.view
    armies = [group for group in view["groups"] if group["total"]]
    for camp, group in zip(SIDES, armies, strict=True):
        units = [unit for of, unit in battle.units if of == camp and unit.hex and not unit.levy]
        assert group["total"] == [len(units), sum(unit.figures for unit in units)]
        assert [sum(row["counts"][i] for row in group["rows"]) for i in (0, 1)] == group["total"]


@pytest.mark.parametrize(("game", "options"), CASES)
def test_every_tile_that_the_board_shows_is_fetched(game: str, options: dict[str, str]) -> None:
    for n in range(380, 386):
        scenario = drawn(game, options, n)
        view: Any = sheet(scenario, game, "setup").view
        fetched = [row["counts"][0] for row in view["groups"][0]["rows"]]
        assert sorted(fetched) == sorted(needs(final(scenario).board).values())


def test_a_set_up_for_hands_speaks_of_no_draw() -> None:
    for n in (370, 371, 372):
        scenario = drawn("call_to_arms", {}, n)
        text = " ".join(map(str, (sheet(scenario, "call_to_arms", "setup").view,)))
        assert "Shuffled" not in text and ">" not in text
        groups: Any = sheet(scenario, "call_to_arms", "audit").view
        steps = [step.en for half in groups["halves"] for group in half for step in group["steps"]]
        assert any("Shuffled" in step for step in steps) and len(steps) == len(scenario.log)
