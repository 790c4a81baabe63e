"""Sides, unit classes and legates, as a pack states them."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from generator.model.words import Words

Side = Literal["hussite", "crusader"]
Role = Literal["attack", "defence"]
Symbol = Literal["wagon", "cavalry", "foot", "handgun_horse", "leader", "siege", "cardinal"]
SIDES: tuple[Side, ...] = get_args(Side)
ROLES: tuple[Role, ...] = get_args(Role)
SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)

Line = tuple[str, ...]
"""Ids of unit classes, one for each unit, in the pack's order: a stack, a front, a reserve."""


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something with an id and a name: a type of unit, a kind of wall."""

    id: str
    name: Words


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class of unit; each unit of a stack is one of some class."""

    id: str
    name: Words
    sides: tuple[Side, ...]
    type: str
    """What it is in the tables: the line it fires on, the column it is fired at in."""
    symbol: Symbol
    movement: int
    drm: int
    points: int
    fires: tuple[Role, ...] = ()
    each_box: bool = False
    """Defending, it fires at every front box of the attacker, a die each."""
    intercepts: bool = False
    infantry: bool = False
    """It is left behind when its stack intercepts."""
    bombards: bool = False
    most: int = 0
    """How many there are of it, 0 for as many as one likes."""
    crusade: bool = False
    """It is there only while a crusade is on."""


class Legate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A papal legate: a marker, or a unit where `unit` names its class."""

    id: str
    name: Words
    unit: str = ""
