"""Fields of fire on paper: their pages are shared evenly, whatever their number."""

from __future__ import annotations

import io

import pikepdf
import pytest

from generator.games.battlelore.draw import draw
from generator.games.battlelore.pages.sheets import ON_A_PAGE, fire_sheets
from generator.model.scenario import Request
from generator.model.views import Kit, Sheet
from generator.model.words import Lang, same
from generator.press.book import print_kit
from generator.press.edition import Edition
from generator.press.preflight import preflight

CODE = "K7Q2M-9FHN5"


def sheet(count: int) -> Sheet:
    """So many fields of fire, those of a drawn battle over and over."""
    battle = draw(Request(CODE, {}, {}))
    found = next(fire_sheets(battle, "pennant"))
    rows = list(found.view["rows"])  # type: ignore[call-overload]
    return Sheet(
        found.part,
        found.title,
        found.template,
        {**found.view, "rows": [rows[i % len(rows)] for i in range(count)]},
        found.figures,
        pages=99,
    )


@pytest.mark.parametrize(
    ("count", "lang", "paper"), [(1, "en", "a4"), (3, "ja", "letter"), (5, "en", "letter"), (7, "ja", "a4")]
)
def test_every_number_of_bows_has_its_pages(count: int, lang: Lang, paper: str) -> None:
    pdf = print_kit(Kit(same("Game"), same("Fire"), CODE, (sheet(count),)), Edition(lang, paper))
    assert len(pikepdf.open(io.BytesIO(pdf)).pages) == -(-count // ON_A_PAGE)
    assert preflight(pdf, paper, lang) == []
