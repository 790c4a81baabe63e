"""What the ground of operational maps asks of those who march, from data/blind_faith/terrain.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from generator.games.rulings import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of ground; see the head of terrain.toml."""

    id: str
    name: Words
    symbol: str
    move: int | None = None
    water: bool = False


class PlaceKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of place that stands on the ground, with its kind of wall by the id in the house pack."""

    id: str
    name: Words
    wall: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Source
    terrain: tuple[Terrain, ...]
    place: tuple[PlaceKind, ...]


@cache
def terrains() -> Mapping[str, Terrain]:
    """Every terrain by its id."""
    return {terrain.id: terrain for terrain in _file().terrain}


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Every terrain by its letter in a drawn map."""
    return {terrain.symbol: terrain for terrain in terrains().values()}


@cache
def place_kinds() -> Mapping[str, PlaceKind]:
    """Every kind of place by its id."""
    return {kind.id: kind for kind in _file().place}


def terrain_source() -> Source:
    """Whose the costs are."""
    return _file().source


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "blind_faith" / "terrain.toml", _File)
