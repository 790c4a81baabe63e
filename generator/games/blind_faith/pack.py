"""Packs: one file of units and combat tables, which an owner may replace.

The file of a pack, and every fault that it may have, each with its line.

Packs: unit classes with the tables they fight by, from a file; see docs/formats/blind_faith_tables.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from generator.common.scenario_file import FileReader, OwnersFile
from generator.errors import near
from generator.games.blind_faith.tables import (
    DIE,
    SIDES,
    ChargeTable,
    Column,
    Hit,
    Legate,
    Named,
    ResponseTable,
    Shots,
    Side,
    Unit,
    UnitLine,
    place_kinds,
    read_clash,
    read_faces,
    read_losses,
)
from generator.model.words import Words
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, named, once, parsed, spelt
from generator.said import say, theirs
from generator.store.folders import shipped

FIELD_HITS: tuple[Hit, ...] = ("rout", "eliminate")
SIEGE_HITS: tuple[Hit, ...] = ("breach",)
BLANK = say("not filled in yet")
NUMBERS = ("movement", "drm", "points", "most")
"""The numbers of a unit, which a form may leave blank."""
_TABLES = ("fire", "bombard", "charge", "response")

_Die = Annotated[str, spelt("-?([0-9]|1[0-9]|20)", "a die, a whole number from -20 to 20,")]
_Shot = Annotated[str, parsed(partial(read_faces, accepted=FIELD_HITS))]
_Breach = Annotated[str, parsed(partial(read_faces, accepted=SIEGE_HITS))]
_Clash = Annotated[str, parsed(read_clash)]
_Loss = Annotated[str, parsed(read_losses)]
_Rows = once("id")

Cells = Mapping[str, Mapping[str, str]]


class ColumnRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of the response table as it is typed."""

    start: int = msgspec.field(name="from")
    """The fewest units in the defender's front."""
    results: Annotated[tuple[_Loss, ...], msgspec.Meta(min_length=DIE)]
    """A result for each face of the die, from 1: `"none"`, `"1 rout, 1 eliminate"`."""


class ResponseRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The response table as it is typed."""

    step: Annotated[int, msgspec.Meta(ge=1)]
    """Every so many units beyond the last column add 1 to the die."""
    column: tuple[ColumnRow, ...]
    """The columns, from the fewest units."""


class PackFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pack's file; its cells are texts that can be read."""

    name: Annotated[Words, named()]
    """What the pack is called."""
    boxes: Annotated[int, msgspec.Meta(ge=1, le=9)]
    """The attacker's front boxes."""
    type: Annotated[tuple[Named, ...], _Rows]
    """What fires and is fired at: the lines and columns of the fire table."""
    wall: Annotated[tuple[Named, ...], _Rows]
    """What is bombarded."""
    unit: Annotated[tuple[Unit, ...], _Rows]
    """The classes of units."""
    fire: dict[str, dict[str, _Shot]]
    """By the type that fires and the one fired at: `"rout 5, eliminate 6"`."""
    bombard: dict[str, dict[str, _Breach]]
    """By the type that bombards and the wall: `"breach 5-6"`."""
    charge: dict[_Die, _Clash]
    """By the changed die: `"defender rout"`."""
    response: ResponseRows
    """What an attack costs the attacker."""
    legate: Annotated[tuple[Legate, ...], _Rows] = ()
    """Papal legates."""
    note: Annotated[Words, named(400, optional=True)] = Words("", "")
    """It is printed with the tables."""
    source: Literal["house", "owner"] = "owner"
    """Whose it is; `"house"` holds only while the values equal ours."""


def read(source: Source) -> PackFile:
    """A pack's file whose every cell can be read; DataError with every fault and blank, in the order of lines."""
    # Blanks are noted and take a value that offends nobody, so that one reading finds blanks and faults alike.
    form = Source(source.name, source.text)
    reading = FileReader(form)
    for keys, holder, key in list(_blanks(form.data, ())):
        reading.fault(keys, BLANK)
        holder[key] = 1 if keys[0] == "unit" else "none"
    file = reading.read(PackFile)
    _units(reading, file)
    _shots(reading, file)
    _charge(reading, file.charge)
    _response(reading, file.response)
    reading.done()
    return file


def _blanks(holder: Any, at: KeyPath) -> Iterator[tuple[KeyPath, Any, Any]]:
    """Every blank where one may stand: its keys, what holds it, and its key or index there."""
    for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
        keys = (*at, key)
        if isinstance(value, dict | list):
            yield from _blanks(value, keys)
        elif value == "" and (keys[0] in _TABLES or (keys[0] == "unit" and key in NUMBERS)):
            yield keys, holder, key


