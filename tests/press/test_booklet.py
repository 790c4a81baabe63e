"""Tests for booklets: pages in folding order, in their own layout, with the map in the middle and no empty page."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import product
from typing import cast

import pikepdf
import pypdfium2
import pytest

from generator import games
from generator.cli.output import EVENING_PARTS
from generator.common.selftest import codes
from generator.model.picture import Picture, Symbol, Text, Use
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang
from generator.press.book import print_kit
from generator.press.booklet import PAGES_PER_SHEET, SheetSide, print_booklet, sheet_sides
from generator.press.check.page_objects import page_objects, type_size
from generator.press.check.preflight import preflight
from generator.press.layout.folding import shift_from_fold
from generator.press.layout.paper import find_paper
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.legible import FLOOR, NUMBER_FLOOR
from generator.rules import check
from generator.store.manifest import sealed
from generator.symbols.theme import INKS
from tests.press.read_aloud import read_aloud
from tests.prove.parts.tagged import pdfua_findings

PAPERS = ("a4", "letter", "a3")


def folded(sides: list[SheetSide]) -> list[int]:
    """Return the page numbers in reading order after the sheets are stacked and folded in the middle."""
    turned: list[int] = []
    sheets = list(zip(sides[::2], sides[1::2], strict=True))
    for front, back in sheets:
        turned += [front.right, back.left]
    for front, back in reversed(sheets):
        turned += [back.right, front.left]
    return turned


@pytest.mark.parametrize("count", range(PAGES_PER_SHEET, 21, PAGES_PER_SHEET))
def test_the_pages_of_a_folded_booklet_are_in_reading_order(count: int) -> None:
    sides = sheet_sides(count)
    assert folded(sides) == list(range(count))
    # Both middle pages are on one side of the innermost sheet.
    assert sides[-1] == (count // 2 - 1, count // 2)


@cache
def evening_kit(game: str) -> Kit:
    """Return the sheets of a kit that a booklet contains by default."""
    of, (code,) = games.load(game), codes(1)
    scenario = of.draw(Request(code, {}, {}))
    kit = of.kit(scenario, check(of.rules, scenario), code, f"muster kit {game} --seed {code}")
    return kit.only([part for part in kit.parts if part in EVENING_PARTS])


@cache
def booklet_of(game: str, lang: Lang, paper: str = "a4", ink: str = "full") -> bytes:
    return print_booklet(evening_kit(game), (), PrintSettings(lang, paper, ink))


def halves(pdf: bytes) -> list[str]:
    """Return the text of each page of a booklet in reading order."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        found: dict[int, str] = {}
        for side, page in zip(sheet_sides(2 * len(document)), document, strict=True):
            width, height = page.get_size()
            text = page.get_textpage()
            for number, left in zip(side, (0.0, width / 2), strict=True):
                found[number] = text.get_text_bounded(left, 0.0, left + width / 2, height)
        return [found[number] for number in sorted(found)]
    finally:
        document.close()


@pytest.mark.parametrize(("game", "lang"), list(product(games.names(), LANGS)))
def test_a_booklet_has_no_print_problems(game: str, lang: Lang) -> None:
    at = 2 * games.names().index(game) + LANGS.index(lang)
    paper, ink = PAPERS[at % len(PAPERS)], INKS[at % len(INKS)]
    assert preflight(booklet_of(game, lang, paper, ink), paper, lang) == []


