"""Prints are tagged PDFs: they are read aloud in order, with a language and a description of every link and field."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image, ImageCms

from generator import games
from generator.model.picture import Picture, Text
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import LANGS, Lang, same
from generator.press.book import print_kit
from generator.press.booklet import print_booklet
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.archive import srgb_profile
from generator.press.pdf.languages import split_languages
from generator.rules import check
from tests.press.kits import TEMPLATES, kit, kit_of, plain, record
from tests.press.read_aloud import Reading, read_aloud
from tests.prove.parts.tagged import pdfua_findings


def reading(*sheets: Sheet, lang: Lang = "en", fillable: bool = False) -> Reading:
    found = read_aloud(print_kit(kit(*sheets), PrintSettings(lang, templates=TEMPLATES, fillable=fillable)))
    assert not found.faults
    return found


def texts(found: Reading, kind: str) -> list[str]:
    return [line.text for line in found.lines if line.kind == kind]


@cache
def game_pdf(name: str, lang: Lang, fillable: bool) -> bytes:
    return print_kit(kit_of(name), PrintSettings(lang, fillable=fillable))


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize(("lang", "fillable"), [("en", True), ("ja", False)])
def test_every_mark_link_and_field_of_a_kit_has_its_element(name: str, lang: Lang, fillable: bool) -> None:
    found = read_aloud(game_pdf(name, lang, fillable))
    assert not found.faults
    assert found.count("Sect") == found.count("H1") >= 5
    assert found.count("Table") and found.count("L") and (found.count("Form") > 100) == fillable


@pytest.mark.parametrize("name", games.names())
def test_pdfua_finds_no_fault_in_a_kit(name: str) -> None:
    assert pdfua_findings(game_pdf(name, "en", True)) == []


def test_a_kit_declares_its_title_language_and_colours() -> None:
    with pikepdf.open(io.BytesIO(game_pdf("battling", "ja", False))) as pdf:
        assert pdf.pdf_version == "1.7" and str(pdf.Root.Lang) == "ja"
        with pdf.open_metadata() as metadata:
            assert metadata["pdfuaid:part"] == "1" and metadata["dc:language"] == {"ja"}
            assert metadata["dc:title"] == str(pdf.docinfo["/Title"])
            assert not any("Date" in key for key in metadata)
        intent = pdf.Root.OutputIntents[0]
        assert intent.DestOutputProfile.read_bytes() == srgb_profile()


def test_the_profile_has_the_colours_of_srgb() -> None:
    ours = ImageCms.ImageCmsProfile(io.BytesIO(srgb_profile()))
    image = Image.new("RGB", (16, 16))
    image.putdata([(17 * n % 256, 53 * n % 256, n) for n in range(256)])
    converted = ImageCms.profileToProfile(image, ours, ImageCms.createProfile("sRGB"))
    assert converted is not None
    pairs = zip(image.tobytes(), converted.tobytes(), strict=True)
    assert max(abs(before - after) for before, after in pairs) <= 1


def test_equal_kits_have_equal_bytes() -> None:
    printed = [print_kit(kit(record()), PrintSettings("en", templates=TEMPLATES, fillable=True)) for _ in range(2)]
    assert printed[0] == printed[1]


def test_a_sheet_begins_with_its_name_and_the_first_ends_with_the_notice() -> None:
    found = reading(record(), plain("Some words."))
    sections = [at for at, line in enumerate(found.lines) if line.kind == "Sect"]
    assert [found.lines[at].title for at in sections] == ["Record sheet · Pennant", "Rules"]
    assert [found.lines[at + 1].text for at in sections] == ["Record sheet · Pennant", "Rules"]
    assert [line.text.startswith("unofficial") for line in found.lines[: sections[1]]][-1]
    assert found.text.count("unofficial") == 1


def test_foot_lines_are_read_and_drawn_first_with_the_notes_of_each_sheet() -> None:
    kit = kit_of("travel_battle").whole.only(("tokens", "board"))
    found = read_aloud(print_kit(kit, PrintSettings("en")))
    assert not found.faults
    sections = [at for at, line in enumerate(found.lines) if line.kind == "Sect"]
    assert len(sections) >= 3
    noted = 0
    for at in sections:
        assert found.lines[at + 1].kind == "H1" and found.lines[at].title in found.lines[at + 1].text
        noted += found.lines[at + 2].text.startswith("House content")
    assert noted and found.text.count("unofficial") == 1


def test_words_at_the_end_of_a_line_are_not_joined() -> None:
    long = " ".join(["stone"] * 80)
    assert long in texts(reading(plain(long)), "P")


def test_a_paragraph_and_a_table_on_two_pages_are_each_one_element() -> None:
    words = " ".join(f"word{n}" for n in range(1000))
    assert words in texts(reading(plain(words, words, "short", pages=3)), "P")
    found = reading(replace(record(units=70), pages=4))
    assert found.count("Table") == 1 and found.count("TR") == 71
    assert texts(found, "TH").count("Dice") == 1


def test_a_row_of_numbers_below_column_headings_has_no_heading_of_its_own() -> None:
    game, code = games.load("blind_faith"), "28AAK-00V89"  # a battle
    scenario = game.draw(Request(code, {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, "muster kit").only(("odds",))
    found = read_aloud(print_kit(kit, PrintSettings("en")))
    numbers = re.compile(r"\d+\.\d+")
    assert not list(filter(numbers.fullmatch, texts(found, "TH")))
    assert list(filter(numbers.fullmatch, texts(found, "TD")))


def test_words_of_the_other_language_are_marked() -> None:
    """The reader reports a word whose language is not that of the words around it."""
    english = plain("織田 信長 holds A1 with 弓兵.", "The bow, ゆみ.")
    assert "織田 信長 holds A1" in reading(english).text
    code = "K7Q2M-9FHN5"
    japanese = plain(f"弓兵はSpecialistカード1枚、{code}とA1。", "muster kit blind_faith", "丘のLore onlyと丘")
    found = reading(japanese, lang="ja")
    assert "弓兵はSpecialistカード" in found.text
    pdf = print_kit(kit(japanese), PrintSettings("ja", templates=TEMPLATES))
    with pikepdf.open(io.BytesIO(pdf)) as document:
        content = b" ".join(one.read_bytes() for one in document.pages[0].Contents)
    assert content.count(b"/Span <</Lang (en)>> BDC") >= 3


@pytest.mark.parametrize(
    ("text", "lang", "others"),
    [
        ("28AAK-00V89 · Blind Faith · このシナリオの駒", "ja", ["Blind Faith"]),
        ("作成：muster kit battlelore --seed 28AAK-00V89", "ja", ["muster kit battlelore --seed 28AAK-00V89"]),
        ("A3（リプニツェ）でのC1対H1の確率、HP 4", "ja", []),
        ("「Lore only」のカード", "ja", ["Lore only"]),
        ("Café · 織田 at A1", "en", ["織田"]),
        ("No word of the other language", "en", []),
    ],
)
def test_languages_of_a_text(text: str, lang: Lang, others: list[str]) -> None:
    parts = split_languages(text, lang)
    assert "".join(part for part, _ in parts) == text
    assert [part for part, of in parts if of != lang] == others


def test_a_description_in_the_other_language_has_this_language() -> None:
    drawn = Picture(30, 20, (Text(2, 2, "蝋", 9.0),), alt=same("蝋の印章"))
    sheet = Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": drawn})
    pdf = print_kit(kit(sheet), PrintSettings("en", templates=TEMPLATES))
    assert not read_aloud(pdf).faults
    with pikepdf.open(io.BytesIO(pdf)) as document:
        figures = [
            one for one in document.objects if isinstance(one, pikepdf.Dictionary) and one.get("/S") == "/Figure"
        ]
        assert [str(figure.Lang) for figure in figures] == ["ja"]


def print_evening(of: Kit, settings: PrintSettings) -> bytes:
    return print_booklet(of, (), settings)


@pytest.mark.parametrize("make", [print_kit, print_evening])
def test_a_print_of_some_parts_has_only_their_words_and_elements(
    make: Callable[[Kit, PrintSettings], bytes],
) -> None:
    """No byte of a part that is left out is in the file, such as the alternative text of its map."""
    drawings = [Picture(50, 20, (), alt=same(f"a plan of sheet {n}")) for n in (1, 2, 3)]
    sheets = [
        Sheet(f"part{n}", same(f"Map {n}"), "demo/figure.xml", {}, {"map": one}) for n, one in enumerate(drawings, 1)
    ]
    whole = kit(*sheets)
    everything = read_aloud(make(whole, PrintSettings("en", templates=TEMPLATES))).figures
    assert [alt for alt in everything if "plan" in alt] == [f"a plan of sheet {n}" for n in (1, 2, 3)]
    pdf = make(whole.only(("part2",)), PrintSettings("en", templates=TEMPLATES))
    found = read_aloud(pdf)
    assert not found.faults
    # A booklet also has empty pages with lines to write on.
    assert [alt for alt in found.figures if not alt.startswith("Notes")] == ["a plan of sheet 2"]
    assert [line.title for line in found.lines if line.title.startswith("Map")] == ["Map 2"]
    with pikepdf.open(io.BytesIO(pdf)) as document:
        elements = [
            one for one in document.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one and "/P" in one
        ]
        assert len(elements) == len(found.lines)
        out = io.BytesIO()
        document.save(
            out,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            stream_decode_level=pikepdf.StreamDecodeLevel.all,
        )
    for words in ("a plan of sheet ", "Map "):
        assert {match[-1:] for match in re.findall(re.escape(words.encode()) + rb"\d", out.getvalue())} == {b"2"}


def test_a_preview_is_not_tagged() -> None:
    preview = print_kit(kit(record()), PrintSettings("en", templates=TEMPLATES), packed=False)
    assert read_aloud(preview).faults == ["the document is not tagged"]


def test_the_reader_finds_what_is_wrong() -> None:
    good = print_kit(kit(record()), PrintSettings("en", templates=TEMPLATES, fillable=True))

    def faults(change: object) -> list[str]:
        with pikepdf.open(io.BytesIO(good)) as pdf:
            change(pdf)  # type: ignore[operator]
            out = io.BytesIO()
            pdf.save(out)
        return read_aloud(out.getvalue()).faults

    def lose_owner(pdf: pikepdf.Pdf) -> None:
        leaf = pdf.Root.StructTreeRoot.ParentTree.Kids[0]
        leaf.Nums[1] = pikepdf.Array(list(leaf.Nums[1])[:-1])

    def lose_description(pdf: pikepdf.Pdf) -> None:
        del pdf.pages[0].Annots[0].TU

    def draw_more(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].contents_add(b"0 0 10 10 re f")

    def nest(pdf: pikepdf.Pdf) -> None:
        content = pdf.pages[0].Contents
        pdf.pages[0].Contents = pdf.make_stream(
            b"/Artifact BMC " + b" ".join(one.read_bytes() for one in content) + b" EMC"
        )

    assert not faults(lambda pdf: None)

    def draw_in_another_order(pdf: pikepdf.Pdf) -> None:
        content = b" ".join(one.read_bytes() for one in pdf.pages[0].Contents)
        marks = re.findall(rb"/TH <</MCID \d+>> BDC", content)
        swapped = content.replace(marks[0], b"first").replace(marks[1], marks[0]).replace(b"first", marks[1])
        pdf.pages[0].Contents = pdf.make_stream(swapped)

    def lose_language(pdf: pikepdf.Pdf) -> None:
        pdf.Root.StructTreeRoot.K.Lang = pikepdf.String("ja")

    for change in (lose_language, lose_owner, lose_description, draw_more, nest, draw_in_another_order):
        assert faults(change), change.__name__


@pytest.mark.parametrize(
    ("alt", "expected"), [("", None), ("a seal", "a seal"), (None, "Picture with the texts wax.")]
)
def test_a_picture_is_read_by_its_words(alt: str | None, expected: str | None) -> None:
    drawn = Picture(30, 20, (Text(2, 2, "wax", 9.0),), alt=None if alt is None else same(alt))
    sheet = Sheet("map", same("Map"), "demo/figure.xml", {}, {"map": drawn})
    found = read_aloud(print_kit(kit(sheet), PrintSettings("en", templates=TEMPLATES)))
    assert found.figures == ([expected] if expected else [])
    assert found.faults == ([] if expected else ["page 1: never read: wax"])


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("lang", LANGS)
def test_a_cover_is_read_from_its_title_and_describes_its_map_once(name: str, lang: Lang) -> None:
    found = read_aloud(game_pdf(name, lang, lang == "en"))
    end = [at for at, line in enumerate(found.lines) if line.kind == "Sect"][1]
    cover = found.lines[:end]
    title = next(at for at, line in enumerate(cover) if line.kind == "H1")
    maps = [at for at, line in enumerate(cover) if line.kind == "Figure" and len(line.alt) > 300]
    assert title < min(maps)
    assert all(line.kind != "Figure" for line in cover[:title])
