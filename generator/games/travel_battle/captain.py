"""The strong computer players of Travel Battle, which plan the moves of a whole turn.

A player first looks for assaults in which several units attack the enemies on one square, then finds a place for each
other unit, out of contact. A position is rated by the exact odds of the melees and shots in the player's turn, and of
the melees with which the enemy can answer. All values are in hundredths of a lost unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from generator.common.playing import players, strong_policies
from generator.games.travel_battle.players import (
    BITS_BY_SEAT,
    HUNDRED,
    PolicyPlayer,
    SquareValues,
    Weights,
    brigade_squares,
    evaluator_of,
    melee_losses,
    shot_losses,
)
from generator.games.travel_battle.playfield import (
    AGAIN,
    ANEW,
    DONE,
    FORM,
    GO,
    KEEP,
    LEAVE,
    LOSE,
    TAKE,
    Move,
    State,
    bits,
)
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.tables import DIE_FACES, MassedOn, artillery
from generator.seeds import Rng

MAX_ASSAULTS = 5
"""The maximum number of squares that are assaulted in one turn. A sixth assault is rarely possible."""
DIFFERENCE_VALUES = (0, 15, 60, 100)
"""The value of winning a melee by a difference of 0, 1, 2, and 3 or more, which decide whether to re-roll.

A unit that runs rallies about half of the time and is then away from the battle.
"""


class Foe(NamedTuple):
    """An enemy unit at the start of the player's turn."""

    unit: int
    cell: int
    zone: int
    """The squares that it can attack in its next turn."""
    is_gun: bool


class Assault(NamedTuple):
    """The moves of an assault, and the position after them."""

    gain: float
    state: State
    value: float
    """The value of the position, without the values of squares."""
    moves: list[Move]


class Exposed(NamedTuple):
    """A square of the player's units that enemies can attack."""

    loss: float
    cell: int
    foes: list[tuple[int, Foe]]
    """The enemies that can attack it and their dice, those with the most dice first."""


