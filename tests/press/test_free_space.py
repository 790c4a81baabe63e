"""Tests for the free space of pages, which is filled with the next sheet or with lines to write on."""

from __future__ import annotations

import pypdfium2
import pytest
from msgspec.structs import replace

from generator import games
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for
from tests.press.kits import TEMPLATES, kit, kit_of, plain, words
from tests.prove.figure import SEED
from tests.prove.parts.pages import MAX_BLANK, MODES, band, blank

SETTINGS = PrintSettings("en", templates=TEMPLATES)


def short(part: str, *texts: str, **changes: object) -> Sheet:
    return replace(plain(*texts), part=part, title=words(part.title(), part), **changes)


def printed(of: Kit) -> tuple[list[str], list[tuple[str, int]], list[str]]:
    """Return the texts of the pages, the bookmarks with their pages, and the page labels."""
    document = pypdfium2.PdfDocument(print_kit(of, SETTINGS))
    try:
        texts = [page.get_textpage().get_text_bounded() for page in document]
        marks = [(mark.get_title(), mark.get_dest().get_index()) for mark in document.get_toc()]
        return texts, marks, [document.get_page_label(n) for n in range(len(document))]
    finally:
        document.close()


def test_short_sheets_are_below_each_other_on_one_page() -> None:
    pages, marks, labels = printed(kit(short("audit", "The draw."), short("readings", "A ruling.")))
    assert len(pages) == 1 and len(labels) == 1
    assert "Audit · Readings" in pages[0]
    assert pages[0].index("The draw.") < pages[0].index("A ruling.")
    assert marks == [("Audit", 0), ("Readings", 0)]


def test_sheets_with_the_same_name_have_a_line_to_cut_along_between_them() -> None:
    first, second = (short("day", f"The day of {name}.") for name in ("Ann", "Bo"))
    (page,), marks, _ = printed(kit(first, second))
    assert "The day of Ann." in page and "The day of Bo." in page
    assert "Day · Day" not in page and {at for _, at in marks} == {0}
    (page,), _, _ = printed(kit(first, short("night", "The night of Bo.")))
    assert "Day · Night" in page


@pytest.mark.parametrize(
    "second",
    [
        short("readings", "A ruling.", side=words("Pennant", "ペナント")),
        short("cover", "A ruling."),
        short("readings", "A ruling.", landscape=True),
        short("readings", *["A long ruling. " * 60] * 12, pages=2),
    ],
    ids=["another side", "cover", "landscape", "long"],
)
def test_other_sheets_begin_on_a_page_of_their_own(second: Sheet) -> None:
    pages, marks, _ = printed(kit(short("audit", "The draw."), second))
    assert len(pages) > 1
    assert [page for _, page in marks] == [0, 1]


def test_a_page_that_would_be_mostly_blank_has_lines_for_notes() -> None:
    ((page,), _, _) = printed(kit(short("audit", "The draw.")))
    assert "Notes" in page
    ((page,), _, _) = printed(kit(short("audit", "The draw.", filled=False)))
    assert "Notes" not in page
    ((page,), _, _) = printed(kit(short("audit", *["A step of the draw. " * 12] * 16)))
    assert "Notes" not in page


def test_lines_for_notes_are_fields_of_a_fillable_print() -> None:
    plain_pdf, fillable = (
        print_kit(kit(short("audit", "The draw.")), replace(SETTINGS, fillable=on)) for on in (False, True)
    )
    assert b"/AcroForm" not in plain_pdf
    document = pypdfium2.PdfDocument(fillable)
    try:
        assert document.get_formtype() != 0
    finally:
        document.close()


def test_the_map_of_the_checked_position_fills_a_short_audit() -> None:
    for game in ("battlelore", "battling"):
        ((page,), _, _) = printed(kit_of(game).only(("audit",)))
        assert "The position that was checked" in page and "Notes" not in page
    # The many steps and rules of this game fill the page.
    ((page,), _, _) = printed(kit_of("travel_battle").only(("audit",)))
    assert "The position that was checked" not in page


@pytest.mark.parametrize(
    ("mode", "number", "lang", "paper"),
    [("impromptu, lore", 0, "en", "letter"), ("organized", 3, "en", "a4"), ("organized", 9, "ja", "a4")],
)
def test_rules_that_go_on_to_a_second_page_fill_the_first(mode: str, number: int, lang: Lang, paper: str) -> None:
    game, code = games.load("call_to_arms"), code_for(SEED + number)
    scenario = game.draw(Request(code, MODES["call_to_arms"][mode], {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, "muster kit").only(("audit",))
    document = pypdfium2.PdfDocument(print_kit(kit, PrintSettings(lang, paper, "full")))
    try:
        assert len(document) == 2
        assert max(max(band(page, paper), blank(page, paper)) for page in document) <= MAX_BLANK
    finally:
        document.close()


@pytest.mark.parametrize(("game", "number"), [("call_to_arms", 0), ("battlelore", 7), ("battlelore", 14)])
def test_both_sides_fields_of_fire_fit_on_a_page_in_english(game: str, number: int) -> None:
    mode = {"call_to_arms": "impromptu", "battlelore": "medieval"}[game]
    of, code = games.load(game), code_for(SEED + number)
    scenario = of.draw(Request(code, MODES[game][mode], {}))
    kit = of.kit(scenario, check(of.rules, scenario), code, "muster kit").only(("fire",))
    assert len(pypdfium2.PdfDocument(print_kit(kit, SETTINGS))) == 1


def test_the_odds_of_many_attacks_are_on_one_page_for_each_side() -> None:
    game, code = games.load("call_to_arms"), "K7Q2M-9FHN5"
    scenario = game.draw(Request(code, {}, {}))
    odds = game.kit(scenario, check(game.rules, scenario), code, "").only(("odds",))
    pages, _, _ = printed(odds)
    assert len(pages) == 2 and not any("Notes" in page for page in pages)


@pytest.mark.parametrize("lang", LANGS)
def test_a_cover_fits_with_a_hand_of_six_and_a_long_command(lang: Lang) -> None:
    of, options = games.load("call_to_arms"), {"map": "alder_fords", "hand": "6", "mirror": "on"}
    scenario = of.draw(Request("1BE40-002JK", options, {}))
    command = "muster kit call_to_arms --seed 1BE40-002JK --map alder_fords --hand 6 --mirror on --hill adjacent"
    command += f" --edge blocks --levy-horse lower --vantage brought --lang {lang} --paper letter"
    kit = of.kit(scenario, check(of.rules, scenario), "1BE40-002JK", command).only(("cover",))
    assert len(pypdfium2.PdfDocument(print_kit(kit, PrintSettings(lang, "letter")))) == 1


def test_a_cover_of_boards_fits_with_a_command_of_three_lines() -> None:
    of, options = games.load("travel_battle"), {"boards": "2x1", "edge-red": "4"}
    scenario = of.draw(Request("GYKD0-00JWM", options, {}))
    command = "muster kit travel_battle --seed GYKD0-00JWM --boards 2x1 --edge-red 4 --lang en --paper a4 --ink full"
    command += " --parts cover,setup,records,fire,reference,map,audit,odds,tokens,board,sheets"
    kit = of.kit(scenario, check(of.rules, scenario), "GYKD0-00JWM", command).only(("cover",))
    assert len(pypdfium2.PdfDocument(print_kit(kit, SETTINGS))) == 1
