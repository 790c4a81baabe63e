"""A battle as computer players play it: a state of small numbers, and tables made once of what checks and prints.

What a lone machine may do in each hex is what `play.orders` lists of it there, with the hexes that a dash goes
through; in play others bar some of it. Hexes are numbers in the order of the arena's open hexes, machines in the
order of the scenario's, and so are kinds of actions in the order of orders.toml.

A side gives all orders of its phase, its machines in whatever order it likes, before the dice of its attacks are
thrown in the order in which they were given: as posts have it, where orders come first and replies after. An attack
on a machine that an earlier one destroyed comes to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from generator.common.playing import DICE, Outcome
from generator.games.battling.legal_orders import dashes, orders
from generator.games.battling.maps import map_view
from generator.games.battling.model import SIDES, Machine, Scenario
from generator.games.battling.notation import Answer, ClashReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.outcome import outcome
from generator.games.battling.play import Position, Standing, actions, opening
from generator.games.battling.tables import Result, dice
from generator.grid.columns import distance
from generator.model.views import MapView
from generator.model.words import LANGS, Words, same

LETTERS = ("", "W", "R", "F", "B", "D")
"""Actions by number; the first is none."""
W, R, F, B, D = range(1, 6)

Move = tuple[int, int, int, int, int]
"""An order: machine, action, hex to go to (its own where it stays), target or -1, and of a dash the place of its
course among those of its hex, else 0."""
Going = tuple[int, int, int, int]
"""The same without the machine: alike for all that stand in a hex."""
PASS: Move = (-1, 0, -1, -1, 0)
"""The phase ends, though some machines have not acted."""

ORDERS, THROW, OVER = 0, 1, -1
"""Stages: orders are awaited; the die of the first attack in line; it is over. Above `THROW` the shot has hit, and
the stage is `THROW` and the die that hit."""


class State(NamedTuple):
    """A moment of a battle."""

    clock: int
    """Phases that are over."""
    stage: int
    acted: int
    """A bit for each machine that has acted in this phase."""
    cells: tuple[int, ...]
    hps: tuple[int, ...]
    lasts: tuple[int, ...]
    """What each machine did in its own latest phase."""
    attacks: tuple[tuple[int, int, int], ...]
    """The attacks of this phase still to be thrown for: attacker, target, action."""
    first: int
    """The seat that moves first: 0, but where it is asked what moving first is worth."""

    @property
    def seat(self) -> int:
        """Whose phase it is."""
        return (self.clock + self.first) & 1


class Course(NamedTuple):
    """A dash from a hex: where it ends, the hexes on its way as bits, its order."""

    end: int
    way: int
    order: Order


KEPT = 4_000
"""Lists of moves that are kept; play of a scenario meets the same places again and again."""


class Battle:
    """The engine of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        arena, pack = scenario.arena, scenario.pack
        self.open = arena.open_cells
        self.names = [arena.field.name(cell) for cell in self.open]
        self.number = {cell: i for i, cell in enumerate(self.open)}
        self.units = [machine for _, machine in scenario.machines]
        self.half = len(scenario.squads["first"].machines)
        """The first player's machines come before this one."""
        self.sides = (range(self.half), range(self.half, len(self.units)))
        self.seat = [0] * self.half + [1] * (len(self.units) - self.half)
        self.kinds = [machine.kind for machine in self.units]
        self.phases = 2 * scenario.turns
        self.pack = pack
        self.opening = opening(scenario)
        self.neighbours = [[self.number[n] for n in arena.field.neighbours(c) if n in self.number] for c in self.open]
        self.far = [bytes(distance(a, b) for b in self.open) for a in self.open]
        self.one = tuple([1] * dice().die)
        self._ways: dict[int, tuple[tuple[int, ...], list[tuple[int, int]], tuple[Course, ...], int]] = {}
        self._moves: dict[tuple[int, int, int], tuple[Going, ...]] = {}
        self._shots: dict[tuple[int, int, int, int], tuple[int, int]] = {}
        self._melee_results: dict[tuple[int, int, int], list[Result]] = {}
        self.notes: dict[object, Any] = {}
        """What players have worked out of this battle, and keep for its next games."""

    firsts = (0,)
    """The first player is the first squad's, as the scenario tells."""

    @cached_property
    def seen(self) -> list[int]:
        """The hexes that each sees, as bits."""
        lit = self.scenario.arena.shadows.matrix
        index = self.scenario.arena.field.index
        rows = [lit[index[a]] for a in self.open]
        return [sum(1 << i for i, b in enumerate(self.open) if row[index[b]]) for row in rows]

    def begin(self, first: int) -> State:
        """The battle as it is set up."""
        count = len(self.units)
        hps = tuple(machine.hp for machine in self.units)
        cells = tuple(self.number[machine.cell] for machine in self.units)
        stage = ORDERS if self.phases and all(self._left(hps)) else OVER
        return State(0, stage, 0, cells, hps, (0,) * count, (), first)

    def _left(self, hps: Sequence[int]) -> tuple[int, int]:
        """How many machines each side has left."""
        return sum(map(bool, hps[: self.half])), sum(map(bool, hps[self.half :]))

    def ahead(self, state: State, seat: int) -> bool:
        """Whether a seat has more machines left than the other."""
        left = self._left(state.hps)
        return left[seat] > left[1 - seat]

    def to_move(self, state: State) -> int:
        """Whose phase it is; the attacked throws for an attack."""
        return state.seat if state.stage == ORDERS else DICE + 1 - state.seat

    def ways(self, cell: int) -> tuple[tuple[int, ...], list[tuple[int, int]], tuple[Course, ...], int]:
        """What a lone machine may do from a hex.

        The next hexes; the hexes a walk of two leads to, each with those between as bits; dashes; all of it as bits.
        """
        if cell not in self._ways:
            lone = Standing("F1", "first", self.kinds[0], self.open[cell], 1)
            position = replace(self.opening, machines={lone.id: lone})
            listed = orders(position, lone.id)
            find = {name: i for i, name in enumerate(self.names)}
            near = tuple(find[o.to] for o in listed if o.action == "W" and o.legs == (1,))
            assert actions()["W"].max_hexes == 2 and actions()["B"].max_hexes == actions()["D"].max_hexes == 1
            two = [find[o.to] for o in listed if o.action == "W" and o.legs == (2,)]
            walks = [(end, sum(1 << n for n in self.neighbours[end] if n in near)) for end in two]
            found = tuple(
                Course(find[order.to], sum(1 << self.number[c] for c in path), order)
                for order, path in dashes(position, lone.id)
            )
            reach = 1 << cell
            for n in (*near, *two):
                reach |= 1 << n
            for course in found:
                reach |= course.way
            self._ways[cell] = near, walks, found, reach
        return self._ways[cell]

    def going(self, cell: int, enemies: int, friends: int) -> tuple[Going, ...]:
        """The lawful walks and dashes of a machine there, other machines standing in these hexes."""
        reach = self.ways(cell)[3]
        key = cell, enemies & reach, friends & reach
        if (found := self._moves.get(key)) is None:
            near, walks, courses, _ = self.ways(cell)
            taken = enemies | friends
            moves: list[Going] = [(W, end, -1, 0) for end in near if not taken >> end & 1]
            moves += [(W, end, -1, 0) for end, via in walks if not taken >> end & 1 and via & ~enemies]
            moves += [
                (R, end, -1, at)
                for at, (end, way, _) in enumerate(courses)
                if not way & enemies and not taken >> end & 1
            ]
            if len(self._moves) >= KEPT:
                self._moves.clear()
            self._moves[key] = found = tuple(moves)
        return found

    def standing_at(self, state: State, seat: int) -> tuple[int, int]:
        """The hexes of the enemies of a seat and of its own machines, as bits."""
        bits = [0, 0]
        for unit, hp in enumerate(state.hps):
            if hp:
                bits[self.seat[unit]] |= 1 << state.cells[unit]
        return bits[1 - seat], bits[seat]

    def able(self, state: State) -> list[int]:
        """The machines of the side whose phase it is that may act yet."""
        return [unit for unit in self.sides[state.seat] if state.hps[unit] and not state.acted >> unit & 1]

    def targets(self, state: State) -> list[tuple[int, int]]:
        """The enemies of the side whose phase it is that are left, with their hexes, in the hexes' order."""
        found = [(state.cells[unit], unit) for unit in self.sides[1 - state.seat] if state.hps[unit]]
        return [(unit, cell) for cell, unit in sorted(found)]

    def shots(self, unit: int, cell: int, targets: Sequence[tuple[int, int]]) -> list[Move]:
        """A machine's lawful shots."""
        far, seen, kind = self.far[cell], self.seen[cell], self.kinds[unit]
        number = self.pack.number
        return [(unit, F, cell, t, 0) for t, at in targets if seen >> at & 1 and number(kind, far[at])]

    def melees(self, unit: int, cell: int, taken: int, targets: Sequence[tuple[int, int]]) -> list[Move]:
        """A machine's lawful attacks in battling, from its own hex and from the next ones."""
        stands = (cell, *(n for n in self.ways(cell)[0] if not taken >> n & 1))
        return [(unit, B, to, t, 0) for to in stands for t, at in targets if self.far[to][at] == 1]

    def guards(self, cell: int, taken: int) -> list[Going]:
        """The lawful guards of a machine there."""
        return [(D, to, -1, 0) for to in (cell, *(n for n in self.ways(cell)[0] if not taken >> n & 1))]

    def moves(self, state: State) -> list[Move]:
        """Every order of each machine that may act, as `play.orders` lists them, and at last the end of the phase."""
        if state.stage != ORDERS:
            return []
        enemies, side_cells = self.standing_at(state, state.seat)
        targets = self.targets(state)
        found: list[Move] = []
        for unit in self.able(state):
            cell = state.cells[unit]
            friends = side_cells & ~(1 << cell)
            taken = enemies | friends
            found += [(unit, *of) for of in self.going(cell, enemies, friends)]
            found += self.shots(unit, cell, targets)
            found += self.melees(unit, cell, taken, targets)
            found += [(unit, *of) for of in self.guards(cell, taken)]
        return [*found, PASS]

    def act(self, state: State, move: Move) -> State:
        """The state after an order; the dice of the phase come when all machines have acted, or it ends."""
        unit, action, to, target, _ = move
        if unit < 0:
            return self._close(state)
        cells, lasts = list(state.cells), list(state.lasts)
        cells[unit], lasts[unit] = to, action
        attacks = (*state.attacks, (unit, target, action)) if target >= 0 else state.attacks
        acted = state.acted | 1 << unit
        after = State(state.clock, ORDERS, acted, tuple(cells), state.hps, tuple(lasts), attacks, state.first)
        return after if self.able(after) else self._close(after)

    def _close(self, state: State) -> State:
        """No more orders come in this phase: who has not acted has no last action."""
        lasts = list(state.lasts)
        for unit in self.able(state):
            lasts[unit] = 0
        return self._next(state._replace(lasts=tuple(lasts)), state.attacks)

    def _next(self, state: State, attacks: tuple[tuple[int, int, int], ...]) -> State:
        """The state in which the first attack in line is thrown for; where there is none, the next phase."""
        while attacks and not state.hps[attacks[0][1]]:
            attacks = attacks[1:]
        clock, _, acted, cells, hps, lasts, _, first = state
        if attacks:
            return State(clock, THROW, acted, cells, hps, lasts, attacks, first)
        return State(clock + 1, ORDERS if clock + 1 < self.phases else OVER, 0, cells, hps, lasts, (), first)

    def chances(self, state: State) -> tuple[int, ...]:
        """A die."""
        return self.one

    def fall(self, state: State, outcome: int) -> State:
        """What a die does: that of a hit, of damage, or of battling."""
        attacker, target, action = state.attacks[0]
        if action == B:
            effect = dice().effects[self.melee_results(attacker, target, state.lasts[target])[outcome]]
            return self._hurt(state, {target: effect.own, attacker: effect.enemy})
        hits, hurts = self.shot(state, attacker, target)
        if state.stage == THROW:
            hit = hits >> outcome & 1
            return state._replace(stage=THROW + 1 + outcome) if hit else self._next(state, state.attacks[1:])
        return self._hurt(state, {target: hurts >> outcome & 1})

    def shot(self, state: State, attacker: int, target: int) -> tuple[int, int]:
        """The faces of the die that hit, and of that of damage that hurt, as bits from face 1."""
        far = self.far[state.cells[attacker]][state.cells[target]]
        key = attacker, target, far, state.lasts[target]
        if key not in self._shots:
            of = self.pack.shot(self.kinds[attacker], self.kinds[target], far, LETTERS[key[3]])
            hits = sum(1 << i for i, face in enumerate(dice().faces) if of.hit(face))
            self._shots[key] = hits, sum(1 << i for i, face in enumerate(dice().faces) if of.hurt(face))
        return self._shots[key]

    def melee_results(self, attacker: int, target: int, last: int) -> list[Result]:
        """What each face of the die brings in battling."""
        key = attacker, target, last
        if key not in self._melee_results:
            of = self.pack.clash(self.kinds[attacker], self.kinds[target], LETTERS[last])
            self._melee_results[key] = [of.result(face) for face in dice().faces]
        return self._melee_results[key]

    def _hurt(self, state: State, lost: dict[int, int]) -> State:
        """The first attack in line costs machines so many hit points, and the next one comes."""
        hps = list(state.hps)
        for unit, points in lost.items():
            hps[unit] = max(0, hps[unit] - points)
        after = state._replace(hps=tuple(hps))
        if all(self._left(hps)):
            return self._next(after, state.attacks[1:])
        return after._replace(stage=OVER, attacks=())

    def position(self, state: State) -> Position:
        """The same as what orders are listed and judged by."""
        machines = {
            m.id: Standing(
                m.id, SIDES[self.seat[i]], m.kind, self.open[state.cells[i]], state.hps[i], LETTERS[state.lasts[i]]
            )
            for i, m in enumerate(self.units)
        }
        return replace(self.opening, machines=machines)

    def turn(self, state: State) -> int:
        """The turn, from 1; after the last one that."""
        return max(1, min(self.scenario.turns, state.clock // 2 + 1))

    def ended(self, state: State) -> Outcome | None:
        """By the machines that are left, and by hit points where the scenario has them decide."""
        if state.stage != OVER:
            return None
        left = self._left(state.hps)
        winner = outcome(self.position(state), self.turn(state), True, self._tie).winner
        counted = len(self.sides[1]) - left[1], len(self.sides[0]) - left[0]
        return Outcome(SIDES.index(winner) if winner else None, counted, self.turn(state))

    def order(self, state: State, move: Move) -> Order:
        """A move other than the end of a phase as it is posted, with its machine."""
        unit, action, to, target, at = move
        number, start, name = str(self.units[unit].number), state.cells[unit], self.names[to]
        if action == R:
            legs = self.ways(start)[2][at].order
            return Order("R", legs.legs, legs.to, turn=legs.turn, unit=number)
        aim = self.names[state.cells[target]] if target >= 0 else ""
        if action == F:
            return Order("F", target=aim, unit=number)
        far = self.far[start][to] if action == W else int(to != start)
        letter = actions()[LETTERS[action]].id  # type: ignore[index]
        return Order(letter, (far,) if far else (), name if far else "", aim, unit=number)

    def write(self, state: State, move: Move) -> str:
        """An order as it is posted; a dash where the phase ends."""
        return write_line(self.order(state, move)) if move[0] >= 0 else "-"

    def describe(self, state: State) -> Words:
        """The turn, and who has what left."""
        return outcome(self.position(state), self.turn(state), state.stage == OVER, self._tie).text

    @property
    def _tie(self) -> str:
        return self.scenario.rulings.get("tie", "")

    def view(self, state: State) -> MapView:
        """The arena with the machines that are left."""
        squads = {
            side: replace(squad, machines=tuple(self._there(state, i)))
            for i, (side, squad) in enumerate(self.scenario.squads.items())
        }
        return map_view(replace(self.scenario, squads=squads))

    def _there(self, state: State, seat: int) -> Iterator[Machine]:
        left = ((i, hp) for i in self.sides[seat] if (hp := state.hps[i]) > 0)
        return (replace(self.units[i], cell=self.open[state.cells[i]], hp=hp) for i, hp in left)

    def narrator(self) -> Callable[[State, Move | int, bool], list[Words]]:
        """Tells a battle as a log that can be judged and shown again: headers, orders, replies, answers."""
        headers: list[Header] = []
        pending: list[Answer] = []

        def under(state: State, seat: int, lines: list[Words]) -> list[Words]:
            header = Header(self.turn(state), SIDES[seat])
            new = headers[-1:] != [header]
            headers.append(header)
            return [*([Words(*(write_line(header, lang) for lang in LANGS))] if new else []), *lines]

        def answers(state: State, after: State) -> list[Words]:
            """What attackers have left, once all attacks of the phase were thrown for."""
            if not pending or after.stage >= THROW:
                return []
            lines = [same(write_line(answer)) for answer in pending]
            pending.clear()
            return under(state, state.seat, lines)

        def describe(state: State, what: Move | int, fell: bool) -> list[Words]:
            if not isinstance(what, int):
                lines = [same(self.write(state, what))] if what[0] >= 0 else []
                return under(state, state.seat, lines)
            after = self.fall(state, what)
            reply, answer = self._reply(state, what, after)
            pending.extend([answer] if answer else [])
            lines = under(state, 1 - state.seat, [same(write_line(reply))]) if reply else []
            return lines + answers(state, after)

        return describe

    def _reply(self, state: State, fell: int, after: State) -> tuple[Reply | None, Answer | None]:
        """What the attacked writes once the dice of an attack have fallen, and what the attacker has to answer."""
        attacker, target, action = state.attacks[0]
        target_hex, hp, face = self.names[state.cells[target]], after.hps[target], fell + 1
        if action == B:
            result = self.melee_results(attacker, target, state.lasts[target])[fell]
            answer = Answer(self.names[state.cells[attacker]], result, after.hps[attacker])
            return ClashReply(target_hex, face, result, hp), answer if dice().effects[result].enemy else None
        if state.stage > THROW:
            return ShotReply(target_hex, state.stage - THROW, True, face, hp), None
        return (ShotReply(target_hex, face, False, None, hp), None) if after.stage <= THROW else (None, None)
