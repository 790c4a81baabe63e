"""Exact odds of battles and sieges, as far as they can be reckoned.

The siege: what bombardment breaches, and what a storm and its answer cost, with exact chances.

The course of a battle from round to round, as exact chances of its states.

States that are equal are one. What is not decided after the last round reckoned is told as undecided: without
such an end the chances would be fractions of thousands of digits.

The exact odds of shots, charges and responses, and of whole battles and sieges: fractions, nothing sampled.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod
from typing import Literal, NamedTuple, get_args

from generator.games.blind_faith import battle
from generator.games.blind_faith.battle import (
    FACE,
    Charge,
    Force,
    Harm,
    Toll,
    Tolls,
    charge,
    charge_parts,
    summed,
    without,
)
from generator.games.blind_faith.pack import Pack
from generator.games.blind_faith.rounds import (
    Limits,
    Loss,
    Policy,
    Reckoned,
    Round,
    Spread,
    charging,
    drawn_up,
    field_rounds,
    limits,
    responded,
    rounds_reckoned,
)
from generator.games.blind_faith.tables import DIE, Clash, Fate, Hit, Losses, Role, UnitLine


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


def breached(pack: Pack, garrison: UnitLine, breaches: int) -> Toll:
    """What a garrison gives up to so many breaches: a unit for each, the cheapest first (policy)."""
    return Toll((), pack.line(sorted(garrison, key=lambda unit: pack.units[unit].points)[:breaches]))


def storm(
    pack: Pack, charges: Sequence[Charge], stormers: UnitLine, garrison: UnitLine, chosen: Mapping[str, str]
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
    pack: Pack, besiegers: UnitLine, garrison: UnitLine, wall: str, attacker: Policy
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

    def bombardment(attackers: UnitLine, garrison: UnitLine) -> Spread:
        guns = [unit for unit in attackers if pack.units[unit].bombards]
        after: defaultdict[Tolls, Fraction] = defaultdict(Fraction)
        for breaches, p in bombard(pack, guns, wall).items():
            after[Tolls(defender=breached(pack, garrison, breaches))] += p
        return after

    def storming(attackers: UnitLine, garrison: UnitLine) -> Spread:
        stormers = tuple(unit for unit in attackers if not pack.units[unit].bombards)
        return storm(pack, charging(pack, attacker, stormers, garrison), stormers, garrison, chosen)

    return Round(pack, bombardment, storming)


Ending = Literal["attacker_ruined", "attacker_retreats", "defender_ruined", "defender_retreats", "both_ruined"]
ENDINGS: tuple[Ending, ...] = get_args(Ending)
State = tuple[Force, Force]
"""The attacker and the defender, ready for a round."""


@dataclass(frozen=True)
class Odds:
    """How a battle or siege ends."""

    endings: Mapping[Ending, Fraction]
    """By how it ends; together with what is undecided they make 1."""
    decided: tuple[Fraction, ...]
    """The chance that it is over by the end of each round, the pursuit included."""
    lost: Mapping[Loss, Fraction]
    """How many units of each class a side loses on average, routed and eliminated."""

    @property
    def attacker(self) -> Fraction:
        """The chance that the attacker holds the field or takes the place."""
        return self.endings["defender_ruined"] + self.endings["defender_retreats"]

    @property
    def defender(self) -> Fraction:
        """The chance that the defender does."""
        return self.endings["attacker_ruined"] + self.endings["attacker_retreats"]

    @property
    def undecided(self) -> Fraction:
        """The chance that both still fight after the last round reckoned."""
        return 1 - self.decided[-1]

    def losses(self, role: Role, fate: Fate) -> Fraction:
        """How many units a side loses so on average."""
        return sum((mean for (r, f, _), mean in self.lost.items() if (r, f) == (role, fate)), Fraction())


@dataclass(frozen=True)
class Course:
    """How rounds follow each other."""

    full: Round
    ends: Callable[[Force, Force], tuple[Ending | None, Round | None]]
    """Whether the battle ends with what is left after a round, and the pursuit that then follows."""
    filled: Callable[[Role, Force], Force]
    """A side ready for the next round."""
    refilled: bool = False
    """Whether the sides are made ready for a pursuit too."""


def follow(course: Course, attacker: Force, defender: Force, rounds: int, most: Limits) -> Odds:
    """The odds of a battle that begins so, to the end of so many rounds; ValueError if larger than `most`."""
    nodes = _nodes(course, (attacker, defender), most)
    # Every chance of a round in whole parts of one scale, so that those after n rounds are parts of its nth power.
    scale = lcm(*(node.of for node in nodes.values()))
    place: dict[State | Ending, int] = {what: i for i, what in enumerate((*ENDINGS, *nodes))}
    ways = [[(place[to], parts * (scale // node.of)) for to, parts in node.next.items()] for node in nodes.values()]
    first = len(ENDINGS)
    mass = [0] * first + [1] + [0] * (len(nodes) - 1)
    visits, decided = [0] * len(nodes), []
    for number in range(1, rounds + 1):
        visits = [visit * scale + weight for visit, weight in zip(visits, mass[first:], strict=True)]
        after = [ended * scale for ended in mass[:first]] + [0] * len(nodes)
        for weight, way in zip(mass[first:], ways, strict=True):
            if weight:
                for to, parts in way:
                    after[to] += weight * parts
        mass = after
        decided.append(Fraction(sum(mass[:first]), scale**number))
    lost: defaultdict[Loss, Fraction] = defaultdict(Fraction)
    for node, visit in zip(nodes.values(), visits, strict=True):
        for what, mean in node.lost.items():
            lost[what] += Fraction(visit * mean, node.of * scale ** (rounds - 1))
    endings = {ending: Fraction(mass[i], scale**rounds) for i, ending in enumerate(ENDINGS)}
    return Odds(endings, tuple(decided), dict(lost))


class _Node(NamedTuple):
    """What a round, with the pursuit where one follows, makes of a state; in whole parts of `of`."""

    of: int
    next: Mapping[State | Ending, int]
    lost: Mapping[Loss, int]


def _nodes(course: Course, start: State, most: Limits) -> dict[State, _Node]:
    """Every state that may come about, the first one first; ValueError where there are more than so many."""
    nodes: dict[State, _Node] = {}
    waiting, ways = [start], 0
    while waiting:
        state = waiting.pop()
        if len(nodes) > most.states or ways > most.ways:
            raise ValueError(
                f"the battle has more than {most.states} states, or {most.ways} ways from one to another"
            )
        if state not in nodes:
            nodes[state] = node = _node(course, state)
            ways += len(node.next)
            waiting += [to for to in node.next if not isinstance(to, str)]
    return nodes


def _node(course: Course, state: State) -> _Node:
    attacker, defender = state
    fought = course.full.reckoned((attacker.front, defender.front))
    next_: defaultdict[State | Ending, int] = defaultdict(int)
    pursued: list[tuple[int, Reckoned]] = []
    for (front, enemies), parts in fought.left.items():
        a, d = Force(front, attacker.reserve), Force(enemies, defender.reserve)
        ending, pursuit = course.ends(a, d)
        if not ending or (pursuit and course.refilled):
            a, d = course.filled("attack", a), course.filled("defence", d)
        next_[ending or (a, d)] += parts
        if pursuit:
            pursued.append((parts, pursuit.reckoned((a.front, d.front))))
    scale = lcm(*(after.of for _, after in pursued))
    lost = defaultdict(int, {what: mean * scale for what, mean in fought.lost.items()})
    for parts, after in pursued:
        for what, mean in after.lost.items():
            lost[what] += parts * mean * (scale // after.of)
    return _Node(fought.of * scale, {to: parts * scale for to, parts in next_.items()}, lost)


def fire_chances(pack: Pack, shooter: str, target: str) -> Mapping[Hit, Fraction]:
    """The chances of one shot, by types."""
    return _of(Counter(pack.fire[shooter, target]))


def bombard_chances(pack: Pack, shooter: str, wall: str) -> Mapping[Hit, Fraction]:
    """The chances of one bombardment, by the type that fires and the kind of wall."""
    return _of(Counter(pack.bombard[shooter, wall]))


def _of(faces: Counter[Hit]) -> Mapping[Hit, Fraction]:
    return {hit: count * FACE for hit, count in faces.items()}


def charge_chances(pack: Pack, attacker: str, defender: str) -> Mapping[Clash, Fraction]:
    """The chances of one charge, by unit classes."""
    return battle.clash(pack, attacker, defender)


def response_chances(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """The chances of the response of so many units in front."""
    return battle.response(pack, defenders)


def round_chances(
    pack: Pack, attackers: UnitLine, defenders: UnitLine, policies: tuple[Policy, Policy], chosen: Mapping[str, str]
) -> Spread:
    """The chance of everything that one round costs those fronts; the attacker's policy stands first."""
    return field_rounds(pack, chosen, *policies).full.chances(attackers, defenders)


