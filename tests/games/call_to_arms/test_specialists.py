"""Tests for the effect of each Specialist on the board, and of combinations of two Specialists."""

from __future__ import annotations

import pytest

from generator.games.battlelore.forces import Kind, Unit
from generator.games.call_to_arms.model import Scenario
from tests.games.call_to_arms.organized import (
    TOKEN,
    at,
    council,
    exchange,
    fill,
    free_hex,
    of,
    organized,
    play,
    reserve,
)
from tests.games.call_to_arms.scenes import Edit, both, find, fired, pool, unit

ALLIES = council(commander=1, warrior=2, wizard=3)
SPARE = fill({("human", "short_sword"): 12, ("dwarf", "short_sword"): 16, ("goblin", "short_sword"): 8})


def after(*edits: Edit) -> Scenario:
    """Return the final position of a legal scenario after all its Specialists are played."""
    scenario = both(*edits)(organized())
    assert fired(scenario) == set()
    return scenario.final


def describe_unit(scenario: Scenario, place: str) -> tuple[Kind, str, int]:
    """Return the kind, hex and number of figures of a unit."""
    _, found = find(scenario, place)
    return found.kind, at(place)(scenario), found.figures


def new_units(scenario: Scenario) -> list[Unit]:
    """Return the Pennant units that were not deployed from cards."""
    return list(scenario.forces["pennant"].units[len(organized().forces["pennant"].units) :])


def where(scenario: Scenario, one: Unit) -> str:
    return scenario.board.field.name(one.hex) if one.hex else "-"


def test_stakes_lie_on_the_board() -> None:
    final = after(play("archers_stakes", "F5", "E2"))
    assert {final.board.field.name(cell): what for cell, what in final.board.features.items()} == {
        "F5": "stakes",
        "E2": "stakes",
    }
    assert organized().board.features == {}


def test_human_bows_become_long_bows_and_no_others() -> None:
    before, final = organized(), after(play("bow_upgrade"))
    for old, new in zip(before.forces["pennant"].units, final.forces["pennant"].units, strict=True):
        weapon = "long_bow" if old.kind.weapon == "common_bow" else old.kind.weapon
        assert new.kind == Kind(old.kind.banner, weapon, old.kind.race)
    assert any(u.kind.weapon == "long_bow" for u in final.forces["pennant"].units)
    assert final.forces["standard"] == before.final.forces["standard"]


def test_a_dwarf_crossbow_stays_one() -> None:
    dwarf = Kind("blue", "crossbow", "dwarf")
    table = play("bow_upgrade")(unit("P reserve 1", kind=dwarf)(organized())).end
    assert [u.kind for u in table.of("pennant") if u.kind.race == "dwarf" and u.kind.bow] == [dwarf]


def test_a_third_reserve_is_enrolled() -> None:
    final = after(play("forced_enrollment", reserve(3, free_hex)))
    [new] = new_units(final)
    assert len(final.forces["pennant"].reserves) == 3
    assert new.hex in final.board.plan.baseline("pennant")
    assert new.card == final.forces["pennant"].reserve
    assert new.kind == next(u.kind for u in final.card("pennant", "A6").units if (u.column, u.row) == new.cell)


def test_infiltrators_move() -> None:
    final = after(play("infiltration", of("P A5 a4", "D5"), of("P A5 c4", "G5"), of("P A5 a1", "E4")))
    assert [at(f"P A5 {cell}")(final) for cell in ("a4", "c4", "a1")] == ["D5", "G5", "E4"]
    assert new_units(final) == []


def test_the_kings_allies_add_a_figure() -> None:
    final = after(ALLIES, play("kings_allies", of("P A5 a4")))
    assert describe_unit(final, "P A5 a4") == (Kind("green", "short_sword", "human"), "E4", 5)


def test_an_illusion_stands_next_to_the_unit_it_copies() -> None:
    final = after(play("illusionary_troops", of("P A5 a4", "E5")))
    [copy] = new_units(final)
    assert (copy.kind, where(final, copy), copy.figures) == (*describe_unit(final, "P A5 a4")[:1], "E5", 4)
    assert copy.placed == "special"
    assert copy.id not in {u.id for u in organized().forces["pennant"].units}


@pytest.mark.parametrize(("cleric", "tokens"), [(0, 0), (1, 0), (2, 2), (3, 4)])
def test_a_prayer_brings_two_tokens_for_each_level_above_the_first(cleric: int, tokens: int) -> None:
    levels = council(commander=3, cleric=cleric, rogue=3 - cleric)
    scenario = both(levels, play("prayer"))(organized())
    assert fired(scenario) == ({"special.level"} if cleric == 0 else set())
    assert scenario.end.lore["pennant"] == max(cleric, 3 - cleric) + tokens


