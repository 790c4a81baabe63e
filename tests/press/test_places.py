"""Tests that towns, cities and castles have four variants, stay inside their hex, and are lit from the upper left."""

from __future__ import annotations

import pytest

from generator.model.picture import Path
from generator.symbols.places import PLACES, VARIANTS_OF_PLACES, houses
from generator.symbols.shapes import SIDE
from generator.symbols.theme import theme

LOOKS = {"houses": "town", "walled": "city", "keep": "castle"}


def test_every_look_has_a_drawing() -> None:
    assert set(LOOKS) == set(PLACES)
    assert {key: theme().feature[look].pattern for key, look in LOOKS.items()} == {key: key for key in LOOKS}


@pytest.mark.parametrize("ink", ["full", "saver"])
@pytest.mark.parametrize("name", PLACES)
def test_four_variants_differ_and_stay_inside_the_hex(name: str, ink: str) -> None:
    palette = theme().feature[LOOKS[name]].ink(ink)
    drawings = [PLACES[name](palette, variant) for variant in range(VARIANTS_OF_PLACES)]
    assert len({repr(items) for items in drawings}) == VARIANTS_OF_PLACES
    assert PLACES[name](palette, VARIANTS_OF_PLACES) == drawings[0]
    for items in drawings:
        for item in items:
            assert isinstance(item, Path)
            for step in item.steps:
                xs, ys = step[1::2], step[2::2]
                assert all(abs(float(x)) <= 0.866 * SIDE for x in xs)
                assert all(abs(float(y)) <= SIDE for y in ys)


def test_the_left_slope_of_a_roof_is_lighter() -> None:
    palette = theme().feature["town"].ink("full")
    _, left, right, *_ = houses(palette, 0)
    assert isinstance(left, Path)
    assert isinstance(right, Path)
    assert left.fill
    assert right.fill
    assert sum(bytes.fromhex(left.fill[1:])) > sum(bytes.fromhex(right.fill[1:]))