class Turn:
    """The facts of a turn that moves do not change, and the values of positions."""

    def __init__(self, extra: Mapping[str, int], weights: Weights, battle: Battle, state: State) -> None:
        self.battle, self.field, self.start, self.seat = battle, battle.field, state, state.seat
        self.extra, self.weights = extra, weights
        self.evaluator = evaluator_of(battle)
        self.worth = unit_worths(extra, weights, battle, state)
        self.foes = self._foes(state)
        self.foe_cells = state.men[1 - self.seat]
        self.foes_at: dict[int, list[Foe]] = {}
        for foe in self.foes:
            self.foes_at.setdefault(foe.cell, []).append(foe)
        self.zones = 0
        """The squares that any enemy can attack in its next turn."""
        for foe in self.foes:
            self.zones |= foe.zone
        self.shelled = self._shelled()
        self.shots = self._shots(state)
        self._shot_values: dict[tuple[int, int], int] = {}

    def _foes(self, state: State) -> list[Foe]:
        field, enemy = self.field, 1 - self.seat
        ready, found = self.battle.next_ready(state), []
        for u in bits(field.fighters & field.side[enemy]):
            if (cell := state.cells[u]) < 0:
                continue
            zone, is_gun = field.touch[cell], bool(field.guns >> u & 1)
            if ready >> u & 1 and not is_gun:
                # Own units may move away, so only the enemy's own units are in its way.
                zone |= field.with_neighbours(field.reach(u, cell, state.men[enemy], state.men[enemy]))
            found.append(Foe(u, cell, zone, is_gun))
        return found

    def _shelled(self) -> list[int]:
        """Return the cost of each square within the range of enemy guns."""
        field, weight = self.field, self.extra["shell"]
        near, max_range = artillery().near, artillery().range
        found = [0] * len(field.touch)
        for gun in (foe.cell for foe in self.foes if foe.is_gun):
            for cell in bits(field.ranged(gun)):
                far = field.distance(gun, cell)
                found[cell] += weight * (max_range + 1 - max(near, far)) // (1 + field.cover[cell])
        return found

    def _shots(self, state: State) -> list[tuple[int, int]]:
        """Return the player's guns that touch no enemy, with the enemies in range and in sight."""
        field, foes, found = self.field, state.men[1 - self.seat], []
        taken = state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]
        for gun in bits(field.guns & field.side[self.seat]):
            here = state.cells[gun]
            if here >= 0 and not field.touch[here] & foes and (near := field.ranged(here) & foes):
                found.append((gun, field.in_sight(here, near, taken)))
        return [shot for shot in found if shot[1]]

    def has_target(self, state: State, gun: int) -> bool:
        """Return whether a gun can fire from its square at an enemy that touches no friend."""
        friends = self.field.with_neighbours(state.men[self.seat])
        return any(unit == gun and seen & ~friends for unit, seen in self.shots)

    def shot_value(self, here: int, cell: int) -> int:
        """Return the value of a shot at the enemies on a square."""
        if (found := self._shot_values.get((here, cell))) is None:
            field, targets = self.field, self.foes_at[cell]
            massed = len(targets) > 1 or bool(self.start.squares >> targets[0].unit & 1)
            on, rally = cast(MassedOn, self.battle.massed_on), field.rally[targets[0].unit]
            chance = shot_losses(field.distance(here, cell), field.cover[cell], massed, on, rally)
            found = chance * sum([self.worth[foe.unit] for foe in targets]) // HUNDRED**2
            self._shot_values[here, cell] = found
        return found

    def value(self, state: State) -> float:
        """Return the value of the shots and melees in a position, without the values of squares."""
        seat, cells, field = self.seat, state.cells, self.field
        units_at: dict[int, int] = {}
        for u in bits(field.fighters & field.side[seat]):
            if (cell := cells[u]) >= 0:
                units_at[cell] = units_at.get(cell, 0) | 1 << u
        touched = field.with_neighbours(state.men[seat])
        total = 0.0
        for gun, seen in self.shots:
            if not state.done >> gun & 1:
                total += max([self.shot_value(cells[gun], cell) for cell in bits(seen & ~touched)], default=0)
        staying: dict[int, float] = {}
        if contact := touched & self.foe_cells:
            total += self._melees(state, contact, units_at, staying)
        if exposed := state.men[seat] & self.zones:
            total -= self.extra["risk"] * self._replies(state, exposed, units_at, staying) / HUNDRED
        return total

    def _melees(self, state: State, contact: int, units_at: Mapping[int, int], staying: dict[int, float]) -> float:
        """Return the value of the player's melees, the most valuable one first.

        The chances that the enemies stay on their squares after a melee are stored in `staying`.
        """
        touch, worth, cost = self.field.touch, self.worth, self.weights.cost
        total, free, waiting = 0.0, set(units_at), [*bits(contact)]
        while True:
            options = []
            for cell in waiting:
                around = [c for c in free if touch[cell] >> c & 1]
                if not around:
                    continue
                group, foes = sum([units_at[c] for c in around]), self.foes_at[cell]
                mask = sum([1 << foe.unit for foe in foes])
                won, lost = self.evaluator.melee(group, mask, state.squares, state.cells)
                own_cost = cost * lost * min([worth[u] for u in bits(group)]) / HUNDRED
                prize = min([worth[foe.unit] for foe in foes])
                options.append(((won * prize - own_cost) / HUNDRED, cell, won, around))
            if not options:
                return total
            value, cell, won, around = max(options)
            total += value
            staying[cell] = max(0.0, 1 - won * self.extra["gone"] / HUNDRED**2)
            free.difference_update(around)
            waiting = [c for _, c, _, _ in options if c != cell]

    def _replies(
        self, state: State, exposed: int, units_at: Mapping[int, int], staying: Mapping[int, float]
    ) -> float:
        """Return what the enemy's next melees cost. Each enemy fights in one of them, the costliest ones first."""
        field, touch = self.field, self.field.touch
        found = []
        for cell in bits(exposed):
            units = bits(units_at[cell])
            foes = [
                (field.dice(foe.unit, units, state.squares), foe)
                for foe in self.foes
                if foe.zone >> cell & 1 and (not foe.is_gun or touch[cell] >> foe.cell & 1)
            ]
            foes.sort(key=lambda of: -of[0])
            if max_foes := self._max_foes(state, cell):
                found.append(Exposed(self._reply(state, units, foes[:max_foes], cell, staying), cell, foes))
        found.sort(key=lambda of: -of.loss)
        total, used = 0.0, set[int]()
        for of in found:
            free = [row for row in of.foes if row[1].unit not in used][: self._max_foes(state, of.cell)]
            loss = self._reply(state, bits(units_at[of.cell]), free, of.cell, staying) if used else of.loss
            if loss > 0:
                total += loss
                used.update([foe.unit for _, foe in free])
        return total

    def _max_foes(self, state: State, cell: int) -> int:
        """Return the number of enemies that can attack a square at the same time."""
        return min((self.field.touch[cell] & ~state.men[self.seat]).bit_count(), self.extra["gang_size"])

    def _reply(
        self,
        state: State,
        units: Sequence[int],
        foes: Sequence[tuple[int, Foe]],
        cell: int,
        staying: Mapping[int, float],
    ) -> float:
        """Return what an attack of these enemies costs, minus what it costs the enemy."""
        if not foes:
            return 0.0
        field, others = self.field, tuple([foe.unit for _, foe in foes])
        attack = sum([dice for dice, _ in foes])
        defend = sum([field.dice(u, others, state.squares, field.defence[cell]) for u in units])
        rerolls = [any(field.rerolls >> u & 1 for u in side) for side in (others, units)]
        rallies = min([field.rally[u] for u in units]), min([field.rally[u] for u in others])
        won, lost = melee_losses(attack, defend, rerolls[0], rerolls[1], rallies)
        value = won * min([self.worth[u] for u in units]) - lost * min([self.worth[u] for u in others])
        return min([staying.get(foe.cell, 1.0) for _, foe in foes]) * value / HUNDRED


