"""Operational maps: hexes and places, those that ship, and what a march over them costs.

The operational map: hexes of equal rows with their ground, and the named places on it.

Rows count from the near (southern) edge; every odd row is shifted half a hex to the right.

Drawn maps: an operational map as text that a person can read in a diff, one symbol a hex.

See docs/formats/operational_map.md.

Marching: what a path costs, and the cheapest way anywhere; whole movement points throughout.

Blind Faith's words from data/blind_faith/words.toml, and how sides, units and hexes are told.

Operational maps: drawn and random ones, and what their ground asks of those who march.
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
from generator.notation.text import name_fault
from generator.notation.toml import Source
from generator.notation.validation import KeyPath


class Place(msgspec.Struct, frozen=True):
    """A town, city or castle."""

    kind: str
    name: Words

    @property
    def what(self) -> PlaceKind:
        """The kind itself."""
        return place_kinds()[self.kind]


class OpMap(msgspec.Struct, frozen=True, dict=True):
    """A map of `rows` rows of `columns` hexes; the ground of each hex by its id, the places by their hexes."""

    columns: int
    rows: int
    ground: Mapping[Hex, str]
    places: Mapping[Hex, Place] = msgspec.field(default_factory=dict)

    @cached_property
    def field(self) -> HexField:
        """The hexes."""
        return field_of((self.columns,) * self.rows)

    def terrain(self, cell: Hex) -> Terrain:
        """The ground of a hex."""
        return terrains()[self.ground[cell]]

    def move(self, cell: Hex) -> int | None:
        """Movement points to enter a hex; None where nobody enters."""
        return self.terrain(cell).move

    def passable(self, cell: Hex) -> bool:
        """Whether a stack may stand on the hex."""
        return self.move(cell) is not None

    def name(self, cell: Hex) -> str:
        """A hex's name."""
        return self.field.name(cell)

    def flows(self) -> dict[Hex, tuple[int, ...]]:
        """Where water leaves each hex of a river: directions to its next hexes, or off the map at its end."""
        return flows(self.field, [cell for cell in self.field.cells if self.terrain(cell).water])

    def beside(self, cell: Hex) -> list[Hex]:
        """The neighbours that a stack may enter."""
        return [n for n in self.field.neighbours(cell) if self.passable(n)]

    @cached_property
    def ways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The neighbours of every hex that a stack may enter, each with its cost; hexes by their numbers."""
        costs, number = [self.move(cell) for cell in self.field.cells], self.field.index
        beside = ([number[n] for n in self.field.neighbours(cell)] for cell in self.field.cells)
        return tuple(tuple((n, cost) for n in near if (cost := costs[n]) is not None) for near in beside)

    @cached_property
    def besiegeable(self) -> tuple[Hex, ...]:
        """The hexes of places that a stack may enter."""
        return tuple(cell for cell in self.places if self.passable(cell))

    def parts(self) -> list[tuple[Hex, ...]]:
        """The pieces into which rivers cut the map, the largest first; there is one where all can be reached."""
        walked = (cell for cell in self.field.cells if self.passable(cell))
        return sorted(connected(walked, self.beside), key=len, reverse=True)


BY_HAND = "hand"
"""What stands in place of a map's name where a person drew the map in the scenario itself."""
RANDOM = "random"
"""What stands in place of a map's name where it was made at random."""
COLUMNS, ROWS = range(4, 27), range(4, 31)
"""How wide and high a map may be: columns are named by one letter."""


class PlaceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A town, city or castle."""

    kind: str
    """The kind of place: `town`, `city` or `castle`."""
    name: Words | str
    """The name of the place, in both languages or as one text for both."""


class MapForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map as it is typed: rows of symbols from the far row to the near one, and the places by their hexes."""

    rows: str
    """One symbol for each hex, separated by spaces, the far row first."""
    places: dict[str, PlaceRow] = {}
    """Towns, cities and castles, by their hexes."""


class MapFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An operational map."""

    rows: str
    """One symbol for each hex, separated by spaces, the far row first."""
    places: dict[str, PlaceRow]
    """Towns, cities and castles, by their hexes; the table may be empty."""


DrawnMap = NamedGround[OpMap]


def brushes() -> dict[str, Brush]:
    """What stands on a drawn map's hexes: each kind of place, called as it is laid, or else by its hex."""
    return {kind.id: Brush(kind.name, partial(_found, kind.id), can_be_named=True) for kind in place_kinds().values()}


def _found(kind: str, values: dict[str, Any], cells: Sequence[str], name: str, on: bool) -> None:
    places = values.setdefault("places", {})
    for cell in cells:
        if on:
            places[cell] = {"kind": kind, "name": name or places.get(cell, {}).get("name", cell)}
        elif places.get(cell, {}).get("kind") == kind:
            del places[cell]


def map_lines(of: OpMap, table: str = "") -> list[str]:
    """The entries of a map in a TOML table of that name, which `read_map` reads back."""
    lines = text.lines({"rows": picture(of)})
    if of.places or not table:
        lines += ["", f"[{table}.places]" if table else "[places]"]
        placed = [(cell, of.places[cell]) for cell in of.field.cells if cell in of.places]
        lines += text.lines({of.name(c): {"kind": p.kind, "name": asdict(p.name)} for c, p in placed})
    return lines


