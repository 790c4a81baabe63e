"""Compare the odds with every possible roll, judged by the text of the rules without the generator's tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from generator.common.tables import percent
from generator.games.battlelore.odds import Attack, attack, dice, retreat_costs
from generator.games.battlelore.pages.odds_page import NUMERALS, kinds, odds_sheet
from generator.games.battlelore.tables import Arm, Morale, lore

FACES = ("green", "blue", "red", "strike", "lore", "flag")
COLOURS = FACES[:3]
OWN = {"green": 2, "blue": 3, "red": 4}
BOWS = ("common_bow", "crossbow", "long_bow", "arbalest")
WEAPONS = ("short_sword", "long_sword", *BOWS)
CAPS = (0, 1, 2, 3)
MORALES: tuple[Morale, ...] = ("steady", "bold", "frightened")


class Case(NamedTuple):
    """The situation of an attack."""

    banner: str
    weapon: str
    target: str
    arm: Arm
    ranged: bool
    moved: bool
    cap: int
    on_stakes: bool


def cases() -> list[Case]:
    every = product(COLOURS, WEAPONS, COLOURS, ("foot", "mounted"), (False, True), (False, True), CAPS, (False, True))
    return [case for case in map(Case._make, every) if case.weapon in BOWS or not case.ranged]


@cache
def rolls(count: int) -> Counter[tuple[str, ...]]:
    """Count all 6^n rolls of `count` dice, ignoring the order of the dice."""
    return Counter(tuple(sorted(roll)) for roll in product(FACES, repeat=count))


def rolled(case: Case) -> int:
    face = OWN[case.banner]
    if case.moved and case.weapon in BOWS:
        face = 0 if case.weapon == "arbalest" else face - 1
    return min(face, case.cap) if case.cap else face


def hits(case: Case, roll: tuple[str, ...]) -> int:
    strikes = roll.count("strike")
    if case.weapon == "common_bow" or (case.weapon in BOWS and not case.ranged):
        strikes = 0
    if case.weapon == "short_sword" and case.arm == "mounted":
        strikes = max(0, strikes - 1)
    if case.on_stakes and case.arm == "foot" and not case.ranged:
        strikes = max(0, strikes - 1)
    return roll.count(case.target) + strikes


def test_every_attack_equals_every_roll_of_it() -> None:
    for case in cases():
        count = rolled(case)
        wanted: Counter[tuple[int, int]] = Counter()
        for roll, ways in rolls(count).items():
            wanted[hits(case, roll), roll.count("flag")] += ways
        made = attack(*case[:4], ranged=case.ranged, moved=case.moved, cap=case.cap, behind_stakes=case.on_stakes)
        assert made.dice == count, case
        assert made.odds == {key: Fraction(ways, 6**count) for key, ways in wanted.items()}, case


@pytest.mark.parametrize("morale", MORALES)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize(("strikes", "ignored"), [(False, 0), (True, 0), (True, 1)])
def test_what_comes_of_every_roll(strikes: bool, ignored: int, count: int, morale: Morale) -> None:
    roll = Attack(count, strikes, ignored)
    exactly, falls, empties = (defaultdict[int, Fraction](Fraction) for _ in range(3))
    retreats = extra = Fraction()
    for faces, ways in rolls(count).items():
        chance = Fraction(ways, 6**count)
        struck = max(0, faces.count("strike") - ignored) if strikes else 0
        hit, flags = faces.count("red") + struck, faces.count("flag")
        flags = max(0, flags - 1) if morale == "bold" else flags
        retreats += chance * (flags > 0)
        exactly[hit] += chance
        # A frightened unit rolls one die for each hex of its retreat. One face of the die matches the unit.
        for matches in product((True, False), repeat=2 * flags if morale == "frightened" else 0):
            way = chance * Fraction(5 ** matches.count(False), 6 ** len(matches))
            extra += way * matches.count(True)
            for figures in range(1, 5):
                falls[figures] += way * (hit + matches.count(True) >= figures)
                empties[figures] += way * (hit >= figures or flags > 0)
    assert [roll.hits(n) for n in range(5)] == [exactly[n] for n in range(5)]
    assert [roll.at_least(n) for n in range(5)] == [sum(exactly[k] for k in range(n, 5)) for n in range(5)]
    assert [roll.falls(n, morale) for n in range(1, 5)] == [falls[n] for n in range(1, 5)]
    assert [roll.empties(n, morale) for n in range(1, 5)] == [empties[n] for n in range(1, 5)]
    assert roll.retreats(morale) == retreats
    assert roll.losses(morale) == extra


@pytest.mark.parametrize("flags", [1, 2])
def test_what_a_frightened_retreat_costs(flags: int) -> None:
    rolled = list(product(FACES, repeat=2 * flags))
    for figures in range(1, 5):
        wanted = Fraction(sum(roll.count("blue") >= figures for roll in rolled), len(rolled))
        assert retreat_costs("frightened", flags, figures) == wanted
    assert retreat_costs("bold", flags, 1) == 0


def test_impossible_attacks() -> None:
    with pytest.raises(ValueError, match="a short sword cannot shoot"):
        attack("red", "short_sword", "green", "foot", ranged=True)
    with pytest.raises(ValueError, match="no banner 'white'"):
        attack("red", "short_sword", "white", "foot")
    assert dice("red", "arbalest", moved=True) == 0


def test_the_page_holds_a_table_for_every_attack() -> None:
    view = odds_sheet().view
    assert isinstance(view["tables"], list)
    printed = {table["numeral"]: table["rows"] for table in view["tables"]}
    assert list(printed) == list(NUMERALS[: len(kinds())])
    for case in cases():
        roll = attack(*case[:4], ranged=case.ranged, moved=case.moved, cap=case.cap, behind_stakes=case.on_stakes)
        if not roll.dice:
            continue
        row = printed[NUMERALS[kinds().index((roll.strikes, roll.ignored))]][roll.dice - 1]
        assert row["hits"] == [percent(roll.hits(n)) for n in range(5)], case
        assert row["groups"][0] == [percent(roll.at_least(n)) for n in range(1, 5)], case


def test_whole_percent() -> None:
    percents = [percent(Fraction(n, 1000)) for n in (0, 1, 5, 125, 994, 999, 1000)]
    assert percents == ["–", "<1", "1", "13", "99", ">99", "100"]


def test_the_die_has_a_face_for_every_banner() -> None:
    assert {face.id for face in lore().play.face} == set(FACES)
