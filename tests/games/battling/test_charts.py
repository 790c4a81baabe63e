"""Compare the odds with every possible roll, and the house charts with the examples of the rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest

from generator.games.battling.forces import house_pack, machines
from generator.games.battling.tables import BattlingRoll, Shot, dice

FACES = range(1, 7)
ROW = ("D", "D", "EX", "-", "A", "A")


@pytest.mark.parametrize("last", ["", "W", "R", "F", "B", "D"])
def test_every_shot_equals_every_roll_of_it(last: str) -> None:
    change = 1 if last in ("R", "D") else 0
    assert dice().change("hit", last) == change
    for number, power, armour in product(range(8), range(8), (0, 1)):
        shot = Shot(number, power, change, armour)
        hits = sum(die + change <= number for die in FACES)
        hurts = sum(a + change <= number and b + armour <= power for a, b in product(FACES, FACES))
        assert (shot.hits, shot.hurts) == (Fraction(hits, 6), Fraction(hurts, 36))


@pytest.mark.parametrize("last", ["", "W", "R", "F", "B", "D"])
def test_battling_equals_every_roll_of_it_and_stays_on_the_table(last: str) -> None:
    change = dice().change("battling", last)
    assert change == (last == "D")
    melee = BattlingRoll(("D", "D", "EX", "-", "A", "A"), change)
    wanted = Counter(ROW[min(die + change, 6) - 1] for die in FACES)
    assert melee.odds == {result: Fraction(wanted[result], 6) for result in ("-", "D", "A", "EX")}
    assert melee.hurts == Fraction(wanted["D"] + wanted["EX"], 6)
    assert melee.costs == Fraction(wanted["A"] + wanted["EX"], 6)


def test_the_charts_satisfy_what_the_seeds_examples_prove() -> None:
    pack = house_pack()
    shot = pack.shot("brutishdog", "scopedog", 4)
    assert (shot.number, shot.power) == (2, 2)
    assert (shot.hits, shot.hurts) == (Fraction(1, 3), Fraction(1, 9))
    assert pack.shot("brutishdog", "scopedog", 4, "R").hurts == Fraction(1, 18)
    assert pack.machines["scopedog"].hp == pack.machines["brutishdog"].hp == 4
    melee = pack.battling_roll("brutishdog", "scopedog")
    assert (melee.result(2), melee.result(4)) == ("D", "EX")


def test_only_the_standing_tortoise_is_armoured() -> None:
    assert {kind.id: kind.armour for kind in machines().values() if kind.armour} == {"standing_tortoise": 1}


def test_a_better_die_is_never_worse_for_the_attacked() -> None:
    # The value of a result is the difference of the losses. "-" and "EX" are equal, A is best, and D is worst.
    worth = {key: effect.attacker_loss - effect.target_loss for key, effect in dice().effects.items()}
    for row in house_pack().results.values():
        assert [worth[result] for result in row] == sorted(worth[result] for result in row)
    rows = list(house_pack().results.values())
    for low, high in pairwise(rows):
        assert all(worth[a] <= worth[b] for a, b in zip(low, high, strict=True))


def test_battling_differences_mirror_each_other() -> None:
    kinds = machines()
    for a, b in product(kinds, kinds):
        assert kinds[a].battling[b] == -kinds[b].battling[a]
