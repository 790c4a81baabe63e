"""A player of BattleLore and Call to Arms that took no part in the search for grade C.

It compares, for each unit and hex, the figures that its attack takes with those that two enemy attacks can
take in the next turn. Unlike the strong players, it counts figures and assumes that every enemy within reach attacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.common.playing import Policy
from generator.games.battlelore.playfield import BIT, CODES, OFF, bits
from generator.games.battlelore.playing import BATTLE, CARD, DONE, MOVE, ORDER, Course, State
from generator.model.words import Words
from generator.seeds import Rng

BANNER = 3.0
"""The value of destroying a unit, in figures."""
RETREAT = 0.4
"""The value of forcing a unit to retreat, in figures."""
FEAR = 0.25
"""The weight of the figures that the enemy can take in the next turn."""
WORST = 2
"""The number of enemy attacks on a unit that count. A card seldom orders more units of a section."""
NEAR = 0.06
"""The value of each hex that a unit is nearer to the nearest enemy, in figures."""


class Position:
    """The values of hexes and attacks for one side, while all units stay where they are."""

    def __init__(self, course: Course, state: State) -> None:
        self.field, self.state, self.side = course.field, state, state.side
        self.friends, self.foes = state.occupied[state.side], state.occupied[1 - state.side]
        self._threats: dict[tuple[int, int], float] = {}
        self._plans: dict[int, tuple[float, int, float]] = {}

    def seen(self, mask: int) -> tuple[int, ...]:
        """Return the hexes of a mask in the order in which this side sees them, so that both sides play alike."""
        return tuple(bits(mask))[:: -1 if self.side else 1]

    def worth(self, unit: int, target: int, start: int, there: int, moved: int) -> float:
        """Return the figures that an attack takes, less those that battling back takes."""
        field, figures = self.field, self.state.figures
        roll = field.roll(field.kind[unit], field.kind[target], start, there, moved)
        if roll is None:
            return 0.0
        mates = (field.near[there] & self.state.occupied[field.seat[target]]).bit_count()
        ignored = field.nerve(field.kind[target], there, mates)[0]
        falls, stays = roll.hits[figures[target]], roll.stays[figures[target]][ignored]
        value = roll.mean + BANNER * falls + RETREAT * (1 - stays - falls)
        adjacent = field.step[start] >> there & 1
        back = field.roll(field.kind[target], field.kind[unit], there, start, 0) if adjacent and ignored else None
        if back is not None:
            value -= stays * (back.mean + BANNER * back.hits[figures[unit]])
        return value

    def threat(self, unit: int, cell: int) -> float:
        """Return the figures that the worst enemy attacks on a unit in a hex take in the next turn."""
        known = self._threats.get((unit, cell))
        if known is None:
            found = sorted((self._blow(foe, unit, cell) for foe in self._enemies()), reverse=True)
            known = self._threats[unit, cell] = FEAR * sum(found[:WORST])
        return known

    def _enemies(self) -> Iterator[int]:
        at, seat = self.state.at, self.field.seat
        return (foe for foe in range(len(at)) if seat[foe] != self.side and at[foe] != OFF)

    def _blow(self, foe: int, unit: int, cell: int) -> float:
        """Return the figures that one enemy takes, from its hex or from the nearest hex next to the unit."""
        field, here = self.field, self.state.at[foe]
        kind = field.kind[foe]
        shoots = field.bow[kind] and field.within[here][field.reach[kind]] >> cell & 1
        if shoots or field.step[here] >> cell & 1:
            start, moved = here, 0
        else:
            free = field.step[cell] & field.within[here][field.moves[kind]] & ~self.foes
            start, moved = next(iter(self.seen(free)[::-1]), OFF), 1
            if start == OFF:
                return 0.0
        roll = field.roll(kind, field.kind[unit], start, cell, moved)
        return roll.mean + BANNER * roll.hits[self.state.figures[unit]] if roll else 0.0

    def attack(self, unit: int, cell: int, moved: int) -> tuple[float, int]:
        """Return the value of the best attack from a hex, and its target, or 0 and no target."""
        others = (self.friends & ~BIT[self.state.at[unit]]) | self.foes
        if moved and not self.field.battles[self.field.kind[unit]] >> cell & 1:
            return 0.0, DONE
        best, chosen = 0.0, DONE
        for there in self.seen(self.field.targets(unit, cell, self.foes, others)):
            target = self.state.at.index(there)
            value = self.worth(unit, target, cell, there, moved)
            if value > best:
                best, chosen = value, target
        return best, chosen

    def place(self, unit: int, cell: int) -> float:
        """Return the value of a hex without an attack."""
        nearest = min(self.field.far[cell][foe] for foe in bits(self.foes)) if self.foes else 0
        return -self.threat(unit, cell) - NEAR * nearest

    def plan(self, unit: int) -> tuple[float, int, float]:
        """Return what a unit gains by being ordered, its best hex, and what it gains by this move."""
        known = self._plans.get(unit)
        if known is None:
            here = self.state.at[unit]
            near, far = self.field.ways(self.field.kind[unit], here, self.friends | self.foes)
            stays = self.place(unit, here)
            values = {here: stays + self.attack(unit, here, 0)[0]}
            values |= {cell: self.place(unit, cell) + self.attack(unit, cell, 1)[0] for cell in self.seen(near)}
            values |= {cell: self.place(unit, cell) for cell in self.seen(far)}
            best = max(values, key=lambda cell: values[cell])
            known = self._plans[unit] = values[best] - stays, best, values[best] - values[here]
        return known


def held_out(others: Policy) -> Policy:
    """Return the player. Decisions during a fight, such as pursuits and retreats, are those of a casual player."""

    def pick(course: Course, state: State, rng: Rng) -> int:
        if state.phase not in (CARD, ORDER, MOVE, BATTLE):
            decision: int = others.pick(course, state, rng)
            return decision
        position = Position(course, state)
        if state.phase == CARD:
            return _card(course, state, position)
        if state.phase == ORDER:
            gains = [(position.plan(unit)[0], unit) for unit in course.eligible(state)]
            gain, unit = max(gains, default=(0.0, DONE))
            return unit if gain > 0 else DONE
        if state.phase == MOVE:
            moves = [(position.plan(unit), unit) for unit in bits(state.ordered & ~state.moved)]
            (_, cell, gain), unit = max(moves, key=lambda of: of[0][2], default=((0.0, OFF, 0.0), DONE))
            return unit << 8 | cell if gain > 0 else DONE
        attacks = (
            (*position.attack(unit, state.at[unit], state.moved >> unit & 1), unit)
            for unit in bits(state.ordered & ~state.spent)
        )
        value, target, unit = max(attacks, default=(0.0, DONE, DONE))
        return unit << 8 | target if value > 0 else DONE

    return Policy("held_out", Words("Held-out player", "別枠のプレイヤー"), Words("", ""), pick)


def _card(course: Course, state: State, position: Position) -> int:
    """Return the card whose best units gain most in total. A unit in two sections counts for each."""
    section, kinds = course.field.section[state.side], len(course.quotas)
    units = [unit for unit, cell in enumerate(state.at) if cell != OFF and course.field.seat[unit] == state.side]
    gains = sorted(((max(0.0, position.plan(unit)[0]), unit) for unit in units), reverse=True)
    by_place = [[gain for gain, unit in gains if CODES[section[state.at[unit]]] >> place & 1] for place in range(3)]
    hand = state.cards[state.side * kinds : (state.side + 1) * kinds]

    def total(card: int) -> float:
        return sum(sum(of[:count]) for of, count in zip(by_place, course.quotas[card], strict=True))

    return max((card for card, count in enumerate(hand) if count), key=total)
