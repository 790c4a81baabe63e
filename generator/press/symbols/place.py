"""Where a field of cells lies on a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache

from generator.grid.grid import Cell, Grid, Point
from generator.model.picture import XY
from generator.model.views import Spot
from generator.press.symbols.anatomy import Anatomy, anatomy
from generator.press.symbols.shapes import SIDE, Steps, closed, loops

Box = tuple[float, float, float, float]
NOTHING: Box = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Place:
    """A field drawn with cells whose sides are `side` mm long; lattice point (0, 0) stands at (x, y).

    A turned one is seen from its far edge: all its points are turned half round.
    """

    grid: Grid
    side: float
    x: float
    y: float
    turned: bool = False

    @classmethod
    def fit(
        cls,
        grid: Grid,
        width: float,
        height: float,
        margin: float = 0.0,
        beyond: Box = NOTHING,
        turned: bool = False,
    ) -> Place:
        """The largest cells with which the field and a margin round it fit into that many millimetres.

        `beyond` is what stands outside the field, to the left, below, to the right and above, in sides of a cell.
        """
        left, bottom, right, top = extent(grid)
        across, up = (right - left) * grid.pitch[0], (top - bottom) * grid.pitch[1]
        across, up = across + beyond[0] + beyond[2], up + beyond[1] + beyond[3]
        side = min((width - 2 * margin) / across, (height - 2 * margin) / up)
        return cls.of(grid, side, margin, beyond, turned)

    @classmethod
    def of(cls, grid: Grid, side: float, margin: float, beyond: Box = NOTHING, turned: bool = False) -> Place:
        """The field with sides of so many mm, what stands outside it and a margin to its left and below."""
        left, bottom, right, top = extent(grid)
        first, lowest = (-right, -top) if turned else (left, bottom)
        x = margin - first * grid.pitch[0] * side + beyond[0] * side
        return cls(grid, side, x, margin - lowest * grid.pitch[1] * side + beyond[1] * side, turned)

    @property
    def scale(self) -> float:
        """By how much symbols grow."""
        return self.side / SIDE

    @property
    def anatomy(self) -> Anatomy:
        """Where things stand in a cell."""
        return anatomy(self.grid)

    def at(self, point: Spot) -> XY:
        """A lattice point in mm."""
        step = -self.side if self.turned else self.side
        return self.x + point[0] * self.grid.pitch[0] * step, self.y + point[1] * self.grid.pitch[1] * step

    def centre(self, cell: Cell) -> XY:
        """The middle of a cell in mm."""
        return self.at(self.grid.centre(cell))

    def ring(self, cell: Cell) -> tuple[XY, ...]:
        """The corners of a cell in mm, anticlockwise."""
        return tuple(self.at(p) for p in self.grid.corners(cell))

    def way(self, cell: Cell, direction: int) -> XY:
        """From the middle of a cell to where it is left in a direction, in sides of a cell."""
        x, y = _exit(self.grid, cell, direction)
        cx, cy = self.grid.centre(cell)
        step = -1 if self.turned else 1
        return step * (x - cx) * self.grid.pitch[0], step * (y - cy) * self.grid.pitch[1]

    def across(self, cell: Cell, direction: int) -> Cell | None:
        """The neighbour in a direction; None off the field."""
        x, y = _exit(self.grid, cell, direction)
        cx, cy = self.grid.centre(cell)
        return _by_centre(self.grid).get((2 * x - cx, 2 * y - cy))

    def area(self, cells: Sequence[Cell]) -> Steps:
        """All those cells as one path."""
        return tuple(step for cell in cells for step in closed(self.ring(cell)))

    def size(self) -> XY:
        """From the lattice's lower left extent to the upper right one, in mm."""
        left, bottom, right, top = extent(self.grid)
        return (right - left) * self.grid.pitch[0] * self.side, (top - bottom) * self.grid.pitch[1] * self.side


def _exit(grid: Grid, cell: Cell, direction: int) -> Spot:
    """The lattice point in the middle of a side, or the corner, that a direction leads through."""
    ring = grid.corners(cell)
    corners = [ring[i] for i in anatomy(grid).exits[direction]]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


@lru_cache(maxsize=64)
def _by_centre(grid: Grid) -> dict[Spot, Cell]:
    """The cells by the lattice points in their middles."""
    return {grid.centre(cell): cell for cell in grid.cells}


def seed(cell: Cell) -> tuple[int, int]:
    """Two whole numbers that belong to a cell: its coordinates."""
    a, b = astuple(cell)
    return a, b


@lru_cache(maxsize=64)
def extent(grid: Grid) -> tuple[int, int, int, int]:
    """The least and greatest lattice coordinates of a field: left, bottom, right, top."""
    points = [p for cell in grid.cells for p in grid.corners(cell)]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(maxsize=64)
def sides(place: Place) -> Steps:
    """Every side of the field's cells once."""
    grid = place.grid
    steps: list[tuple[str | float, ...]] = []
    drawn: set[tuple[Point, Point]] = set()
    for cell in grid.cells:
        ring = grid.corners(cell)
        last: Point | None = None
        for i, a in enumerate(ring):
            b = ring[(i + 1) % len(ring)]
            if (b, a) in drawn:
                continue
            drawn.add((a, b))
            if last != a:
                steps.append(("M", *place.at(a)))
            steps.append(("L", *place.at(b)))
            last = b
    return tuple(steps)


@lru_cache(maxsize=64)
def frame(place: Place) -> Steps:
    """The outline of the whole field."""
    return tuple(step for ring in loops(place.grid, place.grid.cells) for step in closed([place.at(p) for p in ring]))
