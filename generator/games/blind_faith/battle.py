"""Exact probabilities of a field battle: the front, and the effects of fire, charges and response on it.

Nothing is chosen here: targets, chargers and losses are arguments, and the module `policy` chooses them.
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
"""Number of cached steps; more would take too much memory in the rounds of a tournament."""
Harm = Literal["table", "rout", "none"]
"""The effects of results on chargers: as in the table, at most a rout, or none."""
T = TypeVar("T", bound=Hashable)


class Toll(NamedTuple):
    """Lost units of one side, each line in the pack's order."""

    routed: UnitLine = ()
    eliminated: UnitLine = ()

    @property
    def lost(self) -> UnitLine:
        """All lost units."""
        return self.routed + self.eliminated


class Tolls(NamedTuple):
    """The losses of both sides in a step or a round."""

    attacker: Toll = Toll()
    defender: Toll = Toll()


NO_TOLL, NO_TOLLS = Toll(), Tolls()


class Shot(NamedTuple):
    """The class of a unit that fires, and the index of its target in the enemy's front."""

    shooter: str
    target: int


class Charge(NamedTuple):
    """The index of a charger in its own front, and that of its target in the defender's."""

    charger: int
    target: int


class Force(msgspec.Struct, frozen=True):
    """One side in a battle; the reserve neither acts nor takes losses."""

    front: UnitLine
    reserve: UnitLine = ()

    @property
    def left(self) -> int:
        """The number of units still in the battle."""
        return len(self.front) + len(self.reserve)


def without(line: UnitLine, lost: Iterable[str]) -> UnitLine:
    """Return a line without these units; raises ValueError if one is not in it."""
    left = list(line)
    for unit in lost:
        left.remove(unit)
    return tuple(left)


def front_size(pack: Pack, units: int) -> int:
    """Return the number of front boxes an attacker with `units` units must fill: all, or one for each (ruling)."""
    return min(pack.boxes, units)


def shots(pack: Pack, front: UnitLine, role: Role, boxes: int) -> tuple[tuple[str, int], ...]:
    """Return the units that fire at a front and their number of shots; a defending Tabor fires at each box once."""
    firing = [pack.units[unit] for unit in front if role in pack.units[unit].fires] if boxes else []
    return tuple((unit.id, boxes if unit.each_box and role == "defence" else 1) for unit in firing)


def fire(pack: Pack, fired: Sequence[Shot], line: UnitLine) -> Mapping[Toll, Fraction]:
    """Return the probabilities of losses by shots that are all declared before any roll.

    A hit on a unit that is already lost has no effect.
    """
    spread = {NO_TOLL: Fraction(1)}
    for place, unit in enumerate(line):
        aimed = [pack.fire[pack.units[s.shooter].type, pack.units[unit].type] for s in fired if s.target == place]
        if aimed:
            spread = _joined(pack, spread, unit, first_hit(tuple(aimed)))
    return spread


def charge(
    pack: Pack, charges: Sequence[Charge], attackers: UnitLine, defenders: UnitLine, *, harm: Harm = "table"
) -> Mapping[Tolls, Fraction]:
    """Return the probabilities of both fronts' losses by charges, rolled in turn, without dice for lost targets."""
    of = DIE ** len(charges)
    parts = charge_parts(pack, charges, attackers, defenders, harm=harm)
    return {tolls: Fraction(p, of) for tolls, p in parts.items()}


def charge_parts(
    pack: Pack, charges: Sequence[Charge], attackers: UnitLine, defenders: UnitLine, *, harm: Harm = "table"
) -> Mapping[Tolls, int]:
    """Return the result of `charge` as numbers of all ways in which one die for each charge may fall.

    Whole numbers are much faster than fractions for many results.
    """
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


@lru_cache(256)  # Enough for a pack with each size of a line.
def response(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """Return the probabilities of the attacker's losses by the response of a front of this size."""
    return _chances(pack.response.at(defenders, face) for face in FACES)


def choices(pack: Pack, first: UnitLine, others: UnitLine, losses: Losses) -> Iterator[Toll]:
    """Yield every way in which the attacker may take losses; `first`, the units that charged, come before `others`.

    If there are fewer units than losses, eliminations are taken first.
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


@lru_cache(4096)  # Enough for the pairs of classes of a pack.
def clash(pack: Pack, attacker: str, defender: str) -> Mapping[Clash, Fraction]:
    """Return the probabilities of one charge between these unit classes."""
    difference = pack.units[attacker].drm - pack.units[defender].drm
    return _chances(pack.charge.at(face + difference) for face in FACES)


def summed(pack: Pack, one: Tolls, other: Tolls) -> Tolls:
    """Return the sum of two tolls."""
    return Tolls(_both(pack, one.attacker, other.attacker), _both(pack, one.defender, other.defender))


def _both(pack: Pack, one: Toll, other: Toll) -> Toll:
    if other == NO_TOLL:
        return one
    if one == NO_TOLL:
        return other
    return Toll(_line(pack, one.routed, other.routed), _line(pack, one.eliminated, other.eliminated))


def _line(pack: Pack, one: UnitLine, other: UnitLine) -> UnitLine:
    """Return two lines as one, in the pack's order."""
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
    """Return the probabilities of results for a target of several shots: the first hit counts."""
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
    """Return the ways of results of several chargers, one after another, at one target."""
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
    """Return the probability of one die as a number of its faces."""
    return p.numerator * (DIE // p.denominator)


def _chances(results: Iterable[T]) -> Mapping[T, Fraction]:
    """Return the probability of each result, given the result of every face of the die."""
    return {result: ways * FACE for result, ways in Counter(results).items()}
