"""Take over maps of other programs as maps of hexes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from generator.common.map_import import (
    ForeignMap,
    MapImport,
    Name,
    PlacedMap,
    Position,
    TerrainNames,
    both_languages,
    read_names,
)
from generator.common.scenario_file import OwnersFile
from generator.games.battlelore.ground import Profile, profiles
from generator.games.battlelore.tables import lore
from generator.localization import tr
from generator.model.words import Words
from generator.notation.toml import Source
from generator.notation.validation import known

_Ground = Annotated[str, known(lambda: lore().terrain)]
_Terrain = Annotated[str, known(lambda: dict.fromkeys((*lore().terrain, *lore().features)))]


class MapNames(TerrainNames, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Names of other programs for the terrain of a map."""

    empty: _Ground
    map_names: dict[_Terrain, tuple[Name, ...]]
    """The names of other programs for each terrain and feature."""

    @property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """The names of other programs, keyed by terrain."""
        return self.map_names


NAMES = OwnersFile("battlelore/terrain_names.toml", lambda source: _read(source), "own")


def _read(source: Source) -> MapNames:
    return read_names(source, MapNames, "map_names")


def _profile(columns: int) -> tuple[str, Profile]:
    """Return the smallest board with this number of hexes in its long rows, or the largest board."""
    by_width = sorted(profiles().items(), key=lambda item: item[1].rows[0])
    return next(((name, board) for name, board in by_width if columns <= board.rows[0]), by_width[-1])


def _misfit(of: ForeignMap) -> str:
    """Return the reason that a map is not a board, or an empty string."""
    sizes = [(board.rows[0], len(board.rows)) for board in profiles().values()]
    exact = (of.columns, of.rows) in sizes
    within = of.open_size and any(of.columns <= columns and of.rows <= rows for columns, rows in sizes)
    if not (exact or within):
        needed = [f"{columns} × {rows}" for columns, rows in sizes]
        return tr("the map has {columns} × {rows} hexes, but a board has {needed}",
                  columns=of.columns, rows=of.rows, needed=needed)  # fmt: skip
    if not of.second_shifted:
        return tr(
            "the first row of the map is shifted, "
            "but on a board the second row is shifted; add or remove a row at the top"
        )
    return ""


def _outside(of: ForeignMap, at: Position) -> bool:
    """Return whether a hex lies beyond the end of a short row."""
    _, board = _profile(of.columns)
    column, row = at
    return row >= len(board.rows) or column >= board.rows[row]


def _compose(of: PlacedMap) -> Mapping[str, object]:
    """Return the values of a map file. The first row of the map is the far row."""
    name, board = _profile(of.columns)
    symbols = {terrain.id: terrain.symbol for terrain in lore().terrain.values()}
    lines = [
        " " * (row % 2) + " ".join(symbols[of.terrain_at(column, row)] for column in range(length))
        for row, length in enumerate(board.rows)
    ]
    near = len(board.rows) - 1
    features = {board.field.name(board.field.at(column, near - row)): of.objects[column, row]
                for column, row in sorted(of.objects)}  # fmt: skip
    values: dict[str, object] = {"name": both_languages(of.title), "source": "own", "profile": name}
    return values | {"rows": "\n".join(lines)} | ({"features": features} if features else {})


def _labels(kinds: Mapping[str, msgspec.Struct]) -> Mapping[str, Words]:
    return {name: kind.name for name, kind in kinds.items()}  # type: ignore[attr-defined]


MAP_IMPORT = MapImport(
    NAMES.load,
    "map",
    False,
    lambda: _labels(lore().terrain),
    lambda: _labels(lore().features),
    _misfit,
    _outside,
    _compose,
)
