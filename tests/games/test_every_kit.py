"""Tests that kits of every game pass preflight. MUSTER_KITS=8 tests all papers, languages and inks."""

from __future__ import annotations

import os
from itertools import product
from typing import NoReturn

import pytest

from generator import games
from generator.common import interpretations
from generator.model.scenario import Request
from generator.model.words import LANGS
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.paper import papers
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for
from generator.symbols.theme import INKS

EDITIONS = tuple(product(papers(), LANGS, INKS))
TRIED = int(os.environ.get("MUSTER_KITS", "2"))
"""Number of print options tested for each game. With two, opposite options are tested."""


@pytest.mark.parametrize("at", range(TRIED))
@pytest.mark.parametrize("name", games.names())
def test_it_passes_preflight(name: str, at: int) -> None:
    number = games.names().index(name)
    opposite = TRIED == 2 and at == 1
    paper, lang, ink = EDITIONS[-1 - number if opposite else (number + at) % len(EDITIONS)]
    game, code = games.load(name), code_for(1805 + number)
    scenario = game.draw(Request(code, {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, f"muster kit {name} --seed {code}")
    # Sheets generated later belong to the part that announced them.
    assert kit.whole.parts == kit.parts
    assert preflight(print_kit(kit.whole, PrintSettings(lang, paper, ink)), paper, lang) == []


@pytest.mark.parametrize("name", games.names())
def test_parts_that_are_not_requested_are_not_computed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unasked(*_: object) -> NoReturn:
        raise AssertionError("weighed")

    monkeypatch.setattr(interpretations, "outcomes", unasked)
    game, code = games.load(name), code_for(1805 + games.names().index(name))
    scenario = game.draw(Request(code, {}, {}))
    kit = game.kit(scenario, check(game.rules, scenario), code, "")
    assert kit.only(["cover", "map"]).sheets
    with pytest.raises(AssertionError, match="weighed"):
        _ = kit.sheets
    monkeypatch.undo()
    assert all(one is same for one, same in zip(kit.sheets, kit.sheets, strict=True))
