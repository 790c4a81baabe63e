"""Random maps: the course of rivers first, then the rest.

Courses for a random river: chains of hexes from one edge of the map to another.

A course turns by a sixth at a time at most and never runs back, so it never touches itself.

Random maps: a river, crags, a landmark, marsh, then ridges and woods where the field is emptiest.

The maker lays only pieces that are at hand and knows nothing of the predicates of ground.py, which judge
its maps like anybody's. What harms one camp comes in pairs, turned half round; what is left to chance
falls into the emptiest part of the field, so both camps and all sections get their share.
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
from generator.said import say
from generator.seeds import Stream, Streams

E, NE, NW, W, _, SE = range(6)
ACROSS = {E: 3, NE: 2, SE: 2}
"""How likely a river across the field takes each direction; one down a wing goes sideways now and then."""
UP = {NE: 4, NW: 4}
SIDEWAYS = {E: 1, W: 1}
TRIES = 60
SKEW = 3
"""Rows by which a river across the field may lie nearer to one camp, summed over its hexes."""


def across(plan: Profile, stream: Stream) -> Sequence[Hex]:
    """A course from the left edge to the right one through the middle rows, as near to either camp."""
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


def through_the_middle(plan: Profile, stream: Stream) -> Sequence[Hex]:
    """The right half of a course across that is its own image under the half turn, from the board's middle on."""
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


def down_a_wing(plan: Profile, stream: Stream) -> Sequence[Hex]:
    """A course from the near baseline to the far one through a wing, clear of the board's side."""
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


def _turn(way: int, weights: Mapping[int, int], stream: Stream) -> int:
    """The next direction, a sixth of a turn away at most."""
    ways = [d for d in weights if (d - way + 1) % len(DIRECTIONS) <= 2]
    return stream.weighted(ways, [weights[d] for d in ways])


