"""Tests on a sample of the proof that a manifest states a page's ink."""

from __future__ import annotations

import pytest

from generator import games
from generator.model.picture import Item, Path, Picture
from generator.model.views import Sheet
from tests.press.kits import kit_of
from tests.prove.parts.ink import Case, departures, figures


@pytest.mark.parametrize(
    "case", [Case("call_to_arms", 0, "ja", "saver", "a4"), Case("battling", 1, "en", "full", "letter")]
)
def test_the_ink_of_a_kit(case: Case) -> None:
    """The test measures every sixth page, because rendering is slower than printing.

    `make prove` measures all pages.
    """
    (figure,) = figures(departures(case, step=6))
    assert figure.holds, figure.faults


MAX_DIFFERENCE = 40
"""Maximum difference between the red, green and blue of a warm grey, from 0 to 255."""


def is_coloured(item: Item) -> bool:
    """Return whether the fill or the line of an item has a colour."""
    colours = (item.fill, item.pen.colour if item.pen else None) if isinstance(item, Path) else ()
    parts = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours if colour]
    return any(max(part) - min(part) > MAX_DIFFERENCE for part in parts)


@pytest.mark.parametrize("game", games.names())
def test_coloured_pictures_of_a_kit_have_a_form_that_saves_ink(game: str) -> None:
    sheets = [sheet for sheet in kit_of(game).whole.sheets if isinstance(sheet, Sheet)]
    pictures = {f"{s.part} {name}": of for s in sheets for name, of in s.figures.items() if isinstance(of, Picture)}
    coloured = {name: of for name, of in pictures.items() if any(map(is_coloured, of.items))}
    assert [name for name, of in coloured.items() if not of.saver] == []
    assert not any(is_coloured(item) for of in coloured.values() for item in of.saver)
