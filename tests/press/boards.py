"""A small board of squares and a small city of hexes for the tests of maps and posters."""

from __future__ import annotations

from generator.grid.columns import Numbered, columns_field
from generator.grid.squares import DIRECTIONS, STEPS, Square, squares
from generator.model.views import Area, MapView

LETTERS = {
    ".": "open", "=": "road", "1": "hill", "2": "hilltop", "p": "ploughed", "b": "building", "w": "wood",
}  # fmt: skip
ROWS = (
    ". = . . p p",
    ". = . 1 1 p",
    "= = = . 1 1",
    ". . . = 1 2",
    "w b w = 1 1",
    "w w . = . 1",
)
FIELD = squares(6, 6)


def board(**parts: object) -> MapView:
    """Return a board with every style of square, and with roads that leave the board."""
    ground = {Square(c, 5 - i): LETTERS[x] for i, row in enumerate(ROWS) for c, x in enumerate(row.split())}
    roads = {
        Square(1, 5): ("N", "S"),
        Square(1, 4): ("N", "S"),
        Square(0, 3): ("W", "E"),
        Square(1, 3): ("N", "W", "E"),
        Square(2, 3): ("W", "SE"),
        Square(3, 2): ("NW", "S"),
        Square(3, 1): ("N", "S"),
        Square(3, 0): ("N", "S"),
    }
    ways = {cell: tuple(DIRECTIONS.index(way) for way in found) for cell, found in roads.items()}
    return MapView(FIELD, ground, roads=ways, **parts)  # type: ignore[arg-type]


def square_neighbour(cell: Square, direction: int) -> Square:
    return cell + STEPS[direction]


def city(columns: int = 14, rows: int = 12, **parts: object) -> MapView:
    """Return streets of flat-topped hexes with a building that has a courtyard."""
    field = columns_field(columns, rows)
    ground = dict.fromkeys(field.cells, "street") | {Numbered(3, 3): "closed"}
    x, y = field.centre(Numbered(3, 3))
    block = tuple((x + a, y + b) for a, b in ((-3.0, -1.5), (3.0, -1.5), (3.0, 1.5), (-3.0, 1.5)))
    court = tuple((x + a, y + b) for a, b in ((1.0, -0.5), (2.0, -0.5), (2.0, 0.5), (1.0, 0.5)))
    return MapView(field, ground, areas=(Area("silhouette", (block, court)),), **parts)  # type: ignore[arg-type]
