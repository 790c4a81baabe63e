"""The operational map: hexes of equal rows with their ground, and the named places on it.

Rows count from the near (southern) edge; every odd row is shifted half a hex to the right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from generator.games.blind_faith.ground.terrain import PlaceKind, Terrain, place_kinds, terrains
from generator.games.regions import connected
from generator.grid.field import HexField
from generator.grid.field import field as field_of
from generator.grid.hexes import DIRECTIONS, STEPS, Hex, opposite
from generator.model.words import Words


@dataclass(frozen=True)
class Place:
    """A town, city or castle."""

    kind: str
    name: Words

    @property
    def what(self) -> PlaceKind:
        """The kind itself."""
        return place_kinds()[self.kind]


@dataclass(frozen=True)
class OpMap:
    """A map of `rows` rows of `columns` hexes; the ground of each hex by its id, the places by their hexes."""

    columns: int
    rows: int
    ground: Mapping[Hex, str]
    places: Mapping[Hex, Place] = field(default_factory=dict)

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
        water = frozenset(cell for cell in self.field.cells if self.terrain(cell).water)
        found: dict[Hex, tuple[int, ...]] = {}
        for cell in self.field.cells:
            if cell in water:
                ways = [d for d, step in enumerate(STEPS) if cell + step in water]
                if len(ways) == 1:
                    off = [d for d, step in enumerate(STEPS) if cell + step not in self.field]
                    ways += sorted(off, key=lambda d: _turn(d, opposite(ways[0])))[:1]
                found[cell] = tuple(sorted(ways))
        return found

    def beside(self, cell: Hex) -> list[Hex]:
        """The neighbours that a stack may enter."""
        return [n for n in self.field.neighbours(cell) if self.passable(n)]

    @cached_property
    def besiegeable(self) -> tuple[Hex, ...]:
        """The hexes of places that a stack may enter."""
        return tuple(cell for cell in self.places if self.passable(cell))

    def parts(self) -> list[tuple[Hex, ...]]:
        """The pieces into which rivers cut the map, the largest first; there is one where all can be reached."""
        walked = (cell for cell in self.field.cells if self.passable(cell))
        return sorted(connected(walked, self.beside), key=len, reverse=True)


def _turn(a: int, b: int) -> int:
    """How many sixths of a turn lie between two directions."""
    return min((a - b) % len(DIRECTIONS), (b - a) % len(DIRECTIONS))
