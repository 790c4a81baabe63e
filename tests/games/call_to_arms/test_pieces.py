"""Tests that the deck, tokens and tiles match the contents of the box and include every kind that a game needs."""

from __future__ import annotations

from collections import Counter

import pypdfium2
import pytest

from generator import games
from generator.games.battlelore.forces import load_pool
from generator.games.battlelore.ground import SIDES, house_inventory
from generator.games.battlelore.pages import pieces as base
from generator.games.battlelore.tables import lore
from generator.games.call_to_arms.decks import load_deck
from generator.games.call_to_arms.draw import draw
from generator.games.call_to_arms.pages import pieces
from generator.games.call_to_arms.specialists import specialists
from generator.model.scenario import Request
from generator.model.views import ArmyCard, Back, CardView, Kit, Run, TextCard, Tile, Token
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.seeds import code_for
from generator.store.folders import shipped_path

A4 = {"paper": "a4"}


def counts(kit: Kit) -> dict[str, int]:
    runs = [run for run in kit.sheets if isinstance(run, Run)]
    assert len(runs) == len(kit.sheets)
    return {run.title.en: len(run.pieces) for run in runs}


def test_the_whole_deck() -> None:
    kinds = len(list(base.kinds()))
    assert counts(pieces.cards(A4)) == {
        "Deployment cards": 42,
        "Specialists": 10,
        "Summary cards": 8,
        "Unit cards": kinds,
    }
    assert kinds == len(lore().banners) * sum(map(len, base.pieces().carriers.values()))


@pytest.mark.parametrize(
    ("only", "found"),
    [
        ("A", {"Deployment cards": 14}),
        ("B3", {"Deployment cards": 2}),
        ("A,specialists,B3", {"Deployment cards": 16, "Specialists": 10}),
        ("A,A1", {"Deployment cards": 14}),
        ("prayer,summary", {"Specialists": 1, "Summary cards": 8}),
    ],
)
def test_only_chosen_cards(only: str, found: dict[str, int]) -> None:
    assert counts(pieces.cards({"only": only, **A4})) == found


def test_every_word_of_only_names_something() -> None:
    for name in games.names():
        for printable in games.load(name).prints:
            for word in printable.kinds:
                files = {"record": str(shipped_path("data") / name / "campaign.toml")} if word == "record" else {}
                assert printable.make({"only": word, "seed": code_for(1), **A4, **files}).sheets


def test_every_unit_of_the_deck_and_the_pool_has_a_card() -> None:
    printed = set(base.kinds())
    assert {unit.kind for card in load_deck().cards for unit in card.units} <= printed
    assert {kind for kinds in pieces.unit_counts({}).values() for kind in kinds} <= printed
    pool = load_pool()
    for camp in SIDES:
        for race, weapons in pool.stock(camp).figures.items():
            for weapon in weapons:
                assert race in base.pieces().carriers[weapon]


def test_every_piece_has_a_back_of_our_own() -> None:
    for run in (*pieces.cards(A4).sheets, *pieces.tokens(A4).sheets):
        assert isinstance(run, Run)
        for piece in run.pieces:
            assert isinstance(piece.back, Back | Token | Tile)
            assert isinstance(piece.front, CardView | TextCard | Token | Tile)


def test_levy_tokens_are_twelve() -> None:
    colours = Counter(
        (p.front.shape, p.front.colour) for p in pieces.levy_tokens({}).pieces if isinstance(p.front, Token)
    )
    assert colours == {(camp, banner): 2 for camp in SIDES for banner in lore().banners}


def test_tiles_are_those_of_the_inventory() -> None:
    tiles, rectangles = pieces.terrain_tiles({}).pieces, pieces.rectangles({}).pieces
    assert [(p.front.look, p.back.look) for p in tiles] == [("marsh", "cliff")] * 8  # type: ignore[union-attr]
    assert all(not p.front.walls and 1 <= len(p.back.walls) <= 5 for p in tiles)  # type: ignore[union-attr]
    boxed = sum(t.count for t in house_inventory().tiles if "stakes" in t.faces)
    assert len(rectangles) == boxed == 3
    assert all(p.front == Tile("stakes") for p in rectangles)


def test_tokens_can_lay_out_any_hand_of_the_deck() -> None:
    counted = pieces.unit_counts({})
    for card in load_deck().cards:
        for kind, count in Counter(unit.kind for unit in card.units).items():
            assert counted[card.camp][kind] >= count
    bows = sum(n for kinds in counted.values() for kind, n in kinds.items() if kind.weapon == "common_bow")
    long = sum(n for kinds in counted.values() for kind, n in kinds.items() if kind.weapon == "long_bow")
    assert bows == long > 0


def test_emblems_are_for_specialists_there_are() -> None:
    assert pieces.pieces().emblems.keys() == specialists().keys()


def test_numbers_on_cards_are_those_of_the_tables() -> None:
    cards = {p.name.en: p.front for p in base.unit_cards().pieces}
    dwarf = cards["Red dwarf crossbow"]
    assert isinstance(dwarf, TextCard)
    assert [value.en for _, value in dwarf.facts] == ["4", "1", "3 hexes", "4", "Bold"]
    horse = cards["Blue goblin long sword"]
    assert isinstance(horse, TextCard)
    assert [value.en for _, value in horse.facts] == ["3", "3", "melee", "3", "Frightened"]
    cliff = next(p.front for p in pieces.summary_cards().pieces if p.name.en == "Cliff")
    assert isinstance(cliff, TextCard)
    assert [value.en for _, value in cliff.facts] == [
        "free", "allowed", "2; from hill, cliff 3", "3 dice at most", "blocks; not from hill, cliff next to it",
    ]  # fmt: skip


@pytest.mark.parametrize("mode", ["impromptu", "organized"])
@pytest.mark.parametrize("lang", LANGS)
def test_the_cards_of_a_battle_lie_on_one_page_with_both_armies(mode: str, lang: Lang) -> None:
    scenario = draw(Request("K7Q2M-9FHN5", {"mode": mode}, {}))
    run = pieces.battle_cards(scenario)
    *played, armies = [piece.front for piece in run.pieces]
    cards = [scenario.card(camp, key) for camp in SIDES for key in scenario.forces[camp].keys]
    assert [(front.shape, front.key) for front in played if isinstance(front, CardView)] == [
        (card.camp, card.key) for card in cards
    ]
    assert [card.place for card in played if isinstance(card, CardView)] == [0, 1, 2, 3] * 2
    assert isinstance(armies, ArmyCard)
    counted = [sum(count for _, count in units) for _, _, units in armies.sides]
    assert counted == [sum(side == camp and bool(u.hex) for side, u in scenario.final.units) for camp in SIDES]
    kit = Kit(run.title, run.title, "", (run,))
    pdf = print_kit(kit, PrintSettings(lang))
    assert len(pypdfium2.PdfDocument(pdf)) == 2
    assert preflight(pdf, "a4", lang) == []
