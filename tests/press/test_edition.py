"""Tests for print options and their messages, and for blank pages between fronts and backs that share sheets."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2
import pytest

from generator.errors import WrongUsageError
from generator.model.views import Back, Kit, Piece, Run
from generator.model.words import Lang, Words, same
from generator.notation.printers import Printer
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.imposition import Imposition
from generator.press.layout.print_settings import PrintSettings
from tests.press.kits import TEMPLATES, record

CARD = Back("pennant", Words("Set", "セット"))
RUN = Run("cards", Words("Cards", "カード"), tuple(Piece(same(n), CARD, CARD) for n in range(3)), "card")
KIT = Kit(same("Demo"), Words("Ford", "浅瀬"), "K7Q2M-9FHN5", (record(), RUN, record(), record(), RUN))


@pytest.mark.parametrize(
    ("print_options", "expected"),
    [
        (PrintSettings("en"), ["A4", "100 %", "long edge", "3 mm"]),
        (PrintSettings("en", "letter", imposition=Imposition(flip="short")), ["US Letter", "short edge"]),
        (PrintSettings("ja", imposition=Imposition(single=True)), ["A4", "100 %", "表のみ", "3 mm"]),
        (PrintSettings("ja", imposition=Imposition(fold=True)), ["破線で折って"]),
        (PrintSettings("en", printer=Printer(dx=0.3, scale=99.5)), ["dx=0.3,scale=99.5"]),
    ],
)
def test_it_tells_paper_scale_flip_and_bleed(print_options: PrintSettings, expected: list[str]) -> None:
    lines = print_options.instructions(print_options.lang)
    assert all(words in lines for words in expected)
    assert "printer" not in PrintSettings("en").instructions("en")


def test_an_unknown_paper_is_reported() -> None:
    with pytest.raises(WrongUsageError, match="did you mean letter"):
        _ = PrintSettings("en", "leter").sheet


def texts(print_options: PrintSettings) -> list[str]:
    pdf = print_kit(KIT, print_options)
    assert preflight(pdf, print_options.paper, print_options.lang) == []
    document = pypdfium2.PdfDocument(pdf)
    return [page.get_textpage().get_text_range() for page in document]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_fronts_stand_on_odd_pages(lang: Lang) -> None:
    pages = texts(PrintSettings(lang, templates=TEMPLATES))
    blank = {"en": "left blank", "ja": "白紙"}[lang]
    name = {"en": "Cards", "ja": "カード"}[lang]
    assert [i for i, text in enumerate(pages, 1) if blank in text] == [2]
    assert [i for i, text in enumerate(pages, 1) if name in text and blank not in text] == [3, 4, 7, 8]


@pytest.mark.parametrize("how", [Imposition(single=True), Imposition(fold=True)])
def test_where_nothing_is_printed_on_backs_no_page_is_blank(how: Imposition) -> None:
    pages = texts(PrintSettings("en", templates=TEMPLATES, imposition=how))
    assert len(pages) == 5
    assert not any("left blank" in text for text in pages)


def test_both_languages_share_a_folded_page() -> None:
    run = Run("cards", same("Cards"), tuple(Piece(same(n), CARD) for n in range(2)), "card")
    kit = Kit(same("Demo"), same("Ford"), "", (run,))
    pdf = print_kit(kit, PrintSettings("en", second_lang="ja", imposition=Imposition(fold=True)))
    assert len(pikepdf.open(io.BytesIO(pdf)).pages) == 1
    output = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    assert output.count("Set") == output.count("セット") == 2
