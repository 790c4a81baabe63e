"""The legend below the studio's map: a list that is legible at every width."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from generator.model.words import LANGS
from tests.cli import browser
from tests.cli.conftest import CODE
from tests.cli.run import muster

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="no Chromium is installed")
LONG = 60.0
WIDTHS = 390, 1440
GAMES = {
    "battlelore": "",
    "call_to_arms": "",
    "battling": "",
    "travel_battle": "",
    "blind_faith": "&w.kind=battle&w.points=30",
}
"""The games, and the options for a battle with little work."""
ENTRIES = """[...document.querySelectorAll('#legend li')].map(li => {
    const sample = li.querySelector('svg').getBoundingClientRect();
    const group = li.querySelector('svg g').getBoundingClientRect();
    return {
        text: li.lastChild.textContent,
        px: parseFloat(getComputedStyle(li).fontSize),
        sample: [sample.width, sample.height],
        covers: [group.width / sample.width, group.height / sample.height],
        inside: li.getBoundingClientRect().right <= innerWidth,
    };
})"""
"""A script that returns what is to be seen of each entry."""


def printed_entries(tab: browser.Page, lang: str) -> list[str]:
    """Return the texts of the legend that the command line draws for the battle on the page."""
    Path("battle.toml").write_text(tab.run("document.getElementById('toml').textContent"), "utf-8")
    muster("print", "battle.toml", "--parts", "map", "--format", "svg", "--lang", lang, "-o", "kit", "--force")
    (picture,) = Path("kit").glob("*legend.svg")
    entries = picture.read_text("utf-8").split('<g data-layer="entry"')[1:]
    return [re.findall('aria-label="([^"]*)"', entry)[-1] for entry in entries]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", GAMES)
def test_the_legend_has_every_entry_in_a_legible_size(page: tuple[browser.Page, str], game: str, lang: str) -> None:
    tab, address = page
    for width in WIDTHS:
        query = f"#/battle/{game}?seed={CODE}&lang={lang}{GAMES[game]}"
        tab.open(address + query, width, 900, first="localStorage.clear()")
        assert tab.becomes("document.querySelectorAll('#legend li').length > 0", True, LONG)
        entries: list[dict[str, Any]] = tab.run(ENTRIES)
        if folder := os.environ.get("MUSTER_TEST_SHOTS"):
            tab.run("document.getElementById('legend').scrollIntoView({block: 'center'})")
            tab.shoot(Path(folder) / f"legend-{game}-{lang}-{width}.png")
        assert [entry["text"] for entry in entries] == printed_entries(tab, lang)
        for entry in entries:
            assert entry["px"] >= 12
            assert entry["inside"]
            assert min(entry["sample"]) > 3
            # A sample fills its small picture, of which a line has only the length, and nothing of it is cut off.
            assert 0.6 <= max(entry["covers"]) <= 1.0, entry
