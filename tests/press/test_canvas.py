from __future__ import annotations

import io

import pikepdf
import pytest
from PIL import Image

from generator.model.picture import Path, Pen, Picture, Still, Symbol, Text, Use, polygon
from generator.press.pdf import fonts
from generator.press.pdf.canvas import Canvas, picture_pdf
from generator.press.pdf.units import MM
from generator.press.png import page_png

DOT = Symbol("dot", (polygon(((-1, -1), (1, -1), (0, 1)), "#ff0000", alpha=0.5),), 2)
PAIR = Symbol("pair", (Use(DOT, -2, 0), Use(DOT, 2, 0)), 5)


def pdf(*items: Path | Text | Use) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(picture_pdf(Picture(40, 30, items), "en")))


def test_a_symbol_is_written_once_however_often_it_is_used() -> None:
    with pdf(*(Use(PAIR, x, 5) for x in range(5, 35)), Use(DOT, 20, 20, 2, 90)) as document:
        forms = [o for o in document.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form"]
        assert len(forms) == 2
        assert document.pages[0].Contents.read_bytes().count(b" Do") == 31


def test_a_symbol_carries_its_own_transparency() -> None:
    with pdf(Use(DOT, 20, 20)) as document:
        (form,) = document.pages[0].Resources.XObject.values()
        assert float(form.Resources.ExtGState.ca50.ca) == 0.5


def several(*pictures: Picture) -> pikepdf.Pdf:
    """Return a document with one page for each picture."""
    canvas = Canvas((40 * MM, 30 * MM), "en")
    for picture in pictures:
        canvas.draw(picture)
        canvas.show_page()
    return pikepdf.open(io.BytesIO(bytes(canvas.finish())))


def dots(document: pikepdf.Pdf, page: int) -> bytes:
    """Return the pixels of a page."""
    out = io.BytesIO()
    document.save(out)
    with Image.open(io.BytesIO(page_png(out.getvalue(), page, 150))) as seen:
        return seen.convert("RGB").tobytes()


def test_what_pictures_begin_with_alike_is_a_form_from_its_second_time_on() -> None:
    fonts.register("en")
    red, lined = (
        polygon(((5, 5), (35, 5), (20, 25)), "#cc0000"),
        polygon(((8, 8), (9, 8), (9, 9)), None, Pen("#00cc00")),
    )
    below, above = (
        (red, lined),
        (polygon(((30, 20), (38, 20), (38, 28)), "#cc0000", Pen("#00cc00")), Use(DOT, 10, 20)),
    )
    pictures = [
        Picture(40, 30, (Text(10, y, "Ford", 8),), still=(Still(below, 1.0, 2.0, 0.5), Still(above)))
        for y in (3.0, 10.0, 20.0)
    ]
    plain = [Picture(40, 30, picture.items) for picture in pictures]
    with several(*pictures) as document, several(*plain) as spelt_out:
        assert b"FormXob.still" not in document.pages[0].Contents.read_bytes()
        for page in (1, 2):
            # The part is clipped to its picture, so that preflight does not find it outside the picture.
            assert document.pages[page].Contents.read_bytes().count(b"40.000 30.000 re W n") == 2
            assert sum("still" in name for name in dict(document.pages[page].Resources["/XObject"].items())) == 2
        for page in (1, 2, 3):
            assert dots(document, page) == dots(spelt_out, page)


def test_of_what_pictures_begin_with_the_last_alone_are_looked_for_again() -> None:
    fonts.register("en")
    parts = [(polygon(((i, 5), (i + 5, 5), (i, 9)), "#cc0000"),) for i in range(20)]
    pictures = [Picture(40, 30, (), still=(Still(part),)) for part in parts]
    with several(*pictures, pictures[-1], pictures[0]) as document:
        forms = [page.Contents.read_bytes().count(b" Do") for page in document.pages]
    assert forms == [0] * 20 + [1, 0]


def test_millimetres_and_points() -> None:
    with pdf(Text(20, 10, "Ford", 8, "middle")) as document:
        assert [round(float(n), 3) for n in document.pages[0].mediabox] == [0, 0, 113.386, 85.039]


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_a_page_as_png(anchor: str) -> None:
    pen = Pen("#000000", 0.3, (1, 0.5))
    square = polygon(((5, 5), (35, 5), (35, 25), (5, 25)), None, pen)
    text = Text(20, 10, "Ford", 8, "middle" if anchor == "middle" else "end" if anchor == "end" else "start")
    png = page_png(picture_pdf(Picture(40, 30, (square, text)), "en"), 1, 50)
    assert png.startswith(b"\x89PNG")
