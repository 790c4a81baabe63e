"""The value of hexes and attacks in a position of a battle, from exact odds and the enemy's possible attacks.

Values are in victory banners. An `Outlook` belongs to one position and one side. It uses what this side's player can
see: the board and the units, but not the enemy's hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import NamedTuple

import msgspec

from generator.games.battlelore.ground import SIDES
from generator.games.battlelore.playfield import BIT, FAR, OFF, Roll, bits
from generator.games.battlelore.playing import Course, State
from generator.games.battlelore.tables import lore

MAX_RETREAT = 4
"""Number of free hexes behind a unit that count as unlimited room, because longer retreats are very rare."""
MAX_ATTACKERS = 3
"""Maximum number of enemies that count as attackers of one unit in a turn, because a card seldom orders more."""
MAX_BANNERS = 10.0
"""Value of reaching the number of banners that wins, which is more than anything else is worth."""
LEAVES = -99.0
"""The value of a hex that a unit must leave if it can."""
PATIENT_ROUNDS = 15
"""Number of rounds after which a player comes forward faster every round, because a long game ends in a draw. Most
games are decided before.
"""
NOTHING = -1
"""The target of a plan without an attack."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weights of a strong player, in banners. The head of data/battlelore/players.toml describes them."""

    one: float
    two: float
    three: float
    leave: float
    risk: float
    danger: float
    bend: float
    orders: float
    back: float
    near: float
    hurry: float
    support: float
    hold: float
    pursue: float
    brave: float
    rush: float
    prize: float
    spare: float


def read_weights(weights: Mapping[str, int]) -> Weights:
    """Return the weights from a player's table, in which they are in hundredths."""
    return msgspec.convert({name: n / 100 for name, n in weights.items()}, Weights)


class Blow(NamedTuple):
    """The expected results of an attack, by exact odds."""

    value: float
    """The mean value of the figures that the target loses and of its retreat."""
    falls: float
    """The probability that the target is destroyed, also by a retreat without room."""
    leaves: float
    """The probability that the target survives and retreats."""


class Threat(NamedTuple):
    """An enemy unit and the hexes that it can attack in its next turn if it is ordered."""

    unit: int
    kind: int
    here: int
    starts: int
    """A mask of the hexes from which it can battle."""
    melee: int
    shots: int


class Plan(NamedTuple):
    """The best move of a unit, and the attack that it intends."""

    gain: float
    """The value of ordering the unit instead of leaving it where it is."""
    stays: float
    """The part of the gain that the unit also has without moving."""
    cell: int
    target: int
    """The unit to attack, or `NOTHING`."""
    falls: float
    """The probability that the attack destroys the target."""


