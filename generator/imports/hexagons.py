"""Read the terrain of scenarios in the style of Memoir '44 editors, which are JSON files with a list of hexagons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
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
_PLACE = ("col", "row")
"""The keys of the column and the row, both counted from 0."""
_BOARD = ("type", "face", "hexagons")
"""The keys of a board that a map uses, or that only describe its look."""
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
    seen: dict[Position, Keys] = {}
    for at, row in enumerate(board["hexagons"]):
        keys: Keys = ("board", "hexagons", at)
        try:
            place = _position(row)
        except ValueError as error:
            problems.append(source.problem(keys, *error.args))
            continue
        name = f"{place[0]},{place[1]}"
        if first := seen.get(place):
            message = tr("{place} is already in line {line}, as {keys}", place=name, line=source.line(first),
                         keys=f"hexagons[{int(first[-1]) + 1}]")  # fmt: skip
            problems.append(source.problem(keys, message, tr("keep only one of the two hexes")))
            continue
        seen[place] = keys
        names = tuple(_OBSTACLES.get(of, of) for key in _TERRAIN if (of := _name(row.get(key))))
        found[place] = ForeignHex(name, source.line(keys), names)
        remarks += _forces(source, keys, row, name)
        remarks += _others(source, keys, row, name)
    for key in board:
        if key not in _BOARD and board[key]:
            message = tr("“{text}” is left out", text=key[:60])
            remarks.append(Problem(message, source.name, source.line(("board", key)), remark=True))
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


def _position(row: Any) -> Position:
    """Return the column and row of a hexagon.

    Raises:
        ValueError: If they are missing or invalid. Its arguments are the reason and, if there is one, a hint.
    """
    if not isinstance(row, dict):
        raise ValueError(tr("this is not a hexagon, such as {example}", example='{"col": 6, "row": 4}'))
    column, line = (_index(row, key) for key in _PLACE)
    return column, line


def _index(row: Mapping[str, Any], key: str) -> int:
    """Return the column or the row of a hexagon.

    Raises:
        ValueError: If it is missing, not a whole number or out of range. Its arguments are the reason and a hint.
    """
    value = row.get(key)
    if value is None:
        raise ValueError(tr("the hexagon has no {key}", key=key))
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        hint = tr("write the number without quotation marks") if isinstance(value, str) else ""
        raise ValueError(tr("{key} is not a whole number: {value}", key=key, value=_text(value)), hint)
    if not 0 <= value <= _MAX_INDEX:
        raise ValueError(tr("{key} is not from 0 to {most}: {value}", key=key, most=_MAX_INDEX, value=_text(value)))
    return int(value)


def _text(value: Any) -> str:
    """Return the start of a value as the file shows it."""
    return json.dumps(value, ensure_ascii=False)[:60]


def _is_doubled(found: dict[Position, ForeignHex]) -> bool:
    """Return whether columns are counted in half hexes, so that even rows have even columns and odd rows odd ones."""
    return bool(found) and all((column + row) % 2 == 0 for column, row in found)


def _name(of: Any) -> str:
    """Return the name of terrain or of a piece, which is usually in a table, or an empty string if there is none."""
    name = of.get("name", "") if isinstance(of, dict) else of
    return name[:80].strip() if isinstance(name, str) else ""


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


def _others(source: JsonFile, keys: Keys, row: Mapping[str, Any], place: str) -> Iterator[Problem]:
    """Yield a remark for each value of a hexagon that is neither terrain nor a piece with a name."""
    for key, value in row.items():
        pieces = value if key in _FORCES and isinstance(value, list) else [value]
        used = key in _PLACE or (key in (*_TERRAIN, *_FORCES) and all(_name(piece) or not piece for piece in pieces))
        if value and not used:
            message = tr("{place}: {key} is left out: {value}", place=place, key=key[:60], value=_text(value))
            yield Problem(message, source.name, source.line((*keys, key)), remark=True)


def _title(values: Any) -> str:
    """Return the name of a scenario, which editors store under its text in one language or under its information."""
    for key in ("text", "meta", "game_info"):
        of = values.get(key)
        for table in [of, *(of.values() if isinstance(of, dict) else ())]:
            if isinstance(table, dict) and isinstance(table.get("name"), str) and table["name"].strip():
                return str(table["name"]).strip()[:80]
    return ""
