"""The field battle: who stands in front, and what fire, charges and response do to a front, with exact chances.

Nothing here chooses: targets, chargers and losses are arguments. What may be chosen stands in `policy`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeVar

import msgspec

from generator.games.blind_faith.tables import DIE, FACES, Clash, Fate, Hit, Losses, Pack, Role, UnitLine

FACE = Fraction(1, DIE)
KEPT = 2048
"""So many steps are remembered at a time: a tournament's rounds go through more than memory is there for."""
Harm = Literal["table", "rout", "none"]
"""What results do to chargers: what they say, no more than rout, nothing."""
T = TypeVar("T", bound=Hashable)


class Toll(NamedTuple):
    """Units of one side that were lost, each line in the pack's order."""

    routed: UnitLine = ()
    eliminated: UnitLine = ()

    @property
    def lost(self) -> UnitLine:
        """All of them."""
        return self.routed + self.eliminated


class Tolls(NamedTuple):
    """What a step or a round cost both sides."""

    attacker: Toll = Toll()
    defender: Toll = Toll()


NO_TOLL, NO_TOLLS = Toll(), Tolls()


class Shot(NamedTuple):
    """A unit's class that fires, and the place in the enemy's front that it fires at."""

    shooter: str
    target: int


class Charge(NamedTuple):
    """The place of a charger in its own front, and the place of its target in the defender's."""

    charger: int
    target: int


class Force(msgspec.Struct, frozen=True):
    """A side in battle; the reserve neither acts nor suffers."""

    front: UnitLine
    reserve: UnitLine = ()

    @property
    def left(self) -> int:
        """How many units are still in the battle."""
        return len(self.front) + len(self.reserve)


def without(line: UnitLine, lost: Iterable[str]) -> UnitLine:
    """A line without these units; ValueError where one is not in it."""
    left = list(line)
    for unit in lost:
        left.remove(unit)
    return tuple(left)


def front_size(pack: Pack, units: int) -> int:
    """How many front boxes an attacker with so many units must fill: all of them, or what he has (ruling)."""
    return min(pack.boxes, units)


def shots(pack: Pack, front: UnitLine, role: Role, boxes: int) -> tuple[tuple[str, int], ...]:
    """Who fires at a front of so many units, and how often: a Tabor that defends fires at each box once."""
    firing = [pack.units[unit] for unit in front if role in pack.units[unit].fires] if boxes else []
    return tuple((unit.id, boxes if unit.each_box and role == "defence" else 1) for unit in firing)


def fire(pack: Pack, fired: Sequence[Shot], line: UnitLine) -> Mapping[Toll, Fraction]:
    """What shots, all declared before any is rolled, cost the line; hits on a unit already lost are lost too."""
    spread = {NO_TOLL: Fraction(1)}
    for place, unit in enumerate(line):
        aimed = [pack.fire[pack.units[s.shooter].type, pack.units[unit].type] for s in fired if s.target == place]
        if aimed:
            spread = _joined(pack, spread, unit, first_hit(tuple(aimed)))
    return spread


def charge(
    pack: Pack, charges: Sequence[Charge], attackers: UnitLine, defenders: UnitLine, *, harm: Harm = "table"
) -> Mapping[Tolls, Fraction]:
    """What charges cost both fronts, each rolled in turn; a charger whose target is gone rolls no die."""
    of = DIE ** len(charges)
    parts = charge_parts(pack, charges, attackers, defenders, harm=harm)
    return {tolls: Fraction(p, of) for tolls, p in parts.items()}


def charge_parts(
    pack: Pack, charges: Sequence[Charge], attackers: UnitLine, defenders: UnitLine, *, harm: Harm = "table"
) -> Mapping[Tolls, int]:
    """The same in whole parts: of all ways in which a die for each charge may fall. Fractions are slow in masses."""
    spread = {NO_TOLLS: 1}
    targets = dict.fromkeys(c.target for c in charges)
    for target in targets:
        chargers = tuple(attackers[c.charger] for c in charges if c.target == target)
        after: defaultdict[Tolls, int] = defaultdict(int)
        for tolls, p in spread.items():
            for more, q in charged(pack, chargers, defenders[target], harm).items():
                after[summed(pack, tolls, more)] += p * q
        spread = after
    return spread


@lru_cache(256)  # a pack by the sizes of a line
def response(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """The chances of what a front of so many defenders costs the attacker."""
    return _chances(pack.response.at(defenders, face) for face in FACES)


def choices(pack: Pack, first: UnitLine, others: UnitLine, losses: Losses) -> Iterator[Toll]:
    """Every way in which the attacker may take losses: `first`, the units that charged, before `others`.

    Where fewer units are there than are to be lost, the eliminations are taken first.
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


@lru_cache(4096)  # a pack's classes by classes
def clash(pack: Pack, attacker: str, defender: str) -> Mapping[Clash, Fraction]:
    """The chances of one charge by those unit classes."""
    difference = pack.units[attacker].drm - pack.units[defender].drm
    return _chances(pack.charge.at(face + difference) for face in FACES)


def summed(pack: Pack, one: Tolls, other: Tolls) -> Tolls:
    """Two tolls together."""
    return Tolls(_both(pack, one.attacker, other.attacker), _both(pack, one.defender, other.defender))


def _both(pack: Pack, one: Toll, other: Toll) -> Toll:
    if other == NO_TOLL:
        return one
    if one == NO_TOLL:
        return other
    return Toll(_line(pack, one.routed, other.routed), _line(pack, one.eliminated, other.eliminated))


def _line(pack: Pack, one: UnitLine, other: UnitLine) -> UnitLine:
    """Two lines in one; those of a toll stand in the pack's order."""
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
    """What befalls a target at which several fire: the first result that is one stands."""
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
def charged(pack: Pack, chargers: UnitLine, target: str, harm: Harm) -> Mapping[Tolls, int]:
    """Chargers at one target, one after another, in whole parts."""
    spread: dict[Tolls, int] = {NO_TOLLS: 1}
    for charger in chargers:
        after: defaultdict[Tolls, int] = defaultdict(int)
        for tolls, p in spread.items():
            if tolls.defender.lost:
                after[tolls] += p * DIE
                continue
            for result, q in clash(pack, charger, target).items():
                fate = result.charger if harm == "table" or result.charger == "none" else harm
                more = Tolls(_toll(charger, fate), _toll(target, result.defender))
                after[summed(pack, tolls, more)] += p * faces(q)
        spread = after
    return spread


def faces(p: Fraction) -> int:
    """A chance of one die as so many of its faces."""
    return p.numerator * (DIE // p.denominator)


def _chances(results: Iterable[T]) -> Mapping[T, Fraction]:
    """The chance of each result, given that of every face of the die."""
    return {result: ways * FACE for result, ways in Counter(results).items()}
