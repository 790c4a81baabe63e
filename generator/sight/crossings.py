"""What a line from centre to centre meets in a field of hex columns.

The lattice of columns is that of rows with its axes swapped, so the traces of `sight.trace` serve both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from generator.grid.columns import ColumnField, Numbered, centre
from generator.grid.hexes import Hex
from generator.sight.trace import Traced, trace


@dataclass(frozen=True)
class Crossing:
    """The hexes of a field that a line meets, ends left out, in order along it."""

    through: tuple[Numbered, ...]
    """It crosses their inside."""
    left: tuple[Numbered, ...]
    """It runs along a side of theirs, and they lie to its left."""
    right: tuple[Numbered, ...]
    """It runs along a side of theirs, and they lie to its right."""


def crossing(field: ColumnField, start: Numbered, end: Numbered) -> Crossing:
    """What the line between two hexes' centres meets."""
    home = _swapped(start)
    met = trace(_swapped(end) - home)

    def on_field(cells: tuple[Hex, ...]) -> tuple[Numbered, ...]:
        return tuple(cell for cell in (_numbered(home + offset) for offset in cells) if cell in field)

    # The swap of axes is a reflection: what lay on the left lies on the right.
    return Crossing(on_field(met.through), on_field(met.right), on_field(met.left))


def traced(field: ColumnField, pairs: Iterable[tuple[Numbered, Numbered]]) -> Traced:
    """The claim (`sight.verify`) that lines between these hexes meet what `crossing` says."""
    return Traced(tuple((_swapped(a), _swapped(b)) for a, b in pairs), lambda cell: field.name(_numbered(cell)))


def _swapped(cell: Numbered) -> Hex:
    """The hex in rows whose lattice centre is this one's with its axes swapped."""
    x, y = centre(cell)
    return Hex((y - x // 3) // 2, x // 3)


def _numbered(cell: Hex) -> Numbered:
    column = cell.r + 1
    return Numbered(column, -(2 * cell.q + cell.r + (column % 2 == 0)) // 2)
