"""Arenas of hexes and buildings, their drawings as text, and the rules for suitable arenas.

An arena is a field of numbered hexes with buildings of any shape at any place. A drawing is a text with a building
on each line, given by its corners, which are relative to hex numbers (docs/formats/arena.md). Each rule for arenas
is a function that yields its violations. Its text is in data/battling/arena_rules.toml, and its numbers are in
ground.toml. The generator of random arenas does not use these functions.
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
"""An edge of the arena: the top row (N), the last column (E), the bottom row (S) or the first column (W)."""

EDGES: tuple[Edge, ...] = ("N", "E", "S", "W")
ACROSS: Mapping[Edge, Edge] = {"N": "S", "E": "W", "S": "N", "W": "E"}


class Arena(msgspec.Struct, frozen=True, dict=True):
    """The ground of a battle.

    The silhouettes are on a lattice with `fine` steps to each step of the field's lattice.
    """

    field: ColumnField
    silhouettes: tuple[Polygon, ...]
    fine: int
    edges: tuple[Edge, ...] = EDGES
    """The edges at which squads may start, as pairs of opposite edges."""

    @cached_property
    def buildings(self) -> Silhouettes:
        """The silhouettes, as ground that cannot be entered and as obstacles to sight."""
        return Silhouettes(self.silhouettes, self.fine)

    def point(self, cell: Numbered) -> Point:
        """Return the centre of a hex on the finer lattice."""
        x, y = self.field.centre(cell)
        return self.fine * x, self.fine * y

    def closed(self, cell: Numbered) -> bool:
        """Return whether a building covers or touches the hex's centre, so that the hex cannot be entered."""
        return cell not in self._open

    @cached_property
    def open_cells(self) -> tuple[Numbered, ...]:
        """The hexes that may be entered, in the field's order."""
        return tuple(cell for cell in self.field.cells if not self.buildings.covers(self.point(cell)))

    def ways(self, cell: Numbered) -> list[Numbered]:
        """Return the neighbours of a hex that may be entered."""
        return [neighbour for neighbour in self.field.neighbours(cell) if neighbour in self._open]

    def runs(self, cell: Numbered, way: int, far: int) -> bool:
        """Return whether the next `far` hexes in a straight line from a hex may all be entered."""
        for _ in range(far):
            cell = step(cell, way)
            if cell not in self._open:
                return False
        return True

    @cached_property
    def _open(self) -> frozenset[Numbered]:
        return frozenset(self.open_cells)

    def edge(self, edge: Edge) -> tuple[Numbered, ...]:
        """Return the hexes along an edge that may be entered, in the field's order."""
        field = self.field
        lines = {
            "N": field.row(1),
            "E": field.column(field.columns),
            "S": field.row(field.rows),
            "W": field.column(1),
        }
        return tuple(cell for cell in lines[edge] if not self.closed(cell))

    def sight(self, a: Numbered, b: Numbered) -> SightLine:
        """Return the line between the centres of two hexes, with the point at which it is blocked, if any."""
        return self.buildings.line(self.point(a), self.point(b))

    def stopped_in(self, a: Numbered, b: Numbered, line: SightLine) -> tuple[Numbered, ...]:
        """Return the hex in which a line between two centres is blocked, or both hexes if it runs between them."""
        stop, (ax, ay), (bx, by) = line.blocked_at, self.field.centre(a), self.field.centre(b)
        return self.field.holding_ahead(*stop, (bx - ax, by - ay)) if stop else ()

    def in_sight(self, a: Numbered, b: Numbered) -> bool:
        """Return whether the line between the centres of two hexes is clear."""
        return self.shadows.clear(self.field.index[a], self.field.index[b])

    def clear(self, a: Numbered, b: Numbered) -> bool:
        """Return whether the line between the centres of two different hexes is clear, without computing shadows.

        This is faster than `in_sight` for up to a few hundred lines.
        """
        line = (a, b) if a < b else (b, a)
        if line not in self._judged:
            self._judged[line] = self.buildings.clear(*map(self.point, line))
        return self._judged[line]

    @cached_property
    def _judged(self) -> dict[tuple[Numbered, Numbered], bool]:
        return {}

    @cached_property
    def shadows(self) -> Shadows:
        """The hexes that can be seen from each hex."""
        return Shadows(self.field, self.buildings)


CORNER_NAMES = ("E", "NE", "NW", "W", "SW", "SE")
"""The corners of a hex in the grid's order."""