def battle_odds(
    pack: Pack,
    attacker: Force,
    defender: Force,
    policies: tuple[Policy, Policy],
    chosen: Mapping[str, str],
    *,
    no_way: Collection[Role] = (),
    rounds: int = 0,
    most: Limits | None = None,
) -> Odds:
    """A field battle to retreat or ruin; the attacker's policy stands first, `chosen` is by ruling.

    The defender keeps his front as large as it begins, where he may refill it. A side in `no_way` cannot
    retreat; after `rounds` (0: those of battle.toml) it is undecided. ValueError where it is larger
    than `most` (None: the limits of battle.toml).
    """
    fought = field_rounds(pack, chosen, *policies)
    least = {"attack": policies[0].least(attacker.left), "defence": policies[1].least(defender.left)}
    width = len(defender.front)

    @lru_cache(64)  # the forces of one siege
    def filled(role: Role, force: Force) -> Force:
        if role == "defence" and chosen["defender_refill"] == "never":
            return force
        return drawn_up(pack, role, force.reserve, width, force.front)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        """How it ends after a round, and the pursuit that ends it."""
        if not a.left or not d.left:
            return ("both_ruined" if not d.left else "attacker_ruined") if not a.left else "defender_ruined", None
        if not filled("defence", d).front:
            return "defender_ruined", None
        if a.left < least["attack"] and "attack" not in no_way:
            return "attacker_retreats", fought.defender_pursues
        if d.left < least["defence"] and "defence" not in no_way:
            return "defender_retreats", fought.attacker_pursues
        return None, None

    refilled = chosen["pursuit_front"] == "refilled"
    return follow(
        Course(fought.full, ends, filled, refilled), attacker, defender, rounds or rounds_reckoned(), most or limits()
    )


