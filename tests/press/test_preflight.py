from __future__ import annotations

import io
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from generator.press import REGULAR
from generator.press.preflight import preflight
from generator.press.type import fonts

A4 = (595.276, 841.89)


def page(*texts: tuple[float, float, str], size: tuple[float, float] = A4, font: str = REGULAR) -> bytes:
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, size, initialFontName=font)
    for x, y, text in texts:
        canvas.drawString(x, y, text)
    canvas.save()
    return out.getvalue()


def findings(pdf: bytes, lang: str = "en") -> list[str]:
    return [problem.message for problem in preflight(pdf, "a4", "ja" if lang == "ja" else "en")]


def test_a_page_in_order() -> None:
    assert findings(page((100, 100, "Order"), (100, 115, "of battle"))) == []


def test_a_page_of_the_wrong_size() -> None:
    assert findings(page((100, 100, "x"), size=(595, 842))) == ["page 1: is 595.000 × 842.000 pt large"]


def test_what_reaches_into_the_edge() -> None:
    (finding,) = findings(page((10, 100, "edge")))
    assert finding.startswith("page 1: 1 things reach into the outer 6.35 mm")


def test_texts_over_one_another() -> None:
    assert findings(page((100, 100, "forest"), (104, 101, "hill"))) == [
        "page 1: 1 texts lie over one another: “forest” “hill”"
    ]


def test_type_too_small_to_read() -> None:
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    for y, size in ((100, 5.0), (120, 4.9)):
        canvas.setFont(REGULAR, size)
        canvas.drawString(100, y, "B7")
    canvas.scale(0.5, 0.5)
    canvas.setFont(REGULAR, 9)
    canvas.drawString(200, 300, "B7")
    canvas.save()
    assert findings(out.getvalue()) == ["page 1: 2 texts are set smaller than 5 pt: “B7”"]


def test_a_font_that_is_not_embedded() -> None:
    assert findings(page((100, 100, "x"), font="Helvetica")) == [
        "page 1: a font is not embedded",
        "the font Helvetica is not embedded",
    ]


def clipped_to(width: float) -> bytes:
    """A text behind a window of that width, inside a drawing that is clipped no more."""
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(95, 90, width, 30)
    canvas.clipPath(window, stroke=0)
    canvas.drawString(100, 100, "The Old Crossing")
    canvas.restoreState()
    canvas.drawString(100, 200, "whole")
    canvas.save()
    return out.getvalue()


def test_a_clipped_text() -> None:
    assert findings(clipped_to(200)) == []
    assert findings(clipped_to(40)) == ["page 1: 1 texts are clipped: “The Old Crossing”"]


def boxed(trim: tuple[float, float, float, float], bleed: tuple[float, float, float, float]) -> bytes:
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.drawString(100, 100, "boxes")
    canvas.setCropBox(trim, "trim")
    canvas.setCropBox(bleed, "bleed")
    canvas.save()
    return out.getvalue()


def test_boxes_lie_within_one_another() -> None:
    assert findings(boxed((50, 50, 300, 300), (40, 40, 310, 310))) == []
    assert findings(boxed((30, 50, 300, 300), (40, 40, 310, 310))) == [
        "page 1: its trim box lies outside the box around it"
    ]
    assert findings(boxed((50, 50, 300, 300), (-40, 40, 310, 310))) == [
        "page 1: its bleed box lies outside the box around it"
    ]


def test_a_scaled_stroke_is_as_wide_as_it_is_drawn() -> None:
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.drawString(100, 100, "line")
    canvas.scale(10, 10)
    canvas.setLineWidth(1)
    canvas.line(2.5, 20, 2.5, 30)
    canvas.save()
    assert findings(out.getvalue()) == []


def bent(low: float) -> bytes:
    """A broad line that turns sharply at that height, with round joints."""
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.drawString(100, 200, "river")
    canvas.setLineWidth(12)
    canvas.setLineJoin(1)
    path = canvas.beginPath()
    path.moveTo(100, 100)
    path.lineTo(110, low)
    path.lineTo(120, 100)
    canvas.drawPath(path)
    canvas.save()
    return out.getvalue()


def test_a_bend_reaches_no_farther_than_half_the_line() -> None:
    assert findings(bent(26)) == []
    (finding,) = findings(bent(22))
    assert finding.startswith("page 1: 1 things reach into the outer 6.35 mm")


def test_any_paper_and_any_language() -> None:
    letter = page((100, 100, "Order"), size=(612, 792))
    assert preflight(letter, None, None) == []
    assert [p.message for p in preflight(letter, "a4", None)] == ["page 1: is 612.000 × 792.000 pt large"]


def test_the_wrong_language() -> None:
    assert findings(page((100, 100, "Order")), "ja") == ["no text in the language it is said to be in (ja)"]


def test_no_pdf_at_all() -> None:
    assert findings(b"hello") == ["cannot be read as a PDF"]
