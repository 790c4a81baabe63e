"""Machines and their charts: the house pack, or an owner's own in the same form (docs/formats/machines.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from generator.errors import DataError
from generator.games.battling.forces.charts import Clash, Result, Shot, dice
from generator.games.battling.forces.packfile import PackReader
from generator.games.whose import owned
from generator.model.words import Words
from generator.notation.toml import Source
from generator.store.folders import shipped


class MachineKind(msgspec.Struct, frozen=True):
    """A type of Armored Trooper with its lines of the charts; see the head of machines.toml."""

    id: str
    name: Words
    caption: str
    """Its type number, such as `ATM-09-ST`."""
    symbol: str
    hp: int
    points: int
    armour: int
    shooting: tuple[int, ...]
    """The hit number at distance 1, 2, 3 …; 0: out of range."""
    damage: Mapping[str, int]
    """Its power against each machine."""
    battling: Mapping[str, int]
    """The battling difference when it attacks each machine."""


class Pack(msgspec.Struct, frozen=True):
    """All machines and charts that a battle is fought by."""

    name: Words
    source: Literal["house", "owner"]
    machines: Mapping[str, MachineKind]
    results: Mapping[int, tuple[Result, ...]]
    """The result of battling by the difference, for the die's faces from 1."""

    @property
    def range(self) -> int:
        """The farthest distance that the chart of shooting knows."""
        return max(len(machine.shooting) for machine in self.machines.values())

    def number(self, shooter: str, distance: int) -> int:
        """The hit number at a distance from 1 on; 0 where it is out of range."""
        row = self.machines[shooter].shooting
        return row[distance - 1] if 1 <= distance <= len(row) else 0

    def shot(self, shooter: str, target: str, distance: int, last: str = "") -> Shot:
        """A shot at a target whose own last action was that."""
        armour = self.machines[target].armour
        power = self.machines[shooter].damage[target]
        return Shot(self.number(shooter, distance), power, dice().change("hit", last), armour)

    def clash(self, attacker: str, target: str, last: str = "") -> Clash:
        """Battling against a target whose own last action was that."""
        difference = self.machines[attacker].battling[target]
        return Clash(self.results[difference], dice().change("battling", last))


@cache
def house_pack() -> Pack:
    """The shipped machines and charts."""
    return _read(Source.open(shipped("data") / "battling" / "machines.toml"))


def machines() -> Mapping[str, MachineKind]:
    """The shipped machines by id, in the order of their file."""
    return house_pack().machines


def load_pack(path: Path | None = None) -> Pack:
    """An owner's file, or the house pack; DataError with every fault."""
    return read_pack(Source.open(path)) if path else house_pack()


def read_pack(source: Source) -> Pack:
    """The pack of a TOML text; DataError with every fault, in the order of its lines."""
    return owned(_read(source), source, [house_pack()])


def _read(source: Source) -> Pack:
    reader = PackReader(source)
    if reader.problems:
        raise DataError(*sorted(reader.problems, key=lambda problem: problem.line))
    kinds = {str(values["id"]): msgspec.convert(values, MachineKind) for values in reader.machines}
    return Pack(reader.name, reader.source_of, kinds, reader.results)
