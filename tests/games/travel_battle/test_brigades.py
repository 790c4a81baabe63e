"""Tests for the splits of an army into brigades, compared with every distribution of its units."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import get_args

import pytest

from generator.errors import DataError, NothingLegalError
from generator.games.travel_battle.forces import (
    Share,
    Sizes,
    Symbol,
    draw_split,
    house_roster,
    preset_split,
    read_roster,
    splits,
)
from generator.games.travel_battle.tables import numbers
from generator.model.words import same
from generator.notation.toml import Source
from generator.seeds import Rng
from generator.store.folders import shipped_path

ROSTER = house_roster()
TEXT = (shipped_path("data") / "travel_battle" / "army.toml").read_text("utf-8")
COUNTS = (2, 6, 2, 2, 2)
LIMITS = {(1, 0): 5796, (2, 0): 4812, (2, 6): 2219, (3, 6): 1915, (4, 6): 1036, (4, 5): 534}


def test_an_army_is_the_box_s() -> None:
    assert {kind.id: kind.count for kind in ROSTER.kinds.values()} == {
        "brigadier": 3,
        "guard": 2,
        "line": 6,
        "heavy": 2,
        "light": 2,
        "gun": 2,
    }
    assert ROSTER.counts == COUNTS
    assert ROSTER.brigadier.count == numbers().brigades


def test_units_march_and_rally_as_the_seed_has_it() -> None:
    assert {k.id: k.move for k in ROSTER.kinds.values()} == {
        "brigadier": 2, "guard": 1, "line": 1, "heavy": 2, "light": 2, "gun": 1,
    }  # fmt: skip
    assert {k.id: k.rally for k in ROSTER.fighters} == {"guard": 3, "line": 4, "heavy": 4, "light": 4, "gun": 5}
    assert [k.id for k in ROSTER.kinds.values() if k.rerolls] == ["guard", "heavy"]


def every_deal() -> set[tuple[Share, ...]]:
    """Return all ways to distribute the units over three brigades, ignoring the order of the brigades."""
    shares = [[(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)] for n in COUNTS]
    return {tuple(sorted(zip(*deal, strict=True), reverse=True)) for deal in product(*shares)}


def test_the_splits_are_those_of_a_plain_count() -> None:
    deals = every_deal()
    for (minimum, maximum), count in LIMITS.items():
        wanted = {deal for deal in deals if all(minimum <= sum(brigade) <= (maximum or 14) for brigade in deal)}
        found = splits(COUNTS, minimum, maximum)
        assert len(found) == len(wanted) == count
        assert set(found) == wanted
        assert list(found) == sorted(found, reverse=True)


def test_the_limits_offered() -> None:
    assert {name: len(splits(COUNTS, s.min_units, s.max_units)) for name, s in ROSTER.sizes.items()} == {
        "even": 1036,
        "uneven": 2219,
        "any": 4812,
    }
    assert next(iter(ROSTER.sizes)) == "even"


def test_a_draw_takes_each_split_as_likely_as_the_others() -> None:
    stream, limits = Rng("K7Q2M-9FHN5", "v1/brigades"), ROSTER.sizes["even"]
    drawn = Counter(draw_split(stream, ROSTER, limits) for _ in range(20 * 1036))
    assert set(drawn) <= set(splits(COUNTS, 4, 6))
    # Chi-squared with 1035 degrees of freedom has a standard deviation of about 45.5.
    chi = sum((drawn[split] - 20) ** 2 / 20 for split in splits(COUNTS, 4, 6))
    assert abs(chi - 1035) < 4 * 45.5


def test_impossible_brigade_sizes_are_reported() -> None:
    with pytest.raises(NothingLegalError, match="cannot be divided into brigades"):
        draw_split(Rng("K7Q2M-9FHN5", "v1/brigades"), ROSTER, Sizes("huge", same("huge"), 5))


def test_a_preset_is_a_split_that_its_limits_allow() -> None:
    for preset in ROSTER.presets.values():
        split = preset_split(ROSTER, preset)
        assert tuple(sorted(split, reverse=True)) in splits(COUNTS, 2, 6)


def test_what_ships_reads_as_a_user_s_file() -> None:
    assert read_roster(Source("army.toml", TEXT)) == ROSTER


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("count = 3", "count = 2", "an army must have exactly 3 brigadiers, all of one kind"),
        (
            "fights = false",
            "fights = true",
            "fights: a brigadier cannot fight, and every other unit must be able to fight",
        ),
        (
            "count = 6",
            "count = 20",
            "32 units are too few|only 24 pieces, but the army has 28 units and 3 brigadiers",
        ),
        ('id = "line"', 'id = "guard"', "id: the id guard is used twice"),
        ('symbol = "heavy"', 'symbol = "hevy"', r"unit\[4\].symbol: 'hevy' is not valid .did you mean heavy"),
        ('letter = "L"', 'letter = "G"', "letter: the letter G is used twice"),
        ("{ heavy = 2, light = 2 }, { line = 2, gun = 2 }", "{ heavy = 2 }, { gun = 2 }", "by_arm does not divide"),
        ("{ heavy = 2, light = 2 }, { line = 2, gun = 2 }, ", "", "by_arm does not divide"),
        ("{ heavy = 2, light = 2 }", "{ heavy = 2, light = 2, mortar = 1 }", "by_arm does not divide"),
    ],
)
def test_an_army_that_cannot_be_split_is_refused_with_its_reason(old: str, new: str, wanted: str) -> None:
    with pytest.raises(DataError, match=wanted):
        read_roster(Source("mine.toml", TEXT.replace(old, new, 1)))


def test_an_army_of_too_few_or_too_many_kinds_is_refused() -> None:
    head = (
        'name = { en = "Mine", ja = "自軍" }\n' + TEXT[TEXT.index("[[unit]]") : TEXT.index('[[unit]]\nid = "guard"')]
    )
    unit = '[[unit]]\nid = "{0}"\nname = {{ en = "{0}", ja = "{0}" }}\nletter = "{1}"\narm = "infantry"\n'
    unit += 'symbol = "line"\ncount = {2}\nmove = 1\nrally = 4\n'
    few = head + unit.format("line", "L", 5)
    with pytest.raises(DataError, match="5 units are too few for 3 brigades of at least 2 units"):
        read_roster(Source("mine.toml", few))
    many = head + "".join(unit.format(f"k{c}", c.upper(), 2) for c in "cdefghij")
    with pytest.raises(DataError, match="divided into brigades in too many ways"):
        read_roster(Source("mine.toml", many))
    enough = read_roster(Source("mine.toml", head + unit.format("line", "L", 9)))
    assert (enough.sizes, len(splits(enough.counts, 2))) == (ROSTER.sizes, 3)


def test_an_army_that_cannot_be_split_is_reported_with_its_line() -> None:
    head = TEXT[: TEXT.index("[[sizes]]")]
    sizes_form = '[[sizes]]\nid = "{}"\nname = {{ en = "x", ja = "x" }}\nleast = {}\nmost = {}\n'
    with pytest.raises(DataError) as caught:
        read_roster(Source("mine.toml", head + sizes_form.format("small", 2, 4) + sizes_form.format("large", 5, 6)))
    (line,) = caught.value.lines()
    at = next(n for n, text in enumerate(head.splitlines(), 1) if text == "count = 6")
    assert line.startswith(f"mine.toml:{at}: unit[3].count: 14 units cannot form 3 brigades of the available sizes")
    assert "(small, large)" in line
    fits = read_roster(
        Source("mine.toml", head + sizes_form.format("small", 2, 4) + sizes_form.format("medium", 3, 5))
    )
    assert [sizes.id for sizes in fits.fitting] == ["medium"]


def test_sizes_fit_where_there_is_a_split() -> None:
    for units, minimum, maximum in product(range(1, 13), range(5), range(6)):
        limits = Sizes("x", same("x"), minimum, maximum)
        if maximum and maximum < minimum:
            continue
        assert limits.fit(units) == bool(splits((units,), minimum, maximum)), (units, minimum, maximum)


def test_the_symbols_are_those_of_the_army_that_ships() -> None:
    assert {kind.symbol for kind in ROSTER.kinds.values()} == set(get_args(Symbol))
