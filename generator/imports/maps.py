"""Read maps of other programs, of every known kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from generator.common.map_import import ForeignMap
from generator.errors import DataError, Problem
from generator.imports import boards, hex_lists, hexagons, tiled
from generator.localization import tr
from generator.notation.foreign import ForeignKind

MAX_SIDE = 250
"""The maximum number of columns or rows that is read. Muster's largest boards have 60."""
_READERS: Mapping[ForeignKind, Callable[[bytes, Path], ForeignMap]] = {
    "tiled": tiled.read,
    "board": boards.read,
    "hexagons": hexagons.read,
    "hex_list": hex_lists.read,
}
MAP_KINDS = tuple(_READERS)
"""The kinds of files that are maps."""


def read(kind: ForeignKind, content: bytes, path: Path) -> ForeignMap:
    """Return the map in a file.

    Raises:
        DataError: If the file is damaged or too large, or is not a map of hexes.
    """
    found = _READERS[kind](content, path)
    if not (1 <= found.columns <= MAX_SIDE and 1 <= found.rows <= MAX_SIDE):
        message = tr("the map has {columns} × {rows} hexes, but at most {most} × {most} can be read",
                     columns=found.columns, rows=found.rows, most=MAX_SIDE)  # fmt: skip
        raise DataError(Problem(message, str(path)))
    return found
