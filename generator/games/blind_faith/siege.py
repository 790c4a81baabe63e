"""The rounds of a siege: bombardment, breaches, the storm, and the garrison's response."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from generator.games.blind_faith.battle import Charge, ChargerLosses, Toll, Tolls, charge_parts, summed, without
from generator.games.blind_faith.rounds import Policy, Round, Spread, charging, responded
from generator.games.blind_faith.tables import DIE, Pack, UnitLine


class Boxes(msgspec.Struct, frozen=True):
    """The units that a besieger has placed to bombard, to storm and to wait."""

    bombard: UnitLine
    storm: UnitLine
    reserve: UnitLine
    keep: bool = False
    """Whether the boxes apply in every round. Otherwise the policy places the units from the second round on."""

    @property
    def first(self) -> Boxes:
        """The same boxes for a single round."""
        return msgspec.structs.replace(self, keep=False)


def breach_chance(pack: Pack, unit: str, wall: str) -> Fraction:
    """Return the probability that a bombardment by a unit of this class breaches the wall."""
    of = pack.units[unit]
    if not of.bombards:
        return Fraction()
    return Fraction(pack.bombard[of.type, wall].count("breach"), DIE)


def useless(pack: Pack, bombarders: UnitLine, wall: str) -> UnitLine:
    """Return the bombarders that cannot breach the wall with any roll."""
    return tuple(u for u in bombarders if pack.units[u].bombards and not breach_chance(pack, u, wall))


def placed(
    pack: Pack, policy: Policy, wall: str, besiegers: UnitLine, boxes: Boxes | None = None
) -> tuple[UnitLine, UnitLine]:
    """Return the units that bombard and the units that can storm in a round. The other units wait.

    The policy decides if there are no `boxes`. If there are, only stormers can have been lost since they were
    filled.
    """
    if boxes:
        away = Counter(boxes.bombard) + Counter(boxes.reserve)
        return boxes.bombard, pack.line((Counter(besiegers) - away).elements())
    if policy.older:
        guns = tuple(unit for unit in besiegers if pack.units[unit].bombards)
        return guns, tuple(unit for unit in besiegers if not pack.units[unit].bombards)
    if policy.siege == "storm":
        return (), besiegers
    guns = tuple(unit for unit in besiegers if breach_chance(pack, unit, wall))
    if policy.siege == "bombard":
        return guns, ()
    return guns, tuple(unit for unit in besiegers if not breach_chance(pack, unit, wall))


def storming(policy: Policy, boxes: Boxes | None) -> Policy:
    """Return the policy for charges. If there are boxes, all units placed to storm charge."""
    return msgspec.structs.replace(policy, charge="all") if boxes else policy


def bombard(pack: Pack, bombarders: Sequence[str], wall: str) -> Mapping[int, Fraction]:
    """Return the probability of each number of breaches that these units make in a wall. Each unit rolls one die."""
    spread = {0: Fraction(1)}
    for unit in bombarders:
        p = breach_chance(pack, unit, wall)
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        for breaches, q in spread.items():
            after[breaches] += q * (1 - p)
            after[breaches + 1] += q * p
        spread = {breaches: q for breaches, q in after.items() if q}
    return spread


def breached(pack: Pack, garrison: UnitLine, breaches: int) -> Toll:
    """Return the units that a garrison loses to breaches: one for each breach, the cheapest first (policy)."""
    return Toll((), pack.line(sorted(garrison, key=lambda unit: pack.units[unit].points)[:breaches]))


def storm(
    pack: Pack, charges: Sequence[Charge], stormers: UnitLine, garrison: UnitLine, chosen: Mapping[str, str]
) -> Mapping[Tolls, Fraction]:
    """Return the probabilities of the losses in a storm and the garrison's response.

    If no unit storms, there is no response. `chosen` is the choice for each ruling.
    """
    after: defaultdict[Tolls, int] = defaultdict(int)
    answers = bool(charges) and chosen["storm_response"] == "field"
    # Merge equal results from the start, because larger storms would have too many.
    worst: ChargerLosses = "rout" if chosen["storm_losses"] == "rout" else "table"
    chargers = tuple(stormers[c.charger] for c in charges)
    for tolls, p in charge_parts(pack, charges, stormers, garrison, charger_losses=worst).items():
        gone = 0 if chosen["response_count"] == "before" else len(tolls.defender.lost)
        first = without(chargers, tolls.attacker.lost)
        for more, q in responded(pack, (len(garrison) - gone) * answers, first, (), charger_losses=worst).items():
            after[summed(pack, tolls, more)] += p * q
    of = DIE ** (len(charges) + 1)
    return {tolls: Fraction(p, of) for tolls, p in after.items()}


def siege_round(
    pack: Pack, chosen: Mapping[str, str], wall: str, attacker: Policy, boxes: Boxes | None = None
) -> Round:
    """Return the round of bombardment, storm and response.

    The boxes or, without these, the policy place the units.
    """

    def bombardment(attackers: UnitLine, garrison: UnitLine) -> Spread:
        guns, _ = placed(pack, attacker, wall, attackers, boxes)
        after: defaultdict[Tolls, Fraction] = defaultdict(Fraction)
        for breaches, p in bombard(pack, guns, wall).items():
            after[Tolls(defender=breached(pack, garrison, breaches))] += p
        return after

    def storming_step(attackers: UnitLine, garrison: UnitLine) -> Spread:
        _, stormers = placed(pack, attacker, wall, attackers, boxes)
        charges = charging(pack, storming(attacker, boxes), stormers, garrison)
        return storm(pack, charges, stormers, garrison, chosen)

    return Round(pack, bombardment, storming_step)
