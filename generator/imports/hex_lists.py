"""Read lists of hexes in the form of text-mapper: `0101 forest "Oak Wood"`.

The first two digits are the column and the last two the row. Hexes are flat-topped, and every even column is half
a hex lower. With `option horizontal`, hexes are pointy-topped, and every even row is half a hex farther right.
"""

from __future__ import annotations

import re
from pathlib import Path

from generator.common.map_import import ForeignHex, ForeignMap, Position
from generator.errors import DataError, Problem
from generator.imports.text_files import text_of
from generator.localization import tr

_HEX = re.compile(r"(-?[0-9]{2})\.?(-?[0-9]{2})\s+(.*)")
_PATH = re.compile(r"-?[0-9]{2}\.?-?[0-9]{2}(?:-[0-9]{2}\.?[0-9]{2})+\s+(\S*)")
_LABEL = re.compile(r'["“]([^"“”]*)["”]\s*[0-9]*')
_SKIPPED = re.compile(r"(?:#|include\s|option\s|text\s|license\s|other\s|path\s|\S+ (?:attributes|path|lib|xml)\b|<)")
_SETTINGS = re.compile(r"(?:include|license|#|<)")
_MAX_PROBLEMS = 20


def read(content: bytes, path: Path) -> ForeignMap:
    """Return the map in a list of hexes.

    Raises:
        DataError: If lines are neither hexes nor known settings.
    """
    file = str(path)
    hexes: dict[Position, ForeignHex] = {}
    problems: list[Problem] = []
    remarks: list[Problem] = []
    flat, second_shifted = True, True
    for number, raw in enumerate(text_of(content, file).splitlines(), 1):
        line = raw.strip()
        if not line:
            continue
        if line.startswith("option "):
            flat = flat and "horizontal" not in line
            second_shifted = second_shifted != ("swap-even-odd" in line)
        elif of := _PATH.match(line):
            message = tr("“{text}” is a line between hexes and is left out", text=line[:60] or of[1])
            remarks.append(Problem(message, file, number, remark=True))
        elif found := _HEX.fullmatch(line):
            column, row = int(found[1]), int(found[2])
            if column < 1 or row < 1:
                problems.append(Problem(tr("{place} lies outside the board", place=line.split()[0]), file, number))
                continue
            labels = [text.split("|")[-1].strip() for text in _LABEL.findall(found[3])]
            names = tuple(_LABEL.sub(" ", found[3]).split())
            at = column - 1, row - 1
            old = hexes.get(at)
            names = (*(old.names if old else ()), *names)
            label = " / ".join(dict.fromkeys(filter(None, (old.label if old else "", *labels))))
            lines = (*(old.lines if old else ()), *([number] * (len(names) - len(old.names if old else ()))))
            hexes[at] = ForeignHex(line.split()[0], old.line if old else number, names, label, lines)
        elif _SKIPPED.match(line):
            if not _SETTINGS.match(line):
                remarks.append(Problem(tr("“{text}” is left out", text=line[:60]), file, number, remark=True))
        else:
            problems.append(Problem(tr("“{text}” is not a hex, such as 0101 forest", text=line[:60]), file, number))
        if len(problems) >= _MAX_PROBLEMS:
            break
    DataError.raise_if_any(problems)
    columns, rows = (1 + max((at[axis] for at in hexes), default=0) for axis in (0, 1))
    return ForeignMap(
        file, path.stem, columns, rows, hexes, flat, second_shifted, open_size=True, remarks=tuple(remarks)
    )
