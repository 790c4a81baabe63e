"""Every pattern of the theme by name, and the symbol that it becomes."""

from __future__ import annotations

from functools import cache

from generator.model.picture import Symbol
from generator.press.symbols.anatomy import SQUARES, Anatomy
from generator.press.symbols.places import PLACES
from generator.press.symbols.shapes import HALF, SIDE
from generator.press.symbols.squares import ON_SQUARES
from generator.press.symbols.terrain import ON_HEXES
from generator.press.theme import Palette, look

VARIANTS = 4
"""How many drawings a pattern has, so that neighbours do not look stamped."""

PATTERNS = {**ON_HEXES, **PLACES, **ON_SQUARES}
"""Drawings of one cell; relief, roads and water are drawn with their neighbours."""

_SHARE = SQUARES.inner * SIDE / HALF
"""A square's room as a share of a hex's."""


@cache
def ground_symbol(key: str, pattern: str, palette: Palette, variant: int, ink: str) -> Symbol:
    """The drawing of one cell of a look."""
    items = look("pattern", PATTERNS, pattern)(palette, variant)
    return Symbol(f"ground.{key}.{variant}.{ink}", tuple(items))


def growth(pattern: str, cell: Anatomy) -> float:
    """How much a drawing grows in a cell of another kind than it was made for."""
    if (pattern in ON_SQUARES) is cell.squares:
        return 1.0
    return _SHARE if cell.squares else 1 / _SHARE
