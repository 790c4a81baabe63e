"""Tests that every clause of a cover text is true, and that the texts have the right length and differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from pypdfium2 import PdfDocument

from generator import games
from generator.common.cover_text import MAX_LENGTH, MIN_LENGTH, CoverText, total_length
from generator.games.battling.model import SIDES, side_name
from generator.games.battling.pages.story import cover_text, wordings
from generator.games.battling.tables import words
from generator.grid.columns import distance
from generator.model.scenario import Request
from generator.model.words import LANGS
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def drawn(n: int, options: dict[str, str] | None = None) -> Any:
    scenario: Any = games.load("battling").draw(Request(code_for(n), options or {}, {}))
    return scenario


def machines(s: Any, side: str) -> Any:
    return s.squads[side].machines


def side_of(name: object) -> str:
    return next(side for side in SIDES if side_name(side) == name)


def other(side: str) -> str:
    return "second" if side == "first" else "first"


def clear(s: Any) -> list[bool]:
    pairs = [(a.cell, b.cell) for a in machines(s, "first") for b in machines(s, "second")]
    return [s.arena.sight(a, b).clear for a, b in pairs]


def nearest(s: Any) -> int:
    return int(min(distance(a.cell, b.cell) for a in machines(s, "first") for b in machines(s, "second")))


def closed(s: Any) -> int:
    return sum(map(s.arena.closed, s.arena.field.cells))


def types(s: Any, side: str) -> Counter[str]:
    return Counter(s.pack.machines[machine.kind].name.en for machine in machines(s, side))


def hit_points(s: Any, side: str) -> int:
    return sum(machine.hp for machine in machines(s, side))


def points(s: Any, side: str) -> int:
    return sum(s.pack.machines[machine.kind].points for machine in machines(s, side))


def listed(s: Any, v: dict[str, Any]) -> bool:
    counts = types(s, side_of(v["player"]))
    parts = re.split(", | and ", v["list"].en)
    return sorted(parts) == sorted(f"{NUMBERS[n]} {name}{'s' * (n > 1)}" for name, n in counts.items())


TRUE: dict[str, Callable[[Any, dict[str, Any]], bool]] = {
    "none_seen": lambda s, v: not any(clear(s)),
    "all_seen": lambda s, v: all(clear(s)),
    "one_seen": lambda s, v: sum(clear(s)) == 1,
    "some_seen": lambda s, v: (sum(clear(s)), len(clear(s))) == (v["n"], v["m"]),
    "close": lambda s, v: nearest(s) == v["n"] <= 6,
    "far": lambda s, v: nearest(s) == v["n"] >= 12,
    "apart": lambda s, v: nearest(s) == v["n"],
    "unlike": lambda s, v: (
        len(machines(s, side_of(v["player"]))) == v["more"]
        and len(machines(s, other(side_of(v["player"])))) == v["less"] < v["more"]
    ),
    "same_machines": lambda s, v: types(s, "first") == types(s, "second"),
    "one_type": lambda s, v: {*types(s, "first"), *types(s, "second")} == {v["name"].en},
    "tougher": lambda s, v: (
        hit_points(s, side_of(v["player"])) == v["n"]
        and hit_points(s, other(side_of(v["player"]))) == v["m"] < v["n"]
    ),
    "hit_points": lambda s, v: {hit_points(s, side) for side in SIDES} == {v["n"]},
    "built_up": lambda s, v: closed(s) == v["n"],
    "closed": lambda s, v: closed(s) == v["n"],
    "open": lambda s, v: closed(s) == 0,
    "who": lambda s, v: {len(machines(s, side)) for side in SIDES} == {v["n"]},
    "who_one": lambda s, v: {len(machines(s, side)) for side in SIDES} == {1},
    "sides": lambda s, v: (s.arena.field.columns, s.arena.field.rows) == (v["columns"], v["rows"]),
    "size": lambda s, v: (s.arena.field.columns, s.arena.field.rows) == (v["columns"], v["rows"]),
    "edges": lambda s, v: (
        all(v[side] == words()["edge"][s.squads[side].edge] for side in SIDES)
        and all(m.cell in s.arena.edge(s.squads[side].edge) for side in SIDES for m in machines(s, side))
    ),
    "points": lambda s, v: {points(s, side) for side in SIDES} == {v["n"]},
    "points_unlike": lambda s, v: (points(s, "first"), points(s, "second")) == (v["n"], v["m"]),
    "squad": listed,
    "buildings": lambda s, v: len(s.arena.silhouettes) > 0,
    "win": lambda s, v: s.turns == v["turns"],
    "first": lambda s, v: True,  # A rule of every battle (sheets.toml).
}
"""A check of each clause, by its key, that computes the fact from the arena and the squads alone."""
NOT_DRAWN = {"alone", "empty"}


def test_every_clause_is_true() -> None:
    for n in range(300, 330):
        for scenario in (drawn(n), drawn(n, {"machines": str(1 + n % 5)})):
            for clause in cover_text(scenario).clauses:
                assert TRUE[clause.key](scenario, dict(clause.values)), (n, clause)


def test_every_fact_has_a_check_and_several_wordings() -> None:
    assert wordings().keys() == TRUE.keys() | NOT_DRAWN
    for key, shapes in wordings().items():
        assert len(shapes) > 1 or key in NOT_DRAWN, key


def test_a_text_has_the_length_that_the_cover_has_room_for() -> None:
    for n in range(400, 430):
        text = cover_text(drawn(n))
        for lang in LANGS:
            length = total_length([text.first, text.rest], lang)
            assert MIN_LENGTH[lang] <= length <= MAX_LENGTH[lang], (n, lang, length)
            assert not set("{}") & set(text.whole[lang]) and "  " not in text.whole[lang]


def test_ten_kits_in_a_row_do_not_read_alike() -> None:
    texts = [cover_text(drawn(n)) for n in range(500, 510)]
    for lang in LANGS:
        assert len({text.first[lang] for text in texts}) >= 6
        shapes = [_sentences(text, lang) for text in texts]
        for i, one in enumerate(shapes):
            assert all(len(one & two) <= 0.6 * len(one) for two in shapes[:i]), (i, lang)


def _sentences(text: CoverText, lang: Any) -> set[str]:
    return {part for part in re.split("[.。]", text.whole[lang]) if part.strip()}


def test_an_arena_without_a_squad_is_described() -> None:
    scenario = drawn(1)
    alone = {
        side: replace(squad, machines=squad.machines if side == "first" else ())
        for side, squad in scenario.squads.items()
    }
    assert cover_text(replace(scenario, squads=alone)).whole.en.startswith("Only one player has machines")
    empty = {side: replace(squad, machines=()) for side, squad in scenario.squads.items()}
    assert cover_text(replace(scenario, squads=empty)).whole.ja == "このアリーナには、まだ機体がいない。"


def test_the_cover_prints_the_whole_text_for_squads_of_every_size() -> None:
    for count, points in ((1, "12"), (4, "52"), (6, "78")):
        scenario = drawn(3, {"machines": str(count), "points": points})
        game = games.load("battling")
        kit = game.kit(scenario, check(game.rules, scenario), "", "").only(["cover"])
        for lang in LANGS:
            (page,) = PdfDocument(print_kit(kit, PrintSettings(lang), packed=False))
            printed = re.sub(r"\s|\x02", "", page.get_textpage().get_text_range())
            last = re.split("[.。]", cover_text(scenario).whole[lang])[-2]
            assert re.sub(r"\s", "", last) in printed.replace("’", "'")
