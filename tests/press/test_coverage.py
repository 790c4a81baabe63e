"""Tests for measured ink, with known coverage and with the ink saver."""

from __future__ import annotations

import pytest

from generator.model.picture import Pen, Picture, line, rectangle
from generator.model.words import same
from generator.press.book import print_kit
from generator.press.check.ink import Ink, InkMeter
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf.canvas import picture_pdf
from tests.press.boards import board
from tests.press.kits import TEMPLATES, kit, plain
from tests.press.test_posters import poster


def coverage(pdf: bytes) -> list[Ink]:
    measuring = InkMeter()
    preflight(pdf, None, None, ink_meter=measuring)
    return measuring.inks


@pytest.mark.parametrize(
    ("colour", "inks"),
    [
        ("#000000", (1.0, 1.0, 1.0, 1.0)),
        ("#ffffff", (0.0, 0.0, 0.0, 0.0)),
        ("#ff0000", (0.7, 0.0, 1.0, 1.0)),
        ("#808080", (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_a_half_covered_page(colour: str, inks: tuple[float, ...]) -> None:
    (page,) = coverage(picture_pdf(Picture(80, 60, (rectangle(0, 0, 40, 60, colour),)), "en"))
    assert list(page) == ["dark", "cyan", "magenta", "yellow"]
    assert list(page.values()) == pytest.approx([ink / 2 for ink in inks], abs=0.01)


@pytest.mark.parametrize("width", [0.1, 0.2, 0.4, 0.8])
def test_lines_have_the_area_that_they_are_drawn_with(width: float) -> None:
    lines = tuple(line(((5, 4.3 + 5 * row), (75, 4.1 + 5 * row)), Pen("#000000", width)) for row in range(10))
    (page,) = coverage(picture_pdf(Picture(80, 60, lines), "en"))
    assert page["dark"] == pytest.approx(10 * 70 * width / (80 * 60), rel=0.03)


def test_narrow_boxes_too() -> None:
    boxes = tuple(rectangle(5, 4.3 + 5 * row, 70, 0.13, "#000000") for row in range(10))
    (page,) = coverage(picture_pdf(Picture(80, 60, boxes), "en"))
    assert page["dark"] == pytest.approx(10 * 70 * 0.13 / (80 * 60), rel=0.03)


def test_a_number_for_every_page_and_the_same_every_time() -> None:
    pdf = print_kit(
        kit(plain("A few words.", side=same("Red")), plain("A few words more, on another page.", side=same("Blue"))),
        PrintSettings("en", templates=TEMPLATES),
    )
    pages = coverage(pdf)
    assert len(pages) == 2
    assert all(0 < page["dark"] < 0.05 for page in pages)
    assert coverage(pdf) == pages


def test_the_ink_saver_saves_ink() -> None:
    full, saver = (
        coverage(print_kit(poster(board(), 30.0), PrintSettings("en", ink=ink)))[0] for ink in ("full", "saver")
    )
    assert saver["dark"] < 0.6 * full["dark"]
    assert saver["yellow"] < 0.5 * full["yellow"]
    # The remaining ink is black, so all inks are equal.
    assert max(saver.values()) - min(saver.values()) < 0.001
