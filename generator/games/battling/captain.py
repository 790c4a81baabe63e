"""The strong computer players of Battling, which plan the orders of a whole phase.

A plan gives an order to each machine. Its value follows from the exact chances of three things: the attacks of the
plan, the attacks of the enemies in their next phase, and the attacks that the player's machines can make after that.
Values are in hit points of a fresh machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.common.playing import players, strong_policies
from generator.games.battling.playing import LETTERS, Battle, D, F, Move, R, State
from generator.seeds import Rng

LAST_ACTIONS = (0, R, D)
"""The last actions of a target that the dice distinguish. Every other action counts as the first one, no action."""
ROWS = tuple(LAST_ACTIONS.index(action) if action in LAST_ACTIONS else 0 for action in range(len(LETTERS)))
"""The index in `LAST_ACTIONS` for each action."""
MELEE_COST = 0.5
"""The value of a hit point that an attacker loses in battling, compared with one that the target loses. It decides
whether a machine is expected to shoot or to battle.
"""
MAX_SWEEPS = 3
"""The maximum number of times that the orders of all machines are reconsidered. Plans rarely improve after two."""
MIN_CHANCE = 0.02
"""Enemies that survive with a smaller chance are ignored."""
FAR = 99
"""The number of steps to a hex that cannot be reached."""

ChanceRow = list[float]
"""A chance for each open hex."""
HitPoints = list[float]
"""The chance of each number of hit points, from 0."""


class Candidate(NamedTuple):
    """An order that a plan may contain, and the chances of its attack."""

    move: Move
    cell: int
    """The hex where the machine ends."""
    row: int
    """The index of the order's action in `LAST_ACTIONS`."""
    target: int = -1
    hurts: float = 0.0
    """The chance that the target loses a hit point."""
    costs: float = 0.0
    """The chance that the machine itself loses a hit point."""


class Tables:
    """Chances and distances in a battle that do not depend on where machines are."""

    def __init__(self, battle: Battle) -> None:
        self.kinds, self.pack, self.far, self.seen = battle.kinds, battle.pack, battle.far, battle.seen
        self.max_range = max((max(row) for row in battle.far), default=0)
        alike = {kind: unit for unit, kind in reversed([*enumerate(battle.kinds)])}
        self.alike = [alike[kind] for kind in battle.kinds]
        """The first machine of the same kind for each machine."""
        hexes = range(len(battle.open))
        self.steps = [_steps(battle.neighbours, cell) for cell in hexes]
        """The number of steps around buildings from each hex to each other."""
        self.battling_zone = [
            sum({1 << end for stand in (cell, *battle.neighbours[cell]) for end in battle.neighbours[stand]})
            for cell in hexes
        ]
        """The hexes, as bits, that a machine on each hex can attack in battling."""
        self._attacks: dict[tuple[int, int, int], tuple[list[float], float, float]] = {}
        self._threats: dict[tuple[int, int, int], tuple[ChanceRow, ...]] = {}
        self._aims: dict[tuple[int, int, int], ChanceRow] = {}

    def attack(self, attacker: int, target: int, row: int) -> tuple[list[float], float, float]:
        """Return the chances that a shot hurts the target, by distance, and that battling hurts each of the two."""
        key = self.alike[attacker], self.alike[target], row
        if (found := self._attacks.get(key)) is None:
            kind, other, last = self.kinds[attacker], self.kinds[target], LETTERS[LAST_ACTIONS[row]]
            distances = range(1, self.max_range + 1)
            shots = [0.0, *(float(self.pack.shot(kind, other, n, last).hurts) for n in distances)]
            battling = self.pack.battling_roll(kind, other, last)
            found = self._attacks[key] = shots, float(battling.hurts), float(battling.costs)
        return found

    def threats(self, enemy: int, unit: int, cell: int) -> tuple[ChanceRow, ...]:
        """Return the chance that an enemy on `cell` hurts a machine, by the machine's hex, for each last action."""
        key = self.alike[enemy], self.alike[unit], cell
        if (found := self._threats.get(key)) is None:
            found = self._threats[key] = tuple(
                [
                    self._best_attack(enemy, unit, row, cell, there, self.battling_zone[cell] >> there & 1)
                    for there in range(len(self.far))
                ]
                for row in range(len(LAST_ACTIONS))
            )
        return found

    def aims(self, unit: int, enemy: int, cell: int) -> ChanceRow:
        """Return the chance that a machine hurts an enemy on `cell`, by the machine's hex."""
        key = self.alike[unit], self.alike[enemy], cell
        if (found := self._aims.get(key)) is None:
            found = self._aims[key] = [
                self._best_attack(unit, enemy, 0, here, cell, zone >> cell & 1)
                for here, zone in enumerate(self.battling_zone)
            ]
        return found

    def _best_attack(self, attacker: int, target: int, row: int, here: int, there: int, close: int) -> float:
        """Return the chance that the better attack, a shot or battling, hurts the target."""
        shots, hurts, costs = self.attack(attacker, target, row)
        shot = shots[self.far[here][there]] if self.seen[here] >> there & 1 else 0.0
        return hurts if close and hurts - MELEE_COST * costs > shot else shot


