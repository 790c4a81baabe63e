"""Where a field of hexes lies on a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from generator.grid.field import HexField
from generator.grid.hexes import Hex, Point
from generator.model.picture import XY
from generator.press.symbols.shapes import SIDE, Steps, closed, loops


@dataclass(frozen=True)
class Place:
    """A field drawn with hexsides of `side` mm; lattice point (0, 0) stands at (x, y)."""

    grid: HexField
    side: float
    x: float
    y: float

    @classmethod
    def fit(cls, grid: HexField, width: float, height: float, margin: float = 0.0) -> Place:
        """The largest hexes with which the field and a margin round it fit into that many millimetres."""
        left, bottom, right, top = extent(grid)
        across, up = (right - left) * grid.pitch[0], (top - bottom) * grid.pitch[1]
        side = min((width - 2 * margin) / across, (height - 2 * margin) / up)
        return cls(grid, side, margin - left * grid.pitch[0] * side, margin - bottom * grid.pitch[1] * side)

    @property
    def scale(self) -> float:
        """By how much symbols grow."""
        return self.side / SIDE

    def at(self, point: Point) -> XY:
        """A lattice point in mm."""
        return self.x + point[0] * self.grid.pitch[0] * self.side, self.y + point[1] * self.grid.pitch[1] * self.side

    def centre(self, cell: Hex) -> XY:
        """The middle of a hex in mm."""
        return self.at(self.grid.centre(cell))

    def ring(self, cell: Hex) -> tuple[XY, ...]:
        """The corners of a hex in mm, anticlockwise."""
        return tuple(self.at(p) for p in self.grid.corners(cell))

    def area(self, cells: Sequence[Hex]) -> Steps:
        """All those hexes as one path."""
        return tuple(step for cell in cells for step in closed(self.ring(cell)))

    def size(self) -> XY:
        """From the lattice's lower left extent to the upper right one, in mm."""
        left, bottom, right, top = extent(self.grid)
        return (right - left) * self.grid.pitch[0] * self.side, (top - bottom) * self.grid.pitch[1] * self.side


@lru_cache(maxsize=64)
def extent(grid: HexField) -> tuple[int, int, int, int]:
    """The least and greatest lattice coordinates of a field: left, bottom, right, top."""
    points = [p for cell in grid.cells for p in grid.corners(cell)]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(maxsize=64)
def hexsides(place: Place) -> Steps:
    """Every hexside of the field once."""
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
    return tuple(step for ring in loops(place.grid.cells) for step in closed([place.at(p) for p in ring]))
