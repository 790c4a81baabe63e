"""Tests for kits for many tables, which are laid out once and printed with each table's header and footer."""

from __future__ import annotations

import io
import re

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace

from generator.model.picture import Picture, Text
from generator.model.views import Bundle, Sheet
from generator.model.words import Words, same
from generator.notation.printers import Printer
from generator.press.bundles import print_bundles
from generator.press.check.content import excerpt
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from tests.press.kits import SQUARE, TEMPLATES, kit, plain
from tests.press.read_aloud import read_aloud

TITLE = same("Cup, round 1")
SHARED = kit(
    plain("Hills block.", "Woods block."), plain("Rivers stop.", landscape=True, part="map", title=same("Map"))
)


def print_options(**changes: object) -> PrintSettings:
    return replace(PrintSettings("en", templates=TEMPLATES), **changes)


def bundles(count: int) -> list[Bundle]:
    return [Bundle(Words(f"Table {n}", f"{n}卓"), (SHARED,)) for n in range(1, count + 1)]


def test_a_kit_on_many_tables_is_drawn_once() -> None:
    one, many = (print_bundles(bundles(count), TITLE, print_options()) for count in (1, 20))
    assert many.pages == 20 * one.pages
    assert many.starts == tuple(range(1, many.pages + 1, one.pages))
    assert len(bytes(many.pdf)) < 2 * len(bytes(one.pdf)) + 20 * one.pages * 1200


def test_every_page_has_its_tables_head_and_the_kits_body() -> None:
    document = pypdfium2.PdfDocument(bytes(print_bundles(bundles(2), TITLE, print_options()).pdf))
    texts = [document[n].get_textpage().get_text_bounded() for n in range(len(document))]
    half = len(texts) // 2
    assert all("Table 1" in text and "Table 2" not in text for text in texts[:half])
    assert [re.sub("Table [12]", "", a) for a in texts[:half]] == [re.sub("Table [12]", "", b) for b in texts[half:]]
    assert f"page 1 of {half}" in texts[half]


def test_bookmarks_are_tables_with_their_sheets() -> None:
    with (
        pikepdf.open(io.BytesIO(bytes(print_bundles(bundles(2), TITLE, print_options()).pdf))) as pdf,
        pdf.open_outline() as outline,
    ):
        assert [item.title for item in outline.root] == ["Table 1", "Table 2"]
        assert all(len(item.children) == len(SHARED.sheets) for item in outline.root)
        assert str(pdf.docinfo["/Title"]) == "Cup, round 1"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_same_bytes_every_time(lang: str) -> None:
    first, second = (bytes(print_bundles(bundles(2), TITLE, print_options(lang=lang)).pdf) for _ in range(2))
    assert first == second
    assert preflight(first, "a4", None) == []


def test_preflight_looks_into_bodies() -> None:
    small = Picture(50, 20, (Text(2, 2, "far too small", 3.0),))
    sheet = Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": small})
    pdf = bytes(print_bundles([Bundle(same("Table 1"), (kit(sheet),))], TITLE, print_options()).pdf)
    assert any("smaller than" in problem.message for problem in preflight(pdf, "a4", None))


def test_a_body_that_comes_again_is_looked_over_once_and_beside_every_head() -> None:
    small = Picture(50, 20, (Text(2, 2, "far too small", 3.0),))
    sheet = Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": small})
    shared = kit(sheet)
    tables = [Bundle(same(f"Table {n}"), (shared,)) for n in (1, 2, 3)]
    made = print_bundles(tables, TITLE, print_options())
    assert len(made.bodies) == 3 and len(set(made.bodies)) == 1
    whole = [problem.message for problem in preflight(bytes(made.pdf), "a4", None)]
    once = [problem.message for problem in preflight(made.pdf, "a4", None, bodies=made.bodies)]
    assert sum("smaller than" in fault for fault in whole) == 3
    assert once == whole[:1]


def test_a_header_over_a_repeated_body_is_reported() -> None:
    high = Picture(50, 80, tuple(Text(0, 5.0 * n, "down the page", 12.0) for n in range(15)))
    sheet = Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": high})
    shared = kit(sheet)
    made = print_bundles([Bundle(same(f"Table {n}"), (shared,)) for n in (1, 2)], TITLE, print_options())
    with pikepdf.open(io.BytesIO(bytes(made.pdf))) as pdf:
        for page in pdf.pages:  # move the header down over the figure
            page.Contents[1] = pdf.make_stream(page.Contents[1].read_bytes().replace(b"814.", b"740."))
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        bodies = [page.Contents[0].objgen[0] for page in pdf.pages]
    assert len(set(bodies)) == 1
    messages = [problem.message for problem in preflight(out.getvalue(), "a4", None)]
    once = [problem.message for problem in preflight(out.getvalue(), "a4", None, bodies=bodies)]
    assert messages == once and all("text overlaps" in fault for fault in messages) and len(messages) == 2


