"""Arenas: their hexes and buildings, those that ship, and what a good one is.

Arenas: a field of numbered hexes and the silhouettes of its buildings, which keep to no hex.

Drawn arenas: a town as text that a person can draw at the table, corner by corner, by the hexes' numbers.

See docs/formats/arena.md.

What a good arena is: each test yields what breaks it, by the rules of data/battling/arena_rules.toml.

Nothing here knows how an arena was made; the maker does not build with it. The numbers are those of ground.toml.

Arenas: drawn and random ones, and what makes a good one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any, Literal

import msgspec

from generator.common.game import Brush
from generator.common.scenario_file import FileReader, GroundFiles, MapHead, NamedGround
from generator.common.tables import RuleBook, connected, ruleset
from generator.errors import WrongUsageError
from generator.games.battling.tables import limits, words
from generator.grid.columns import CORNERS, DIRECTIONS, ColumnField, Numbered, centre, columns_field, step
from generator.localization import tr
from generator.model.words import Words
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, TextLine
from generator.rules import Fault
from generator.sight.silhouettes import Point, Polygon, Shadows, SightLine, Silhouettes, fault

Edge = Literal["N", "E", "S", "W"]
"""An edge of the arena: its top row, last column, bottom row, first column."""

EDGES: tuple[Edge, ...] = ("N", "E", "S", "W")
ACROSS: Mapping[Edge, Edge] = {"N": "S", "E": "W", "S": "N", "W": "E"}


class Arena(msgspec.Struct, frozen=True, dict=True):
    """The ground of a battle; `silhouettes` on a lattice of `fine` steps to a step of the field's."""

    field: ColumnField
    silhouettes: tuple[Polygon, ...]
    fine: int
    edges: tuple[Edge, ...] = EDGES
    """Where squads may start: opposite edges in pairs."""

    @cached_property
    def buildings(self) -> Silhouettes:
        """The silhouettes as what is closed and what blocks sight."""
        return Silhouettes(self.silhouettes, self.fine)

    def point(self, cell: Numbered) -> Point:
        """A hex's centre on the finer lattice."""
        x, y = self.field.centre(cell)
        return self.fine * x, self.fine * y

    def closed(self, cell: Numbered) -> bool:
        """Whether a building covers the hex's centre, if only with its edge: nobody may enter."""
        return cell not in self._open

    @cached_property
    def open_cells(self) -> tuple[Numbered, ...]:
        """The hexes that may be entered, in the field's order."""
        return tuple(cell for cell in self.field.cells if not self.buildings.covers(self.point(cell)))

    def ways(self, cell: Numbered) -> list[Numbered]:
        """The hexes beside a hex that may be entered."""
        return [neighbour for neighbour in self.field.neighbours(cell) if neighbour in self._open]

    def runs(self, cell: Numbered, way: int, far: int) -> bool:
        """Whether so many hexes in a row, straight on from a hex, may be entered."""
        for _ in range(far):
            cell = step(cell, way)
            if cell not in self._open:
                return False
        return True

    @cached_property
    def _open(self) -> frozenset[Numbered]:
        return frozenset(self.open_cells)

    def edge(self, edge: Edge) -> tuple[Numbered, ...]:
        """The hexes along an edge that may be entered, in the field's order."""
        field = self.field
        lines = {
            "N": field.row(1),
            "E": field.column(field.columns),
            "S": field.row(field.rows),
            "W": field.column(1),
        }
        return tuple(cell for cell in lines[edge] if not self.closed(cell))

    def sight(self, a: Numbered, b: Numbered) -> SightLine:
        """The line between two centres, with the place where it is stopped."""
        return self.buildings.line(self.point(a), self.point(b))

    def stopped_in(self, a: Numbered, b: Numbered, line: SightLine) -> tuple[Numbered, ...]:
        """The hexes in which a line between two centres runs into a building, two where it runs between them."""
        stop, (ax, ay), (bx, by) = line.blocked_at, self.field.centre(a), self.field.centre(b)
        return self.field.holding_ahead(*stop, (bx - ax, by - ay)) if stop else ()

    def in_sight(self, a: Numbered, b: Numbered) -> bool:
        """Whether the line between two centres is clear."""
        return self.shadows.clear(self.field.index[a], self.field.index[b])

    def clear(self, a: Numbered, b: Numbered) -> bool:
        """The same of two that differ, with no shadow cast for it: sooner known of a few hundred lines."""
        line = (a, b) if a < b else (b, a)
        if line not in self._judged:
            self._judged[line] = self.buildings.clear(*map(self.point, line))
        return self._judged[line]

    @cached_property
    def _judged(self) -> dict[tuple[Numbered, Numbered], bool]:
        return {}

    @cached_property
    def shadows(self) -> Shadows:
        """What each hex sees past the buildings."""
        return Shadows(self.field, self.buildings)


