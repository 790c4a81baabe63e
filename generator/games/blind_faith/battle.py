"""Exact probabilities of the effects of fire, charges and the response in a field battle.

Functions in this module make no decisions. Targets, chargers and losses are arguments, chosen by the module
`rounds`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeVar

import msgspec

from generator.games.blind_faith.tables import DIE, FACES, ChargeResult, Fate, Hit, Losses, Pack, Role, UnitLine

FACE = Fraction(1, DIE)
KEPT = 2048
"""Number of cached steps. A larger cache would use too much memory during the rounds of a tournament."""
ChargerLosses = Literal["table", "rout", "none"]
"""The results that chargers can suffer: those of the table, at most a rout, or none."""
T = TypeVar("T", bound=Hashable)


class Toll(NamedTuple):
    """The units that one side lost, in the pack's order."""

    routed: UnitLine = ()
    eliminated: UnitLine = ()

    @property
    def lost(self) -> UnitLine:
        """All lost units, routed and eliminated."""
        return self.routed + self.eliminated


class Tolls(NamedTuple):
    """The losses of each side in a step or round."""

    attacker: Toll = Toll()
    defender: Toll = Toll()


NO_TOLL, NO_TOLLS = Toll(), Tolls()


class Shot(NamedTuple):
    """A shot: the class of the unit that fires, and the index of its target in the enemy's front."""

    shooter: str
    target: int


class Charge(NamedTuple):
    """A charge, with the indices of the charger and the target in their fronts."""

    charger: int
    target: int


class Force(msgspec.Struct, frozen=True):
    """The units of a side in a battle. The reserve does not act and suffers no losses."""

    front: UnitLine
    reserve: UnitLine = ()

    @property
    def left(self) -> int:
        """The number of units still in the battle."""
        return len(self.front) + len(self.reserve)


def without(line: UnitLine, lost: Iterable[str]) -> UnitLine:
    """Return a line without the lost units.

    Raises:
        ValueError: If a lost unit is not in the line.
    """
    left = list(line)
    for unit in lost:
        left.remove(unit)
    return tuple(left)


def front_size(pack: Pack, units: int) -> int:
    """Return how many front boxes an attacker with `units` units must fill, at most one for each unit (ruling)."""
    return min(pack.boxes, units)


def shots(pack: Pack, front: UnitLine, role: Role, boxes: int) -> tuple[tuple[str, int], ...]:
    """Return the units that fire and their numbers of shots. A defending Tabor fires once at every box."""
    firing = [pack.units[unit] for unit in front if role in pack.units[unit].fires] if boxes else []
    return tuple((unit.id, boxes if unit.each_box and role == "defence" else 1) for unit in firing)


def fire(pack: Pack, fired: Sequence[Shot], line: UnitLine) -> Mapping[Toll, Fraction]:
    """Return the probabilities of the losses caused by shots whose targets are chosen before any roll.

    A hit on a unit that is already lost has no effect.
    """
    spread = {NO_TOLL: Fraction(1)}
    for place, unit in enumerate(line):
        aimed = [pack.fire[pack.units[s.shooter].type, pack.units[unit].type] for s in fired if s.target == place]
        if aimed:
            spread = _joined(pack, spread, unit, first_hit(tuple(aimed)))
    return spread


def charge(
    pack: Pack,
    charges: Sequence[Charge],
    attackers: UnitLine,
    defenders: UnitLine,
    *,
    charger_losses: ChargerLosses = "table",
) -> Mapping[Tolls, Fraction]:
    """Return the probabilities of the losses in the two fronts caused by charges.

    Charges are resolved one after another. A charge at a unit that is already lost is not rolled.
    """
    of = DIE ** len(charges)
    parts = charge_parts(pack, charges, attackers, defenders, charger_losses=charger_losses)
    return {tolls: Fraction(p, of) for tolls, p in parts.items()}


def charge_parts(
    pack: Pack,
    charges: Sequence[Charge],
    attackers: UnitLine,
    defenders: UnitLine,
    *,
    charger_losses: ChargerLosses = "table",
) -> Mapping[Tolls, int]:
    """Return the result of `charge` as numbers of ways in which the dice can fall, with one die for each charge.

    For many results, integers are much faster than fractions.
    """
    spread = {NO_TOLLS: 1}
    targets = dict.fromkeys(c.target for c in charges)
    for target in targets:
        chargers = tuple(attackers[c.charger] for c in charges if c.target == target)
        after: defaultdict[Tolls, int] = defaultdict(int)
        for tolls, p in spread.items():
            for more, q in charged(pack, chargers, defenders[target], charger_losses).items():
                after[summed(pack, tolls, more)] += p * q
        spread = after
    return spread


