"""Arenas: a field of numbered hexes and the silhouettes of its buildings, which keep to no hex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from generator.grid.columns import ColumnField, Numbered
from generator.sight.polygons import Point, Polygon
from generator.sight.shadows import Shadows
from generator.sight.silhouettes import SightLine, Silhouettes

Edge = Literal["N", "E", "S", "W"]
"""An edge of the arena: its top row, last column, bottom row, first column."""

EDGES: tuple[Edge, ...] = ("N", "E", "S", "W")
ACROSS: Mapping[Edge, Edge] = {"N": "S", "E": "W", "S": "N", "W": "E"}


@dataclass(frozen=True)
class Arena:
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

    def in_sight(self, a: Numbered, b: Numbered) -> bool:
        """Whether the line between two centres is clear."""
        return self.shadows.clear(self.field.index[a], self.field.index[b])

    @cached_property
    def shadows(self) -> Shadows:
        """What each hex sees past the buildings."""
        return Shadows(self.field, self.buildings)
