"""A player of Travel Battle that took no part in the search for grade C.

It counts the dice that each side can bring to a square. A unit attacks an enemy if it and the friends who can join it
win the melee often enough, and otherwise stays where few enemies can attack it. Unlike the strong players, it makes
no plan for the turn and does not rate whole positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from generator.common.playing import Policy
from generator.games.travel_battle.playfield import DONE, FORM, GO, LEAVE, MOVE, Move, State, backwards, bits
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.tables import Fight, Fighters
from generator.model.words import Words
from generator.seeds import Rng

GANG = 3
"""The number of units of a side that fight for one square."""
POTENTIAL = 0.7
"""The part of the value of an attack that counts while friends have not joined it yet."""
COST = 0.6
"""The value of an own unit that a melee of the own turn costs, compared with an enemy unit."""
BUSY = 0.3
"""How much the danger of an enemy decreases with each further unit that it can attack."""
FORMS = 0.05
"""The decrease of the danger for which a unit forms square, although it cannot move in square."""
FEAR = 0.5
"""The value of an own unit that the enemy's next melees can cost."""
LAST_UNITS = 0.6
"""The additional value of a unit, divided by the number of units left in its brigade."""
ADVANCE = 0.07
"""The value of each square that a unit is nearer to the enemy, down to the distance at which it waits."""
WAITS, GUN_WAITS = 3, 4
"""The distance from the nearest enemy at which a unit waits, and at which a gun does."""
PATIENT_TURNS = range(9, 16)
"""The numbers of turns after which units may cease to wait, if their side has no more units left than the enemy. The
number differs between games and players, because otherwise the first player would always have to attack first.
"""
LINK = 0.12
"""The value of a square next to another unit of the same brigade."""
COVER = 0.05
"""The value for infantry of each number that its terrain takes from a shot or gives in a melee."""
CROWD = 0.1
"""The cost of sharing a square, because a shot hits both units."""
FREE = 0.01
"""The gain that a move needs."""


@lru_cache(None)
def melee(attack: int, defend: int, rerolls: tuple[bool, bool], rallies: tuple[int, int]) -> tuple[float, float]:
    """Return the chances that a melee costs the defender and the attacker a unit."""
    of = Fight(Fighters(attack, rerolls[0]), Fighters(defend, rerolls[1]))
    return float(of.defender_lost(rallies[1])), float(of.attacker_lost(rallies[0]))