CORNER_NAMES = ("E", "NE", "NW", "W", "SW", "SE")
"""The corners of a hex in the order of the grid's."""

_CORNER = re.compile(r"([0-9]{2})([0-9]{2})(?::(E|NE|NW|W|SW|SE))?(?:([+-][0-9]{1,3})([+-][0-9]{1,3}))?", re.ASCII)


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An arena's size in hexes."""

    columns: int = limits().columns.usual
    """Columns of hexes."""
    rows: int = limits().rows.usual
    """Rows of hexes."""


class ArenaForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An arena as it is typed: its size, the finer lattice, and a building on each line."""

    buildings: str
    """A building on each line, corner by corner; what follows a `#` is a remark."""
    size: Size = Size()
    """How many hexes it has."""
    fine: int = limits().fine.usual
    """Steps of the finer lattice."""
    edges: tuple[Edge, ...] = EDGES
    """Where squads may start."""


class ArenaFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drawn arena as its file has it."""

    buildings: str
    """A building on each line, corner by corner; what follows a `#` is a remark."""
    size: Size = Size()
    """How many hexes it has."""
    fine: int = limits().fine.usual
    """Steps of the finer lattice."""
    edges: tuple[Edge, ...] = EDGES
    """Where squads may start."""


DrawnArena = NamedGround[Arena]


def brushes() -> dict[str, Brush]:
    """How buildings are laid: over whole hexes, or from centre to centre of the hexes named."""
    return {
        "hex": Brush(words()["brush"]["hex"], _build),
        "block": Brush(words()["brush"]["block"], _build, several=True),
    }


def _build(values: dict[str, Any], cells: Sequence[str], _way: str, on: bool) -> None:
    """One building on these hexes; what is taken away is each building that covers a centre of theirs."""
    for cell in cells:
        if not re.fullmatch("[0-9]{4}", cell):
            raise WrongUsageError(tr("no cell {name!r} on this map", name=cell[:40]), hint=tr("such as 0805"))
    lines = values.get("buildings", "").splitlines()
    if on:
        whole = (f"{cell}:{corner}" for cell in cells for corner in CORNER_NAMES)
        lines.append(" ".join(cells if len(cells) > 1 else whole))
    else:
        fine = values.get("fine", limits().fine.usual)
        lines = [line for line in lines if not _reaches(line, cells, fine)]
    values["buildings"] = "".join(f"{line}\n" for line in lines)


def _reaches(line: str, cells: Sequence[str], fine: int) -> bool:
    """Whether the building on a line of a drawing covers one of those centres."""
    shape = [_point(corner, fine) for corner in line.partition("#")[0].split()]
    return bool(shape) and any(Silhouettes([tuple(shape)], fine).covers(_point(cell, fine)) for cell in cells)


