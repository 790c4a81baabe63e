from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from generator.errors import DataError, WrongUsageError
from generator.grid.hexes import field
from generator.model.picture import Picture, Text
from generator.model.views import Back, Figure, Kit, MapView, Piece, Poster, Printed, Run, Sheet, Token
from generator.model.words import LANGS, Lang, Words, same
from generator.press.layout.imposition import Imposition
from generator.press.layout.print_settings import PrintSettings
from generator.press.pictures import FORMATS, kit_pictures, slug
from generator.press.png import picture_png
from tests.press.boards import board
from tests.press.kits import SQUARE, TEMPLATES, kit, kit_of
from tests.press.read_aloud import read_aloud
from tests.press.test_cards import CARD
from tests.prove.parts.tagged import pdfua_findings

TOKEN = Token("pennant", "blue", "common_bow")
EDITION = PrintSettings("en", templates=TEMPLATES)
SAMPLE = MapView(field((1,)), {})


def image(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def everything() -> Kit:
    figures: dict[str, Figure] = {
        "map": board(),
        "same": board(),
        "sample": SAMPLE,
        "card": CARD,
        "square": SQUARE,
        "unseen": board(),
    }
    sheet = Sheet("map", same("Map"), "demo/figures.xml", {}, figures, side=Words("North", "北"))
    back = Back("pennant", same("Camp"))
    twins = tuple(Piece(same("Bow"), TOKEN, back) for _ in range(3))
    printed: tuple[Printed, ...] = (
        sheet,
        replace(sheet, part="cover", side=None),
        Run("cards", same("Cards"), (Piece(same("The “Wings”"), CARD, back),), "card"),
        Run("tokens", same("Tokens"), twins, "hex", 20.0),
        Poster("board", same("Board"), board(), 20.0, board()),
    )
    return replace(kit(), usual=printed)


def made(form: str, dpi: float = 60.0, **changes: object) -> dict[str, bytes]:
    (wanted,) = [f for f in FORMATS if f == form]
    return kit_pictures(everything(), replace(EDITION, **changes), wanted, dpi)


NAMES = [
    "map-north-map",
    "map-north-a3",
    "cover-a3",
    "cards-the-wings",
    "cards-the-wings-back",
    "tokens-pennant-bow",
    "tokens-pennant-bow-back",
    "board",
    "board-back",
]


@pytest.mark.parametrize("form", FORMATS)
def test_every_map_and_card_once_under_its_name(form: str) -> None:
    found = made(form)
    assert list(found) == [f"{name}.{form}" for name in NAMES]
    assert made(form) == found
    begins = {"png": b"\x89PNG", "svg": b"<svg ", "pdf": b"%PDF-"}[form]
    assert all(content.startswith(begins) for content in found.values())


def test_pictures_have_their_true_size() -> None:
    found = made("png", 254.0)
    assert image(found["cards-the-wings.png"]).size == (635, 889)
    token = image(found["tokens-pennant-bow.png"])
    assert token.width == 200
    assert token.info["dpi"] == pytest.approx((254, 254), abs=0.1)
    assert image(made("png", 254.0, imposition=Imposition("bridge", single=True))["cards-the-wings.png"]).size == (
        570,
        890,
    )
    with pikepdf.open(io.BytesIO(made("pdf")["cards-the-wings.pdf"])) as pdf:
        assert [round(float(n), 2) for n in pdf.pages[0].mediabox] == [0, 0, 180, 252]
        assert str(pdf.docinfo["/Title"]) == "The “Wings”"


def test_only_a_hex_is_clear_in_its_corners() -> None:
    found = made("png")
    assert image(found["tokens-pennant-bow.png"]).getpixel((0, 0)) == (255, 255, 255, 0)
    assert image(found["map-north-map.png"]).mode == "RGB"


def test_both_languages_and_the_far_edge() -> None:
    both = made("svg", second_lang="ja")
    assert list(both) == [f"{name}-{lang}.svg" for lang in ("en", "ja") for name in NAMES]
    assert b"&#" not in both["map-north-a3-ja.svg"]
    assert "辺境の翼".encode() in both["map-north-a3-ja.svg"]
    assert made("svg", turned=True)["map-north-map.svg"] != made("svg")["map-north-map.svg"]


def test_fronts_alone() -> None:
    assert not [name for name in made("svg", imposition=Imposition(single=True)) if "back" in name]


def test_a_picture_too_fine_says_how_fine_it_may_be() -> None:
    with pytest.raises(WrongUsageError, match=r"at 9000 dpi the picture has \d+ × \d+ pixels \(use \d+ dpi or less"):
        made("png", 9000.0)
    png = picture_png(Picture(254, 254, ()), "en", 20)
    assert image(png).size == (200, 200)


def test_a_persons_own_words_may_be_japanese_on_an_english_picture() -> None:
    with_japanese = replace(CARD, name=same("浅瀬"))
    run = Run("cards", same("Cards"), (Piece(same("x"), with_japanese),), "card")
    for form in FORMATS:
        assert kit_pictures(replace(kit(), usual=(run,)), EDITION, form)
    assert picture_png(Picture(20, 10, (Text(1, 1, "浅瀬", 8),)), "en")
    strange = replace(run, pieces=(Piece(same("x"), replace(CARD, name=same("🐌"))),))
    with pytest.raises(DataError, match=r"U\+1F40C"):
        kit_pictures(replace(kit(), usual=(strange,)), EDITION, "svg")


def test_names_of_files_are_plain() -> None:
    assert slug("cards", "Pennant", "Pennant A1") == "cards-pennant-a1"
    assert slug("cards", "../../Ünder's “con”", "戦") == "cards-unders-con"
    assert len(slug("x" * 300)) == 80


@pytest.mark.parametrize("lang", LANGS)
def test_picture_files_contain_their_descriptions(lang: Lang) -> None:
    drawn = kit_pictures(kit_of("call_to_arms"), PrintSettings(lang), "svg")
    printed = kit_pictures(kit_of("call_to_arms"), PrintSettings(lang), "pdf")
    assert {Path(name).stem for name in drawn} == {Path(name).stem for name in printed}
    for name, pdf in printed.items():
        reading = read_aloud(pdf)
        assert reading.faults == pdfua_findings(pdf) == [], name
        description = ElementTree.fromstring(drawn[name.replace(".pdf", ".svg")]).findtext("{*}desc")
        assert [description] == reading.figures and description, name
    assert "P1 " in read_aloud(printed["cover-map.pdf"]).text
