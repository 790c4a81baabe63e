"""Read boards of MegaMek (.board): flat-topped hexes with an elevation, terrain such as `woods:1`, and a theme.

Columns and rows are counted from 1, and every even column is half a hex lower.
"""

from __future__ import annotations

import re
from pathlib import Path

from generator.common.map_import import ForeignHex, ForeignMap, Position
from generator.errors import DataError, Problem
from generator.imports.text_files import text_of
from generator.localization import tr

_SIZE = re.compile(r"size\s+([0-9]{1,5})\s+([0-9]{1,5})")
_HEX = re.compile(r'hex\s+([0-9]{4,10})\s+(-?[0-9]{1,4})\s+"([^"]*)"(?:\s+"([^"]*)")?')
_OTHER = re.compile(r"(?:option|tag|description|background|foreground|end)\b")
_END = "end"
"""The last line of a board, which describes nothing."""
_LEVEL = "level {}"
"""The name of an elevation other than 0."""
_MAX_PROBLEMS = 20
"""The number of faulty lines after which a file is given up."""


def read(content: bytes, path: Path) -> ForeignMap:
    """Return the map in a board file.

    Raises:
        DataError: If lines are faulty or hexes lie outside the board.
    """
    file, columns, rows = str(path), 0, 0
    hexes: dict[Position, ForeignHex] = {}
    problems: list[Problem] = []
    remarks: list[Problem] = []
    size_line = 0
    for number, raw in enumerate(text_of(content, file).splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if size := _SIZE.fullmatch(line):
            if size_line:
                problems.append(_twice("size", size_line, file, number))
            columns, rows, size_line = int(size[1]), int(size[2]), number
        elif found := _HEX.fullmatch(line):
            digits = len(found[1]) // 2
            column, row = int(found[1][:digits]), int(found[1][digits:])
            if not (1 <= column <= columns and 1 <= row <= rows):
                problems.append(Problem(tr("{place} lies outside the board", place=found[1]), file, number))
            elif first := hexes.get((column - 1, row - 1)):
                problems.append(_twice(found[1], first.line, file, number))
            else:
                hexes[column - 1, row - 1] = ForeignHex(found[1], number, _names(int(found[2]), found[3]))
        elif _OTHER.match(line):
            if line != _END:
                message = tr("“{text}” is left out", text=line[:60])
                remarks.append(Problem(message, file, number, remark=True))
        else:
            problems.append(Problem(tr("“{text}” is not a line of a board", text=line[:60]), file, number))
        if len(problems) >= _MAX_PROBLEMS:
            break
    DataError.raise_if_any(problems)
    return ForeignMap(file, path.stem, columns, rows, hexes, True, True, remarks=tuple(remarks))


def _twice(name: str, first: int, file: str, line: int) -> Problem:
    """Return a problem about something that is also on an earlier line, the first of which is `first`."""
    message = tr("{name} is already in line {line}", name=name, line=first)
    return Problem(message, file, line, tr("keep only one of the two lines"))


def _names(level: int, terrain: str) -> tuple[str, ...]:
    """Return the names on a hex. Exits of roads and rivers (`road:1:05`) are not part of a name."""
    parts = [part.strip() for part in terrain.split(";") if part.strip()]
    names = [":".join(part.split(":")[:2]) for part in parts]
    return (*([_LEVEL.format(level)] if level else []), *names)
