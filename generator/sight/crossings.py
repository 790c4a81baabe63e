"""What a line from centre to centre meets in a field of hex columns.

The lattice of columns is that of rows with its axes swapped, so the traces of `sight.trace` serve both.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.grid.columns import ColumnField, Numbered, centre
from generator.grid.hexes import Hex
from generator.sight.trace import trace


@dataclass(frozen=True)
class Crossing:
    """The hexes of a field that a line meets, ends left out, in order along it."""

    through: tuple[Numbered, ...]
    """It crosses their inside."""
    along: tuple[Numbered, ...]
    """It runs along a side of theirs."""


def crossing(field: ColumnField, start: Numbered, end: Numbered) -> Crossing:
    """What the line between two hexes' centres meets."""
    home = _swapped(start)
    met = trace(_swapped(end) - home)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Numbered, ...]:
        return tuple(cell for cell in (_numbered(home + offset) for offset in cells) if cell in field)

    along = [cell for pair in zip(met.left, met.right, strict=True) for cell in pair]
    return Crossing(on_field(met.through), on_field(tuple(along)))


def _swapped(cell: Numbered) -> Hex:
    """The hex in rows whose lattice centre is this one's with its axes swapped."""
    x, y = centre(cell)
    return Hex((y - x // 3) // 2, x // 3)


def _numbered(cell: Hex) -> Numbered:
    column = cell.r + 1
    return Numbered(column, -(2 * cell.q + cell.r + (column % 2 == 0)) // 2)
