"""Tests for boards at true size, which every game and every kit can print, with tokens that fit the cells."""

from __future__ import annotations

from functools import cache

import pytest

from generator import games
from generator.common.game import Printable
from generator.errors import WrongUsageError
from generator.model.scenario import Request
from generator.model.views import Kit, Poster, Run
from generator.model.words import Lang
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.imposition import DEFAULT_IMPOSITION, trimmed_size
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.symbols.shapes import anatomy

CODE = "K7Q2M-9FHN5"
NAMES = games.names()


@cache
def kit(name: str) -> Kit:
    game = games.load(name)
    scenario = game.draw(Request(CODE, {}, {}))
    return game.kit(scenario, check(game.rules, scenario), CODE, "muster kit")


def boards(name: str) -> Printable:
    (found,) = (what for what in games.load(name).prints if what.verb == "boards")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_house_boards_random_ones_and_no_others(name: str) -> None:
    house = boards(name).make({"paper": "a4", "seed": CODE})
    content_type = next(
        content_type
        for of in (name, "battlelore")
        for content_type in games.load(of).content_types
        if content_type.view
    )
    assert len(house.sheets) == len(content_type.items())
    arguments = {"paper": "a4", "seed": CODE, "board": "random"}
    random = boards(name).make(arguments)
    assert random.stamp == CODE
    assert random.sheets == boards(name).make(arguments).sheets
    first = next(iter(content_type.items()))
    with pytest.raises(WrongUsageError, match=f"did you mean {first}"):
        boards(name).make({"paper": "a4", "seed": CODE, "board": f"{first}x"})


@pytest.mark.parametrize("name", NAMES)
def test_a_board_prints_in_order(name: str) -> None:
    number = NAMES.index(name)
    lang: Lang = ("en", "ja")[number % 2]
    paper, ink = ("a4", "letter")[number // 2 % 2], ("saver", "full")[number % 2]
    house = boards(name).make({"paper": paper, "seed": CODE}).sheets
    made = Kit(kit(name).game, kit(name).title, "", (house[number % len(house)],))
    assert preflight(print_kit(made, PrintSettings(lang, paper, ink)), paper, lang) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_kit_s_own_board_with_tokens_that_fit_on_it(name: str) -> None:
    posters = [sheet for sheet in kit(name).whole.sheets if isinstance(sheet, Poster)]
    assert posters
    assert not any(poster.view.tokens for poster in posters)
    ((width, exits),) = {(poster.cell, anatomy(poster.view.grid).exits) for poster in posters}
    runs = [sheet for sheet in kit(name).whole.sheets if isinstance(sheet, Run) and sheet.cut != "card"]
    assert runs
    for tokens in runs:
        assert tokens.hex == width
        w, h = trimmed_size(tokens.cut, tokens.hex, DEFAULT_IMPOSITION, tokens.share)
        # The corners of a square token on a hex are inside the hex.
        assert w <= width
        assert tokens.cut == "hex" or len(exits) > 6 or (w * w + h * h) ** 0.5 <= 1.16 * width
