"""The dice tables, read from data/travel_battle/tables.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from generator.games.travel_battle.ground.terrain import Arm
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped

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


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "travel_battle" / "tables.toml", _File)
