"""Tests for field battles: units in front, number of shots, possible losses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.common.interpretations import readings
from generator.games.blind_faith.battle import (
    Charge,
    Force,
    Shot,
    Toll,
    Tolls,
    charge,
    choices,
    fire,
    front_size,
    shots,
    without,
)
from generator.games.blind_faith.rounds import Policy, aimed, charging, cheapest, drawn_up, policies
from generator.games.blind_faith.tables import Losses, house_pack
from tests.games.blind_faith import battle_oracle as oracle

PACK = house_pack()


@pytest.mark.parametrize(("boxes", "fired"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)])
def test_a_tabor_that_defends_fires_at_every_occupied_box(boxes: int, fired: int) -> None:
    assert sum(times for _, times in shots(PACK, ("tabor",), "defence", boxes)) == fired


def test_a_tabor_that_attacks_fires_once() -> None:
    assert shots(PACK, ("tabor",), "attack", 9) == (("tabor", 1),)


def test_who_fires() -> None:
    front = tuple(PACK.units)
    attacking = {unit for unit, _ in shots(PACK, front, "attack", 4)}
    defending = {unit for unit, _ in shots(PACK, front, "defence", 4)}
    assert attacking == {"tabor", "sigismund", "youth_horse"}
    assert defending == attacking | {unit.id for unit in PACK.units.values() if unit.infantry}
    assert {unit.id for unit in PACK.units.values() if unit.intercepts} == {
        *("tabor", "hussite_horse", "knights", "youth_horse")
    }


def test_four_boxes_are_filled_while_there_is_a_reserve() -> None:
    units = PACK.line(("knights",) * 3 + ("crusader_foot",) * 4)
    force = drawn_up(PACK, "attack", units)
    assert (len(force.front), len(force.reserve)) == (4, 3)
    left = without(force.front, force.front[:2])
    force = drawn_up(PACK, "attack", force.reserve, front=left)
    assert (len(force.front), len(force.reserve)) == (4, 1)
    force = Force(force.front[2:], force.reserve)
    force = drawn_up(PACK, "attack", force.reserve, front=force.front)
    assert (len(force.front), len(force.reserve)) == (3, 0)
    assert [front_size(PACK, n) for n in range(7)] == [0, 1, 2, 3, 4, 4, 4]


def test_what_is_lost_leaves_the_front() -> None:
    lost = Toll(("knights",), ("crusader_foot",)).lost
    assert lost == ("knights", "crusader_foot")
    force = Force(without(("knights", "knights", "crusader_foot"), lost), ("knights",))
    assert force == Force(("knights",), ("knights",))
    assert force.left == 2
    with pytest.raises(ValueError, match="not in list"):
        without(("knights",), ("tabor",))


def test_a_hit_on_a_unit_already_lost_is_lost() -> None:
    once = fire(PACK, [Shot("youth_horse", 0)], ("crusader_foot", "knights"))
    twice = fire(PACK, [Shot("youth_horse", 0)] * 2, ("crusader_foot", "knights"))
    assert once == {
        Toll(): Fraction(4, 6),
        Toll(("crusader_foot",)): Fraction(1, 6),
        Toll((), ("crusader_foot",)): Fraction(1, 6),
    }
    assert twice[Toll()] == Fraction(16, 36)
    assert twice[Toll(("crusader_foot",))] == twice[Toll((), ("crusader_foot",))] == Fraction(10, 36)


def test_a_charger_whose_target_is_gone_rolls_no_die() -> None:
    both = charge(PACK, [Charge(0, 0), Charge(1, 0)], ("knights", "knights"), ("crusader_foot",))
    one = charge(PACK, [Charge(0, 0)], ("knights",), ("crusader_foot",))
    lost = sum(p for tolls, p in one.items() if tolls.defender.lost)
    assert sum(p for tolls, p in both.items() if tolls.defender.lost) == lost + (1 - lost) * lost
    assert sum(both.values()) == 1


def test_pursuers_come_to_no_harm() -> None:
    harmed = charge(PACK, [Charge(0, 0)], ("crusader_foot",), ("tabor",))
    unharmed = charge(PACK, [Charge(0, 0)], ("crusader_foot",), ("tabor",), charger_losses="none")
    assert any(tolls.attacker.lost for tolls in harmed)
    assert not any(tolls.attacker.lost for tolls in unharmed)


def test_chargers_are_lost_before_others() -> None:
    tolls = set(choices(PACK, ("knights",), ("crusader_foot", "youth_horse"), Losses(1, 1)))
    assert all("knights" in toll.lost for toll in tolls)
    assert len(tolls) == 4
    assert cheapest(PACK, ("knights",), ("crusader_foot",), Losses(1, 0)) == Toll(("knights",))
    assert cheapest(PACK, ("knights", "crusader_foot"), (), Losses(1, 1)) == Toll(("knights",), ("crusader_foot",))


def test_eliminations_come_first_where_units_run_short() -> None:
    assert set(choices(PACK, ("knights",), (), Losses(2, 1))) == {Toll((), ("knights",))}
    assert set(choices(PACK, (), (), Losses(2, 1))) == {Toll()}


UNITS = st.lists(st.sampled_from(tuple(PACK.units)), min_size=1, max_size=7).map(PACK.line)
POLICIES = st.sampled_from(tuple(policies().values()))


@settings(max_examples=60, deadline=None)
@given(front=UNITS, enemies=UNITS, policy=POLICIES)
def test_policies_choose_only_what_they_may(front: tuple[str, ...], enemies: tuple[str, ...], policy: Policy) -> None:
    for role in ("attack", "defence"):
        fired = aimed(PACK, policy, role, front, enemies)
        assert all(role in PACK.units[shot.shooter].fires and 0 <= shot.target < len(enemies) for shot in fired)
        assert len(fired) == sum(times for _, times in shots(PACK, front, role, len(enemies)))
    charges = charging(PACK, policy, front, enemies)
    assert len({c.charger for c in charges}) == len(charges) <= len(front)
    targets = [c.target for c in charges]
    if policy.older:
        assert all(targets.count(t) <= 1 + min(targets.count(i) for i in range(len(enemies))) for t in targets)
    if policy.charge == "all":
        able = [any("defender" in cell for e in enemies for cell in oracle.charged(unit, e)) for unit in front]
        assert len(charges) == (len(front) if policy.older else sum(able))


@settings(max_examples=100, deadline=None)
@given(front=UNITS, enemies=UNITS, policy=POLICIES.filter(lambda policy: not policy.older))
def test_no_unit_aims_at_an_enemy_that_the_table_cannot_remove(
    front: tuple[str, ...], enemies: tuple[str, ...], policy: Policy
) -> None:
    for role in ("attack", "defence"):
        for shot in aimed(PACK, policy, role, front, enemies):
            unit = PACK.units[shot.shooter]
            removes = [set(oracle.shot("fire", unit.type, PACK.units[e].type)) != {"none"} for e in enemies]
            assert removes[shot.target] or not any(removes) or (unit.each_box and role == "defence")
    for c in charging(PACK, policy, front, enemies):
        assert any("defender" in cell for cell in oracle.charged(front[c.charger], enemies[c.target]))


@settings(max_examples=40, deadline=None)
@given(front=UNITS, enemies=UNITS)
def test_chances_add_up_to_one_and_losses_are_possible(front: tuple[str, ...], enemies: tuple[str, ...]) -> None:
    policy = policies()["last"]
    costs = charge(PACK, charging(PACK, policy, front[:4], enemies), front[:4], enemies)
    assert sum(costs.values()) == 1
    for tolls in costs:
        assert isinstance(tolls, Tolls)
        without(front[:4], tolls.attacker.lost)
        without(enemies, tolls.defender.lost)


@pytest.mark.parametrize(
    ("policy", "units", "minimum"),
    [("half", 8, 5), ("half", 7, 4), ("half", 1, 1), ("last", 9, 0), ("careful", 9, 7), ("careful", 10, 7)],
)
def test_when_a_policy_retreats(policy: str, units: int, minimum: int) -> None:
    assert policies()[policy].min_units(units) == minimum


def test_fixed_rulings_are_printed() -> None:
    assert {"wagon", "columns", "declared", "ends"} <= {reading.id for reading in readings("blind_faith")}
