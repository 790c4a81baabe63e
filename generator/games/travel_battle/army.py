"""Units and armies, read from data/travel_battle/army.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from generator.games.travel_battle.terrain import Arm
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; see the head of army.toml."""

    id: str
    name: Words
    letter: str
    arm: Arm
    count: int
    move: int
    rally: int = 0
    rerolls: bool = False
    fights: bool = True


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many units a brigade may have besides its brigadier; `most` 0 is no limit."""

    id: str
    name: Words
    least: int
    most: int = 0
    source: str = "house"


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A split to choose: for each brigade, how many units of each kind, by its id."""

    id: str
    name: Words
    brigades: tuple[dict[str, int], ...]
    source: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    unit: tuple[Unit, ...]
    sizes: tuple[Sizes, ...]
    preset: tuple[Preset, ...]


@cache
def kinds() -> Mapping[str, Unit]:
    """Every kind of unit by its id, in the order of the file."""
    return {unit.id: unit for unit in _file().unit}


@cache
def fighters() -> tuple[Unit, ...]:
    """The kinds that are split among brigades, in the order of the file."""
    return tuple(unit for unit in _file().unit if unit.fights)


@cache
def sizes() -> Mapping[str, Sizes]:
    """The limits of a brigade's size by id, the default first."""
    return {limits.id: limits for limits in _file().sizes}


@cache
def presets() -> Mapping[str, Preset]:
    """The splits to choose by id."""
    return {preset.id: preset for preset in _file().preset}


@cache
def _file() -> _File:
    return toml.read(shipped("data") / "travel_battle" / "army.toml", _File)
