"""Where things stand in a cell of each kind: hexes in rows or columns, squares. All in sides from its middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.grid.grid import Grid
from generator.model.picture import XY
from generator.press.symbols.shapes import HALF, SIDE


@dataclass(frozen=True)
class Anatomy:
    """A kind of cell."""

    exits: tuple[tuple[int, ...], ...]
    """For each direction the corners that its way out passes between, or the one it passes through."""
    period: tuple[int, int]
    """After how many lattice steps across and up the cells repeat, seen from the side."""
    inner: float
    """From the middle to the nearest side."""
    name: XY
    anchor: Literal["start", "middle"]
    """Where a cell's name stands, its middle or the start of its line, and which of them."""
    letter: XY
    beside: XY
    """Where the ground's letter stands, and where it does if a token's badge or label would hide it."""
    type_size: float
    label_size: float
    """Sizes of names and of tokens' labels in points, for a side of 1 mm."""
    largest: float
    """How large names are at most, in points, but in very large cells."""
    named: float
    free: float
    """Cells with sides shorter than the first, in mm, have room for their names only where no token stands;
    those shorter than the second have none."""
    token: float
    """The scale of tokens, for symbols drawn on a hex."""
    drop: float
    """How far below the middle of its cell a token's middle lies."""
    label: float
    """The upper edge of a token's label, below the middle."""
    spread: XY
    """From one of two tokens on a cell to the one before it."""

    @property
    def squares(self) -> bool:
        """Whether the cell is a square."""
        return len(self.exits) > 6


ROWS = Anatomy(
    exits=((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)),
    period=(1, 3),
    inner=HALF / SIDE,
    name=(0.0, 0.78),
    anchor="middle",
    letter=(-0.735, -0.515),
    beside=(0.74, 0.0),
    type_size=0.55,
    label_size=0.54,
    largest=7.0,
    named=5.2,
    free=3.0,
    token=1.0,
    drop=0.0,
    label=0.5,
    spread=(-0.3, -0.22),
)
COLUMNS = Anatomy(
    exits=((1, 2), (0, 1), (5, 0), (4, 5), (3, 4), (2, 3)),
    period=(3, 1),
    inner=HALF / SIDE,
    name=(0.0, 0.69),
    anchor="middle",
    letter=(-0.78, 0.0),
    beside=(0.78, 0.0),
    type_size=1.12,
    label_size=0.54,
    largest=9.5,
    named=5.0,
    free=2.4,
    token=0.88,
    drop=0.1,
    label=0.56,
    spread=(-0.3, -0.2),
)
SQUARES = Anatomy(
    exits=((0, 1), (1,), (1, 2), (2,), (2, 3), (3,), (3, 0), (0,)),
    period=(2, 2),
    inner=0.5,
    name=(-0.45, 0.385),
    anchor="start",
    letter=(-0.4, -0.38),
    beside=(0.38, 0.29),
    type_size=0.5,
    label_size=0.42,
    largest=7.0,
    named=7.0,
    free=4.2,
    token=0.58,
    drop=0.02,
    label=0.32,
    spread=(-0.22, -0.14),
)


def anatomy(grid: Grid) -> Anatomy:
    """What kind of cells a field has."""
    cell = grid.cells[0]
    ring = grid.corners(cell)
    if len(ring) == 4:
        return SQUARES
    return COLUMNS if ring[0][1] == grid.centre(cell)[1] else ROWS