def read_arena(of: ArenaForm | ArenaFile, source: Source, at: KeyPath = ()) -> Arena:
    """The arena of a drawing that stands at a key of a TOML text; DataError names every fault."""
    bounds, reading = limits(), FileReader(source, at)
    for keys, number, span in (
        (("size", "columns"), of.size.columns, bounds.columns),
        (("size", "rows"), of.size.rows, bounds.rows),
        (("fine",), of.fine, bounds.fine),
    ):
        if number not in span:
            reading.fault(
                keys,
                tr(
                    "is {number}, but must be {least} to {most}", number=number, least=span.minimum, most=span.maximum
                ),
            )
    if not of.edges or {ACROSS[edge] for edge in of.edges} != set(of.edges):
        reading.fault(("edges",), tr("an edge is listed without the opposite one"), tr("N with S, E with W"))
    reading.done()
    field = columns_field(of.size.columns, of.size.rows)
    silhouettes: list[Polygon] = []
    for number, line in enumerate(of.buildings.splitlines()):
        text = line.partition("#")[0].split()
        try:
            if text:
                silhouettes.append(_silhouette(text, field, of.fine))
        except ValueError as error:
            reading.fault(("buildings", TextLine(number)), str(error))
    if len(silhouettes) > bounds.buildings:
        message = tr("has {count} buildings, but may have {bounds}", count=len(silhouettes), bounds=bounds.buildings)
        reading.fault(("buildings",), message)
    reading.done()
    return Arena(field, tuple(silhouettes), of.fine, tuple(edge for edge in EDGES if edge in of.edges))


ARENAS = GroundFiles("battling", "arenas", ArenaFile, read_arena)
load_arena, read_file, house_arenas = ARENAS.load, ARENAS.read, ARENAS.house
house_arena = ARENAS.shipped_as


def drawing(arena: Arena) -> dict[str, object]:
    """The arena as the entries of a TOML table, which `read_arena` reads back."""
    text = "\n".join(" ".join(_corner(point, arena.fine) for point in shape) for shape in arena.silhouettes)
    size = {"columns": arena.field.columns, "rows": arena.field.rows}
    return {"size": size, "fine": arena.fine, "edges": arena.edges, "buildings": text}


def _silhouette(text: list[str], field: ColumnField, fine: int) -> Polygon:
    """A building's corners; ValueError tells what is wrong with them."""
    if len(text) > limits().corners:
        raise ValueError(
            tr("the building has {count} corners, but may have {corners}", count=len(text), corners=limits().corners)
        )
    shape = tuple(_point(corner, fine) for corner in text)
    for corner, (x, y) in zip(text, shape, strict=True):
        # As far as the hexes reach, and half a hex more for the parts of hexes along the edge.
        right, low = field.centre(Numbered(field.columns, field.rows))
        if not (-4 <= x / fine <= right + 4 and low - 4 <= y / fine <= 2):
            raise ValueError(tr("the corner {corner} lies off the arena", corner=corner))
    if wrong := fault(shape):
        raise ValueError(tr("the building {wrong}", wrong=wrong))
    return shape


def _point(text: str, fine: int) -> Point:
    match = _CORNER.fullmatch(text)
    if not match:
        raise ValueError(
            tr(
                "{text!r} is not a corner: write a hex number and, if needed, :NE and +2-1 (right, down)",
                text=text[:20],
            )
        )
    x, y = centre(Numbered(int(match[1]), int(match[2])))
    dx, dy = CORNERS[CORNER_NAMES.index(match[3])] if match[3] else (0, 0)
    return fine * (x + dx) + int(match[4] or 0), fine * (y + dy) - int(match[5] or 0)


def _corner(point: Point, fine: int) -> str:
    """A corner by the nearest hex; the lowest number of several."""
    column, row = point[0] // (3 * fine), -point[1] // (2 * fine)
    near: Iterator[Numbered] = (
        Numbered(c, r) for c in range(column, column + 3) for r in range(row - 1, row + 2) if c >= 0 and r >= 0
    )
    # A step across is half a hexside, one down the root of three quarters: squares of one to three.
    offs = [(*_off(point, cell, fine), cell) for cell in near]
    dx, dy, cell = min(offs, key=lambda off: (off[0] ** 2 + 3 * off[1] ** 2, off[2]))
    return f"{cell.c:02}{cell.r:02}" + (f"{dx:+}{dy:+}" if dx or dy else "")


