"""Draw maps of an arena or of parts of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, pairwise

import msgspec
from msgspec.structs import replace

from generator.common.tables import ReferenceRow
from generator.games.battling.forces import MachineKind
from generator.games.battling.ground import Arena, Edge
from generator.games.battling.model import SIDES, Scenario, Side, side_name
from generator.games.battling.tables import words
from generator.grid.columns import DIRECTIONS, ColumnField, Numbered, centre, corners
from generator.grid.hexes import Part
from generator.model.legends import keep_drawn
from generator.model.views import Area, Legend, MapView, Note, Shade, Spot, Token
from generator.model.words import Words, joined, same
from generator.notation import toml
from generator.sight.silhouettes import Rings, outlines


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a reply."""

    name: Words
    form: Words
    example: str


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text that precedes orders in a log."""

    form: Words
    text: Words


class SheetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of sheets.toml, which describes them."""

    hex: float
    token: float
    numbers: int
    blank: int
    columns: int
    rows: int
    part: tuple[int, int]
    around: int
    turn: tuple[ReferenceRow, ...]
    reply: tuple[Form, ...]
    header: tuple[Head, ...]


sheet_file = toml.shipped_table("battling/sheets.toml", SheetFile)
"""Return the shipped sizes, limits and sentences."""


class Section(msgspec.Struct, frozen=True):
    """The hexes of an arena in the columns and rows between two corners, which are included."""

    first: Numbered
    last: Numbered

    @property
    def cells(self) -> tuple[Numbered, ...]:
        """Return the hexes of the section, in a field's order."""
        rows = range(self.first.r, self.last.r + 1)
        return tuple(Numbered(c, r) for c in range(self.first.c, self.last.c + 1) for r in rows)

    def __contains__(self, cell: Numbered) -> bool:
        return self.first.c <= cell.c <= self.last.c and self.first.r <= cell.r <= self.last.r

    def within(self, columns: int, rows: int) -> bool:
        """Return whether the section has at most this number of columns and rows."""
        return self.last.c - self.first.c < columns and self.last.r - self.first.r < rows


def large(field: ColumnField) -> bool:
    """Return whether an arena is too large for its hex numbers to be readable on one page."""
    return field.columns > sheet_file().columns or field.rows > sheet_file().rows


def section_around(field: ColumnField, cell: Numbered, reach: int) -> Section:
    """Return the section with `reach` columns and rows on each side of a hex, shifted if the hex is near an edge."""
    across = _about(cell.c, reach, field.columns)
    down = _about(cell.r, reach, field.rows)
    return Section(Numbered(across[0], down[0]), Numbered(across[1], down[1]))


def section_holding(field: ColumnField, cells: Iterable[Numbered], margin: int) -> Section:
    """Return the smallest section that contains these hexes and a margin of columns and rows around them."""
    columns, rows = zip(*((cell.c, cell.r) for cell in cells), strict=True)
    first = Numbered(max(1, min(columns) - margin), max(1, min(rows) - margin))
    return Section(first, Numbered(min(field.columns, max(columns) + margin), min(field.rows, max(rows) + margin)))


def sections_for_groups(field: ColumnField, groups: Iterable[Collection[Numbered]], margin: int) -> list[Section]:
    """Return sections that show these groups of hexes.

    The result is one section if it is readable. Otherwise, neighbouring groups share a section.
    """
    found = [tuple(group) for group in groups]
    whole = section_holding(field, chain.from_iterable(found), margin)
    if whole.within(sheet_file().columns, sheet_file().rows):
        return [whole]
    while True:
        joined = {(a, b): section_holding(field, (*a, *b), margin) for a, b in combinations(found, 2)}
        near = [pair for pair, span in joined.items() if span.within(*sheet_file().part)]
        if not near:
            return [section_holding(field, group, margin) for group in found]
        pair = min(near, key=lambda pair: len(joined[pair].cells))
        first = found.index(pair[0])
        found = [group for group in found if group not in pair]
        found.insert(first, (*pair[0], *pair[1]))


def sections(field: ColumnField) -> Iterator[Section]:
    """Yield sections of similar size that together show a large arena, row by row.

    Neighbouring sections overlap by a hex.
    """
    for top, bottom in _shares(field.rows, sheet_file().rows):
        for left, right in _shares(field.columns, sheet_file().columns):
            last = Numbered(min(right + 1, field.columns), min(bottom + 1, field.rows))
            yield Section(Numbered(max(left - 1, 1), max(top - 1, 1)), last)


def _about(at: int, reach: int, last: int) -> tuple[int, int]:
    first = max(1, min(at - reach, last - 2 * reach))
    return first, min(last, first + 2 * reach)


