"""Compare the odds with every possible roll, judged by the text of the rules without the generator's tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from generator.games.travel_battle.forces import house_roster
from generator.games.travel_battle.tables import (
    Fight,
    Fighters,
    MassedOn,
    Shot,
    at_least,
    effects,
    melee,
    terrains,
)

FACES = range(1, 7)
RALLY = (3, 4, 5)
ON: tuple[MassedOn, ...] = ("effect", "hit")


def effect(die: int) -> str:
    return {4: "turned", 5: "runs"}.get(die, "none" if die < 4 else "removed")


@pytest.mark.parametrize("on", ON)
@pytest.mark.parametrize("massed", [False, True])
@pytest.mark.parametrize("cover", [0, 1])
def test_every_shot_equals_every_roll_of_it(cover: int, massed: bool, on: MassedOn) -> None:
    for distance in range(2, 7):
        wanted: Counter[str] = Counter()
        lost: Counter[int] = Counter()
        for hit, die, rally in product(FACES, FACES, FACES):
            found = "none"
            if hit + (massed and on == "hit") >= distance:
                found = effect(max(1, min(6, die - cover + (massed and on == "effect"))))
            wanted[found] += 1
            for minimum in RALLY:
                lost[minimum] += found == "removed" or (found == "runs" and rally < minimum)
        shot = Shot(distance, cover, massed, on)
        assert shot.odds == {name: Fraction(wanted[name], 216) for name in ("none", "turned", "runs", "removed")}
        assert sum(shot.odds.values()) == sum(shot.effects.values()) == 1
        for minimum in RALLY:
            assert shot.removes(minimum) == Fraction(lost[minimum], 216)


def test_goldens_of_a_shot() -> None:
    assert [Shot(d).hits * 6 for d in range(2, 7)] == [5, 4, 3, 2, 1]
    sixths = {
        (cover, massed): [int(p * 6) for p in Shot(4, cover, massed).effects.values()]
        for cover in (0, 1)
        for massed in (False, True)
    }
    assert sixths == {
        (0, False): [3, 1, 1, 1],
        (1, False): [4, 1, 1, 0],
        (0, True): [2, 1, 1, 2],
        (1, True): [3, 1, 1, 1],
    }


@pytest.mark.parametrize("distance", [-1, 0, 1, 7])
def test_no_shot_is_nearer_or_farther_than_a_gun_fires(distance: int) -> None:
    with pytest.raises(ValueError, match="no gun fires"):
        Shot(distance)


def test_ground_gives_cover_and_dice_as_the_odds_expect() -> None:
    assert {t.id for t in terrains().values() if t.cover == 1} == {"building", "wood"}
    assert {t.cover for t in terrains().values()} == {0, 1}
    assert [t.id for t in terrains().values() if t.defence] == ["building"]


def test_rallying() -> None:
    wanted = {"guard": 4, "line": 3, "heavy": 3, "light": 3, "gun": 2}
    assert {u.id: at_least(u.rally) * 6 for u in house_roster().fighters} == wanted


@cache
def rolls(dice: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """Return the number of rolls, keyed by highest die and highest die after removing the lowest.

    The second value is 0 if no die is left.
    """
    every = map(sorted, product(FACES, repeat=dice))
    return tuple(Counter((roll[-1], max(roll[1:], default=0)) for roll in every).items())


def again(faces: tuple[int, int], other: int, die: int) -> int:
    """Return a side's highest die after re-rolling its lowest die, which is done only if the side is behind."""
    highest, rest = faces
    return max(rest, die) if highest < other else highest


@cache
def differences(a: int, d: int, attacker: bool, defender: bool) -> dict[int, Fraction]:
    counts: Counter[int] = Counter()
    for (attackers, ways), (yours, times) in product(rolls(a), rolls(d)):
        for second in FACES if defender else (0,):
            after = again(yours, attackers[0], second) if defender else yours[0]
            for first in FACES if attacker else (0,):
                final = again(attackers, after, first) if attacker else attackers[0]
                counts[final - after] += ways * times
    thrown = a + d + attacker + defender
    return {difference: Fraction(counts[difference], 6**thrown) for difference in range(-5, 6)}


def fights() -> Iterator[Fight]:
    """Yield every match-up in the tables, with the dice of attacker and defender and their right to re-roll."""
    dice = range(1, melee().most_dice + 1)
    for a, d, attacker, defender in product(dice, dice, (False, True), (False, True)):
        yield Fight(Fighters(a, attacker), Fighters(d, defender))


def test_every_match_up_equals_every_roll_of_it() -> None:
    every = list(fights())
    assert len(every) == len(set(every)) == 4 * melee().most_dice ** 2
    for fight in every:
        a, d = fight.attacker, fight.defender
        wanted = differences(a.dice, d.dice, a.rerolls, d.rerolls)
        assert fight.odds == wanted, fight
        assert sum(fight.odds.values()) == 1
        for befalls, sign in ((fight.defender_results, 1), (fight.attacker_results, -1)):
            assert befalls == {
                "on": wanted[0],
                "back": wanted[sign],
                "runs": wanted[2 * sign],
                "removed": sum(wanted[k * sign] for k in (3, 4, 5)),
            }
        for rally in RALLY:
            fails = Fraction(rally - 1, 6)
            assert fight.defender_lost(rally) == sum(wanted[k] for k in (3, 4, 5)) + wanted[2] * fails
            assert fight.attacker_lost(rally) == sum(wanted[-k] for k in (3, 4, 5)) + wanted[-2] * fails


def test_goldens_of_melee() -> None:
    def rounded(fight: Fight) -> list[str]:
        chances = [*list(fight.defender_results.values())[1:], *fight.attacker_results.values()]
        return [f"{float(p):.3f}"[1:] for p in chances]

    assert rounded(Fight(Fighters(1), Fighters(1))) == [".139", ".111", ".167", ".167", ".139", ".111", ".167"]
    assert rounded(Fight(Fighters(2), Fighters(1))) == [".162", ".148", ".269", ".167", ".116", ".074", ".065"]
    assert Fight(Fighters(2), Fighters(2)).odds[0] == Fraction(286, 1296)


def test_a_second_roll_helps_and_the_last_word_helps_more() -> None:
    def attacker_ahead(fight: Fight) -> Fraction:
        return sum((p for difference, p in fight.odds.items() if difference > 0), Fraction())

    def behind(fight: Fight) -> Fraction:
        return sum((p for difference, p in fight.odds.items() if difference < 0), Fraction())

    plain, both = Fight(Fighters(1), Fighters(1)), Fight(Fighters(1, True), Fighters(1, True))
    assert attacker_ahead(Fight(Fighters(1, True), Fighters(1))) > attacker_ahead(plain)
    assert behind(Fight(Fighters(1), Fighters(1, True))) > behind(plain)
    assert attacker_ahead(both) > behind(both)


def test_every_result_of_a_fight_is_described() -> None:
    assert set(effects()) == {"none", "turned", "runs", "removed", "on", "back"}
    assert {bonus.id: (bonus.dice, bonus.arms) for bonus in melee().bonus} == {
        "charge": (1, ("cavalry",)),
        "square": (1, ("infantry",)),
        "volley": (1, ("infantry",)),
    }
