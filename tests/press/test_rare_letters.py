"""Tests that rare letters are added from the installed fonts when a text needs them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from msgspec.structs import replace

from generator.model.picture import Picture, Text
from generator.model.words import Lang, same
from generator.notation.text import SELECTOR, common_letters, printable, unprinted_fault, unprinted_letters, variants
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import embedding, fonts, glyphs, letters, system_fonts
from generator.press.pdf import typecase as typefounding
from generator.press.pdf.canvas import picture_pdf
from generator.press.pdf.letters import MIXES
from generator.press.svg import svg
from tests.press.kits import TEMPLATES, kit, record

ROOT = Path(__file__).parents[2]
NAMES = ["𠮷田 太郎", "森鷗外", "김철수", "邓小平", "葛󠄀城 邉󠄂", "Ἀθηνᾶ", "ɐɓ", "𩸽 𠀋", "ㅋㅋ 한글"]
REFUSED = ["😀", "กขค", "محمد", "אבג", "ქართული", "हिन्दी", "q\u0303", "A\U000e0100", "\u3164", "\u1100\u1161\u11f0"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an empty cache in a simulated new process."""
    monkeypatch.setattr(typefounding, "cache_folder", lambda: tmp_path)
    begin_process(monkeypatch)
    yield tmp_path / "fonts"
    monkeypatch.undo()
    fonts.register("en")


def begin_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the fonts that a process has loaded."""
    monkeypatch.setattr(typefounding, "_cases", {})
    monkeypatch.setattr(typefounding, "_adopted", {})
    monkeypatch.setattr(fonts, "_embedded_fonts", {})
    glyphs.glyph.cache_clear()


def picture(text: str, bold: bool = False) -> Picture:
    return Picture(200, 10, (Text(1, 1, text, 8, bold=bold),))


def first_page_text(pdf: bytes) -> str:
    """Return the text of the first page of a PDF."""
    text: str = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    return text


def dark_pixels(pdf: bytes) -> int:
    """Return the number of dark pixels on the first page of a PDF."""
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=2).to_pil().convert("L")
    return sum(page.histogram()[:128])


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", NAMES)
def test_it_prints_in_both_languages_and_weights_and_is_copied_as_it_was_typed(
    name: str, lang: Lang, bold: bool
) -> None:
    assert unprinted_fault(name) == ""
    pdf = picture_pdf(picture(name, bold), lang)
    assert first_page_text(pdf) == name
    assert dark_pixels(pdf) > 20 > dark_pixels(picture_pdf(picture(" ", bold), lang)) == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_kit_with_such_a_title_passes_preflight_and_fits(lang: Lang) -> None:
    title = "鷗杯 김철수・𠮷田 葛󠄀城"
    pdf = print_kit(
        replace(kit(replace(record(), side=same(title))), title=same(title)), PrintSettings(lang, templates=TEMPLATES)
    )
    assert preflight(pdf, "a4", lang) == []
    assert title in first_page_text(pdf)


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused_does_not_print_and_is_named(text: str) -> None:
    lacking = unprinted_letters(text)
    assert lacking and f"U+{ord(lacking[0]):04X}" in unprinted_fault(text)
    for lang in ("en", "ja"):
        with pytest.raises(embedding.NoGlyphError, match=r"U\+"):
            picture_pdf(picture(text), lang)


def test_the_check_of_names_and_the_fonts_agree_on_every_letter() -> None:
    fonts.register("ja")
    for weight in MIXES:
        case = typefounding.typecase("japanese", weight)
        with letters.letters("japanese", weight) as drawn:
            here = {chr(code) for code in drawn.names if typefounding.stands_alone(chr(code))}
            assert printable() - {"\n"} == here | common_letters() - {"\n"}
            assert {drawn.glyph_name(letter) for letter in here} <= {*drawn.glyphs}
            pairs = [letter + selector for selector, of in variants().items() for letter in of]
            chosen = random.Random(1).sample(sorted(pairs), 60)
            assert all(map(drawn.glyph_name, chosen))
        rare = random.Random(2).sample(sorted(printable() - common_letters()), 60)
        assert case.take_in([*rare, *chosen]).keys() == {*rare, *chosen}


def test_any_letter_is_accepted_and_printed_or_refused_by_both() -> None:
    fonts.register("ja")
    for code in random.Random(3).sample(range(0x80, 0x30000), 400):
        if not 0xD800 <= code < 0xE000:
            assert fonts.missing_characters(chr(code)) == unprinted_letters(chr(code)), hex(code)


def test_a_first_measure_is_that_of_every_later_one(cache: Path) -> None:
    fonts.register("ja")
    fonts.width.cache_clear()
    first = [fonts.width("김", 10), fonts.width("葛󠄀", 10), fonts.width("葛", 10)]
    picture_pdf(picture("김 葛󠄀"), "ja")
    fonts.width.cache_clear()
    assert (
        first == [fonts.width("김", 10), fonts.width("葛󠄀", 10), fonts.width("葛", 10)] == pytest.approx([9.2, 10, 10])
    )


def test_pages_without_such_letters_keep_their_bytes_whatever_was_printed_before(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = picture_pdf(picture("丘の戦い"), "ja")
    rare = picture_pdf(picture("김철수 𠮷 丘 葛󠄀"), "ja")
    assert picture_pdf(picture("丘の戦い"), "ja") == cold
    for file in cache.iterdir():
        file.unlink()
    begin_process(monkeypatch)
    picture_pdf(picture("𠮷 鷗 葛󠄀 수"), "ja")
    assert picture_pdf(picture("김철수 𠮷 丘 葛󠄀"), "ja") == rare
    assert picture_pdf(picture("丘の戦い"), "ja") == cold


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that records each opening of a font source."""
    opened: list[str] = []
    opening = letters._open_sources

    def noted(taken: tuple[letters.Source, ...], weight: system_fonts.Weight) -> Any:
        opened.append(weight)
        return opening(taken, weight)

    letters._close()
    monkeypatch.setattr(letters, "_open_sources", noted)
    return opened


