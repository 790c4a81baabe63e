"""A player of Battling that took no part in the search for grade C.

It gives one order after another, the most urgent one first. The value of an order is the chance that its attack costs
the enemy a machine or a hit point, less the chances of the enemies that can attack the machine in their next phase.
Unlike the strong players, it makes no plan for all machines. It compares hexes by the two best targets that a machine
has from there and by the enemies that can attack it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from generator.common.playing import Policy
from generator.games.battling.playing import LETTERS, PASS, Battle, D, F, Move, State
from generator.model.words import Words
from generator.seeds import Rng

MACHINE = 1.2
"""The value of a machine's last hit point, in addition to that of a hit point."""
EACH_NEXT = 0.5
"""The weight of an enemy's attack on a machine, compared with the more dangerous attack before it."""
DANGER = 1.2
"""The value of a hit point that the enemies can take in their next phase."""
SHOT = 1.0
"""The value of a hit point that the machine can take in its own next phase."""
SECOND_SHOT = 0.15
"""The value of a hit point of a second enemy that the machine can attack."""
NEAR, NEAR_AT_END = 0.03, 0.12
"""The value of each hex that a machine is nearer to the nearest enemy, and its increase towards the end if the side
does not have more machines left."""
DIGITS = 9
"""The number of decimals of values that are compared, because sums of fractions are inexact."""


class Position:
    """The chances of attacks between the machines of both sides, at the start of a phase."""

    def __init__(self, battle: Battle, state: State) -> None:
        self.battle, self.state = battle, state
        self.enemies = [unit for unit in battle.sides[1 - state.seat] if state.hps[unit]]
        self.chance = lru_cache(None)(self._chance)
        self.danger = lru_cache(None)(self._danger)
        self.place = lru_cache(None)(self._place)

    def _chance(self, attacker: int, target: int, action: int, far: int, last: int) -> tuple[float, float]:
        """Return the chances that an attack hurts the target and the attacker."""
        pack, kinds, letter = self.battle.pack, self.battle.kinds, LETTERS[last]
        if action == F:
            return float(pack.shot(kinds[attacker], kinds[target], far, letter).hurts), 0.0
        roll = pack.battling_roll(kinds[attacker], kinds[target], letter)
        return float(roll.hurts), float(roll.costs)

    def best(self, attacker: int, start: int, target: int, cell: int, last: int) -> float:
        """Return the chance that the better attack of a machine hurts a target on a hex."""
        far = self.battle.far[start][cell]
        shot = self.chance(attacker, target, F, far, last)[0] if self.battle.seen[start] >> cell & 1 else 0.0
        if far > 2:
            return shot
        hurts, costs = self.chance(attacker, target, 0, 1, last)
        return max(shot, hurts - costs)

    def _danger(self, unit: int, cell: int, last: int) -> float:
        """Return the value of what the enemies can take from a machine on a hex."""
        at = self.state.cells
        chances = sorted((self.best(enemy, at[enemy], unit, cell, last) for enemy in self.enemies), reverse=True)
        taken = sum(chance * EACH_NEXT**number for number, chance in enumerate(chances))
        return DANGER * taken * (1 + (MACHINE if self.state.hps[unit] == 1 else 0))

    def _place(self, unit: int, cell: int) -> float:
        """Return the value of a hex for its attacks in the next phase and its distance from the enemy."""
        battle, state = self.battle, self.state
        chances = sorted(
            (self.best(unit, cell, enemy, state.cells[enemy], 0) for enemy in self.enemies), reverse=True
        )
        hurry = 0.0 if battle.ahead(state, state.seat) else NEAR_AT_END * state.clock / battle.phases
        nearest = min(battle.far[cell][state.cells[enemy]] for enemy in self.enemies)
        second = chances[1] if len(chances) > 1 else 0.0
        return SHOT * chances[0] + SECOND_SHOT * second - (NEAR + hurry) * nearest

    def going(self, state: State, unit: int) -> Iterator[tuple[float, Move]]:
        """Yield the value of each order of a machine without an attack."""
        battle, cell = self.battle, state.cells[unit]
        enemies, friends = battle.standing_at(state, state.seat)
        friends &= ~(1 << cell)
        going = battle.going(cell, enemies, friends)
        for action, end, target, way in (*going, *battle.guards(cell, enemies | friends)):
            value = self.place(unit, end) - self.danger(unit, end, action)
            yield value, (unit, action, end, target, way)

    def attacks(self, state: State, unit: int) -> Iterator[tuple[float, Move]]:
        """Yield the value of each attack of a machine, given the attacks that its side has already declared."""
        battle, cell, targets = self.battle, state.cells[unit], self.battle.targets(state)
        enemies, friends = battle.standing_at(state, state.seat)
        taken = (enemies | friends) & ~(1 << cell)
        for move in (*battle.shots(unit, cell, targets), *battle.melees(unit, cell, taken, targets)):
            _, action, end, target, _ = move
            far = battle.far[end][state.cells[target]]
            hurts, costs = self.chance(unit, target, action, far, state.lasts[target])
            left = self._left(state, target)
            value = hurts * (1 - left[0] + MACHINE * left[1])
            value -= costs * (1 - left[0]) * (1 + (MACHINE if state.hps[unit] == 1 else 0))
            yield value + self.place(unit, end) - self.danger(unit, end, action), move

    def _left(self, state: State, target: int) -> list[float]:
        """Return the chance of each number of hit points that a target has after the declared attacks."""
        left = [0.0] * state.hps[target] + [1.0]
        for attacker, other, action in state.attacks:
            if other == target:
                far = self.battle.far[state.cells[attacker]][state.cells[target]]
                hurts = self.chance(attacker, target, action, far, state.lasts[target])[0]
                left = [
                    (chance if not points else chance * (1 - hurts))
                    + (left[points + 1] * hurts if points + 1 < len(left) else 0.0)
                    for points, chance in enumerate(left)
                ]
        return left


def held_out() -> Policy:
    """Return the player."""

    def pick(battle: Battle, state: State, rng: Rng) -> Move:
        position, sign = _position(battle, state), -1 if state.seat else 1

        def rank(of: tuple[float, Move]) -> tuple[float, int, int]:
            """Compare equal orders by their hexes as the side sees them, so that both sides play alike."""
            value, (_, _, end, target, _) = of
            return round(value, DIGITS), sign * end, sign * state.cells[target] if target >= 0 else 0

        found: list[tuple[float, Move]] = []
        for unit in battle.able(state):
            value, move = max((*position.attacks(state, unit), *position.going(state, unit)), key=rank)
            rest = position.place(unit, state.cells[unit]) - position.danger(unit, state.cells[unit], D)
            found.append((round(value - rest, DIGITS), move))
        return max(found, default=(0.0, PASS), key=lambda of: of[0])[1]

    return Policy("held_out", Words("Held-out player", "別枠のプレイヤー"), Words("", ""), pick)


def _position(battle: Battle, state: State) -> Position:
    """Return the position at the start of the phase, which is kept while the side gives its orders."""
    key = state.clock, state.hps, *(state.cells[unit] for unit in battle.sides[1 - state.seat])
    kept: tuple[object, Position] | None = battle.notes.get("held_out")
    if kept is None or kept[0] != key:
        kept = battle.notes["held_out"] = key, Position(battle, state)
    return kept[1]