@lru_cache(256)  # The cache covers all sizes of a front in a pack.
def response(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """Return the probabilities of the attacker's losses caused by the response of a front with `defenders` units."""
    return _chances(pack.response.at(defenders, face) for face in FACES)


def choices(pack: Pack, first: UnitLine, others: UnitLine, losses: Losses) -> Iterator[Toll]:
    """Yield every set of units that the attacker may remove as losses.

    The units in `first`, which have charged, are removed before those in `others`. If there are fewer units than
    losses, eliminations take precedence over routs.
    """
    lost = min(losses.rout + losses.eliminate, len(first) + len(others))
    eliminated = min(losses.eliminate, lost)
    some = min(lost, len(first))
    seen: set[Toll] = set()
    for part in combinations(first, some):
        for rest in combinations(others, lost - some):
            fallen = pack.line(part + rest)
            for gone in combinations(fallen, eliminated):
                toll = Toll(without(fallen, gone), gone)
                if toll not in seen:
                    seen.add(toll)
                    yield toll


@lru_cache(4096)  # The cache covers all pairs of classes in a pack.
def charge_chances(pack: Pack, attacker: str, defender: str) -> Mapping[ChargeResult, Fraction]:
    """Return the probabilities of the results of a single charge between units of these classes."""
    difference = pack.units[attacker].drm - pack.units[defender].drm
    return _chances(pack.charge.at(face + difference) for face in FACES)


def summed(pack: Pack, one: Tolls, other: Tolls) -> Tolls:
    """Return the sum of two losses."""
    return Tolls(_both(pack, one.attacker, other.attacker), _both(pack, one.defender, other.defender))


def _both(pack: Pack, one: Toll, other: Toll) -> Toll:
    if other == NO_TOLL:
        return one
    if one == NO_TOLL:
        return other
    return Toll(_line(pack, one.routed, other.routed), _line(pack, one.eliminated, other.eliminated))


def _line(pack: Pack, one: UnitLine, other: UnitLine) -> UnitLine:
    """Return the units of two lines as one line in the pack's order."""
    return pack.line(one + other) if one and other else one or other


def _toll(unit: str, fate: Fate | Hit) -> Toll:
    return Toll((unit,)) if fate == "rout" else Toll((), (unit,)) if fate == "eliminate" else NO_TOLL


def _joined(
    pack: Pack, spread: Mapping[Toll, Fraction], unit: str, fates: Mapping[Hit, Fraction]
) -> dict[Toll, Fraction]:
    after: defaultdict[Toll, Fraction] = defaultdict(Fraction)
    for toll, p in spread.items():
        for fate, q in fates.items():
            after[_both(pack, toll, _toll(unit, fate))] += p * q
    return dict(after)


@lru_cache(KEPT)
def first_hit(aimed: tuple[tuple[Hit, ...], ...]) -> Mapping[Hit, Fraction]:
    """Return the probabilities of the results of several shots at one target, of which the first hit counts."""
    fates: defaultdict[Hit, Fraction] = defaultdict(Fraction)
    still = Fraction(1)
    for faces in aimed:
        for hit, p in _chances(faces).items():
            if hit != "none":
                fates[hit] += still * p
        still *= Fraction(faces.count("none"), DIE)
    fates["none"] = still
    return fates


@lru_cache(KEPT)
def charged(pack: Pack, chargers: UnitLine, target: str, charger_losses: ChargerLosses) -> Mapping[Tolls, int]:
    """Return the results of several charges at one target, one after another, as numbers of ways."""
    spread: dict[Tolls, int] = {NO_TOLLS: 1}
    for charger in chargers:
        after: defaultdict[Tolls, int] = defaultdict(int)
        for tolls, p in spread.items():
            if tolls.defender.lost:
                after[tolls] += p * DIE
                continue
            for result, q in charge_chances(pack, charger, target).items():
                fate = result.charger if charger_losses == "table" or result.charger == "none" else charger_losses
                more = Tolls(_toll(charger, fate), _toll(target, result.defender))
                after[summed(pack, tolls, more)] += p * faces(q)
        spread = after
    return spread


def faces(p: Fraction) -> int:
    """Return how many faces of a die correspond to a probability."""
    return p.numerator * (DIE // p.denominator)


def _chances(results: Iterable[T]) -> Mapping[T, Fraction]:
    """Return the probability of each result, given the result of every face of a die."""
    return {result: ways * FACE for result, ways in Counter(results).items()}
