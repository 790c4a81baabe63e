"""Rounds as two policies play them: what a round may cost both fronts, with exact chances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import NamedTuple

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.tables import DIE, Fate, Losses
from generator.games.blind_faith.forces.units import Line, Role
from generator.games.blind_faith.play.battle import (
    FACE,
    KEPT,
    NO_TOLLS,
    Harm,
    Toll,
    Tolls,
    charge,
    charge_parts,
    faces,
    fire,
    response,
    summed,
    without,
)
from generator.games.blind_faith.play.policy import Policy, aimed, charging, cheapest

Fronts = tuple[Line, Line]
"""The attacker's and the defender's front."""
Spread = Mapping[Tolls, Fraction]
Step = Callable[[Line, Line], Spread]
"""What a step of the sequence may cost those fronts."""
Loss = tuple[Role, Fate, str]
"""A side's unit of some class, routed or eliminated."""


class Reckoned(NamedTuple):
    """What a step or a round makes of two fronts, in whole parts of `of`: fractions are slow in masses."""

    of: int
    left: Mapping[Fronts, int]
    """The chance of each pair of fronts after it."""
    lost: Mapping[Loss, int]
    """How many units of each class it costs on average."""


class Round:
    """Steps fought one after another; what was lost in one takes no part in the next."""

    def __init__(self, pack: Pack, *steps: Step) -> None:
        self._pack = pack
        self._steps = [cache(step) for step in steps]
        self._shortened = [cache(lambda a, d, step=step: _shortened(step(a, d), (a, d))) for step in self._steps]
        # No `cache` on a method of its own: a circle, and a process of ours looks for no garbage (cli/__init__).
        self._reckoned: dict[Fronts, Reckoned] = {}

    def chances(self, attackers: Line, defenders: Line) -> Spread:
        """The chance of everything that it may cost those fronts."""
        spread: Spread = {NO_TOLLS: Fraction(1)}
        for step in self._steps:
            after: defaultdict[Tolls, Fraction] = defaultdict(Fraction)
            for tolls, p in spread.items():
                for more, q in step(*_after((attackers, defenders), tolls)).items():
                    after[summed(self._pack, tolls, more)] += p * q
            spread = after
        return dict(spread)

    def reckoned(self, fronts: Fronts) -> Reckoned:
        """What the round makes of those fronts, reckoned once."""
        if fronts not in self._reckoned:
            self._reckoned[fronts] = self._fought(fronts)
        return self._reckoned[fronts]

    def _fought(self, fronts: Fronts) -> Reckoned:
        of, spread, lost = 1, {fronts: 1}, dict[Loss, int]()
        for step in self._shortened:
            shorts = [(step(*standing), parts) for standing, parts in spread.items()]
            scale = lcm(*(short.of for short, _ in shorts))
            of *= scale
            after: defaultdict[Fronts, int] = defaultdict(int)
            cost: defaultdict[Loss, int] = defaultdict(int, {what: parts * scale for what, parts in lost.items()})
            for short, parts in shorts:
                weight = parts * (scale // short.of)
                for left, more in short.left.items():
                    after[left] += weight * more
                for what, mean in short.lost.items():
                    cost[what] += weight * mean
            spread, lost = after, cost
        return Reckoned(of, spread, lost)


def _after(fronts: Fronts, tolls: Tolls) -> Fronts:
    return without(fronts[0], tolls.attacker.lost), without(fronts[1], tolls.defender.lost)


def _shortened(spread: Spread, fronts: Fronts) -> Reckoned:
    of = lcm(*(p.denominator for p in spread.values()))
    left: defaultdict[Fronts, int] = defaultdict(int)
    lost: defaultdict[Loss, int] = defaultdict(int)
    for tolls, p in spread.items():
        parts = p.numerator * (of // p.denominator)
        left[_after(fronts, tolls)] += parts
        sides: tuple[tuple[Role, Toll], ...] = (("attack", tolls.attacker), ("defence", tolls.defender))
        for role, toll in sides:
            for unit in toll.routed:
                lost[role, "rout", unit] += parts
            for unit in toll.eliminated:
                lost[role, "eliminate", unit] += parts
    return Reckoned(of, left, lost)


class FieldRounds(NamedTuple):
    """The rounds of a field battle."""

    full: Round
    attacker_pursues: Round
    defender_pursues: Round


def field_rounds(pack: Pack, chosen: Mapping[str, str], attacker: Policy, defender: Policy) -> FieldRounds:
    """Fire, fire back, charge and response; or the part of the side that pursues. `chosen` is by ruling."""

    def attackers_fire(attackers: Line, defenders: Line) -> Spread:
        costs = fire(pack, aimed(pack, attacker, "attack", attackers, defenders), defenders)
        return {Tolls(defender=toll): p for toll, p in costs.items()}

    def defenders_fire(attackers: Line, defenders: Line) -> Spread:
        costs = fire(pack, aimed(pack, defender, "defence", defenders, attackers), attackers)
        return {Tolls(attacker=toll): p for toll, p in costs.items()}

    def charge_and_response(attackers: Line, defenders: Line) -> Spread:
        charges = charging(pack, attacker, attackers, defenders)
        chargers = tuple(attackers[c.charger] for c in charges)
        others = without(attackers, chargers)
        after: defaultdict[Tolls, int] = defaultdict(int)
        for tolls, p in charge_parts(pack, charges, attackers, defenders).items():
            gone = 0 if chosen["response_count"] == "before" else len(tolls.defender.lost)
            first = without(chargers, tolls.attacker.lost)
            for more, q in responded(pack, len(defenders) - gone, first, others).items():
                after[summed(pack, tolls, more)] += p * q
        of = DIE ** (len(charges) + 1)
        return {tolls: Fraction(p, of) for tolls, p in after.items()}

    def pursuers_charge(attackers: Line, defenders: Line) -> Spread:
        charges = charging(pack, attacker, attackers, defenders)
        return charge(
            pack, charges, attackers, defenders, harm="none" if chosen["pursuit"] == "one_sided" else "table"
        )

    def pursuers_respond(attackers: Line, defenders: Line) -> Spread:
        return {tolls: p * FACE for tolls, p in responded(pack, len(defenders), (), attackers).items()}

    return FieldRounds(
        Round(pack, attackers_fire, defenders_fire, charge_and_response),
        Round(pack, attackers_fire, pursuers_charge),
        Round(pack, defenders_fire, pursuers_respond),
    )


@lru_cache(KEPT)
def responded(pack: Pack, defenders: int, first: Line, others: Line, *, harm: Harm = "table") -> Mapping[Tolls, int]:
    """What the response of so many defenders costs an attacker who gives up the cheapest of those he may choose.

    By the faces of its die.
    """
    after: defaultdict[Tolls, int] = defaultdict(int)
    for losses, p in response(pack, defenders).items():
        toll = cheapest(pack, first, others, Losses(sum(losses)) if harm == "rout" else losses)
        after[Tolls(toll)] += faces(p)
    return after
