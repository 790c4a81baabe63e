"""The exact results that a battle's units can expect in one turn: every possible attack and the danger in each hex.

A unit moves as far as it can and still battle, then attacks once. All other units stay in place. Each attack is
evaluated alone, so pursuit, bonus melee and battling back do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeVar

from msgspec import Struct

from generator.common.tables import decimal, percent
from generator.games.battlelore.forces import Kind, Unit, titled
from generator.games.battlelore.ground import Board, Side, words
from generator.games.battlelore.model import COMMON_RACE, Battle
from generator.games.battlelore.odds import Attack, attack
from generator.games.battlelore.play import may_battle, reach, screens
from generator.games.battlelore.tables import Arm, Morale, lore
from generator.grid.hexes import Hex, distance
from generator.model.words import Words, joined
from generator.sight.trace import Screens

B = TypeVar("B", bound=Battle)

SOMEBODY: Mapping[Arm, Kind] = {
    "foot": Kind("blue", "short_sword", COMMON_RACE),
    "mounted": Kind("blue", "long_sword", COMMON_RACE),
}
"""The kind of unit assumed on an empty hex. Its colour does not matter, because every colour is on one face of the
die.
"""


class Nerve(Struct, frozen=True):
    """The morale of a unit in its hex."""

    morale: Morale
    ignored: int = 0
    """The number of flags that the unit ignores: one for each reason to be Bold."""


class Way(Struct, frozen=True):
    """A possible way to make an attack: the hex to attack from, the number of hexes moved, and the dice."""

    start: Hex
    steps: int
    ranged: bool
    roll: Attack


class AttackOption(Struct, frozen=True):
    """An attack on a target, with the probabilities of its results."""

    camp: Side
    unit: Unit
    target: Unit
    at: Hex
    way: Way
    nerve: Nerve
    """The morale of the target."""

    @property
    def falls(self) -> Fraction:
        """The probability that the target is eliminated if nothing obstructs its retreat."""
        return _falls(self.way.roll, self.target.figures, self.nerve)

    @property
    def cornered(self) -> Fraction:
        """The probability that the target is eliminated if it cannot retreat."""
        return cornered(self.way.roll, self.target.figures, self.nerve)

    @property
    def empties(self) -> Fraction:
        """The probability that the target is eliminated or retreats, which leaves its hex empty."""
        return empties(self.way.roll, self.target.figures, self.nerve)


class Danger(Struct, frozen=True):
    """The danger from all enemies to a unit in a hex."""

    hits: Fraction
    """The mean number of figures hit if every enemy in reach attacks; melees are limited by the room around the hex.
    """
    units: int
    """The number of enemies that can attack the hex."""


NO_DANGER = Danger(Fraction(), 0)


def cornered(roll: Attack, figures: int, nerve: Nerve) -> Fraction:
    """Return the probability that a unit with this number of figures is eliminated if it cannot retreat."""
    each = lore().play.morale[nerve.morale].hexes
    lost = (p for (hits, flags), p in roll.odds.items() if hits + each * max(0, flags - nerve.ignored) >= figures)
    return sum(lost, Fraction())


def empties(roll: Attack, figures: int, nerve: Nerve) -> Fraction:
    """Return the probability that a unit is eliminated or retreats, if nothing obstructs its retreat."""
    won = (p for (hits, flags), p in roll.odds.items() if hits >= figures or flags > nerve.ignored)
    return sum(won, Fraction())


@lru_cache(4096)  # A run uses few pairs of an attack and the remaining figures of its target.
def _falls(roll: Attack, figures: int, nerve: Nerve) -> Fraction:
    return roll.falls(figures, nerve.morale)


@lru_cache(1024)  # A run uses few different attacks.
def _mean(roll: Attack) -> Fraction:
    return roll.mean


class Turn:
    """One turn of a battle with its units set up."""

    def __init__(self, battle: Battle) -> None:
        self.battle, self.board = battle, battle.board
        self.standing: Mapping[Hex, tuple[Side, Unit]] = {u.hex: (camp, u) for camp, u in battle.units if u.hex}
        self._over: dict[Hex, Screens] = {}
        self._reach: dict[tuple[Hex, Hex | None], Mapping[Hex, int]] = {}
        self._feared: dict[tuple[Side, Hex, Kind], Danger] = {}

    def nerve(self, cell: Hex) -> Nerve:
        """Return the morale of the unit in a hex. It depends on the race, the terrain and adjacent friends."""
        camp, unit = self.standing[cell]
        friends = sum(self.standing[n][0] == camp for n in self.board.field.neighbours(cell) if n in self.standing)
        return nerve(self.board, unit.kind, cell, friends)

    def ways(self, cell: Hex, at: Hex, kind: Kind) -> Iterator[Way]:
        """Yield every way in which the unit in `cell` may attack an enemy of this kind in the hex `at`."""
        unit = self.standing[cell][1]
        for start, steps in self._ends(cell, unit, at).items():
            if way := self.way(cell, start, at, kind, steps):
                yield way

    def way(self, cell: Hex, start: Hex, at: Hex, kind: Kind, steps: int = 0) -> Way | None:
        """Return the attack that the unit in `cell` could make from the hex `start`, or None if it could not attack.

        The target is an enemy of this kind in the hex `at`. `steps` is the number of hexes moved before the attack.
        """
        camp, unit = self.standing[cell]
        far = distance(start, at)
        if far == 1:
            if self.board.wall_between(start, at):
                return None
        elif far > unit.kind.range or self.engaged(camp, start, at) or not self.sees(cell, start, at):
            return None
        roll = rolled(self.board, unit.kind, kind, start, at, moved=steps > 0, ranged=far > 1)
        return Way(start, steps, far > 1, roll) if roll else None

    def blows(self) -> Iterator[AttackOption]:
        """Yield each unit's best attack on every enemy in reach.

        The best attack has the highest probability of elimination, then the most hits, then the shortest move.
        """
        for cell, (camp, unit) in self.standing.items():
            for at, (other, target) in self.standing.items():
                ways = self.ways(cell, at, target.kind) if other != camp else ()
                blows = [AttackOption(camp, unit, target, at, way, self.nerve(at)) for way in ways]
                if blows:
                    yield max(blows, key=lambda blow: (blow.falls, _mean(blow.way.roll), -blow.way.steps))

    def danger(self, camp: Side, at: Hex, kind: Kind) -> Danger:
        """Return the danger to a unit of this camp and kind in a hex.

        The result is NO_DANGER if the unit cannot be in the hex.
        """
        case = (camp, at, kind)
        if case not in self._feared:
            self._feared[case] = self._danger(camp, at, kind)
        return self._feared[case]

    def _danger(self, camp: Side, at: Hex, kind: Kind) -> Danger:
        there = self.standing.get(at)
        if not self.board.passable(at) or (there and there[0] != camp):
            return NO_DANGER
        shots, melees, adjacent = list[Fraction](), list[Fraction](), set[Hex]()
        for cell, (other, _) in self.standing.items():
            ways = list(self.ways(cell, at, kind)) if other != camp else []
            adjacent |= {way.start for way in ways if not way.ranged}
            if ways:
                # Prefer a shot to an equally strong melee, because a shot needs no free adjacent hex.
                best = max(ways, key=lambda way: (_mean(way.roll), way.ranged))
                (shots if best.ranged else melees).append(_mean(best.roll))
        hits = sum(shots, Fraction()) + sum(sorted(melees, reverse=True)[: len(adjacent)], Fraction())
        return Danger(hits, len(shots) + len(melees))

    def map_of(self, camp: Side) -> Mapping[Hex, Danger]:
        """Return the danger in every hex to the unit there, or to a foot unit of the camp if the hex is empty."""
        found = {}
        for cell in self.board.field.cells:
            occupant = self.standing.get(cell)
            found[cell] = self.danger(camp, cell, occupant[1].kind if occupant else SOMEBODY["foot"])
        return found

    def _ends(self, cell: Hex, unit: Unit, at: Hex) -> Mapping[Hex, int]:
        """Return the hexes to which a unit can move and still battle, each with the number of steps.

        The unit cannot cross the target.
        """
        ends = self._ends_of(cell, unit, None)
        return self._ends_of(cell, unit, at) if at in ends else ends

    def _ends_of(self, cell: Hex, unit: Unit, at: Hex | None) -> Mapping[Hex, int]:
        if (cell, at) not in self._reach:
            taken = self.standing.keys() | ({at} if at else set())
            moved = reach(self.board, taken, cell, unit.kind.move)
            ends = {end: steps for end, steps in moved.items() if may_battle(self.board, unit.kind, end)}
            self._reach[cell, at] = {cell: 0} | ends
        return self._reach[cell, at]

    def engaged(self, camp: Side, start: Hex, at: Hex) -> bool:
        """Return whether a unit must fight an enemy next to a hex instead of a target farther away."""
        neighbours = (n for n in self.board.field.neighbours(start) if n in self.standing and n != at)
        return any(self.standing[n][0] != camp and not self.board.wall_between(start, n) for n in neighbours)

    def sees(self, cell: Hex, start: Hex, at: Hex) -> bool:
        """Return whether a unit that has moved to `start` has a clear line of sight to the target, or needs none."""
        if self.standing[cell][1].kind.over:
            return True
        index = self.board.field.index
        return not self.screens_without(cell).stops(index[start], index[at])

    def screens_without(self, cell: Hex) -> Screens:
        """Return what blocks lines of sight when the unit in a hex has left it."""
        if cell not in self._over:
            self._over[cell] = screens(self.board, self.standing.keys() - {cell}, self.battle.rulings)
        return self._over[cell]

    @cached_property
    def every(self) -> tuple[AttackOption, ...]:
        """The best attacks of all units, in the order of the units."""
        return tuple(self.blows())

    def of(self, camp: Side) -> tuple[Unit, ...]:
        """Return the units of a camp that are on the board."""
        return tuple(unit for owner, unit in self.standing.values() if owner == camp)


def nerve(board: Board, kind: Kind, cell: Hex, friends: int) -> Nerve:
    """Return the morale of a unit of this kind in a hex next to `friends` friends."""
    natural = lore().races[kind.race].morale
    grounds = [of for of in (board.terrain(cell), board.feature(cell)) if of]
    reasons = (natural == "bold") + (friends >= lore().play.support)
    reasons += sum(of.bold or (of.bold_for == "foot_bows" and kind.bow) for of in grounds)
    return Nerve("bold", reasons * lore().play.morale["bold"].ignored) if reasons else Nerve(natural)


def rolled(
    board: Board, attacker: Kind, kind: Kind, start: Hex, at: Hex, *, moved: bool, ranged: bool
) -> Attack | None:
    """Return the attack of a unit in one hex on a unit in another hex, or None if there are no dice."""
    feature = board.feature(at)
    of = attack(
        attacker.banner,
        attacker.weapon,
        kind.banner,
        kind.arm,
        ranged=ranged,
        moved=moved,
        cap=cap(board, start, at),
        behind_stakes=bool(feature and feature.strikes_ignored and kind.bow),
        own_dice=attacker.dice,
    )
    return of if of.dice else None


def cap(board: Board, start: Hex, at: Hex) -> int:
    """Return the maximum number of dice that the terrain allows for an attack between two hexes; 0 for no limit."""
    out = [kind.dice_out for kind in (board.terrain(start), board.feature(start)) if kind]
    into = [k.dice_in_from.get(board.ground[start], k.dice_in) for k in (board.terrain(at), board.feature(at)) if k]
    return min((limit for limit in (*out, *into) if limit), default=0)


def attack_line(turn: Turn, of: AttackOption) -> Words:
    """Return the line for an attack and the probabilities of its results."""
    texts, name, way, chances = words()["prospects"], turn.board.field.name, of.way, figures_of(of)
    start = texts["goes" if way.steps else "stays"].fill(start=name(way.start), n=way.steps)
    parts = [texts["shot" if way.ranged else "melee"].fill(start=start, n=way.roll.dice, hits=chances["hits"])]
    if of.cornered:
        parts.append(texts["fallen"].fill(**chances))
    if of.empties:
        parts.append(texts["gone"].fill(**chances))
    kind = titled(of.target, of.target.kind.name.low)
    return texts["line"].fill(target=of.target.id, kind=kind, hex=name(of.at), chances=joined(parts))


def figures_of(blow: AttackOption) -> dict[str, str]:
    """Return the formatted probabilities of an attack's results."""
    chances = {"falls": blow.falls, "cornered": blow.cornered, "empties": blow.empties}
    return {"hits": decimal(blow.way.roll.mean)} | {name: percent(chance) for name, chance in chances.items()}


def format_hits(hits: Fraction) -> str:
    """Return a mean number of hits rounded to one decimal place, or an empty string for no hits."""
    tenths = max(1, int(hits * 10 + Fraction(1, 2)))
    return f"{tenths // 10}.{tenths % 10}" if hits else ""
