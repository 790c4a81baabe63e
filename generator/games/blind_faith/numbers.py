"""What is drawn besides the map, from data/blind_faith/play.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import Side
from generator.games.blind_faith.scenario import Kind
from generator.games.ranges import Range
from generator.games.rulings import Source
from generator.model.words import Words
from generator.notation import toml
from generator.store.folders import shipped


class Army(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a side's units are drawn from."""

    id: str
    name: Words
    side: Side
    kinds: tuple[Kind, ...]
    units: dict[str, int] = {}

    def recruits(self, pack: Pack, *, crusade: bool) -> dict[str, int]:
        """How often each unit class of a pack comes; legates are no recruits, some classes come in crusades alone."""
        legates = {legate.unit for legate in pack.legates}
        open_ = [u for u in pack.of_side(self.side) if u.id not in legates and (crusade or not u.crusade)]
        if not self.units:
            return {unit.id: 1 for unit in open_}
        known = {name for army in play().army for name in army.units}
        weights = {unit.id: self.units.get(unit.id, 0 if unit.id in known else play().unnamed) for unit in open_}
        return {name: weight for name, weight in weights.items() if weight}


class Leader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may lead a stack."""

    id: str
    name: Words
    side: Side


class Clumps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ground of random maps: its share of the hexes in percent, and in how many clumps it comes."""

    ground: str
    share: int
    clumps: int


class Maker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What random maps are made of."""

    columns: int
    rows: int
    rivers: int
    crossings: Range
    clumps: tuple[Clumps, ...]
    places: dict[str, int]
    apart: int
    names: dict[str, tuple[Words, ...]]


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """play.toml as it stands."""

    source: Source
    turns: int
    points: Range
    drawn: Range
    marching: Range
    facing: Range
    near: int
    strong: int
    routed: Range
    unnamed: int
    army: tuple[Army, ...]
    leader: tuple[Leader, ...]
    maker: Maker

    @property
    def armies(self) -> Mapping[str, Army]:
        """Armies by id."""
        return {army.id: army for army in self.army}

    @property
    def leaders(self) -> Mapping[str, Leader]:
        """Leaders by id."""
        return {leader.id: leader for leader in self.leader}


@cache
def play() -> Play:
    """The shipped play.toml."""
    return toml.read(shipped("data") / "blind_faith" / "play.toml", Play)
