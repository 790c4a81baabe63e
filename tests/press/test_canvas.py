from __future__ import annotations

import io

import pikepdf
import pytest
from reportlab.pdfbase.pdfdoc import PDFDocument

from generator import games
from generator.model.picture import Path, Pen, Picture, Symbol, Text, Use, polygon
from generator.model.scenario import Request
from generator.model.views import Bundle
from generator.model.words import LANGS, Words
from generator.press.book import print_bundles, print_kit
from generator.press.canvas import alone
from generator.press.paper import Edition
from generator.press.svg import page_png
from generator.rules import check

DOT = Symbol("dot", (polygon(((-1, -1), (1, -1), (0, 1)), "#ff0000", alpha=0.5),), 2)
PAIR = Symbol("pair", (Use(DOT, -2, 0), Use(DOT, 2, 0)), 5)


def pdf(*items: Path | Text | Use) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(alone(Picture(40, 30, items), "en")))


def test_a_symbol_is_written_once_however_often_it_is_used() -> None:
    with pdf(*(Use(PAIR, x, 5) for x in range(5, 35)), Use(DOT, 20, 20, 2, 90)) as document:
        forms = [o for o in document.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form"]
        assert len(forms) == 2
        assert document.pages[0].Contents.read_bytes().count(b" Do") == 31


def test_a_symbol_carries_its_own_transparency() -> None:
    with pdf(Use(DOT, 20, 20)) as document:
        (form,) = document.pages[0].Resources.XObject.values()
        assert float(form.Resources.ExtGState.ca50.ca) == 0.5


def test_millimetres_and_points() -> None:
    with pdf(Text(20, 10, "Ford", 8, "middle")) as document:
        assert [round(float(n), 3) for n in document.pages[0].mediabox] == [0, 0, 113.386, 85.039]


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_a_page_as_png(anchor: str) -> None:
    pen = Pen("#000000", 0.3, (1, 0.5))
    square = polygon(((5, 5), (35, 5), (35, 25), (5, 25)), None, pen)
    text = Text(20, 10, "Ford", 8, "middle" if anchor == "middle" else "end" if anchor == "end" else "start")
    png = page_png(alone(Picture(40, 30, (square, text)), "en"), 1, 50)
    assert png.startswith(b"\x89PNG")


def test_a_file_is_written_to_the_byte_as_reportlab_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load("call_to_arms")
    scenario = game.draw(Request("K7Q2M-9FHN5", {}, {}))
    whole = game.kit(scenario, check(game.rules, scenario, game.mode(scenario)), "K7Q2M-9FHN5", "")
    title = Words("Round 1 (of 5)", "第1回戦（全5回）")
    tables = [Bundle(Words(f"Table {n}", f"第{n}卓"), (whole.only(["map", "records"]),)) for n in (1, 2)]

    def made() -> list[bytes]:
        bound = [print_bundles(tables, title, Edition(lang)).pdf for lang in LANGS]
        return [print_kit(whole, Edition("en", fillable=True)), *bound]

    ours = made()
    monkeypatch.setattr("generator.press.canvas._file", PDFDocument.format)
    assert made() == ours