def _steps(neighbours: Sequence[Sequence[int]], start: int) -> list[int]:
    """Return the number of steps from a hex to each other hex."""
    steps = [FAR] * len(neighbours)
    steps[start] = 0
    queue = [start]
    for cell in queue:
        for near in neighbours[cell]:
            if steps[near] == FAR:
                steps[near] = steps[cell] + 1
                queue.append(near)
    return steps


def _hit(hit_points: HitPoints, chance: float) -> HitPoints:
    """Return the chances of each number of hit points after an attack that costs one with this chance."""
    after = [p * (1 - chance) for p in hit_points]
    after[0] += hit_points[0] * chance
    for left in range(1, len(after)):
        after[left - 1] += hit_points[left] * chance
    return after


class Weights:
    """The weights of a strong player as fractions. The file players.toml describes them."""

    def __init__(self, of: Mapping[str, int]) -> None:
        self.fade, self.width = of["fade"], of["width"]
        self.kill, self.focus, self.risk, self.aim = (of[k] / 100 for k in ("kill", "focus", "risk", "aim"))
        self.near, self.late = of["near"] / 100, of["late"] / 100
        self.behind, self.even, self.ahead = (of[k] / 100 for k in ("behind", "even", "ahead"))


class Phase:
    """The facts of a phase that its orders do not change, and the values of plans."""

    def __init__(self, tables: Tables, weights: Weights, battle: Battle, state: State) -> None:
        self.weights, self.tables, self.battle, self.state = weights, tables, battle, state
        seat, hps, cells = state.seat, state.hps, state.cells
        self.friends = [u for u in battle.sides[seat] if hps[u]]
        self.foes = [u for u in battle.sides[1 - seat] if hps[u]]
        self.left = battle.phases - state.clock - 1
        """The number of phases after this one."""
        self.worth = self._worth(max(hps))
        self.drop = [0.0, *(after - before for before, after in zip(self.worth, self.worth[1:], strict=False))]
        """The value of the last of each number of hit points."""
        passed, lead = state.clock / battle.phases, len(self.friends) - len(self.foes)
        self.greed = 1 + passed * (weights.behind if lead < 0 else weights.ahead if lead > 0 else weights.even)
        """The value of the enemies' hit points compared with the player's own."""
        pull = weights.near + (weights.late * passed if lead <= 0 else 0)
        steps = [tables.steps[cells[e]] for e in self.foes]
        self.way = [pull * min(row[cell] for row in steps) for cell in range(len(tables.far))]
        """The cost of each hex for its distance from the nearest enemy."""
        self.threats = {e: {u: tables.threats(e, u, cells[e]) for u in self.friends} for e in self.foes}
        self.aims = {u: [(e, tables.aims(u, e, cells[e])) for e in self.foes] for u in self.friends}

    def _worth(self, max_hp: int) -> list[float]:
        """Return the value of a machine by its hit points.

        The last hit point has an additional value, because the number of machines decides a battle. Towards the end
        of the battle the others lose value.
        """
        worth, next_point = [0.0], min(1.0, self.left / self.weights.fade)
        for hp in range(1, max_hp + 1):
            worth.append(worth[-1] + next_point + (self.weights.kill if hp == 1 else 0.0))
            next_point *= self.weights.focus
        return worth

    def value(self, plan: Mapping[int, Candidate]) -> float:
        """Return the value of a plan, which has an order for each of the player's machines."""
        hps, greed, drop = self.state.hps, self.greed, self.drop
        friend_hp: dict[int, HitPoints] = {}
        enemies: dict[int, HitPoints] = {}
        total = 0.0
        for u, order in plan.items():
            total -= self.way[order.cell]
            if (target := order.target) >= 0:
                before = enemies.get(target) or _certain(hps[target])
                enemies[target] = _hit(before, order.hurts)
                if cost := (1 - before[0]) * order.costs:
                    friend_hp[u] = _hit(_certain(hps[u]), cost)
                    total -= cost * drop[hps[u]]
        alive = dict.fromkeys(self.foes, 1.0)
        gain = {e: drop[hps[e]] for e in self.foes}
        for e, chances in enemies.items():
            total += greed * (self.worth[hps[e]] - sum([p * v for p, v in zip(chances, self.worth, strict=False)]))
            alive[e] = 1 - chances[0]
            gain[e] = sum([p * v for p, v in zip(chances, drop, strict=False)])
        if self.left > 0:
            total -= self.weights.risk * self._replies(plan, alive, friend_hp)
        if self.left > 1:
            total += self.weights.aim * self._prospects(plan, gain, friend_hp)
        return total

    def _replies(
        self, plan: Mapping[int, Candidate], alive: Mapping[int, float], friend_hp: dict[int, HitPoints]
    ) -> float:
        """Return what the enemies' next attacks cost, and update the hit points in `friend_hp`.

        Each enemy attacks the machine to which its attack costs most, given the attacks of the enemies before it.
        """
        hps, drop = self.state.hps, self.drop
        loss = {u: drop[hps[u]] if u not in friend_hp else _mean(friend_hp[u], drop) for u in plan}
        total = 0.0
        for e in self.foes:
            if alive[e] < MIN_CHANCE:
                continue
            threats, worst, chance, target = self.threats[e], 0.0, 0.0, -1
            for u, order in plan.items():
                if (here := threats[u][order.row][order.cell]) and here * loss[u] > worst:
                    worst, chance, target = here * loss[u], here, u
            if target >= 0:
                total += alive[e] * worst
                friend_hp[target] = _hit(friend_hp.get(target) or _certain(hps[target]), alive[e] * chance)
                loss[target] = _mean(friend_hp[target], drop)
        return total

    def _prospects(
        self, plan: Mapping[int, Candidate], gain: Mapping[int, float], friend_hp: Mapping[int, HitPoints]
    ) -> float:
        """Return the value of the best attack of each machine in its next phase, if the enemies stay."""
        total = 0.0
        for u, order in plan.items():
            cell = order.cell
            best = max([row[cell] * gain[e] for e, row in self.aims[u]])
            total += best * (1 - friend_hp[u][0]) if u in friend_hp else best
        return total

    def candidates(self, unit: int, rng: Rng) -> list[Candidate]:
        """Return the attacks of a machine and its best orders without an attack.

        Orders without an attack are compared as if the machine were alone.
        """
        battle, state, weights = self.battle, self.state, self.weights
        cell, targets = state.cells[unit], battle.targets(state)
        enemies, friends = battle.standing_at(state, state.seat)
        friends &= ~(1 << cell)
        ends = {
            (end, ROWS[action]): (unit, action, end, target, index)
            for action, end, target, index in (
                *battle.guards(cell, enemies | friends),
                *battle.going(cell, enemies, friends)[::-1],
            )
        }
        quiet = [Candidate(move, end, row) for (end, row), move in ends.items()]
        # The start of the list is random, so that of equal orders not always the same one is chosen.
        start = rng.below(len(quiet))
        quiet = quiet[start:] + quiet[:start]
        threats = [self.threats[e][unit] for e in self.foes]
        aims = [(self.drop[state.hps[e]], row) for e, row in self.aims[unit]]

        def alone(order: Candidate) -> float:
            end, row = order.cell, order.row
            aim = max([gain * chances[end] for gain, chances in aims])
            return weights.aim * aim - weights.risk * sum([rows[row][end] for rows in threats]) - self.way[end]

        quiet.sort(key=alone, reverse=True)
        attacks = [*battle.shots(unit, cell, targets), *battle.melees(unit, cell, enemies | friends, targets)]
        return [*(self.attack(move) for move in attacks), *quiet[: weights.width]]

    def attack(self, move: Move) -> Candidate:
        """Return an attack with its chances."""
        unit, action, cell, target, _ = move
        shots, hurts, costs = self.tables.attack(unit, target, ROWS[self.state.lasts[target]])
        if action == F:
            hurts, costs = shots[self.tables.far[cell][self.state.cells[target]]], 0.0
        return Candidate(move, cell, 0, target, hurts, costs)

    def present(self, unit: int) -> Candidate:
        """Return the order of a machine that has already acted in this phase, or a guard on its hex."""
        state = self.state
        cell, last = state.cells[unit], state.lasts[unit]
        if not state.acted >> unit & 1:
            return Candidate((unit, D, cell, -1, 0), cell, ROWS[D])
        for attacker, target, action in state.attacks:
            if attacker == unit:
                return self.attack((unit, action, cell, target, 0))
        return Candidate((unit, last, cell, -1, 0), cell, ROWS[last])


