"""Numbers, terrain, combat tables and switches, from data/travel_battle/.

The numbers of setting up, read from data/travel_battle/play.toml.

What each terrain does, read from data/travel_battle/terrain.toml.

The dice tables, read from data/travel_battle/tables.toml.

Players and grounds as faults name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.common.interpretations import Ruling, rulings
from generator.common.tables import words
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped

Marker = Literal["turned", "held", "runs"]
"""What a marker tells of the unit beside it: it faces about, may not move in its next turn, or runs for an edge."""


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands; see its head."""

    rows: int
    brigades: int
    lost: int
    turned: int
    guns_see: int
    tables: tuple[str, ...]
    turns: tuple[int, ...]
    armies: int
    gathers: int
    markers: dict[Marker, int]
    places: tuple[Words, ...]

    def armies_on(self, columns: int, rows: int) -> int:
        """How many armies a side has on so many boards: one for every two, as far as its edge has room for them."""
        return max(1, min(columns * rows // 2, columns, self.armies))


numbers = toml.shipped_table("travel_battle/play.toml", Numbers)
"""The shipped numbers."""


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


class _Terrains(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: tuple[Terrain, ...]


@cache
def terrains() -> Mapping[str, Terrain]:
    """Every terrain by its id."""
    file = toml.read(shipped("data") / "travel_battle" / "terrain.toml", _Terrains)
    return {terrain.id: terrain for terrain in file.terrain}


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Every terrain by its letter in a drawn board."""
    return {terrain.symbol: terrain for terrain in terrains().values()}


Shelled = Literal["none", "turned", "runs", "removed"]
Fought = Literal["on", "back", "runs", "removed"]
DIE = 6


class Artillery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How guns fire; see tables.toml."""

    near: int
    range: int
    massed: int
    effects: tuple[Shelled, ...]
    source: str


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice that a unit rolls more in melee, and when."""

    id: str
    dice: int
    arms: tuple[Arm, ...] = msgspec.field(name="for")
    text: Words
    source: str


class Melee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How units in contact fight; see tables.toml."""

    most_dice: int
    results: tuple[Fought, ...]
    bonus: tuple[Bonus, ...]
    source: str

    def result(self, difference: int) -> Fought:
        """What befalls the side whose highest die is lower by so much."""
        return self.results[min(difference, len(self.results) - 1)]


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What befalls a unit, as it is told."""

    id: str
    name: Words
    text: Words


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    artillery: Artillery
    melee: Melee
    effect: tuple[Effect, ...]


@cache
def artillery() -> Artillery:
    """The table of guns."""
    return _file().artillery


@cache
def melee() -> Melee:
    """The table of melee."""
    return _file().melee


@cache
def effects() -> Mapping[str, Effect]:
    """Every effect of fire and melee by its id."""
    return {effect.id: effect for effect in _file().effect}


_file = toml.shipped_table("travel_battle/tables.toml", _Tables)


@cache
def switches() -> Mapping[str, Ruling]:
    """The rulings that a scenario names."""
    return rulings("travel_battle")


def side_name(who: str | None) -> Words | str:
    """A player as he is called; somebody else by what the log calls him."""
    return words("travel_battle")["player"].get(who or "", who or "?")