def test_the_cache_keeps_what_a_document_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = picture_pdf(picture("김 葛󠄀"), "ja")
    begin_process(monkeypatch)
    opened = counted(monkeypatch)
    assert picture_pdf(picture("김 葛󠄀"), "ja") == cold
    assert opened == []


def test_a_hundred_documents_each_with_another_letter_open_the_fonts_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = counted(monkeypatch)
    for code in range(0xAC00, 0xAC64):
        assert first_page_text(picture_pdf(picture(f"丘 {chr(code)}"), "ja")) == f"丘 {chr(code)}"
    assert opened == ["regular"] or sorted(opened) == ["bold", "regular"]


def test_two_processes_keep_each_other_s_letters(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fonts.register("ja")
    one = typefounding.typecase("japanese", "regular")
    monkeypatch.setattr(typefounding, "_cases", {})
    other = typefounding.typecase("japanese", "regular")
    assert one is not other
    for case, letter in ((one, "𠮷"), (other, "葛󠄀"), (one, "鷗")):
        assert case.take_in([letter])
        case.outlines_of({})
    content = typefounding._read_cache(one.path)
    assert content and content.rare.keys() == {"𠮷", "葛󠄀", "鷗"}


def test_a_cache_that_cannot_be_written_to_costs_time_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = picture_pdf(picture("김 葛󠄀"), "en")
    for file in cache.iterdir():
        file.unlink()
    cache.rmdir()
    cache.write_text("a file where the folder should be")
    begin_process(monkeypatch)
    assert picture_pdf(picture("김 葛󠄀"), "en") == cold


SCRIPT = """
import sys
from generator.press.pdf.canvas import picture_pdf
from generator.model.picture import Picture, Text
text = "".join(map(chr, range(0xAC00, 0xAC50)))
sys.stdout.buffer.write(picture_pdf(Picture(3000, 10, (Text(1, 1, text, 8),)), "ja"))
"""


def test_processes_that_start_at_once_print_the_same(tmp_path: Path) -> None:
    environment = os.environ | {"MUSTER_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}

    def begin() -> subprocess.Popen[bytes]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, **pipes)  # type: ignore[call-overload,no-any-return]

    done = [process.communicate() for process in [begin(), begin()]]
    done.append(begin().communicate())
    assert {err for _, err in done} == {b""}
    assert len({out for out, _ in done}) == 1 and done[0][0].startswith(b"%PDF-")


def test_pictures_draw_them_as_outlines(cache: Path) -> None:
    drawn = svg(picture("𠮷 葛󠄀 葛 김", bold=True), "ja").decode()
    assert all(f'id="b{key}"' in drawn for key in ("20bb7", "845b-e0100", "845b", "ae40"))
    assert glyphs.glyph("葛󠄀", "bold").path != glyphs.glyph("葛", "bold").path
    assert glyphs.glyph("김", "regular").advance == 920


def test_a_selector_that_a_line_end_parts_from_its_letter_stops_nothing() -> None:
    fonts.register("ja")
    assert first_page_text(picture_pdf(picture("\U000e0100葛"), "ja")) == "葛"
    assert fonts.width("\U000e0100", 10) == 0


def test_a_letter_and_its_selector_stay_on_one_line() -> None:
    from generator.press.layout.line_breaks import unbreakable_units

    assert [*unbreakable_units("葛󠄀城")] == ["葛󠄀", "城"]


def test_the_list_of_variants_has_a_selector_on_each_line() -> None:
    import re

    assert all(re.fullmatch(SELECTOR, selector) and of for selector, of in variants().items())
    assert sum(map(len, variants().values())) > 14_000
