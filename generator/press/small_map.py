"""Draw a battle as a small map of a few kilobytes, which shows only terrain, roads and the places of units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape

from generator.grid.hexes import Cell, Point
from generator.model.views import MapView, Token
from generator.symbols.shapes import mixed
from generator.symbols.theme import Ground, Palette, look, theme

_WATER = "#8fc0de"
"""The colour of rivers and of the water under fords."""
_BUILDING = "#b9ae97"
"""The colour of shapes that do not follow cells, such as buildings."""
_UNIT = 0.38
"""The radius of a unit as a share of the width of its cell."""
_FEATURE = 0.8
"""The side of a feature's square in cell sides."""


class _Frame:
    """The conversion of lattice points to the coordinates of a picture, whose y axis points down."""

    def __init__(self, view: MapView) -> None:
        self.pitch = view.grid.pitch
        points = [corner for cell in view.ground for corner in view.grid.corners(cell)]
        self.left, self.top = min(x for x, _ in points), max(y for _, y in points)
        right, bottom = max(x for x, _ in points), min(y for _, y in points)
        self.width, self.height = (right - self.left) * self.pitch[0], (self.top - bottom) * self.pitch[1]

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return the place of a lattice point in the picture, in cell sides."""
        return (point[0] - self.left) * self.pitch[0], (self.top - point[1]) * self.pitch[1]

    def ring(self, points: Iterable[tuple[float, float]]) -> str:
        """Return a closed path through lattice points."""
        return "M" + "L".join(" ".join(map(_number, self.at(point))) for point in points) + "Z"


def small_map(view: MapView, title: str) -> str:
    """Return a map as SVG without a size of its own, for use at about 200 pixels."""
    frame, of = _Frame(view), theme()
    grounds = {cell: look("ground", of.ground, key) for cell, key in view.ground.items()}
    by_colour: dict[str, list[str]] = {}
    for cell, ground in grounds.items():
        by_colour.setdefault(_ground_colour(ground), []).append(frame.ring(view.grid.corners(cell)))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(frame.width)} {_number(frame.height)}" '
        f'role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">'
    ]
    lines += [
        f'<path fill="{colour}" stroke="#fff" stroke-width=".06" d="{"".join(rings)}"/>'
        for colour, rings in by_colour.items()
    ]
    lines += _areas(view, frame)
    lines += _roads(view, frame)
    lines += [_feature(view, frame, cell, key) for cell, key in view.features.items()]
    shapes = list(dict.fromkeys(token.shape for _, token in view.tokens))
    lines += [_unit(view, frame, cell, token, shapes.index(token.shape)) for cell, token in view.tokens]
    return "\n".join((*lines, "</svg>\n"))


def _ground_colour(ground: Ground) -> str:
    """Return the colour of a terrain: stronger than on a printed map, because there are no patterns."""
    colours, plain = ground.full, Palette()
    if ground.water and ground.pattern:
        return mixed(_WATER, colours.fill, 0.7)
    if ground.water:
        return _WATER
    if ground.relief or colours.fill == plain.fill:
        return colours.light if colours.light != plain.light else colours.tint
    return mixed(colours.tint, colours.fill, 0.6)


def _areas(view: MapView, frame: _Frame) -> list[str]:
    """Return the shapes that do not follow cells."""
    rings = ["".join(frame.ring(ring) for ring in area.rings) for area in view.areas]
    return [f'<path fill="{_BUILDING}" fill-rule="evenodd" d="{"".join(rings)}"/>'] if rings else []


def _roads(view: MapView, frame: _Frame) -> list[str]:
    """Return the roads as lines between the centres of neighbouring cells."""
    lines = []
    for cell in view.roads:
        x, y = frame.at(view.grid.centre(cell))
        for other in _road_neighbours(view, view.roads, cell):
            ox, oy = frame.at(view.grid.centre(other))
            lines.append(f"M{_number(x)} {_number(y)}L{_number(ox)} {_number(oy)}")
    stroke = theme().road.full.line
    return [f'<path fill="none" stroke="{stroke}" stroke-width=".2" d="{"".join(lines)}"/>'] if lines else []


def _road_neighbours(view: MapView, roads: Mapping[Cell, tuple[int, ...]], cell: Cell) -> list[Cell]:
    """Return the cells with a road that share two corners with a cell, each pair of cells only once."""
    corners: set[Point] = set(view.grid.corners(cell))
    index = view.grid.index
    return [
        other
        for other in roads
        if index[other] > index[cell] and len(corners.intersection(view.grid.corners(other))) == 2
    ]


def _feature(view: MapView, frame: _Frame, cell: Cell, key: str) -> str:
    """Return a feature as a small square in its colours."""
    x, y = frame.at(view.grid.centre(cell))
    colours = look("feature", theme().feature, key).full
    half = _FEATURE / 2
    return (
        f'<rect x="{_number(x - half)}" y="{_number(y - half)}" width="{_FEATURE}" height="{_FEATURE}" rx=".1" '
        f'fill="{colours.fill}" stroke="{colours.line}" stroke-width=".12"/>'
    )


def _unit(view: MapView, frame: _Frame, cell: Cell, token: Token, side: int) -> str:
    """Return a unit: a disc for the first side and a square for the others, in the colour of its banner."""
    of = theme()
    x, y = frame.at(view.grid.centre(cell))
    across = [frame.at(corner)[0] for corner in view.grid.corners(cell)]
    radius = _UNIT * (max(across) - min(across))
    is_plain = token.colour not in of.colour or token.colour == "plain"
    colours = (of.shape[token.shape] if is_plain else of.colour[token.colour]).full
    style = f'fill="{colours.fill}" stroke="{colours.line}" stroke-width=".12"'
    if side == 0:
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" {style}/>'
    corner = f'x="{_number(x - radius)}" y="{_number(y - radius)}"'
    return f'<rect {corner} width="{_number(2 * radius)}" height="{_number(2 * radius)}" {style}/>'


def _number(value: float) -> str:
    """Return a number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
