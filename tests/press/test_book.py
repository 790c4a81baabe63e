from __future__ import annotations

import ctypes
import io
import os
import subprocess
import sys
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from unittest.mock import MagicMock

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from msgspec.structs import replace

from generator import games
from generator.errors import DataError, DoesNotFitError, WrongUsageError
from generator.model.picture import Path as Outline
from generator.model.scenario import Request
from generator.model.words import LANGS, Lang, Words
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout import marks
from generator.press.layout.furniture import furniture
from generator.press.layout.paper import Paper, papers
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.fonts import register
from generator.rules import check
from tests.press.kits import TEMPLATES, kit, plain, record

A4 = (595.276, 841.89)


def printed(*sheets: object, lang: Lang = "en", paper: str = "a4") -> bytes:
    return print_kit(kit(*sheets), PrintSettings(lang, paper, templates=TEMPLATES))  # type: ignore[arg-type]


def text(pdf: bytes, page: int = 0) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return str(document[page].get_textpage().get_text_range())
    finally:
        document.close()


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_preflight_has_nothing_to_say(lang: Lang, paper: str) -> None:
    assert preflight(printed(record(), record(3), lang=lang, paper=paper), paper, lang) == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_font_is_embedded(lang: Lang) -> None:
    with pikepdf.open(io.BytesIO(printed(lang=lang))) as pdf:
        fonts = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
        assert fonts
        assert all("/FontFile2" in font.FontDescriptor for font in fonts)
        assert all("+Muster" in str(font.BaseFont) for font in fonts)


def test_page_sizes_are_exact_and_turn() -> None:
    with pikepdf.open(io.BytesIO(printed(record(), plain(landscape=True)))) as pdf:
        sizes = [tuple(round(float(n), 3) for n in page.mediabox) for page in pdf.pages]
    assert sizes == [(0, 0, *A4), (0, 0, *reversed(A4))]
    with pikepdf.open(io.BytesIO(printed(paper="letter"))) as pdf:
        assert [float(n) for n in pdf.pages[0].mediabox] == [0, 0, 612, 792]


def test_the_document_says_what_it_is() -> None:
    with pikepdf.open(io.BytesIO(printed(record(), record(), lang="ja"))) as pdf:
        root = pdf.Root
        assert str(root.Lang) == "ja"
        assert root.ViewerPreferences.PrintScaling == "/None"
        assert str(pdf.docinfo["/Title"]) == "Demo · 浅瀬の＜夜明け＞ & 夕暮れ"
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["記録シート"]
            assert [item.title for item in outline.root[0].children] == ["記録シート · ペナント"] * 2


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [
        ("en", ["Demo · The Ford <at> Dawn & Dusk", "Record sheet · Pennant", "page 2 of 2", "unofficial"]),
        ("ja", ["Demo · 浅瀬の＜夜明け＞ & 夕暮れ", "記録シート · ペナント", "2 / 2 ページ", "非公式"]),
    ],
)
def test_header_and_footer_read_back(lang: Lang, wanted: list[str]) -> None:
    read = text(printed(record(), record(), lang=lang), 1)
    for words in [*wanted, "K7Q2M-9FHN5"]:
        assert words in read


@pytest.mark.parametrize("paper", papers().values(), ids=papers())
def test_a_head_of_any_names_and_titles_is_cut_nowhere(paper: Paper) -> None:
    register("ja")
    line = MagicMock()
    names = ["W" * 80, "無" * 80, "m" * 80, "※" * 80, "-".join(["Anna"] * 16), "Jo " * 26 + "Jo", "Ito"]
    rng = Random(1)
    for _ in range(300):
        a, b = rng.sample(names, 2)
        title = " ".join("word"[: rng.randint(1, 4)] * rng.randint(1, 4) for _ in range(rng.randint(1, 9)))[:60]
        above = f"Round {rng.randint(1, 50)} · Table {rng.randint(1, 9999)} · {a} – {b}", f"{title} · Result slip"
        line.reset_mock()
        furniture(paper, False, above, ("K7Q2M-9FHN5", "unofficial", "page 1 of 5")).write(line)
        *drawn, _, _, _ = (call.args[2] for call in line.text.call_args_list)
        found = "".join("".join(drawn).split())
        assert found in {"".join(whole.split()) for whole in ("".join(above), " · ".join(above))}


