"""Place a player's brigades in the home rows.

The rules do not use this module. They derive from the scenario alone whether a deployment is legal. Armies are
placed as players place theirs, with infantry in front, guard and brigadiers behind, cavalry on the flanks, and
guns on the squares with the widest field of fire.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct, field

from generator.games.travel_battle.forces import Kind
from generator.games.travel_battle.ground import TerrainMap
from generator.games.travel_battle.model import SIDES, Side, home
from generator.games.travel_battle.play import field_of_fire
from generator.games.travel_battle.tables import Arm, numbers
from generator.grid.squares import Square, distance
from generator.seeds import Rng

ATTEMPTS = 80
NOISE, ATTEMPTS_PER_NOISE = 3, 10
"""The maximum random cost of a square, and the number of attempts after which this maximum increases by one."""
WRONG_ROW_COST, DISTANCE_COST = 6, 1
"""The cost of a square in the wrong row, and the cost of each square of distance from the preferred square."""
BLOCKING_COST = 20
"""The cost of a square directly in front of a friendly gun, and of a square for a gun directly behind a friendly
unit.
"""
OUTSIDE_COST = 8
"""The cost of each column by which a square is outside the brigade's own columns."""
SHARING_COST, CROWDED_SHARING_COST = 12, -12
"""The cost for infantry of sharing a square. If the rows are crowded, the cost is negative, so that infantry prefers
to share.
"""
CROWDED_BELOW = 2
"""The number of open squares for each unit below which the home rows are crowded."""
BUILDING_GAIN = 5
"""The amount by which a building reduces the cost of a square for infantry."""

Post = tuple[Kind, Square]


class _Stretch(Struct):
    """The columns of the home rows that belong to a brigade, and the units placed there."""

    columns: range
    """The columns of the brigade, counted from the player's left."""
    wing: int
    """The position of the brigade in the army: -1 on the left wing, 1 on the right wing, 0 between the wings."""
    posts: list[Post] = field(default_factory=list)

    def distance(self, cell: Square) -> int:
        """Return the cost of a square's distance from the middle of the columns and from the columns themselves."""
        first, last = self.columns[0], self.columns[-1]
        outside = max(0, first - cell.c, cell.c - last)
        return abs(2 * cell.c - first - last) * DISTANCE_COST // 2 + OUTSIDE_COST * outside


