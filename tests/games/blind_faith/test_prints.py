"""Tests for prints without a scenario: the reference, blank sheets and counters."""

from __future__ import annotations

import re
from typing import Any

import pypdfium2
import pytest

from generator.common.game import Printable
from generator.common.interpretations import defaults, readings
from generator.games.blind_faith.game import GAME
from generator.games.blind_faith.pages.display import reference_sheet
from generator.games.blind_faith.pages.layout import cell, finder, fires, losses, room, tables
from generator.games.blind_faith.pages.sheets import side_run
from generator.games.blind_faith.tables import FACES, SIDES, Losses, Side, house_pack, switches
from generator.model.picture import POINTS, Text, Use
from generator.model.views import Run, Sheet, Token
from generator.model.words import Lang, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.figures.cards import draw_face
from generator.press.layout.fitting import text_box
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.symbols.counters import EDGE, counter

PACK = house_pack()
PRINTS: dict[str, Printable] = {what.verb: what for what in GAME.prints}
PAGES = {"reference": 3, "sheets": 5}


def pages(pdf: bytes) -> int:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


@pytest.mark.parametrize("options", [{}, {"half": "1"}], ids=["whole", "half"])
@pytest.mark.parametrize(("lang", "paper"), [("en", "letter"), ("en", "a4"), ("ja", "letter"), ("ja", "a4")])
@pytest.mark.parametrize("verb", PAGES)
def test_it_prints_in_order(verb: str, lang: Lang, paper: str, options: dict[str, str]) -> None:
    if options and verb == "reference":
        return
    printed = print_kit(PRINTS[verb].make(options), PrintSettings(lang, paper, "saver"))
    assert preflight(printed, paper, lang) == []
    assert pages(printed) == PAGES[verb]


def test_the_odds_of_single_dice_are_those_of_the_tables() -> None:
    _, sheet = PRINTS["reference"].make({}).sheets
    assert isinstance(sheet, Sheet)
    view: dict[str, Any] = dict(sheet.view)
    hussites, crusaders = view["charges"]
    assert [len(table["rows"]) * len(table["targets"]) for table in (hussites, crusaders)] == [24, 24]
    # A Tabor attacks crusader infantry at +1. Faces 3 to 6 hit the target, and face 3 also hits the Tabor.
    (tabor,) = [row for row in hussites["rows"] if row["name"].en == "Tabor"]
    (foot,) = [i for i, name in enumerate(hussites["targets"]) if name.en == "Crusader infantry"]
    assert tabor["cells"][foot].en == "67 / 17"
    assert view["shots"][0]["cells"] == ["–", "17", "33", "33", "–", "17"]
    assert [row["cells"] for row in view["bombard"]] == [["17", "–"], ["50", "33"]]
    assert [row["units"].en for row in view["answers"]][-1] == "31–35"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_counters_print_in_order(paper: str) -> None:
    printed = print_kit(PRINTS["tokens"].make({}), PrintSettings("en", paper))
    assert preflight(printed, paper, "en") == []


def test_there_are_counters_of_every_class() -> None:
    hussite, crusader, legates = PRINTS["tokens"].make({}).sheets
    assert isinstance(hussite, Run)
    assert isinstance(crusader, Run)
    assert isinstance(legates, Run)
    for run, side in ((hussite, "hussite"), (crusader, "crusader")):
        names = [piece.name for piece in run.pieces]
        for unit in PACK.units.values():
            wanted = (unit.max_count or room().counters.each) if side in unit.sides else 0
            assert names.count(unit.name) == wanted
    assert len(legates.pieces) == sum(not legate.unit for legate in PACK.legates)
    fronts = [piece.front for piece in legates.pieces if isinstance(piece.front, Token)]
    assert {front.shape for front in fronts} == {"legate"}
    # all legates have a token, with different labels
    assert [front.label for front in fronts] == ["FL", "BC", "GO", "GC"]