def test_dwarves_are_hired() -> None:
    final = after(SPARE, play("dwarven_mercenaries", of("P A5 a4"), of("P A3 c3")))
    assert describe_unit(final, "P A5 a4") == (Kind("green", "short_sword", "dwarf"), "E4", 4)
    assert describe_unit(final, "P A3 c3") == (Kind("red", "short_sword", "dwarf"), "C3", 4)
    assert new_units(final) == []


def test_goblins_come_in_pairs() -> None:
    final = after(SPARE, play("goblinoid_mercenaries", of("P A5 a4", "E5")))
    goblin = Kind("green", "short_sword", "goblin")
    [second] = new_units(final)
    assert describe_unit(final, "P A5 a4")[:2] == (goblin, "E4")
    assert (second.kind, where(final, second)) == (goblin, "E5")


def test_reserves_take_a_vantage_point() -> None:
    final = after(play("vantage_point", reserve(1, "E5"), reserve(2, "F5")))
    assert [at(f"P reserve {n}")(final) for n in (1, 2)] == ["E5", "F5"]
    assert new_units(final) == []


def test_a_lost_reserve_can_use_a_vantage_point() -> None:
    """The reserve was lost for lack of figures and tokens. It can use the figures of a unit that dwarves replaced."""
    lost = both(unit("P reserve 1", hex=None, placed="lost"), fill({("dwarf", "short_sword"): 4}), pool(levies={}))
    hire, stand = play("dwarven_mercenaries", of("P A5 a4")), play("vantage_point", reserve(1, "E5"))
    final = after(lost, hire, stand)
    assert describe_unit(final, "P reserve 1") == (Kind("blue", "short_sword", "human"), "E5", 4)
    assert find(final, "P reserve 1")[1].placed == "special"
    assert fired(both(lost, stand, hire)(organized())) == {"special.pool"}


def test_a_copied_ally_keeps_its_figure() -> None:
    """The result of this combination is known from the cards."""
    ally, copy = play("kings_allies", of("P A5 a4")), play("illusionary_troops", of("P A5 a4", "E5"))
    assert [u.figures for u in new_units(after(ALLIES, ally, copy))] == [5]
    assert [u.figures for u in new_units(after(ALLIES, copy, ally))] == [4]


@pytest.mark.parametrize(("first", "second", "race"), [(0, 1, "dwarf"), (1, 0, "human")])
def test_illusions_are_of_what_was_there_before(first: int, second: int, race: str) -> None:
    plays = (play("dwarven_mercenaries", of("P A5 a4")), play("illusionary_troops", of("P A5 a4", "E5")))
    final = after(SPARE, plays[first], plays[second])
    assert describe_unit(final, "P A5 a4")[0].race == "dwarf"
    assert [u.kind for u in new_units(final)] == [Kind("green", "short_sword", race)]


def test_hiring_frees_figures_for_a_copy() -> None:
    """Four figures are set aside and four are taken. Without spare figures the copy must follow the hiring."""
    dwarves = fill({("dwarf", "short_sword"): 4})
    hire, copy = play("dwarven_mercenaries", of("P A5 a4")), play("illusionary_troops", of("P A5 c4", "G5"))
    after(dwarves, hire, copy)
    assert fired(both(dwarves, copy, hire)(organized())) == {"special.pool"}


def test_reserves_follow_infiltrators_to_their_vantage_point() -> None:
    moved = play("infiltration", of("P A5 a4", "D5"))
    stand = play("vantage_point", reserve(1, "C5"))
    after(moved, stand)
    assert fired(both(stand, moved)(organized())) == {"special.choice"}


def test_figures_take_the_place_of_a_token() -> None:
    cavalry = exchange("P A5 c4", Kind("green", "long_sword", "human"))
    final = after(TOKEN, cavalry)
    assert describe_unit(final, "P A5 c4") == (Kind("green", "long_sword", "human"), "G4", 3)
    assert not find(final, "P A5 c4")[1].levy


def test_a_hired_token_becomes_a_unit_with_figures() -> None:
    """Swords are too few, so a token replaces four figures. The dwarves have their own banner."""
    shared = both(unit("P A5 c4", levy=True), fill({("dwarf", "short_sword"): 4, ("human", "short_sword"): -4}))
    final = after(shared, play("dwarven_mercenaries", of("P A5 c4")))
    assert describe_unit(final, "P A5 c4") == (Kind("green", "short_sword", "dwarf"), "G4", 4)
    assert not find(final, "P A5 c4")[1].levy


def test_a_copied_token_asks_for_figures() -> None:
    shared = both(unit("P A5 c4", levy=True), fill({("human", "short_sword"): -4}))
    assert fired(both(shared, play("illusionary_troops", of("P A5 c4", "G5")))(organized())) == {"special.pool"}
