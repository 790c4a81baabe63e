"""Drawn arenas: a town as text that a person can draw at the table, corner by corner, by the hexes' numbers.

See docs/formats/arena.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from generator.errors import DataError, Problem
from generator.games.battling.ground.arena import ACROSS, EDGES, Arena, Edge
from generator.games.battling.numbers import limits
from generator.games.filing import Drawn, Named, house_files, read_drawn
from generator.games.whose import owned
from generator.grid.columns import CORNERS, ColumnField, Numbered, centre, columns_field
from generator.notation import emit
from generator.notation.toml import KeyPath, Source
from generator.sight.polygons import Point, Polygon, fault

CORNER_NAMES = ("E", "NE", "NW", "W", "SW", "SE")
"""The corners of a hex in the order of the grid's."""

_CORNER = re.compile(r"([0-9]{2})([0-9]{2})(?::(E|NE|NW|W|SW|SE))?(?:([+-][0-9]{1,3})([+-][0-9]{1,3}))?", re.ASCII)


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An arena's size in hexes."""

    columns: int = limits().columns.usual
    rows: int = limits().rows.usual


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An arena as it is typed: its size, the finer lattice, and a building on each line."""

    buildings: str
    size: Size = Size()
    fine: int = limits().fine.usual
    edges: tuple[Edge, ...] = EDGES


class _ArenaFile(Drawn, frozen=True, forbid_unknown_fields=True, kw_only=True):
    buildings: str
    size: Size = Size()
    fine: int = limits().fine.usual
    edges: tuple[Edge, ...] = EDGES


@dataclass(frozen=True)
class DrawnArena(Named):
    """An arena with its name and what its streets ask of the players."""

    arena: Arena


def load_arena(path: Path) -> DrawnArena:
    """Read an arena's file; DataError names every fault with its line."""
    return read_file(Source.open(path))


def read_file(source: Source) -> DrawnArena:
    """The arena of a TOML text, with its name; DataError names every fault."""
    return owned(_read(source), source, house_arenas().values(), "own")


def _read(source: Source) -> DrawnArena:
    of = read_drawn(source, _ArenaFile)
    drawn = Drawing(of.buildings, of.size, of.fine, of.edges)
    return DrawnArena(of.name, of.note, of.source, read_arena(drawn, source))


def file_text(of: DrawnArena) -> str:
    """The file that reads back as this arena."""
    return "\n".join(emit.lines(of.head | drawing(of.arena))) + "\n"


@cache
def house_arenas() -> Mapping[str, DrawnArena]:
    """The shipped arenas by the names of their files."""
    return house_files("battling", "arenas", _read)


def house_arena(arena: Arena) -> DrawnArena | None:
    """The house arena that it is, whatever it is called; None where it is none."""
    return next((house for house in house_arenas().values() if house.arena == arena), None)


def read_arena(of: Drawing, source: Source, at: KeyPath = ()) -> Arena:
    """The arena of a drawing that stands at a key of a TOML text; DataError names every fault."""
    bounds = limits()
    problems = [
        source.problem((*at, *keys), f"is {number}, it may be {span.least} to {span.most}")
        for keys, number, span in (
            (("size", "columns"), of.size.columns, bounds.columns),
            (("size", "rows"), of.size.rows, bounds.rows),
            (("fine",), of.fine, bounds.fine),
        )
        if number not in span
    ]
    if not of.edges or {ACROSS[edge] for edge in of.edges} != set(of.edges):
        problems.append(
            source.problem((*at, "edges"), "an edge is there without the one across", "N with S, E with W")
        )
    if problems:
        raise DataError(*problems)
    field = columns_field(of.size.columns, of.size.rows)
    silhouettes: list[Polygon] = []
    first = source.text_line((*at, "buildings"))
    for number, line in enumerate(of.buildings.splitlines()):
        text = line.partition("#")[0].split()
        try:
            if text:
                silhouettes.append(_silhouette(text, field, of.fine))
        except ValueError as error:
            problems.append(Problem(str(error), source.name, first + number))
    if len(silhouettes) > bounds.buildings:
        message = f"has {len(silhouettes)} buildings, it may have {bounds.buildings}"
        problems.append(source.problem((*at, "buildings"), message))
    if problems:
        raise DataError(*problems)
    return Arena(field, tuple(silhouettes), of.fine, tuple(edge for edge in EDGES if edge in of.edges))


def drawing(arena: Arena) -> dict[str, object]:
    """The arena as the entries of a TOML table, which `read_arena` reads back."""
    text = "\n".join(" ".join(_corner(point, arena.fine) for point in shape) for shape in arena.silhouettes)
    size = {"columns": arena.field.columns, "rows": arena.field.rows}
    return {"size": size, "fine": arena.fine, "edges": arena.edges, "buildings": text}


def _silhouette(text: list[str], field: ColumnField, fine: int) -> Polygon:
    """A building's corners; ValueError tells what is wrong with them."""
    if len(text) > limits().corners:
        raise ValueError(f"the building has {len(text)} corners, it may have {limits().corners}")
    shape = tuple(_point(corner, fine) for corner in text)
    for corner, (x, y) in zip(text, shape, strict=True):
        # As far as the hexes reach, and half a hex more for the parts of hexes along the edge.
        right, low = field.centre(Numbered(field.columns, field.rows))
        if not (-4 <= x / fine <= right + 4 and low - 4 <= y / fine <= 2):
            raise ValueError(f"the corner {corner} lies off the arena")
    if wrong := fault(shape):
        raise ValueError(f"the building {wrong}")
    return shape


def _point(text: str, fine: int) -> Point:
    match = _CORNER.fullmatch(text)
    if not match:
        raise ValueError(f"{text[:20]!r} is no corner: write a hex's number, and perhaps :NE and +2-1 (right, down)")
    x, y = centre(Numbered(int(match[1]), int(match[2])))
    dx, dy = CORNERS[CORNER_NAMES.index(match[3])] if match[3] else (0, 0)
    return fine * (x + dx) + int(match[4] or 0), fine * (y + dy) - int(match[5] or 0)


def _corner(point: Point, fine: int) -> str:
    """A corner by the nearest hex; the lowest number of several."""
    column, row = point[0] // (3 * fine), -point[1] // (2 * fine)
    near: Iterator[Numbered] = (
        Numbered(c, r) for c in range(column, column + 3) for r in range(row - 1, row + 2) if c >= 0 and r >= 0
    )
    # A step across is half a hexside, one down the root of three quarters: squares of one to three.
    offs = [(*_off(point, cell, fine), cell) for cell in near]
    dx, dy, cell = min(offs, key=lambda off: (off[0] ** 2 + 3 * off[1] ** 2, off[2]))
    return f"{cell.c:02}{cell.r:02}" + (f"{dx:+}{dy:+}" if dx or dy else "")


def _off(point: Point, cell: Numbered, fine: int) -> Point:
    """How many steps of the finer lattice a point lies right of a hex's centre, and how many below."""
    x, y = centre(cell)
    return point[0] - fine * x, fine * y - point[1]
