"""A battle as it is played: its ground, units and dice as tables, its states, and what may be done in each.

The tables are made once of what checks and prints. A turn: moves one after another, fire of guns, and the melees that
its player puts together. Squares are numbers in the field's order, units in the order of the armies, Blue's first;
sets of either are the bits of a number.
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
"""In place of a square: removed; off the enemy's edge."""
MAX_CACHED = 1 << 14
"""What guns see, as that is kept."""


@lru_cache(1 << 16)  # the squares in reach and the units of some games
def bits(of: int) -> tuple[int, ...]:
    """The numbers of a set, the smallest first; the same sets are asked for again and again."""
    found = []
    while of:
        low = of & -of
        found.append(low.bit_length() - 1)
        of ^= low
    return tuple(found)


@lru_cache(1 << 16)  # as many
def backwards(of: int) -> tuple[int, ...]:
    """The same, the greatest first."""
    return bits(of)[::-1]


MOVE, FIRE, FIGHT, ASIDE, AGAIN, LOSE, HIT, EFFECT, RALLY, ROLL, RETHROW, OVER = range(12)
"""What a state waits for. From HIT on it is dice; up to FIGHT it is the player whose turn it is who decides."""

Move = tuple[int, int, int]
"""A decision: what it is, and two numbers."""
GO, FORM, LEAVE, END, SHOOT, MEET, CHOOSE, TAKE = range(8)
"""A unit goes to a square, or steps aside to it; forms or dissolves square; leaves by the enemy's edge; the stage
ends; a gun fires at a square; units meet units, as sets; a die is thrown again (1) or kept (0); a unit suffers."""
DONE: Move = (END, 0, 0)
KEEP: Move = (CHOOSE, 0, 0)
ANEW: Move = (CHOOSE, 1, 0)


class State(NamedTuple):
    """A moment of a battle; what changes most often stands first."""

    stage: int
    clock: int
    """Players' turns that are over."""
    first: int
    cells: tuple[int, ...]
    """Where each unit stands."""
    men: tuple[int, int]
    """For each seat, the squares of its units that fight."""
    chiefs: tuple[int, int]
    """And of its brigadiers."""
    double: int
    """The squares that two units share."""
    squares: int
    """The units in square."""
    held: int
    """Those that may not move in their player's next turn, or in this one."""
    ready: int
    """Those that may move in this turn, linked as it began."""
    done: int
    """Those that have moved or fired in this turn; in its melees, those that have fought."""
    pending: tuple[Any, ...]
    """What the stage is about."""
    task: int
    """Rounds in a row in which the zone was held; once it is over the winner's seat, or 2 for a draw."""

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return (self.clock + self.first) & 1


class FieldTables:
    """Whatever of a scenario does not change in play."""

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
        """What blocks with units on squares, and on which."""

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
        """Of each unit its seat, and two more where it is a brigadier."""
        self.rerolls = self._of(lambda unit: unit.kind.rerolls)
        self.rally = [unit.kind.rally for unit in self.units]
        index = self.grid.index
        self.at = tuple(GONE if unit.cell is None else index[unit.cell] for unit in self.units)
        """Where they are set up."""
        self.squares = self._of(lambda unit: unit.square)
        admits = {
            arm: sum(1 << index[cell] for cell in self.grid.cells if self.terrain_map.admits(cell, arm))
            for arm in {unit.kind.arm for unit in self.units}
        }
        self.admits = [admits[unit.kind.arm] for unit in self.units]
        self.speed = [unit.kind.move for unit in self.units]
        self.brigades: list[tuple[int, int, int]] = []
        """Of each brigade its seat, the units of it that fight, and its brigadier or -1."""
        self.brigade = [0] * len(self.units)
        """Of each unit the number of its brigade."""
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
        """The units of which something holds."""
        return sum(1 << u for u, unit in enumerate(self.units) if holds(unit))

    def _dice(self) -> None:
        """The dice of each kind, in square or not, against each other, by the dice that ground gives."""
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
        """How often each face is the highest of so many dice."""

    def dice(self, unit: int, others: Sequence[int], squares: int, ground: int = 0) -> int:
        """How many dice a unit throws against others; `ground` gives so many to infantry that defends."""
        row, kind = self._throws[ground], self.kind
        offset = (2 * kind[unit] + (squares >> unit & 1)) * self._shapes
        return min([row[offset + 2 * kind[other] + (squares >> other & 1)] for other in others])

    # Distances and ways

    def distance(self, a: int, b: int) -> int:
        """How many steps lie between two squares."""
        (row, column), (other_row, other_column) = divmod(a, self.columns), divmod(b, self.columns)
        return max(abs(row - other_row), abs(column - other_column))

    def with_neighbours(self, cells: int) -> int:
        """Squares and all that touch them."""
        wide = cells | (cells & self._not_last) << 1 | (cells & self._not_first) >> 1
        return (wide | wide << self.columns | wide >> self.columns) & self.all

    def reach(self, unit: int, start: int, taken: int, barred: int) -> int:
        """The squares that a unit may go to: not into those barred to it, and through none that is taken."""
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
        """What so many steps lead to, and where one might go on from after the last."""
        found = self.touch[start] & admits
        free, seen = found & ~taken, found | 1 << start
        for _ in range(steps - 1):
            more = self.with_neighbours(free) & admits & ~seen
            seen, free = seen | more, more & ~taken
            found |= more
        return found, free

    def may_leave(self, unit: int, start: int, taken: int) -> bool:
        """Whether a unit gets to the enemy's edge with a step to spare."""
        edge = self.edges[1 - self.seat[unit]]
        if edge >> start & 1:
            return True
        steps = self.speed[unit] - 1
        return steps > 0 and bool(self._spread(start, steps, self.admits[unit], taken)[0] & edge & ~taken)

    def linked(self, chief: int, cells: int) -> int:
        """Those of a brigade's squares from which a chain leads to the brigadier on his."""
        chain = 1 << chief
        while True:
            longer = self.with_neighbours(chain) & cells | chain
            if longer == chain:
                return chain
            chain = longer

    # Guns

    def ranged(self, cell: int) -> int:
        """The squares as far off as a gun fires."""
        if cell not in self._ranges:
            far, table = self.distance, artillery()
            squares = range(len(self.touch))
            self._ranges[cell] = sum(1 << c for c in squares if table.near <= far(cell, c) <= table.range)
        return self._ranges[cell]

    def in_sight(self, cell: int, targets: int, taken: int) -> int:
        """Those of some squares in range that are in sight, with units on those that are taken."""
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

    # Running

    def behind(self, cell: int, seat: int) -> int:
        """The square behind another, as that seat looks; -1 off the board."""
        back = cell - self.columns if seat == 0 else cell + self.columns
        return back if 0 <= back < len(self.touch) else -1

    def stops(self, unit: int, cell: int, taken: int) -> int:
        """Where a unit stops that has run from a square; GONE where nothing is free."""
        seat, (row, column) = self.seat[unit], divmod(cell, self.columns)
        rows, columns = self.rows - 1, self.columns - 1
        home, left = (row, column) if seat == 0 else (rows - row, columns - column)
        way = (
            0 if self.run_home else min(enumerate((home, left, columns - left, rows - home)), key=lambda of: of[1])[0]
        )
        # As its player sees them: how far along the edge from straight ahead, from his own edge, from his left.
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
"""The groups of two sides by square, and for each side these squares as a set."""


