"""Count blunders of computer players in games of Battling."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

from generator.games.battling.playing import LETTERS, ORDERS, B, Battle, F, Move, State

DOOMED = 0.9
"""Chance with which earlier orders of the phase destroy a machine from which a further attack on it is a blunder."""
RISKY, SAFER = 0.5, 0.25
"""Chance of losing the last hit point from which a hex is risky, and up to which another hex is safer."""
LAST_PHASES = 4
"""Phases at the end of a battle in which exposing a machine is not counted as a blunder."""
WASTED = "attacks a machine that is already doomed"
EXPOSED = "exposes its last hit point without attacking"


class Blunders:
    """A counter of blunders in one game, which is called with each step of it."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._counts = [{WASTED: [0, 0], EXPOSED: [0, 0]} for _ in range(2)]

    def __call__(self, state: State, move: Any, by_dice: bool) -> None:
        """Count the blunders of an order."""
        if by_dice or state.stage != ORDERS or move[0] < 0:
            return
        if move[3] >= 0 and state.attacks:
            self._add(state.seat, WASTED, self.doom(state, move[3]) >= DOOMED)
        # A side with fewer machines has to take risks, and at the end so does a side with equally many.
        behind = self.battle.ahead(state, 1 - state.seat) or state.clock + LAST_PHASES >= self.battle.phases
        if move[3] < 0 and state.hps[move[0]] == 1 and not behind:
            risks = {self.risk(state, one) for one in self.battle.moves(state) if one[0] == move[0] and one[3] < 0}
            if min(risks) <= SAFER and max(risks) >= RISKY:
                self._add(state.seat, EXPOSED, self.risk(state, move) >= RISKY)

    def counts(self, seat: int) -> dict[str, tuple[int, int]]:
        """Return for each kind of blunder the number of blunders and of decisions that could be one."""
        return {kind: (bad, possible) for kind, (bad, possible) in self._counts[seat].items()}

    def _add(self, seat: int, kind: str, blunder: bool) -> None:
        self._counts[seat][kind][0] += blunder
        self._counts[seat][kind][1] += 1

    def doom(self, state: State, target: int) -> float:
        """Return the chance that the pending attacks destroy a machine."""
        chances = {state.hps[target]: Fraction(1)}
        for attacker, other, action in state.attacks:
            if other == target:
                far = self.battle.far[state.cells[attacker]][state.cells[target]]
                hurts = self._hurts(attacker, target, action, far, state.lasts[target])
                after: dict[int, Fraction] = {}
                for hp, p in chances.items():
                    lower = max(0, hp - 1)
                    after[lower] = after.get(lower, Fraction()) + p * hurts
                    after[hp] = after.get(hp, Fraction()) + p * (1 - hurts)
                chances = after
        return float(chances.get(0, 0))

    def risk(self, state: State, move: Move) -> float:
        """Return the chance that the enemies' next attacks hurt a machine after an order without an attack.

        Every enemy attacks it, with a shot or with battling.
        """
        unit, last, cell, *_ = move
        chances = []
        for enemy in self.battle.sides[1 - state.seat]:
            if state.hps[enemy]:
                at = state.cells[enemy]
                far = self.battle.far[at][cell]
                seen = self.battle.seen[at] >> cell & 1
                close = self.battle.melees(enemy, at, 1 << cell, [(unit, cell)])
                chances.append(
                    max(
                        self._hurts(enemy, unit, F, far, last) if seen else Fraction(),
                        self._hurts(enemy, unit, B, far, last) if close else Fraction(),
                    )
                )
        return 1 - prod(1 - float(chance) for chance in chances)

    def _hurts(self, attacker: int, target: int, action: int, far: int, last: int) -> Fraction:
        """Return the chance that an attack costs its target a hit point."""
        kinds, letter = self.battle.kinds, LETTERS[last]
        if action == F:
            return self.battle.pack.shot(kinds[attacker], kinds[target], far, letter).hurts
        return self.battle.pack.battling_roll(kinds[attacker], kinds[target], letter).hurts