_CORNER = re.compile(r"([0-9]{2})([0-9]{2})(?::(E|NE|NW|W|SW|SE))?(?:([+-][0-9]{1,3})([+-][0-9]{1,3}))?", re.ASCII)


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The size of an arena in hexes."""

    columns: int = limits().columns.usual
    """The number of columns of hexes."""
    rows: int = limits().rows.usual
    """The number of rows of hexes."""


class ArenaForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawn arena with its size, its finer lattice, and a building on each line."""

    buildings: str
    """One building on each line, as a list of corners. Text after `#` is a comment."""
    size: Size = Size()
    """The size of the arena in hexes."""
    fine: int = limits().fine.usual
    """The number of fine-lattice steps in one step of the hex lattice."""
    edges: tuple[Edge, ...] = EDGES
    """The edges from which squads may start."""


class ArenaFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An arena."""

    buildings: str
    """One building on each line, as a list of corners. Text after `#` is a comment."""
    size: Size = Size()
    """The size of the arena in hexes."""
    fine: int = limits().fine.usual
    """The number of fine-lattice steps in one step of the hex lattice."""
    edges: tuple[Edge, ...] = EDGES
    """The edges from which squads may start."""


DrawnArena = NamedGround[Arena]


def brushes() -> dict[str, Brush]:
    """Return the tools that draw buildings, either on whole hexes or between the centres of hexes."""
    return {
        "hex": Brush(words()["brush"]["hex"], _build),
        "block": Brush(words()["brush"]["block"], _build, several=True),
    }


def _build(values: dict[str, Any], cells: Sequence[str], _way: str, on: bool) -> None:
    """Add one building on these hexes, or remove each building that covers one of their centres."""
    for cell in cells:
        if not re.fullmatch("[0-9]{4}", cell):
            raise WrongUsageError(
                tr("there is no cell {name!r} on this map", name=cell[:40]), hint=tr("write a hex as in 0805")
            )
    lines = values.get("buildings", "").splitlines()
    if on:
        whole = (f"{cell}:{corner}" for cell in cells for corner in CORNER_NAMES)
        lines.append(" ".join(cells if len(cells) > 1 else whole))
    else:
        fine = values.get("fine", limits().fine.usual)
        lines = [line for line in lines if not _reaches(line, cells, fine)]
    values["buildings"] = "".join(f"{line}\n" for line in lines)


def _reaches(line: str, cells: Sequence[str], fine: int) -> bool:
    """Return whether the building on a line of a drawing covers one of these centres."""
    shape = [_point(corner, fine) for corner in line.partition("#")[0].split()]
    return bool(shape) and any(Silhouettes([tuple(shape)], fine).covers(_point(cell, fine)) for cell in cells)


def read_arena(of: ArenaForm | ArenaFile, source: Source, at: KeyPath = ()) -> Arena:
    """Return the arena drawn at a key of a TOML file.

    Raises:
        DataError: If the arena is invalid. The error lists each fault.
    """
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
                    "the value is {number}, but it must be {least} to {most}",
                    number=number,
                    least=span.minimum,
                    most=span.maximum,
                ),
            )
    if not of.edges or {ACROSS[edge] for edge in of.edges} != set(of.edges):
        reading.fault(
            ("edges",),
            tr("an edge is listed without the opposite edge"),
            tr("list N together with S, and E together with W"),
        )
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
        message = tr(
            "the number of buildings is {count}, but it must be {bounds}",
            count=len(silhouettes),
            bounds=bounds.buildings,
        )
        reading.fault(("buildings",), message)
    reading.done()
    return Arena(field, tuple(silhouettes), of.fine, tuple(edge for edge in EDGES if edge in of.edges))


ARENAS = GroundFiles("battling", "arenas", ArenaFile, read_arena)
load_arena, read_file, house_arenas = ARENAS.load, ARENAS.read, ARENAS.house
house_arena = ARENAS.shipped_as


def drawing(arena: Arena) -> dict[str, object]:
    """Return the entries of a TOML table from which `read_arena` reads the same arena."""
    text = "\n".join(" ".join(_corner(point, arena.fine) for point in shape) for shape in arena.silhouettes)
    size = {"columns": arena.field.columns, "rows": arena.field.rows}
    return {"size": size, "fine": arena.fine, "edges": arena.edges, "buildings": text}


def _silhouette(text: list[str], field: ColumnField, fine: int) -> Polygon:
    """Return a building's corners.

    Raises:
        ValueError: If the corners are invalid. The message states the reason.
    """
    if len(text) > limits().corners:
        raise ValueError(
            tr(
                "the number of corners of the building is {count}, but it must be {corners}",
                count=len(text),
                corners=limits().corners,
            )
        )
    shape = tuple(_point(corner, fine) for corner in text)
    for corner, (x, y) in zip(text, shape, strict=True):
        # Corners may extend half a hex beyond the centres of the outermost hexes, to cover parts of hexes along the
        # edge.
        right, low = field.centre(Numbered(field.columns, field.rows))
        if not (-4 <= x / fine <= right + 4 and low - 4 <= y / fine <= 2):
            raise ValueError(tr("the corner {corner} is outside the arena", corner=corner))
    if wrong := fault(shape):
        raise ValueError(tr("the building {wrong}", wrong=wrong))
    return shape


def _point(text: str, fine: int) -> Point:
    match = _CORNER.fullmatch(text)
    if not match:
        raise ValueError(
            tr(
                "{text!r} is not a corner; write a hex number and, if needed, :NE and +2-1 (right, down)",
                text=text[:20],
            )
        )
    x, y = centre(Numbered(int(match[1]), int(match[2])))
    dx, dy = CORNERS[CORNER_NAMES.index(match[3])] if match[3] else (0, 0)
    return fine * (x + dx) + int(match[4] or 0), fine * (y + dy) - int(match[5] or 0)


def _corner(point: Point, fine: int) -> str:
    """Return a corner relative to its nearest hex.

    Among equally near hexes, the one with the lowest number is used.
    """
    column, row = point[0] // (3 * fine), -point[1] // (2 * fine)
    near: Iterator[Numbered] = (
        Numbered(c, r) for c in range(column, column + 3) for r in range(row - 1, row + 2) if c >= 0 and r >= 0
    )
    # Vertical steps are √3 times as long as horizontal ones, so their squares have the ratio 3 to 1.
    offs = [(*_off(point, cell, fine), cell) for cell in near]
    dx, dy, cell = min(offs, key=lambda off: (off[0] ** 2 + 3 * off[1] ** 2, off[2]))
    return f"{cell.c:02}{cell.r:02}" + (f"{dx:+}{dy:+}" if dx or dy else "")


def _off(point: Point, cell: Numbered, fine: int) -> Point:
    """Return a point's position relative to a hex's centre, in steps of the finer lattice to the right and down."""
    x, y = centre(cell)
    return point[0] - fine * x, fine * y - point[1]


arena_rule = RuleBook("battling/arena_rules.toml")


class Opening(msgspec.Struct, frozen=True):
    """The lines of sight between one edge and the opposite edge before the first move."""

    cells: tuple[Numbered, ...]
    """The hexes of this edge that may be entered."""
    pairs: int
    """The number of pairs of a hex of this edge and a hex of the opposite edge."""
    seen: int
    """The number of these pairs with a clear line of sight."""
    covered: tuple[Numbered, ...]
    """The hexes of this edge from which no hex of the opposite edge can be seen."""

    @property
    def percent(self) -> int:
        """The percentage of pairs with a clear line of sight, rounded up, so that it can be compared with a limit."""
        return -(-100 * self.seen // self.pairs) if self.pairs else 0


def opening_of(arena: Arena, edge: Edge) -> Opening:
    """Return the lines of sight between an edge and the opposite edge."""
    cells, across = arena.edge(edge), arena.edge(ACROSS[edge])
    seen = {a: sum(arena.clear(a, b) for b in across) for a in cells}
    covered = tuple(a for a, count in seen.items() if not count)
    return Opening(cells, len(cells) * len(across), sum(seen.values()), covered)


def edge_name(edge: Edge) -> Words:
    """Return the name of an edge."""
    return words()["edge"][edge]


@arena_rule("arena.room")
def room(arena: Arena) -> Iterator[Fault]:
    cells = {edge: arena.edge(edge) for edge in arena.edges}
    yield from _few_or_uneven(cells, limits().room)


@arena_rule("arena.cover")
def cover(arena: Arena) -> Iterator[Fault]:
    cells = {edge: opening_of(arena, edge).covered for edge in arena.edges}
    yield from _few_or_uneven(cells, limits().cover)


def _few_or_uneven(found: dict[Edge, tuple[Numbered, ...]], min_count: int) -> Iterator[Fault]:
    """Yield a fault for each edge with too few hexes (`few`) or many more than the opposite edge (`uneven`)."""
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
        # Lines of sight are mutual, so one edge of each pair is sufficient.
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
"""Return the rules of arenas."""
