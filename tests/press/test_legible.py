"""Tests that symbols omit texts that would be too small, on pages and in pictures."""

from __future__ import annotations

import pytest

from generator.model.picture import Picture, Symbol, Text, Use, circle
from generator.press.check.preflight import preflight
from generator.press.pdf.canvas import picture_pdf
from generator.press.svg import svg

INNER = Symbol("inner", (circle(0, 0, 4, "#dddddd"), Text(0, 2, "Caption", 8.0, "middle"), Text(0, -4, "No", 9.0)))
OUTER = Symbol("outer", (Use(INNER, 0, 0, 0.9), Text(0, 6, "Outer", 10.0, "middle")))


def texts_and_findings(scale: float, symbol: Symbol = OUTER) -> tuple[set[str], list[str]]:
    """Return the texts in a picture of the symbol, and the findings of preflight about their size."""
    picture = Picture(100, 60, (Use(symbol, 50, 30, scale),))
    drawn = svg(picture, "en").decode()
    found = [p.message for p in preflight(picture_pdf(picture, "en"), None, "en") if "smaller" in p.message]
    return {text for text in ("Caption", "No", "Outer") if f'"{text}"' in drawn}, found


@pytest.mark.parametrize(
    ("scale", "texts"),
    [
        (1.0, {"Caption", "No", "Outer"}),
        (7.0 / 7.2, {"Caption", "No", "Outer"}),
        (0.95, {"No", "Outer"}),
        (0.7, {"No", "Outer"}),
        (0.69, {"No"}),
        (0.62, {"No"}),
        (0.61, set()),
    ],
)
def test_texts_are_omitted_if_they_would_be_too_small(scale: float, texts: set[str]) -> None:
    """Words have a minimum size of 7 pt. Two letters, such as a coordinate, have a minimum size of 5 pt."""
    assert texts_and_findings(scale) == (texts, [])


def test_a_plate_goes_with_its_text() -> None:
    plate = Symbol("plate", (circle(0, 0, 2, "#ffffff"), Text(0, 0, "F1", 6.0)), plate=True)
    whole = Picture(100, 60, (Use(Symbol("machine", (circle(0, 0, 4, "#dddddd"), Use(plate, 2, 2))), 50, 30, 0.9),))
    small = Picture(100, 60, (Use(Symbol("machine", (circle(0, 0, 4, "#dddddd"), Use(plate, 2, 2))), 50, 30, 0.5),))
    assert b"#ffffff" in svg(whole, "en")
    assert b"#ffffff" not in svg(small, "en")


def test_a_symbol_of_two_sizes_on_one_page_is_drawn_as_each_needs() -> None:
    both = Picture(100, 60, (Use(OUTER, 30, 30, 1.0), Use(OUTER, 70, 30, 0.6)))
    assert svg(both, "en").count(b'aria-label="Caption"') == 1
    assert [p for p in preflight(picture_pdf(both, "en"), None, "en") if "smaller" in p.message] == []
