"""Operational maps of hexes and places, the maps shipped with Muster, and the costs of marches.

Rows are counted from the near (southern) edge. Every odd row is shifted half a hex to the right.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import Any

import msgspec
from msgspec.structs import asdict

from generator.common.game import Brush
from generator.common.scenario_file import UNIT_NAME_LIMIT, FileReader, GroundFiles, MapHead, NamedGround, drawn_lines
from generator.common.tables import connected
from generator.common.tables import words as words_of
from generator.errors import near
from generator.games.blind_faith.tables import Pack, PlaceKind, Terrain, UnitLine, by_symbol, place_kinds, terrains
from generator.grid.hexes import Hex, HexField, distance, flows
from generator.grid.hexes import field as field_of
from generator.localization import tr
from generator.model.words import LANGS, Words, in_words, joined, same
from generator.notation import text
from generator.notation.text import find_word, name_fault
from generator.notation.toml import Source
from generator.notation.validation import KeyPath


class Place(msgspec.Struct, frozen=True):
    """A town, city or castle."""

    kind: str
    name: Words

    @property
    def what(self) -> PlaceKind:
        """The definition of this kind of place."""
        return place_kinds()[self.kind]


class OpMap(msgspec.Struct, frozen=True, dict=True):
    """A map of `rows` rows of `columns` hexes.

    `ground` has the terrain id of each hex, and `places` is keyed by hex.
    """

    columns: int
    rows: int
    ground: Mapping[Hex, str]
    places: Mapping[Hex, Place] = msgspec.field(default_factory=dict)

    @cached_property
    def field(self) -> HexField:
        """The hexes of the map."""
        return field_of((self.columns,) * self.rows)

    def terrain(self, cell: Hex) -> Terrain:
        """Return the terrain of a hex."""
        return terrains()[self.ground[cell]]

    def move(self, cell: Hex) -> int | None:
        """Return the movement points needed to enter a hex, or None if it cannot be entered."""
        return self.terrain(cell).move

    def passable(self, cell: Hex) -> bool:
        """Return whether stacks can enter the hex."""
        return self.move(cell) is not None

    def name(self, cell: Hex) -> str:
        """Return the name of a hex."""
        return self.field.name(cell)

    def flows(self) -> dict[Hex, tuple[int, ...]]:
        """Return the directions in which a river leaves each river hex, to other hexes or off the map."""
        return flows(self.field, [cell for cell in self.field.cells if self.terrain(cell).water])

    def passable_neighbours(self, cell: Hex) -> list[Hex]:
        """Return the neighbours of a hex that a stack can enter."""
        return [n for n in self.field.neighbours(cell) if self.passable(n)]

    @cached_property
    def ways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each hex, the neighbours that a stack can enter, with their costs.

        Hexes are indices in the field's order.
        """
        costs, number = [self.move(cell) for cell in self.field.cells], self.field.index
        neighbours = ([number[n] for n in self.field.neighbours(cell)] for cell in self.field.cells)
        return tuple(tuple((n, cost) for n in near if (cost := costs[n]) is not None) for near in neighbours)

    @cached_property
    def besiegeable(self) -> tuple[Hex, ...]:
        """The hexes with places that a stack can enter."""
        return tuple(cell for cell in self.places if self.passable(cell))

    def parts(self) -> list[tuple[Hex, ...]]:
        """Return the connected parts into which rivers divide the map, the largest first."""
        walked = (cell for cell in self.field.cells if self.passable(cell))
        return sorted(connected(walked, self.passable_neighbours), key=len, reverse=True)


BY_HAND = "hand"
"""The text for the name of a map that was drawn by hand in the scenario."""
RANDOM = "random"
"""The text for the name of a randomly generated map."""
COLUMNS, ROWS = range(4, 27), range(4, 31)
"""The permitted numbers of columns and rows. A column has a single letter as its name."""


class PlaceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A town, city or castle."""

    kind: str
    """The type of the place: `town`, `city` or `castle`."""
    name: Words | str
    """The name of the place, in both languages or as one string for both."""


class MapForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map as it is entered: rows of symbols, the far row first, and places by the names of their hexes."""

    rows: str
    """One symbol for each hex, separated by spaces, the far row first."""
    places: dict[str, PlaceRow] = {}
    """Towns, cities and castles by the names of their hexes."""


class MapFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An operational map."""

    rows: str
    """One symbol for each hex, separated by spaces, the far row first."""
    places: dict[str, PlaceRow]
    """Towns, cities and castles, by their hexes; the table may be empty."""


DrawnMap = NamedGround[OpMap]


def brushes() -> dict[str, Brush]:
    """Return the editor tools that add places to a map.

    Each place has a name, which is its hex unless the user enters one.
    """
    return {kind.id: Brush(kind.name, partial(_found, kind.id), can_be_named=True) for kind in place_kinds().values()}


def _found(kind: str, values: dict[str, Any], cells: Sequence[str], name: str, on: bool) -> None:
    places = values.setdefault("places", {})
    for cell in cells:
        if on:
            places[cell] = {"kind": kind, "name": name or places.get(cell, {}).get("name", cell)}
        elif places.get(cell, {}).get("kind") == kind:
            del places[cell]


def map_lines(of: OpMap, table: str = "") -> list[str]:
    """Return the entries of a map for the TOML table `table`, in the form that `read_map` reads."""
    lines = text.lines({"rows": picture(of)})
    if of.places or not table:
        lines += ["", f"[{table}.places]" if table else "[places]"]
        placed = [(cell, of.places[cell]) for cell in of.field.cells if cell in of.places]
        lines += text.lines({of.name(c): {"kind": p.kind, "name": asdict(p.name)} for c, p in placed})
    return lines


def picture(of: OpMap) -> str:
    """Return the terrain as lines of symbols, with the far row first."""
    rows = []
    for row in reversed(range(of.rows)):
        rows.append(" " * (row % 2) + " ".join(of.terrain(cell).symbol for cell in of.field.row(row)))
    return "\n".join(rows)


def read_map(of: MapForm | MapFile, source: Source, at: KeyPath = ()) -> OpMap:
    """Return the map described at a key of a TOML text.

    Raises DataError with every fault.
    """
    lines, reading = drawn_lines(of.rows), FileReader(source, at)
    columns = len(lines[0][1]) if lines else 0
    for count, span, what in ((len(lines), ROWS, tr("rows")), (columns, COLUMNS, tr("columns"))):
        if count not in span:
            reading.fault(
                ("rows",),
                tr("the map has {count} {what}", count=count, what=what),
                tr("the number must be {least} to {most}", least=span[0], most=span[-1]),
            )
    reading.done()
    field = field_of((columns,) * len(lines))
    ground = reading.ground(of.rows, field, by_symbol(), tr("hexes"))
    places = _places(of.places, field, reading)
    reading.done()
    return OpMap(columns, len(lines), {cell: ground[cell] for cell in field.cells}, places)


MAPS = GroundFiles("blind_faith", "maps", MapFile, read_map)
load_map, read_file, house_maps = MAPS.load, MAPS.read, MAPS.house


def _places(table: Mapping[str, PlaceRow], field: HexField, reading: FileReader) -> dict[Hex, Place]:
    found: dict[Hex, Place] = {}
    for cell, key, row in reading.by_cell("places", table, field, tr("hex")):
        at = ("places", key)
        kind = find_word(row.kind, place_kinds()) or row.kind
        if kind not in place_kinds():
            reading.fault(
                (*at, "kind"),
                tr("there is no kind of place named {kind!r}", kind=row.kind),
                near(row.kind, place_kinds()),
            )
        name = in_words(row.name)
        for wrong in dict.fromkeys(name_fault(name[lang], UNIT_NAME_LIMIT) for lang in LANGS):
            if wrong:
                reading.fault((*at, "name"), wrong)
        if cell is not None:
            found[cell] = Place(kind, name)
    return {cell: found[cell] for cell in field.cells if cell in found}


Route = tuple[Hex, ...]
"""The hexes of a march in order, beginning with the hex from which it starts."""


def costs(on: OpMap, path: Route) -> tuple[int, ...]:
    """Return the cost of a path from its first hex to each of its hexes, which is 0 for the first (decisions B2, B3).

    Raises:
        ValueError: If the path enters a hex that cannot be entered.
    """
    return tuple(accumulate((_entering(on, cell) for cell in path[1:]), initial=0))


def nearest(op_map: OpMap, cell: Hex, ok: Callable[[Hex], bool]) -> tuple[str, ...]:
    """Return the names of the hexes nearest to a hex, at any distance, for which `ok` returns True."""
    found = {other: distance(cell, other) for other in op_map.field.cells if other != cell and ok(other)}
    return tuple(op_map.name(other) for other, far in found.items() if far == min(found.values()))


def gaps(path: Route) -> list[tuple[Hex, Hex]]:
    """Return the pairs of consecutive hexes in a path that are not adjacent."""
    return [(a, b) for a, b in pairwise(path) if distance(a, b) != 1]


def sound(on: OpMap, path: Route) -> bool:
    """Return whether a path consists of adjacent hexes that can be entered."""
    return not gaps(path) and all(map(on.passable, path[1:]))


def movement(pack: Pack, units: Iterable[str]) -> int:
    """Return the movement points of units that march together, which are those of the slowest, or 0 without units."""
    return min((pack.units[unit].movement for unit in units), default=0)


def reach(on: OpMap, start: Hex, barred: Collection[Hex] = ()) -> dict[Hex, int]:
    """Return the smallest cost from a hex to every hex that can be reached. A path must end at a barred hex."""
    cells, number, ways = on.field.cells, on.field.index, on.ways
    first = number[start]
    shut = {number.get(cell) for cell in barred} - {first}
    min_costs = {first: 0}
    ahead = [(0, first)]
    while ahead:
        cost, here = heapq.heappop(ahead)
        if cost > min_costs[here] or here in shut:
            continue
        for other, entering in ways[here]:
            total = cost + entering
            if total < min_costs.get(other, total + 1):
                min_costs[other] = total
                heapq.heappush(ahead, (total, other))
    return {cells[here]: cost for here, cost in min_costs.items()}


def way(on: OpMap, start: Hex, end: Hex, barred: Collection[Hex] = ()) -> Route:
    """Return the cheapest path between two hexes; empty if there is none.

    If several paths cost the same, return the one whose hexes come first in the map's order.
    """
    min_costs = reach(on, start, barred)
    if end not in min_costs:
        return ()
    path = [end]
    while path[-1] != start:
        here = path[-1]
        before = min_costs[here] - _entering(on, here)
        ways = (c for c in on.field.neighbours(here) if min_costs.get(c) == before)
        path.append(next(c for c in ways if c == start or c not in barred))
    return tuple(reversed(path))


def _entering(on: OpMap, cell: Hex) -> int:
    cost = on.move(cell)
    if cost is None:
        raise ValueError(tr("no unit can enter {name}", name=on.name(cell)))
    return cost


words = partial(words_of, "blind_faith")
"""Returns the words that the code uses. The words of templates are in the same file."""


def side_name(side: str) -> Words:
    """Return the name of a side."""
    return words()["side"][side]


def format_units(pack: Pack, units: UnitLine) -> Words:
    """Return a list of classes with their numbers of units."""
    texts = words()["units"]
    if not units:
        return texts["none"]
    return joined([texts["some"].fill(unit=pack.units[unit].name, n=n) for unit, n in Counter(units).items()])


def format_hex(op_map: OpMap, cell: Hex) -> Words:
    """Return the name of a hex and of the place on it."""
    place = op_map.places.get(cell)
    return words()["map"]["at"].fill(hex=op_map.name(cell), place=place.name) if place else same(op_map.name(cell))


def place_near(op_map: OpMap, cell: Hex) -> Words:
    """Return the name of the place nearest to a hex, or the name of the hex if the map has no places."""
    if not op_map.places:
        return same(op_map.name(cell))
    return op_map.places[
        min(op_map.places, key=lambda other: (distance(cell, other), op_map.field.index[other]))
    ].name
