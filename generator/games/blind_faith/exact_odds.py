"""Exact odds of shots, charges, responses, battles and sieges, as fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from math import ceil, floor, lcm, sqrt
from typing import NamedTuple

import msgspec

from generator.common.tables import percent
from generator.games.blind_faith import battle
from generator.games.blind_faith.battle import (
    FACE,
    Force,
)
from generator.games.blind_faith.rounds import (
    ENDINGS,
    Ending,
    Limits,
    Loss,
    Policy,
    Round,
    StepResults,
    drawn_up,
    field_rounds,
    odds_settings,
)
from generator.games.blind_faith.siege import Boxes, siege_round
from generator.games.blind_faith.tables import Fate, Hit, Losses, Pack, Role, UnitLine

State = tuple[Force, Force]
"""The attacker and the defender at the beginning of a round."""
Start = tuple[Force, Force, bool]
"""The attacker and the defender before a first round that differs from later rounds. The flag has no meaning of its
own.
"""


class After(NamedTuple):
    """The probabilities at the end of a round, including pursuits."""

    endings: Mapping[Ending, Fraction]
    """The probability of each ending in this or an earlier round."""
    going: Fraction
    """The probability that neither side has won and the fight continues."""
    left: tuple[Fraction, Fraction]
    """The mean numbers of units that the attacker and the defender have if the fight continues."""

    @property
    def missing(self) -> Fraction:
        """The total probability of states that were not followed in this or an earlier round."""
        return max(Fraction(), 1 - sum(self.endings.values()) - self.going)


class Odds(msgspec.Struct, frozen=True):
    """The odds of a battle or siege: exact probabilities, lower bounds, or shares of simulated fights."""

    after: tuple[After, ...]
    """The probabilities after each round."""
    lost: Mapping[Loss, Fraction]
    """The mean numbers of routed and eliminated units, keyed by side, result and class."""
    missing: Fraction = Fraction()
    """The total probability of states that were not followed. Each ending may be more probable by this amount."""
    exact: bool = True
    """Whether every number is exact."""
    sampled: int = 0
    """The number of simulated fights, or 0 if the chances are not shares of these."""

    @property
    def endings(self) -> Mapping[Ending, Fraction]:
        """The probability of each ending. With `undecided` and `missing` the sum is 1."""
        return self.after[-1].endings

    @property
    def attacker(self) -> Fraction:
        """The probability that the attacker wins the field or takes the place, as a lower bound."""
        return wins(self.after[-1])[0]

    @property
    def defender(self) -> Fraction:
        """The probability that the defender wins the field or keeps the place, as a lower bound."""
        return wins(self.after[-1])[1]

    @property
    def undecided(self) -> Fraction:
        """The probability that neither side has won after the last round, as a lower bound."""
        return self.after[-1].going

    @property
    def both(self) -> Fraction:
        """The probability that the two sides are destroyed at the same time, as a lower bound."""
        return self.endings.get("both_ruined", Fraction())

    def bounds(self, chance: Fraction) -> tuple[Fraction, Fraction]:
        """Return the minimum and maximum of one of these probabilities.

        For samples it is a 95 % confidence interval.
        """
        if not self.sampled:
            return chance, min(Fraction(1), chance + self.missing)
        # Wilson score interval.
        n, p = self.sampled, float(chance)
        middle, half = p + CONFIDENT**2 / (2 * n), CONFIDENT * sqrt(p * (1 - p) / n + (CONFIDENT / n) ** 2 / 4)
        of = 1 + CONFIDENT**2 / n
        return max(Fraction(), Fraction((middle - half) / of)), min(Fraction(1), Fraction((middle + half) / of))

    def format_chance(self, chance: Fraction, missing: Fraction | None = None) -> str:
        """Return a formatted probability.

        `missing` is the missing probability of its round, or None for that of the last round.
        """
        if self.sampled and chance in (0, 1):
            return "<1" if not chance else ">99"
        return format_chance_range(chance, self.missing if missing is None else missing)

    def losses(self, role: Role, fate: Fate) -> Fraction:
        """Return the mean number of units of a side that are routed or eliminated."""
        return sum((mean for (r, f, _), mean in self.lost.items() if (r, f) == (role, fate)), Fraction())


CONFIDENT = 1.96
"""Number of standard errors on either side of a share in a 95 % confidence interval."""


def format_chance_range(chance: Fraction, missing: Fraction) -> str:
    """Return a probability in whole percent, or a range such as `57–63` if more than a point is missing."""
    if missing <= Fraction(1, 100):
        return percent(min(Fraction(1), chance + missing / 2))
    return f"{floor(100 * chance)}–{min(100, ceil(100 * (chance + missing)))}"


def wins(after: After) -> tuple[Fraction, Fraction]:
    """Return the probabilities that the attacker and the defender have won by the end of a round."""
    won = {ending: after.endings.get(ending, Fraction()) for ending in ENDINGS}
    attacker = won["defender_ruined"] + won["defender_retreats"]
    return attacker, won["attacker_ruined"] + won["attacker_retreats"]


class Course(msgspec.Struct, frozen=True):
    """The sequence of rounds in a fight."""

    full: Round
    """Every round or, if `first` is set, every round after the first."""
    ends: Callable[[Force, Force], tuple[Ending | None, Round | None]]
    """Returns the ending of the fight after a round with these forces (or None), and the pursuit that follows (or
    None).
    """
    filled: Callable[[Role, Force], Force]
    """Returns a force with its front refilled for the next round."""
    refilled: bool = False
    """Whether fronts are also refilled before a pursuit."""
    first: Round | None = None
    """The first round, if it differs from later rounds."""


def follow(course: Course, attacker: Force, defender: Force, rounds: int, limits: Limits) -> Odds:
    """Return the odds of a fight after `rounds` rounds.

    Equal states are merged. A fight that continues after the last round is undecided. Without this limit, the
    fractions would have thousands of digits.

    Raises:
        ValueError: If the fight exceeds the `limits`.
    """
    nodes = _nodes(course, (attacker, defender, True) if course.first else (attacker, defender), limits)
    # Express all probabilities of a round with one denominator, so that round n needs only its nth power.
    scale = lcm(*(node.of for node in nodes.values()))
    place: dict[State | Start | Ending, int] = {what: i for i, what in enumerate((*ENDINGS, *nodes))}
    ways = [[(place[to], parts * (scale // node.of)) for to, parts in node.next.items()] for node in nodes.values()]
    first = len(ENDINGS)
    mass = [0] * first + [1] + [0] * (len(nodes) - 1)
    visits, rounds_after = [0] * len(nodes), list[After]()
    for number in range(1, rounds + 1):
        visits = [visit * scale + weight for visit, weight in zip(visits, mass[first:], strict=True)]
        after = [ended * scale for ended in mass[:first]] + [0] * len(nodes)
        for weight, way in zip(mass[first:], ways, strict=True):
            if weight:
                for to, parts in way:
                    after[to] += weight * parts
        mass = after
        rounds_after.append(_after(nodes, mass, scale**number))
    lost: defaultdict[Loss, Fraction] = defaultdict(Fraction)
    for node, visit in zip(nodes.values(), visits, strict=True):
        for what, mean in node.lost.items():
            lost[what] += Fraction(visit * mean, node.of * scale ** (rounds - 1))
    return Odds(tuple(rounds_after), dict(lost))


def _after(nodes: Iterable[State | Start], mass: Sequence[int], of: int) -> After:
    """Return the probabilities after a round.

    `mass` has the weights of the endings and then of the states, in parts of `of`.
    """
    first = len(ENDINGS)
    going = sum(mass[first:])
    there = [(state, weight) for state, weight in zip(nodes, mass[first:], strict=True) if weight]
    left = [sum(w * state[0].left for state, w in there), sum(w * state[1].left for state, w in there)]
    return After(
        {ending: Fraction(mass[i], of) for i, ending in enumerate(ENDINGS)},
        Fraction(going, of),
        (Fraction(left[0], going or 1), Fraction(left[1], going or 1)),
    )


class _Node(NamedTuple):
    """The results of a round (and its pursuit) from a state, as integers with the denominator `of`."""

    of: int
    next: Mapping[State | Ending, int]
    lost: Mapping[Loss, int]


def _nodes(course: Course, start: State | Start, limits: Limits) -> dict[State | Start, _Node]:
    """Return every state that can occur, the initial state first.

    Raises:
        ValueError: If there are more states or transitions than `limits` permits.
    """
    nodes: dict[State | Start, _Node] = {}
    waiting: list[tuple[int, int, State | Start]] = [(0, 0, start)]
    seen, ways = {start}, 0
    while len(seen) <= limits.states and ways <= limits.ways:
        if not waiting:
            return nodes
        # Process the largest states first, because they show early that a battle is too large.
        *_, state = heappop(waiting)
        nodes[state] = node = _node(course, state)
        ways += len(node.next)
        for to in node.next:
            if not isinstance(to, str) and to not in seen:
                heappush(waiting, (-to[0].left - to[1].left, len(seen), to))
                seen.add(to)
    raise ValueError(f"the battle has more than {limits.states} states, or {limits.ways} ways from one to another")


def _node(course: Course, state: State | Start) -> _Node:
    attacker, defender = state[:2]
    fought = (course.first if len(state) > 2 and course.first else course.full).results_for(
        (attacker.front, defender.front)
    )
    next_: defaultdict[State | Ending, int] = defaultdict(int)
    pursued: list[tuple[int, StepResults]] = []
    for (front, enemies), parts in fought.left.items():
        a, d = Force(front, attacker.reserve), Force(enemies, defender.reserve)
        ending, pursuit = course.ends(a, d)
        if not ending or (pursuit and course.refilled):
            a, d = course.filled("attack", a), course.filled("defence", d)
        next_[ending or (a, d)] += parts
        if pursuit:
            pursued.append((parts, pursuit.results_for((a.front, d.front))))
    scale = lcm(*(after.of for _, after in pursued))
    lost = defaultdict(int, {what: mean * scale for what, mean in fought.lost.items()})
    for parts, after in pursued:
        for what, mean in after.lost.items():
            lost[what] += parts * mean * (scale // after.of)
    return _Node(fought.of * scale, {to: parts * scale for to, parts in next_.items()}, lost)


def fire_chances(pack: Pack, shooter: str, target: str) -> Mapping[Hit, Fraction]:
    """Return the probability of each result of a shot between units of these types."""
    return _of(Counter(pack.fire[shooter, target]))


def bombard_chances(pack: Pack, shooter: str, wall: str) -> Mapping[Hit, Fraction]:
    """Return the probability of each result of a bombardment by a unit of this type of this kind of wall."""
    return _of(Counter(pack.bombard[shooter, wall]))


def _of(faces: Counter[Hit]) -> Mapping[Hit, Fraction]:
    return {hit: count * FACE for hit, count in faces.items()}


def response_chances(pack: Pack, defenders: int) -> Mapping[Losses, Fraction]:
    """Return the probabilities of the losses caused by the response of a front with `defenders` units."""
    return battle.response(pack, defenders)


def battle_odds(
    pack: Pack,
    attacker: Force,
    defender: Force,
    policies: tuple[Policy, Policy],
    chosen: Mapping[str, str],
    *,
    no_way: Collection[Role] = (),
    rounds: int = 0,
    limits: Limits | None = None,
    began: tuple[int, int] | None = None,
    width: int | None = None,
) -> Odds:
    """Return the exact odds of a field battle in which each side retreats at its policy's limit.

    `policies` are the attacker's and the defender's. `chosen` is the choice for each ruling. The defender refills
    the front to its present size or to `width`, if the ruling permits. A side in `no_way` cannot retreat. The
    other side retreats when it has lost enough of the units it `began` with (None for its present units). The
    battle is undecided after `rounds` rounds (0 for the number in battle.toml).

    Raises:
        ValueError: If the battle exceeds the `limits` (None for the limits in battle.toml).
    """
    fought = field_rounds(pack, chosen, *policies)
    units = began or (attacker.left, defender.left)
    min_units = {"attack": policies[0].min_units(units[0]), "defence": policies[1].min_units(units[1])}
    width = len(defender.front) if width is None else width

    @lru_cache(64)  # The cache covers the forces of one battle.
    def filled(role: Role, force: Force) -> Force:
        if role == "defence" and chosen["defender_refill"] == "never":
            return force
        return drawn_up(pack, role, force.reserve, width, force.front)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        """Return the ending after a round, if any, and the pursuit that follows."""
        if not a.left or not d.left:
            return ("both_ruined" if not d.left else "attacker_ruined") if not a.left else "defender_ruined", None
        if not filled("defence", d).front:
            return "defender_ruined", None
        if a.left < min_units["attack"] and "attack" not in no_way:
            return "attacker_retreats", fought.defender_pursues
        if d.left < min_units["defence"] and "defence" not in no_way:
            return "defender_retreats", fought.attacker_pursues
        return None, None

    refilled = chosen["pursuit_front"] == "refilled"
    return follow(
        Course(fought.full, ends, filled, refilled),
        attacker,
        defender,
        rounds or odds_settings().rounds,
        limits or odds_settings().budget.exact,
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
    limits: Limits | None = None,
    began: int = 0,
    boxes: Boxes | None = None,
) -> Odds:
    """Return the odds of a siege until the garrison is destroyed or the besieger gives up.

    A garrison never retreats, and there is no pursuit. `wall` is the kind of wall, and `chosen` is the choice for
    each ruling. `began` is the besieger's initial number of units, or 0 for the number in `besiegers`. The `boxes`
    apply in the first round, or in every round if they are kept. In other rounds the policy places the units.
    `rounds`, `limits` and the ValueError are as in battle_odds.
    """
    a, d = Force(pack.line(besiegers)), Force(pack.line(garrison))
    min_units = attacker.min_units(began or a.left)

    def ends(a: Force, d: Force) -> tuple[Ending | None, Round | None]:
        if not d.left:
            return "both_ruined" if not a.left else "defender_ruined", None
        if not a.left:
            return "attacker_ruined", None
        return "attacker_retreats" if a.left < min_units else None, None

    full = siege_round(pack, chosen, wall, attacker, boxes if boxes and boxes.keep else None)
    first = siege_round(pack, chosen, wall, attacker, boxes) if boxes and not boxes.keep else None
    course = Course(full, ends, lambda role, force: force, first=first)
    return follow(course, a, d, rounds or odds_settings().rounds, limits or odds_settings().budget.exact)
