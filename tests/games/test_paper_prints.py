"""Tests for the quick reference and blank sheets of every game, on every paper and in every language."""

from __future__ import annotations

import pypdfium2
import pytest

from generator import games
from generator.common.game import Printable
from generator.model.views import Sheet
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings

PRINTS = {
    f"{name} {what.verb}": what
    for name in games.names()
    for what in games.load(name).prints
    if what.verb in ("reference", "sheets")
}


def pages(pdf: bytes) -> int:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


@pytest.mark.parametrize(("lang", "paper"), [("en", "letter"), ("ja", "a4"), ("ja", "letter")])
@pytest.mark.parametrize("what", PRINTS.values(), ids=PRINTS)
def test_it_prints_in_order(what: Printable, lang: Lang, paper: str) -> None:
    made = what.make({})
    printed = print_kit(made, PrintSettings(lang, paper, "saver"))
    assert preflight(printed, paper, lang) == []
    assert len(what.kinds) <= pages(printed) <= sum(s.pages for s in made.sheets if isinstance(s, Sheet))


@pytest.mark.parametrize("what", PRINTS.values(), ids=PRINTS)
def test_each_part_alone(what: Printable) -> None:
    whole = what.make({}).sheets
    assert [what.make({"only": word}).sheets for word in what.kinds] == [(sheet,) for sheet in whole]
    assert what.make({"only": ",".join(what.kinds)}).sheets == whole


def test_both_languages_front_and_back() -> None:
    what = PRINTS["call_to_arms reference"]
    made = what.make({})
    alone = pages(print_kit(made, PrintSettings("en")))
    assert pages(print_kit(made, PrintSettings("en", second_lang="ja"))) == 2 * alone


def test_half_sheets_stand_two_on_a_page() -> None:
    what = PRINTS["call_to_arms sheets"]
    half = what.make({"only": "side", "half": "1"})
    for paper in ("a4", "letter"):
        assert pages(print_kit(half, PrintSettings("ja", paper))) == 1