def _units(reading: FileReader, file: PackFile) -> None:
    types = [kind.id for kind in file.type]
    for i, unit in enumerate(file.unit):
        reading.one_of(("unit", i, "type"), unit.type, types)
        if unit.infantry and unit.intercepts:
            reading.fault(("unit", i, "intercepts"), say("infantry never intercepts"))
        if unit.each_box and "defence" not in unit.fires:
            reading.fault(("unit", i, "each_box"), say("it fires at each box only if it fires in defence"))
    for side in SIDES:
        if not any(side in unit.sides for unit in file.unit):
            reading.fault(("unit", 0), say("no unit of the side {side}", side=theirs(side)))
    walls = [wall.id for wall in file.wall]
    for wall in dict.fromkeys(kind.wall for kind in place_kinds().values()):
        if wall not in walls:
            reading.fault(("wall", 0), say("no wall {wall}, which places on maps have", wall=wall))
    for i, legate in enumerate(file.legate):
        if legate.unit:
            reading.one_of(("legate", i, "unit"), legate.unit, [unit.id for unit in file.unit])


def _shots(reading: FileReader, file: PackFile) -> None:
    """Who fires has a line, who is fired at a column, and nobody else."""
    fire = list(dict.fromkeys(unit.type for unit in file.unit if unit.fires))
    bombard = list(dict.fromkeys(unit.type for unit in file.unit if unit.bombards))
    targets = [kind.id for kind in file.type]
    _grid(reading, "fire", file.fire, fire, targets)
    _grid(reading, "bombard", file.bombard, bombard, [wall.id for wall in file.wall])


def _grid(reading: FileReader, table: str, cells: Cells, rows: list[str], columns: list[str]) -> None:
    for row in rows:
        if row not in cells:
            reading.fault(
                (table, *list(cells)[:1]), say("no line for {row}, which has units that fire there", row=row)
            )
    for row, line in cells.items():
        if row not in rows:
            reading.fault((table, row), say("no unit of that type fires there"), near(row[:40], rows))
        for column in columns:
            if column not in line:
                reading.fault((table, row), say("nothing says what it does to {column}", column=column))
        for column in line:
            if column not in columns:
                reading.fault((table, row, column), say("is nothing to fire at"), near(column[:40], columns))


def _charge(reading: FileReader, cells: Mapping[str, str]) -> None:
    dice = list(map(int, cells))
    if not cells:
        reading.fault(("charge",), say("no result at all"))
    elif gaps := sorted(set(range(min(dice, default=0), max(dice, default=0))) - set(dice)):
        reading.fault(("charge",), say("no result for the die {die}", die=gaps[0]))


def _response(reading: FileReader, table: ResponseRows) -> None:
    at = ("response", "column")
    starts = [column.start for column in table.column]
    if starts[:1] != [1]:
        reading.fault(("response",), say("the first column begins with 1 unit"))
    for i, column in enumerate(table.column):
        if i and column.start <= starts[i - 1]:
            reading.fault(
                (*at, i, "from"), say("{start} comes after {before}", start=column.start, before=starts[i - 1])
            )


class Pack(msgspec.Struct, frozen=True, eq=False, dict=True):
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
    def legate_names(self) -> dict[str, Words]:
        """What the legates are called, by id."""
        return {legate.id: legate.name for legate in self.legates}

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.units)}

    def line(self, units: Iterable[str]) -> UnitLine:
        """These units in the pack's order; KeyError for one that is no class of it."""
        return tuple(sorted(units, key=self._rank.__getitem__))

    def of_side(self, side: Side) -> tuple[Unit, ...]:
        """The classes that a side has."""
        return tuple(unit for unit in self.units.values() if side in unit.sides)

    def points(self, units: Iterable[str]) -> int:
        """What these units cost together."""
        return sum(self.units[unit].points for unit in units)


def _read(source: Source) -> Pack:
    file = read(source)
    hits: list[Shots] = []
    for table, accepted in ((file.fire, FIELD_HITS), (file.bombard, SIEGE_HITS)):
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


PACK = OwnersFile("blind_faith/pack.toml", _read)
load_pack, read_pack, house_pack = PACK.load, PACK.read, PACK.house


def house_form() -> Path:
    """The file of the pack that ships."""
    return shipped("data") / "blind_faith" / "pack.toml"


def blank_form() -> Path:
    """The form of a pack with its numbers left out, to copy and fill in."""
    return shipped("data") / "blind_faith" / "blank.toml"