class Scale:
    """The value of results for a player, and a cache of computed blows, which are the same in every battle."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        # A unit that has lost figures is closer to costing a banner.
        self.lost = (1.0, weights.one, weights.two, weights.three, *(0.0,) * 8)
        self._blows: dict[tuple[Roll, int, tuple[int, int, int], int], Blow] = {}

    def blow(self, roll: Roll, figures: int, nerve: tuple[int, int, int], room: int) -> Blow:
        """Return the expected results of a roll against a unit with these figures, nerve and hexes to retreat."""
        key = (roll, figures, nerve, room)
        found = self._blows.get(key)
        if found is None:
            found = self._blows[key] = self._blow(*key)
        return found

    def _blow(self, roll: Roll, figures: int, nerve: tuple[int, int, int], room: int) -> Blow:
        (ignored, each, dice), lost, faces = nerve, self.lost, len(lore().play.face)
        whole = sum(roll.weights)
        value = falls = leaves = 0.0
        for (hits, flags), weight in zip(roll.outcomes, roll.weights, strict=True):
            hexes = each * max(0, flags - ignored)
            walked = hexes if room == MAX_RETREAT else min(hexes, room)
            left, thrown = figures - hits - (hexes - walked), walked * dice
            for fright in range(thrown + 1):
                ways = comb(thrown, fright) * (faces - 1) ** (thrown - fright)
                chance = weight / whole * ways / faces**thrown
                if left > fright:
                    value += chance * (lost[left - fright] - lost[figures])
                    if walked:
                        leaves += chance
                else:
                    value += chance * (1.0 - lost[figures])
                    falls += chance
        return Blow(value + self.weights.leave * leaves, falls, leaves)


class Outlook:
    """A position as one side sees it."""

    def __init__(self, scale: Scale, course: Course, state: State, side: int) -> None:
        self.scale, self.weights, self.side = scale, scale.weights, side
        field = self.field = course.field
        self.at, self.figures = state.at, state.figures
        self.friends, self.foes = state.occupied[side], state.occupied[1 - side]
        self.taken = self.friends | self.foes
        first = field.first_of[1]
        halves = range(first), range(first, len(self.at))
        self.units = [unit for unit in halves[side] if self.at[unit] != OFF]
        left = [goal - n for goal, n in zip(course.goals, course.banners(state), strict=True)]
        self.missing = left[side]
        rounds_beyond = max(0, (state.turn + 1) // len(SIDES) - PATIENT_ROUNDS)
        self._near = self.weights.near + self.weights.hurry * rounds_beyond
        # A banner is worth more, the fewer banners are missing to win.
        self._win, self._lose = (self.weights.rush / max(1, left[seat]) ** 2 for seat in (side, 1 - side))
        self.prizes = dict(field.prizes[side])
        self.goals = self.foes | field.prize_cells[side] & ~self.friends
        self._rooms: dict[int, int] = {}
        self._plans: dict[int, Plan] = {}
        self._losses: dict[tuple[int, int], list[tuple[float, int]]] = {}
        self._threats_to: dict[int, list[Threat]] = {}
        """The enemies that can attack each hex, as needed."""
        self._places: dict[tuple[int, int], float] = {}
        self._threats = [self._threat(unit) for unit in halves[1 - side] if self.at[unit] != OFF]
        self._busy = sum(BIT[of.unit] for of in self._threats if (of.melee | of.shots) & self.friends)
        self._in_reach = 0
        for of in self._threats:
            self._in_reach |= of.melee

    def _threat(self, unit: int) -> Threat:
        """Return from where an enemy can attack next turn, and which hexes."""
        field, here = self.field, self.at[unit]
        kind, step, within = field.kind[unit], field.step, field.within
        starts = field.ways(kind, here, self.taken)[0] & field.battles[kind] | BIT[here]
        melee = shots = 0
        for cell in bits(starts):
            melee |= step[cell]
            if field.bow[kind]:
                shots |= within[cell][field.reach[kind]]
        return Threat(unit, kind, here, starts, melee, shots)

    # The enemy's next turn

    def losses(self, unit: int, cell: int) -> list[tuple[float, int]]:
        """Return what each enemy's attack is expected to cost a unit on a hex, with the enemy, the worst first."""
        key = unit, cell
        found = self._losses.get(key)
        if found is None:
            threats = self._threats_to.get(cell)
            if threats is None:
                bit = BIT[cell]
                threats = self._threats_to[cell] = [of for of in self._threats if (of.melee | of.shots) & bit]
            found = []
            if threats:
                field, rest = self.field, self.friends & ~BIT[self.at[unit]]
                nerve = field.nerve(field.kind[unit], cell, (field.near[cell] & rest).bit_count())
                room = self.room(cell, self.side)
                for of in threats:
                    if (loss := self._loss(of, unit, cell, rest, nerve, room)) > 0:
                        found.append((loss, of.unit))
                found.sort(reverse=True)
            self._losses[key] = found
        return found

    def _loss(self, of: Threat, unit: int, cell: int, rest: int, nerve: tuple[int, int, int], room: int) -> float:
        """Return the expected loss of a unit on a hex to one enemy's attack, less what battling back returns.

        `rest` are the unit's friends. `nerve` and `room` are those of the unit on the hex.
        """
        field, kind, figures = self.field, self.field.kind[unit], self.figures[unit]
        step, bit = field.step[cell], BIT[cell]
        worst, start, most = 0.0, of.here, Blow(0.0, 0.0, 0.0)
        if of.melee & bit:
            grounds = set[int]()
            for here in (of.here,) if step >> of.here & 1 else bits(of.starts & step & ~bit):
                # All attacks from the same terrain have the same odds.
                if field.ground[here] in grounds:
                    continue
                grounds.add(field.ground[here])
                roll = field.roll(of.kind, kind, here, cell, here != of.here)
                if roll:
                    blow = self.scale.blow(roll, figures, nerve, room)
                    loss = blow.value + self._lose * blow.falls
                    if loss > worst:
                        worst, start, most = loss, here, blow
            if worst and nerve[0]:
                worst -= self.weights.back * self._battle_back(unit, cell, of, start) * (1 - most.falls - most.leaves)
        elif (end := self._shoots_from(of, cell, rest)) is not None:
            roll = field.roll(of.kind, kind, end, cell, end != of.here)
            if roll:
                blow = self.scale.blow(roll, figures, nerve, room)
                worst = blow.value + self._lose * blow.falls
        return worst

    def _shoots_from(self, of: Threat, cell: int, rest: int) -> int | None:
        """Return a hex from which an enemy can shoot at a hex, preferably its own, or None if there is none."""
        field, here = self.field, BIT[of.here]
        starts = of.starts & field.within[cell][field.reach[of.kind]]
        taken = (rest | self.foes) & ~here
        for start in (*bits(starts & here), *bits(starts & ~here)):
            if not field.step[start] & rest and field.clear(start, cell, taken):
                return start
        return None

    def _battle_back(self, unit: int, cell: int, of: Threat, start: int) -> float:
        """Return the value of battling back against an enemy that attacks from `start`."""
        field = self.field
        roll = field.roll(field.kind[unit], of.kind, cell, start, 0)
        if roll is None:
            return 0.0
        return self.scale.blow(roll, self.figures[of.unit], field.nerve(of.kind, start, 0), MAX_RETREAT).value

    def room(self, cell: int, seat: int) -> int:
        """Return how many hexes a unit of a seat can retreat from a hex, at most `MAX_RETREAT`."""
        key = cell << 1 | seat
        count = self._rooms.get(key)
        if count is None:
            back, free, count = self.field.back[seat], ~self.taken, 0
            front = back[cell] & free
            while front and count < MAX_RETREAT:
                count += 1
                ahead = 0
                for here in bits(front):
                    ahead |= back[here]
                front = ahead & free
            self._rooms[key] = count
        return count

    # Hexes

    def place(self, unit: int, cell: int) -> float:
        """Return the value of a hex for a unit: its danger, distance and neighbours, and victory hexes."""
        key = unit, cell
        value = self._places.get(key)
        if value is not None:
            return value
        weights, field = self.weights, self.field
        value = -self._danger(unit, cell) - self._near * self._distance(cell)
        rest = self.friends & ~BIT[self.at[unit]]
        friends = field.near[cell] & rest
        if friends.bit_count() >= 2:
            value += weights.support
        # A friend that becomes Bold only by this neighbour.
        for other in bits(friends & self._in_reach):
            if (field.near[other] & rest).bit_count() == 1:
                value += weights.hold
        if banners := self.prizes.get(BIT[cell]):
            value += MAX_BANNERS if banners >= self.missing else weights.prize * banners
        self._places[key] = value
        return value

    def _danger(self, unit: int, cell: int, target: int = NOTHING, gone: float = 0.0) -> float:
        """Return the danger of a hex for a unit, after an attack that destroys `target` with probability `gone`."""
        weights, busy, risk = self.weights, self._busy, 0.0
        for loss, enemy in self.losses(unit, cell)[:MAX_ATTACKERS]:
            busy |= BIT[enemy]
            risk += loss * (1.0 - gone) if enemy == target else loss
        if risk <= 0.0:
            return 0.0
        risk = min(risk, 1.0 + self._lose - self.scale.lost[self.figures[unit]])
        # The enemy prefers the attacks that are worth most, and cannot order all units that have an attack.
        drawn = risk * weights.orders
        return weights.danger * risk * drawn / (drawn + weights.bend * busy.bit_count())

    def _distance(self, cell: int) -> int:
        """Return the distance to the nearest enemy or free victory hex, at most one more than `FAR`."""
        for distance, zone in enumerate(self.field.within[cell]):
            if zone & self.goals:
                return distance
        return FAR + 1

    # Attacks

    def attacks(self, unit: int, start: int, moved: int) -> Iterator[tuple[float, int, float]]:
        """Yield the value of each attack from a hex, its target and the probability that it destroys the target.

        The value includes the change of the unit's danger if the target is destroyed.
        """
        field, here = self.field, self.at[unit]
        hexes = field.step[start] & self.foes
        if not hexes and field.bow[field.kind[unit]]:
            hexes = field.targets(unit, start, self.foes, self.taken & ~BIT[here])
        danger = self._danger(unit, start) if hexes else 0.0
        for there in bits(hexes):
            target = self.at.index(there)
            roll = field.roll(field.kind[unit], field.kind[target], start, there, moved)
            if roll:
                value, falls = self._attack(unit, start, target, roll)
                yield value + danger - self._danger(unit, start, target, falls), target, falls

    def _attack(self, unit: int, start: int, target: int, roll: Roll) -> tuple[float, float]:
        """Return the value of an attack, and the probability that it destroys the target."""
        field, scale, weights = self.field, self.scale, self.weights
        kind, other, there = field.kind[unit], field.kind[target], self.at[target]
        nerve = field.nerve(other, there, (field.near[there] & self.foes).bit_count())
        blow = scale.blow(roll, self.figures[target], nerve, self.room(there, 1 - self.side))
        value, empties = blow.value + self._win * blow.falls, blow.falls + blow.leaves
        if not field.step[start] >> there & 1:
            return value, blow.falls
        if nerve[0] and (back := field.roll(other, kind, there, start, 0)):
            rest = self.friends & ~BIT[self.at[unit]]
            morale = field.nerve(kind, start, (field.near[start] & rest).bit_count())
            cost = scale.blow(back, self.figures[unit], morale, self.room(start, self.side))
            value -= weights.risk * (cost.value + self._lose * cost.falls) * (1.0 - empties)
        if field.mounted[kind]:
            value += weights.pursue * empties
        return value, blow.falls

    def stand(self, unit: int, cell: int, moved: int, fights: bool) -> tuple[float, int, float]:
        """Return the value of ending a move in a hex with the best attack from there, its target and kill chance."""
        best, chosen, chance = 0.0, NOTHING, 0.0
        if fights:
            for value, target, falls in self.attacks(unit, cell, moved):
                if value > best:
                    best, chosen, chance = value, target, falls
        return self.place(unit, cell) + best, chosen, chance

    def plan(self, unit: int) -> Plan:
        """Return the best move of a unit that has not moved."""
        found = self._plans.get(unit)
        if found is None:
            found = self._plans[unit] = self._plan(unit)
        return found

    def _plan(self, unit: int) -> Plan:
        field, here = self.field, self.at[unit]
        kind, idle = field.kind[unit], self.place(unit, here)
        near, far = field.ways(kind, here, self.taken)
        stays, target, falls = self.stand(unit, here, 0, fights=True)
        best, chosen = stays if self._dares(unit, here, falls) else LEAVES, here
        battles = field.battles[kind]
        for cell in (*self.seen(near), *self.seen(far)):
            value, aim, chance = self.stand(unit, cell, 1, fights=bool(near & battles & BIT[cell]))
            if value > best and self._dares(unit, cell, chance):
                best, chosen, target, falls = value, cell, aim, chance
        return Plan((stays if chosen == here else best) - idle, stays - idle, chosen, target, falls)

    def _dares(self, unit: int, cell: int, falls: float) -> bool:
        """Return whether a unit may end its move in a hex from which it destroys its target with this probability.

        A unit with one figure does not end its move in contact with an enemy for a small chance.
        """
        return self.figures[unit] > 1 or falls >= self.weights.brave or not self.field.step[cell] & self.foes

    def seen(self, mask: int) -> tuple[int, ...]:
        """Return the hexes of a mask in the order in which this side sees them, so that both sides play alike."""
        return bits(mask)[:: -1 if self.side else 1]
