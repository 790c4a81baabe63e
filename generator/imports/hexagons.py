"""Read the terrain of scenarios in the style of Memoir '44 editors, which are JSON files with a list of hexagons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.common.map_import import ForeignHex, ForeignMap, Position
from generator.errors import DataError, Problem
from generator.imports.text_files import json_of
from generator.localization import tr
from generator.store.json_files import JsonFile, Keys

_SIZES = {"STANDARD": (13, 9), "OVERLORD": (26, 9), "BRKTHRU": (13, 17), "BREAKTHROUGH": (13, 17)}
"""The columns and rows of each type of board. Every second row is shifted to the right and has one hex fewer."""
_TERRAIN = ("terrain", "rect_terrain", "obstacle")
"""The keys whose names are terrain or lie on it, the lowest first."""
_OBSTACLES = {"sand": "sandbags"}
"""Plain names for obstacles whose names have another meaning in maps of terrain."""
_FORCES = ("unit", "tags")
"""The keys of pieces, which the terrain does not include."""
_MAX_INDEX = 200
"""The maximum column and row that are read."""


def read(content: bytes, path: Path) -> ForeignMap:
    """Return the map in a scenario.

    Raises:
        DataError: If the file is not valid JSON, or hexes are faulty.
    """
    source = json_of(content, path)
    board = source.data.get("board") if isinstance(source.data, dict) else None
    if not isinstance(board, dict) or not isinstance(board.get("hexagons"), list):
        raise DataError(source.problem(("board",), tr("the board has no list of hexagons")))
    problems: list[Problem] = []
    remarks: list[Problem] = []
    found: dict[Position, ForeignHex] = {}
    for at, row in enumerate(board["hexagons"]):
        keys: Keys = ("board", "hexagons", at)
        place = _position(row)
        if place is None:
            problems.append(source.problem(keys, tr("the hexagon has no column or row")))
            continue
        name = f"{place[0]},{place[1]}"
        names = tuple(_OBSTACLES.get(of, of) for key in _TERRAIN if (of := _name(row.get(key))))
        found[place] = ForeignHex(name, source.line(keys), names)
        remarks += _forces(source, keys, row, name)
    DataError.raise_if_any(problems[:20])
    doubled = _is_doubled(found)
    hexes = {(column // 2 if doubled else column, row): of for (column, row), of in found.items()}
    kind = str(board.get("type", "")).upper()
    known = _SIZES.get(kind)
    columns = max([at[0] + 1 for at in hexes] + [known[0] if known else 1])
    rows = max([at[1] + 1 for at in hexes] + [known[1] if known else 1])
    title = _title(source.data) or path.stem
    return ForeignMap(
        str(path), title, columns, rows, hexes, False, True, open_size=known is None, remarks=tuple(remarks)
    )


def _position(row: Any) -> Position | None:
    """Return the column and row of a hexagon, or None if they are missing or out of range."""
    if not isinstance(row, dict):
        return None
    column, line = row.get("col"), row.get("row")
    if type(column) is not int or type(line) is not int:
        return None
    return (column, line) if 0 <= column <= _MAX_INDEX and 0 <= line <= _MAX_INDEX else None


def _is_doubled(found: dict[Position, ForeignHex]) -> bool:
    """Return whether columns are counted in half hexes, so that even rows have even columns and odd rows odd ones."""
    return bool(found) and all((column + row) % 2 == 0 for column, row in found)


def _name(of: Any) -> str:
    return str(of.get("name", ""))[:80].strip() if isinstance(of, dict) else ""


def _forces(source: JsonFile, keys: Keys, row: Any, place: str) -> list[Problem]:
    """Return a remark for each piece on a hexagon."""
    remarks = []
    for key in _FORCES:
        pieces = row.get(key)
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            if name := _name(piece):
                message = tr("{place}: “{name}” is a piece and is left out", place=place, name=name)
                remarks.append(Problem(message, source.name, source.line((*keys, key)), remark=True))
    return remarks


def _title(values: Any) -> str:
    """Return the name of a scenario, which editors store under its text in one language or under its information."""
    for key in ("text", "meta", "game_info"):
        of = values.get(key)
        for table in [of, *(of.values() if isinstance(of, dict) else ())]:
            if isinstance(table, dict) and isinstance(table.get("name"), str) and table["name"].strip():
                return str(table["name"]).strip()[:80]
    return ""
