"""Draw roads as a ribbon from cell to cell, which runs off the board at its edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.grid.hexes import Cell
from generator.model.picture import Item, Path, Pen, circle
from generator.symbols.shapes import (
    Place,
    Steps,
)
from generator.symbols.theme import Palette

WIDTH = 0.3
"""Width of the ribbon, relative to the width of a cell."""
_EDGE = 0.045
"""Width by which the outline of the ribbon exceeds the ribbon, relative to the width of a cell."""
_OVERLAP = 0.03
"""Fraction by which a ribbon extends into the next cell, so that there is no visible gap between the cells."""


def roads(place: Place, ways: Mapping[Cell, Sequence[int]], c: Palette) -> list[Item]:
    """Return the ribbon through these cells. Cells that do not have exactly two exits get a round spot."""
    wide = 2 * place.anatomy.inner * place.side
    steps = tuple(step for cell, exits in ways.items() for step in _course(place, cell, exits))
    knots = [place.centre(cell) for cell, exits in ways.items() if len(exits) != 2]

    def layer(colour: str, width: float) -> list[Item]:
        band: list[Item] = [Path(steps, None, Pen(colour, width * wide, round=False))] if steps else []
        return band + [circle(x, y, width * wide / 2, colour) for x, y in knots]

    ruts = [Path(steps, None, Pen(c.dark, 0.012 * wide, (0.11 * wide, 0.09 * wide), round=False))] if steps else []
    return [*layer(c.line, WIDTH + _EDGE), *layer(c.fill, WIDTH - _EDGE), *ruts]


def _course(place: Place, cell: Cell, exits: Sequence[int]) -> Steps:
    """Return the centre line of the road through a cell.

    Two exits are joined by a bend. Any other number of exits is joined to the centre by lines.
    """
    x, y = place.centre(cell)
    side = place.side
    ways = {d: place.way(cell, d) for d in exits}

    def out(direction: int, share: float = 1.0) -> tuple[float, float]:
        dx, dy = ways[direction]
        return x + share * side * dx, y + share * side * dy

    def end(direction: int) -> tuple[float, float]:
        return out(direction, 1 + _OVERLAP if place.across(cell, direction) else 1.0)

    if len(exits) != 2:
        return tuple(step for d in exits for step in (("M", x, y), ("L", *end(d))))
    a, b = exits
    return (
        ("M", *end(a)),
        ("L", *out(a)),
        ("C", *out(a, 1 / 3), *out(b, 1 / 3), *out(b)),
        ("L", *end(b)),
    )
