"""Tests that the displays of a battle and of a siege show the tables in use, and that worked rounds are right.

Every worked round is computed again from the tables of the pack, step by step, with arithmetic of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.draw import draw
from generator.games.blind_faith.model import Scenario
from generator.games.blind_faith.pages.fight_display import battle_display, siege_display
from generator.games.blind_faith.tables import DIE, Pack
from generator.games.blind_faith.worked_round import WorkedRound, worked_battle, worked_siege
from generator.model.scenario import Request
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for
from tests.games.blind_faith.scenes import scene

NUMBERS = range(12)


def drawn(kind: str, number: int, **rulings: str) -> Scenario:
    scenario = draw(Request(code_for(number * 91_452_383), {"kind": kind}, {}))
    return replace(scenario, rulings={**scenario.rulings, **rulings})


def without(line: Iterable[str], lost: Iterable[str]) -> list[str]:
    """Return a line without some units, each of which must be in it."""
    left = list(line)
    for unit in lost:
        left.remove(unit)
    return left


def row_of(pack: Pack, units: int, face: int) -> Any:
    """Return the losses of a response, looked up in the columns of the table."""
    columns = pack.response.columns
    column = [c for c in columns if c.start <= units][-1]
    extra = (units - column.start) // pack.response.step if column is columns[-1] else 0
    return column.results[min(face + extra, len(column.results)) - 1]


def check_charges(pack: Pack, of: WorkedRound, front: list[str], line: list[str], *, mild: bool) -> None:
    """Resolve the charges again and remove the units that they cost from both lines."""
    for roll in of.charges:
        assert roll.charger in front
        assert roll.target in line
        total = roll.face + pack.units[roll.charger].drm - pack.units[roll.target].drm
        assert (roll.drm, roll.target_drm) == (pack.units[roll.charger].drm, pack.units[roll.target].drm)
        assert roll.modified == total
        table = pack.charge
        result = table.results[min(max(total - table.lowest, 0), len(table.results) - 1)]
        charger = "rout" if mild and result.charger == "eliminate" else result.charger
        assert (roll.result.defender, roll.result.charger) == (result.defender, charger)
        if result.defender != "none":
            line.remove(roll.target)
        if charger != "none":
            front.remove(roll.charger)


def check_response(pack: Pack, of: WorkedRound, counted: int, *, mild: bool) -> None:
    response = of.response
    assert response
    assert response.units == counted == response.there - sum(response.lost)
    expected = row_of(pack, counted, response.face)
    if mild:
        assert tuple(response.losses) == (sum(expected), 0)
    else:
        assert response.losses == expected
    assert len(response.toll.eliminated) <= response.losses.eliminate
    assert len(response.toll.lost) <= sum(response.losses)


def hits(results: Sequence[str]) -> list[str]:
    return [result for result in results if result != "none"]


@pytest.mark.parametrize("count", ["after", "before"])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_worked_battle_follows_the_tables(number: int, count: str) -> None:
    scenario = drawn("battle", number, response_count=count)
    pack, battle = scenario.pack, scenario.battle
    assert battle
    of = worked_battle(pack, battle.attack, battle.defence, scenario.rulings, scenario.origin.code)
    assert of
    front, line = list(battle.attack.front), list(battle.defence.front)
    lost_line: Counter[str] = Counter()
    for volleys, shooters, targets, role in (
        (of.fire, battle.attack.front, line, "attack"),
        (of.fire_back, None, front, "defence"),
    ):
        present = list(shooters or line)
        struck: list[str] = []
        for volley in volleys:
            assert volley.shooter in present
            assert role in pack.units[volley.shooter].fires
            assert volley.target in targets
            cell = pack.fire[pack.units[volley.shooter].type, pack.units[volley.target].type]
            assert [cell[face - 1] for face in volley.faces] == list(volley.results)
            assert volley.result == (hits(volley.results) or ["none"])[0]
            if volley.box:
                assert battle.attack.front[volley.box - 1] == volley.target
            struck += [volley.target] if volley.result != "none" else []
        # A unit that fires at every box has a die for each of them, and every other unit has one die.
        others = of.fire_others if role == "attack" else of.fire_back_others
        firing = [unit for unit in present if role in pack.units[unit].fires]
        dice = sum(len(front) if pack.units[u].each_box and role == "defence" else 1 for u in firing)
        assert others + sum(len(volley.faces) for volley in volleys) == dice
        targets[:] = without(targets, struck)
        lost_line += Counter(struck if role == "attack" else [])
    before = len(line)
    check_charges(pack, of, front, line, mild=False)
    counted = before if count == "before" else len(line)
    if not counted:
        assert of.response is None
    else:
        check_response(pack, of, counted, mild=False)
        assert of.response
        front = without(front, of.response.toll.lost)
        # Units that charged are lost first.
        charged = Counter(r.charger for r in of.charges if r.result.charger == "none")
        lost = Counter(of.response.toll.lost)
        assert (lost & charged).total() == min(lost.total(), charged.total())
    left = of.attacker_left
    assert Counter(of.attacker_lost.lost) == Counter(battle.attack.front) - Counter(front)
    assert Counter(left.front + left.reserve) == Counter(front) + Counter(battle.attack.reserve)
    assert len(left.front) == min(pack.boxes, left.left)
    assert of.defender_left == len(line)


@pytest.mark.parametrize("worst", ["rout", "table"])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_worked_siege_follows_the_tables(number: int, worst: str) -> None:
    scenario = drawn("siege", number, storm_losses=worst)
    pack, siege = scenario.pack, scenario.siege
    assert siege
    garrison = scenario.stack(siege.garrison).units
    of = worked_siege(
        pack, siege.bombard, siege.storm, siege.reserve, garrison, siege.wall, scenario.rulings, scenario.origin.code
    )
    assert of
    dice = of.fire_others
    breaches = 0
    for volley in of.fire:
        assert volley.shooter in siege.bombard
        cell = pack.bombard[pack.units[volley.shooter].type, siege.wall]
        assert [cell[face - 1] for face in volley.faces] == list(volley.results)
        breaches += volley.results.count("breach")
        dice += len(volley.faces)
    assert dice == sum(pack.units[unit].bombards for unit in siege.bombard)
    assert len(of.defender_lost.eliminated) >= breaches
    # The garrison removes its cheapest unit for each breach.
    line = sorted(garrison, key=lambda unit: pack.units[unit].points)[breaches:]
    front = list(siege.storm)
    check_charges(pack, of, front, line, mild=worst == "rout")
    assert of.defender_left == len(line)
    if of.charges and line:
        check_response(pack, of, len(line), mild=worst == "rout")
        assert of.response
        charged = Counter(r.charger for r in of.charges if r.result.charger == "none")
        assert Counter(of.response.toll.lost) <= charged
    else:
        assert of.response is None


def test_the_ruling_that_a_storm_is_not_answered() -> None:
    scenario = drawn("siege", 3, storm_response="none")
    page: Any = siege_display(scenario).view
    assert not page["responds"]
    assert "There is no response." in [text.en for cell in page["worked"] for text in cell["captions"]]


def test_the_example_depends_only_on_the_code() -> None:
    one, other = (drawn("battle", 5) for _ in range(2))
    assert battle_display(one).view == battle_display(other).view


def test_tables_show_the_die_with_both_modifiers_counted() -> None:
    """Each cell is the result that a player would find in the charge table for the modified die."""
    scenario = drawn("battle", 2)
    pack, battle = scenario.pack, scenario.battle
    assert battle
    page: Any = battle_display(scenario).view
    names = {unit.name.en: unit for unit in pack.units.values()}
    enemies = dict.fromkeys(battle.defence.front + battle.defence.reserve)
    pairs = 0
    for row in page["charges"]:
        at = row["at"].en.removeprefix("at ")
        targets = [names[name] for name in at.split(", ")] if at else [pack.units[unit] for unit in enemies]
        for charger in row["name"].en.split(", "):
            for target in targets:
                pairs += 1
                for face in range(1, DIE + 1):
                    result = pack.charge.at(face + names[charger].drm - target.drm)
                    for cell, fate in zip((row["targets"][face - 1], row["chargers"][face - 1]), result, strict=True):
                        assert cell == ("" if fate == "none" else f"result.{fate}")
    assert pairs == len(set(scenario.active.units)) * len(enemies)
    for row in page["shooting"]:
        shooter = names[row["name"].en]
        at = row["at"].en.removeprefix("at ")
        for target in at.split(", ") if at else ():
            cell = pack.fire[shooter.type, names[target].type]
            assert row["cells"] == ["" if hit == "none" else f"result.{hit}" for hit in cell]


def test_a_march_has_the_tables_of_all_who_may_meet_and_an_example() -> None:
    of = scene("march")
    page: Any = battle_display(of).view
    assert not any(box["figure"] for box in page["boxes"])
    assert page["worked"]
    assert page["worked_note"].en.startswith(f"example: {of.active.id} attacks ")
    firing = {row["name"].en for row in page["shooting"]}
    assert firing <= {of.pack.units[u].name.en for side in ("hussite", "crusader") for u in of.units_of(side)}


def test_no_example_without_two_fronts() -> None:
    scenario = drawn("battle", 1)
    battle = scenario.battle
    assert battle
    assert worked_battle(scenario.pack, Force(()), battle.defence, scenario.rulings, "code") is None
    assert worked_siege(scenario.pack, (), (), (), ("knights",), "town", scenario.rulings, "code") is None


def test_two_shots_at_the_only_target_that_infantry_can_remove() -> None:
    scenario = draw(Request("CCAAK-00HW2", {}, {}))
    battle = scenario.battle
    assert battle
    of = worked_battle(scenario.pack, battle.attack, battle.defence, scenario.rulings, scenario.origin.code)
    assert of
    assert [volley.target for volley in of.fire_back] == ["hussite_foot"] * 2
    assert [volley.result for volley in of.fire_back].count("none") == 1


@pytest.mark.parametrize("lang", LANGS)
def test_a_worked_round_of_five_steps_fits_on_narrow_paper(lang: Lang) -> None:
    """The response is a column of 28 mm, which shows the die, its modifier and the result side by side."""
    game = games.load("blind_faith")
    scenario = draw(Request("E8AAK-00Q9Z", {"kind": "battle"}, {}))
    page: Any = battle_display(scenario).view
    assert len(page["worked"]) == 5 and page["worked"][3]["rows"][0]["sum"]
    kit = game.kit(scenario, check(game.rules, scenario), "", "muster kit").only(("display",))
    assert print_kit(kit, PrintSettings(lang, "letter"), packed=False)
