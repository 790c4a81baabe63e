"""Compare the odds with battles played die by die by battle_oracle.py, which shares no code with the generator."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from generator.common.interpretations import defaults, rulings
from generator.games.blind_faith import battle
from generator.games.blind_faith.battle import Force
from generator.games.blind_faith.exact_odds import (
    Odds,
    battle_odds,
    bombard_chances,
    fire_chances,
    response_chances,
    siege_odds,
)
from generator.games.blind_faith.rounds import ENDINGS, Limits, drawn_up, field_rounds, outcomes, policies
from generator.games.blind_faith.tables import FATES, ROLES, Losses, house_pack
from tests.games.blind_faith import battle_oracle as oracle

PACK = house_pack()
CHOSEN = defaults(rulings("blind_faith"))
LARGE = Limits(1500, 30000)
HALF, LAST = policies()["half"], policies()["last"]


def line(text: str) -> tuple[str, ...]:
    """Return the units described by a text such as `2 knights, tabor`."""
    parts = [part.split() for part in text.split(",")]
    return PACK.line(unit for *n, unit in parts for _ in range(int(n[0]) if n else 1))


def test_every_single_chance_equals_the_table_as_typed() -> None:
    for (shooter, target), faces in PACK.fire.items():
        wanted = Counter(oracle.shot("fire", shooter, target))
        assert Counter(faces) == wanted
        assert fire_chances(PACK, shooter, target) == {r: Fraction(n, 6) for r, n in wanted.items()}
    for shooter, wall in PACK.bombard:
        wanted = Counter(oracle.shot("bombard", shooter, wall))
        assert bombard_chances(PACK, shooter, wall) == {r: Fraction(n, 6) for r, n in wanted.items()}
    for attacker in PACK.units:
        for defender in PACK.units:
            chances = battle.charge_chances(PACK, attacker, defender)
            assert sum(chances.values()) == 1
            for who in ("defender", "charger"):
                lost = sum(p for result, p in chances.items() if getattr(result, who) != "none")
                assert lost == Fraction(sum(who in cell for cell in oracle.charged(attacker, defender)), 6)


@pytest.mark.parametrize("units", range(36))
def test_response_equals_the_table_as_typed(units: int) -> None:
    chances = response_chances(PACK, units)
    assert sum(chances.values()) == 1
    assert sum(n * p for (rout, gone), p in chances.items() for n in [rout + gone]) * 6 == sum(
        int(part.split()[0]) for cell in oracle.responses(units) for part in cell.split(",") if part != "none"
    )
    assert units or chances == {Losses(): 1}


ROUNDS = [
    ("knights, crusader_foot", "tabor, hussite_foot"),
    ("2 knights, youth_horse, crusader_foot", "hussite_foot, hussite_horse"),
    ("sigismund, youth_horse", "tabor"),
    ("tabor, hussite_foot", "youth_horse, knights"),
    ("2 knights", "6 hussite_foot"),
    ("2 crusader_foot, knights", "hussite_horse"),
]


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize(("attackers", "defenders"), ROUNDS)
def test_a_round_equals_every_die_of_it(attackers: str, defenders: str, before: bool) -> None:
    a, d = line(attackers), line(defenders)

    def play(roll: oracle.Roll) -> Any:
        one, two = oracle.Side(list(a), []), oracle.Side(list(d), [])
        oracle.round_of(roll, one, two, before)
        return one.tally(), two.tally()

    chosen = CHOSEN | {"response_count": "before" if before else "after"}
    assert field_rounds(PACK, chosen, LAST, LAST).full.chances(a, d) == oracle.every(play)


BATTLES = [
    ("knights, crusader_foot", "", "hussite_horse", "", 3),
    ("knights", "crusader_foot", "hussite_horse", "hussite_foot", 3),
    ("2 crusader_foot", "", "tabor", "", 2),
    ("tabor, hussite_foot", "", "knights", "crusader_foot", 2),
    ("4 crusader_foot", "knights", "hussite_horse", "", 2),
    ("2 knights", "", "hussite_horse, hussite_foot", "", 2),
]


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("refilled", [False, True])
@pytest.mark.parametrize(("front", "reserve", "facing", "behind", "rounds"), BATTLES)
def test_a_battle_equals_every_die_of_it(
    front: str, reserve: str, facing: str, behind: str, rounds: int, refilled: bool, half: bool
) -> None:
    a = Force(line(front), line(reserve) if reserve else ())
    d = Force(line(facing), line(behind) if behind else ())

    def forces() -> tuple[oracle.Side, oracle.Side]:
        return oracle.Side(list(a.front), list(a.reserve)), oracle.Side(list(d.front), list(d.reserve))

    policy = HALF if half else LAST
    chosen = CHOSEN | {"pursuit_front": "refilled" if refilled else "as_is"}
    odds = battle_odds(PACK, a, d, (policy, policy), chosen, rounds=rounds)
    wanted = oracle.every(lambda roll: oracle.battle(roll, forces, rounds, half, refilled))
    for ending in ENDINGS:
        assert odds.endings[ending] == sum((p for (how, *_), p in wanted.items() if how == ending), Fraction())
    assert odds.undecided == sum((p for (how, *_), p in wanted.items() if how == "undecided"), Fraction())
    for i, role in enumerate(ROLES, 1):
        for k, fate in enumerate(FATES[1:]):
            for unit in PACK.units:
                mean = sum((p * tallies[i][k].count(unit) for tallies, p in wanted.items()), Fraction())
                assert odds.lost.get((role, fate, unit), 0) == mean


def decided(odds: Odds) -> list[Fraction]:
    """Return the chance that the battle is over by the end of each round."""
    return [sum(after.endings.values(), Fraction()) for after in odds.after]


def test_a_battle_of_generated_size() -> None:
    """For two generated armies, the chances add up to 1, losses are plausible, and few battles are undecided."""
    a = drawn_up(PACK, "attack", line("4 knights, 6 crusader_foot, 2 youth_horse, sigismund"))
    d = drawn_up(PACK, "defence", line("3 tabor, 3 hussite_horse"))
    odds = battle_odds(PACK, a, d, (HALF, HALF), CHOSEN, limits=LARGE)
    assert odds.attacker + odds.defender + odds.endings["both_ruined"] + odds.undecided == 1
    assert odds.undecided < Fraction(1, 10**9)
    assert decided(odds) == sorted(decided(odds))
    assert all(0 <= mean <= (a if role == "attack" else d).left for (role, *_), mean in odds.lost.items())
    stays = battle_odds(PACK, a, d, (HALF, HALF), CHOSEN, no_way=ROLES[:1], limits=LARGE)
    assert stays.endings["attacker_retreats"] == 0 < odds.endings["attacker_retreats"]


def test_a_front_that_is_never_refilled_loses_the_battle_with_its_last_unit() -> None:
    a, d = Force(line("4 knights")), Force(line("hussite_horse"), line("9 hussite_horse"))
    never = battle_odds(PACK, a, d, (LAST, LAST), CHOSEN | {"defender_refill": "never"}, rounds=1)
    refills = battle_odds(PACK, a, d, (LAST, LAST), CHOSEN, rounds=1)
    assert never.endings["defender_ruined"] > 0 == refills.endings["defender_ruined"]


def test_too_large_a_battle_is_refused() -> None:
    a = drawn_up(PACK, "attack", line("9 knights, 9 crusader_foot, 5 youth_horse"))
    d = drawn_up(PACK, "defence", line("9 hussite_foot, 9 hussite_horse"))
    with pytest.raises(ValueError, match="more than 400 states"):
        battle_odds(PACK, a, d, (LAST, LAST), CHOSEN)


def siege(**chosen: str) -> Odds:
    return siege_odds(
        PACK, line("2 gun, 2 knights, crusader_foot"), line("3 hussite_foot"), "town", LAST, CHOSEN | chosen
    )


def test_stormers_are_only_routed_unless_the_ruling_says_otherwise() -> None:
    assert siege().losses("attack", "eliminate") == 0 < siege().losses("attack", "rout")
    assert siege(storm_losses="table").attacker == siege().attacker


def test_a_garrison_that_does_not_answer_falls_sooner() -> None:
    assert decided(siege(storm_response="none")) > decided(siege())
    assert siege().attacker + siege().defender + siege().endings["both_ruined"] + siege().undecided == 1


def test_every_result_is_described() -> None:
    assert set(outcomes()) == {"none", "rout", "eliminate", "breach"}
