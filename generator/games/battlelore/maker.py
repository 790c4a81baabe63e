"""Generate random maps with a river, crags, a landmark and marsh, then ridges and woods in the emptiest parts.

The maker uses only available pieces. It does not call the rules of ground_rules.py, which check its maps like any
others. Terrain that harms one camp is placed in pairs of images under a 180° turn. Most other terrain goes to the
emptiest part of the board, so both camps and all sections get similar amounts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from generator.common.tables import connected
from generator.errors import NothingLegalError
from generator.games.battlelore.ground import (
    BASELINE_ROOM,
    SECTIONS,
    SIDES,
    Board,
    Inventory,
    Profile,
    Section,
    plain,
    profile,
    shortage,
)
from generator.games.battlelore.tables import lore
from generator.grid.hexes import DIRECTIONS, STEPS, Hex, opposite
from generator.localization import tr
from generator.seeds import Rng, RngStreams

E, NE, NW, W, _, SE = range(6)
ACROSS = {E: 3, NE: 2, SE: 2}
"""The weight of each direction of a river that crosses the board from left to right."""
UP = {NE: 4, NW: 4}
SIDEWAYS = {E: 1, W: 1}
TRIES = 60
SKEW = 3
"""Maximum absolute sum of the distances (in rows, with sign) of a river's hexes from the middle row."""


def across(plan: Profile, stream: Rng) -> Sequence[Hex]:
    """Return a river course from the left edge to the right edge, about equally near to the two camps.

    The course stays within one row of the middle row. It turns by at most 60° at a time and never runs
    back, so it cannot touch itself.
    """
    field, middle = plan.field, len(plan.rows) // 2
    banks = range(middle - 1, middle + 2)
    for _try in range(TRIES):
        course = [field.at(0, stream.choice(banks))]
        way = E
        while course[-1].r in banks and course[-1] + STEPS[E] in field:
            way = _turn(way, ACROSS, stream)
            course.append(course[-1] + STEPS[way])
        inside = all(cell in field and cell.r in banks for cell in course)
        if inside and abs(sum(cell.r - middle for cell in course)) <= SKEW:
            return course
    return field.row(middle)