def unit_worths(extra: Mapping[str, int], weights: Weights, battle: Battle, state: State) -> list[int]:
    """Return the value of each unit, which is higher if its brigade has few units left."""
    field, worth = battle.field, [0] * len(battle.field.units)
    for _, fighters, _ in field.brigades:
        units = bits(fighters)
        left = sum([state.cells[u] >= 0 for u in units])
        for u in units:
            kind = field.units[u].kind
            worth[u] = HUNDRED + weights.finish // max(left, 1)
            worth[u] += extra["elite"] * kind.rerolls + extra["horse"] * (kind.arm == "cavalry")
    return worth


class PlanningPlayer(PolicyPlayer):
    """A strong player. Fire, melees and brigadiers are chosen as by the simple players."""

    def __init__(self, name: str, weights: Mapping[str, int]) -> None:
        self.weights, self.extra = Weights(name, weights), weights

    def __call__(self, battle: Battle, state: State, stream: Rng) -> Move:
        """Return a legal decision."""
        if state.stage == AGAIN:
            return self._choose_again(battle, state)
        if state.stage == LOSE:
            worth = unit_worths(self.extra, self.weights, battle, state)
            return TAKE, min(state.pending[0], key=lambda u: worth[u]), 0
        return super().__call__(battle, state, stream)

    def _choose_again(self, battle: Battle, state: State) -> Move:
        """Re-roll if the average value of the new dice is higher."""
        attackers, _, values, who = state.pending
        sign, last = 1 if who == state.seat else -1, len(DIFFERENCE_VALUES) - 1

        def value(values: Sequence[int]) -> int:
            difference = sign * (max(values[: len(attackers)]) - max(values[len(attackers) :]))
            amount = DIFFERENCE_VALUES[min(abs(difference), last)]
            return amount if difference > 0 else -amount

        again = sum(value(battle.rerolled(state, die)) for die in range(1, DIE_FACES + 1))
        return ANEW if again > DIE_FACES * value(values) else KEEP

    def _choose_move(self, battle: Battle, state: State, stream: Rng) -> Move:
        """Return the next move of the plan. The plan is made at the start of a turn.

        A new plan is made if the state is not the one that the plan leads to. The stream identifies the game.
        """
        key = self.weights.name, "plan", state.seat
        kept = battle.notes.get(key)
        moves = kept[2] if kept and kept[0] is stream and kept[1] == state else self._plan(battle, state)
        if len(moves) > 1:
            battle.notes[key] = stream, battle.act(state, moves[0]), moves[1:]
        return cast(Move, moves[0])

    def _plan(self, battle: Battle, state: State) -> list[Move]:
        """Return the moves of the rest of the turn."""
        field, ready = battle.field, state.ready & ~state.done
        for u in bits(ready):
            if battle.may_leave(state, u):
                return [(LEAVE, u, 0)]
        values = evaluator_of(battle).square_values(
            self.weights, state, state.seat, eager := self._attacks(battle, state)
        )
        turn = Turn(self.extra, self.weights, battle, state)
        state, value, moves = self._assaults(turn, state, values, self.extra["eager" if eager else "bold"])
        rest = bits(ready & ~state.done & field.fighters)
        nearest = {u: min([field.distance(state.cells[u], foe.cell) for foe in turn.foes], default=0) for u in rest}
        for u in sorted(rest, key=lambda u: (nearest[u], u)):
            if move := self._best_place(turn, state, values, u, value):
                state = battle.act(state, move)
                value = turn.value(state)
                moves.append(move)
        for u in bits(battle.forming(state)):
            squared = state.squares >> u & 1
            if squared or values.horse >> state.cells[u] & 1:
                after = battle.act(state, (FORM, u, 0))
                # A square cannot move, so forming it has a small cost.
                formed = turn.value(after)
                if formed + (self.extra["stuck"] if squared else -self.extra["stuck"]) > value:
                    state, value = after, formed
                    moves.append((FORM, u, 0))
        for u in bits(ready & ~state.done & ~field.fighters):
            here = state.cells[u]
            reach = battle.reach(state, u) & ~state.chiefs[1 - state.seat] | 1 << here
            if (cell := self._brigadier_cell(battle, state, u, reach)) != here:
                state = battle.act(state, (GO, u, cell))
                moves.append((GO, u, cell))
        return [*moves, DONE]

    def _attacks(self, battle: Battle, state: State) -> bool:
        """Return whether it is time to attack: after some rounds, unless the player has more units left."""
        seat, left = state.seat, battle.left(state)
        must = battle.goal.kind != "brigades" and seat == battle.tasked
        return self._eager(battle, state, seat, 0) and (must or left[seat] <= left[1 - seat])

    def _assaults(self, turn: Turn, state: State, values: SquareValues, bold: int) -> tuple[State, float, list[Move]]:
        """Return the position after the assaults that pay, its value, and the moves."""
        battle, field, value = turn.battle, turn.field, turn.value(state)
        units = [
            u
            for u in bits(state.ready & ~state.done & field.fighters & ~field.guns)
            if battle.reach(state, u) & values.contact
        ]
        first = [
            (of.gain, cell)
            for cell in bits(turn.foe_cells)
            if (of := self._assault(turn, state, values, cell, units, value))
        ]
        moves: list[Move] = []
        for _, cell in sorted(first, reverse=True)[:MAX_ASSAULTS]:
            free = [u for u in units if not state.done >> u & 1]
            found = self._assault(turn, state, values, cell, free, value)
            if found and found.gain + bold > self.weights.slack:
                state, value = found.state, found.value
                moves += found.moves
        return state, value, moves

    def _assault(
        self, turn: Turn, state: State, values: SquareValues, target: int, units: Sequence[int], value: float
    ) -> Assault | None:
        """Return the best assault on the enemies of a square, or None if no unit can reach them.

        The units with the most dice come first. The number of units is the one with the highest value.
        """
        battle, field = turn.battle, turn.field
        near, foes = field.touch[target], [foe.unit for foe in turn.foes_at[target]]
        able = [u for u in units if not near >> state.cells[u] & 1]
        able.sort(key=lambda u: (-field.dice(u, foes, state.squares & ~(1 << u)), u))
        best: Assault | None = None
        squares, moves = 0.0, list[Move]()
        for u in able:
            if cells := battle.reach(state, u) & near & ~state.chiefs[1 - state.seat]:
                cell = min(BITS_BY_SEAT[turn.seat](cells), key=self._danger(turn, state, u))
                squares += self._square(turn, state, values, u, cell) - self._square(
                    turn, state, values, u, state.cells[u]
                )
                moves.append((GO, u, cell))
                state = battle.act(state, moves[-1])
                after = turn.value(state)
                if best is None or after + squares - value > best.gain:
                    best = Assault(after + squares - value, state, after, [*moves])
                if len(moves) >= self.extra["gang_size"]:
                    break
        return best

    @staticmethod
    def _danger(turn: Turn, state: State, unit: int) -> Callable[[int], int]:
        """Return a function that ranks squares for an attack. Squares with few enemies around them come first."""
        field, friends = turn.field, state.men[turn.seat]
        cover = 5 * (field.foot >> unit & 1)

        def danger(cell: int) -> int:
            touched = (field.touch[cell] & turn.foe_cells).bit_count()
            threats = sum([foe.zone >> cell & 1 for foe in turn.foes])
            support = (field.touch[cell] & friends).bit_count()
            return 10 * touched + threats - cover * field.defence[cell] - support + 6 * (friends >> cell & 1)

        return danger

    def _square(self, turn: Turn, state: State, values: SquareValues, unit: int, cell: int) -> float:
        """Return the value of a square for a unit, besides shots and melees."""
        field = turn.field
        mates = brigade_squares(field, state.cells, field.brigade[unit]) & ~(1 << state.cells[unit])
        link = self.weights.link if field.with_neighbours(mates) >> cell & 1 else 0
        return values.worth[field.kind[unit]][cell] - turn.shelled[cell] + link

    def _best_place(self, turn: Turn, state: State, values: SquareValues, unit: int, value: float) -> Move | None:
        """Return the move of a unit to its best square out of contact, or None if it stays.

        A gun with a target stays. Only the squares of the highest values are compared by their melees.
        """
        battle, field, here = turn.battle, turn.field, state.cells[unit]
        if field.guns >> unit & 1 and turn.has_target(state, unit):
            return None
        row, shelled, friends = values.worth[field.kind[unit]], turn.shelled, state.men[turn.seat]
        mates = brigade_squares(field, state.cells, field.brigade[unit]) & ~(1 << here)
        linked, link, pair = field.with_neighbours(mates), self.weights.link, self.weights.pair

        def square(cell: int) -> float:
            joined = pair if friends >> cell & 1 and cell != here else 0
            return row[cell] - shelled[cell] + (link if linked >> cell & 1 else 0) + joined

        cells = BITS_BY_SEAT[turn.seat](battle.reach(state, unit) & ~values.contact & ~state.chiefs[1 - turn.seat])
        threatened = (turn.foe_cells & field.touch[here]) or turn.zones >> here & 1
        best, chosen = value + square(here) + self.weights.slack, None
        for cell in sorted(cells, key=square, reverse=True)[: self.extra["width"]]:
            move = GO, unit, cell
            safe = not threatened and not turn.zones >> cell & 1
            after = (value if safe else turn.value(battle.act(state, move))) + square(cell)
            if after > best:
                best, chosen = after, move
        return chosen


STRONG = strong_policies(
    "travel_battle",
    {name: PlanningPlayer(name, of.weights) for name, of in players("travel_battle").strong.items()},
)
"""The strong players."""
