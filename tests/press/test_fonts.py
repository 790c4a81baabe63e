from __future__ import annotations

import io
import string
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from msgspec.structs import replace
from pypdfium2.raw import FPDF_PAGEOBJ_TEXT

from generator.errors import DataError
from generator.model.picture import Picture, Text
from generator.model.words import Lang, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf import typecase as typefounding
from generator.press.pdf.canvas import picture_pdf
from generator.press.pdf.glyphs import glyph
from generator.press.pdf.letters import Coverage, letters
from generator.press.pdf.system_fonts import Weight
from generator.press.pdf.typecase import SYMBOLS, typecase
from tests.press.kits import TEMPLATES, kit, record

EXTENDED_A = "".join(chr(code) for code in range(0x100, 0x180) if chr(code) != "ſ")
"""The Unicode block without the long s, which the fonts lack and modern names do not use."""
BESIDE = "ďľłŀĐĦ"
"""Letters with extra strokes next to their base letter instead of above or below."""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_we_print_has_glyphs(lang: str) -> None:
    fonts.register("ja" if lang == "ja" else "en")
    assert fonts.missing_characters(SYMBOLS + EXTENDED_A + "AéȘșȚț") == []


@pytest.mark.parametrize("coverage", ["latin", "japanese"])
@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_letters_of_europe_are_drawn_and_as_wide_as_their_base(coverage: Coverage, weight: Weight) -> None:
    from fontTools.ttLib import TTFont

    compared = 0
    case = typecase(coverage, weight)
    with TTFont(io.BytesIO(case.font)) as font:
        names, widths = font.getBestCmap(), font["hmtx"]
        numbers = {font.getGlyphID(names[ord(letter)]): ord(letter) for letter in EXTENDED_A + "ȘșȚț"}
        assert case.whole or all(case.outlines_of(numbers).values())
        for letter in EXTENDED_A + "ȘșȚț":
            assert glyph(letter, weight).path, letter
            base, with_, _ = unicodedata.name(letter).partition(" WITH ")
            if with_:
                share = widths[names[ord(letter)]][0] / widths[names[ord(unicodedata.lookup(base))]][0]
                assert (1 < share < 1.6) if letter in BESIDE else share == pytest.approx(1, abs=0.011), letter
                compared += 1
    assert compared == 122


@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_added_letters_have_the_size_and_weight_of_those_they_stand_among(weight: Weight) -> None:
    from fontTools.pens.boundsPen import BoundsPen

    def box(glyph: Any) -> tuple[float, ...]:
        pen = BoundsPen(None)
        glyph.draw(pen)
        found: tuple[float, ...] = pen.bounds
        return found

    with letters("latin", weight) as drawn:
        for letter in string.ascii_letters:
            noto, added = drawn.glyphs[drawn.names[ord(letter)]], drawn.glyphs[f"1/{letter}"]
            assert type(noto) is not type(added)
            assert added.width == pytest.approx(noto.width, abs=2)
            assert box(added) == pytest.approx(box(noto), abs=4)


@pytest.mark.parametrize(("lang", "family"), [("en", "MusterLatin"), ("ja", "MusterJapanese")])
def test_letters_of_europe_print_in_both_weights_and_are_found(lang: Lang, family: str) -> None:
    names = "Žižka, Dvořák, Łęski, Şahin, Kőszegi"
    pdf = print_kit(
        replace(kit(replace(record(), side=same(names))), title=same(names)), PrintSettings(lang, templates=TEMPLATES)
    )
    assert preflight(pdf, "a4", lang) == []
    page = pypdfium2.PdfDocument(pdf)[0]
    words = page.get_textpage()
    assert names in words.get_text_range()
    # A line can be cut into several texts, because a font is embedded in parts of 256 letters.
    texts = page.get_objects((FPDF_PAGEOBJ_TEXT,), textpage=words)
    found = {text.get_font().get_base_name() for text in texts if set("ŽřŁŞő") & set(text.extract())}
    assert found == {f"{family}-Regular", f"{family}-Bold"}


@pytest.mark.parametrize("title", ["Гетьман Ґалаґан", "Ελευθέριος", "Nguyễn"])
def test_rarer_letters_come_from_the_larger_fonts(title: str) -> None:
    fonts.register("en")
    assert fonts.missing_characters(title)
    fonts.register("ja")
    assert fonts.missing_characters(title) == []


def test_japanese_needs_the_japanese_fonts() -> None:
    fonts.register("en")
    assert fonts.missing_characters("丘の丘") == ["丘", "の"]
    fonts.register("ja")
    assert fonts.missing_characters("丘と﨑") == []
    assert fonts.width("丘", 10) == pytest.approx(10)


def test_a_missing_glyph_is_an_error_that_names_text_and_code_point() -> None:
    picture = Picture(30, 10, (Text(1, 1, "unit \U0001f600", 8),))
    with pytest.raises(DataError, match=r"U\+1F600 .* 'unit "):
        picture_pdf(picture, "en")


def test_settings_files_and_variables_do_not_reach_reportlab_in_a_process_of_ours(tmp_path: Path) -> None:
    for name in ("settings", "mods"):
        (tmp_path / f"reportlab_{name}.py").write_text("raise SystemExit('executed')\n")
        (tmp_path / f".reportlab_{name}").write_text("raise SystemExit('executed')\n")
    code = "from generator import process; process.take_over(); from generator.press.pdf import fonts; "
    code += "from reportlab import rl_config; print(rl_config.pageCompression)"
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "RL_pageCompression": "0", "PYTHONPATH": f"{tmp_path}:{root}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("1\n", "")


def test_founding_fonts_tells_of_it_and_happens_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typefounding, "cache_folder", lambda: tmp_path)
    progress: list[tuple[int, int]] = []

    def count_progress(done: int, of: int) -> None:
        progress.append((done, of))

    first = typefounding.typecase("latin", "bold", count_progress)
    count = len(progress)
    assert count == progress[0][1] and [done for done, _ in progress] == list(range(count))
    content = first.path.read_bytes()
    monkeypatch.setattr(typefounding, "_cases", {})
    assert typefounding.typecase("latin", "bold", count_progress).font == first.font
    assert len(progress) == count
    first.path.unlink()
    monkeypatch.setattr(typefounding, "_cases", {})
    assert typefounding.typecase("latin", "bold").path.read_bytes() == content
