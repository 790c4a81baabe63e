"""Take over maps of other programs as arenas, on which only buildings remain."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Literal

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
from generator.games.battling.ground import CORNER_NAMES
from generator.games.battling.tables import limits
from generator.localization import tr
from generator.model.words import Words
from generator.notation.toml import Source

_Ground = Literal["street", "building"]
_STREET: _Ground = "street"
_BUILDING: _Ground = "building"


class ArenaNames(TerrainNames, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Names of other programs for streets and buildings."""

    empty: _Ground
    arena_names: dict[_Ground, tuple[Name, ...]]
    """The names of other programs for open hexes (`street`) and for hexes with a building (`building`)."""

    @property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """The names of other programs, keyed by terrain."""
        return {_STREET: self.arena_names.get(_STREET, ()), _BUILDING: self.arena_names.get(_BUILDING, ())}


NAMES = OwnersFile("battling/terrain_names.toml", lambda source: _read(source), "own")


def _read(source: Source) -> ArenaNames:
    return read_names(source, ArenaNames, "arena_names")


def _misfit(of: ForeignMap) -> str:
    """Return the reason that a map is not an arena, or an empty string."""
    bounds = limits()
    if of.columns not in bounds.columns or of.rows not in bounds.rows:
        return tr("the map has {columns} × {rows} hexes, but an arena has {least} to {most} columns and "
                  "{low} to {high} rows", columns=of.columns, rows=of.rows, least=bounds.columns.minimum,
                  most=bounds.columns.maximum, low=bounds.rows.minimum, high=bounds.rows.maximum)  # fmt: skip
    if not of.second_shifted:
        return tr(
            "the first column of the map is shifted, "
            "but in an arena the second column is shifted; add or remove a column at the left"
        )
    return ""


def _compose(of: PlacedMap) -> Mapping[str, object]:
    """Return the values of an arena file, with a building on each built-up hex."""
    built = [at for at in product(range(of.columns), range(of.rows)) if of.terrain_at(*at) == _BUILDING]
    names = [f"{column + 1:02}{row + 1:02}" for column, row in built]
    lines = [" ".join(f"{name}:{corner}" for corner in CORNER_NAMES) for name in names]
    values: dict[str, object] = {"name": both_languages(of.title), "source": "own"}
    return values | {"size": {"columns": of.columns, "rows": of.rows}, "buildings": "\n".join(lines)}


MAP_IMPORT = MapImport(
    NAMES.load,
    "arena",
    True,
    lambda: {_STREET: Words("street", "街路"), _BUILDING: Words("building", "建物")},
    dict,
    _misfit,
    lambda _of, _at: False,
    _compose,
)
