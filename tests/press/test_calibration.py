"""Tests that a printer's errors are corrected so that fronts and backs meet on paper."""

from __future__ import annotations

import io
from collections.abc import Iterator
from math import cos, radians, sin

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model.picture import XY
from generator.model.views import Back, Kit, Piece, Poster, Run, Token
from generator.model.words import Lang, same
from generator.notation.printers import TRUE, Printer
from generator.press.book import print_kit
from generator.press.calibration import MM_PER_DEGREE, SCALE_OFFSET, calibration_sheet
from generator.press.check.preflight import preflight
from generator.press.correction import correction_matrix, safe_edge, transformed_point
from generator.press.layout.imposition import Cut, Flip, Imposition, trimmed_size
from generator.press.layout.paper import find_paper, papers
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.canvas import Matrix
from generator.press.pdf.units import MM
from tests.press.boards import board
from tests.press.read_aloud import read_aloud
from tests.prove.parts.tagged import pdfua_findings

EXACT = 0.005
"""Distance in mm below which two positions count as equal."""
DEN = Printer(0.6, -0.4, 99.5, 0.3)
NOOK = Printer(-1.2, 0.9, 100.6, -0.5)
FLIPS: tuple[Flip, ...] = ("long", "short")


def seen(at: XY, page: XY, of: Printer, back: Flip | None) -> XY:
    """Return the position at which a printer prints a point of an upright page, seen from the front."""
    middle = page[0] / 2, page[1] / 2
    if back == "long":
        at = page[0] - at[0], at[1]
    elif back == "short":
        at = at[0], page[1] - at[1]
    turn = radians(of.rotate) if back else 0.0
    x, y = at[0] - middle[0], at[1] - middle[1]
    x, y = x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)
    shift = (of.dx, of.dy) if back else (0.0, 0.0)
    return middle[0] + of.scale / 100 * x + shift[0], middle[1] + of.scale / 100 * y + shift[1]


@given(
    st.builds(
        Printer,
        st.floats(-3, 3, allow_subnormal=False),
        st.floats(-3, 3, allow_subnormal=False),
        st.floats(97, 103),
        st.floats(-1, 1, allow_subnormal=False),
    ),
    st.tuples(st.floats(0, 210), st.floats(0, 297)),
    st.sampled_from(FLIPS),
)
def test_every_point_comes_to_lie_where_it_was_meant_to(of: Printer, at: XY, flip: Flip) -> None:
    page = 210.0, 297.0
    assert seen(transformed_point(at, correction_matrix(of, page)), page, of, None) == pytest.approx(at, abs=1e-9)
    behind = (page[0] - at[0], at[1]) if flip == "long" else (at[0], page[1] - at[1])
    assert seen(transformed_point(behind, correction_matrix(of, page, flip)), page, of, flip) == pytest.approx(
        at, abs=1e-9
    )


def drawn(page: pikepdf.Page) -> Iterator[Matrix]:
    """Yield the matrix from millimetres to the page's units for each picture on a page, except marks."""
    stack: list[Matrix] = [(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)]
    for step in pikepdf.parse_content_stream(page, "q Q cm"):
        operator = str(step.operator)
        if operator == "q":
            stack.append(stack[-1])
        elif operator == "Q":
            stack.pop()
        elif operator == "cm":
            a, b, c, d, e, f = (float(n) for n in step.operands)
            p, q, r, s, t, u = stack[-1]
            stack[-1] = (
                a * p + b * r,
                a * q + b * s,
                c * p + d * r,
                c * q + d * s,
                e * p + f * r + t,
                e * q + f * s + u,
            )
            if abs(abs(a) - MM) < 1e-5 and b == 0 and (e, f) != (0.0, 0.0):
                m = stack[-1]
                yield m[0], m[1], m[2], m[3], m[4] / MM, m[5] / MM


def middles(page: pikepdf.Page, piece: XY) -> list[XY]:
    half = piece[0] / 2, piece[1] / 2
    return [
        (m[0] / MM * half[0] + m[2] / MM * half[1] + m[4], m[1] / MM * half[0] + m[3] / MM * half[1] + m[5])
        for m in drawn(page)
    ]


def cards(cut: Cut, count: int) -> Kit:
    face = Back("pennant", same("Card")) if cut == "card" else Token("pennant", "blue", "short_sword")
    pieces = tuple(Piece(same(n), face, face) for n in range(count))
    return Kit(same("Game"), same("Pieces"), "", (Run("cards", same("Pieces"), pieces, cut, 20.0),))


