"""Tests that battle maps of many codes stay within the printable area of every paper, also in booklets."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import pytest

from generator import games
from generator.cli.output import EVENING_PARTS
from generator.model.scenario import Request
from generator.model.views import Kit
from generator.press.book import print_kit
from generator.press.booklet import print_booklet
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.rules import check
from generator.seeds import code_for

PAPERS = ("a4", "letter")
SOME, FEW, BOOKLETS = 30, 6, 3
"""Number of codes of games whose maps have fields, and of the other games, and number of booklets of each game."""
ROTATED_FIELDS = "XF000-00GG3"
"""The code of a map with a rotated field in a hex at its left edge."""


def codes(game: str) -> list[str]:
    count = SOME if game in ("battlelore", "call_to_arms") else FEW
    return [ROTATED_FIELDS, *(code_for(3100 + 37 * number) for number in range(count - 1))]


def kit_of(game: str, code: str, parts: Collection[str]) -> Kit:
    """Return those of the parts that the kit of a battle has."""
    of = games.load(game)
    scenario = of.draw(Request(code, {}, {}))
    kit = of.kit(scenario, check(of.rules, scenario), code, f"muster kit {game} --seed {code}")
    return kit.only([part for part in kit.parts if part in parts])


@pytest.mark.parametrize(("game", "part"), [*product(games.names(), range(3))])
def test_maps_stay_within_the_printable_area(game: str, part: int) -> None:
    for code, paper in product(codes(game)[part::3], PAPERS):
        pdf = print_kit(kit_of(game, code, ("map",)), PrintSettings("en", paper))
        assert preflight(pdf, paper, "en") == [], f"{code} on {paper}"


@pytest.mark.parametrize(("game", "paper"), [*product(games.names(), PAPERS)])
def test_maps_in_booklets_stay_within_the_printable_area(game: str, paper: str) -> None:
    for code in codes(game)[:BOOKLETS]:
        pdf = print_booklet(kit_of(game, code, EVENING_PARTS), (), PrintSettings("en", paper))
        assert preflight(pdf, paper, "en") == [], f"{code} on {paper}"
