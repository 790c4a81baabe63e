"""The engine that plays a battle by applying decisions and dice to states.

A turn also contains decisions and dice within it, such as a brigadier who steps aside, re-rolls, the choice of the
unit that suffers a result, and rally rolls. docs/players.md lists every stage, and the house readings for cases
that neither seed nor readings cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from generator.common.playing import Narrator, Outcome, players
from generator.games.travel_battle.maps import map_view
from generator.games.travel_battle.model import FORWARD, SIDES, Army, Scenario, Side
from generator.games.travel_battle.objectives import brigades_to_win, replace_units
from generator.games.travel_battle.playfield import (
    AGAIN,
    ASIDE,
    CHOOSE,
    EFFECT,
    END,
    FIGHT,
    FIRE,
    FORM,
    GO,
    GONE,
    HIT,
    LEAVE,
    LOSE,
    MEET,
    MOVE,
    OFF,
    OVER,
    RALLY,
    RETHROW,
    ROLL,
    SHOOT,
    TAKE,
    Move,
    State,
    TurnRules,
    bits,
)
from generator.games.travel_battle.tables import DIE_FACES, FireEffect, artillery, effects, melee, words
from generator.grid.squares import DIRECTIONS
from generator.model.views import MapView
from generator.model.words import Words, joined

_new = tuple.__new__
_ONE = (1,) * DIE_FACES


class Battle(TurnRules):
    """The engine of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.firsts = (SIDES.index(scenario.first_mover),)
        self.rounds = scenario.turns or players("travel_battle").numbers["rounds"]
        self.fatal = [brigades_to_win(len(scenario.armies[side].brigades)) for side in SIDES]
        self.massed_on = scenario.rulings["massed"]
        self.sure = scenario.rulings["brigadier_rally"] == "automatic"
        self.notes: dict[object, Any] = {}
        """Results that players have computed for this battle and reuse in its later games."""

    def begin(self, first: int) -> State:
        """Return the state after the set-up."""
        field = self.field
        men, chiefs, double = self._masks(field.at)
        state = State(MOVE, 0, first, field.at, men, chiefs, double, field.squares, 0, 0, 0, (), 0)
        return self._turn(state)

    def _masks(self, cells: Sequence[int]) -> tuple[tuple[int, int], tuple[int, int], int]:
        """Return the squares with fighting units and with brigadiers of each seat, and the shared squares."""
        there, double = [0, 0, 0, 0], 0
        for kind, cell in zip(self.field.ranks, cells, strict=True):
            if cell >= 0:
                one, taken = 1 << cell, there[kind]
                if taken & one:
                    double |= one
                there[kind] = taken | one
        return (there[0], there[1]), (there[2], there[3]), double

    def _turn(self, state: State) -> State:
        """Begin a player's turn, in which linked units may move."""
        field, cells = self.field, state.cells
        ready, seat = 0, state.seat
        free = field.side[seat] & ~state.held & ~state.squares
        for owner, fighters, chief in field.brigades:
            if owner != seat or chief < 0 or cells[chief] < 0:
                continue
            units = [u for u in bits(fighters) if cells[u] >= 0]
            there = 0
            for u in units:
                there |= 1 << cells[u]
            chain = field.linked(cells[chief], there)
            ready |= 1 << chief
            for u in units:
                if chain >> cells[u] & 1:
                    ready |= 1 << u & free
        return _new(State, (MOVE, *state[1:9], ready, 0, (), state[12]))

    def next_ready(self, state: State) -> int:
        """Return the units that the other player could move in the next turn if no unit moved or fought before it."""
        return self._turn(state._replace(clock=state.clock + 1)).ready

    def _end(self, state: State) -> State:
        """End a player's turn, and after two turns also the round."""
        after = _new(State, (state[0], state[1] + 1, *state[2:11], (), state[12]))
        if after.clock % 2:
            return self._turn(after)
        rounds, goal = after.clock // 2, self.goal
        if goal.kind == "hold":
            inside = [bool(men & self.field.zone) for men in state.men]
            after = after._replace(task=state.task + 1 if inside[self.tasked] and not inside[1 - self.tasked] else 0)
        if (goal.kind == "hold" and after.task >= goal.count) or (goal.kind == "survive" and rounds >= goal.count):
            return self._over(state, self.tasked)
        if rounds < self.rounds:
            return self._turn(after)
        if goal.kind in ("hold", "break", "destroy"):
            return self._over(state, 1 - self.tasked)
        if goal.kind == "protect":
            return self._over(state, self.tasked)
        left = self.left(state)
        return self._over(state, 2 if left[0] == left[1] else int(left[1] > left[0]))

    def _over(self, state: State, who: int) -> State:
        return state._replace(stage=OVER, task=who, pending=())

    def left(self, state: State) -> tuple[int, int]:
        """Return the number of fighting units that each side has left."""
        lost = self.lost(state)
        return tuple((self.field.fighters & side & ~lost).bit_count() for side in self.field.side)  # type: ignore[return-value]

    def lost(self, state: State) -> int:
        """Return the set of removed units."""
        return sum([1 << u for u, cell in enumerate(state.cells) if cell == GONE])

    def destroyed(self, state: State) -> tuple[int, int]:
        """Return the number of brigades that each side has lost."""
        lost, count = self.lost(state), [0, 0]
        for seat, fighters, _ in self.field.brigades:
            count[seat] += not fighters & ~lost
        return count[0], count[1]

    def _removed(self, state: State, units: Sequence[int]) -> State:
        """Return the state after the loss of units, and of brigadiers of destroyed brigades. The battle may end."""
        field = self.field
        cells = list(state.cells)
        for u in units:
            cells[u] = GONE
        lost = sum([1 << u for u, cell in enumerate(cells) if cell == GONE])
        for _, fighters, chief in field.brigades:
            if not fighters & ~lost and chief >= 0 and cells[chief] >= 0:
                cells[chief] = GONE
        gone = ~sum([1 << u for u in units])
        men, chiefs, double = self._masks(cells)
        stand = tuple(cells), men, chiefs, double, state.squares & gone, state.held & gone
        state = _new(State, (*state[:3], *stand, *state[9:]))
        destroyed = self.destroyed(state)
        for seat in (0, 1):
            if destroyed[seat] >= self.fatal[seat]:
                return self._over(state, 1 - seat)
        if self.goal.kind == "protect" and self.lost(state) & field.wanted:
            return self._over(state, 1 - self.tasked)
        if self.goal.kind == "destroy":
            enemies = self.lost(state) & field.fighters & field.side[1 - self.tasked]
            if enemies.bit_count() >= self.goal.count:
                return self._over(state, self.tasked)
        return state

    def _stand(self, state: State, cells: Sequence[int]) -> State:
        """Return the state with units on other squares."""
        men, chiefs, double = self._masks(cells)
        return _new(State, (*state[:3], tuple(cells), men, chiefs, double, *state[7:]))

    def act(self, state: State, move: Move) -> State:
        """Return the state after a legal decision."""
        what, a, b = move
        if what == GO:
            return self._go(state, a, b)
        if what == END:
            return self._firing(state) if state.stage == MOVE else self._fighting(state, 0)
        if what == MEET:
            return _new(State, (ROLL, *state[1:11], (bits(a), bits(b), (), -1), state[12]))
        if what == CHOOSE:
            return _new(State, (RETHROW, *state[1:])) if a else self._compare(state, *state.pending)
        if what == SHOOT:
            return _new(State, (HIT, *state[1:10], state.done | 1 << a, (a, b), state[12]))
        if what == FORM:
            return state._replace(squares=state.squares ^ 1 << a, done=state.done | 1 << a)
        if what == TAKE:
            return self._suffer(state, state.pending[1], a)
        cells = list(state.cells)
        cells[a] = OFF
        state = self._stand(state, cells)._replace(done=state.done | 1 << a)
        return self._over(state, self.tasked) if cells.count(OFF) >= self.goal.count else state

    def _go(self, state: State, unit: int, cell: int) -> State:
        """Move a unit to a square. A brigadier who steps aside moves in the same way."""
        field = self.field
        _, clock, first, cells, men, chiefs, double, squares, held, ready, done, _, task = state
        seat, there = field.seat[unit], 1 << cell
        away = ~(1 << cells[unit])
        if field.fighters >> unit & 1:
            moved_cells = men[seat]
            both, double = double, double & away
            double |= moved_cells & there
            moved_cells = (moved_cells if both & ~away else moved_cells & away) | there
            men = (moved_cells, men[1]) if seat == 0 else (men[0], moved_cells)
        else:
            moved_cells = chiefs[seat] & away | there
            chiefs = (moved_cells, chiefs[1]) if seat == 0 else (chiefs[0], moved_cells)
        cells = (*cells[:unit], cell, *cells[unit + 1 :])
        done |= 1 << unit
        after = (MOVE, clock, first, cells, men, chiefs, double, squares, held, ready, done, (), task)
        moved: State = _new(State, after)
        return self._driven(moved, cell, 1 - seat) if chiefs[1 - seat] & there else moved

    def _driven(self, state: State, cell: int, seat: int) -> State:
        """Let the brigadier on an entered square step aside. If no square is free, the brigadier is lost."""
        side = self.field.side[seat]
        chief = next(u for u, there in enumerate(state.cells) if there == cell and side >> u & 1)
        if self.step_aside_cells(state, chief):
            return state._replace(stage=ASIDE, pending=(chief,))
        cells = list(state.cells)
        cells[chief] = GONE
        return self._stand(state, cells)

    def _firing(self, state: State) -> State:
        """End the movement. Units that could not move in this turn may move in the next one."""
        held = state.held & ~self.field.side[state.seat]
        state = _new(State, (FIRE, *state[1:8], held, *state[9:11], (), state[12]))
        return state if self.shots(state) else self._fighting(state, 0)

    def _fighting(self, state: State, done: int) -> State:
        state = _new(State, (FIGHT, *state[1:10], done, (), state[12]))
        return state if self.touching(state) else self._end(state)

    def _on(self, state: State) -> State:
        """Continue the fire or the melees of this turn unless the battle is over."""
        if state.stage == OVER:
            return state
        if state.pending and state.pending[-1] == FIRE:
            state = _new(State, (FIRE, *state[1:11], (), state[12]))
            return state if self.shots(state) else self._fighting(state, 0)
        return self._fighting(state, state.done)

    def chances(self, state: State) -> tuple[int, ...]:
        """Return the weights of a die's faces. In melee, they are those of the highest of a unit's dice."""
        if state.stage != ROLL:
            return _ONE
        attackers, defenders, values, _ = state.pending
        return self.field.highest[self.melee_dice(state, attackers, defenders, len(values))]

    def melee_dice(self, state: State, attackers: Sequence[int], defenders: Sequence[int], at: int) -> int:
        """Return the number of dice of a unit in a melee."""
        if at < len(attackers):
            return self.field.dice(attackers[at], defenders, state.squares)
        unit = defenders[at - len(attackers)]
        return self.field.dice(unit, attackers, state.squares, self.field.defence[state.cells[unit]])

    def fall(self, state: State, outcome: int) -> State:
        """Return the state after a roll."""
        die, stage, pending = outcome + 1, state.stage, state.pending
        if stage == ROLL:
            attackers, defenders, values, _ = pending
            values = (*values, die)
            if len(values) < len(attackers) + len(defenders):
                return _new(State, (ROLL, *state[1:11], (attackers, defenders, values, -1), state[12]))
            return self._compare(state, attackers, defenders, values, -1)
        if stage == HIT:
            if self.hits(state, die):
                return _new(State, (EFFECT, *state[1:]))
            return self._on(_new(State, (*state[:11], (FIRE,), state[12])))
        if stage == EFFECT:
            return self._shelled(state, pending[1], die)
        if stage == RALLY:
            return self._rallied(state, die >= self.field.rally[pending[0][0]])
        attackers, defenders, values, who = pending
        return self._compare(state, attackers, defenders, self.rerolled(state, die), who)

    def hits(self, state: State, die: int) -> bool:
        """Return whether a die hits the target of the present shot."""
        gun, cell = state.pending
        more = artillery().massed if self.massed_on == "hit" and self._massed(state, cell) else 0
        return bool(die + more >= self.field.distance(state.cells[gun], cell))

    def _massed(self, state: State, cell: int) -> bool:
        return bool(state.double >> cell & 1 or state.squares >> state.cells.index(cell) & 1)

    def effect(self, state: State, cell: int, die: int) -> FireEffect:
        """Return the effect of a die on a square."""
        more = artillery().massed if self.massed_on == "effect" and self._massed(state, cell) else 0
        return artillery().effects[min(max(die + more - self.field.cover[cell], 1), DIE_FACES) - 1]

    def _shelled(self, state: State, cell: int, die: int) -> State:
        """Return the state after a gun has hit a square."""
        effect = self.effect(state, cell, die)
        units = tuple(self.on(state, cell))
        if effect == "runs":
            return state._replace(stage=RALLY, pending=(units, FIRE))
        state = state._replace(pending=(FIRE,))
        if effect == "turned":
            state = state._replace(held=state.held | sum(1 << u for u in units))
        return self._on(self._removed(state, units) if effect == "removed" else state)

    def _rallied(self, state: State, stops: bool) -> State:
        """Return the state after a running unit's rally roll, with the other unit of its square next to roll."""
        (unit, *others), after = state.pending
        state = self._ran(state, unit, stops)
        if state.stage == OVER:
            return state
        return (
            state._replace(pending=(tuple(others), after)) if others else self._on(state._replace(pending=(after,)))
        )

    def _ran(self, state: State, unit: int, stops: bool) -> State:
        """Return the state after a unit has run from its square and has stopped at an edge or left the field."""
        cells = state.cells
        taken = (state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]) & ~(1 << cells[unit])
        taken |= state.double & 1 << cells[unit]
        cell = self.field.stops(unit, cells[unit], taken) if stops else GONE
        if cell < 0:
            return self._removed(state, [unit])
        cells = (*cells[:unit], cell, *cells[unit + 1 :])
        stand = cells, *self._masks(cells), state.squares & ~(1 << unit), state.held | 1 << unit
        return _new(State, (*state[:3], *stand, *state[9:]))

    def rerolled(self, state: State, die: int) -> tuple[int, ...]:
        """Return the values of a melee after a side has re-rolled its lowest die."""
        attackers, defenders, values, who = state.pending
        indices = range(len(attackers)) if who == state.seat else range(len(attackers), len(values))
        units = (*attackers, *defenders)
        at = next(i for i in indices if self.field.rerolls >> units[i] & 1)
        alone = sum(self.melee_dice(state, attackers, defenders, i) for i in indices) == 1
        return (*values[:at], die if alone else max(values[at], die), *values[at + 1 :])

    def _compare(
        self,
        state: State,
        attackers: tuple[int, ...],
        defenders: tuple[int, ...],
        values: tuple[int, ...],
        decided: int,
    ) -> State:
        """Ask for re-rolls, the defender's first, then compare the highest dice."""
        seat, may = state.seat, self.field.rerolls
        if decided < 0 and [u for u in defenders if may >> u & 1]:
            return _new(State, (AGAIN, *state[1:11], (attackers, defenders, values, 1 - seat), state[12]))
        if decided != seat and [u for u in attackers if may >> u & 1]:
            return _new(State, (AGAIN, *state[1:11], (attackers, defenders, values, seat), state[12]))
        done = state.done
        for u in (*attackers, *defenders):
            done |= 1 << u
        attacking, defending = values[: len(attackers)], values[len(attackers) :]
        difference = max(attacking) - max(defending)
        if not difference:
            return self._fighting(state, done)
        units, thrown = (defenders, defending) if difference > 0 else (attackers, attacking)
        result = melee().result(abs(difference))
        if result == "removed":
            best = max(thrown)
            units = tuple([u for u, value in zip(units, thrown, strict=True) if value == best])
        state = _new(State, (LOSE, *state[1:10], done, (units, result), state[12]))
        return state if len(units) > 1 else self._suffer(state, result, units[0])

    def _suffer(self, state: State, result: str, unit: int) -> State:
        """Return the state after a unit has suffered the result of a lost melee."""
        field, here = self.field, state.cells[unit]
        if result == "removed":
            return self._on(self._removed(state._replace(pending=()), [unit]))
        back = field.behind(here, field.seat[unit])
        if result == "back" and back >= 0:
            cells = list(state.cells)
            if self._back(state, cells, unit, back):
                gone = sum(1 << u for u, cell in enumerate(state.cells) if cell != cells[u])
                state = self._stand(state, cells)._replace(squares=state.squares & ~gone)
            return self._fighting(state, state.done)
        chief = field.leader[unit]
        if self.sure and chief >= 0 and state.cells[chief] >= 0 and field.distance(state.cells[chief], here) <= 1:
            return self._on(self._ran(state._replace(pending=()), unit, True))
        return _new(State, (RALLY, *state[1:11], ((unit,), FIGHT), state[12]))

    def _back(self, state: State, cells: list[int], unit: int, back: int) -> bool:
        """Push a unit back, and friends behind it. If that is impossible, change nothing and return False."""
        field = self.field
        if back < 0 or not field.admits[unit] >> back & 1:
            return False
        there = [u for u, cell in enumerate(cells) if cell == back]
        if any(field.seat[u] != field.seat[unit] for u in there):
            return False
        share = (
            len(there) == 1 and field.opens >> back & 1 and field.foot >> unit & 1 and self._shares(state, there[0])
        )
        beyond = field.behind(back, field.seat[unit])
        if len(there) > 1 and not (beyond >= 0 and field.opens >> beyond & 1):
            # Either both units on the square move back, or neither does.
            return False
        before = list(cells)
        for u in there if not share else ():
            if not self._back(state, cells, u, field.behind(back, field.seat[u])):
                cells[:] = before
                return False
        cells[unit] = back
        return True

    def ended(self, state: State) -> Outcome | None:
        """Return the result by brigades, objective or units left, or None before the end of the game."""
        if state[0] != OVER:
            return None
        lost = self.destroyed(state)
        return Outcome(None if state.task == 2 else state.task, (lost[1], lost[0]), self.round(state))

    def round(self, state: State) -> int:
        """Return the number of the round, counted from 1."""
        return state.clock // 2 + 1

    def narrator(self) -> Narrator:
        """Return a function that reports a game turn by turn, with a heading, the moves, and the shots and melees."""
        clocks: list[int] = []
        moved: list[Words] = []

        def describe(state: State, what: Any, fell: bool) -> list[Words]:
            after = self.fall(state, what) if fell else self.act(state, what)
            lines: list[Words] = []
            if clocks[-1:] != [state.clock]:
                clocks.append(state.clock)
                lines.append(self._heading("turn", state))
            if state.stage in (MOVE, ASIDE):
                moved.extend(self._move_words(state, what))
                if after.stage not in (MOVE, ASIDE) or after.clock > state.clock:
                    lines += [joined(moved)] if moved else []
                    moved.clear()
            else:
                lines += self._dice_lines(state, what) if fell else ()
                lines += self._result_lines(state, after, what if fell else None)
            return lines

        return describe

    def _heading(self, of: str, state: State) -> Words:
        """Return a heading with the round, the player whose turn it is, and the remaining units of both sides."""
        texts, left, lost = words()["played"], self.left(state), self.destroyed(state)
        sides = [
            texts["side"].fill(player=self._player(seat), n=left[seat], lost=lost[seat], of=self.brigades(seat))
            for seat in (0, 1)
        ]
        return texts[of].fill(n=self.round(state), player=self._player(state.seat), sides=joined(sides, "; ", "、"))

    def _player(self, seat: int) -> Words:
        return words()["player"][SIDES[seat]]

    def brigades(self, seat: int) -> int:
        """Return the number of brigades with which a seat began."""
        return len(self.scenario.armies[SIDES[seat]].brigades)

    def _move_words(self, state: State, move: Move) -> Iterator[Words]:
        """Describe a move for the line of moves."""
        texts, (what, unit, cell) = words()["played"], move
        if what == GO:
            of = texts["aside" if state.stage == ASIDE else "goes"]
            yield of.fill(unit=self._label(unit), start=self.square(state.cells[unit]), square=self.square(cell))
        elif what == FORM:
            yield texts["dissolves" if state.squares >> unit & 1 else "forms"].fill(unit=self._label(unit))
        elif what == LEAVE:
            yield texts["off"].fill(unit=self._label(unit))

    def _label(self, unit: int) -> Words:
        return self.field.units[unit].label

    def _dice_lines(self, state: State, outcome: int) -> Iterator[Words]:
        """Yield a line about the dice of a shot or melee once all of them have been rolled."""
        texts, stage, die = words()["played"], state.stage, outcome + 1
        if stage in (HIT, EFFECT):
            gun, cell = state.pending
            hit = self.fall(state, outcome).stage == EFFECT
            units = joined([self._label(u) for u in self.on(state, cell)])
            values = {"gun": self._label(gun), "start": self.square(state.cells[gun]), "square": self.square(cell)}
            if stage == EFFECT:
                yield texts["effect"].fill(die=die, effect=effects()[self.effect(state, cell, die)].name.low)
            else:
                yield texts["hits" if hit else "misses"].fill(units=units, die=die, **values)
        elif stage == ROLL:
            attackers, defenders, values_, _ = state.pending
            dice = [
                texts["die"].fill(unit=self._label(u), die=value)
                for u, value in zip((*attackers, *defenders), (*values_, die), strict=False)
            ]
            if len(dice) == len(attackers) + len(defenders):
                attacking, defending = joined(dice[: len(attackers)]), joined(dice[len(attackers) :])
                yield texts["melee"].fill(own=attacking, foe=defending)
        elif stage == RETHROW:
            yield texts["again"].fill(player=self._player(state.pending[3]), die=die)
        elif stage == RALLY:
            unit = state.pending[0][0]
            stops = self.fall(state, outcome).cells[unit] >= 0
            yield texts["rallies" if stops else "flees"].fill(unit=self._label(unit), die=die)

    def _result_lines(self, state: State, after: State, outcome: int | None) -> Iterator[Words]:
        """Yield lines about the results for units."""
        texts, field = words()["played"], self.field
        if (
            state.stage in (ROLL, AGAIN, RETHROW)
            and after.stage in (MOVE, FIGHT, OVER)
            and after.cells == state.cells
        ):
            yield texts["on" if self._even(state, outcome) else "stays"]
        for u, (here, there) in enumerate(zip(state.cells, after.cells, strict=True)):
            if here == there:
                continue
            if there < 0:
                if state.stage in (EFFECT, RALLY) and field.fighters >> u & 1:
                    continue  # already reported with the die
                yield texts["removed" if field.fighters >> u & 1 else "leader"].fill(unit=self._label(u))
            elif state.stage == RALLY or field.distance(here, there) > 1 or after.held & ~state.held >> u & 1:
                yield texts["stops"].fill(unit=self._label(u), square=self.square(there))
            else:
                yield texts["back"].fill(unit=self._label(u), square=self.square(there))
        gone = [now - before for before, now in zip(self.destroyed(state), self.destroyed(after), strict=True)]
        for seat in (0, 1):
            if gone[seat]:
                yield texts["destroyed"].fill(player=self._player(seat), n=self.destroyed(after)[seat])

    def _even(self, state: State, outcome: int | None) -> bool:
        """Return whether a melee ended without a result because the highest dice were equal."""
        attackers, _, values, _ = state.pending
        if outcome is not None:
            values = (*values, outcome + 1) if state.stage == ROLL else self.rerolled(state, outcome + 1)
        attacking, defending = max(values[: len(attackers)]), max(values[len(attackers) :])
        return bool(attacking == defending)

    def describe(self, state: State) -> Words:
        """Return a heading with the round, the player whose turn it is, and the remaining units of both sides."""
        return self._heading("over" if state.stage == OVER else "stands", state)

    def view(self, state: State) -> MapView:
        """Return a map of the present position, on which units that may not move yet face backwards."""
        return map_view(self.scenario.battlefield, {side: self._army(state, side) for side in SIDES})

    def _army(self, state: State, side: Side) -> Army:
        cells, field = self.field.grid.cells, self.field
        units = {}
        for u, unit in enumerate(field.units):
            cell = cells[state.cells[u]] if state.cells[u] >= 0 else None
            turned = len(DIRECTIONS) // 2 * (state.held >> u & 1)
            units[unit.id] = msgspec.structs.replace(
                unit,
                cell=cell,
                facing=(FORWARD[side] + turned) % len(DIRECTIONS),
                square=bool(state.squares >> u & 1),
            )
        return replace_units(self.scenario.armies[side], side, lambda unit: units[unit.id])
