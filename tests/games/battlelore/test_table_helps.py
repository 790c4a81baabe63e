"""Tests for what the pages state so that players need not look it up: sections, river tiles, morale and moves."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, cast

import pypdfium2
import pytest

from generator import games
from generator.games.battlelore.ground import needs, words
from generator.games.battlelore.pages.laying import river_shapes
from generator.games.battlelore.tables import lore
from generator.grid.hexes import flows
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for

GAMES = ("battlelore", "call_to_arms")
CODES = range(300, 306)


@cache
def drawn(name: str, number: int) -> tuple[Any, Kit]:
    """Return a battle and its kit."""
    game = games.load(name)
    battle = game.draw(Request(code_for(number), {}, {}))
    return battle, game.kit(battle, check(game.rules, battle), "CODE", "")


def rows(kit: Kit) -> dict[str, dict[str, Any]]:
    """Return the rows of the record sheets by unit."""
    views = [cast(dict[str, Any], sheet.view) for sheet in kit.only(["records"]).sheets if isinstance(sheet, Sheet)]
    sides = [side for view in views for side in view.get("sides", [view])]
    return {row["id"]: row for side in sides for row in (*side["rows"], *side["lost"])}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", GAMES)
def test_both_players_find_the_names_of_their_sections_on_cover_and_set_up(name: str, lang: Lang) -> None:
    kit = drawn(name, 300)[1]
    left, centre, right = (words()["section"][key][lang] for key in ("left", "centre", "right"))
    for part in ("cover", "setup"):
        page = pypdfium2.PdfDocument(print_kit(kit.only([part]), PrintSettings(lang)))[0]
        text = page.get_textpage()
        width = page.get_width()
        places: dict[str, list[tuple[float, float]]] = {}
        for word in (left, centre, right):
            found = text.search(word)
            while at := found.get_next():
                x, y, _, _ = text.get_charbox(at[0])
                places.setdefault(word, []).append((x / width, y))
        top, foot = max(y for _, y in places[left]), min(y for _, y in places[left])
        far = {word: min(at, key=lambda place: abs(place[1] - top))[0] for word, at in places.items()}
        assert far[right] < far[centre] < far[left], part
        near = {
            word: min((place for place in at if place[1] < top - 100), key=lambda place: abs(place[1] - top))[0]
            for word, at in places.items()
        }
        assert near[left] < near[centre] < near[right], part
        assert foot < top


@pytest.mark.parametrize("number", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_the_shapes_of_river_tiles_are_counted(name: str, number: int) -> None:
    board = drawn(name, number)[0].board
    shapes = river_shapes(board)
    assert sum(int(of.en.split()[-1]) for of in shapes) == needs(board)["river"]
    ways = [len(of) for of in flows(board.field, board.water()).values()]
    assert sum(int(of.en.split()[-1]) for of in shapes if of.en.startswith("end")) == sum(n < 2 for n in ways)


@pytest.mark.parametrize("number", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_records_state_morale_and_what_a_move_costs(name: str, number: int) -> None:
    battle, kit = drawn(name, number)
    found, tables = rows(kit), lore()
    for _, unit in battle.units:
        traits = found[unit.id]["traits"].en
        assert ("Bold" in traits) == (unit.kind.race == "dwarf")
        assert ("Frightened" in traits) == (unit.kind.race == "goblin")
        moved = tables.weapons[unit.kind.weapon].moved
        assert ("−1 die after a move" in traits) == (moved == 1)
        assert ("no battle after a move" in traits) == (moved > 1)


@pytest.mark.parametrize("number", CODES)
def test_cards_with_the_same_key_are_told_apart_on_records(number: int) -> None:
    battle, kit = drawn("call_to_arms", number)
    cards = Counter[str]()
    for row in rows(kit).values():
        cards[row["remark"].en.split(",")[0]] += 1
    names = [f"{key} {battle.card(camp, key).name.en}" for camp, force in battle.forces.items() for key in force.keys]
    assert set(cards) == set(names) and len(set(names)) == len(names)


def test_map_and_list_of_a_large_set_up_face_each_other() -> None:
    game = games.load("call_to_arms")
    battle = game.draw(Request(code_for(101), {"age": "lore", "mode": "organized"}, {}))
    kit = game.kit(battle, check(game.rules, battle), "CODE", "")
    document = pypdfium2.PdfDocument(print_kit(kit, PrintSettings("en")))
    parts = [document[number].get_textpage().get_text_range() for number in (1, 2)]
    assert "Fetch from the box" in parts[0] and "is on the page before this one" in parts[1]
