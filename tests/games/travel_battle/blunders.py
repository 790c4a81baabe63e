"""Count blunders of computer players in games of Travel Battle."""

from __future__ import annotations

from typing import Any

from generator.games.travel_battle.playfield import DONE, FIRE, GO, MEET, MOVE, State, bits
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.tables import Fight, Fighters

CHARGING_GUN = "moves a gun into contact although it had a shot"
UNUSED_SHOT = "ends the fire although a gun has a target"
BAD_MELEE = "moves into a melee that it is likelier to lose"
MARGIN = 0.15
"""The amount by which the chance that the attacker loses a unit exceeds that of the defender in a bad melee."""


class Blunders:
    """A counter of blunders in one game, which is called with each step of it."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._counts = [{CHARGING_GUN: [0, 0], UNUSED_SHOT: [0, 0], BAD_MELEE: [0, 0]} for _ in range(2)]
        self._turn = -1
        self._charged = 0
        """The units that have moved into contact in this turn."""

    def __call__(self, state: State, move: Any, by_dice: bool) -> None:
        """Count the blunders of a decision."""
        if by_dice:
            return
        field = self.battle.field
        if state.stage == FIRE:
            self._add(state, UNUSED_SHOT, move == DONE)
        if state.clock != self._turn:
            self._turn, self._charged = state.clock, 0
        if move[0] == MEET and move[1] & self._charged:
            won, lost = self._chances(state, move[1], move[2])
            self._add(state, BAD_MELEE, lost > won + MARGIN)
        if state.stage != MOVE or move[0] != GO:
            return
        _, unit, cell = move
        touched = field.touch[cell] & state.men[1 - state.seat]
        if field.guns >> unit & 1 and self._has_shot(state, unit):
            self._add(state, CHARGING_GUN, bool(touched))
        if touched:
            self._charged |= 1 << unit

    def counts(self, seat: int) -> dict[str, tuple[int, int]]:
        """Return for each kind of blunder the number of blunders and of decisions that could be one."""
        return {kind: (bad, possible) for kind, (bad, possible) in self._counts[seat].items()}

    def _add(self, state: State, kind: str, blunder: bool) -> None:
        count = self._counts[state.seat][kind]
        count[0] += blunder
        count[1] += 1

    def _has_shot(self, state: State, gun: int) -> bool:
        """Return whether a gun could fire if the movement ended now."""
        field = self.battle.field
        now = state._replace(stage=FIRE, done=state.done & field.fighters & ~(1 << gun))
        return any(unit == gun for unit, _ in self.battle.shots(now))

    def _chances(self, state: State, attackers: int, defenders: int) -> tuple[float, float]:
        """Return the chances that a melee costs the defender a unit, and that it costs the attacker a unit."""
        field, (one, other) = self.battle.field, (bits(attackers), bits(defenders))
        attack = sum(field.dice(u, other, state.squares) for u in one)
        defend = sum(field.dice(u, one, state.squares, field.defence[state.cells[u]]) for u in other)
        of = Fight(
            Fighters(attack, bool(attackers & field.rerolls)), Fighters(defend, bool(defenders & field.rerolls))
        )
        rallies = [min(field.rally[u] for u in units) for units in (other, one)]
        return float(of.defender_lost(rallies[0])), float(of.attacker_lost(rallies[1]))