def spread(course: Sequence[Hex], count: int, stream: Stream) -> list[Hex]:
    """Hexes for crossings, one in each of `count` stretches, none at the ends and none side by side."""
    inner = course[1:-1]
    cuts = [len(inner) * i // count for i in range(count + 1)]
    return [stream.choice(inner[a : b - 1]) for a, b in pairwise(cuts)]


ATTEMPTS = 60
WANTED = (240, 320)
"""How much of the field is to be other than plain, in thousandths; it is dressed until that is reached."""
DRESSED = (220, 350)
"""How much may be in the end."""
SECTION = (120, 450)
"""How much of each section may be."""
HALVES = 90
"""By how much the camps' halves may differ."""
CRAG_TRIES = 12
CLUMPS = 40
RIVERS = {"across": 4, "wing": 3, "none": 3}
CROSSINGS = {"ford": 3, "bridge": 3, "stone_bridge": 1}
WATERS = ("river", *CROSSINGS)
MIRRORED_RIVERS = {"across": 4, "none": 3}
"""A river down one wing has no image but another one."""


def make_map(profile_name: str, streams: Streams, inventory: Inventory, *, mirrored: bool = False) -> Board:
    """A random board; NothingLegalError where the budget ends, as with hardly any pieces.

    `streams` is a prefix of its own, such as `v1/call_to_arms/map`. A mirrored board is its own image under the
    half turn.
    """
    rivers = MIRRORED_RIVERS if mirrored else RIVERS
    kind = streams.at("river").weighted(list(rivers), list(rivers.values()))
    for attempt in range(ATTEMPTS):
        at = streams.under(str(attempt))
        land = _Land(profile_name, inventory, mirrored)
        if not _river(land, kind, at.at("river")):
            land = _Land(profile_name, inventory, mirrored)
        if (crags := at.at("crags")).chance(2, 5):
            any(_crag(land, crags) for _try in range(CRAG_TRIES))
        _landmark(land, at.at("landmark"))
        _marsh(land, at.at("marsh"))
        _dress(land, at.at("ground"))
        _works(land, at.at("works"))
        if land.balanced() and land.whole():
            return land.board
    raise NothingLegalError(
        say("no map could be made from the pieces of “{name}”: there are too few", name=inventory.name)
    )


class _Land:
    """A map while it is made."""

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
        """The foot of the cliffs, which stays plain."""
        self.used: dict[str, int] = {}
        self.middle = len(self.plan.rows) // 2
        self.parts = [
            [c for c in self.plan.section_cells(section, "pennant") if c.r in rows]
            for section in SECTIONS
            for rows in (range(self.middle + 1), range(self.middle, len(self.plan.rows)))
        ]
        self.baselines = [self.plan.baseline(camp, section) for camp in SIDES for section in SECTIONS]

    def free(self, cell: Hex) -> bool:
        """Whether the hex is plain and may be other; the baselines keep their room."""
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
        """Take pieces that show these faces, if the inventory still has them."""
        used = self.used.copy()
        for face in faces:
            used[face] = used.get(face, 0) + 1
        if shortage(used, self.inventory):
            return False
        self.used = used
        return True

    def lay(self, cell: Hex, terrain: str) -> bool:
        """Lay a terrain, and its image in a mirrored land, if the pieces last."""
        cells = {cell, self.field.turned(cell)} if self.mirrored else {cell}
        laid = self.take(lore().terrain[terrain].tiles * len(cells))
        if laid:
            self.ground.update(dict.fromkeys(cells, terrain))
        return laid

    def share(self, part: Iterable[Hex]) -> int:
        """How much of some hexes is other than plain, in thousandths."""
        dressed = [self.ground[c] != "countryside" for c in part]
        return 1000 * sum(dressed) // len(dressed)

    def seed(self, terrain: str, stream: Stream) -> Hex | None:
        """A free hex in the emptiest part of the field, apart from other ground of that kind."""
        part = min(stream.shuffle(self.parts), key=self.share)
        sites = [c for c in part if self.apart(c, terrain)]
        return stream.choice(sites) if sites else None

    def beside(self, cell: Hex, terrain: Iterable[str], but: Collection[Hex] = ()) -> bool:
        """Whether a neighbour, other than some, is of one of those kinds."""
        return any(self.ground[n] in terrain and n not in but for n in self.field.neighbours(cell))

    def apart(self, cell: Hex, terrain: str, own: Collection[Hex] = ()) -> bool:
        """Whether the hex is free and touches no other clump of that terrain."""
        return self.free(cell) and not self.beside(cell, (terrain,), own)

    def balanced(self) -> bool:
        """Whether enough is dressed, both camps' halves alike and each section with its share."""
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
        """Whether every passable hex can be walked to from every other."""
        ground = [c for c in self.field.cells if self.board.passable(c)]
        return len(connected(ground, self.field.neighbours, self.board.step)) == 1


def _river(land: _Land, kind: str, stream: Stream) -> bool:
    """Lay the river with its crossings; False where the pieces do not last."""
    if kind == "none":
        return True
    if land.mirrored:
        course = through_the_middle(land.plan, stream)
        crossings = spread(course, 1 + stream.below(2), stream)
    else:
        course = (across if kind == "across" else down_a_wing)(land.plan, stream)
        # Across the field every section wants its way over; down a wing two will do.
        crossings = spread(course, stream.below(2) + (3 if kind == "across" else 2), stream)
    return all(_crossing(land, cell, stream) if cell in crossings else land.lay(cell, "river") for cell in course)


def _crossing(land: _Land, cell: Hex, stream: Stream) -> bool:
    kinds = [stream.weighted(list(CROSSINGS), list(CROSSINGS.values())), *CROSSINGS]
    return any(land.lay(cell, kind) for kind in kinds)


def _crag(land: _Land, stream: Stream) -> bool:
    """A line of cliffs and its image in the middle rows, sheer on one flank above plain ground, with hills behind."""
    way, side = stream.below(len(DIRECTIONS)), stream.choice((1, -1))
    sheer = tuple(sorted((way + side * turn) % len(DIRECTIONS) for turn in (1, 2)))
    first = stream.choice(land.field.cells)
    crag = [first, first + STEPS[way], first + STEPS[way] + STEPS[way]][: 2 + stream.below(2)]
    foot = [c + STEPS[d] for c in crag for d in sheer]
    if not all(land.free(c) for c in (*crag, *foot)) or any(abs(c.r - land.middle) > 2 for c in crag):
        return False
    images, feet = [land.field.turned(c) for c in crag], [land.field.turned(c) for c in foot]
    apart = {*crag, *foot}.isdisjoint({*images, *feet})
    if not apart or not all(land.free(c) for c in (*images, *feet)):
        return False
    if not land.take(lore().terrain["cliff"].tiles * 2 * len(crag)):
        return False
    land.ground.update(dict.fromkeys((*crag, *images), "cliff"))
    land.walls.update(dict.fromkeys(crag, sheer))
    land.walls.update(dict.fromkeys(images, tuple(sorted(opposite(d) for d in sheer))))
    land.kept.update(foot, feet)
    behind = [c for c in (cell + STEPS[(way - side) % len(DIRECTIONS)] for cell in crag[:-1]) if land.free(c)]
    for hill in (*behind, *(land.field.turned(c) for c in behind)):
        if land.free(hill):
            land.lay(hill, "hill")
    return True


def _landmark(land: _Land, stream: Stream) -> None:
    """Sometimes a landmark near the middle."""
    rows = range(land.middle - 1, land.middle + 2)
    sites = [c for c in land.field.cells if c.r in rows and land.free(c)]
    if sites and stream.chance(1, 3):
        land.lay(stream.choice(sites), "landmark")


def _marsh(land: _Land, stream: Stream) -> None:
    """Marsh on the banks of most rivers, and now and then a mere in a dry field."""
    banks = [c for c in land.field.cells if land.free(c) and land.beside(c, WATERS)]
    if stream.chance(2, 3) if banks else stream.chance(1, 4):
        first = stream.choice(banks) if banks else land.seed("marsh", stream)
        _clump(land, "marsh", first, 2 + stream.below(3), stream)


def _dress(land: _Land, stream: Stream) -> None:
    """Ridges and woods in turn until the field is dressed as far as drawn."""
    low, high = WANTED
    wanted = low + stream.below(high - low + 1)
    kinds = stream.shuffle(("hill", "forest"))
    for turn in range(CLUMPS):
        if land.share(land.field.cells) >= wanted:
            return
        kind = kinds[turn % len(kinds)]
        first = land.seed(kind, stream)
        if kind == "hill":
            _ridge(land, first, 2 + stream.below(4), stream)
        else:
            _clump(land, kind, first, 2 + stream.below(3), stream)


def _works(land: _Land, stream: Stream) -> None:
    """Sometimes stakes or a rampart for each camp, at places that are each other's image."""
    if not stream.chance(1, 4):
        return
    feature = lore().features[stream.choice(("stakes", "rampart"))]
    sites = [
        c
        for c in land.field.cells
        if c.r in (2, 3) and all(land.ground[i] in feature.on for i in (c, land.field.turned(c)))
    ]
    if sites and land.take(feature.tiles * 2):
        site = stream.choice(sites)
        land.features.update(dict.fromkeys((site, land.field.turned(site)), feature.id))


def _clump(land: _Land, terrain: str, first: Hex | None, size: int, stream: Stream) -> None:
    """A clump of hexes about the first, as far as room and pieces last."""
    clump: list[Hex] = []
    ahead = [first] if first else []
    while len(clump) < size and ahead and land.lay(cell := stream.choice(ahead), terrain):
        clump.append(cell)
        around = {n: None for c in clump for n in land.field.neighbours(c)}
        ahead = [c for c in around if land.apart(c, terrain, clump)]


def _ridge(land: _Land, first: Hex | None, size: int, stream: Stream) -> None:
    """A line of hills that bends a little, as far as room and pieces last, and a spur beside it."""
    ridge: list[Hex] = []
    way = stream.below(len(DIRECTIONS))
    cell = first
    while cell and len(ridge) < size and land.apart(cell, "hill", ridge) and land.lay(cell, "hill"):
        ridge.append(cell)
        way = (way + stream.weighted((-1, 0, 1), (1, 2, 1))) % len(DIRECTIONS)
        cell = cell + STEPS[way]
    if ridge and stream.chance(1, 2):
        spur = stream.choice(ridge) + STEPS[stream.below(len(DIRECTIONS))]
        if land.apart(spur, "hill", ridge):
            land.lay(spur, "hill")
