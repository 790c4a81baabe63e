"""An oracle for the attacks of one turn and their results, which searches every path and counts every roll.

It is written from the text of the rules and shares no code with the generator. Lines come from the sight oracle.
This file contains the tables of terrain and units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from tests.games.battlelore import sight_oracle
from tests.sight.oracle import Place, are_neighbours, places, steps

FACES = ("green", "blue", "red", "strike", "lore", "flag")
DICE = {"green": 2, "blue": 3, "red": 4}
FAR = {("green", False): 2, ("blue", False): 1, ("red", False): 1}
FAR |= {("green", True): 4, ("blue", True): 3, ("red", True): 2}
RANGE = {"common_bow": 4, "long_bow": 4, "crossbow": 3, "arbalest": 3}
STOPS = ("forest", "ford", "marsh", "landmark")
BARRED = ("river",)
MOST_OUT = {"forest": 2, "hill": 3, "ford": 2, "marsh": 2, "cliff": 3, "landmark": 2}
MOST_IN = {"forest": 2, "hill": 2, "marsh": 2, "cliff": 2, "landmark": 2}
HIGH = ("hill", "cliff")
BOLD_GROUND = ("bridge", "stone_bridge", "landmark")


class Own(NamedTuple):
    """The numbers of a piece of the owner, which replace those of its banner and weapon."""

    dice: int
    move: int
    run: int
    range: int
    over: bool
    """Whether it shoots at every hex in range, whatever stands between."""


class Man(NamedTuple):
    """A unit with its position and remaining figures."""

    id: str
    camp: str
    at: Place
    banner: str
    weapon: str
    race: str
    mounted: bool
    figures: int
    own: Own | None = None

    @property
    def bow(self) -> bool:
        return self.weapon in RANGE

    @property
    def range(self) -> int:
        return self.own.range if self.own else RANGE.get(self.weapon, 1)


class Way(NamedTuple):
    """A way to make an attack, with the starting hex, the number of dice and the faces that hit."""

    start: Place
    walked: int
    ranged: bool
    dice: int
    strikes: bool
    ignored: int


@dataclass(frozen=True)
class Table:
    """The position of a battle."""

    rows: tuple[int, ...]
    ground: Mapping[Place, str]
    features: Mapping[Place, str]
    walls: Collection[frozenset[Place]]
    men: tuple[Man, ...]
    rulings: Mapping[str, str]

    seen: dict[Place, frozenset[frozenset[Place]]] = field(default_factory=dict)

    def sight(self, left: Place) -> frozenset[frozenset[Place]]:
        """Return every pair of hexes that can see each other after the unit on hex `left` has moved away."""
        if left not in self.seen:
            units, cells = {man.at for man in self.men} - {left}, places(self.rows)
            pairs = sight_oracle.in_sight(sight_oracle.Field(self.rows, self.ground, units, self.rulings))
            self.seen[left] = frozenset(frozenset((cells[a], cells[b])) for a, b in pairs)
        return self.seen[left]

    def walk(self, man: Man, ghost: Place) -> dict[Place, int]:
        """Return the hexes from which a unit can battle, with the steps to each.

        Units and the hex `ghost` block paths.
        """
        found = {man.at: 0}
        taken = {other.at for other in self.men} | {ghost}

        def go(here: Place, walked: int) -> None:
            if walked == (man.own.move if man.own else FAR[man.banner, man.mounted]):
                return
            for cell in next_to(self.rows, here):
                if cell in taken or self.ground[cell] in BARRED:
                    continue
                if frozenset((here, cell)) in self.walls:
                    continue
                found[cell] = min(found.get(cell, 99), walked + 1)
                if self.ground[cell] not in STOPS and self.features.get(cell) != "stakes":
                    go(cell, walked + 1)

        go(man.at, 0)
        idle = {
            c for c in found if self.ground[c] == "landmark" or (self.features.get(c) == "stakes" and not man.bow)
        }
        return {cell: walked for cell, walked in found.items() if cell == man.at or cell not in idle}

    def ways(self, man: Man, target: Man) -> Iterator[Way]:
        """Yield every way for a unit to attack a real or hypothetical target."""
        sees = self.sight(man.at) if man.bow else frozenset()
        for start, walked in self.walk(man, target.at).items():
            far, walled = steps(start, target.at), frozenset((start, target.at)) in self.walls
            if (far == 1 and walled) or far > man.range:
                continue
            foes = [m.at for m in self.men if m.camp != man.camp and are_neighbours(m.at, start)]
            pressed = any(frozenset((start, foe)) not in self.walls for foe in foes)
            blind = frozenset((start, target.at)) not in sees and not (man.own and man.own.over)
            if far > 1 and (pressed or blind):
                continue
            count = (man.own.dice if man.own else DICE[man.banner]) - (1 if man.bow and walked else 0)
            if man.weapon == "arbalest" and walked:
                continue
            here, there = self.ground[start], self.ground[target.at]
            count = min(count, MOST_OUT.get(here, 9))
            count = min(count, 3 if there in HIGH and here in HIGH else MOST_IN.get(there, 9))
            strikes = man.weapon in ("short_sword", "long_sword")
            if far > 1:
                strikes = man.weapon != "common_bow"
            ignored = 1 if man.weapon == "short_sword" and target.mounted else 0
            if far == 1 and self.features.get(target.at) == "stakes" and target.bow:
                ignored += 1
            if count:
                yield Way(start, walked, far > 1, count, strikes, ignored if strikes else 0)

    def ignored(self, man: Man) -> int:
        """Return the number of flags that a unit ignores, which is one for each reason to be Bold."""
        friends = sum(other.camp == man.camp and are_neighbours(other.at, man.at) for other in self.men)
        ground, feature = self.ground[man.at], self.features.get(man.at)
        reasons = (man.race == "dwarf", friends >= 2, ground in BOLD_GROUND, feature == "rampart")
        return sum(reasons) + (feature == "stakes" and man.bow)

    def odds(self, way: Way, man: Man) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Return the mean hits and the chances to destroy the unit, destroy it if cornered, and empty the hex."""
        ignored, hits_, falls, cornered, empties = self.ignored(man), *[Fraction()] * 4
        frightened = man.race == "goblin" and not ignored
        for (hits, flags), p in rolled(way.dice, way.strikes, way.ignored, man.banner).items():
            obeyed = max(0, flags - ignored)
            hits_ += p * hits
            falls += p * (removal_chance(2 * obeyed if frightened else 0, man.figures - hits))
            cornered += p * (hits + obeyed * (2 if frightened else 1) >= man.figures)
            empties += p * (hits >= man.figures or obeyed > 0)
        return hits_, falls, cornered, empties

    def danger(self, man: Man) -> tuple[Fraction, int]:
        """Return the mean hits that all enemies can inflict on a unit in a turn, and the number of attackers."""
        shots, blows, beside_ = list[Fraction](), list[Fraction](), set[Place]()
        for foe in self.men:
            ways = list(self.ways(foe, man)) if foe.camp != man.camp else []
            beside_ |= {way.start for way in ways if not way.ranged}
            means = [(self.odds(way, man)[0], way.ranged) for way in ways]
            best = max((mean for mean, _ in means), default=None)
            if best is not None:
                (shots if (best, True) in means else blows).append(best)
        blows.sort(reverse=True)
        return sum(shots, Fraction()) + sum(blows[: len(beside_)], Fraction()), len(shots) + len(blows)


@cache
def next_to(rows: tuple[int, ...], here: Place) -> tuple[Place, ...]:
    """Return the hexes that share a side with the given hex."""
    return tuple(cell for cell in places(rows) if are_neighbours(here, cell))


@cache
def rolled(dice: int, strikes: bool, ignored: int, colour: str) -> Mapping[tuple[int, int], Fraction]:
    """Return the probability of each pair of hits and flags, over all 6^n rolls."""
    ways: Counter[tuple[int, int]] = Counter()
    for roll in product(FACES, repeat=dice):
        more = max(0, roll.count("strike") - ignored) if strikes else 0
        ways[roll.count(colour) + more, roll.count("flag")] += 1
    return {key: Fraction(n, 6**dice) for key, n in ways.items()}


@cache
def removal_chance(dice: int, left: int) -> Fraction:
    """Return the chance that `dice` retreat dice remove `left` figures, if one face in six removes a figure."""
    if left <= 0:
        return Fraction(1)
    takes = [sum(fall) for fall in product((1, 0), repeat=dice)]
    return sum((Fraction(5 ** (dice - n), 6**dice) for n in takes if n >= left), Fraction())
