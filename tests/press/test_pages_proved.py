"""Tests for the measures in the proof of pages: number of pages, font size, empty bands."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from generator.model.words import LANGS, Lang
from generator.press.layout.paper import find_paper
from generator.press.pdf import fonts
from generator.press.pdf.fonts import REGULAR
from tests.prove.parts.pages import (
    EVENING,
    EVENT,
    MAX_BLANK,
    PLAYERS,
    WHOLE,
    Case,
    Page,
    band,
    blank,
    figures,
    letters,
    measured,
    measured_round,
)


def page(*texts: tuple[float, float, str]) -> pypdfium2.PdfPage:
    """Return a page with texts, given as fraction of the frame's height from its top, size in points, and text."""
    fonts.register("en")
    out, paper = io.BytesIO(), find_paper("a4")
    canvas: Any = Canvas(out, paper.size(), initialFontName=REGULAR)
    (left, top), (_, depth) = paper.corner(), paper.column()
    for share, size, text in texts:
        canvas.setFont(REGULAR, size)
        canvas.drawString(left, top - share * depth, text)
    canvas.save()
    return pypdfium2.PdfDocument(out.getvalue())[0]


def test_letters_are_counted_by_their_size_and_labels_are_not() -> None:
    assert letters(page((0.1, 9, "twelve"), (0.2, 7.5, "small"), (0.3, 6, "tiny"), (0.4, 5, "H8 F"))) == (15, 9, 4)
    assert letters(page((0.1, 4, "H8"), (0.2, 8.5, "not small"))) == (8, 0, 1)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_the_band_is_what_is_blank_at_the_foot(share: float) -> None:
    assert band(page((0.1, 9, "head"), (share, 9, "HEAD"))) == pytest.approx(1 - share, abs=0.01)


@pytest.mark.parametrize("lang", LANGS)
def test_a_kit_keeps_the_floors_and_its_pages_are_full(lang: Lang) -> None:
    pages = measured(Case("travel_battle", 0, lang, "any", "letter", "saver"))
    assert len(pages) >= 4
    assert all(found.letters > 40 and not found.below and 0 <= found.band < 1 for found in pages)
    assert all(figure.holds for figure in figures(pages))


@pytest.mark.parametrize("other", [EVENING, WHOLE])
def test_booklets_and_parts_on_request_leave_no_page_mostly_blank(other: str) -> None:
    pages = measured(Case("battlelore", 0, "ja", "medieval", "a4", "full", other))
    assert len(pages) >= 4
    assert all(max(found.band, found.blank) <= MAX_BLANK and not found.below for found in pages)


@pytest.mark.parametrize("players", PLAYERS)
def test_pages_of_an_event_are_not_mostly_blank(players: int) -> None:
    pages = measured_round(Case("battlelore", players, "ja", "", "letter", "full", EVENT))
    assert len(pages) >= 6
    assert [page.name for page in pages if max(page.band, page.blank) > MAX_BLANK or page.below] == []


def test_a_blank_rectangle_is_measured_anywhere_on_the_page() -> None:
    # Lines of text from top to bottom, but only in the left third.
    lines = [(n / 50, 9.0, "narrow column of text") for n in range(1, 50)]
    found = page(*lines)
    assert band(found) < 0.05
    assert 0.6 < blank(found) < 0.9


def test_failed_measures_are_reported() -> None:
    case = Case("battling", 1, "en", "any")
    pages = [
        Page(case, "Map", 100, 25, 3, 0.1, False),
        Page(case, "Reference", 100, 75, 0, 0.4, True),
        *(Page(case, "Reference", 100, 75, 0, 0.5, True) for _ in range(6)),
    ]
    floors, white, figure = figures(pages)
    assert not floors.holds and floors.faults == ("battling en Map",)
    assert not white.holds and white.faults[0].startswith("Reference 50 %: ")
    assert not figure.holds and figure.faults[0].startswith("8 pages: ")
    assert figure.found == (
        "8.0; 69 % of letters below 8.5 pt, 75 % on the reference; "
        "7 of 8 with more than 30 % blank at the foot (Reference 50 %)"
    )