def _certain(hp: int) -> HitPoints:
    """Return the chances of a machine that certainly has this number of hit points."""
    return [0.0] * hp + [1.0]


def _mean(chances: HitPoints, values: Sequence[float]) -> float:
    """Return the mean of values by hit points."""
    return sum([p * v for p, v in zip(chances, values, strict=False)])


class PlanningPlayer:
    """A strong player, which chooses the plan of the highest value that it finds.

    All machines start with a guard. The order of one machine after another is replaced by its best order, given the
    orders of the others, until no order changes.
    """

    def __init__(self, name: str, weights: Mapping[str, int]) -> None:
        self.name, self.weights = name, Weights(weights)

    def __call__(self, battle: Battle, state: State, rng: Rng) -> Move:
        """Return the next order of the plan. The plan is made at the start of a phase.

        A new plan is made if the state is not the one that the plan leads to. The random numbers identify the game.
        """
        kept = battle.notes.get((self.name, state.seat))
        orders = kept[2] if kept and kept[0] is rng and kept[1] == state else self._plan(battle, state, rng)
        battle.notes[self.name, state.seat] = rng, battle.act(state, orders[0]), orders[1:]
        return orders[0]

    def _plan(self, battle: Battle, state: State, rng: Rng) -> tuple[Move, ...]:
        """Return the orders of all machines that may act."""
        if "tables" not in battle.notes:
            battle.notes["tables"] = Tables(battle)
        phase = Phase(battle.notes["tables"], self.weights, battle, state)
        able = battle.able(state)
        plan = {u: phase.present(u) for u in phase.friends}
        candidates = {u: phase.candidates(u, rng) for u in able}
        best = phase.value(plan)
        for _ in range(MAX_SWEEPS):
            before = best
            for u in able:
                kept, taken = plan[u], {order.cell for other, order in plan.items() if other != u}
                for order in candidates[u]:
                    if order.cell in taken or order is kept:
                        continue
                    plan[u] = order
                    if (value := phase.value(plan)) > best:
                        best, kept = value, order
                plan[u] = kept
            if best == before:
                break
        return tuple(plan[u].move for u in able)


STRONG = strong_policies(
    "battling", {name: PlanningPlayer(name, of.weights) for name, of in players("battling").strong.items()}
)
"""The strong players."""
