"""Take over maps of other programs as operational maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from generator.common.map_import import (
    ForeignMap,
    MapImport,
    Name,
    PlacedMap,
    TerrainNames,
    both_languages,
    read_names,
)
from generator.common.scenario_file import OwnersFile
from generator.games.blind_faith.ground import COLUMNS, ROWS
from generator.games.blind_faith.tables import place_kinds, terrains
from generator.grid.hexes import field as field_of
from generator.localization import tr
from generator.notation.toml import Source
from generator.notation.validation import known

_Ground = Annotated[str, known(terrains)]
_Terrain = Annotated[str, known(lambda: dict.fromkeys((*terrains(), *place_kinds())))]
_MAX_PLACE_NAME = 24
"""The maximum number of characters of a place's name."""


class OperationalNames(TerrainNames, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Names of other programs for the terrain and places of an operational map."""

    empty: _Ground
    operational_names: dict[_Terrain, tuple[Name, ...]]
    """The names of other programs for each terrain and each kind of place."""

    @property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """The names of other programs, keyed by terrain."""
        return self.operational_names


NAMES = OwnersFile("blind_faith/terrain_names.toml", lambda source: _read(source), "own")


def _read(source: Source) -> OperationalNames:
    return read_names(source, OperationalNames, "operational_names")


def _misfit(of: ForeignMap) -> str:
    """Return the reason that a map is not an operational map, or an empty string."""
    if of.columns not in COLUMNS or of.rows not in ROWS:
        return tr("the map has {columns} × {rows} hexes, but an operational map has {least} to {most} columns and "
                  "{low} to {high} rows", columns=of.columns, rows=of.rows, least=COLUMNS[0], most=COLUMNS[-1],
                  low=ROWS[0], high=ROWS[-1])  # fmt: skip
    near_is_second = of.rows % 2 == 0
    if near_is_second == of.second_shifted:
        return tr(
            "the near row of the map is shifted, "
            "but on an operational map the row above it is shifted; add or remove a row at the bottom"
        )
    return ""


def _compose(of: PlacedMap) -> Mapping[str, object]:
    """Return the values of a map file. The first row of the map is the far row."""
    symbols = [
        [terrains()[of.terrain_at(column, row)].symbol for column in range(of.columns)] for row in range(of.rows)
    ]
    lines = [" " * ((of.rows - 1 - row) % 2) + " ".join(signs) for row, signs in enumerate(symbols)]
    field = field_of((of.columns,) * of.rows)
    places: dict[str, object] = {}
    for column, row in sorted(of.objects):
        name = field.name(field.at(column, of.rows - 1 - row))
        label = of.labels.get((column, row), name)[:_MAX_PLACE_NAME]
        places[name] = {"kind": of.objects[column, row], "name": both_languages(label)}
    return {"name": both_languages(of.title), "source": "own", "rows": "\n".join(lines), "places": places}


MAP_IMPORT = MapImport(
    NAMES.load,
    "map",
    False,
    lambda: {terrain.id: terrain.name for terrain in terrains().values()},
    lambda: {kind.id: kind.name for kind in place_kinds().values()},
    _misfit,
    lambda _of, _at: False,
    _compose,
    _MAX_PLACE_NAME,
)
