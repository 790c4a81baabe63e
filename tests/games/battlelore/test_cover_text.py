"""Tests that every clause of a cover text is true, and that the texts have the right length and differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.common.cover_text import MAX_LENGTH, MIN_LENGTH, Clause, CoverText, total_length
from generator.games.battlelore.ground import SECTIONS, SIDES, section_name, side_name
from generator.games.battlelore.pages.story import counted, cover_text, wordings
from generator.games.battlelore.tables import lore
from generator.grid.hexes import Hex, distance
from generator.model.scenario import Request
from generator.model.words import LANGS, Words
from generator.seeds import code_for

CASES = [
    ("battlelore", {}),
    ("battlelore", {"age": "lore"}),
    ("call_to_arms", {}),
    ("call_to_arms", {"mode": "organized", "age": "lore"}),
]
SOUTH_TO_NORTH = ("pennant", "standard")


def battle_of(game: str, options: dict[str, str], n: int) -> Any:
    scenario: Any = games.load(game).draw(Request(code_for(n), options, {}))
    return getattr(scenario, "final", scenario)


def camp_of(name: object) -> str:
    return next(camp for camp in SIDES if side_name(camp) == name)


def cells(battle: Any, camp: str) -> list[Hex]:
    return [unit.hex for of, unit in battle.units if of == camp and unit.hex]


def kinds(battle: Any, camp: str) -> list[Any]:
    return [unit.kind for of, unit in battle.units if of == camp and unit.hex]


def dry_land(battle: Any) -> set[Hex]:
    """Return the hexes that units can enter without getting wet."""
    board, tables = battle.board, lore().terrain
    kinds = {cell: tables[name] for cell, name in board.ground.items()}
    return {cell for cell, kind in kinds.items() if not kind.crossing and kind.move != "none"}


def bank(battle: Any, camp: str) -> set[Hex]:
    """Return the hexes that a camp reaches from its baseline on dry land."""
    land, found = dry_land(battle), set[Hex]()
    waiting = [cell for cell in battle.board.plan.baseline(camp) if cell in land]
    while waiting:
        cell = waiting.pop()
        if cell not in found:
            found.add(cell)
            waiting += [other for other in land if distance(cell, other) == 1]
    return found


def across(battle: Any) -> bool:
    """Return whether river tiles join the leftmost hexes of the board with the rightmost ones."""
    field = battle.board.field
    water = [cell for cell, name in battle.board.ground.items() if lore().terrain[name].water]
    ends = [{row[i] for row in (field.row(r) for r in range(len(field.rows)))} for i in (0, -1)]
    reached = [cell for cell in water if cell in ends[0]]
    for cell in reached:
        reached += [other for other in water if distance(cell, other) == 1 and other not in reached]
    return any(cell in ends[1] for cell in reached)


def crossings(battle: Any) -> list[Hex]:
    return [cell for cell, name in battle.board.ground.items() if lore().terrain[name].crossing]


def hexes(battle: Any, name: str) -> int:
    return list(battle.board.ground.values()).count(name)


def nearest(battle: Any) -> int:
    return min(distance(a, b) for a in cells(battle, "pennant") for b in cells(battle, "standard"))


def mean_dice(battle: Any, camp: str) -> float:
    return float(sum(kind.dice for kind in kinds(battle, camp)) / len(kinds(battle, camp)))


def arm_counts(holds: Callable[[Any], bool]) -> Callable[[Any, dict[str, Any]], bool]:
    """Return a check that two camps have the stated numbers of units of an arm, the first camp at least as many."""

    def check(battle: Any, v: dict[str, Any]) -> bool:
        camp = camp_of(v["camp"])
        other = next(of for of in SIDES if of != camp)
        has, against = (sum(map(holds, kinds(battle, of))) for of in (camp, other))
        return bool(has == v["n"] >= v["m"] == against and side_name(other) == v["other"])

    return check


def only_arm(holds: Callable[[Any], bool]) -> Callable[[Any, dict[str, Any]], bool]:
    def check(battle: Any, v: dict[str, Any]) -> bool:
        camp = camp_of(v["camp"])
        others = [kind for of in SIDES if of != camp for kind in kinds(battle, of)]
        return not any(map(holds, others)) and bool(sum(map(holds, kinds(battle, camp))) == v["n"])

    return check


def mounted(kind: Any) -> bool:
    return bool(lore().weapons[kind.weapon].arm == "mounted")


def bow(kind: Any) -> bool:
    return bool(kind.bow)


def wing(battle: Any, v: dict[str, Any]) -> bool:
    camp: Any = camp_of(v["camp"])
    plan, on = battle.board.plan, cells(battle, camp)
    counts = {s: sum(cell in plan.section_cells(s, camp) for cell in on) for s in SECTIONS}
    section = next(s for s in SECTIONS if section_name(s).low == v["section"])
    return bool(counts[section] == v["n"] > sorted(counts.values())[-2] and len(on) == v["m"])


def held(battle: Any, place: Words, camp: str) -> bool:
    """Return whether a camp occupies as many crossings as the text names, and whether their kinds agree."""
    names = [lore().terrain[battle.board.ground[c]].name for c in cells(battle, camp) if c in crossings(battle)]
    return (
        bool(names)
        and sum(place.ja.count(name.ja) for name in names[:1]) >= 1
        and len(re.split(", | and ", place.en)) == len(names)
    )


def numbers(battle: Any, v: dict[str, Any]) -> bool:
    more, less = camp_of(v["more"]), camp_of(v["less"])
    return len(cells(battle, more)) == v["n"] > v["m"] == len(cells(battle, less)) and more != less


def who(battle: Any, v: dict[str, Any]) -> bool:
    south = {camp: sum(cell.r for cell in cells(battle, camp)) / len(cells(battle, camp)) for camp in SIDES}
    return (
        [len(cells(battle, camp)) for camp in SOUTH_TO_NORTH] == [v["n"], v["m"]]
        and {camp: v[camp] for camp in SIDES} == {camp: side_name(camp) for camp in SIDES}
        and south["pennant"] < south["standard"]
    )


def over(battle: Any, v: dict[str, Any]) -> bool:
    names = [battle.board.ground[cell] for cell in crossings(battle)]
    parts = {counted(names.count(name), lore().terrain[name].name).en for name in names}
    return set(re.split(", | and ", v["over"].en)) == parts


def wins(battle: Any, v: dict[str, Any]) -> bool:
    needed = [battle.banners_of(camp) for camp in SIDES]
    return v["first"] == side_name(battle.first) and needed == [v["n"], v.get("m", v["n"])]


def covers(name: str, minimum: int = 2) -> Callable[[Any, dict[str, Any]], bool]:
    return lambda battle, v: hexes(battle, name) == v["n"] >= minimum


TRUE: dict[str, Callable[[Any, dict[str, Any]], bool]] = {
    "river_whole": lambda b, v: not bank(b, "pennant") & bank(b, "standard") and across(b),
    "single": lambda b, v: [b.board.field.name(c) for c in crossings(b)] == [v["hex"]],
    "held": lambda b, v: held(b, v["place"], camp_of(v["camp"])),
    "held_both": lambda b, v: all(held(b, v[f"at_{camp}"], camp) for camp in SIDES),
    "beyond": lambda b, v: (
        sum(
            cell in bank(b, next(c for c in SIDES if side_name(c) != v["camp"]))
            for cell in cells(b, camp_of(v["camp"]))
        )
        == v["n"]
    ),
    "outnumbered": lambda b, v: numbers(b, v) and v["n"] - v["m"] >= 2,
    "heavier": lambda b, v: mean_dice(b, camp_of(v["camp"])) == max(mean_dice(b, c) for c in SIDES),
    "mounted": arm_counts(mounted),
    "horse": arm_counts(mounted),
    "mounted_only": only_arm(mounted),
    "bows": arm_counts(bow),
    "arrows": arm_counts(bow),
    "bows_only": only_arm(bow),
    "no_bows": lambda b, v: not any(map(bow, (*kinds(b, "pennant"), *kinds(b, "standard")))),
    "landmark": lambda b, v: any(b.board.ground[cell] == "landmark" for cell in cells(b, camp_of(v["camp"]))),
    "high": lambda b, v: (
        sum(lore().terrain[b.board.ground[c]].height > 0 for c in cells(b, camp_of(v["camp"]))) == v["n"]
    ),
    "touch": lambda b, v: nearest(b) == 1,
    "close": lambda b, v: 1 < nearest(b) == v["n"] <= 3,
    "apart": lambda b, v: nearest(b) == v["n"],
    "open_sight": lambda b, v: not any(lore().terrain[name].blocks for name in b.board.ground.values()),
    "wooded": lambda b, v: covers("forest", 10)(b, v) and lore().terrain["forest"].blocks,
    "hilly": covers("hill", 10),
    "marshy": covers("marsh", 6),
    "woods": lambda b, v: covers("forest")(b, v) and lore().terrain["forest"].blocks,
    "hills": covers("hill"),
    "marsh": covers("marsh"),
    "woods_hills": lambda b, v: hexes(b, "forest") == v["n"] and hexes(b, "hill") == v["m"],
    "who": who,
    "sides": lambda b, v: who(b, v | {"n": len(cells(b, "pennant")), "m": len(cells(b, "standard"))}),
    "race": lambda b, v: (
        sum(lore().races[k.race].name.low == v["race"] for k in kinds(b, camp_of(v["camp"]))) == v["n"]
    ),
    "wing": wing,
    "covered": lambda b, v: sum(b.board.ground[c] == "forest" for c in cells(b, camp_of(v["camp"]))) == v["n"],
    "red": lambda b, v: sum(k.dice == 4 for k in kinds(b, camp_of(v["camp"]))) == v["n"],
    "crossings": over,
    "crossings_one": lambda b, v: over(b, v) and len(crossings(b)) == 1,
    "bold_bridge": lambda b, v: (
        all(lore().terrain[name].bold for name in b.board.ground.values() if name.endswith("bridge"))
        and (hexes(b, "bridge") + hexes(b, "stone_bridge")) > 0
    ),
    "ford_stop": lambda b, v: hexes(b, "ford") > 0 and lore().terrain["ford"].move == "stop",
    "win": wins,
    "destroyed": lambda b, v: True,  # A rule of every battle (play.toml).
    "hands": lambda b, v: {b.hand_of(camp) for camp in SIDES} == {v["n"]},
}
"""A check of each clause, by its key, that computes the fact from the board and the units alone."""
TRUE["beyond_one"] = TRUE["beyond"]
NOT_DRAWN = {"objectives", "objectives_one", "open", "who_few", "win_each", "alone", "empty"}
"""Clauses of battles that a person wrote. Drawn battles do not have them."""


@pytest.mark.parametrize(("game", "options"), CASES)
def test_every_clause_is_true(game: str, options: dict[str, str]) -> None:
    for n in range(300, 330):
        battle = battle_of(game, options, n)
        for clause in cover_text(battle).clauses:
            assert TRUE[clause.key](battle, dict(clause.values)), (n, clause)


def test_every_fact_has_a_check_and_several_wordings() -> None:
    assert wordings().keys() == TRUE.keys() | NOT_DRAWN
    for key, shapes in wordings().items():
        assert len(shapes) > 1 or key in NOT_DRAWN, key
        for lang in LANGS:
            assert len({shape[lang] for shape in shapes}) == len(shapes)
            assert len({frozenset(re.findall(r"{(\w+)}", shape[lang])) for shape in shapes}) <= 3


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_text_has_the_length_that_the_cover_has_room_for(game: str, options: dict[str, str]) -> None:
    for n in range(400, 430):
        text = cover_text(battle_of(game, options, n))
        for lang in LANGS:
            length = total_length([text.first, text.rest], lang)
            assert MIN_LENGTH[lang] <= length <= MAX_LENGTH[lang], (n, lang, length)
            assert not set("{}") & set(text.whole[lang]) and "  " not in text.whole[lang]
        assert text.whole.en[0].isupper() and text.whole.en.endswith(".") and text.whole.ja.endswith("。")


@pytest.mark.parametrize(("game", "options"), CASES)
def test_ten_kits_in_a_row_do_not_read_alike(game: str, options: dict[str, str]) -> None:
    texts = [cover_text(battle_of(game, options, n)) for n in range(500, 510)]
    for lang in LANGS:
        assert len({text.first[lang] for text in texts}) >= 8
        shapes = [_sentences(text, lang) for text in texts]
        for i, one in enumerate(shapes):
            assert all(len(one & other) <= len(one) / 2 for other in shapes[:i]), (i, lang)


def _sentences(text: CoverText, lang: Any) -> set[str]:
    """Return the sentences of a text."""
    return {part for part in re.split("[.。]", text.whole[lang]) if part.strip()}


def test_the_same_code_has_the_same_text() -> None:
    first, second = (cover_text(battle_of("battlelore", {}, 7)) for _ in range(2))
    assert first == second


def test_the_columns_contain_the_whole_text() -> None:
    for n in range(3):
        text = cover_text(battle_of("battlelore", {}, n))
        view = text.view
        assert f"{view['first'].en} {view['left'].en} {view['right'].en}" == text.whole.en
        assert view["first"].ja + view["left"].ja + view["right"].ja == text.whole.ja
        for lang in LANGS:
            left, right = len(view["first"][lang] + view["left"][lang]), len(view["right"][lang])
            assert right <= left <= right + 60


def test_open_boards_single_camps_and_empty_boards_are_described() -> None:
    battle = battle_of("battlelore", {}, 7)
    plain = replace(battle, board=replace(battle.board, ground=dict.fromkeys(battle.board.ground, "countryside")))
    keys = {clause.key for clause in cover_text(replace(plain, board=replace(plain.board, features={}))).clauses}
    assert not keys & {"woods", "hills", "crossings", "high", "covered"}
    alone = {
        camp: replace(force, units=force.units if camp == "standard" else ()) for camp, force in battle.forces.items()
    }
    assert cover_text(replace(battle, forces=alone)).whole.en.startswith("Standard stands alone")
    empty = {camp: replace(force, units=()) for camp, force in battle.forces.items()}
    assert cover_text(replace(battle, forces=empty)).whole.ja == "この野には、まだ一つのユニットもいない。"


def test_a_clause_without_a_topic_is_its_own_topic() -> None:
    assert Clause("win").about == "win" and Clause("single", {}, "crossings").about == "crossings"