class TurnRules:
    """Who decides in a state, and what he may do."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.field = FieldTables(scenario)
        self.goal = scenario.objective
        self.tasked = SIDES.index(self.goal.player) if self.goal.player else -1
        self._grouped: tuple[State | None, Contact] = None, ({}, {}, 0, 0)
        """What `groups` found last, and of which state."""
        self._fires: tuple[State | None, list[tuple[int, int]]] = None, []
        """And `shots`."""

    def on(self, state: State, cell: int) -> list[int]:
        """The units on a square, in the order of the armies."""
        if state.double >> cell & 1:
            return [u for u, there in enumerate(state.cells) if there == cell]
        return [state.cells.index(cell)]

    def to_move(self, state: State) -> int:
        """Whose decision or whose dice."""
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
        """All lawful decisions: units in their order, squares in the field's."""
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
        """The squares that a unit may go to."""
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
        """Whether a unit lets other infantry share its square."""
        return bool((self.field.foot & ~state.squares) >> unit & 1)

    def forming(self, state: State) -> int:
        """The units that may form or dissolve square."""
        found = 0
        cells, free, squares = state.cells, self.field.opens & ~state.double, state.squares
        for u in bits(self.field.foot & self.field.side[state.seat] & ~state.done & ~state.held):
            if cells[u] >= 0 and (squares >> u & 1 or free >> cells[u] & 1):
                found |= 1 << u
        return found

    def may_leave(self, state: State, unit: int) -> bool:
        """Whether a unit may leave by the enemy's edge, whose task that is."""
        field = self.field
        if self.goal.kind != "break" or field.seat[unit] != self.tasked or not field.fighters >> unit & 1:
            return False
        taken = state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]
        return field.may_leave(unit, state.cells[unit], taken)

    def step_aside_cells(self, state: State, chief: int) -> int:
        """Where a brigadier may step aside to."""
        field, here = self.field, state.cells[chief]
        taken = state.men[0] | state.men[1] | state.chiefs[0] | state.chiefs[1]
        return field.with_neighbours(field.touch[here]) & field.admits[chief] & ~taken & ~(1 << here)

    def shots(self, state: State) -> list[tuple[int, int]]:
        """The guns that may fire, each with the squares that it may fire at."""
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
        """The squares in contact of either side, his whose turn it is first, with the units there yet to fight."""
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
        """Every melee: own groups against one of the enemy's that they touch, or one against several."""
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
        """Whether any who have yet to fight touch."""
        if not self.field.with_neighbours(state.men[0]) & state.men[1]:
            return False
        if not state.done:
            return True
        *_, attacker_cells, defender_cells = self.groups(state)
        return bool(self.field.with_neighbours(attacker_cells) & defender_cells)

    def write(self, state: State, move: Move) -> str:
        """A decision as a player types it."""
        what, a, b = move
        if what == MEET:
            return " x ".join("+".join(self.name(u) for u in bits(side)) for side in (a, b))
        if what == CHOOSE:
            return ("keep", "again")[a]
        behind = {GO: f" {self.square(b)}", SHOOT: f" > {self.square(b)}", FORM: " square", LEAVE: " off"}
        return "-" if what == END else f"{self.name(a)}{behind.get(what, '')}"

    def name(self, unit: int) -> str:
        """A unit's id."""
        return self.field.units[unit].id

    def square(self, cell: int) -> str:
        """A square's name."""
        return self.field.grid.name(self.field.grid.cells[cell])


def _subsets(groups: Sequence[int], min_size: int) -> list[int]:
    """The units of so many of these groups or more, the small sets first."""
    return [sum(some) for n in range(min_size, len(groups) + 1) for some in combinations(groups, n)]
