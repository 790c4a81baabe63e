"""Packs: unit classes with the tables they fight by, from a file; see docs/formats/blind_faith_tables.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from generator.errors import DataError
from generator.games.blind_faith.forces import packfile
from generator.games.blind_faith.forces.tables import (
    ChargeTable,
    Column,
    ResponseTable,
    Shots,
    read_clash,
    read_faces,
    read_losses,
)
from generator.games.blind_faith.forces.units import Legate, Line, Named, Side, Unit
from generator.games.whose import owned
from generator.model.words import Words
from generator.notation.toml import Source
from generator.store.folders import shipped


@dataclass(frozen=True, eq=False)
class Pack:
    """Unit classes, their numbers and every table; complete, and consistent in itself."""

    name: Words
    note: Words
    source: Literal["house", "owner"]
    boxes: int
    """The attacker's front boxes in the field."""
    types: tuple[Named, ...]
    walls: tuple[Named, ...]
    units: Mapping[str, Unit]
    """By id, in the pack's order."""
    legates: tuple[Legate, ...]
    fire: Shots
    """By the types that fire and are fired at."""
    bombard: Shots
    """By the type that bombards and the kind of wall."""
    charge: ChargeTable
    response: ResponseTable

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.units)}

    def line(self, units: Iterable[str]) -> Line:
        """These units in the pack's order; KeyError for one that is no class of it."""
        return tuple(sorted(units, key=self._rank.__getitem__))

    def of_side(self, side: Side) -> tuple[Unit, ...]:
        """The classes that a side has."""
        return tuple(unit for unit in self.units.values() if side in unit.sides)

    def points(self, units: Iterable[str]) -> int:
        """What these units cost together."""
        return sum(self.units[unit].points for unit in units)


def read_pack(source: Source) -> Pack:
    """A pack from its file; DataError with every fault, and with every blank that is not filled in yet."""
    return owned(_read(source), source, [house_pack()])


def _read(source: Source) -> Pack:
    file = packfile.read(source)
    hits: list[Shots] = []
    for table, accepted in ((file.fire, packfile.FIELD_HITS), (file.bombard, packfile.SIEGE_HITS)):
        hits.append({(a, b): read_faces(cell, accepted) for a, row in table.items() for b, cell in row.items()})
    charge = {int(die): read_clash(cell) for die, cell in file.charge.items()}
    lowest = min(charge)
    return Pack(
        name=file.name,
        note=file.note,
        source=file.source,
        boxes=file.boxes,
        types=file.type,
        walls=file.wall,
        units={unit.id: unit for unit in file.unit},
        legates=file.legate,
        fire=hits[0],
        bombard=hits[1],
        charge=ChargeTable(lowest, tuple(charge[lowest + i] for i in range(len(charge)))),
        response=ResponseTable(
            tuple(Column(c.start, tuple(map(read_losses, c.results))) for c in file.response.column),
            file.response.step,
        ),
    )


def load_pack(path: Path | None = None) -> Pack:
    """A user's pack, or the house pack; DataError with every fault."""
    return house_pack() if path is None else read_pack(Source.open(path))


@cache
def house_pack() -> Pack:
    """The pack that ships."""
    return _read(Source.open(house_form()))


def house_form() -> Path:
    """The file of the pack that ships."""
    return shipped("data") / "blind_faith" / "pack.toml"


def blank_form() -> Path:
    """The form of a pack with its numbers left out, to copy and fill in."""
    return shipped("data") / "blind_faith" / "blank.toml"


def blanks(source: Source) -> int:
    """How many blanks of a form wait to be filled in; DataError where it has faults of another kind."""
    try:
        packfile.read(source)
    except DataError as error:
        waiting = [p for p in error.problems if p.message.endswith(packfile.BLANK)]
        if others := [p for p in error.problems if p not in waiting]:
            raise DataError(*others) from error
        return len(waiting)
    return 0