def through_the_middle(plan: Profile, stream: Rng) -> Sequence[Hex]:
    """Return the right half of a course across the board that is symmetric under a 180° turn.

    It begins at the middle of the board.
    """
    field, middle = plan.field, len(plan.rows) // 2
    banks = range(middle - 1, middle + 2)
    first = field.at(plan.rows[middle] // 2, middle)
    for _try in range(TRIES):
        course, way = [first], E
        while course[-1].r in banks and course[-1] + STEPS[E] in field:
            way = _turn(way, ACROSS, stream)
            course.append(course[-1] + STEPS[way])
        if all(cell in field and cell.r in banks for cell in course):
            return course
    return [field.at(column, middle) for column in range(plan.rows[middle] // 2, plan.rows[middle])]


def down_a_wing(plan: Profile, stream: Rng) -> Sequence[Hex]:
    """Return a course through a wing from the near baseline to the far one that avoids the side edge."""
    field = plan.field
    sides: tuple[Section, Section] = ("left", "right")
    wing = plan.sections[stream.choice(sides)].columns(0)
    columns = [c for c in wing if c not in (0, plan.rows[0] - 1)]
    for _try in range(TRIES):
        course = [field.at(stream.choice(columns), 0)]
        way = stream.choice(list(UP))
        course.append(course[-1] + STEPS[way])
        while course[-1].r < len(plan.rows) - 1:
            way = _turn(way, UP if way in SIDEWAYS else UP | SIDEWAYS, stream)
            course.append(course[-1] + STEPS[way])
        if all(field.column(cell) in columns for cell in course):
            return course
    return [field.at(columns[1], row) for row in range(len(plan.rows))]


def _turn(way: int, weights: Mapping[int, int], stream: Rng) -> int:
    """Return a random direction that differs by at most 60° from the present one."""
    ways = [d for d in weights if (d - way + 1) % len(DIRECTIONS) <= 2]
    return stream.weighted(ways, [weights[d] for d in ways])


def spread(course: Sequence[Hex], count: int, stream: Rng) -> list[Hex]:
    """Return random hexes for crossings, one in each of `count` parts of the course.

    They are not at the ends of the course and not adjacent to each other.
    """
    inner = course[1:-1]
    cuts = [len(inner) * i // count for i in range(count + 1)]
    return [stream.choice(inner[a : b - 1]) for a, b in pairwise(cuts)]


ATTEMPTS = 60
WANTED = (240, 320)
"""The range for the target share of hexes with terrain other than countryside, in thousandths."""
DRESSED = (220, 350)
"""The permitted share of these hexes on a finished map, in thousandths."""
SECTION = (120, 450)
"""The permitted share of these hexes in each section, in thousandths."""
HALVES = 90
"""The permitted difference in this share between the camps' halves, in thousandths."""
CRAG_TRIES = 12
CLUMPS = 40
RIVERS = {"across": 4, "wing": 3, "none": 3}
CROSSINGS = {"ford": 3, "bridge": 3, "stone_bridge": 1}
WATERS = ("river", *CROSSINGS)
MIRRORED_RIVERS = {"across": 4, "none": 3}
"""Weights of the kinds of rivers on a symmetric map. A river down one wing is not symmetric."""


def make_map(profile_name: str, streams: RngStreams, inventory: Inventory, *, mirrored: bool = False) -> Board:
    """Return a random board. A mirrored board is symmetric under a 180° turn.

    `streams` has a prefix for this map, such as `v1/call_to_arms/map`.

    Raises NothingLegalError if no attempt succeeds, for example with very few pieces.
    """
    rivers = MIRRORED_RIVERS if mirrored else RIVERS
    kind = streams.at("river").weighted(list(rivers), list(rivers.values()))
    for attempt in range(ATTEMPTS):
        at = streams.under(str(attempt))
        builder = _MapBuilder(profile_name, inventory, mirrored)
        if not _river(builder, kind, at.at("river")):
            builder = _MapBuilder(profile_name, inventory, mirrored)
        if (crags := at.at("crags")).chance(2, 5):
            any(_crag(builder, crags) for _try in range(CRAG_TRIES))
        _landmark(builder, at.at("landmark"))
        _marsh(builder, at.at("marsh"))
        _dress(builder, at.at("ground"))
        _works(builder, at.at("works"))
        if builder.balanced() and builder.whole():
            return builder.board
    raise NothingLegalError(tr("no map could be made, because “{name}” has too few pieces", name=inventory.name))


class _MapBuilder:
    """A map that is being generated."""

    def __init__(self, profile_name: str, inventory: Inventory, mirrored: bool) -> None:
        self.plan = profile(profile_name)
        self.mirrored = mirrored
        self.field = self.plan.field
        self.inventory = inventory
        self.ground = plain(profile_name)
        self.features: dict[Hex, str] = {}
        self.walls: dict[Hex, tuple[int, ...]] = {}
        self.board = Board(profile_name, self.ground, self.features, self.walls)
        self.kept: set[Hex] = set()
        """The hexes at the foot of cliffs, which stay countryside."""
        self.used: dict[str, int] = {}
        self.middle = len(self.plan.rows) // 2
        self.parts = [
            [c for c in self.plan.section_cells(section, "pennant") if c.r in rows]
            for section in SECTIONS
            for rows in (range(self.middle + 1), range(self.middle, len(self.plan.rows)))
        ]
        self.baselines = [self.plan.baseline(camp, section) for camp in SIDES for section in SECTIONS]

    def free(self, cell: Hex) -> bool:
        """Return whether the hex may be changed.

        It must be countryside, and each baseline section must keep its free hexes.
        """
        if cell not in self.field or cell in self.kept or self.ground[cell] != "countryside":
            return False
        if cell.r not in (0, len(self.plan.rows) - 1):
            return True
        return all(
            sum(self.ground[c] == "countryside" for c in line) > BASELINE_ROOM
            for line in self.baselines
            if cell in line
        )

    def take(self, faces: Sequence[str]) -> bool:
        """Reserve pieces that show these faces. Return False if the inventory does not have enough."""
        used = self.used.copy()
        for face in faces:
            used[face] = used.get(face, 0) + 1
        if shortage(used, self.inventory):
            return False
        self.used = used
        return True

    def lay(self, cell: Hex, terrain: str) -> bool:
        """Place a terrain on a hex, and on its image if the map is mirrored.

        Return False if there are not enough pieces.
        """
        cells = {cell, self.field.turned(cell)} if self.mirrored else {cell}
        taken = self.take(lore().terrain[terrain].tiles * len(cells))
        if taken:
            self.ground.update(dict.fromkeys(cells, terrain))
        return taken

    def share(self, part: Iterable[Hex]) -> int:
        """Return the share of hexes with terrain other than countryside, in thousandths."""
        dressed = [self.ground[c] != "countryside" for c in part]
        return 1000 * sum(dressed) // len(dressed)

    def seed(self, terrain: str, stream: Rng) -> Hex | None:
        """Return a random free hex in the emptiest part of the board, not next to the same terrain, or None."""
        part = min(stream.shuffle(self.parts), key=self.share)
        sites = [c for c in part if self.apart(c, terrain)]
        return stream.choice(sites) if sites else None

    def touches(self, cell: Hex, terrain: Iterable[str], but: Collection[Hex] = ()) -> bool:
        """Return whether a neighbour of the hex has one of these terrains. Hexes in `but` are ignored."""
        return any(self.ground[n] in terrain and n not in but for n in self.field.neighbours(cell))

    def apart(self, cell: Hex, terrain: str, clump: Collection[Hex] = ()) -> bool:
        """Return whether the hex is free and not next to this terrain outside `clump`."""
        return self.free(cell) and not self.touches(cell, (terrain,), clump)

    def balanced(self) -> bool:
        """Return whether the shares of terrain on the board, its halves and its sections are within their limits."""
        near, far = (
            self.share(c for c in self.field.cells if c.r in rows)
            for rows in (range(self.middle), range(self.middle + 1, len(self.plan.rows)))
        )
        sections = [self.share(self.plan.section_cells(s, "pennant")) for s in SECTIONS]
        return (
            DRESSED[0] <= self.share(self.field.cells) <= DRESSED[1]
            and abs(near - far) <= HALVES
            and all(SECTION[0] <= share <= SECTION[1] for share in sections)
        )

    def whole(self) -> bool:
        """Return whether all passable hexes are connected."""
        ground = [c for c in self.field.cells if self.board.passable(c)]
        return len(connected(ground, self.field.neighbours, self.board.step)) == 1


def _river(builder: _MapBuilder, kind: str, stream: Rng) -> bool:
    """Place a river with crossings. Return False if there are not enough pieces."""
    if kind == "none":
        return True
    if builder.mirrored:
        course = through_the_middle(builder.plan, stream)
        crossings = spread(course, 1 + stream.below(2), stream)
    else:
        course = (across if kind == "across" else down_a_wing)(builder.plan, stream)
        # A river across the board needs a crossing in every section. Two are enough for a river down a wing.
        crossings = spread(course, stream.below(2) + (3 if kind == "across" else 2), stream)
    return all(
        _crossing(builder, cell, stream) if cell in crossings else builder.lay(cell, "river") for cell in course
    )


def _crossing(builder: _MapBuilder, cell: Hex, stream: Rng) -> bool:
    kinds = [stream.weighted(list(CROSSINGS), list(CROSSINGS.values())), *CROSSINGS]
    return any(builder.lay(cell, kind) for kind in kinds)


def _crag(builder: _MapBuilder, stream: Rng) -> bool:
    """Place a line of cliffs in the middle rows, and its image.

    One flank is sheer and faces countryside; hills lie behind the cliffs. Return False if there is no room or not
    enough pieces.
    """
    way, side = stream.below(len(DIRECTIONS)), stream.choice((1, -1))
    sheer = tuple(sorted((way + side * turn) % len(DIRECTIONS) for turn in (1, 2)))
    first = stream.choice(builder.field.cells)
    crag = [first, first + STEPS[way], first + STEPS[way] + STEPS[way]][: 2 + stream.below(2)]
    foot = [c + STEPS[d] for c in crag for d in sheer]
    if not all(builder.free(c) for c in (*crag, *foot)) or any(abs(c.r - builder.middle) > 2 for c in crag):
        return False
    images, feet = [builder.field.turned(c) for c in crag], [builder.field.turned(c) for c in foot]
    apart = {*crag, *foot}.isdisjoint({*images, *feet})
    if not apart or not all(builder.free(c) for c in (*images, *feet)):
        return False
    if not builder.take(lore().terrain["cliff"].tiles * 2 * len(crag)):
        return False
    builder.ground.update(dict.fromkeys((*crag, *images), "cliff"))
    builder.walls.update(dict.fromkeys(crag, sheer))
    builder.walls.update(dict.fromkeys(images, tuple(sorted(opposite(d) for d in sheer))))
    builder.kept.update(foot, feet)
    behind = [c for c in (cell + STEPS[(way - side) % len(DIRECTIONS)] for cell in crag[:-1]) if builder.free(c)]
    for hill in (*behind, *(builder.field.turned(c) for c in behind)):
        if builder.free(hill):
            builder.lay(hill, "hill")
    return True


def _landmark(builder: _MapBuilder, stream: Rng) -> None:
    """Place a landmark near the middle of the board with a chance of 1 in 3."""
    rows = range(builder.middle - 1, builder.middle + 2)
    sites = [c for c in builder.field.cells if c.r in rows and builder.free(c)]
    if sites and stream.chance(1, 3):
        builder.lay(stream.choice(sites), "landmark")


def _marsh(builder: _MapBuilder, stream: Rng) -> None:
    """Place marsh with a chance of 2 in 3 on a river bank, or 1 in 4 on a board without rivers."""
    banks = [c for c in builder.field.cells if builder.free(c) and builder.touches(c, WATERS)]
    if stream.chance(2, 3) if banks else stream.chance(1, 4):
        first = stream.choice(banks) if banks else builder.seed("marsh", stream)
        _clump(builder, "marsh", first, 2 + stream.below(3), stream)


def _dress(builder: _MapBuilder, stream: Rng) -> None:
    """Place ridges and woods alternately until a random target share of terrain is reached."""
    low, high = WANTED
    wanted = low + stream.below(high - low + 1)
    kinds = stream.shuffle(("hill", "forest"))
    for turn in range(CLUMPS):
        if builder.share(builder.field.cells) >= wanted:
            return
        kind = kinds[turn % len(kinds)]
        first = builder.seed(kind, stream)
        if kind == "hill":
            _ridge(builder, first, 2 + stream.below(4), stream)
        else:
            _clump(builder, kind, first, 2 + stream.below(3), stream)


def _works(builder: _MapBuilder, stream: Rng) -> None:
    """Place stakes or a rampart for each camp, as images of each other, with a chance of 1 in 4."""
    if not stream.chance(1, 4):
        return
    feature = lore().features[stream.choice(("stakes", "rampart"))]
    sites = [
        c
        for c in builder.field.cells
        if c.r in (2, 3) and all(builder.ground[i] in feature.on for i in (c, builder.field.turned(c)))
    ]
    if sites and builder.take(feature.tiles * 2):
        site = stream.choice(sites)
        builder.features.update(dict.fromkeys((site, builder.field.turned(site)), feature.id))


def _clump(builder: _MapBuilder, terrain: str, first: Hex | None, size: int, stream: Rng) -> None:
    """Place a terrain on up to `size` connected hexes that include the first.

    Lack of room or pieces makes it smaller.
    """
    clump: list[Hex] = []
    ahead = [first] if first else []
    while len(clump) < size and ahead and builder.lay(cell := stream.choice(ahead), terrain):
        clump.append(cell)
        around = {n: None for c in clump for n in builder.field.neighbours(c)}
        ahead = [c for c in around if builder.apart(c, terrain, clump)]


def _ridge(builder: _MapBuilder, first: Hex | None, size: int, stream: Rng) -> None:
    """Place a slightly bent line of up to `size` hills, and sometimes a spur.

    Lack of room or pieces makes it smaller.
    """
    ridge: list[Hex] = []
    way = stream.below(len(DIRECTIONS))
    cell = first
    while cell and len(ridge) < size and builder.apart(cell, "hill", ridge) and builder.lay(cell, "hill"):
        ridge.append(cell)
        way = (way + stream.weighted((-1, 0, 1), (1, 2, 1))) % len(DIRECTIONS)
        cell = cell + STEPS[way]
    if ridge and stream.chance(1, 2):
        spur = stream.choice(ridge) + STEPS[stream.below(len(DIRECTIONS))]
        if builder.apart(spur, "hill", ridge):
            builder.lay(spur, "hill")
