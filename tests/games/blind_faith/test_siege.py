"""Tests for sieges: breaches, storms and the response to a storm."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from generator.common.interpretations import defaults, rulings
from generator.games.blind_faith.battle import Charge, Toll, Tolls
from generator.games.blind_faith.rounds import policies
from generator.games.blind_faith.siege import bombard, breached, siege_round, storm
from generator.games.blind_faith.tables import house_pack
from tests.games.blind_faith import battle_oracle as oracle

PACK = house_pack()
CHOSEN = defaults(rulings("blind_faith"))
GARRISON = ("hussite_foot", "hussite_foot", "hussite_horse")


@pytest.mark.parametrize("wall", [wall.id for wall in PACK.walls])
@pytest.mark.parametrize("guns", [(), ("gun",), ("tabor", "gun"), ("tabor", "gun", "gun")])
def test_breaches_equal_every_die(guns: tuple[str, ...], wall: str) -> None:
    throws = list(product(*(oracle.shot("bombard", PACK.units[unit].type, wall) for unit in guns)))
    wanted = {n: Fraction(k, len(throws)) for n in range(4) if (k := sum(t.count("breach") == n for t in throws))}
    assert bombard(PACK, guns, wall) == wanted


def test_a_breach_costs_a_unit_of_the_garrison_that_it_chooses() -> None:
    assert breached(PACK, ("tabor", "hussite_foot"), 0) == Toll()
    assert breached(PACK, ("tabor", "hussite_foot"), 1) == Toll((), ("hussite_foot",))
    assert breached(PACK, ("tabor", "hussite_foot"), 9) == Toll((), ("tabor", "hussite_foot"))


def lost(chosen: dict[str, str], garrison: tuple[str, ...] = GARRISON) -> set[Tolls]:
    charges = [Charge(0, 0), Charge(1, 1)]
    costs = storm(PACK, charges, ("knights", "crusader_foot"), garrison, CHOSEN | chosen)
    assert sum(costs.values()) == 1
    return set(costs)


def test_stormers_are_only_routed() -> None:
    assert not any(tolls.attacker.eliminated for tolls in lost({}, ("tabor",) * 2))
    assert any(tolls.attacker.eliminated for tolls in lost({"storm_losses": "table"}, ("tabor",) * 12))


def test_routed_stormers_do_not_exceed_their_number() -> None:
    """A storm of n units has at most n + 1 results for the attacker.

    Without this limit, large sieges take too long to compute.
    """
    charges = [Charge(place, 0) for place in range(5)]
    costs = storm(PACK, charges, ("crusader_foot",) * 5, ("tabor",) * 12, CHOSEN)
    assert len({tolls.attacker for tolls in costs}) <= 6
    assert sum(costs.values()) == 1


def test_bombardment_costs_the_besieger_nothing() -> None:
    guns = siege_round(PACK, CHOSEN, "castle", policies()["last"]).chances(("gun", "gun"), GARRISON)
    assert not any(tolls.attacker.lost for tolls in guns)
    assert any(len(tolls.defender.eliminated) == 2 for tolls in guns)


def test_only_stormers_are_lost_to_the_answer() -> None:
    garrison = ("hussite_foot",) * 16
    spread = siege_round(PACK, CHOSEN, "town", policies()["last"]).chances(("knights", "gun"), garrison)
    assert {unit for tolls in spread for unit in tolls.attacker.lost} == {"knights"}


def test_without_a_storm_there_is_no_response() -> None:
    assert storm(PACK, [], ("knights",), GARRISON, CHOSEN) == {Tolls(): 1}


def test_the_answer_is_a_switch() -> None:
    garrison = ("hussite_foot",) * 8
    charges = [Charge(0, 0)]
    answered = storm(PACK, charges, ("knights",), garrison, CHOSEN)
    alone = storm(PACK, charges, ("knights",), garrison, CHOSEN | {"storm_response": "none"})
    assert sum(p for t, p in answered.items() if t.attacker.lost) > sum(
        p for t, p in alone.items() if t.attacker.lost
    )


@pytest.mark.parametrize(
    ("attackers", "garrison"),
    [
        (("gun", "gun", "knights"), ("hussite_foot", "tabor")),
        (("knights", "crusader_foot"), ("hussite_foot",) * 6),
        (("tabor", "hussite_foot", "gun"), ("knights", "crusader_foot")),
    ],
)
def test_a_round_equals_every_die_of_it(attackers: tuple[str, ...], garrison: tuple[str, ...]) -> None:
    a, d = PACK.line(attackers), PACK.line(garrison)
    guns = [unit for unit in a if PACK.units[unit].bombards]

    def play(roll: oracle.Roll) -> Any:
        stormers = oracle.Side([unit for unit in a if unit not in guns], [])
        inside = oracle.Side(list(d), [])
        oracle.siege(roll, guns, stormers, inside, "town")
        return stormers.tally(), inside.tally()

    assert siege_round(PACK, CHOSEN, "town", policies()["last"]).chances(a, d) == oracle.every(play)
