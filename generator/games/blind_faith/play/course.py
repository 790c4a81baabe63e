"""The course of a battle from round to round, as exact chances of its states.

States that are equal are one. What is not decided after the last round reckoned is told as undecided: without
such an end the chances would be fractions of thousands of digits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal, NamedTuple, get_args

from generator.games.blind_faith.forces.tables import Fate
from generator.games.blind_faith.forces.units import Role
from generator.games.blind_faith.play.battle import Force
from generator.games.blind_faith.play.policy import Limits
from generator.games.blind_faith.play.rounds import Loss, Reckoned, Round

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