class Turn:
    """A player's turn, with what the enemy could attack in the next one."""

    def __init__(self, battle: Battle, state: State, rng: Rng) -> None:
        self.battle, self.field, self.seat = battle, battle.field, state.seat
        field, enemy = self.field, 1 - state.seat
        fighters = field.fighters & ~field.guns
        self.foes = [u for u in bits(field.fighters & field.side[enemy]) if state.cells[u] >= 0]
        self.foe_at: dict[int, list[int]] = {}
        for u in self.foes:
            self.foe_at.setdefault(state.cells[u], []).append(u)
        ready = battle.next_ready(state) & fighters
        self.zones = []
        """Each enemy that can attack, with the squares that it can attack in its next turn."""
        for u in self.foes:
            cell = state.cells[u]
            zone = field.touch[cell]
            if ready >> u & 1:
                zone |= field.with_neighbours(field.reach(u, cell, state.men[enemy], state.men[enemy]))
            if fighters >> u & 1:
                self.zones.append((u, zone))
        friends = state.men[state.seat]
        self._interest = {u: 1 / (1 + BUSY * max(0, (zone & friends).bit_count() - 1)) for u, zone in self.zones}
        """The chance that each enemy attacks a given unit, which is smaller if it can attack many."""
        self.contact = field.with_neighbours(state.men[enemy])
        left = battle.left(state)
        patience = PATIENT_TURNS[crc32(rng.path.encode()) % len(PATIENT_TURNS)]
        waits = state.clock < patience or left[state.seat] > left[enemy]
        must = battle.goal.kind != "brigades" and battle.tasked == state.seat
        self.halts = waits and not must
        self.worth = [1.0] * len(field.units)
        for _, units, _ in field.brigades:
            alive = [u for u in bits(units) if state.cells[u] >= 0]
            for u in alive:
                self.worth[u] += LAST_UNITS / len(alive)
        self._distances: dict[int, int] = {}
        self._fear: dict[tuple[int, int, int], float] = {}

    def odds(self, state: State, units: Sequence[int], cell: int) -> float:
        """Return the value of a melee of units against the enemies on a square."""
        field, foes = self.field, self.foe_at[cell]
        attack = sum(field.dice(u, foes, state.squares) for u in units)
        defend = sum(field.dice(u, units, state.squares, field.defence[cell]) for u in foes)
        won, lost = self._melee(attack, defend, units, foes)
        return won * min(self.worth[u] for u in foes) - COST * lost * min(self.worth[u] for u in units)

    def _melee(self, attack: int, defend: int, units: Sequence[int], foes: Sequence[int]) -> tuple[float, float]:
        rerolls = tuple(any(self.field.rerolls >> u & 1 for u in side) for side in (units, foes))
        rallies = tuple(min(self.field.rally[u] for u in side) for side in (units, foes))
        return melee(attack, defend, (rerolls[0], rerolls[1]), (rallies[0], rallies[1]))

    def attack(self, state: State, unit: int, cell: int) -> float:
        """Return what a unit adds by the best attack from a square, with the friends who are or can get there."""
        field, best, friends = self.field, 0.0, state.men[self.seat]
        waiting = [u for u in bits(state.ready & ~state.done & field.fighters & ~field.guns) if u != unit]
        for there in bits(field.touch[cell] & state.men[1 - self.seat]):
            near = field.touch[there]
            joined = [u for c in bits(near & friends) for u in self.battle.on(state, c) if u != unit]
            value = self.odds(state, [*joined, unit], there)
            alone = self.odds(state, joined, there) if joined else 0.0
            if len(joined) + 1 < GANG and value < 1:
                able = [u for u in waiting if u not in joined and self.battle.reach(state, u) & near]
                if able:
                    gang = [*joined, unit, *able][:GANG]
                    value = max(value, POTENTIAL * self.odds(state, gang, there) * (len(joined) + 1) / len(gang))
            best = max(best, value - max(0.0, alone))
        return best

    def fear(self, state: State, unit: int, cell: int) -> float:
        """Return what the enemy's next melees can cost a unit on a square."""
        key = unit, cell, state.squares >> unit & 1
        if (found := self._fear.get(key)) is None:
            field = self.field
            foes = [u for u, zone in self.zones if zone >> cell & 1]
            foes.sort(key=lambda u: -field.dice(u, [unit], state.squares))
            found = 0.0
            if foes := foes[:GANG]:
                attack = sum(field.dice(u, [unit], state.squares) for u in foes)
                defend = field.dice(unit, foes, state.squares, field.defence[cell])
                won, lost = self._melee(attack, defend, foes, [unit])
                found = max(0.0, won * self.worth[unit] - lost * min(self.worth[u] for u in foes))
                found *= sum(self._interest[u] for u in foes) / len(foes)
            self._fear[key] = found
        return FEAR * found

    def formed(self, state: State, unit: int) -> float:
        """Return the gain of forming square, or of dissolving it."""
        cell, squared = state.cells[unit], state.squares >> unit & 1
        after = state._replace(squares=state.squares ^ 1 << unit)
        gain = self.fear(state, unit, cell) - self.fear(after, unit, cell)
        return gain + FORMS if squared else gain - FORMS

    def _nearest(self, cell: int) -> int:
        """Return the distance from a square to the nearest enemy."""
        if (found := self._distances.get(cell)) is None:
            found = min((self.field.distance(cell, there) for there in self.foe_at), default=0)
            self._distances[cell] = found
        return found

    def square(self, state: State, unit: int, cell: int, links: int) -> float:
        """Return the value of a square for a unit without attacks. `links` are the squares next to its brigade."""
        field = self.field
        gun = field.guns >> unit & 1
        nearest = self._nearest(cell)
        waits = GUN_WAITS if gun else WAITS if self.halts else 1
        value = -ADVANCE * abs(nearest - waits) - self.fear(state, unit, cell)
        if links >> cell & 1:
            value += LINK
        if field.foot >> unit & 1:
            value += COVER * (field.cover[cell] + field.defence[cell])
        if cell != state.cells[unit] and state.men[self.seat] >> cell & 1:
            value -= CROWD
        return value

    def gain(self, state: State, unit: int) -> tuple[float, Move]:
        """Return the best move of a unit, and its gain over staying."""
        field, here = self.field, state.cells[unit]
        gun, mates = field.guns >> unit & 1, 0
        for u in bits(field.brigades[field.brigade[unit]][1] & ~(1 << unit)):
            if state.cells[u] >= 0:
                mates |= 1 << state.cells[u]
        links = field.with_neighbours(mates)

        def value(cell: int) -> float:
            touches = self.contact >> cell & 1
            square = self.square(state, unit, cell, links)
            if gun and touches:
                return square - 1
            return square + (self.attack(state, unit, cell) if touches else 0.0)

        cells = self.battle.reach(state, unit) & ~state.chiefs[1 - self.seat]
        # Squares are compared in the order in which the side sees them, so that both sides play alike.
        best = max((backwards if self.seat else bits)(cells), key=value, default=here)
        return (value(best) - value(here) - FREE, (GO, unit, best)) if best != here else (0.0, DONE)


def held_out(others: Policy) -> Policy:
    """Return the player. Brigadiers, shots and melees are those of a casual player."""

    def pick(battle: Battle, state: State, rng: Rng) -> Move:
        decision: Move
        if state.stage != MOVE:
            decision = others.pick(battle, state, rng)
            return decision
        field, waiting = battle.field, state.ready & ~state.done & battle.field.fighters
        for unit in bits(waiting):
            if battle.may_leave(state, unit):
                return LEAVE, unit, 0
        firing = {gun for gun, _ in battle.shots(state)} if waiting & field.guns else set[int]()
        turn = _turn(battle, state, rng)
        gains = [turn.gain(state, unit) for unit in bits(waiting) if unit not in firing]
        gain, move = max(gains, default=(0.0, DONE))
        if gain > 0:
            return move
        for unit in bits(battle.forming(state)):
            if turn.formed(state, unit) > 0:
                return FORM, unit, 0
        # The casual player moves only brigadiers.
        decision = others.pick(battle, state._replace(done=state.done | field.fighters), rng)
        return decision if decision[0] == GO else DONE

    return Policy("held_out", Words("Held-out player", "別枠のプレイヤー"), Words("", ""), pick)


def _turn(battle: Battle, state: State, rng: Rng) -> Turn:
    """Return the facts of a turn, which are kept while the enemies stay where they are."""
    key = rng.path, state.clock, tuple(state.cells[u] for u in bits(battle.field.side[1 - state.seat]))
    kept: tuple[object, Turn] | None = battle.notes.get("held_out")
    if kept is None or kept[0] != key:
        kept = battle.notes["held_out"] = key, Turn(battle, state, rng)
    return kept[1]
