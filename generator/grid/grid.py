"""What maps and sight ask of a field of cells, whatever their shape: hexes in rows or columns, squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

Point = tuple[int, int]

Cell = Any
"""A cell of some field: a Hex or a Square. Each field takes its own kind only."""


class Grid(Protocol):
    """A field of cells on a whole-number lattice."""

    @property
    def pitch(self) -> tuple[float, float]:
        """Millimetres a lattice step is wide and high when a cell's side is 1 mm long."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the field's order."""

    @property
    def index(self) -> dict[Cell, int]:
        """The place of each cell in that order."""

    def __hash__(self) -> int: ...

    def __contains__(self, cell: Cell) -> bool: ...

    def name(self, cell: Cell) -> str:
        """The cell's name."""

    def centre(self, cell: Cell) -> Point:
        """The lattice point in the middle of a cell."""

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """The lattice corners of a cell, anticlockwise."""


@dataclass(frozen=True)
class Part:
    """Some cells of a field, as a field of their own; they keep their places and names."""

    whole: Grid
    cells: tuple[Cell, ...]

    @property
    def pitch(self) -> tuple[float, float]:
        """As in the whole field."""
        return self.whole.pitch

    @cached_property
    def index(self) -> dict[Cell, int]:
        """The place of each cell among them."""
        return {cell: i for i, cell in enumerate(self.cells)}

    def __contains__(self, cell: Cell) -> bool:
        return cell in self.index

    def name(self, cell: Cell) -> str:
        """As in the whole field."""
        return self.whole.name(cell)

    def centre(self, cell: Cell) -> Point:
        """As in the whole field."""
        return self.whole.centre(cell)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """As in the whole field."""
        return self.whole.corners(cell)
