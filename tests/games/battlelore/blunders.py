"""Count blunders in a game of BattleLore or Call to Arms, from the rolls of the engine."""

from __future__ import annotations

from collections import Counter

from generator.common.playing import DICE
from generator.games.battlelore.playfield import BIT, OFF, bits
from generator.games.battlelore.playing import BATTLE, DONE, MOVE, ORDER, Course, State

STAYS = "leaves a unit with one figure in contact"
ENTERS = "moves a unit with one figure into contact"
BOW = "moves a bow unit into contact although it has a shot"
WASTED = "makes a melee attack that costs more figures than it gains"
EXPOSED = "moves a unit into danger without an attack"
IDLE = "orders no unit although one could shoot without moving"
KINDS = (STAYS, ENTERS, BOW, WASTED, EXPOSED, IDLE)

LOSS = 0.5
"""Minimum expected loss in figures in the enemy's next turn, if every enemy in reach attacks."""
GREAT_LOSS = 1.5
"""Minimum expected loss in figures that counts as danger for a unit that was safe before."""
WORTHWHILE = 0.4
"""Probability of destroying a unit from which an attack justifies the danger: a banner for the likely loss of one."""


class Blunders:
    """Counts the blunders of both seats in one game, as a listener of its steps."""

    def __init__(self, engine: Course) -> None:
        self.engine = engine
        self._bad: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._all: tuple[Counter[str], Counter[str]] = Counter(), Counter()

    def __call__(self, state: State, move: int, by_dice: bool) -> None:
        """Count what a decision shows."""
        if by_dice or self.engine.to_move(state) >= DICE:
            return
        if state.phase == MOVE:
            if move == DONE:
                for unit in bits(state.ordered & ~state.moved):
                    self._moved(state, unit, state.at[unit])
            else:
                self._moved(state, move >> 8, move & OFF)
        elif state.phase == BATTLE and move != DONE:
            self._attacks(state, move >> 8, move & OFF)
        elif (
            state.phase == ORDER
            and not state.ordered
            and any(self._has_shot(state, unit) for unit in self.engine.eligible(state))
        ):
            self._count(state.side, IDLE, move == DONE)

    def counts(self, seat: int) -> dict[str, tuple[int, int]]:
        """Return for each kind of blunder the number of blunders of a seat and of decisions that could be one."""
        return {kind: (self._bad[seat][kind], self._all[seat][kind]) for kind in KINDS}

    def _count(self, seat: int, kind: str, bad: bool) -> None:
        self._all[seat][kind] += 1
        self._bad[seat][kind] += bad

    def _moved(self, state: State, unit: int, end: int) -> None:
        """Count a move that ends in the hex `end`, which is the hex of the unit if it stays."""
        field, side, here = self.engine.field, state.side, state.at[unit]
        foes, taken = state.occupied[1 - side], state.occupied[0] | state.occupied[1]
        kind = field.kind[unit]
        near, far = field.ways(kind, here, taken)
        contact, enters = field.step[here] & foes, field.step[end] & foes
        if state.figures[unit] == 1:
            safer = [c for c in bits(near | far) if not field.step[c] & foes]
            if contact:
                loss = expected_loss(self.engine, state, unit, here)
                if loss >= LOSS and any(expected_loss(self.engine, state, unit, c) < loss for c in safer):
                    self._count(side, STAYS, bool(enters) and best_kill(self.engine, state, unit, end) < WORTHWHILE)
            elif expected_loss(self.engine, state, unit, here) < LOSS:
                worthless = bool(enters) and best_kill(self.engine, state, unit, end) < WORTHWHILE
                self._count(side, ENTERS, worthless and expected_loss(self.engine, state, unit, end) >= LOSS)
        if end != here and state.figures[unit] > 1 and not contact:
            attacks = field.targets(unit, end, foes, taken & ~BIT[here]) and field.battles[kind] >> end & 1
            if not attacks and expected_loss(self.engine, state, unit, here) < LOSS:
                self._count(side, EXPOSED, expected_loss(self.engine, state, unit, end) >= GREAT_LOSS)
        if self._has_shot(state, unit):
            self._count(side, BOW, bool(enters))

    def _has_shot(self, state: State, unit: int) -> bool:
        """Return whether a bow unit can shoot from its hex."""
        field, here, foes = self.engine.field, state.at[unit], state.occupied[1 - state.side]
        free = not field.step[here] & foes
        return bool(
            field.bow[field.kind[unit]]
            and free
            and field.targets(unit, here, foes, foes | state.occupied[state.side])
        )

    def _attacks(self, state: State, unit: int, target: int) -> None:
        """Count a melee attack. It is a blunder if battling back costs more figures on average than it gains."""
        field, start, there = self.engine.field, state.at[unit], state.at[target]
        if not field.step[start] & BIT[there]:
            return
        roll = field.roll(field.kind[unit], field.kind[target], start, there, state.moved >> unit & 1)
        assert roll
        friends = (field.near[there] & state.occupied[1 - state.side]).bit_count()
        ignored = field.nerve(field.kind[target], there, friends)[0]
        back = field.roll(field.kind[target], field.kind[unit], there, start, 0) if ignored else None
        figures, own = state.figures[target], state.figures[unit]
        cost = roll.stays[figures][ignored] * min(back.mean, own) if back else 0.0
        self._count(state.side, WASTED, cost > min(roll.mean, figures))


def expected_loss(engine: Course, state: State, unit: int, cell: int) -> float:
    """Return the figures that a unit in a hex is expected to lose if every enemy in reach attacks it.

    The enemies are where they are now and the unit alone has moved. `muster odds` counts the same attacks.
    """
    field, seat = engine.field, engine.field.seat[unit]
    rest = state.occupied[seat] & ~BIT[state.at[unit]]
    taken = rest | BIT[cell] | state.occupied[1 - seat]
    total = 0.0
    for enemy, here in enumerate(state.at):
        if here == OFF or field.seat[enemy] == seat:
            continue
        kind = field.kind[enemy]
        starts = (BIT[here] | field.ways(kind, here, taken)[0]) & (field.battles[kind] | BIT[here])
        means = [0.0]
        for start in bits(starts):
            if field.targets(enemy, start, rest | BIT[cell], taken & ~BIT[here]) & BIT[cell]:
                roll = field.roll(kind, field.kind[unit], start, cell, start != here)
                means.append(roll.mean if roll else 0.0)
        total += max(means)
    return min(total, state.figures[unit])


def best_kill(engine: Course, state: State, unit: int, cell: int) -> float:
    """Return the highest probability with which an attack of a unit from a hex destroys its target."""
    field, side, here = engine.field, state.side, state.at[unit]
    kind, foes = field.kind[unit], state.occupied[1 - side]
    taken = (state.occupied[side] & ~BIT[here]) | foes
    best = 0.0
    if cell != here and not (field.battles[kind] & field.ways(kind, here, taken | BIT[here])[0] & BIT[cell]):
        return best
    for there in bits(field.targets(unit, cell, foes, taken)):
        target = state.at.index(there)
        roll = field.roll(kind, field.kind[target], cell, there, cell != here)
        best = max(best, roll.hits[state.figures[target]] if roll else 0.0)
    return best
