"""Tests that any two terrains of a map, and any two counters, differ in grey and without green, ignoring letters."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import ImageStat

from generator.model.views import Token
from generator.symbols.theme import INKS
from tests.prove.parts.colours import (
    APART,
    BANNERS,
    COUNTERS,
    EYES,
    GRIDS,
    counter,
    grey,
    ground,
    most_similar,
    terrains,
)

WEAPONS = {
    "battlelore": ("pennant", "blue", "short_sword long_sword common_bow long_bow crossbow arbalest"),
    "travel_battle": ("blue", "first", "line guard light heavy gun brigadier"),
    "battling": ("first", "plain", "standard_machine assault_machine heavy_machine scout_machine elite_machine"),
    "blind_faith": ("hussite", "plain", "wagon cavalry foot handgun_horse leader siege cardinal legate"),
}


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("game", GRIDS)
def test_any_two_terrains(game: str, ink: str, eye: str) -> None:
    drawn = {key: EYES[eye](ground(game, key, ink)) for key in terrains(game)}
    assert most_similar(game, drawn).faults == ()


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("game", COUNTERS)
def test_any_two_banners_or_sides(game: str, ink: str, eye: str) -> None:
    drawn = {f"{token.shape} {token.colour}": EYES[eye](counter(token, ink)) for token in COUNTERS[game]}
    assert most_similar(game, drawn).faults == ()


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("game", WEAPONS)
def test_any_two_weapons(game: str, ink: str) -> None:
    shape, colour, symbols = WEAPONS[game]
    facing = 90.0 if game == "travel_battle" else None
    tokens = {symbol: Token(shape, colour, symbol, facing=facing) for symbol in symbols.split()}
    assert most_similar(game, {symbol: grey(counter(token, ink)) for symbol, token in tokens.items()}).faults == ()


def test_banners_differ_in_tone_without_hatching() -> None:
    """On a copier without hatching, green banners are the lightest and red banners the darkest."""
    for camp in ("pennant", "standard"):
        tones = [
            ImageStat.Stat(grey(counter(Token(camp, banner, "short_sword"), "full"))).mean[0] for banner in BANNERS
        ]
        assert tones == sorted(tones, reverse=True)
        assert min(a - b for a, b in pairwise(tones)) > APART
