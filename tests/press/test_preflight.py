from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from generator.press.check.ink import InkMeter
from generator.press.check.preflight import preflight
from generator.press.pdf import fonts
from generator.press.pdf.fonts import REGULAR

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
    assert findings(page((100, 100, "x"), size=(595, 842))) == ["page 1: is 595.000 × 842.000 pt in size"]


def test_what_reaches_into_the_edge() -> None:
    (finding,) = findings(page((10, 100, "edge")))
    assert finding.startswith("page 1: content extends into the outer 6.35 mm")


def test_every_page_of_a_long_print_is_looked_over() -> None:
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    for number in range(1, 121):
        canvas.setFont(REGULAR, 4 if number in (50, 51, 120) else 9)
        canvas.drawString(100, 100, "Order")
        canvas.showPage()
    canvas.save()
    measuring = InkMeter()
    problems = preflight(out.getvalue(), "a4", "en", ink_meter=measuring)
    assert [problem.message.split(":")[0] for problem in problems] == ["page 50", "page 51", "page 120"]
    assert len(measuring.inks) == 120


def test_texts_over_one_another() -> None:
    assert findings(page((100, 100, "forest"), (104, 101, "hill"))) == [
        "page 1: text overlaps (pairs: 1): “forest” “hill”"
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
    assert findings(out.getvalue()) == ["page 1: text is smaller than 5 pt (pieces: 2, smallest: 4.5 pt): “B7”"]


def formed(*moves: str, size: float = 9.0, matrix: str = "", text: str = "B7", operators: str = "") -> bytes:
    """Return a PDF with a text in nested forms, of which the first is the page's content.

    Each move is a string of `cm` operands or "".
    """
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.drawString(100, 100, "upright")
    for depth in reversed(range(len(moves))):
        canvas.beginForm(f"form{depth}", -600, -600, 1200, 1200)
        if depth == len(moves) - 1:
            written = canvas.beginText(0, 0)
            written.setFont(REGULAR, size)
            if operators:
                written._code.append(operators)
            written.textOut(text)
            canvas.drawText(written)
        else:
            canvas._code.append(f"q {moves[depth + 1]} cm")
            canvas.doForm(f"form{depth + 1}")
            canvas._code.append("Q")
        canvas.endForm()
    canvas._code.append(f"q {moves[0]} cm")
    canvas.doForm("form0")
    canvas._code.append("Q")
    canvas.save()
    pdf = out.getvalue()
    if not matrix:
        return pdf
    changed = pikepdf.open(io.BytesIO(pdf))
    for item in changed.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form":
            item.Matrix = pikepdf.Array([float(n) for n in matrix.split()])
    done = io.BytesIO()
    changed.save(done)
    return done.getvalue()


@pytest.mark.parametrize(
    ("pdf", "size"),
    [
        (formed("1 0 0 1 200 300"), None),
        (formed("0.5 0 0 0.5 200 300"), 4.5),
        (formed("0.5 0 0 0.5 200 300", size=18), None),
        (formed("3 0 0 3 200 300", size=1.2), 3.6),
        (formed("0.9 0 0 0.9 200 300", "0.9 0 0 0.9 5 5", "0.6 0 0 0.6 0 0"), 4.4),
        (formed("0 0.5 -0.5 0 200 300"), 4.5),  # rotated by 90°
        (formed("0.866 0.5 -0.5 0.866 200 300"), None),
        (formed("-0.5 0 0 0.5 200 300"), 4.5),  # mirrored
        (formed("1 0 0 -1 200 300"), None),
        (formed("1 0 1.5 0.5 200 300"), 4.5),  # slanted, with the same height as an upright letter
        (formed("1 0 0.5 1 200 300"), None),
        (formed("1 0 0 0.5 200 300"), 4.5),  # flattened
        (formed("1 0 0 1 200 300", matrix="0.5 0 0 0.5 0 0"), 4.5),
        (formed("2 0 0 2 200 300", matrix="0.5 0 0 0.5 0 0"), None),
        (formed("1 0 0 1 200 300", operators="0.5 0 0 0.5 3 3 Tm"), 4.5),
        (formed("2 0 0 2 200 300", operators="0.5 0 0 0.5 3 3 Tm"), None),
        (formed("1 0 0 1 200 300", operators="40 Tz 2 Ts 1 Tw 3 4 Td T*"), None),  # narrow, raised, spaced
        (formed("0.5 0 0 0.5 200 300", operators="3 Tr"), None),  # invisible
        (formed("0.5 0 0 0.5 200 300", text="  "), None),
    ],
)
def test_type_in_forms_is_as_large_as_it_lands(pdf: bytes, size: float | None) -> None:
    expected = [f"page 1: text is smaller than 5 pt (pieces: 1, smallest: {size} pt): “B7”"] if size else []
    assert findings(pdf) == expected


def test_texts_in_forms_lie_over_others_where_they_land() -> None:
    assert findings(formed("1 0 0 1 100 100", text="forest")) == [
        "page 1: text overlaps (pairs: 1): “forest” “upright”"
    ]


def test_what_a_note_shows_is_looked_at() -> None:
    document = pikepdf.open(io.BytesIO(formed("1 0 0 1 200 300")))
    form = next(o for o in document.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form")
    note = {"/Type": "/Annot", "/Subtype": "/Stamp", "/F": 4, "/Rect": [50, 50, 350, 350], "/AP": {"/N": form}}
    document.pages[0].Annots = document.make_indirect(
        pikepdf.Array([document.make_indirect(pikepdf.Dictionary(note))])
    )
    out = io.BytesIO()
    document.save(out)
    (finding,) = findings(out.getvalue())
    assert finding == "page 1: text is smaller than 5 pt (pieces: 1, smallest: 1.5 pt): “B7”"


def test_a_font_that_is_not_embedded() -> None:
    assert findings(page((100, 100, "x"), font="Helvetica")) == [
        "page 1: a font is not embedded",
        "the font Helvetica is not embedded",
    ]


def clipped_to(width: float) -> bytes:
    """Return a PDF with a text behind a clipping window of the given width, inside a drawing without clipping."""
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
    assert findings(clipped_to(40)) == ["page 1: text is clipped (pieces: 1): “The Old Crossing”"]


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
        "page 1: the trim box of the page extends beyond the enclosing box"
    ]
    assert findings(boxed((50, 50, 300, 300), (-40, 40, 310, 310))) == [
        "page 1: the bleed box of the page extends beyond the enclosing box"
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
    """Return a PDF with a broad line that turns sharply at height `low` and has round joints."""
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
    assert finding.startswith("page 1: content extends into the outer 6.35 mm")


def rotated_field(distance: float) -> bytes:
    """Return a PDF with a form that contains a hexagon with sides of 50 pt, rotated by 60°.

    The centre is at the given distance from the left edge of the page.
    """
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.drawString(100, 100, "field")
    canvas.beginForm("field", -60, -60, 60, 60)
    path = canvas.beginPath()
    corners = [(0, 50), (-43.3, 25), (-43.3, -25), (0, -50), (43.3, -25), (43.3, 25)]
    path.moveTo(*corners[0])
    for corner in corners[1:]:
        path.lineTo(*corner)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)
    canvas.endForm()
    canvas.translate(distance, 300)
    canvas.rotate(60)
    canvas.doForm("field")
    canvas.save()
    return out.getvalue()


def test_a_rotated_form_reaches_as_far_as_its_drawing() -> None:
    assert findings(rotated_field(63)) == []
    (finding,) = findings(rotated_field(60))
    assert finding.startswith("page 1: content extends into the outer 6.35 mm")


def test_any_paper_and_any_language() -> None:
    letter = page((100, 100, "Order"), size=(612, 792))
    assert preflight(letter, None, None) == []
    assert [p.message for p in preflight(letter, "a4", None)] == ["page 1: is 612.000 × 792.000 pt in size"]


def test_the_wrong_language() -> None:
    assert findings(page((100, 100, "Order")), "ja") == ["there is no text in the declared language (ja)"]


def test_no_pdf_at_all() -> None:
    assert findings(b"hello") == ["cannot be read as a PDF"]


def turned(pdf: bytes, turn: int, left: float, bottom: float) -> bytes:
    """Return the PDF with its page turned by `turn` degrees and the lower left corner at (`left`, `bottom`)."""
    document = pikepdf.open(io.BytesIO(pdf))
    box = [left, bottom, left + A4[0], bottom + A4[1]]
    document.pages[0].MediaBox = pikepdf.Array([round(side, 3) for side in box])
    document.pages[0].Rotate = turn
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_edges_of_a_page_that_is_turned_or_begins_elsewhere(turn: int) -> None:
    high = page((100, 800, "high"))
    assert findings(turned(high, turn, 0, 0)) == []
    assert findings(turned(high, turn, 0, 500)) == []
    (finding,) = findings(turned(high, turn, 90, 0))
    assert finding.startswith("page 1: content extends into the outer 6.35 mm")


def test_a_font_with_a_name_in_no_known_letters() -> None:
    pdf = page((100, 100, "x"), font="Helvetica").replace(b"/BaseFont /Helvetica", b"/BaseFont /Helv\x83ica")
    assert findings(pdf)[-1] == "the font Helv\ufffdica is not embedded"


def test_words_have_a_higher_floor_than_coordinates() -> None:
    fonts.register("ja")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    for y, size, text in (
        (100, 6.9, "Wharf"),
        (120, 7.0, "Wharf"),
        (140, 6.5, "弓兵"),
        (160, 5.0, "H8 F"),
        (180, 5.0, "森"),
        (200, 4.9, "×12"),
    ):
        canvas.setFont(REGULAR, size)
        canvas.drawString(100, y, text)
    canvas.save()
    assert findings(out.getvalue()) == [
        "page 1: text is smaller than 5 pt (pieces: 1, smallest: 4.9 pt): “×12”",
        "page 1: text is smaller than 7 pt (pieces: 2, smallest: 6.5 pt): “弓兵” “Wharf”",
    ]


def test_a_page_on_which_nothing_stands() -> None:
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.drawString(100, 100, "Text")
    canvas.showPage()
    canvas.showPage()
    canvas.save()
    assert findings(out.getvalue()) == ["page 2: the page is blank"]


def over(draw: Callable[[Any], None], first: bool = False) -> list[str]:
    """Return the findings about a label that a drawing covers. With `first`, the drawing is below the label."""
    fonts.register("en")
    out = io.BytesIO()
    canvas: Any = Canvas(out, A4, initialFontName=REGULAR)
    canvas.setFillGray(0.8)
    if first:
        draw(canvas)
    canvas.drawString(300, 300, "label")
    if not first:
        draw(canvas)
    canvas.save()
    return findings(out.getvalue())


def triangle(canvas: Any, x: float) -> None:
    path = canvas.beginPath()
    path.moveTo(x, 280)
    path.lineTo(x + 60, 280)
    path.lineTo(x, 340)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def token(canvas: Any) -> None:
    canvas.beginForm("token", -20, -20, 20, 20)
    canvas.circle(0, 0, 15, stroke=0, fill=1)
    canvas.endForm()
    canvas.saveState()
    canvas.translate(310, 303)
    canvas.doForm("token")
    canvas.restoreState()


def veil(canvas: Any) -> None:
    canvas.setFillAlpha(0.4)
    canvas.rect(280, 290, 60, 30, stroke=0, fill=1)


def frame(canvas: Any) -> None:
    path = canvas.beginPath()
    path.rect(200, 200, 250, 250)
    path.rect(250, 250, 150, 150)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=0)


@pytest.mark.parametrize(
    ("draw", "hides"),
    [
        (lambda canvas: canvas.rect(280, 290, 60, 30, stroke=0, fill=1), True),
        (lambda canvas: canvas.rect(280, 290, 60, 30, stroke=1, fill=0), False),
        (lambda canvas: canvas.rect(280, 320, 60, 30, stroke=0, fill=1), False),
        (lambda canvas: triangle(canvas, 290), True),
        (lambda canvas: triangle(canvas, 255), False),
        (token, True),
        (veil, False),
        (frame, False),
    ],
)
def test_a_covered_label(draw: Callable[[Any], None], hides: bool) -> None:
    assert over(draw) == (["page 1: text is covered (pieces: 1): “label”"] if hides else [])
    assert over(draw, first=True) == []
