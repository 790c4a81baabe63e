"""The computer players of Travel Battle, which rate decisions with the weights in players.toml.

All values are in hundredths of a lost unit, and are computed from the exact odds that the tables print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from zlib import crc32

from generator.common.playing import players
from generator.games.travel_battle.forces import Kind
from generator.games.travel_battle.playfield import (
    AGAIN,
    ANEW,
    ASIDE,
    DONE,
    FIGHT,
    FIRE,
    FORM,
    GO,
    KEEP,
    LEAVE,
    MAX_CACHED,
    MEET,
    MOVE,
    SHOOT,
    TAKE,
    FieldTables,
    Move,
    State,
    backwards,
    bits,
)
from generator.games.travel_battle.playing import Battle
from generator.games.travel_battle.prospects import fight
from generator.games.travel_battle.tables import Fight, Fighters, MassedOn, Shot, artillery
from generator.seeds import Rng

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Whole: TypeAlias = "npt.NDArray[Any]"
"""An array of integers for all squares, usually with a row for each kind of unit."""
HUNDRED = 100
NEVER = -(10**6)
BITS_BY_SEAT = (bits, backwards)
"""The functions that list squares in the order of each seat, so that players act alike in a battle and its 180° turn.
"""
PATIENCE_SPREAD = 6
"""The number of turns by which a player's patience varies between games. Without this variation, the first player
would always have to attack first.
"""


@lru_cache(4096)  # as many entries as there are combinations of dice
def melee_losses(attack: int, defend: int, again: bool, answer: bool, rallies: tuple[int, int]) -> tuple[int, int]:
    """Return how many of 100 melees cost the defender a unit, and how many cost the attacker a unit.

    `again` and `answer` state whether the attacker and the defender may re-roll. `rallies` contains the lowest
    dice that rally the defender and the attacker.
    """
    of = Fight(Fighters(attack, again), Fighters(defend, answer))
    return int(HUNDRED * of.defender_lost(rallies[0])), int(HUNDRED * of.attacker_lost(rallies[1]))


class Weights:
    """The weights of a computer player."""

    def __init__(self, name: str, of: Mapping[str, int]) -> None:
        self.name = name
        self.cost, self.bold, self.near = of["cost"], of["bold"], of["near"]
        self.risk, self.rush = of["risk"], of["rush"]
        self.halt, self.shy, self.patience = of["halt"], of["shy"], of["patience"]
        self.link, self.gang, self.pair, self.slack = of["link"], of["gang"], of["pair"], of["slack"]
        self.ground, self.high, self.square, self.range = of["ground"], of["high"], of["square"], of["range"]
        self.task, self.finish = of["task"], of["finish"]


class SquareValues:
    """The values of squares for one side, for a fixed position of its enemies."""

    def __init__(self, worth: Sequence[Sequence[float]], horse: int, foot: int, contact: int) -> None:
        self.worth = worth
        """The value of each square for each kind of unit, without melees."""
        self.horse, self.foot = horse, foot
        """The squares that enemy cavalry can attack in the next turn, and the squares that other enemies can attack.
        """
        self.contact = contact
        """The squares that touch an enemy."""
        self.prizes: dict[tuple[int, int], int] = {}
        """The value for a kind of unit of attacking the enemy on a square, computed on demand."""


class Evaluator:
    """The values of squares that depend only on terrain and odds."""

    def __init__(self, battle: Battle) -> None:
        global np
        import numpy as np  # not needed to generate a battle

        self.battle = battle
        self.field = field = battle.field
        rows, columns = np.divmod(np.arange(len(field.touch)), field.columns)
        far = np.maximum(np.abs(rows[:, None] - rows), np.abs(columns[:, None] - columns))
        self.far: Whole = far.astype(np.int16)
        """The distance between each two squares, in steps."""
        self.kinds = field.kinds
        # All values are small whole numbers, which floats add without rounding, so both sides get equal results.
        self._costs = np.array([[self._cost(kind, enemy) for enemy in self.kinds] for kind in self.kinds], np.float32)
        self._reached = np.concatenate([self._cost_zone(kind) for kind in self.kinds])
        self._melees: dict[tuple[int, ...], tuple[int, int]] = {}
        self._tables: dict[object, Whole] = {}
        self._scenes: dict[tuple[str, int, bool], tuple[object, SquareValues]] = {}

    def _cost(self, kind: Kind, enemy: Kind) -> int:
        """Return the cost to a unit of an enemy in contact, or of a gun that fires from the shortest distance."""
        if not kind.fights or not enemy.fights:
            return 0
        if enemy.arm == "artillery":
            return int(HUNDRED * Shot(artillery().near).removes(kind.rally))
        of = fight(enemy, kind)
        return int(HUNDRED * of.defender_lost(kind.rally))

    def _cost_zone(self, kind: Kind) -> npt.NDArray[np.float32]:
        """Return the percentage of the cost that an enemy on each square causes on each other square."""
        if kind.arm != "artillery":
            return (HUNDRED * (self.far <= kind.move + 1)).astype(np.float32)
        near, max_range = artillery().near, artillery().range
        hits = [int(HUNDRED * Shot(n).hits / Shot(near).hits) if n >= near else 0 for n in range(max_range + 1)]
        return np.array([*hits, 0], np.float32)[np.minimum(self.far, max_range + 1)]

    def square_values(self, weights: Weights, state: State, seat: int, eager: bool) -> SquareValues:
        """Return the values of squares for a player, which are cached until the enemies move."""
        half = self.field.half
        key = (state.cells[half:] if seat == 0 else state.cells[:half]), state.squares & self.field.side[1 - seat]
        kept = self._scenes.get((weights.name, seat, eager))
        if kept is None or kept[0] != key:
            self._scenes[weights.name, seat, eager] = kept = (
                key,
                self._make_square_values(weights, state, seat, eager),
            )
        return kept[1]

    def _make_square_values(self, weights: Weights, state: State, seat: int, eager: bool) -> SquareValues:
        field, cells = self.field, state.cells
        enemies = [u for u in bits(field.fighters & field.side[1 - seat]) if cells[u] >= 0]
        kinds, at = [field.kind[u] for u in enemies], [cells[u] for u in enemies]
        reached = [kind * len(field.touch) + cell for kind, cell in zip(kinds, at, strict=True)]
        risk = self._costs.take(kinds, axis=1) @ self._reached.take(reached, axis=0)
        risk *= (weights.rush if eager else weights.risk) / HUNDRED**2
        worth = self._distance_value(weights, eager).take(np.minimum.reduce(self.far.take(at, axis=0)), axis=1)
        worth += self._ground(weights, seat)
        worth -= risk
        horse = foot = 0
        for u in enemies if weights.square else ():
            if field.speed[u] > 1:
                horse |= 1 << cells[u]
            else:
                foot |= 1 << cells[u]
        threats = (
            field.with_neighbours(field.with_neighbours(field.with_neighbours(horse))),
            field.with_neighbours(field.with_neighbours(foot)),
        )
        # Only few squares are read. Conversion of all squares to lists would take longer than everything else.
        rows: list[Any] = [row.data for row in worth]
        return SquareValues(rows, *threats, field.with_neighbours(state.men[1 - seat]))

    def melee(self, attackers: int, foes: int, squares: int, cells: Sequence[int]) -> tuple[int, int]:
        """Return how many of 100 melees between these units cost a defender, and how many cost an attacker."""
        field, defenders = self.field, bits(foes)
        ground = [field.defence[cells[u]] for u in defenders]
        key = attackers, foes, squares & (attackers | foes), *ground
        if (found := self._melees.get(key)) is None:
            if len(self._melees) >= MAX_CACHED:
                self._melees.clear()
            ours = bits(attackers)
            attack = sum([field.dice(u, defenders, squares) for u in ours])
            defend = sum([field.dice(u, ours, squares, more) for u, more in zip(defenders, ground, strict=True)])
            rallies = min([field.rally[u] for u in defenders]), min([field.rally[u] for u in ours])
            again = bool(attackers & field.rerolls), bool(foes & field.rerolls)
            found = self._melees[key] = melee_losses(attack, defend, *again, rallies)
        return found

    def _distance_value(self, weights: Weights, eager: bool) -> Whole:
        """Return the value of each distance to the nearest enemy for each kind of unit."""
        key = weights.name, "lure", eager
        if key not in self._tables:
            max_distance = max(self.field.rows, self.field.columns)
            table = np.zeros((len(self.kinds), max_distance), np.float32)
            for row, kind in enumerate(self.kinds):
                halt = weights.range if kind.arm == "artillery" else 1 if eager else weights.halt
                table[row] = [
                    -weights.near * (n - halt) if n >= halt else weights.shy * (n - halt) for n in range(max_distance)
                ]
            self._tables[key] = table
        return self._tables[key]

    def _ground(self, weights: Weights, seat: int) -> Whole:
        """Return the value of the terrain and the objective on each square for each kind of unit."""
        key = weights.name, "ground", seat
        if key not in self._tables:
            field, goal = self.field, self.battle.goal
            cover, defence, height = map(np.array, (field.cover, field.defence, field.height))
            edge = field.edges[1 - seat] if goal.kind == "break" and seat == self.battle.tasked else 0
            table = np.zeros((len(self.kinds), len(field.touch)), np.float32)
            for row, kind in enumerate(self.kinds):
                if kind.arm == "infantry":
                    table[row] += weights.ground * (cover + defence)
                if kind.arm == "artillery":
                    table[row] += weights.high * ((height > 0) * 1 - (cover > 0))
                for cells in (field.zone, edge):
                    if kind.fights and cells:
                        table[row] -= weights.task * self.far[list(bits(cells))].min(axis=0)
            self._tables[key] = table
        return self._tables[key]


class PolicyPlayer:
    """A computer player that uses the weights of a policy."""

    def __init__(self, name: str) -> None:
        self.weights = Weights(name, players("travel_battle").policy[name].weights)

    def __call__(self, battle: Battle, state: State, stream: Rng) -> Move:
        """Return a legal decision. A policy uses a random number only once in a game, for its patience."""
        stage = state.stage
        if stage == MOVE:
            return self._choose_move(battle, state, stream)
        if stage == FIGHT:
            return self._choose_melee(battle, state)
        if stage == FIRE:
            return self._choose_shot(battle, state)
        if stage == AGAIN:
            attackers, _, values, who = state.pending
            attacking, defending = max(values[: len(attackers)]), max(values[len(attackers) :])
            return ANEW if (attacking < defending if who == state.seat else defending < attacking) else KEEP
        if stage == ASIDE:
            (chief,) = state.pending
            return GO, chief, self._brigadier_cell(battle, state, chief, battle.step_aside_cells(state, chief))
        units: tuple[int, ...] = state.pending[0]
        return TAKE, min(units, key=lambda u: unit_value(battle.field.units[u].kind)), 0

    def _choose_move(self, battle: Battle, state: State, stream: Rng) -> Move:
        """Return the move of the next unit that can reach a better square, with the brigadiers last.

        Each unit is considered once a turn.
        """
        field, seat, cells = battle.field, state.seat, state.cells
        waiting = state.ready & ~state.done
        if not waiting:
            return DONE
        square_values = evaluator_of(battle).square_values(
            self.weights, state, seat, self._eager(battle, state, seat, _extra_patience(stream.path))
        )
        contact = square_values.contact
        brigade = mates = -1
        fighters, breaks, done = field.fighters, battle.goal.kind == "break", state.done & field.side[seat]
        # Only units after the last one that has moved are considered. Once a brigadier has moved, only brigadiers
        # remain.
        later = 0 if done & ~fighters else waiting & fighters & -1 << (done & fighters).bit_length()
        for u in bits(later):
            here = cells[u]
            if breaks and battle.may_leave(state, u):
                return LEAVE, u, 0
            # A unit that touches an enemy stays to fight, and a gun with a target stays to fire.
            if contact >> here & 1 or (field.guns >> u & 1 and self._has_target(battle, state, u)):
                continue
            if field.brigade[u] != brigade:
                brigade = field.brigade[u]
                mates = brigade_squares(field, cells, brigade)
            cell = self._best_cell(battle, state, square_values, u, mates)
            if cell != here:
                return GO, u, cell
        if self.weights.square and (squares := self._unit_to_form(battle, state, square_values)) >= 0:
            return FORM, squares, 0
        for u in bits(waiting & ~fighters & -1 << (done & ~fighters).bit_length()):
            here = cells[u]
            near = field.touch[here]
            mates = brigade_squares(field, cells, field.brigade[u]) & ~(1 << here)
            if contact >> here & 1 or (near & mates).bit_count() < min(2, mates.bit_count()):
                cell = self._brigadier_cell(
                    battle, state, u, battle.reach(state, u) & ~state.chiefs[1 - seat] | 1 << here
                )
                if cell != here:
                    return GO, u, cell
        return DONE

    def _eager(self, battle: Battle, state: State, seat: int, mood: int) -> bool:
        """Return whether it is time to attack."""
        goal = battle.goal.kind
        if goal in ("survive", "protect"):
            return seat != battle.tasked
        return (
            goal in ("destroy", "break") and seat == battle.tasked
        ) or state.clock >= 2 * self.weights.patience + mood

    def _has_target(self, battle: Battle, state: State, gun: int) -> bool:
        """Return whether a gun that does not touch an enemy has a target from its square."""
        field, seat, here = battle.field, state.seat, state.cells[gun]
        friends, foes = state.men[seat], state.men[1 - seat]
        near = field.ranged(here) & foes
        if near:
            near &= ~field.with_neighbours(friends)
        return bool(near and field.in_sight(here, near, friends | foes | state.chiefs[0] | state.chiefs[1]))

    def _unit_to_form(self, battle: Battle, state: State, square_values: SquareValues) -> int:
        """Return a unit that should form square against cavalry alone or dissolve its square afterwards, or -1."""
        if square_values.horse & state.men[state.seat] or state.squares:
            for u in bits(battle.forming(state)):
                cell = state.cells[u]
                charged = square_values.horse >> cell & 1 and not square_values.foot >> cell & 1
                if charged != state.squares >> u & 1:
                    return u
        return -1

    def _best_cell(self, battle: Battle, state: State, square_values: SquareValues, unit: int, mates: int) -> int:
        """Return the best square for a unit, which is its present square unless another square is clearly better."""
        field, seat, weights, here = battle.field, state.seat, self.weights, state.cells[unit]
        worth, contact, friends = square_values.worth[field.kind[unit]], square_values.contact, state.men[seat]
        reach, ordered = battle.reach(state, unit), BITS_BY_SEAT[seat]
        if not state.double >> here & 1:
            mates &= ~(1 << here)
        links = field.with_neighbours(mates)
        best, chosen = worth[here] + weights.slack + (weights.link if links >> here & 1 else 0), here
        plain = reach & ~contact & ~friends
        for cells, more in ((plain & links, weights.link), (plain & ~links, 0)):
            if cells:
                cell = max(ordered(cells), key=worth.__getitem__)
                if worth[cell] + more > best:
                    best, chosen = worth[cell] + more, cell
        if reach & contact:
            friends &= ~(1 << here)
            evaluator = evaluator_of(battle)
            for cell in ordered(reach & contact):
                value = worth[cell] + self._melee_value(evaluator, state, square_values, unit, cell, friends)
                value += weights.link if links >> cell & 1 else 0
                if value > best:
                    best, chosen = value, cell
        return chosen

    def _melee_value(
        self, evaluator: Evaluator, state: State, square_values: SquareValues, unit: int, cell: int, friends: int
    ) -> int:
        """Return the value of the best melee from a square, which is greater if friends touch the same enemies."""
        weights, field, prizes = self.weights, evaluator.field, square_values.prizes
        foes, kind = field.touch[cell] & state.men[1 - field.seat[unit]], field.kind[unit]
        best = NEVER
        for there in bits(foes):
            if (prize := prizes.get((kind, there))) is None:
                enemy = state.cells.index(there)
                won, lost = evaluator.melee(1 << unit, 1 << enemy, state.squares & ~(1 << unit), state.cells)
                prize = prizes[kind, there] = won * self._enemy_value(field, state.cells, enemy) - weights.cost * lost
            if prize > best:
                best = prize
        helped = (field.with_neighbours(foes) & friends).bit_count()
        return best // HUNDRED + weights.bold + weights.gang * helped + (weights.pair if friends >> cell & 1 else 0)

    def _enemy_value(self, field: FieldTables, cells: Sequence[int], enemy: int) -> int:
        """Return the value of an enemy, which is higher if its brigade has few units left."""
        fighters = field.brigades[field.brigade[enemy]][1]
        return HUNDRED + self.weights.finish // sum([cells[u] >= 0 for u in bits(fighters)])

    def _brigadier_cell(self, battle: Battle, state: State, chief: int, cells: int) -> int:
        """Return a brigadier's best square, which links as many units as possible and is away from enemies.

        The largest group of the brigade matters most.
        """
        field, seat, here = battle.field, battle.field.seat[chief], state.cells[chief]
        mates = brigade_squares(field, state.cells, field.brigade[chief]) & ~(1 << here)
        foes = field.with_neighbours(state.men[1 - seat])
        free = mates & ~foes or mates
        near, wide = field.touch, field.with_neighbours(field.with_neighbours(mates))
        best, chosen = NEVER, here
        seen = BITS_BY_SEAT[seat]
        # A square far from the whole brigade has a value of at most 2.
        for some in (cells & field.with_neighbours(mates), cells):
            for cell in seen(some):
                there = near[cell] & mates
                value = 4 * (there & free).bit_count() + 2 * there.bit_count() + (wide >> cell & 1)
                value += (cell == here) - 9 * (foes >> cell & 1)
                if value > best:
                    best, chosen = value, cell
            if best > 2:
                break
            best = NEVER
        return chosen

    def _choose_shot(self, battle: Battle, state: State) -> Move:
        """Return the shot that is most likely to remove a unit. Two units on a square count twice."""
        field, seat, best, chosen = battle.field, state.seat, NEVER, DONE
        for gun, targets in battle.shots(state):
            for cell in BITS_BY_SEAT[seat](targets):
                units = battle.on(state, cell)
                squared = bool(state.squares >> units[0] & 1)
                value = shot_losses(
                    field.distance(state.cells[gun], cell),
                    field.cover[cell],
                    squared or len(units) > 1,
                    cast(MassedOn, battle.massed_on),
                    field.rally[units[0]],
                ) * len(units)
                if value > best:
                    best, chosen = value, (SHOOT, gun, cell)
            return chosen
        return chosen

    def _choose_melee(self, battle: Battle, state: State) -> Move:
        """Return the melee of the highest value, with some or all of the units in contact on either side.

        If two units touch only each other, their melee is returned without an evaluation.
        """
        touch = battle.field.touch
        attackers, defenders, attacker_cells, defender_cells = battle.groups(state)
        if state.seat:
            attackers, defenders = dict(reversed(attackers.items())), dict(reversed(defenders.items()))
        for cell, units in attackers.items():
            if (near := touch[cell] & defender_cells) and near & near - 1 == 0:
                there = near.bit_length() - 1
                if (touch[there] & attacker_cells).bit_count() == 1:
                    return MEET, units, defenders[there]
        evaluator = evaluator_of(battle)
        prices = {
            u: self._enemy_value(evaluator.field, state.cells, u) for units in defenders.values() for u in bits(units)
        }
        best, chosen = NEVER, DONE
        for cell, units in defenders.items():
            around = [group for near, group in attackers.items() if touch[cell] >> near & 1]
            for group in (sum(around), *around) if len(around) > 1 else around:
                value = self._fight_value(evaluator, state, prices, group, units)
                if value > best:
                    best, chosen = value, (MEET, group, units)
        for cell, units in attackers.items():
            around = [group for near, group in defenders.items() if touch[cell] >> near & 1]
            if len(around) > 1:
                value = self._fight_value(evaluator, state, prices, units, sum(around))
                if value > best:
                    best, chosen = value, (MEET, units, sum(around))
        return chosen

    def _fight_value(
        self, evaluator: Evaluator, state: State, prices: Mapping[int, int], attackers: int, defenders: int
    ) -> int:
        """Return the value of a melee."""
        won, lost = evaluator.melee(attackers, defenders, state.squares, state.cells)
        return won * min([prices[u] for u in bits(defenders)]) - self.weights.cost * lost


def unit_value(kind: Kind) -> int:
    """Return the rank of a kind's value. Kinds that may re-roll rank highest, then cavalry and guns."""
    return 2 * kind.rerolls + (kind.arm != "infantry")