def siege_odds(
    pack: Pack,
    besiegers: UnitLine,
    garrison: UnitLine,
    wall: str,
    attacker: Policy,
    chosen: Mapping[str, str],
    *,
    rounds: int = 0,
    most: Limits | None = None,
) -> Odds:
    """A siege until the garrison is gone or the besieger gives up; a garrison never retreats, nobody pursues.

    `wall` is its kind, `chosen` is by ruling. `rounds`, `most` and ValueError are as in battle_odds.
    """
    a, d = Force(pack.line(besiegers)), Force(pack.line(garrison))
    least = attacker.least(a.left)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        if not d.left:
            return "both_ruined" if not a.left else "defender_ruined", None
        if not a.left:
            return "attacker_ruined", None
        return "attacker_retreats" if a.left < least else None, None

    course = Course(siege_round(pack, chosen, wall, attacker), ends, lambda role, force: force)
    return follow(course, a, d, rounds or rounds_reckoned(), most or limits())


def bearable(
    pack: Pack, policy: Policy, besiegers: UnitLine, garrison: UnitLine, chosen: Mapping[str, str], most: int
) -> None:
    """ValueError where a single storm may come to more than so many results."""
    stormers = pack.line(unit for unit in besiegers if not pack.units[unit].bombards)
    charges = charging(pack, policy, stormers, pack.line(garrison))
    stormed = {c.target for c in charges}
    lost = Counter(stormers[c.charger] for c in charges), Counter(pack.line(garrison)[at] for at in stormed)
    # Of n units of a class some may be routed, some eliminated, and the rest stand.
    fates = 1 if chosen["storm_losses"] == "rout" else 2, 2
    results = prod(comb(n + of, of) for of, counts in zip(fates, lost, strict=True) for n in counts.values())
    if results > most:
        raise ValueError("the storm is too large")
