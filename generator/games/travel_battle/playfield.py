"""Tables and states for playing a battle fast, and the legal decisions in each state.

The tables are built once with the functions that also check and print scenarios. A turn consists of moves, one
after another, then fire of guns, and melees in the combinations that the player chooses. Squares are numbered in
the field's order, units in the order of the armies, Blue's first. Sets of squares or units are bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import msgspec

from generator.common.playing import DICE
from generator.games.travel_battle.model import SIDES, Scenario, Unit
from generator.games.travel_battle.play import gun_looks, march
from generator.games.travel_battle.prospects import fight
from generator.games.travel_battle.tables import DIE_FACES, artillery
from generator.sight.squares import Screens

GONE, OFF = -1, -2
"""The values that replace a unit's square if the unit has been removed or has left over the enemy's edge."""
MAX_CACHED = 1 << 14
"""The maximum number of cached results of lines of sight."""


@lru_cache(1 << 16)  # enough for the reachable squares and units of several games
def bits(of: int) -> tuple[int, ...]:
    """Return the numbers in a set in ascending order.

    The results are cached, because the same sets occur very often.
    """
    found = []
    while of:
        low = of & -of
        found.append(low.bit_length() - 1)
        of ^= low
    return tuple(found)


@lru_cache(1 << 16)  # the same size as that of `bits`
def backwards(of: int) -> tuple[int, ...]:
    """Return the numbers in a set in descending order."""
    return bits(of)[::-1]


MOVE, FIRE, FIGHT, ASIDE, AGAIN, LOSE, HIT, EFFECT, RALLY, ROLL, RETHROW, OVER = range(12)
"""The stages of a state. From HIT on, dice are rolled next. Up to FIGHT, the player whose turn it is decides."""

Move = tuple[int, int, int]
"""A decision, as its type and two numbers."""
GO, FORM, LEAVE, END, SHOOT, MEET, CHOOSE, TAKE = range(8)
"""The types of decisions. In GO, a unit moves to a square, or a brigadier steps aside to it. In FORM, a unit forms or
dissolves square. In LEAVE, a unit leaves over the enemy's edge. END ends the stage. In SHOOT, a gun fires at a
square. In MEET, a set of units fights another set. In CHOOSE, a die is re-rolled (1) or kept (0). In TAKE, a unit
suffers the result.
"""
DONE: Move = (END, 0, 0)
KEEP: Move = (CHOOSE, 0, 0)
ANEW: Move = (CHOOSE, 1, 0)


class State(NamedTuple):
    """The state of a battle at one moment.

    The fields that change most often come first.
    """

    stage: int
    clock: int
    """The number of completed player turns."""
    first: int
    cells: tuple[int, ...]
    """The square of each unit."""
    men: tuple[int, int]
    """The squares of each seat's fighting units."""
    chiefs: tuple[int, int]
    """The squares of each seat's brigadiers."""
    double: int
    """The squares that two units share."""
    squares: int
    """The units in square."""
    held: int
    """The units that may not move in their player's present or next turn."""
    ready: int
    """The units that may move in this turn because they were linked when it began."""
    done: int
    """The units that have moved or fired in this turn, or during melees the units that have fought."""
    pending: tuple[Any, ...]
    """The details of the stage, such as the units that fight."""
    task: int
    """The number of consecutive rounds for which the zone was held. After the end, the winner's seat, or 2 for a
    draw.
    """

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return (self.clock + self.first) & 1