def test_a_cell_says_what_the_table_does() -> None:
    letters = {"R": "rout", "E": "eliminate", "B": "breach"}
    for faces in (*PACK.fire.values(), *PACK.bombard.values()):
        read: list[Any] = ["none"] * len(FACES)
        for letter, first, last in re.findall(r"([REB])(\d)(?:–(\d))?", cell(faces).en):
            for face in range(int(first), int(last or first) + 1):
                read[face - 1] = letters[letter]
        assert tuple(read) == faces


@pytest.mark.parametrize(
    ("cost", "text"), [(Losses(), "–"), (Losses(1), "1R"), (Losses(0, 2), "2E"), (Losses(1, 2), "1R 2E")]
)
def test_losses_in_few_letters(cost: Losses, text: str) -> None:
    assert " ".join(part.en for part in losses(cost)) == text


def test_the_column_finder() -> None:
    found = [(row["units"], row["column"], row["drm"]) for row in finder(PACK)]
    assert found[:4] == [("1–5", "1–5", "0"), ("6–10", "6–10", "0"), ("11–15", "11–15", "0"), ("16–20", "16+", "0")]
    assert found[4:] == [("21–25", "16+", "+1"), ("26–30", "16+", "+2"), ("31–35", "16+", "+3")]


def test_the_ends_of_the_charge_table_stand_for_all_beyond() -> None:
    rows: Any = tables(PACK)["charge"]
    assert (rows[0]["die"], rows[-1]["die"]) == ("≤−1", "≥6")
    assert len(rows) == len(PACK.charge.results)


def test_who_fires_when() -> None:
    assert {unit.id: fires(PACK, unit).en for unit in PACK.units.values() if unit.fires} == {
        "tabor": "A D×4",
        "hussite_foot": "D",
        "sigismund": "A D",
        "youth_horse": "A D",
        "crusader_foot": "D",
    }


def test_the_reference_names_every_ruling_and_whose_tables_it_shows() -> None:
    page: Any = reference_sheet(house_pack()).view
    chosen = defaults(switches())
    lines = [row["text"] for half in page["halves"] for row in half]
    assert lines == [
        *(switches()[name][choice].text for name, choice in chosen.items()),
        *(reading.text for reading in readings("blind_faith")),
    ]
    assert "not the publisher's" in page["pack"].en
    other: Any = reference_sheet(PACK, chosen | {"pursuit": "table"}).view
    assert switches()["pursuit"]["table"].text in [row["text"] for half in other["halves"] for row in half]


def test_blank_sheets_show_no_units() -> None:
    for sheet in PRINTS["sheets"].make({}).sheets:
        assert not getattr(sheet, "figures", {})
    battle: Any = PRINTS["sheets"].make({"only": "battle"}).sheets[0]
    assert {box["name"] for row in battle.view["rows"] for box in row} == {same("")}


@pytest.mark.parametrize("side", SIDES)
def test_every_counter_bears_its_mp_and_its_die_modifier_clear_of_its_arms(side: Side) -> None:
    fonts.ensure_registered("en")
    run = side_run(PACK, side)
    units = {unit.name.en: unit for unit in PACK.of_side(side)}
    for piece in {piece.name.en: piece for piece in run.pieces}.values():
        unit, width = units[piece.name.en], room().counters.width
        items = draw_face(piece.front, run.cut, "en", "full", (width, width), (1.5,) * 4)
        left, boxed = (item for item in items if isinstance(item, Text))
        assert (left.text, int(boxed.text.replace("−", "-").replace("±", ""))) == (str(unit.movement), unit.drm)
        assert left.x < width / 2 < boxed.x
        assert min(left.size, boxed.size) >= 9
        (arms,) = (item for item in items if isinstance(item, Use))
        foot = arms.y + arms.scale * (min(y for _, y in counter(side).ring) - EDGE)
        assert max(text_box(text)[1] + 0.72 * text.size / POINTS for text in (left, boxed)) < foot
