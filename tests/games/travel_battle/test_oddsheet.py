"""Compare the printed odds with every possible roll."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from generator.common.tables import percent
from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.pages.reference import AGAIN, cases, fire_odds, melee_odds, results
from generator.games.travel_battle.tables import Fight, Fighters, MassedOn

FACES = range(1, 7)
ON: tuple[MassedOn, ...] = ("effect", "hit")


@pytest.mark.parametrize("on", ON)
def test_every_shot_on_the_page_equals_every_roll(on: MassedOn) -> None:
    for row in table(fire_odds(house_roster(), on)):
        for case, printed in zip(cases(house_roster()), row["groups"], strict=True):
            massed, count = int(case.massed), Counter[str]()
            for hit, die, rally in product(FACES, FACES, FACES):
                what = ""
                if hit + massed * (on == "hit") >= row["far"]:
                    what = effect(max(1, min(6, die - case.cover + massed * (on == "effect"))))
                    count["hit"] += 1
                count[what] += 1
                for minimum in case.rallies:
                    count[str(minimum)] += what == "removed" or (what == "runs" and rally < minimum)
            wanted = ["hit", "turned", "runs", "removed", *map(str, case.rallies)]
            assert printed == [percent(Fraction(count[name], 6**3)) for name in wanted]


def effect(die: int) -> str:
    return {4: "turned", 5: "runs", 6: "removed"}.get(die, "none")


def test_no_column_is_printed_that_no_unit_can_need() -> None:
    plain, cover, massed = cases(house_roster())
    assert (plain.rallies, cover.rallies, massed.rallies) == ((3, 4, 5), (3, 4, 5), (3, 4))


def test_every_match_up_on_the_page_equals_every_roll() -> None:
    rows = {row["dice"]: row["groups"] for row in table(melee_odds())}
    assert len(rows) == 16
    for a, d in product(range(1, 4), range(1, 4)):
        for printed, again in zip(rows[f"{a} : {d}"], AGAIN.values(), strict=True):
            by = rolled(a, d, *again)
            lost = [sum((by[n] for n in range(3, 6)), Fraction()), by[2], by[1], by[0], by[-1], by[-2]]
            lost.append(sum((by[-n] for n in range(3, 6)), Fraction()))
            assert printed == [percent(chance) for chance in lost], (a, d, again)


@cache
def rolled(a: int, d: int, first: bool, second: bool) -> dict[int, Fraction]:
    """Return the chance of each difference between the highest dice.

    A side that is behind re-rolls its lowest die. The second side re-rolls first.
    """
    found = dict.fromkeys(range(-5, 6), 0)
    for dice in product(FACES, repeat=a + d):
        for one, p in throw(dice[:a], dice[a:], second, turned=True):
            for two, q in throw(one[0], one[1], first, turned=False):
                found[max(two[0]) - max(two[1])] += p * q
    return {by: Fraction(ways, 36 * 6 ** (a + d)) for by, ways in found.items()}


Dice = tuple[int, ...]


def throw(first: Dice, second: Dice, may: bool, *, turned: bool) -> list[tuple[tuple[Dice, Dice], int]]:
    """Return the dice after an optional re-roll, with the number of ways out of six."""
    rolled, other = (second, first) if turned else (first, second)
    if not may or max(rolled) >= max(other):
        return [((first, second), 6)]
    kept = tuple(sorted(rolled))[1:]
    made = [(*kept, die) for die in FACES]
    return [(((first, new) if turned else (new, second)), 1) for new in made]


def test_with_one_re_roll_it_is_all_one_who_attacks() -> None:
    for a, d in product(range(1, 5), range(1, 5)):
        one = results(Fight(Fighters(a, True), Fighters(d, False)))
        other = results(Fight(Fighters(d, False), Fighters(a, True)))
        assert list(one) == list(reversed(other))


def table(of: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a view."""
    return list(of["rows"])
