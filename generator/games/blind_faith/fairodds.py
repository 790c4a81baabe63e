"""Exact chances of the drawn battle or siege, as far as they are reckoned quickly, for the measures of fairness."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

import msgspec

from generator.games.blind_faith.fairstorm import siege_costs
from generator.games.blind_faith.forces.units import ROLES, Role, Side
from generator.games.blind_faith.pages.oddsheet import bearable
from generator.games.blind_faith.play.course import Odds
from generator.games.blind_faith.play.intercept import retreats
from generator.games.blind_faith.play.odds import battle_odds, siege_odds
from generator.games.blind_faith.play.policy import Limits, Policy, policies
from generator.games.blind_faith.play.rounds import Reckoned, field_rounds
from generator.games.blind_faith.scenario import OTHER, Scenario
from generator.notation import toml
from generator.store.folders import shipped


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    policy: str
    units: int
    most: Limits
    storm: int


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "blind_faith" / "fair_odds.toml", _File)


class FairOdds(NamedTuple):
    """What could be reckoned of a battle or siege; None: nobody fights, or it is too large."""

    cost: dict[Side, Fraction] | None
    """The points that a side costs the other on average in the first round."""
    wins: dict[Side, Fraction] | None
    """The chance that a side wins."""


def fair_odds(scenario: Scenario) -> FairOdds:
    """The first round and the end of the scenario's battle or siege."""
    if scenario.kind == "march":
        return FairOdds(None, None)
    policy, attacker = policies()[_file().policy], scenario.active.side
    sides: dict[Role, Side] = {"attack": attacker, "defence": OTHER[attacker]}
    try:
        lost = _first_round(scenario, policy)
    except ValueError:
        return FairOdds(None, None)
    # What a side loses is what the other has cost it.
    cost = {OTHER[sides[role]]: lost[role] for role in ROLES}
    try:
        odds = _end(scenario, policy, sides)
    except ValueError:
        return FairOdds(cost, None)
    return FairOdds(cost, {attacker: odds.attacker, OTHER[attacker]: odds.defender})


def _first_round(scenario: Scenario, policy: Policy) -> dict[Role, Fraction]:
    """The points that it costs either side on average, routed units and eliminated ones alike."""
    pack, chosen, siege, battle = scenario.pack, scenario.rulings, scenario.siege, scenario.battle
    if battle:
        fronts = battle.attack.front, battle.defence.front
        first = field_rounds(pack, chosen, policy, policy).full.reckoned(fronts)
        return {role: _lost(scenario, first, role) for role in ROLES}
    assert siege, "a march that is not met yet has no rounds"
    lines = pack.line(scenario.active.units), pack.line(scenario.stack(siege.garrison).units)
    return siege_costs(pack, lines, siege.wall, policy, chosen, _file().storm)


def _lost(scenario: Scenario, first: Reckoned, role: Role) -> Fraction:
    units = scenario.pack.units
    parts = sum(mean * units[unit].points for (who, _, unit), mean in first.lost.items() if who == role)
    return Fraction(parts, first.of)


def _end(scenario: Scenario, policy: Policy, sides: dict[Role, Side]) -> Odds:
    """ValueError where it is too large to reckon."""
    pack, chosen, siege, battle = scenario.pack, scenario.rulings, scenario.siege, scenario.battle
    if battle:
        fight = battle.attack, battle.defence
        _small(sum(len(force.front) + len(force.reserve) for force in fight))
        no_way = [role for role in ROLES if not retreats(scenario, sides[role])]
        return battle_odds(pack, *fight, (policy, policy), chosen, no_way=no_way, most=_file().most)
    assert siege, "a march that is not met yet has no end"
    besiegers, garrison = scenario.active.units, scenario.stack(siege.garrison).units
    _small(len(besiegers) + len(garrison))
    bearable(pack, policy, besiegers, garrison, chosen, _file().storm)
    return siege_odds(pack, besiegers, garrison, siege.wall, policy, chosen, most=_file().most)


def _small(units: int) -> None:
    if units > _file().units:
        raise ValueError(f"more than {_file().units} units")
