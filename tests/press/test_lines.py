"""Tests that English lines end with the separator of their entries and never begin with it."""

from __future__ import annotations

import pytest

from generator.press.layout.english import EnglishParagraph
from generator.press.layout.lines import letters_text
from generator.press.layout.markup import parse
from generator.press.layout.styles import style
from generator.press.layout_context import LayoutContext, build_text
from generator.press.pdf import fonts
from generator.press.pdf.typography import typeset
from generator.press.reader import build_blocks

ENTRIES = " · ".join(["Saint Ivo's Weir", "6 banners", "a hand of five", "long bows", "the mill", "Pennant"] * 3)


@pytest.mark.parametrize("width", range(60, 300, 7))
def test_no_line_begins_with_a_dot(width: int) -> None:
    fonts.ensure_registered("en")
    made = build_text([ENTRIES], style("para", "en"), width)
    assert isinstance(made, EnglishParagraph)
    made.wrap(width, 1000)
    lines = [letters_text(line.runs) for line in made.lines]
    assert len(lines) > 1
    assert not [line for line in lines if line.startswith("·")]
    assert " ".join(lines).replace("\u00a0", " ") == typeset(ENTRIES)


LEAD = "Equal armies of 14, divided alike: the strongest face each other. One road crosses the seam."


@pytest.mark.parametrize("width", range(180, 460, 20))
def test_a_lead_has_lines_of_like_length_and_no_more_of_them(width: int) -> None:
    fonts.ensure_registered("en")
    (even,) = build_blocks(
        parse(f"<sheet><lead>{LEAD}</lead></sheet>", "t.xml"), LayoutContext("en", "full", width, 1.0, {})
    )
    plain = build_text([LEAD], style("lead", "en"), width)
    assert isinstance(even, EnglishParagraph) and isinstance(plain, EnglishParagraph)
    lines = []
    for made in (even, plain):
        made.wrap(width, 1000)
        lines.append([letters_text(line.runs) for line in made.lines])
    assert len(lines[0]) == len(lines[1]) > 1
    assert " ".join(lines[0]) == LEAD
    # Lines differ in length by at most the narrowest step and a long word.
    assert min(map(len, lines[0])) >= min(map(len, lines[1]))
    assert min(map(len, lines[0])) > 0.5 * max(map(len, lines[0]))