@lru_cache(4096)  # one entry for each distance, terrain, formation, ruling and kind
def shot_losses(distance: int, cover: int, massed: bool, on: MassedOn, rally: int) -> int:
    """Return how many of 10,000 shots remove a unit. Shots that only stop it for a turn count as a quarter."""
    of = Shot(distance, cover, massed, on)
    return int(HUNDRED**2 * (of.removes(rally) + of.odds["turned"] / 4))


@lru_cache(1 << 12)  # more than the games that are played at the same time
def _extra_patience(path: str) -> int:
    """Return the additional patience of a player, in turns, in the game with that random stream."""
    return crc32(path.encode()) % PATIENCE_SPREAD


def brigade_squares(field: FieldTables, cells: Sequence[int], brigade: int) -> int:
    """Return the squares of a brigade, including its brigadier's square."""
    _, fighters, chief = field.brigades[brigade]
    there = 1 << cells[chief] if cells[chief] >= 0 else 0
    for u in bits(fighters):
        if cells[u] >= 0:
            there |= 1 << cells[u]
    return there


def evaluator_of(battle: Battle) -> Evaluator:
    """Return the values of squares in a battle, which all its games share."""
    found: Evaluator | None = battle.notes.get("eyes")
    if found is None:
        found = battle.notes["eyes"] = Evaluator(battle)
    return found
