"""The fast engine for battles, which stores a state in small numbers and uses precomputed tables.

The orders of a single machine on each hex come from `play.orders`, with the paths of dashes. During play, other
machines block some of them. Hexes are numbered in the order of the arena's open hexes, machines in the order of
the scenario, and actions in the order of orders.toml. In its phase, a side gives all its orders, in any order of
its machines. Then the dice of its attacks are rolled in the order of the attacks. This corresponds to posts, in
which orders precede replies. An attack on a machine that an earlier attack has destroyed has no effect.
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
from generator.games.battling.notation import Answer, BattlingReply, Header, Order, Reply, ShotReply, write_line
from generator.games.battling.outcome import outcome
from generator.games.battling.play import Position, Standing, actions, opening
from generator.games.battling.tables import Result, dice
from generator.grid.columns import distance
from generator.model.views import MapView
from generator.model.words import LANGS, Words, same

LETTERS = ("", "W", "R", "F", "B", "D")
"""The letters of actions by number. The first number means no action."""
W, R, F, B, D = range(1, 6)

Move = tuple[int, int, int, int, int]
"""An order as a tuple of machine, action, end hex (the present hex if the machine stays), target (or -1), and, for a
dash, its index among the dashes to that hex (otherwise 0).
"""
Going = tuple[int, int, int, int]
"""An order without its machine, which is valid for any machine on a hex."""
PASS: Move = (-1, 0, -1, -1, 0)
"""The move that ends a phase in which some machines have not acted."""

ORDERS, THROW, OVER = 0, 1, -1
"""The stages of a state. In ORDERS, orders are next. In THROW, the first die of the first pending attack is next.
OVER means the end of the battle. Higher numbers mean that a shot has hit, and are `THROW` plus the die that hit.
"""


class State(NamedTuple):
    """The state of a battle at one moment."""

    clock: int
    """The number of completed phases."""
    stage: int
    acted: int
    """The machines that have acted in this phase, as bits."""
    cells: tuple[int, ...]
    hps: tuple[int, ...]
    lasts: tuple[int, ...]
    """The action of each machine in its own latest phase."""
    attacks: tuple[tuple[int, int, int], ...]
    """The pending attacks of this phase, as attacker, target and action."""
    first: int
    """The seat that moves first, which is usually 0, or 1 to measure the value of moving first."""

    @property
    def seat(self) -> int:
        """The seat whose phase it is."""
        return (self.clock + self.first) & 1


class Course(NamedTuple):
    """A dash from a hex, with its end, the hexes of its path as bits, and its order."""

    end: int
    way: int
    order: Order


MAX_CACHED = 4_000
"""The maximum number of cached lists of moves. The same positions often recur in a scenario."""


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
        """The number of the first player's machines, which come before the second player's."""
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
        """Results that players have computed for this battle and reuse in its later games."""

    firsts = (0,)
    """The first squad always moves first."""

    @cached_property
    def seen(self) -> list[int]:
        """The hexes visible from each hex, as bits."""
        lit = self.scenario.arena.shadows.matrix
        index = self.scenario.arena.field.index
        rows = [lit[index[a]] for a in self.open]
        return [sum(1 << i for i, b in enumerate(self.open) if row[index[b]]) for row in rows]

    def begin(self, first: int) -> State:
        """Return the state after the set-up."""
        count = len(self.units)
        hps = tuple(machine.hp for machine in self.units)
        cells = tuple(self.number[machine.cell] for machine in self.units)
        stage = ORDERS if self.phases and all(self._left(hps)) else OVER
        return State(0, stage, 0, cells, hps, (0,) * count, (), first)

    def _left(self, hps: Sequence[int]) -> tuple[int, int]:
        """Return the number of machines that each side has left."""
        return sum(map(bool, hps[: self.half])), sum(map(bool, hps[self.half :]))

    def ahead(self, state: State, seat: int) -> bool:
        """Return whether a seat has more machines left than the other seat."""
        left = self._left(state.hps)
        return left[seat] > left[1 - seat]

    def to_move(self, state: State) -> int:
        """Return the seat that decides next, or DICE plus the attacked seat, which rolls for an attack."""
        return state.seat if state.stage == ORDERS else DICE + 1 - state.seat

    def ways(self, cell: int) -> tuple[tuple[int, ...], list[tuple[int, int]], tuple[Course, ...], int]:
        """Return the possible moves of a single machine from a hex.

        The result contains the adjacent hexes, the hexes two steps away (each with the hexes in between as bits),
        the dashes, and all hexes on the paths of these moves as bits.
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
        """Return the legal walks and dashes of a machine on a hex, given the hexes of other machines."""
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
            if len(self._moves) >= MAX_CACHED:
                self._moves.clear()
            self._moves[key] = found = tuple(moves)
        return found

    def standing_at(self, state: State, seat: int) -> tuple[int, int]:
        """Return the hexes of a seat's enemies and of its own machines, as bits."""
        bits = [0, 0]
        for unit, hp in enumerate(state.hps):
            if hp:
                bits[self.seat[unit]] |= 1 << state.cells[unit]
        return bits[1 - seat], bits[seat]

    def able(self, state: State) -> list[int]:
        """Return the machines of the active side that may still act."""
        return [unit for unit in self.sides[state.seat] if state.hps[unit] and not state.acted >> unit & 1]

    def targets(self, state: State) -> list[tuple[int, int]]:
        """Return the remaining enemies of the active side with their hexes, in the order of hexes."""
        found = [(state.cells[unit], unit) for unit in self.sides[1 - state.seat] if state.hps[unit]]
        return [(unit, cell) for cell, unit in sorted(found)]

    def shots(self, unit: int, cell: int, targets: Sequence[tuple[int, int]]) -> list[Move]:
        """Return a machine's legal shots."""
        far, seen, kind = self.far[cell], self.seen[cell], self.kinds[unit]
        number = self.pack.number
        return [(unit, F, cell, t, 0) for t, at in targets if seen >> at & 1 and number(kind, far[at])]

    def melees(self, unit: int, cell: int, taken: int, targets: Sequence[tuple[int, int]]) -> list[Move]:
        """Return a machine's legal attacks in battling, from its own hex and from adjacent ones."""
        stands = (cell, *(n for n in self.ways(cell)[0] if not taken >> n & 1))
        return [(unit, B, to, t, 0) for to in stands for t, at in targets if self.far[to][at] == 1]

    def guards(self, cell: int, taken: int) -> list[Going]:
        """Return the legal guards of a machine on a hex."""
        return [(D, to, -1, 0) for to in (cell, *(n for n in self.ways(cell)[0] if not taken >> n & 1))]

    def moves(self, state: State) -> list[Move]:
        """Return all orders that `play.orders` lists for each machine that may act, and the end of the phase."""
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
        """Return the state after an order. Dice are rolled once all machines have acted or the phase has ended."""
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
        """End the orders of this phase. Machines that have not acted have no last action."""
        lasts = list(state.lasts)
        for unit in self.able(state):
            lasts[unit] = 0
        return self._next(state._replace(lasts=tuple(lasts)), state.attacks)

    def _next(self, state: State, attacks: tuple[tuple[int, int, int], ...]) -> State:
        """Return the state before the roll for the first pending attack, or the next phase if there is no attack."""
        while attacks and not state.hps[attacks[0][1]]:
            attacks = attacks[1:]
        clock, _, acted, cells, hps, lasts, _, first = state
        if attacks:
            return State(clock, THROW, acted, cells, hps, lasts, attacks, first)
        return State(clock + 1, ORDERS if clock + 1 < self.phases else OVER, 0, cells, hps, lasts, (), first)

    def chances(self, state: State) -> tuple[int, ...]:
        """Return the weights of a die's faces."""
        return self.one

    def fall(self, state: State, outcome: int) -> State:
        """Return the state after a roll for a hit, for damage, or in battling."""
        attacker, target, action = state.attacks[0]
        if action == B:
            effect = dice().effects[self.melee_results(attacker, target, state.lasts[target])[outcome]]
            return self._hurt(state, {target: effect.target_loss, attacker: effect.attacker_loss})
        hits, hurts = self.shot(state, attacker, target)
        if state.stage == THROW:
            hit = hits >> outcome & 1
            return state._replace(stage=THROW + 1 + outcome) if hit else self._next(state, state.attacks[1:])
        return self._hurt(state, {target: hurts >> outcome & 1})

    def shot(self, state: State, attacker: int, target: int) -> tuple[int, int]:
        """Return the faces that hit, and the faces of the damage die that cost a hit point, as bits from face 1."""
        far = self.far[state.cells[attacker]][state.cells[target]]
        key = attacker, target, far, state.lasts[target]
        if key not in self._shots:
            of = self.pack.shot(self.kinds[attacker], self.kinds[target], far, LETTERS[key[3]])
            hits = sum(1 << i for i, face in enumerate(dice().faces) if of.hit(face))
            self._shots[key] = hits, sum(1 << i for i, face in enumerate(dice().faces) if of.hurt(face))
        return self._shots[key]

    def melee_results(self, attacker: int, target: int, last: int) -> list[Result]:
        """Return the result of each face of the die in battling."""
        key = attacker, target, last
        if key not in self._melee_results:
            of = self.pack.battling_roll(self.kinds[attacker], self.kinds[target], LETTERS[last])
            self._melee_results[key] = [of.result(face) for face in dice().faces]
        return self._melee_results[key]

    def _hurt(self, state: State, lost: dict[int, int]) -> State:
        """Subtract hit points for the first pending attack and continue with the next one."""
        hps = list(state.hps)
        for unit, points in lost.items():
            hps[unit] = max(0, hps[unit] - points)
        after = state._replace(hps=tuple(hps))
        if all(self._left(hps)):
            return self._next(after, state.attacks[1:])
        return after._replace(stage=OVER, attacks=())

    def position(self, state: State) -> Position:
        """Return the state as the position with which orders are listed and judged."""
        machines = {
            m.id: Standing(
                m.id, SIDES[self.seat[i]], m.kind, self.open[state.cells[i]], state.hps[i], LETTERS[state.lasts[i]]
            )
            for i, m in enumerate(self.units)
        }
        return replace(self.opening, machines=machines)

    def turn(self, state: State) -> int:
        """Return the number of the turn, counted from 1."""
        return max(1, min(self.scenario.turns, state.clock // 2 + 1))

    def ended(self, state: State) -> Outcome | None:
        """Return the result, or None before the end of the battle.

        The numbers of machines left decide the battle, and then hit points if the ruling requires it.
        """
        if state.stage != OVER:
            return None
        left = self._left(state.hps)
        winner = outcome(self.position(state), self.turn(state), True, self._tie).winner
        counted = len(self.sides[1]) - left[1], len(self.sides[0]) - left[0]
        return Outcome(SIDES.index(winner) if winner else None, counted, self.turn(state))

    def order(self, state: State, move: Move) -> Order:
        """Return a move, which is not the end of a phase, as an order that states its machine."""
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
        """Return an order as it is posted, or a dash for the end of a phase."""
        return write_line(self.order(state, move)) if move[0] >= 0 else "-"

    def describe(self, state: State) -> Words:
        """Describe the turn and the remaining machines and hit points of both sides."""
        return outcome(self.position(state), self.turn(state), state.stage == OVER, self._tie).text

    @property
    def _tie(self) -> str:
        return self.scenario.rulings.get("tie", "")

    def view(self, state: State) -> MapView:
        """Return a map of the arena with the remaining machines."""
        squads = {
            side: replace(squad, machines=tuple(self._there(state, i)))
            for i, (side, squad) in enumerate(self.scenario.squads.items())
        }
        return map_view(replace(self.scenario, squads=squads))

    def _there(self, state: State, seat: int) -> Iterator[Machine]:
        left = ((i, hp) for i in self.sides[seat] if (hp := state.hps[i]) > 0)
        return (replace(self.units[i], cell=self.open[state.cells[i]], hp=hp) for i, hp in left)

    def narrator(self) -> Callable[[State, Move | int, bool], list[Words]]:
        """Return a function that reports a battle as a log of headers, orders, replies and answers."""
        headers: list[Header] = []
        pending: list[Answer] = []

        def under(state: State, seat: int, lines: list[Words]) -> list[Words]:
            header = Header(self.turn(state), SIDES[seat])
            new = headers[-1:] != [header]
            headers.append(header)
            return [*([Words(*(write_line(header, lang) for lang in LANGS))] if new else []), *lines]

        def answers(state: State, after: State) -> list[Words]:
            """Return the attackers' remaining hit points once all attacks of the phase are resolved."""
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
        """Return the attacked side's reply after a roll, and the attacker's answer if one is needed."""
        attacker, target, action = state.attacks[0]
        target_hex, hp, face = self.names[state.cells[target]], after.hps[target], fell + 1
        if action == B:
            result = self.melee_results(attacker, target, state.lasts[target])[fell]
            answer = Answer(self.names[state.cells[attacker]], result, after.hps[attacker])
            return BattlingReply(target_hex, face, result, hp), answer if dice().effects[
                result
            ].attacker_loss else None
        if state.stage > THROW:
            return ShotReply(target_hex, state.stage - THROW, True, face, hp), None
        return (ShotReply(target_hex, face, False, None, hp), None) if after.stage <= THROW else (None, None)