@pytest.mark.parametrize("lang", LANGS)
def test_a_booklet_of_four_boards_has_no_print_problems(lang: Lang) -> None:
    """The map on the half page is large enough for the labels of its units."""
    game, code = games.load("travel_battle"), "K7Q2M-9FHN5"
    scenario = game.draw(Request(code, {"boards": "2x2"}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, "muster kit travel_battle")
    kit = kit.only([part for part in kit.parts if part in EVENING_PARTS])
    assert preflight(print_booklet(kit, (), PrintSettings(lang, "a4")), "a4", lang) == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_record_of_an_army_is_on_one_page_of_a_booklet(lang: Lang, paper: str) -> None:
    game, code = games.load("call_to_arms"), "K7Q2M-9FHN5"
    scenario = game.draw(Request(code, {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, "muster kit call_to_arms").only(["records"])
    assert [len(cast(list[object], sheet.view["rows"])) for sheet in kit.sheets if isinstance(sheet, Sheet)] == [
        18,
        16,
    ]
    with pikepdf.open(io.BytesIO(print_booklet(kit, (), PrintSettings(lang, paper)))) as pdf:
        # Two records and two pages for notes are on one sheet of paper.
        assert len(pdf.pages) == 2


@pytest.mark.parametrize(("game", "lang"), list(product(games.names(), LANGS)))
def test_every_text_of_a_booklet_is_in_words(game: str, lang: Lang) -> None:
    """A template that prints a value of several texts, such as the story, shows braces."""
    found = [text for half in halves(booklet_of(game, lang)) for text in re.findall(r"\{.{0,20}|.{0,20}\}", half)]
    assert not found


@pytest.mark.parametrize("paper", PAPERS)
def test_the_type_of_a_booklet_is_not_reduced(paper: str) -> None:
    document = pypdfium2.PdfDocument(booklet_of("battlelore", "en", paper))
    try:
        sizes = {
            round(type_size(item, placed), 2)
            for page in document
            for item, kind, placed, _ in page_objects(page.raw)
            if kind == pypdfium2.raw.FPDF_PAGEOBJ_TEXT
        }
    finally:
        document.close()
    assert min(sizes) >= NUMBER_FLOOR - 0.01
    assert FLOOR in sizes or min(sizes) > FLOOR


def test_a_side_of_a_sheet_is_one_page_of_the_file_with_one_stream() -> None:
    with pikepdf.open(io.BytesIO(booklet_of("travel_battle", "ja"))) as found:
        width, height = find_paper("a4").size(landscape=True)
        assert len(found.pages) % 2 == 0
        for page in found.pages:
            assert [float(side) for side in page.mediabox] == pytest.approx([0, 0, width, height], abs=0.002)
            assert [float(side) for side in page.trimbox] == pytest.approx([0, 0, width, height], abs=0.002)
            assert isinstance(page.obj.Contents, pikepdf.Stream)
            # No page is a form of another document.
            forms = [str(name) for name in page.obj.Resources.get("/XObject", pikepdf.Dictionary())]
            assert not [name for name in forms if "Page" in name]
        preferences = found.Root.ViewerPreferences
        assert (str(preferences.PrintScaling), str(preferences.Duplex)) == ("/None", "/DuplexFlipShortEdge")
        assert str(found.Root.Lang) == "ja"
    assert sealed(booklet_of("travel_battle", "ja"))


def test_bookmarks_are_in_reading_order_and_pages_are_labelled_with_their_numbers() -> None:
    document = pypdfium2.PdfDocument(booklet_of("call_to_arms", "en"))
    try:
        sides = sheet_sides(2 * len(document))
        labels = [document.get_page_label(number) for number in range(len(document))]
        assert labels == [f"{side.left + 1}, {side.right + 1}" for side in sides]
        titles = [mark.get_title() for mark in document.get_toc()]
        assert titles[0] == "Reference" and titles[-2:] == ["Record sheet · Pennant", "Record sheet · Standard"]
        targets = [mark.get_dest().get_index() for mark in document.get_toc()]
        assert targets[0] == 0 and targets[titles.index("Map")] == len(document) - 1
    finally:
        document.close()


@pytest.mark.parametrize("game", games.names())
def test_the_most_used_pages_are_outside_and_none_is_empty(game: str) -> None:
    pages = halves(booklet_of(game, "en"))
    assert "Reference" in pages[0]
    assert any(word in pages[-1] for word in ("Record sheet", "Stack records"))
    for number, text in enumerate(pages, 1):
        assert str(number) in text and len(text) > 50, number


@pytest.mark.parametrize("game", games.names())
def test_the_map_is_across_the_middle_and_the_fold_crosses_no_cell_name(game: str) -> None:
    document = pypdfium2.PdfDocument(booklet_of(game, "en"))
    try:
        page = document[len(document) - 1]
        fold = page.get_width() / 2
        texts = page.get_textpage()
        objects = page.get_objects([pypdfium2.raw.FPDF_PAGEOBJ_TEXT], max_depth=1)
        names: dict[tuple[float, ...], str] = {
            text.get_bounds(): texts.get_text_bounded(*text.get_bounds()).strip() for text in objects
        }
        cells = {box: name for box, name in names.items() if re.fullmatch(r"[A-Za-z]\d+|\d{4}", name)}
        assert len(cells) > 20
        assert not [name for box, name in cells.items() if box[0] < fold < box[2]]
    finally:
        document.close()


def test_empty_pages_get_further_sheets_of_the_kit_or_lines_for_notes() -> None:
    kit = evening_kit("battlelore")
    sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
    fire = next(sheet for sheet in _whole("battlelore").sheets if sheet.part == "fire")
    few = Kit(kit.game, kit.title, kit.stamp, tuple(sheets), (fire,))
    plain, filled = (halves(print_booklet(few, parts, PrintSettings("en"))) for parts in ((), ("fire",)))
    assert len(plain) == len(filled)
    assert any("Fields of fire" in text for text in filled) and not any("Fields of fire" in text for text in plain)
    assert sum(text.count("Notes\n") or "Notes" in text[:80] for text in plain)


@cache
def _whole(game: str) -> Kit:
    of, (code,) = games.load(game), codes(1)
    scenario = of.draw(Request(code, {}, {}))
    return of.kit(scenario, check(of.rules, scenario), code, "muster kit")


def test_the_same_kit_makes_the_same_booklet() -> None:
    again = print_booklet(evening_kit("battling"), (), PrintSettings("en"))
    assert again == booklet_of("battling", "en")


def test_a_map_is_moved_so_that_the_fold_crosses_no_text() -> None:
    name = Symbol("name", (Text(0, 0, "A1", 7, "middle"),))
    row = tuple(Use(name, 5.0 + 10 * n, 5.0) for n in range(5))
    picture = Picture(50, 10, row)
    shift = shift_from_fold(picture, 100)
    assert 1 < abs(shift) < 5
    # Without room beside the map, it stays where it is.
    assert shift_from_fold(picture, 50) == 0


@pytest.mark.parametrize(("game", "lang"), list(product(games.names(), LANGS)))
def test_a_booklet_is_read_aloud_in_reading_order(game: str, lang: Lang) -> None:
    at = 2 * games.names().index(game) + LANGS.index(lang)
    pdf = booklet_of(game, lang, PAPERS[at % len(PAPERS)], INKS[at % len(INKS)])
    reading = read_aloud(pdf)
    assert reading.faults == pdfua_findings(pdf) == []
    names = " · ".join(line.title for line in reading.lines if line.kind == "Sect")
    positions = [names.find(title) for _, title, _ in bookmarks(pdf)]
    assert min(positions) >= 0 and positions == sorted(positions)
    # The sides in the order in which they are read, forwards and backwards through the sheets.
    pages = [line.page for line in reading.lines if line.page >= 0]
    assert pages.index(max(pages)) > pages.index(0) and pages[-1] == 0


def test_links_in_a_booklet_are_described_and_titles_of_notes_are_no_links() -> None:
    with pikepdf.open(io.BytesIO(booklet_of("battlelore", "en", "a4"))) as found:
        texts = [str(note.Contents) for page in found.pages for note in page.get("/Annots", [])]
    assert texts and "Notes" not in texts
    assert any(" · " in text for text in texts)


def page_texts(pdf: bytes) -> list[str]:
    """Return the text of each page of a PDF, in the order of the file."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


def bookmarks(pdf: bytes) -> list[tuple[int, str, int]]:
    """Return level, title and page of each bookmark."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [(mark.level, mark.get_title(), mark.get_dest().get_index()) for mark in document.get_toc()]
    finally:
        document.close()


def test_with_two_languages_there_is_a_booklet_in_each() -> None:
    kit = evening_kit("call_to_arms")
    both = print_booklet(kit, (), PrintSettings("en", second_lang="ja"))
    english, japanese = (page_texts(booklet_of("call_to_arms", lang)) for lang in LANGS)
    assert page_texts(both) == english + japanese
    marks = bookmarks(both)
    assert [title for level, title, _ in marks if not level] == [kit.title[lang] for lang in LANGS]
    # The map is across the two pages in the middle of each booklet, which are the last side of its sheets.
    maps = [page for level, title, page in marks if level and title in ("Map", "マップ")]
    assert maps == [len(english) - 1, len(english) + len(japanese) - 1]
    assert read_aloud(both).faults == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", games.names())
def test_every_sheet_of_a_kit_can_be_in_a_booklet(game: str, lang: Lang) -> None:
    of, (code,) = games.load(game), codes(1)
    scenario = of.draw(Request(code, {}, {}))
    kit = of.kit(scenario, check(of.rules, scenario), code, f"muster kit {game} --seed {code}")
    paper = PAPERS[LANGS.index(lang)]
    parts = {sheet.part for sheet in kit.whole.sheets if isinstance(sheet, Sheet)}
    assert {"map", "audit"} <= parts
    for part in sorted(parts):
        pdf = print_booklet(kit.only((part,)), (), PrintSettings(lang, paper))
        assert preflight(pdf, paper, lang) == [], part


@pytest.mark.parametrize("turns", ["11", "24", "30"])
def test_records_of_many_turns_go_on_to_another_page_in_lines_of_a_legible_height(turns: str) -> None:
    of, (code,) = games.load("battling"), codes(1)
    scenario = of.draw(Request(code, {"turns": turns}, {}))
    kit = of.kit(scenario, check(of.rules, scenario), code, f"muster kit battling --seed {code} --turns {turns}")
    (first, _) = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet) and sheet.part == "records"]
    assert cast(float, first.view["tall"]) >= 6
    for pdf in (
        print_booklet(kit.only(EVENING_PARTS), (), PrintSettings("en")),
        print_kit(kit.only(("cover", "records")), PrintSettings("en")),
    ):
        numbers = {line.strip() for text in page_texts(pdf) for line in re.split(r"\s", text)}
        assert numbers >= {str(number) for number in range(1, int(turns) + 1)}