@pytest.mark.parametrize("cut", ["card", "hex"])
@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("of", [DEN, NOOK])
def test_backs_meet_their_fronts_on_that_printer(of: Printer, flip: Flip, cut: Cut) -> None:
    for paper, size in (("a4", "poker"), ("letter", "bridge"), ("a4", "mini")):
        how = Imposition(size, flip=flip)
        piece = trimmed_size(cut, 20.0, how)
        documents = [
            pikepdf.open(io.BytesIO(print_kit(cards(cut, 9), print_options, packed=False)))
            for print_options in (
                PrintSettings("en", paper, imposition=how, printer=printer) for printer in (TRUE, of)
            )
        ]
        plain, made = (list(document.pages) for document in documents)
        sheet = find_paper(paper).sides()
        for front, back in zip(made[::2], made[1::2], strict=True):
            assert [float(n) for n in front.mediabox[2:]] == list(find_paper(paper).size())
            fronts = [seen(at, sheet, of, None) for at in middles(front, piece)]
            backs = [seen(at, sheet, of, flip) for at in middles(back, piece)]
            assert len(fronts) == len(backs) > 0
            for a, b in zip(fronts, backs, strict=True):
                assert a == pytest.approx(b, abs=EXACT)
        # The distance between the first two pieces on paper is the intended one.
        if len(plain) == len(made):
            (ax, ay), (bx, by), *_ = (seen(at, sheet, of, None) for at in middles(made[0], piece))
            (px, py), (qx, qy), *_ = middles(plain[0], piece)
            apart = ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
            assert apart == pytest.approx(((px - qx) ** 2 + (py - qy) ** 2) ** 0.5, abs=EXACT)


@pytest.mark.parametrize("paper", papers())
@pytest.mark.parametrize("flip", FLIPS)
def test_adjusted_pages_pass_preflight(paper: str, flip: Flip) -> None:
    poster = Poster("boards", same("Board"), board(), 52.0, board(names=False))
    kit = Kit(same("Game"), same("Pieces"), "", (*cards("card", 5).sheets, *cards("hex", 9).sheets, poster))
    for of in (DEN, NOOK, Printer(dy=4.0), Printer(scale=97.0), Printer(scale=103.0)):
        print_options = PrintSettings("en", paper, imposition=Imposition(flip=flip), printer=of)
        assert preflight(print_kit(kit, print_options), paper, "en", enlargement=of.grown) == []


def test_a_true_printer_changes_nothing() -> None:
    assert print_kit(cards("card", 3), PrintSettings("en", printer=Printer())) == print_kit(
        cards("card", 3), PrintSettings("en")
    )
    assert safe_edge(TRUE, find_paper("a4")) == 6.5


@pytest.mark.parametrize("paper", papers())
@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_sheet_is_in_order_in_both_languages(lang: Lang, flip: Flip, paper: str) -> None:
    for of in (TRUE, DEN):
        pdf = calibration_sheet(PrintSettings(lang, paper, imposition=Imposition(flip=flip), printer=of))
        assert preflight(pdf, paper, lang) == []
        reading = read_aloud(pdf)
        assert reading.faults == pdfua_findings(pdf) == []
        assert (reading.count("H1"), reading.count("LI"), len(reading.figures)) == (2, 7, 2)
        document = pypdfium2.PdfDocument(pdf)
        assert len(document) == 2
        output = document[0].get_textpage().get_text_range()
        assert all(option in output for option in ("--dx", "--dy", "--scale", "--rotate", "muster printer set"))


@pytest.mark.parametrize("flip", FLIPS)
def test_measured_steps_agree_with_the_printers_errors(flip: Flip) -> None:
    """Measure the steps on the sheet as printed by a printer with known errors."""
    of, page = Printer(0.7, -0.3, 100.0, 0.25), (210.0, 297.0)
    middle = page[0] / 2, page[1] / 2

    def crossing(up: float) -> float:
        """Return the position at which a vertical line on the back crosses a scale at height `up`."""
        (ax, ay), (bx, by) = (seen((middle[0], middle[1] + y), page, of, flip) for y in (up - 8, up + 8))
        if flip == "short":
            (ax, ay), (bx, by) = (seen((middle[0], middle[1] - y), page, of, flip) for y in (up - 8, up + 8))
        level = middle[1] + up
        return ax + (level - ay) / (by - ay) * (bx - ax) - middle[0]

    upper, lower = crossing(SCALE_OFFSET), crossing(-SCALE_OFFSET)
    assert (upper + lower) / 2 == pytest.approx(of.dx, abs=0.01)
    assert (lower - upper) / MM_PER_DEGREE == pytest.approx(of.rotate, abs=0.002)
    assert seen(middle, page, of, flip)[1] - middle[1] == pytest.approx(of.dy)


def test_words_of_the_sheet_name_both_flips() -> None:
    texts = {
        flip: pypdfium2.PdfDocument(calibration_sheet(PrintSettings("en", imposition=Imposition(flip=flip))))[0]
        .get_textpage()
        .get_text_range()
        for flip in FLIPS
    }
    assert "over the long edge" in texts["long"]
    assert "over the short edge" in texts["short"]
