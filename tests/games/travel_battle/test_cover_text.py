"""Tests that every clause of a cover text is true, and that the texts have the right length and differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from generator.common.cover_text import MAX_LENGTH, MIN_LENGTH, CoverText, total_length
from generator.games.travel_battle.model import SIDES, Scenario
from generator.games.travel_battle.objectives import kinds, victory_lines
from generator.games.travel_battle.pages.story import cover_text, wordings
from generator.games.travel_battle.tables import terrains, words
from generator.model.words import LANGS, Words
from generator.seeds import code_for
from tests.games.travel_battle.scenes import aims, battle, whole, without
from tests.games.travel_battle.test_draw import drawn

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def scenarios(first: int, count: int = 30) -> list[tuple[str, Scenario]]:
    return [(code, drawn(code, {})) for code in (code_for(n) for n in range(first, first + count))]


def player_of(name: object) -> str:
    return next(player for player in SIDES if words()["player"][player] == name)


def other(player: str) -> str:
    return "red" if player == "blue" else "blue"


def units(s: Any, player: str) -> list[Any]:
    """Return the units that fight, without brigadiers."""
    return [u for b in s.armies[player].brigades for u in b.units if u.kind.arm != "brigadier" and u.cell]


def sizes(s: Any, player: str) -> list[int]:
    found = [sum(u.kind.arm != "brigadier" for u in b.units) for b in s.armies[player].brigades]
    return sorted(found, reverse=True)


def main_brigade(s: Any, player: str) -> Any:
    """Return the brigade with the most units, or with the most re-rolls of those."""
    return max(
        s.armies[player].brigades,
        key=lambda b: (sum(u.kind.arm != "brigadier" for u in b.units), sum(u.kind.rerolls for u in b.units)),
    )


def columns(brigade: Any) -> list[int]:
    return [u.cell.c for u in brigade.units if u.cell]


def astride(s: Any, player: str) -> bool:
    of = columns(main_brigade(s, player))
    return min(of) < 10 <= max(of)


def facing(s: Any, player: str) -> Any:
    of, enemies = columns(main_brigade(s, player)), s.armies[other(player)].brigades
    return max(enemies, key=lambda b: sum(min(of) <= c <= max(of) for c in columns(b)))


def faces(arm: Callable[[Any], bool]) -> Callable[[Any, dict[str, Any]], bool]:
    def check(s: Any, v: dict[str, Any]) -> bool:
        enemy = [u for u in facing(s, player_of(v["player"])).units if u.kind.arm != "brigadier"]
        return 2 * sum(map(arm, enemy)) >= len(enemy) and player_of(v["enemy"]) == other(player_of(v["player"]))

    return check


def guard(unit: Any) -> bool:
    return bool(unit.kind.arm == "infantry" and unit.kind.rerolls)


def roads(s: Any) -> int:
    """Return the number of rows in which a road crosses the seam."""
    of = {(cell.c, cell.r) for cell in s.battlefield.terrain_map.roads()}
    return sum((9, row) in of and (10, row) in of for row in range(10))


def groups(s: Any, kind: str) -> int:
    """Return the number of hills, woods or buildings outside the two rows at each edge."""
    of = s.battlefield.terrain_map
    left = {c for c in of.field.cells if 2 <= c.r < of.field.rows - 2}
    left = {c for c in left if (of.height(c) > 0 if kind == "hill" else of.ground[c] == kind)}
    if kind == "building":
        return len(left)
    found = 0
    while left:
        found += 1
        waiting = [left.pop()]
        for cell in waiting:
            near = {o for o in left if abs(o.c - cell.c) + abs(o.r - cell.r) == 1}
            left -= near
            waiting += near
    return found


def on(s: Any, player: str, holds: Callable[[Any], bool]) -> int:
    return sum(holds(unit.cell) for unit in units(s, player))


def nearest(s: Any) -> int:
    pairs = [(a.cell, b.cell) for a in units(s, "blue") for b in units(s, "red")]
    return int(min(max(abs(a.c - b.c), abs(a.r - b.r)) for a, b in pairs))


def between(s: Any, v: dict[str, Any]) -> bool:
    names = {"hill": "hill", "building": "building", "wood": "wood"}
    parts = re.split(", | and ", v["what"].en)
    wanted = [
        f"a {name}" if (n := groups(s, kind)) == 1 else f"{NUMBERS[n]} {name}s"
        for kind, name in names.items()
        if groups(s, kind)
    ]
    return sorted(parts) == sorted(wanted)


def arm(s: Any, player: str, name: str) -> int:
    return sum(unit.kind.arm == name for unit in units(s, player))


TRUE: dict[str, Callable[[Any, dict[str, Any]], bool]] = {
    "task": lambda s, v: (
        s.objective.player == player_of(v["player"]) and kinds()[s.objective.kind].name.low == v["name"]
    ),
    "unequal": lambda s, v: [len(units(s, player_of(v[of]))) for of in ("more", "less")] == [v["n"], v["m"]],
    "both_astride": lambda s, v: all(astride(s, player) for player in SIDES),
    "astride": lambda s, v: astride(s, player_of(v["player"])),
    "each_other": lambda s, v: all(facing(s, player) is main_brigade(s, other(player)) for player in SIDES),
    "faces_cavalry": faces(lambda unit: unit.kind.arm == "cavalry"),
    "faces_guard": faces(guard),
    "roads_0": lambda s, v: roads(s) == 0,
    "roads_1": lambda s, v: roads(s) == 1,
    "roads": lambda s, v: roads(s) == v["n"],
    "open": lambda s, v: not any(groups(s, kind) for kind in ("hill", "building", "wood")),
    "hills": lambda s, v: groups(s, "hill") == v["n"] >= 4,
    "village": lambda s, v: groups(s, "building") == v["n"] >= 3,
    "in_buildings": lambda s, v: (
        on(s, player_of(v["player"]), lambda c: s.battlefield.terrain_map.ground[c] == "building") == v["n"]
    ),
    "on_hills": lambda s, v: (
        on(s, player_of(v["player"]), lambda c: s.battlefield.terrain_map.height(c) > 0) == v["n"]
    ),
    "guns_high": lambda s, v: any(
        unit.kind.arm == "artillery" and s.battlefield.terrain_map.height(unit.cell)
        for unit in units(s, player_of(v["player"]))
    ),
    "who": lambda s, v: {len(units(s, player)) for player in SIDES} == {v["n"]},
    "sides": lambda s, v: sum(u.cell.r for u in units(s, "blue")) < sum(u.cell.r for u in units(s, "red")),
    "even": lambda s, v: len({n for player in SIDES for n in sizes(s, player)}) == 1,
    "alike": lambda s, v: sizes(s, "blue") == sizes(s, "red"),
    "uneven": lambda s, v: all(
        re.split(", | and ", v[f"sizes_{p}"].en) == [NUMBERS[n] for n in sizes(s, p)] for p in SIDES
    ),
    "arms": lambda s, v: {(arm(s, p, "artillery"), arm(s, p, "cavalry")) for p in SIDES} == {(v["guns"], v["horse"])},
    "guard": lambda s, v: {sum(map(guard, units(s, player))) for player in SIDES} == {v["n"]},
    "strong": lambda s, v: sizes(s, player_of(v["player"]))[0] == v["n"] > sizes(s, player_of(v["player"]))[1],
    "ground": between,
    "apart": lambda s, v: nearest(s) == v["n"],
    "cover": lambda s, v: (
        set(terrains()["wood"].enter) == {"infantry"} and "cavalry" not in terrains()["building"].enter
    ),
    "win": lambda s, v: (
        v["first"] == words()["player"][s.first_mover]
        and f"to destroy {v['n']} of the enemy's {v['of']} brigades" in " ".join(line.en for line in victory_lines(s))
    ),
    "limit": lambda s, v: (
        s.turns == v["turns"]
        and f"After turn {s.turns} the side with more units left wins, brigadiers" in victory_lines(s)[-1].en
    ),
    "no_limit": lambda s, v: not s.turns,
    "places": lambda s, v: v["placer"] == words()["player"][s.first_placer],
}
"""A check of each clause, by its key, that computes the fact from the field and the units alone."""
NOT_DRAWN = {"alone", "empty"}


def test_every_clause_is_true() -> None:
    for code, scenario in scenarios(300, 40):
        for clause in cover_text(scenario).clauses:
            assert TRUE[clause.key](scenario, dict(clause.values)), (code, clause)


def test_clauses_of_changed_battles_are_true() -> None:
    changed = [without("B2b")(battle()), aims("hold", "blue", "j5 k5 j6 k6", count=3)(battle()), whole()]
    for scenario in changed:
        for clause in cover_text(scenario).clauses:
            assert TRUE[clause.key](scenario, dict(clause.values)), clause
    texts = [cover_text(scenario) for scenario in changed]
    assert "limit" not in {clause.key for clause in texts[1].clauses}
    assert not any(clause.key.startswith("roads") for clause in texts[2].clauses)


def test_every_fact_has_a_check_and_several_wordings() -> None:
    assert wordings().keys() == TRUE.keys() | NOT_DRAWN
    for key, shapes in wordings().items():
        assert len(shapes) > 1 or key in NOT_DRAWN, key


def test_a_text_has_the_length_that_the_cover_has_room_for() -> None:
    for code, scenario in scenarios(400):
        text = cover_text(scenario)
        for lang in LANGS:
            length = total_length([text.first, text.rest], lang)
            assert MIN_LENGTH[lang] <= length <= MAX_LENGTH[lang], (code, lang, length)
            assert not set("{}") & set(text.whole[lang]) and "  " not in text.whole[lang]


def test_ten_kits_in_a_row_do_not_read_alike() -> None:
    texts = [cover_text(scenario) for _, scenario in scenarios(500, 10)]
    for lang in LANGS:
        assert len({text.first[lang] for text in texts}) >= 7
        shapes = [_sentences(text, lang) for text in texts]
        for i, one in enumerate(shapes):
            assert all(len(one & two) <= 0.6 * len(one) for two in shapes[:i]), (i, lang)


def _sentences(text: CoverText, lang: Any) -> set[str]:
    return {part for part in re.split("[.。]", text.whole[lang]) if part.strip()}


@pytest.mark.parametrize("lang", LANGS)
def test_a_field_without_an_army_is_described(lang: Any) -> None:
    scenario = battle()
    for unit in battle().armies["red"].units:
        scenario = without(unit.id)(scenario)
    text = cover_text(scenario)
    expected = Words("Blue stands alone on the field.", "戦場に立つのは青軍だけ。")
    assert text.whole[lang].strip() == expected[lang]
