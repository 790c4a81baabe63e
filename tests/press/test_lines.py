"""English lines end on what parts their entries, and never begin with it."""

from __future__ import annotations

import pytest

from generator.press import fonts
from generator.press.flowables import Prose
from generator.press.reader import text
from generator.press.text import style

ENTRIES = " · ".join(["Saint Ivo's Weir", "6 banners", "a hand of five", "long bows", "the mill", "Pennant"] * 3)


@pytest.mark.parametrize("width", range(60, 300, 7))
def test_no_line_begins_with_a_dot(width: int) -> None:
    fonts.ensure("en")
    made = text([ENTRIES], style("para", "en"), width)
    assert isinstance(made, Prose)
    made.wrap(width, 1000)
    lines = [" ".join(said) for _, said in made.blPara.lines]
    assert len(lines) > 1
    assert not [line for line in lines if line.startswith("·")]
    assert " ".join(lines).replace("\u00a0", " ") == ENTRIES