def test_a_cover_bears_its_title_and_no_running_head() -> None:
    cover, sheet = (replace(record(), part=part) for part in ("cover", "records"))
    heads = [text(printed(cover, sheet), page).count("The Ford <at> Dawn & Dusk") for page in (0, 1)]
    assert heads == [0, 1]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_warning_stands_on_every_page(lang: Lang) -> None:
    warned = replace(kit(record(), record()), warning=Words("NOT LEGAL", "規則違反あり"))
    pdf = print_kit(warned, PrintSettings(lang, templates=TEMPLATES))
    assert preflight(pdf, "a4", lang) == []
    assert all(str(warned.warning and warned.warning[lang]) in text(pdf, page) for page in (0, 1))


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "import hashlib; from tests.press.kits import *; from generator.press.book import print_kit;"
        "from generator.press.layout.print_settings import PrintSettings;"
        "print(hashlib.sha256(print_kit(kit(), PrintSettings('ja', templates=TEMPLATES))).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == sha256(printed(lang="ja")).hexdigest()


def heights(pdf: bytes) -> list[float]:
    """Return the font sizes on the first page, in points."""
    size = ctypes.c_float()
    document = pypdfium2.PdfDocument(pdf)
    found = []
    for item in document[0].get_objects([pdfium.FPDF_PAGEOBJ_TEXT]):
        pdfium.FPDFTextObj_GetFontSize(item, size)
        found.append(round(size.value * item.get_matrix().a, 2))
    document.close()
    return found


BODY = "A hill blocks the line of fire from hill to hill. " * 6


def test_type_shrinks_before_a_sheet_is_refused() -> None:
    full = heights(printed(plain(*[BODY] * 12)))
    small = heights(printed(plain(*[BODY] * 15)))
    assert 9 in full
    assert 9 not in small
    assert min(small) >= 7
    expected = (
        r'demo/plain.xml: the sheet "Rules" does not fit on one page; '
        r"the text overflows at \'(Rule \d+|A hill blocks)"
    )
    with pytest.raises(DoesNotFitError, match=expected):
        printed(plain(*[BODY] * 40))


def test_a_sheet_may_take_several_pages_and_no_heading_is_left_alone() -> None:
    pdf = printed(plain(*[BODY] * 45, pages=4))
    count = len(pypdfium2.PdfDocument(pdf))
    assert 2 < count <= 4
    for page in range(count):
        assert not text(pdf, page).strip().splitlines()[-1].startswith("Rule ")


def test_type_shrinks_a_little_where_that_saves_a_page_and_not_at_all_where_it_does_not() -> None:
    saved, kept = (printed(plain(*[BODY] * n, pages=4, rather=1)) for n in (14, 45))
    assert len(pypdfium2.PdfDocument(printed(plain(*[BODY] * 14, pages=4)))) == 2
    assert len(pypdfium2.PdfDocument(saved)) == 1
    assert 9 not in heights(saved)
    assert 9 in heights(kept)


def test_a_missing_glyph_names_the_sheet() -> None:
    with pytest.raises(DataError, match=r"demo/record.xml: no font has the characters U\+1F40C '🐌'"):
        printed(record(strong=Words("the 🐌", "丘")))


def test_an_unknown_paper_gets_a_near_match() -> None:
    with pytest.raises(WrongUsageError, match="did you mean letter"):
        printed(paper="leter")


def test_the_ruler_is_exact() -> None:
    upper, lower = (item for item in marks.draw_ruler().items[:2] if isinstance(item, Outline))
    assert [step[1] for step in upper.steps] == [2, 102]
    assert [step[1] for step in lower.steps] == pytest.approx([2, 103.6])
    document = pypdfium2.PdfDocument(printed(plain()))
    widths = [right - left for left, _, right, _ in (o.get_bounds() for o in document[0].get_objects())]
    document.close()
    for mm in (100, 101.6):
        # PDFium adds half the pen width on each side.
        assert any(width / 72 * 25.4 - 2 * 0.25 == pytest.approx(mm, abs=0.01) for width in widths)


def test_a_japanese_name_prints_in_an_english_kit() -> None:
    assert printed(record(strong=Words("the 丘", "丘"))).startswith(b"%PDF")


@pytest.mark.parametrize(("name", "lang"), list(product(games.names(), LANGS)))
def test_a_cover_has_room_for_a_command_that_names_all_parts(name: str, lang: Lang) -> None:
    game, code = games.load(name), "28AAK-00V89"
    scenario = game.draw(Request(code, {}, {}))
    report = check(game.rules, scenario)
    parts = ",".join(game.kit(scenario, report, code, "").whole.parts)
    command = f"muster kit {name} --seed {code} --lang {lang} --paper a4 --parts {parts}"
    cover = game.kit(scenario, report, code, command).only(("cover",))
    assert print_kit(cover, PrintSettings(lang), packed=False)
