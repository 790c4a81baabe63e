"""The siege: what bombardment breaches, and what a storm and its answer cost, with exact chances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.tables import DIE
from generator.games.blind_faith.forces.units import Line
from generator.games.blind_faith.play.battle import Charge, Harm, Toll, Tolls, charge, charge_parts, summed, without
from generator.games.blind_faith.play.policy import Policy, charging
from generator.games.blind_faith.play.rounds import Round, Spread, responded


def bombard(pack: Pack, bombarders: Sequence[str], wall: str) -> Mapping[int, Fraction]:
    """The chance of each number of breaches that these units make in such a wall, a die each."""
    spread = {0: Fraction(1)}
    for unit in bombarders:
        p = Fraction(pack.bombard[pack.units[unit].type, wall].count("breach"), DIE)
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        for breaches, q in spread.items():
            after[breaches] += q * (1 - p)
            after[breaches + 1] += q * p
        spread = {breaches: q for breaches, q in after.items() if q}
    return spread


def breached(pack: Pack, garrison: Line, breaches: int) -> Toll:
    """What a garrison gives up to so many breaches: a unit for each, the cheapest first (policy)."""
    return Toll((), pack.line(sorted(garrison, key=lambda unit: pack.units[unit].points)[:breaches]))


def storm(
    pack: Pack, charges: Sequence[Charge], stormers: Line, garrison: Line, chosen: Mapping[str, str]
) -> Mapping[Tolls, Fraction]:
    """What a storm and the garrison's answer cost; `chosen` is by ruling. Nobody storms, nobody answers."""
    after: defaultdict[Tolls, int] = defaultdict(int)
    answers = bool(charges) and chosen["storm_response"] == "field"
    # Results that come to the same are one from the beginning: of larger storms there would be too many.
    harm: Harm = "rout" if chosen["storm_losses"] == "rout" else "table"
    storming = tuple(stormers[c.charger] for c in charges)
    for tolls, p in charge_parts(pack, charges, stormers, garrison, harm=harm).items():
        gone = 0 if chosen["response_count"] == "before" else len(tolls.defender.lost)
        first = without(storming, tolls.attacker.lost)
        for more, q in responded(pack, (len(garrison) - gone) * answers, first, (), harm=harm).items():
            after[summed(pack, tolls, more)] += p * q
    of = DIE ** (len(charges) + 1)
    return {tolls: Fraction(p, of) for tolls, p in after.items()}


def first_storm(
    pack: Pack, besiegers: Line, garrison: Line, wall: str, attacker: Policy
) -> tuple[Fraction, Fraction]:
    """How many units the first storm costs the garrison and the stormers on average, before the garrison answers.

    Means add up, whatever hangs on what: there is no storm too large for them.
    """
    guns = [unit for unit in besiegers if pack.units[unit].bombards]
    stormers = tuple(unit for unit in besiegers if not pack.units[unit].bombards)
    cost = [Fraction(), Fraction()]
    for breaches, p in bombard(pack, guns, wall).items():
        left = without(garrison, breached(pack, garrison, breaches).lost)
        charges = charging(pack, attacker, stormers, left)
        for target in dict.fromkeys(c.target for c in charges):
            own = [c for c in charges if c.target == target]
            for tolls, q in charge(pack, own, stormers, left).items():
                cost[0] += p * q * len(tolls.defender.lost)
                cost[1] += p * q * len(tolls.attacker.lost)
    return cost[0], cost[1]


def siege_round(pack: Pack, chosen: Mapping[str, str], wall: str, attacker: Policy) -> Round:
    """Bombardment, then storm and answer: whoever may bombard does, the others storm as the policy has it."""

    def bombardment(attackers: Line, garrison: Line) -> Spread:
        guns = [unit for unit in attackers if pack.units[unit].bombards]
        after: defaultdict[Tolls, Fraction] = defaultdict(Fraction)
        for breaches, p in bombard(pack, guns, wall).items():
            after[Tolls(defender=breached(pack, garrison, breaches))] += p
        return after

    def storming(attackers: Line, garrison: Line) -> Spread:
        stormers = tuple(unit for unit in attackers if not pack.units[unit].bombards)
        return storm(pack, charging(pack, attacker, stormers, garrison), stormers, garrison, chosen)

    return Round(pack, bombardment, storming)
