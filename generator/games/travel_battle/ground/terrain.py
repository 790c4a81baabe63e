"""What each terrain does, read from data/travel_battle/terrain.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped

Arm = Literal["infantry", "cavalry", "artillery", "brigadier"]
ARMS: tuple[Arm, ...] = ("infantry", "cavalry", "artillery", "brigadier")


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of ground; see the head of terrain.toml."""

    id: str
    name: Words
    symbol: str
    effect: Words
    source: Literal["seed", "house"]
    house: tuple[str, ...] = ()
    height: int = 0
    enter: tuple[Arm, ...] = ARMS
    open: bool = False
    road: bool = False
    blocks: bool = False
    cover: int = 0
    defence: int = 0


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: tuple[Terrain, ...]


@cache
def terrains() -> Mapping[str, Terrain]:
    """Every terrain by its id."""
    file = toml.read(shipped("data") / "travel_battle" / "terrain.toml", _File)
    return {terrain.id: terrain for terrain in file.terrain}


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Every terrain by its letter in a drawn board."""
    return {terrain.symbol: terrain for terrain in terrains().values()}