def _shares(count: int, max_size: int) -> list[tuple[int, int]]:
    """Split the numbers 1 to `count` into the fewest ranges of limited length, and return the ends of each range."""
    parts = -(-count // max_size)
    ends = [count * i // parts for i in range(parts + 1)]
    return [(before + 1, end) for before, end in pairwise(ends)]


STREET, PLAZA, CLOSED, SILHOUETTE = "street", "plaza", "closed", "silhouette"
"""The theme's names for open hexes, open hexes surrounded by open ones, closed hexes, and buildings."""
PART = "seen"
"""The shade that marks a part of a large arena on the small map of the whole arena."""
_RULER, _WIDEST, _BY = 0.55, 1.05, 22
"""The size of a ruler's numbers, in sides of a hex, on arenas with up to `_BY` columns and on the widest arenas."""


def token(side: Side, kind: MachineKind, label: str = "", hp: tuple[int, int] = (0, 0)) -> Token:
    """Return a machine's counter, with a shape for its side, and a symbol and caption for its type.

    On maps, the counter also shows the machine's hit points.
    """
    name = joined((kind.name, side_name(side)))
    return Token(side, "plain", kind.symbol, label, caption=kind.caption, hp=hp, name=name)


def kind_token(kind: MachineKind) -> Token:
    """Return the symbol of a type of machine that belongs to neither side."""
    return Token("machine", "plain", kind.symbol, name=kind.name)


def arena_view(
    arena: Arena,
    tokens: tuple[tuple[Numbered, Token], ...] = (),
    span: Section | None = None,
    *,
    ruled: bool = True,
) -> MapView:
    """Return a map of the arena or a section of it with the tokens there, without a legend and texts at its edges.

    Rulers at its four edges number the columns and rows. The numbers of rows in odd columns are at the left, those
    in even columns at the right.
    """
    cells = arena.field.cells if span is None else span.cells
    fine, here = arena.fine, set(cells)
    squares = plazas(arena)
    within = [tuple((fine * x, fine * y) for x, y in corners(cell)) for cell in cells] if span else []
    roofs = outlines(arena.silhouettes, fine, within) if span else _roofs(arena)
    return MapView(
        grid=Part(arena.field, cells) if span else arena.field,
        ground={cell: CLOSED if arena.closed(cell) else PLAZA if cell in squares else STREET for cell in cells},
        areas=tuple(Area(SILHOUETTE, rings) for rings in roofs),
        tokens=tuple((cell, token) for cell, token in tokens if cell in here),
        notes=tuple(rulers(cells, [point for rings in roofs for point in rings[0]])) if ruled else (),
        ruled=ruled,
    )


@lru_cache(8)  # more than the arenas of one print
def _roofs(arena: Arena) -> tuple[Rings, ...]:
    """Return the outlines of all buildings of an arena. They are cached, because many maps of a kit show them."""
    return outlines(arena.silhouettes, arena.fine)


@lru_cache(8)  # more than the arenas of one print
def plazas(arena: Arena) -> frozenset[Numbered]:
    """Return hexes surrounded by open ones, of which no two are adjacent. Maps show them as plazas."""
    found: set[Numbered] = set()
    for cell in arena.open_cells:
        around = arena.field.neighbours(cell)
        if len(around) == len(DIRECTIONS) and not any(arena.closed(n) or n in found for n in around):
            found.add(cell)
    return frozenset(found)


def rulers(cells: Collection[Numbered], roofs: Iterable[Spot] = ()) -> Iterator[Note]:
    """Yield the numbers of columns above and below these hexes, and of rows to their left and right.

    The numbers do not overlap roofs that extend beyond the hexes.
    """
    columns, rows = sorted({cell.c for cell in cells}), sorted({cell.r for cell in cells})
    size = min(_WIDEST, max(_RULER, _RULER * len(columns) / _BY))
    points: list[Spot] = [*(point for cell in cells for point in corners(cell)), *roofs]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    off, aside = 0.9 * size, 2.2 * size
    for c in columns:
        x, number = float(centre(Numbered(c, 1))[0]), same(f"{c:02}")
        yield Note((x, high + off), number, size)
        yield Note((x, low - off), number, size)
    for parity, x in ((1, left - aside), (0, right + aside)):
        # If a section has only one column, both rulers number this column.
        number_of = next((c for c in columns if c % 2 == parity), columns[0])
        for r in rows:
            yield Note((x, float(centre(Numbered(number_of, r))[1])), same(f"{r:02}"), size)


def locator(
    arena: Arena, parts: Iterable[Collection[Numbered]], tokens: tuple[tuple[Numbered, Token], ...]
) -> MapView:
    """Return a small map of the whole arena that shows the positions of some parts."""
    shaded = tuple(dict.fromkeys(cell for part in parts for cell in part))
    return replace(arena_view(arena, tokens, ruled=False), names=False, shades=(Shade(PART, shaded),))


def map_view(scenario: Scenario, *, small: bool = False) -> MapView:
    """Return a map of the arena with both squads.

    A small map has no names, no legend and no text at its edges.
    """
    kinds = scenario.pack.machines
    tokens = tuple((m.cell, token(side, kinds[m.kind], m.id[1:])) for side, m in scenario.machines)
    view = arena_view(scenario.arena, tokens)
    if small:
        return replace(view, names=False, notes=(), ruled=False)
    return replace(view, legend=legend(scenario), edges=(_edge(scenario, "N"), _edge(scenario, "S")))


def legend(scenario: Scenario) -> tuple[Legend, ...]:
    """Return the legend of the ground and its buildings, and of each side's machines by type."""
    texts = words()["map"]
    rows = list(ground_legend(scenario.arena))
    for side in SIDES:
        here = dict.fromkeys(machine.kind for machine in scenario.squads[side].machines)
        for kind in map(scenario.pack.machines.__getitem__, here):
            text = texts["machine"].fill(name=kind.name, side=side_name(side))
            rows.append(Legend(token(side, kind), text))
    return tuple(rows)


def ground_legend(arena: Arena) -> tuple[Legend, ...]:
    """Return the legend of the ground, closed hexes and buildings of an arena."""
    texts = words()["map"]
    entries = (
        Legend(f"{STREET} {PLAZA}", texts["street"]),
        Legend(CLOSED, texts["closed"]),
        Legend(SILHOUETTE, texts["building"]),
    )
    return keep_drawn(entries, arena_view(arena))


def _edge(scenario: Scenario, edge: Edge) -> Words:
    """Return an edge's name with the side that starts there, if any and if the set-up is not prescribed."""
    texts = words()
    for side, squad in scenario.squads.items():
        if squad.edge == edge and not scenario.fixed:
            return texts["map"]["own_edge"].fill(edge=texts["edge"][edge], side=side_name(side))
    return texts["map"]["edge"].fill(edge=texts["edge"][edge])