def picture(of: OpMap) -> str:
    """The ground as text, the far row first."""
    rows = []
    for row in reversed(range(of.rows)):
        rows.append(" " * (row % 2) + " ".join(of.terrain(cell).symbol for cell in of.field.row(row)))
    return "\n".join(rows)


def read_map(of: MapForm | MapFile, source: Source, at: KeyPath = ()) -> OpMap:
    """The map of a drawing that stands at a key of a TOML text; DataError names every fault."""
    lines, reading = drawn_lines(of.rows), FileReader(source, at)
    columns = len(lines[0][1]) if lines else 0
    for count, span, what in ((len(lines), ROWS, tr("rows")), (columns, COLUMNS, tr("columns"))):
        if count not in span:
            reading.fault(
                ("rows",),
                tr("the map has {count} {what}", count=count, what=what),
                tr("it can be {least} to {most}", least=span[0], most=span[-1]),
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
    for key, row in table.items():
        at = ("places", key)
        cell = reading.cell(at, key, field, tr("hex"))
        if row.kind not in place_kinds():
            reading.fault(
                (*at, "kind"), tr("no kind of place {kind!r}", kind=row.kind), near(row.kind, place_kinds())
            )
        name = in_words(row.name)
        for wrong in dict.fromkeys(name_fault(name[lang], UNIT_NAME_LIMIT) for lang in LANGS):
            if wrong:
                reading.fault((*at, "name"), wrong)
        if cell is not None:
            found[cell] = Place(row.kind, name)
    return {cell: found[cell] for cell in field.cells if cell in found}


Route = tuple[Hex, ...]
"""The hexes of a march in their order, the first the one it sets out from."""


def costs(on: OpMap, path: Route) -> tuple[int, ...]:
    """What a path costs up to each of its hexes, that hex included; the first costs nothing (decisions B2, B3).

    ValueError where it enters a hex that nobody enters.
    """
    return tuple(accumulate((_entering(on, cell) for cell in path[1:]), initial=0))


def nearest(land: OpMap, cell: Hex, ok: Callable[[Hex], bool]) -> tuple[str, ...]:
    """The hexes nearest to one, at whatever distance, that something holds of."""
    found = {other: distance(cell, other) for other in land.field.cells if other != cell and ok(other)}
    return tuple(land.name(other) for other, far in found.items() if far == min(found.values()))


def gaps(path: Route) -> list[tuple[Hex, Hex]]:
    """Hexes that follow one another in a path and are no neighbours."""
    return [(a, b) for a, b in pairwise(path) if distance(a, b) != 1]


def sound(on: OpMap, path: Route) -> bool:
    """Whether a path can be walked: from neighbour to neighbour, never into a hex that nobody enters."""
    return not gaps(path) and all(map(on.passable, path[1:]))


def movement(pack: Pack, units: Iterable[str]) -> int:
    """The movement points of units that go together: those of the slowest; 0 where there is none."""
    return min((pack.units[unit].movement for unit in units), default=0)


def reach(on: OpMap, start: Hex, barred: Collection[Hex] = ()) -> dict[Hex, int]:
    """The least cost from a hex to every hex that can be reached, itself at 0; no way goes on from a barred hex."""
    cells, number, ways = on.field.cells, on.field.index, on.ways
    first = number[start]
    shut = {number.get(cell) for cell in barred} - {first}
    least = {first: 0}
    ahead = [(0, first)]
    while ahead:
        cost, here = heapq.heappop(ahead)
        if cost > least[here] or here in shut:
            continue
        for other, entering in ways[here]:
            total = cost + entering
            if total < least.get(other, total + 1):
                least[other] = total
                heapq.heappush(ahead, (total, other))
    return {cells[here]: cost for here, cost in least.items()}


def way(on: OpMap, start: Hex, end: Hex, barred: Collection[Hex] = ()) -> Route:
    """A cheapest path, of several the one by hexes that come first in the map's order; empty where there is none."""
    least = reach(on, start, barred)
    if end not in least:
        return ()
    path = [end]
    while path[-1] != start:
        here = path[-1]
        before = least[here] - _entering(on, here)
        ways = (c for c in on.field.neighbours(here) if least.get(c) == before)
        path.append(next(c for c in ways if c == start or c not in barred))
    return tuple(reversed(path))


def _entering(on: OpMap, cell: Hex) -> int:
    cost = on.move(cell)
    if cost is None:
        raise ValueError(tr("no unit can enter {name}", name=on.name(cell)))
    return cost


words = partial(words_of, "blind_faith")
"""The words that code needs; those of the templates lie in the same file."""


def side_name(side: str) -> Words:
    """A side."""
    return words()["side"][side]


def units_told(pack: Pack, units: UnitLine) -> Words:
    """Units by class with their numbers."""
    say = words()["units"]
    if not units:
        return say["none"]
    return joined([say["some"].fill(unit=pack.units[unit].name, n=n) for unit, n in Counter(units).items()])


def hex_told(land: OpMap, cell: Hex) -> Words:
    """A hex, with the place on it."""
    place = land.places.get(cell)
    return words()["map"]["at"].fill(hex=land.name(cell), place=place.name) if place else same(land.name(cell))


def place_near(land: OpMap, cell: Hex) -> Words:
    """The place on a hex or nearest to it; the hex's own name on a map without places."""
    if not land.places:
        return same(land.name(cell))
    return land.places[min(land.places, key=lambda other: (distance(cell, other), land.field.index[other]))].name