@pytest.mark.parametrize("printer", [None, Printer(scale=98.0, rotate=1.0, dx=1.0)])
def test_copies_that_differ_in_figures_of_their_own_are_laid_out_once(printer: Printer | None) -> None:
    how = print_options(printer=printer) if printer else print_options()
    pictures = [Picture(50, 20, (Text(2, 2, f"of table {n}", 12.0),)) for n in (1, 2)]
    shared = [kit(Sheet("map", same("Map"), "demo/figure.xml", {}, extra_figures={"map": one})) for one in pictures]
    alone = [kit(Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": one})) for one in pictures]
    tables = [[Bundle(same(f"Table {n}"), (of,)) for n, of in enumerate(kits, 1)] for kits in (shared, alone)]
    once, twice = (print_bundles(bundles, TITLE, how) for bundles in tables)
    assert len(set(once.bodies)) == 1 and len(set(twice.bodies)) == 2
    for page in (0, 1):
        (ours, places), (expected, wanted) = (_written(bytes(made.pdf), page) for made in (once, twice))
        assert sorted(ours) == sorted(expected) and f"of table {page + 1}" in ours
        assert places == pytest.approx(wanted, abs=0.01)


def _written(pdf: bytes, page: int) -> tuple[list[str], tuple[float, ...]]:
    """Return the lines of a page, and the box of the first letter of the text inside a figure."""
    texts = pypdfium2.PdfDocument(pdf)[page].get_textpage()
    whole = texts.get_text_range()
    return whole.splitlines(), texts.get_charbox(whole.index("of table"))


def test_transparent_inks_are_named_in_every_body() -> None:
    sheet = Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": SQUARE})
    pdf = bytes(print_bundles([Bundle(same("Table 1"), (kit(sheet),))], TITLE, print_options()).pdf)
    with pikepdf.open(io.BytesIO(pdf)) as read:
        body = read.pages[0].Contents[0].read_bytes()
        used = {name.decode() for name in re.findall(rb"(/\w+) gs\b", body)}
        assert used == set(read.pages[0].Resources.ExtGState.keys()) == {"/ca40", "/CA40"}


def test_a_printers_doings_are_made_up_for() -> None:
    printer = Printer(scale=98.0)
    pdf = bytes(print_bundles(bundles(1), TITLE, print_options(printer=printer)).pdf)
    assert pdf != bytes(print_bundles(bundles(1), TITLE, print_options()).pdf)
    assert preflight(pdf, "a4", None, enlargement=printer.grown) == []


def test_every_copy_of_a_page_is_read_aloud_with_its_own_heading() -> None:
    pdf = bytes(print_bundles(bundles(3), TITLE, print_options()).pdf)
    found = read_aloud(pdf)
    assert not found.faults
    sections = [line.title for line in found.lines if line.kind == "Sect" and line.depth == 1]
    assert sections == ["Table 1", "Table 2", "Table 3"]
    heads = [line.text for line in found.lines if line.kind == "H1" and line.text.startswith("The Ford")]
    assert heads == 3 * [f"The Ford <at> Dawn & Dusk · {name}" for name in ("Rules", "Map")]
    assert found.text.count("Woods block.") == 3


def test_an_excerpt_has_no_words_of_other_pages() -> None:
    drawings = [Picture(50, 20, (), alt=same(f"a plan of table {n}")) for n in (1, 2, 3)]
    kits = [
        kit(Sheet("map", same(f"Map {n}"), "demo/figure.xml", {}, {"map": one})) for n, one in enumerate(drawings, 1)
    ]
    made = print_bundles([Bundle(same(f"Table {n}"), (of,)) for n, of in enumerate(kits, 1)], TITLE, print_options())
    part = excerpt(bytes(made.pdf), [range(2, 3)])
    found = read_aloud(part)
    assert not found.faults and found.figures == ["a plan of table 2"]
    with pikepdf.open(io.BytesIO(part)) as pdf:
        out = io.BytesIO()
        pdf.save(
            out,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            stream_decode_level=pikepdf.StreamDecodeLevel.all,
        )
    for words in ("a plan of table ", "Map ", "Table "):
        assert {match[-1:] for match in re.findall(re.escape(words.encode()) + rb"\d", out.getvalue())} == {b"2"}
