"""Tests that complete kits fit their pages for any squads, numbers of turns, users' charts and arenas."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, cast

import pypdfium2
import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from generator.games.battling.forces import Pack
from generator.games.battling.game import GAME
from generator.games.battling.model import Scenario
from generator.games.battling.tables import words
from generator.model.views import Kit, MapView, Poster, Run, Sheet
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from tests.games.battling.scenes import Edit, battle, both, drawn, machines, setting

SIX = {"machines": "6", "points": "74", "turns": "12"}
LANGS, PAPERS = ("en", "ja"), ("a4", "letter")


def kit(scenario: Scenario) -> Kit:
    return GAME.kit(scenario, check(GAME.rules, scenario), "CODE+", "muster kit battling --seed CODE")


def sheet(scenario: Scenario, part: str) -> Sheet:
    return next(s for s in kit(scenario).only([part]).sheets if isinstance(s, Sheet))


def fits(of: Kit, lang: str, paper: str) -> None:
    printed = print_kit(of, PrintSettings(cast(Lang, lang), paper, "saver"), packed=False)
    assert preflight(printed, paper, cast(Lang, lang)) == []


def test_the_parts_of_a_kit() -> None:
    whole = kit(battle())
    assert whole.parts == (
        "cover",
        "setup",
        "records",
        "sight",
        "reference",
        "map",
        "audit",
        "odds",
        "tokens",
        "arena",
    )
    assert len([s for s in whole.sheets if isinstance(s, Sheet) and s.part == "records"]) == 1


@cache
def full() -> Kit:
    return kit(drawn(**SIX))


@pytest.mark.parametrize(("lang", "paper"), [*product(LANGS, PAPERS)])
def test_a_full_kit_fits(lang: str, paper: str) -> None:
    fits(full(), lang, paper)


@pytest.mark.parametrize(
    "options",
    [
        {"machines": "1", "points": "13", "turns": "30"},
        {"machines": "3", "points": "36"},
        {"machines": "4", "points": "52"},
        {"squad_a": "scopedog " * 5, "squad_b": "standing_tortoise turbo_custom " * 2},
        {"machines": "5", "points": "60", "turns": "1", "arena": "random", "columns": "30", "rows": "20"},
    ],
)
def test_kits_of_other_sizes_fit(options: dict[str, str]) -> None:
    fits(kit(drawn(**options)), "ja", "letter")


@pytest.mark.parametrize(("lang", "paper"), [("en", "letter"), ("ja", "letter")])
def test_a_squad_of_three_has_one_record_page(lang: str, paper: str) -> None:
    heavy = drawn(machines="3", points="39", squad_a="standing_tortoise " * 3)
    records = kit(heavy).only(["records"])
    pdf = print_kit(records, PrintSettings(cast(Lang, lang), paper))
    assert len(pypdfium2.PdfDocument(pdf)) == 2


@pytest.mark.parametrize(("machines", "lang"), [*product(range(2, 7), LANGS)])
def test_the_numbers_against_enemies_are_printed_for_every_machine(machines: int, lang: str) -> None:
    records = kit(drawn(machines=str(machines), points=str(13 * machines))).only(["records"])
    pages = pypdfium2.PdfDocument(print_kit(records, PrintSettings(cast(Lang, lang), "a4")))
    texts = [page.get_textpage().get_text_range().split() for page in pages]
    label = words()["record"]["against"][cast(Lang, lang)]
    assert sum(text.count(label) for text in texts) == 2 * machines
    assert len(pages) == (1 if machines == 2 else 2 if machines < 5 else 4)


def owner(pack: Pack, kinds: int, distances: int) -> Pack:
    """Return charts with many kinds of machines and a long range."""
    first = next(iter(pack.machines.values()))
    names = [f"machine_{n}" for n in range(kinds)]
    row = tuple(1 + n % 6 for n in range(distances))
    machines = {
        name: altered(first, id=name, shooting=row, damage=dict.fromkeys(names, 3), battling=dict.fromkeys(names, -1))
        for name in names
    }
    return replace_pack(pack, machines=machines, source="owner")


def replace_pack(pack: Pack, **values: Any) -> Pack:
    return altered(pack, **values)


@pytest.mark.parametrize("edit", [setting(turns=0), both(machines("first"), machines("second"), setting(points=0))])
def test_what_cannot_be_played_prints_and_is_called_illegal(edit: Edit) -> None:
    scenario = edit(battle())
    assert check(GAME.rules, scenario).illegal
    fits(kit(scenario), "en", "a4")


def test_charts_of_an_owner_fit_and_are_not_called_ours() -> None:
    scenario = drawn(**SIX)
    pack = owner(scenario.pack, 12, 60)
    numbers = iter(range(12))
    squads = {
        side: replace(squad, machines=tuple(replace(m, kind=f"machine_{next(numbers)}") for m in squad.machines))
        for side, squad in scenario.squads.items()
    }
    with_charts = replace(scenario, pack=pack, squads=squads)
    assert sheet(with_charts, "reference").view["house"] is False
    fits(kit(with_charts), "en", "letter")


def test_a_scenario_by_hand_tells_its_set_up() -> None:
    by_hand = replace(battle(), log=())
    halves = cast(list[list[dict[str, Any]]], sheet(by_hand, "audit").view["halves"])
    assert [group["who"].en for half in halves for group in half][-2:] == ["The second player", "The first player"]
    steps = cast(list[dict[str, Any]], sheet(by_hand, "setup").view["rows"])
    assert [[unit["at"] for unit in step["units"]] for step in steps] == [[], ["0201", "0601"], ["0212", "0612"]]
    fits(kit(by_hand), "ja", "a4")


def test_the_map_names_every_hex_and_shows_everybody() -> None:
    view = sheet(battle(), "cover").figures["map"]
    assert isinstance(view, MapView)
    assert view.names
    assert len(view.tokens) == len(battle().machines)


def test_tokens_and_arena_are_printed_where_asked_for() -> None:
    more = kit(battle()).only(["tokens", "arena"])
    tokens, arena = more.sheets
    assert isinstance(tokens, Run)
    assert isinstance(arena, Poster)
    assert [piece.back.mark for piece in tokens.pieces if piece.back] == ["wrecked"] * 4  # type: ignore[union-attr]  # tokens on both sides
    assert tokens.hex * tokens.share < tokens.hex == arena.cell
    fits(more, "en", "a4")
