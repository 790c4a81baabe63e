"""Tests that the names of sheets, units and hexes are links to their position."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

import pikepdf
import pypdfium2
import pytest

from generator import games
from generator.model.views import Bundle, Kit, MapView, Sheet
from generator.model.words import LANGS, Lang, same
from generator.press.book import print_kit, print_kits
from generator.press.bundles import print_bundles
from generator.press.layout.print_settings import PrintSettings
from tests.press.kits import kit_of


@cache
def pdf_of(game: str, lang: Lang) -> bytes:
    return print_kit(kit_of(game), PrintSettings(lang))


def links(pdf: bytes) -> Iterator[tuple[int, str, int]]:
    """Yield the page number, text and target page number of every link. Page numbers start at 0."""
    document: Any = pikepdf.open(io.BytesIO(pdf))
    pages = {page.objgen: number for number, page in enumerate(document.pages)}
    texts = pypdfium2.PdfDocument(pdf)
    for number, page in enumerate(document.pages):
        text = texts[number].get_textpage()
        for note in page.get("/Annots", ()):
            assert note.Subtype == "/Link" and list(note.Border) == [0, 0, 0]
            dest = note.Dest
            if isinstance(dest, pikepdf.Name | pikepdf.String):
                dest = document.Root.Dests[str(dest)]
            left, bottom, right, top = map(float, note.Rect)
            yield number, text.get_text_bounded(left - 0.5, bottom, right + 0.5, top).strip(), pages[dest[0].objgen]


def bookmarks(pdf: bytes) -> dict[str, int]:
    with pikepdf.open(io.BytesIO(pdf)) as document, document.open_outline() as outline:
        entries = [item for top in outline.root for item in (top, *top.children)]
        pages = {page.objgen: number for number, page in enumerate(document.pages)}
        where: dict[str, int] = {}
        for item in entries:
            dest: Any = item.destination
            if not isinstance(dest, pikepdf.Array):
                dest = document.Root.Dests[str(dest)]
            where.setdefault(str(item.title), pages[dest[0].objgen])
        return where


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", games.names())
def test_links_lead_to_what_they_name(game: str, lang: Lang) -> None:
    kit = kit_of(game)
    pdf = pdf_of(game, lang)
    found = list(links(pdf))
    starts = bookmarks(pdf)
    sheets = [sheet for sheet in kit.sheets if isinstance(sheet, Sheet)]
    titles = {sheet.title[lang] for sheet in sheets}
    for page, text, there in (link for link in found if link[1] in titles):
        assert there == min(at for title, at in starts.items() if title.split(" · ")[0] == text)
        assert there != page
    # If there is no map page, the map is the first figure of the scenario sheet.
    ground = next((sheet for sheet in sheets if sheet.part == "map"), sheets[0])
    view = next(figure for figure in ground.figures.values() if isinstance(figure, MapView))
    known = {view.grid.name(cell) for cell in view.grid.cells} | {token.label for _, token in view.tokens}
    there = next(at for title, at in starts.items() if title.startswith(ground.title[lang]))
    for _, text, leads in found:
        if text in known:
            assert leads == there
        else:
            assert text in titles | set(starts), text


def test_units_on_a_record_sheet_lead_to_the_map() -> None:
    texts = {text for _, text, _ in links(pdf_of("battlelore", "en"))}
    assert {"P1", "S1"} <= texts


def test_what_is_not_printed_is_led_to_by_nothing() -> None:
    kit = kit_of("battlelore")
    assert list(links(print_kit(kit.only(["records"]), PrintSettings("en")))) == []
    covered = {text for _, text, _ in links(print_kit(kit.only(["cover", "reference"]), PrintSettings("en")))}
    assert covered <= {"Reference", *(f"{c}{r}" for c in "ABCDEFGHIJKLM" for r in range(1, 14))} | covered & {"P1"}


@pytest.mark.parametrize("lang", LANGS)
def test_a_kit_says_its_title_and_subject(lang: Lang) -> None:
    kit = kit_of("call_to_arms")
    with pikepdf.open(io.BytesIO(pdf_of("call_to_arms", lang))) as document:
        assert str(document.docinfo["/Title"]) == f"{kit.game[lang]} · {kit.title[lang]}"
        assert kit.stamp in str(document.docinfo["/Subject"])


@pytest.mark.parametrize("game", ["battlelore", "travel_battle"])
def test_at_every_table_of_a_tournament_links_stay_with_the_table(game: str) -> None:
    kit = kit_of(game).only(["map", "records", "setup"])
    one, two = (Bundle(same(f"Table {n}"), (kit,)) for n in (1, 2))
    made = print_bundles([one, two], same("Cup"), PrintSettings("en"))
    found = list(links(bytes(made.pdf)))
    half = made.pages // 2
    here, there = ([link for link in found if (link[0] < half) is first] for first in (True, False))
    assert here
    assert there == [(page + half, text, leads + half) for page, text, leads in here]
    assert all(0 <= leads < half for _, _, leads in here)
    alone = list(links(print_kit(kit, PrintSettings("en"))))
    assert sorted(here) == sorted(alone)


class Asked:
    """A sequence of kits that are generated on request, with the number of requests."""

    def __init__(self, *kits: Kit) -> None:
        self.kits = kits
        self.made: list[str] = []

    def __len__(self) -> int:
        return len(self.kits)

    def __contains__(self, kit: object) -> bool:
        return kit in self.kits

    def __iter__(self) -> Iterator[Kit]:
        for kit in self.kits:
            self.made.append(kit.title.en)
            yield kit


def test_kits_in_one_file_are_asked_for_one_by_one_and_each_leads_to_its_own_pages() -> None:
    whole = [kit_of(game).only(["cover", "setup"]) for game in ("battling", "call_to_arms")]
    kits, progress_made = Asked(*whole), list[tuple[str, int]]()

    def progress(message: str, share: float | None = None) -> None:
        progress_made.append((message, len(kits.made)))

    pdf = bytes(print_kits(kits, PrintSettings("en"), progress))
    assert kits.made == [kit.title.en for kit in whole]
    # The second kit was not generated while pages of the first kit were printed.
    assert {made for _, made in progress_made if made} == {1, 2}
    alone = [print_kit(kit, PrintSettings("en")) for kit in whole]
    pages = [len(pypdfium2.PdfDocument(one)) for one in alone]
    before = 0
    expected = []
    for one, many in zip(alone, pages, strict=True):
        expected += [(page + before, text, leads + before) for page, text, leads in links(one)]
        before += many
    assert expected
    assert list(links(pdf)) == expected
    with pikepdf.open(io.BytesIO(pdf)) as document, document.open_outline() as outline:
        assert [entry.title for entry in outline.root] == [f"{kit.game.en} · {kit.title.en}" for kit in whole]
        assert [len(entry.children) for entry in outline.root] == [2, 2]


@pytest.mark.parametrize("game", games.names())
def test_numbers_are_not_links(game: str) -> None:
    """On some maps, units have numbers as labels. Other numbers on the pages, such as dice, are not these units."""
    assert [
        text
        for _, text, _ in links(print_kit(kit_of(game), PrintSettings("en")))
        if text.isdecimal() and len(text) < 3
    ] == []