class Deployment:
    """A deployment of an army in the home rows of one player.

    Squares are given as this player sees them.
    """

    def __init__(self, terrain_map: TerrainMap, player: Side, reading: str) -> None:
        self.terrain_map, self.reading = terrain_map, reading
        home_rows = home(terrain_map.field, player)
        self.real = {cell if player == SIDES[0] else terrain_map.field.turned(cell): cell for cell in home_rows}
        """Maps each square that the player sees to the square of the field."""
        self.room = [0] * terrain_map.field.columns
        """The number of squares in each column that every arm may enter."""
        for cell in self.real:
            self.room[cell.c] += self._admits(cell, "cavalry")
        self.crowded = False
        self.sees = {
            cell: len(self._cells_under_fire(cell, ())) for cell in self.real if self._admits(cell, "artillery")
        }

    def place(self, brigades: Sequence[Sequence[Kind]], stream: Rng) -> list[list[Post]]:
        """Return the square of every unit for each brigade, from the player's left to the right.

        The result is the first attempt in which every gun has a sufficient field of fire, otherwise the best
        attempt. It is empty if there is not enough room.
        """
        self.crowded = sum(self.room) < CROWDED_BELOW * sum(map(len, brigades))
        best: list[list[Post]] = []
        best_coverage = -1
        for attempt in range(ATTEMPTS):
            posts = self._try_placing(brigades, stream, NOISE + attempt // ATTEMPTS_PER_NOISE)
            if posts and (coverage := self._min_coverage(posts)) > best_coverage:
                best, best_coverage = posts, coverage
                if best_coverage >= numbers().guns_see:
                    break
        return [[(kind, self.real[cell]) for kind, cell in posts] for posts in best]

    def _try_placing(self, brigades: Sequence[Sequence[Kind]], stream: Rng, noise: int) -> list[list[Post]]:
        """Place all brigades once and return their squares, or an empty list if there is no square for a unit."""
        taken: dict[Square, list[Kind]] = {}
        placed: list[list[Post]] = []
        for stretch, kinds in zip(self._stretches(brigades), brigades, strict=True):
            for kind in sorted(kinds, key=lambda kind: _PLACING_ORDER[kind.arm]):
                cell = self._best_cell(kind, stretch, taken, stream, noise)
                if cell is None:
                    return []
                stretch.posts.append((kind, cell))
                taken.setdefault(cell, []).append(kind)
            placed.append(stretch.posts)
        return placed

    def _stretches(self, brigades: Sequence[Sequence[Kind]]) -> Iterator[_Stretch]:
        """Divide the columns among the brigades in proportion to the number of open squares and of units."""
        units = [len(kinds) for kinds in brigades]
        room = list(accumulate(self.room))
        end = 0
        for i in range(len(brigades)):
            start = end
            end = max(start + 1, bisect_left(room, room[-1] * sum(units[: i + 1]) / sum(units)) + 1)
            wing = -1 if i == 0 else 1 if i == len(brigades) - 1 else 0
            yield _Stretch(range(start, min(end, len(room))), wing)

    def _best_cell(
        self, kind: Kind, stretch: _Stretch, taken: Mapping[Square, list[Kind]], stream: Rng, noise: int
    ) -> Square | None:
        """Return the cheapest free square that is connected to the brigade, or None if there is no such square.

        Costs include a random part.
        """
        brigade_cells = {cell for _, cell in stretch.posts}
        open_ = [
            cell
            for cell in self.real
            if (
                self._may_share(kind, cell, taken) and cell in brigade_cells
                if cell in taken
                else self._admits(cell, kind.arm)
            )
            and (not brigade_cells or any(distance(cell, at) <= 1 for at in brigade_cells))
        ]
        if not open_:
            return None
        costs = {cell: self._cost(kind, cell, stretch, cell in taken) + stream.below(noise) for cell in open_}
        return min(open_, key=lambda cell: (costs[cell], cell))

    def _may_share(self, kind: Kind, cell: Square, taken: Mapping[Square, list[Kind]]) -> bool:
        """Return whether a unit may share a square with the unit that is on it, which requires two infantry units."""
        pair = [kind.arm, *(there.arm for there in taken[cell])] == ["infantry"] * 2
        return pair and self.terrain_map.terrain(self.real[cell]).open

    def _cost(self, kind: Kind, cell: Square, stretch: _Stretch, shared: bool) -> int:
        """Return the cost of a square for a unit, which depends on the unit's arm."""
        front = cell.r == numbers().rows - 1
        astray = stretch.distance(cell)
        if kind.arm == "artillery":
            return astray - self.sees[cell] + self._cost_behind_units(cell, stretch)
        if kind.arm == "cavalry":
            return (
                astray // 2
                - 2 * DISTANCE_COST * stretch.wing * cell.c
                + (DISTANCE_COST if stretch.wing else WRONG_ROW_COST * front)
            )
        if kind.arm == "brigadier":
            return astray + WRONG_ROW_COST * front + self._cost_before_gun(cell, stretch)
        guard = kind.rerolls
        cost = astray + (WRONG_ROW_COST // 2 if guard and front else 0 if guard or front else WRONG_ROW_COST)
        cost -= BUILDING_GAIN if self.terrain_map.terrain(self.real[cell]).defence else 0
        return (
            cost
            + self._cost_before_gun(cell, stretch)
            + ((CROWDED_SHARING_COST if self.crowded else SHARING_COST) if shared else 0)
        )

    def _cost_before_gun(self, cell: Square, stretch: _Stretch) -> int:
        """Return the cost of a square directly in front of a friendly gun that is not on a hill."""
        guns = (
            at for kind, at in stretch.posts if kind.arm == "artillery" and not self.terrain_map.height(self.real[at])
        )
        return BLOCKING_COST * sum(at.r < cell.r and distance(at, cell) == 1 for at in guns)

    def _cost_behind_units(self, cell: Square, stretch: _Stretch) -> int:
        """Return the cost of a square for a gun directly behind friendly units if the square is not on a hill."""
        if self.terrain_map.height(self.real[cell]):
            return 0
        return BLOCKING_COST * sum(at.r > cell.r and distance(at, cell) == 1 for _, at in stretch.posts)

    def _min_coverage(self, placed: Sequence[Sequence[Post]]) -> int:
        """Return the number of squares in the smallest field of fire of any gun."""
        units = [cell for posts in placed for _, cell in posts]
        guns = [cell for posts in placed for kind, cell in posts if kind.arm == "artillery"]
        return min((len(self._cells_under_fire(gun, units)) for gun in guns), default=numbers().guns_see)

    def _cells_under_fire(self, gun: Square, units: Sequence[Square]) -> list[Square]:
        return cells_under_fire(self.terrain_map, [self.real[cell] for cell in units], self.real[gun], self.reading)

    def _admits(self, cell: Square, arm: Arm) -> bool:
        return self.real[cell] in self.terrain_map.open_to[arm]


def cells_under_fire(terrain_map: TerrainMap, units: Sequence[Square], gun: Square, reading: str) -> list[Square]:
    """Return the squares between the two players' home rows at which a gun may fire."""
    rows = range(numbers().rows, terrain_map.field.rows - numbers().rows)
    return [cell for cell in field_of_fire(terrain_map, units, gun, reading) if cell.r in rows]


def arrange_brigades(brigades: Sequence[Sequence[Kind]], stream: Rng) -> list[Sequence[Kind]]:
    """Return the brigades in a random order from left to right.

    Of two random orders, the one with more cavalry on the wings is returned.
    """
    orders = [stream.shuffle(brigades) for _ in range(2)]
    return max(orders, key=lambda order: _count_cavalry(order[0]) + _count_cavalry(order[-1]))


def _count_cavalry(kinds: Sequence[Kind]) -> int:
    return sum(kind.arm == "cavalry" for kind in kinds)


_PLACING_ORDER: Mapping[str, int] = {"artillery": 0, "infantry": 1, "brigadier": 2, "cavalry": 3}

"""The order in which the arms of a brigade are placed."""
