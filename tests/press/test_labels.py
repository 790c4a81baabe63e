"""Tests that page labels name every part of a print."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace

from generator import games
from generator.common.tables import shared_words
from generator.model.views import Bundle
from generator.model.words import Words, same
from generator.press.book import print_kit
from generator.press.bundles import print_bundles
from generator.press.layout.print_settings import PrintSettings
from tests.press.kits import TEMPLATES, kit, kit_of, plain, prints_of, record


def labels(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [document.get_page_label(page) for page in range(len(document))]
    finally:
        document.close()


def test_a_part_s_pages_are_counted_by_themselves() -> None:
    made = kit(replace(plain(), part="map"), record(), plain(), record())
    assert labels(print_kit(made, PrintSettings("en", templates=TEMPLATES))) == [
        "Map",
        "Record sheets 1",
        "Reference",
        "Record sheets 2",
    ]
    both = print_kit(made.only(["records"]), PrintSettings("ja", templates=TEMPLATES, second_lang="en"))
    assert labels(both) == [f"記録シート {n}" for n in (1, 2, 3, 4)]


def test_a_viewer_shows_the_bookmarks() -> None:
    with pikepdf.open(io.BytesIO(print_kit(kit(), PrintSettings("en", templates=TEMPLATES)))) as pdf:
        assert pdf.Root.PageMode == "/UseOutlines"


def test_a_table_s_pages_bear_its_name() -> None:
    tables = [Bundle(Words("Table 7", "7卓"), (kit(record(), record()),)), Bundle(same("8"), (kit(),))]
    bound = print_bundles(tables, same("Cup"), PrintSettings("en", templates=TEMPLATES))
    assert labels(bytes(bound.pdf)) == ["Table 7 1", "Table 7 2", "8"]


@pytest.mark.parametrize("name", games.names())
def test_every_part_of_every_game_has_a_name(name: str) -> None:
    assert {part for made in (kit_of(name), *prints_of(name)) for part in made.parts} <= shared_words()["part"].keys()