class FieldTables:
    """The facts of a scenario that do not change during play."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.terrain_map = terrain_map = scenario.battlefield.terrain_map
        self.grid = grid = terrain_map.field
        self.columns, self.rows = grid.columns, grid.rows
        self._ground()
        self._armies()
        self._dice()
        self.touch = [sum(1 << grid.index[n] for n in grid.neighbours(cell)) for cell in grid.cells]
        self.strict = scenario.rulings["road_strict"] == "yes"
        self.run_home = scenario.rulings["run_edge"] == "own"
        self.looks = gun_looks(terrain_map, scenario.rulings["sight"])
        self._ranges: dict[int, int] = {}
        self._in_sight: dict[tuple[int, int, int], int] = {}
        self._screens = -1, terrain_map.screens
        """The occupied squares, and the squares that then block sight."""

    def _ground(self) -> None:
        grid = self.grid
        terrain = [self.terrain_map.terrain(cell) for cell in grid.cells]
        self.all = (1 << len(terrain)) - 1
        self.opens = sum(1 << i for i, t in enumerate(terrain) if t.open)
        self.roads = sum(1 << i for i, t in enumerate(terrain) if t.road)
        self.cover = [t.cover for t in terrain]
        self.defence = [t.defence for t in terrain]
        self.height = [t.height for t in terrain]
        row = (1 << self.columns) - 1
        self.edges = (row, row << self.columns * (self.rows - 1))
        """The squares of each seat's own edge."""
        last = sum(1 << self.columns * (r + 1) - 1 for r in range(self.rows))
        self._not_last, self._not_first = self.all & ~last, self.all & ~(last >> self.columns - 1)

    def _armies(self) -> None:
        scenario = self.scenario
        self.units: list[Unit] = [unit for side in SIDES for unit in scenario.armies[side].units]
        self.half = len(scenario.armies[SIDES[0]].units)
        every = range(len(self.units))
        self.seat = [int(u >= self.half) for u in every]
        self.side = [sum(1 << u for u in every if self.seat[u] == seat) for seat in (0, 1)]
        self.fighters = self._of(lambda unit: unit.kind.fights)
        self.guns = self._of(lambda unit: unit.kind.arm == "artillery")
        self.foot = self._of(lambda unit: unit.kind.arm == "infantry")
        self.ranks = [seat + 2 * (not unit.kind.fights) for seat, unit in zip(self.seat, self.units, strict=True)]
        """The seat of each unit, plus two for brigadiers."""
        self.rerolls = self._of(lambda unit: unit.kind.rerolls)
        self.rally = [unit.kind.rally for unit in self.units]
        index = self.grid.index
        self.at = tuple(GONE if unit.cell is None else index[unit.cell] for unit in self.units)
        """The squares on which the units are set up."""
        self.squares = self._of(lambda unit: unit.square)
        admits = {
            arm: sum(1 << index[cell] for cell in self.grid.cells if self.terrain_map.admits(cell, arm))
            for arm in {unit.kind.arm for unit in self.units}
        }
        self.admits = [admits[unit.kind.arm] for unit in self.units]
        self.speed = [unit.kind.move for unit in self.units]
        self.brigades: list[tuple[int, int, int]] = []
        """The seat, the fighting units, and the brigadier (or -1) of each brigade."""
        self.brigade = [0] * len(self.units)
        """The index of each unit's brigade."""
        number = {unit.id: u for u, unit in enumerate(self.units)}
        for seat, side in enumerate(SIDES):
            for brigade in scenario.armies[side].brigades:
                ids = [number[unit.id] for unit in brigade.units]
                for u in ids:
                    self.brigade[u] = len(self.brigades)
                chief = number[brigade.brigadier.id] if brigade.brigadier else -1
                self.brigades.append((seat, sum(1 << u for u in ids) & self.fighters, chief))
        self.leader = [self.brigades[brigade][2] for brigade in self.brigade]
        self.wanted = sum(1 << number[name] for name in set(scenario.objective.units) & number.keys())
        self.zone = sum(1 << index[cell] for cell in set(scenario.objective.cells))

    def _of(self, holds: Callable[[Unit], bool]) -> int:
        """Return the set of units for which a condition is true."""
        return sum(1 << u for u, unit in enumerate(self.units) if holds(unit))

    def _dice(self) -> None:
        """Compute the number of dice of all kinds against each other, in square or not, for each bonus of terrain."""
        first = {unit.kind: unit for unit in reversed(self.units)}
        self.kinds = kinds = list(dict.fromkeys(unit.kind for unit in self.units))
        self.kind = [kinds.index(unit.kind) for unit in self.units]
        shapes = [msgspec.structs.replace(first[kind], square=squared) for kind in kinds for squared in (False, True)]
        grounds = range(max(self.defence) + 1)
        self._throws = [
            [fight(other, shape, more).defender.dice for shape, other in product(shapes, shapes)] for more in grounds
        ]
        self._shapes = len(shapes)
        max_dice = max(max(row) for row in self._throws)
        self.highest = [tuple(f**n - (f - 1) ** n for f in range(1, DIE_FACES + 1)) for n in range(max_dice + 1)]
        """The number of outcomes in which each face is the highest, by the number of dice."""

    def dice(self, unit: int, others: Sequence[int], squares: int, ground: int = 0) -> int:
        """Return a unit's number of dice against other units.

        `ground` is the terrain's bonus for defending infantry.
        """
        row, kind = self._throws[ground], self.kind
        offset = (2 * kind[unit] + (squares >> unit & 1)) * self._shapes
        return min([row[offset + 2 * kind[other] + (squares >> other & 1)] for other in others])

    def distance(self, a: int, b: int) -> int:
        """Return the distance between two squares, in steps."""
        (row, column), (other_row, other_column) = divmod(a, self.columns), divmod(b, self.columns)
        return max(abs(row - other_row), abs(column - other_column))

    def with_neighbours(self, cells: int) -> int:
        """Return the squares and all their neighbours."""
        wide = cells | (cells & self._not_last) << 1 | (cells & self._not_first) >> 1
        return (wide | wide << self.columns | wide >> self.columns) & self.all

    def reach(self, unit: int, start: int, taken: int, barred: int) -> int:
        """Return the squares that a unit may reach without entering barred squares or crossing occupied ones."""
        admits, speed = self.admits[unit] & ~barred, self.speed[unit]
        if speed == 1 and not self.roads >> start & 1:
            return self.touch[start] & admits
        found, free = self._spread(start, speed, admits, taken)
        if self.roads >> start & 1:
            if self.strict:
                found |= self._spread(start, speed + march().road, admits & self.roads, taken)[0]
            else:
                seen = found | 1 << start
                for _ in range(march().road):
                    more = self.with_neighbours(free) & admits & ~seen
                    seen, free = seen | more, more & ~taken
                    found |= more & self.roads
        return found

    def _spread(self, start: int, steps: int, admits: int, taken: int) -> tuple[int, int]:
        """Return the squares within a number of steps, and those from which another step would be possible."""
        found = self.touch[start] & admits
        free, seen = found & ~taken, found | 1 << start
        for _ in range(steps - 1):
            more = self.with_neighbours(free) & admits & ~seen
            seen, free = seen | more, more & ~taken
            found |= more
        return found, free

    def may_leave(self, unit: int, start: int, taken: int) -> bool:
        """Return whether a unit can reach the enemy's edge and has a step left."""
        edge = self.edges[1 - self.seat[unit]]
        if edge >> start & 1:
            return True
        steps = self.speed[unit] - 1
        return steps > 0 and bool(self._spread(start, steps, self.admits[unit], taken)[0] & edge & ~taken)

    def linked(self, chief: int, cells: int) -> int:
        """Return the squares of a brigade that are connected to its brigadier's square."""
        chain = 1 << chief
        while True:
            longer = self.with_neighbours(chain) & cells | chain
            if longer == chain:
                return chain
            chain = longer

    def ranged(self, cell: int) -> int:
        """Return the squares within a gun's range."""
        if cell not in self._ranges:
            far, table = self.distance, artillery()
            squares = range(len(self.touch))
            self._ranges[cell] = sum(1 << c for c in squares if table.near <= far(cell, c) <= table.range)
        return self._ranges[cell]

    def in_sight(self, cell: int, targets: int, taken: int) -> int:
        """Return the target squares that are in sight if units are on the occupied squares."""
        key = cell, targets, taken
        if (found := self._in_sight.get(key)) is None:
            if len(self._in_sight) >= MAX_CACHED:
                self._in_sight.clear()
            if self._screens[0] != taken:
                ground = self.terrain_map.screens
                self._screens = taken, Screens(ground.heights, (ground.over[0] | taken, *ground.over[1:]))
            clear, screens = self.looks.clear, self._screens[1]
            found = self._in_sight[key] = sum(
                [1 << target for target in bits(targets) if clear(screens, cell, target)]
            )
        return found

    def behind(self, cell: int, seat: int) -> int:
        """Return the square directly behind another one from a seat's view, or -1 beyond the edge."""
        back = cell - self.columns if seat == 0 else cell + self.columns
        return back if 0 <= back < len(self.touch) else -1

    def stops(self, unit: int, cell: int, taken: int) -> int:
        """Return the square at an edge on which a running unit stops, or GONE if no square is free."""
        seat, (row, column) = self.seat[unit], divmod(cell, self.columns)
        rows, columns = self.rows - 1, self.columns - 1
        home, left = (row, column) if seat == 0 else (rows - row, columns - column)
        way = (
            0 if self.run_home else min(enumerate((home, left, columns - left, rows - home)), key=lambda of: of[1])[0]
        )
        # For each square, from its player's view, these are the distance along the edge from straight ahead, the
        # distance from the player's own edge, and the distance from the player's left.
        if way in (0, 3):
            line = [(abs(c - left), way, c, (0 if way == 0 else rows, c)) for c in range(columns + 1)]
        else:
            line = [(abs(r - home), r, 0, (r, 0 if way == 1 else columns)) for r in range(rows + 1)]
        free = self.admits[unit] & ~taken
        for *_, (r, c) in sorted(line):
            there = r * (columns + 1) + c if seat == 0 else (rows - r) * (columns + 1) + columns - c
            if free >> there & 1:
                return there
        return GONE