def _off(point: Point, cell: Numbered, fine: int) -> Point:
    """How many steps of the finer lattice a point lies right of a hex's centre, and how many below."""
    x, y = centre(cell)
    return point[0] - fine * x, fine * y - point[1]


arena_rule = RuleBook("battling/arena_rules.toml")


class Opening(msgspec.Struct, frozen=True):
    """What one edge sees of the edge across before the first move."""

    cells: tuple[Numbered, ...]
    """The hexes of this edge that may be entered."""
    pairs: int
    """Each of them with each hex across."""
    seen: int
    """How many of the pairs are in sight of each other."""
    covered: tuple[Numbered, ...]
    """The hexes of this edge that see nothing of the edge across."""

    @property
    def percent(self) -> int:
        """How many of the pairs are in sight, rounded up: a bound is met where this meets it."""
        return -(-100 * self.seen // self.pairs) if self.pairs else 0


def opening_of(arena: Arena, edge: Edge) -> Opening:
    """What an edge sees of the edge across."""
    cells, across = arena.edge(edge), arena.edge(ACROSS[edge])
    seen = {a: sum(arena.clear(a, b) for b in across) for a in cells}
    covered = tuple(a for a, count in seen.items() if not count)
    return Opening(cells, len(cells) * len(across), sum(seen.values()), covered)


def edge_name(edge: Edge) -> Words:
    """What an edge is called."""
    return words()["edge"][edge]


@arena_rule("arena.room")
def room(arena: Arena) -> Iterator[Fault]:
    cells = {edge: arena.edge(edge) for edge in arena.edges}
    yield from _enough(cells, limits().room)


@arena_rule("arena.cover")
def cover(arena: Arena) -> Iterator[Fault]:
    cells = {edge: opening_of(arena, edge).covered for edge in arena.edges}
    yield from _enough(cells, limits().cover)


def _enough(found: dict[Edge, tuple[Numbered, ...]], min_count: int) -> Iterator[Fault]:
    """Edges with too few hexes of a sort (reason `few`), or with many more than the edge across (`uneven`)."""
    for edge, cells in found.items():
        if len(cells) < min_count:
            yield Fault(edge, "few", {"edge": edge_name(edge), "n": len(cells), "least": min_count})
        more = len(cells) - len(found[ACROSS[edge]])
        if more > limits().uneven:
            yield Fault(edge, "uneven", {"edge": edge_name(edge), "n": more})


@arena_rule("arena.opening")
def openings(arena: Arena) -> Iterator[Fault]:
    limit = limits().opening
    for edge in arena.edges:
        percent = opening_of(arena, edge).percent
        # Sight is mutual: one edge of a pair tells for both.
        if edge in ("N", "E") and percent > limit:
            yield Fault(edge, "open", {"edge": edge_name(edge), "percent": percent, "most": limit})


@arena_rule("arena.reachable")
def reachable(arena: Arena) -> Iterator[Fault]:
    parts = connected(arena.open_cells, arena.field.neighbours)
    main = max(parts, key=len, default=())
    for part in parts:
        if part is not main:
            names = " ".join(arena.field.name(cell) for cell in sorted(part))
            yield Fault(names, "cut", {"hexes": names}, cells=tuple(names.split()))


@arena_rule("arena.streets")
def streets(arena: Arena) -> Iterator[Fault]:
    dash, min_streets = limits().dash, limits().streets
    directions = range(len(DIRECTIONS))
    starts = [cell for cell in arena.open_cells if any(arena.runs(cell, d, dash) for d in directions)]
    share = 100 * len(starts) // max(1, len(arena.open_cells))
    if share < min_streets:
        yield Fault("arena", "few", {"share": share, "dash": dash, "least": min_streets})


arena_rules = cache(partial(ruleset, arena_rule))
"""The rules of arenas by themselves."""
