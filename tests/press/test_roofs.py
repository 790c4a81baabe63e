"""Tests for the forms of roofs on the maps of Battling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest

from generator.model.picture import XY
from generator.symbols.features import ridge

SIDE = 10.0
"""Length of a cell side in mm."""
FORMS = range(3)
"""Variants of a roof: the first has gables, the others hips."""


def box(width: float, height: float) -> tuple[XY, ...]:
    return ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))


def area(ring: Sequence[XY]) -> float:
    return abs(math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*ring, ring[0])))) / 2


@pytest.mark.parametrize("variant", FORMS)
@pytest.mark.parametrize(("width", "height"), [(40.0, 15.0), (15.0, 40.0), (20.0, 20.0)])
def test_lit_and_shaded_parts_cover_a_roof_once(width: float, height: float, variant: int) -> None:
    roof = ridge(box(width, height), SIDE, variant)
    assert roof
    lines, lit, shaded = roof
    assert math.fsum(map(area, (*lit, *shaded))) == pytest.approx(width * height)
    assert area(lit[0]) == pytest.approx(area(shaded[0]))
    assert len(lines) == (1 if variant == 0 else 5)


@pytest.mark.parametrize("variant", FORMS)
def test_light_comes_from_the_north_west(variant: int) -> None:
    for width, height in ((40.0, 15.0), (15.0, 40.0)):
        roof = ridge(box(width, height), SIDE, variant)
        assert roof
        _, lit, shaded = roof
        towards = [
            math.fsum(y - x for part in parts for x, y in part) / sum(map(len, parts)) for parts in (lit, shaded)
        ]
        assert towards[0] > towards[1]


@pytest.mark.parametrize(
    "ring",
    [
        box(40.0, 30.0),
        box(40.0, 5.0),
        ((0.0, 0.0), (40.0, 0.0), (40.0, 15.0), (15.0, 15.0), (15.0, 40.0), (0.0, 40.0)),
        ((0.0, 0.0), (40.0, 3.0), (38.0, 18.0), (0.0, 15.0)),
    ],
    ids=["wide", "thin", "two wings", "slanted"],
)
def test_other_roofs_are_flat(ring: tuple[XY, ...]) -> None:
    assert ridge(ring, SIDE, 1) is None