Contact = tuple[dict[int, int], dict[int, int], int, int]
"""The groups of both sides by square, and the set of these squares for each side."""


class TurnRules:
    """The rules of a turn, which determine who decides in a state and the legal decisions."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.field = FieldTables(scenario)
        self.goal = scenario.objective
        self.tasked = SIDES.index(self.goal.player) if self.goal.player else -1
        self._grouped: tuple[State | None, Contact] = None, ({}, {}, 0, 0)
        """The last state passed to `groups`, and its result."""
        self._fires: tuple[State | None, list[tuple[int, int]]] = None, []
        """The last state passed to `shots`, and its result."""

    def on(self, state: State, cell: int) -> list[int]:
        """Return the units on a square, in the order of the armies."""
        if state.double >> cell & 1:
            return [u for u, there in enumerate(state.cells) if there == cell]
        return [state.cells.index(cell)]

    def to_move(self, state: State) -> int:
        """Return the seat that decides next, or DICE plus the seat whose dice are rolled next."""
        stage, seat = state[0], state[1] + state[2] & 1
        if stage <= FIGHT:
            return seat
        pending = state.pending
        if stage == ROLL:
            attackers, _, values, _ = pending
            return DICE + (seat if len(values) < len(attackers) else 1 - seat)
        if stage in (HIT, EFFECT):
            return DICE + seat
        if stage == ASIDE:
            return 1 - seat
        if stage in (RALLY, LOSE):
            unit: int = pending[0][0]
            return self.field.seat[unit] + (DICE if stage == RALLY else 0)
        who: int = pending[3]
        return who if stage == AGAIN else DICE + who

    def moves(self, state: State) -> list[Move]:
        """Return all legal decisions, with units in their order and squares in the field's order."""
        stage, pending = state.stage, state.pending
        if stage == MOVE:
            return [*self._marches(state), DONE]
        if stage == ASIDE:
            return [(GO, pending[0], cell) for cell in bits(self.step_aside_cells(state, pending[0]))]
        if stage == FIRE:
            return [*((SHOOT, gun, cell) for gun, cells in self.shots(state) for cell in bits(cells)), DONE]
        if stage == FIGHT:
            return self.meetings(state)
        if stage == AGAIN:
            return [KEEP, ANEW]
        return [(TAKE, u, 0) for u in pending[0]] if stage == LOSE else []

    def _marches(self, state: State) -> list[Move]:
        found: list[Move] = []
        for u in bits(state.ready & ~state.done):
            found += [(GO, u, cell) for cell in bits(self.reach(state, u))]
            if self.may_leave(state, u):
                found.append((LEAVE, u, 0))
        found += [(FORM, u, 0) for u in bits(self.forming(state))]
        return sorted(found, key=lambda move: (move[1], move[0], move[2]))

    def reach(self, state: State, unit: int) -> int:
        """Return the squares that a unit may reach."""
        field, cells = self.field, state.cells
        seat, start = field.seat[unit], cells[unit]
        friends, foes = state.men[seat], state.men[1 - seat]
        taken = friends | foes | state.chiefs[0] | state.chiefs[1]
        barred = foes | friends | state.chiefs[seat]
        if field.foot >> unit & 1:
            near, farther = field.touch[start], field.speed[unit] - 1
            if field.roads >> start & 1:
                farther += march().road
            while farther:
                near, farther = field.with_neighbours(near), farther - 1
            if near := near & friends & field.opens & ~state.double & ~(1 << start):
                shares = field.foot & ~state.squares
                for cell in bits(near):
                    if shares >> cells.index(cell) & 1:
                        barred &= ~(1 << cell)
        return field.reach(unit, start, taken, barred)

    def _shares(self, state: State, unit: int) -> bool:
        """Return whether a unit allows other infantry on its square."""
        return bool((self.field.foot & ~state.squares) >> unit & 1)

    def forming(self, state: State) -> int:
        """Return the units that may form or dissolve square."""
        found = 0
        cells, free, squares = state.cells, self.field.opens & ~state.double, state.squares
        for u in bits(self.field.foot & self.field.side[state.seat] & ~state.done & ~state.held):
            if cells[u] >= 0 and (squares >> u & 1 or free >> cells[u] & 1):
                found |= 1 << u
        return found

    def may_leave(self, state: State, unit: int) -> bool:
        """Return whether a unit may leave over the enemy's edge, if this is its side's objective."""
        field = self.field
        if self.goal.kind != "break" or field.seat[unit] != self.tasked or not field.fighters >> unit & 1:
            return False
        taken = state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]
        return field.may_leave(unit, state.cells[unit], taken)

    def step_aside_cells(self, state: State, chief: int) -> int:
        """Return the squares to which a brigadier may step aside."""
        field, here = self.field, state.cells[chief]
        taken = state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]
        return field.with_neighbours(field.touch[here]) & field.admits[chief] & ~taken & ~(1 << here)

    def shots(self, state: State) -> list[tuple[int, int]]:
        """Return the guns that may fire, each with its possible target squares."""
        if self._fires[0] is state:
            return self._fires[1]
        field, seat = self.field, state.seat
        friends, foes = state.men[seat], state.men[1 - seat]
        targets = foes & ~field.with_neighbours(friends)
        found: list[tuple[int, int]] = []
        for gun in bits(field.guns & field.side[seat] & ~state.done) if targets else ():
            here = state.cells[gun]
            if here < 0 or field.touch[here] & foes:
                continue
            near = field.ranged(here) & targets
            seen = near and field.in_sight(here, near, friends | foes | state.chiefs[0] | state.chiefs[1])
            if seen:
                found.append((gun, seen))
        self._fires = state, found
        return found

    def groups(self, state: State) -> Contact:
        """Return the squares in contact with their units that have not yet fought, the active player's side first."""
        if self._grouped[0] is state:
            return self._grouped[1]
        field, seat, done = self.field, state.seat, state.done
        index, double = state.cells.index, state.double
        men = state.men[seat], state.men[1 - seat]
        groups: tuple[dict[int, int], dict[int, int]] = {}, {}
        all_ = [0, 0]
        for side, there in enumerate(groups):
            friends, enemies = men[side], men[1 - side]
            for cell in bits(friends & field.with_neighbours(enemies)):
                units = sum([1 << u for u in self.on(state, cell)]) if double >> cell & 1 else 1 << index(cell)
                if units := units & ~done:
                    there[cell] = units
                    all_[side] |= 1 << cell
        self._grouped = state, (*groups, all_[0], all_[1])
        return self._grouped[1]

    def meetings(self, state: State) -> list[Move]:
        """Return each possible melee of several groups against one that they touch, or of one against several."""
        attackers, defenders, *_ = self.groups(state)
        found: list[Move] = []
        for cell, units in defenders.items():
            around = [group for near, group in attackers.items() if self.field.touch[cell] >> near & 1]
            found += [(MEET, some, units) for some in _subsets(around, 1)]
        for cell, units in attackers.items():
            around = [group for near, group in defenders.items() if self.field.touch[cell] >> near & 1]
            found += [(MEET, units, some) for some in _subsets(around, 2)]
        return found

    def touching(self, state: State) -> bool:
        """Return whether any units that have not yet fought touch each other."""
        if not self.field.with_neighbours(state.men[0]) & state.men[1]:
            return False
        if not state.done:
            return True
        *_, attacker_cells, defender_cells = self.groups(state)
        return bool(self.field.with_neighbours(attacker_cells) & defender_cells)

    def write(self, state: State, move: Move) -> str:
        """Return a decision in the form in which players enter it."""
        what, a, b = move
        if what == MEET:
            return " x ".join("+".join(self.name(u) for u in bits(side)) for side in (a, b))
        if what == CHOOSE:
            return ("keep", "again")[a]
        behind = {GO: f" {self.square(b)}", SHOOT: f" > {self.square(b)}", FORM: " square", LEAVE: " off"}
        return "-" if what == END else f"{self.name(a)}{behind.get(what, '')}"

    def name(self, unit: int) -> str:
        """Return a unit's id."""
        return self.field.units[unit].id

    def square(self, cell: int) -> str:
        """Return a square's name."""
        return self.field.grid.name(self.field.grid.cells[cell])


def _subsets(groups: Sequence[int], min_size: int) -> list[int]:
    """Return the unions of `min_size` or more of these groups, small combinations first."""
    return [sum(some) for n in range(min_size, len(groups) + 1) for some in combinations(groups, n)]
