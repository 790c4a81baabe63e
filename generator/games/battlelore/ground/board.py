"""The board: its profile with sections, the ground on its hexes, what lies on it, and cliff sides.

Hexes count from the Pennant player's seat: row 0 is his baseline, columns run from his left. The Standard
player sits opposite: all that is his is the same turned half round, so his left is the other's right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal

import msgspec

from generator.errors import WrongUsageError, near
from generator.games.battlelore.lore import Source, Terrain, lore
from generator.grid.field import HexField
from generator.grid.field import field as field_of
from generator.grid.hexes import DIRECTIONS, STEPS, Hex, Point, direction, opposite
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped

Camp = Literal["pennant", "standard"]
Section = Literal["left", "centre", "right"]
CAMPS: tuple[Camp, ...] = ("pennant", "standard")
SECTIONS: tuple[Section, ...] = ("left", "centre", "right")
CARD_ROWS = (4, 3, 4, 3)
"""The cells in each row of a deployment card, from its owner's baseline."""
BASELINE_ROOM = 3
"""Hexes of each section's baseline that a map leaves free for displaced units and reserves: house."""


class Reach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The columns of a section, first and last, on long (even) and short (odd) rows; see boards.toml."""

    long: tuple[int, int]
    short: tuple[int, int]
    card: int

    def columns(self, row: int) -> range:
        """The columns of a 0-based row."""
        first, last = self.short if row % 2 else self.long
        return range(first, last + 1)


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A kind of board; see boards.toml."""

    name: Words
    rows: tuple[int, ...]
    source: Source
    note: Words
    sections: dict[Section, Reach]

    @cached_property
    def field(self) -> HexField:
        """Its hexes."""
        return field_of(self.rows)

    def seen(self, cell: Hex, camp: Camp) -> Hex:
        """The hex as that camp counts it from its own seat, and back again."""
        return cell if camp == "pennant" else self.field.turned(cell)

    def sections_of(self, cell: Hex, camp: Camp) -> tuple[Section, ...]:
        """The sections the hex belongs to: two where the dotted line cuts it."""
        own = self.seen(cell, camp)
        column = self.field.column(own)
        return tuple(s for s in SECTIONS if column in self.sections[s].columns(own.r))

    def section_cells(self, section: Section, camp: Camp) -> tuple[Hex, ...]:
        """All hexes of a section, row by row from the camp's own baseline, from its left."""
        reach = self.sections[section]
        own = (self.field.at(c, r) for r in range(len(self.rows)) for c in reach.columns(r))
        return tuple(self.seen(cell, camp) for cell in own)

    def shared(self, cell: Hex) -> bool:
        """Whether the hex belongs to two sections; no card reaches it."""
        return len(self.sections_of(cell, "pennant")) > 1

    def card_hex(self, camp: Camp, section: Section, column: int, row: int) -> Hex:
        """The hex under a cell of a deployment card; ValueError for a cell that cards do not have."""
        if row not in range(len(CARD_ROWS)) or column not in range(CARD_ROWS[row]):
            raise ValueError(f"a card has no column {column} in row {row}")
        return self.seen(self.field.at(self.sections[section].card + column, row), camp)

    def baseline(self, camp: Camp, section: Section | None = None) -> tuple[Hex, ...]:
        """The camp's own first row, or its part in one section, from the camp's left."""
        columns = range(self.rows[0]) if section is None else self.sections[section].columns(0)
        return tuple(self.seen(self.field.at(column, 0), camp) for column in columns)

    def borders(self) -> tuple[tuple[Point, ...], ...]:
        """The dotted lines between sections, on the lattice: along hexsides and through shared hexes."""
        top = 3 * (len(self.rows) - 1) + 1
        ends = (2 * self.sections[s].long[1] + 1 for s in SECTIONS[:-1])
        return tuple(((x, -1), (x, top)) for x in ends)


@dataclass(frozen=True)
class Board:
    """A battlefield; `walls` holds the cliff sides of a hex as directions, walls to both hexes they part."""

    profile: str
    ground: Mapping[Hex, str]
    features: Mapping[Hex, str] = field(default_factory=dict)
    walls: Mapping[Hex, tuple[int, ...]] = field(default_factory=dict)

    @property
    def plan(self) -> Profile:
        """The profile itself."""
        return profile(self.profile)

    @property
    def field(self) -> HexField:
        """The hexes."""
        return self.plan.field

    def terrain(self, cell: Hex) -> Terrain:
        """What the ground of a hex does."""
        return lore().terrain[self.ground[cell]]

    def feature(self, cell: Hex) -> Terrain | None:
        """What lies on the hex."""
        name = self.features.get(cell)
        return lore().features[name] if name else None

    def passable(self, cell: Hex) -> bool:
        """Whether a unit may ever stand on the hex."""
        return self.terrain(cell).passable

    def wall_between(self, a: Hex, b: Hex) -> bool:
        """Whether a cliff side parts two neighbours; it does so from either side."""
        way = direction(a, b)
        return way is not None and (way in self.walls.get(a, ()) or opposite(way) in self.walls.get(b, ()))

    def step(self, a: Hex, b: Hex) -> bool:
        """Whether a unit on `a` may move to `b`, were it empty: a passable neighbour, no cliff between."""
        return direction(a, b) is not None and self.passable(b) and not self.wall_between(a, b)

    def water(self) -> tuple[Hex, ...]:
        """The hexes of rivers, with their fords and bridges."""
        return tuple(cell for cell in self.field.cells if self.terrain(cell).water)


def flows(board: Board) -> dict[Hex, tuple[int, ...]]:
    """Where water leaves each hex of a river: directions to its next hexes, or off the map at its end."""
    water = frozenset(board.water())
    found: dict[Hex, tuple[int, ...]] = {}
    for cell in board.water():
        ways = [d for d, step in enumerate(STEPS) if cell + step in water]
        if len(ways) == 1:
            off = [d for d, step in enumerate(STEPS) if cell + step not in board.field]
            ways += sorted(off, key=lambda d: _turn(d, opposite(ways[0])))[:1]
        found[cell] = tuple(sorted(ways))
    return found


def _turn(a: int, b: int) -> int:
    """How many sixths of a turn lie between two directions."""
    return min((a - b) % len(DIRECTIONS), (b - a) % len(DIRECTIONS))


@cache
def profiles() -> Mapping[str, Profile]:
    """The board profiles of boards.toml."""
    return toml.read(shipped("data") / "battlelore" / "boards.toml", dict[str, Profile])


def profile(name: str) -> Profile:
    """The profile of that name; WrongUsageError with a near match where there is none."""
    try:
        return profiles()[name]
    except KeyError:
        raise WrongUsageError(f"no board profile {name!r}: {near(name, profiles())}") from None


def plain(name: str) -> dict[Hex, str]:
    """The ground of an open field: countryside everywhere."""
    return dict.fromkeys(profile(name).field.cells, "countryside")
