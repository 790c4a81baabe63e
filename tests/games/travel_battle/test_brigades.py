"""The splits of an army, counted, and held against a plain count of every deal of its units."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from generator.draw.streams import Stream
from generator.games.travel_battle.army import Preset, fighters, kinds, presets, sizes
from generator.games.travel_battle.brigades import BRIGADES, Brigade, draw_split, preset_split, splits
from generator.model.words import same

COUNTS = (2, 6, 2, 2, 2)
LIMITS = {(1, 0): 5796, (2, 0): 4812, (2, 6): 2219, (3, 6): 1915, (4, 6): 1036, (4, 5): 534}


def test_an_army_is_the_box_s() -> None:
    assert {unit.id: unit.count for unit in kinds().values()} == {
        "brigadier": 3,
        "guard": 2,
        "line": 6,
        "heavy": 2,
        "light": 2,
        "gun": 2,
    }
    assert tuple(unit.count for unit in fighters()) == COUNTS
    assert kinds()["brigadier"].count == BRIGADES


def test_units_march_and_rally_as_the_seed_has_it() -> None:
    assert {u.id: u.move for u in kinds().values()} == {
        "brigadier": 2, "guard": 1, "line": 1, "heavy": 2, "light": 2, "gun": 1,
    }  # fmt: skip
    assert {u.id: u.rally for u in fighters()} == {"guard": 3, "line": 4, "heavy": 4, "light": 4, "gun": 5}
    assert [u.id for u in kinds().values() if u.rerolls] == ["guard", "heavy"]


def every_deal() -> set[tuple[Brigade, ...]]:
    """All ways to deal the units to three brigades, those that differ in the brigades' order alone once."""
    shares = [[(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)] for n in COUNTS]
    return {tuple(sorted(zip(*deal, strict=True), reverse=True)) for deal in product(*shares)}


def test_the_splits_are_those_of_a_plain_count() -> None:
    deals = every_deal()
    for (least, most), count in LIMITS.items():
        wanted = {deal for deal in deals if all(least <= sum(brigade) <= (most or 14) for brigade in deal)}
        found = splits(least, most)
        assert len(found) == len(wanted) == count
        assert set(found) == wanted
        assert list(found) == sorted(found, reverse=True)


def test_the_limits_offered() -> None:
    assert {name: len(splits(s.least, s.most)) for name, s in sizes().items()} == {
        "even": 1036,
        "uneven": 2219,
        "any": 4812,
    }
    assert next(iter(sizes())) == "even"


def test_a_draw_takes_each_split_as_likely_as_the_others() -> None:
    stream, limits = Stream("K7Q2M-9FJXT", "v1/brigades"), sizes()["even"]
    drawn = Counter(draw_split(stream, limits) for _ in range(20 * 1036))
    assert set(drawn) <= set(splits(4, 6))
    # Chi-squared with 1035 degrees of freedom has a standard deviation of about 45.5.
    chi = sum((drawn[split] - 20) ** 2 / 20 for split in splits(4, 6))
    assert abs(chi - 1035) < 4 * 45.5


def test_a_preset_is_a_split_that_its_limits_allow() -> None:
    for preset in presets().values():
        split = preset_split(preset)
        assert tuple(sorted(split, reverse=True)) in splits(2, 6)


@pytest.mark.parametrize(
    "brigades",
    [
        ({"guard": 2, "line": 6}, {"heavy": 2, "light": 2}),
        ({"guard": 2, "line": 6}, {"heavy": 2, "light": 2}, {"gun": 1}),
        ({"guard": 2, "line": 6}, {"heavy": 2, "light": 2}, {"mortar": 2}),
    ],
)
def test_what_is_no_split_of_the_army_is_refused(brigades: tuple[dict[str, int], ...]) -> None:
    with pytest.raises(ValueError, match=r"no split|not enough values"):
        preset_split(Preset("odd", same("odd"), brigades, "house"))
