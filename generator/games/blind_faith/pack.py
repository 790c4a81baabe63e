"""Packs: one file of units and combat tables, which an owner may replace.

The file of a pack, and every fault that it may have, each with its line.

Packs: unit classes with the tables they fight by, from a file; see docs/formats/blind_faith_tables.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from generator.common.scenario_file import FileReader
from generator.common.whose import owned
from generator.errors import DataError, Problem, near
from generator.games.blind_faith.tables import (
    DIE,
    ROLES,
    SIDES,
    SYMBOLS,
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
from generator.model.words import LANGS, Words
from generator.notation.text import NAME_LIMIT, name_fault
from generator.notation.toml import Source
from generator.notation.validation import KeyPath
from generator.store.folders import shipped

FIELD_HITS: tuple[Hit, ...] = ("rout", "eliminate")
SIEGE_HITS: tuple[Hit, ...] = ("breach",)
BLANK = "not filled in yet"
NUMBERS = {"movement": (1, 30), "drm": (-6, 6), "points": (1, 99), "most": (0, 99)}
"""The numbers of a unit with their bounds."""

_NOTE_LIMIT = 400
_DIE = re.compile(r"-?(?:[0-9]|1[0-9]|20)")
_ID = re.compile(r"[a-z][a-z0-9_]*")

Cells = dict[str, dict[str, str]]


class ColumnRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of the response table as it is typed."""

    start: int = msgspec.field(name="from")
    """The fewest units in the defender's front."""
    results: tuple[str, ...] = ()
    """A result for each face of the die, from 1: `"none"`, `"1 rout, 1 eliminate"`."""


class ResponseRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The response table as it is typed."""

    step: int
    """Every so many units beyond the last column add 1 to the die."""
    column: tuple[ColumnRow, ...]
    """The columns, from the fewest units."""


class PackFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pack's file; its cells are texts yet."""

    name: Words
    """What the pack is called."""
    boxes: int
    """The attacker's front boxes."""
    type: tuple[Named, ...]
    """What fires and is fired at: the lines and columns of the fire table."""
    wall: tuple[Named, ...]
    """What is bombarded."""
    unit: tuple[Unit, ...]
    """The classes of units."""
    fire: Cells
    """By the type that fires and the one fired at: `"rout 5, eliminate 6"`."""
    bombard: Cells
    """By the type that bombards and the wall: `"breach 5-6"`."""
    charge: dict[str, str]
    """By the changed die: `"defender rout"`."""
    response: ResponseRows
    """What an attack costs the attacker."""
    legate: tuple[Legate, ...] = ()
    """Papal legates."""
    note: Words = Words("", "")
    """It is printed with the tables."""
    source: Literal["house", "owner"] = "owner"
    """Whose it is; `"house"` holds only while the values equal ours."""


def read(source: Source) -> PackFile:
    """A pack's file whose every cell can be read; DataError with every fault and blank, in the order of lines."""
    # Blanks are noted and take a value that offends nobody, so that one reading finds blanks and faults alike.
    form = Source(source.name, source.text)
    reading = FileReader(form)
    for keys, holder, key in list(_cells(form.data)):
        if holder[key] == "":
            reading.fault(keys, BLANK)
            holder[key] = 1 if keys[0] == "unit" else "none"
    known = len(reading.problems)
    _typed_units(reading)
    if len(reading.problems) > known:
        raise DataError(*_by_line(reading))
    try:
        file = form.read(PackFile)
    except DataError as error:
        reading.problems += error.problems
        raise DataError(*_by_line(reading)) from error
    _names(reading, file)
    _units(reading, file)
    _shots(reading, file)
    _charge(reading, file.charge)
    _response(reading, file.response)
    if reading.problems:
        raise DataError(*_by_line(reading))
    return file


def _by_line(reading: FileReader) -> list[Problem]:
    return sorted(reading.problems, key=lambda problem: problem.line)


def _cells(data: Mapping[str, object]) -> Iterator[tuple[KeyPath, Any, Any]]:
    """Where a blank may stand: its keys, what holds it, and its key or index there."""
    for i, unit in enumerate(_tables(data.get("unit"))):
        yield from ((("unit", i, key), unit, key) for key in NUMBERS if key in unit)
    for table in ("fire", "bombard"):
        for row, cells in _mapping(data.get(table)).items():
            yield from (((table, row, key), cells, key) for key in _mapping(cells))
    charge = _mapping(data.get("charge"))
    yield from ((("charge", key), charge, key) for key in charge)
    for i, column in enumerate(_tables(_mapping(data.get("response")).get("column"))):
        results = column.get("results")
        if isinstance(results, list):
            yield from ((("response", "column", i, "results", k), results, k) for k in range(len(results)))


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _tables(value: object) -> list[dict[str, Any]]:
    return [_mapping(row) for row in value] if isinstance(value, list) else []


def _typed_units(reading: FileReader) -> None:
    """The words and numbers of unit classes, before they take their types."""
    for i, unit in enumerate(_tables(reading.source.data.get("unit"))):
        for key, (least, most) in NUMBERS.items():
            value = unit.get(key, least)
            if type(value) is not int or not least <= value <= most:
                reading.fault(("unit", i, key), f"{str(value)[:40]!r} is no number from {least} to {most}")
        for key, accepted in (("sides", SIDES), ("fires", ROLES), ("symbol", SYMBOLS)):
            value = unit.get(key, [])
            for word in value if isinstance(value, list) else [value]:
                if word not in accepted:
                    reading.fault(
                        ("unit", i, key), f"unknown word {str(word)[:40]!r}", near(str(word)[:40], accepted)
                    )


def _names(reading: FileReader, file: PackFile) -> None:
    for at, limit, text in ((("name",), NAME_LIMIT, file.name), (("note",), _NOTE_LIMIT, file.note)):
        for fault in dict.fromkeys(name_fault(text[lang], limit) for lang in LANGS):
            if fault and text != Words("", ""):
                reading.fault(at, fault)
    if not 1 <= file.boxes <= 9:
        reading.fault(("boxes",), f"{file.boxes} is no number from 1 to 9")
    called = {
        "type": [(kind.id, kind.name) for kind in file.type],
        "wall": [(wall.id, wall.name) for wall in file.wall],
        "unit": [(unit.id, unit.name) for unit in file.unit],
        "legate": [(legate.id, legate.name) for legate in file.legate],
    }
    for key, rows in called.items():
        reading.ids((key,), [name for name, _ in rows])
        for i, (name, words) in enumerate(rows):
            if not _ID.fullmatch(name):
                reading.fault((key, i, "id"), f"{name[:40]!r} is no id: small letters, digits and _")
            for fault in dict.fromkeys(name_fault(words[lang]) for lang in LANGS):
                if fault:
                    reading.fault((key, i, "name"), fault)


def _units(reading: FileReader, file: PackFile) -> None:
    types = [kind.id for kind in file.type]
    for i, unit in enumerate(file.unit):
        reading.one_of(("unit", i, "type"), unit.type, types)
        if not unit.sides:
            reading.fault(("unit", i, "sides"), "no side", f"accepted: {', '.join(SIDES)}")
        if unit.infantry and unit.intercepts:
            reading.fault(("unit", i, "intercepts"), "infantry never intercepts")
        if unit.each_box and "defence" not in unit.fires:
            reading.fault(("unit", i, "each_box"), "it fires at each box only if it fires in defence")
    for side in SIDES:
        if not any(side in unit.sides for unit in file.unit):
            reading.fault(("unit", 0), f"no unit of the side {side}")
    walls = [wall.id for wall in file.wall]
    for wall in dict.fromkeys(kind.wall for kind in place_kinds().values()):
        if wall not in walls:
            reading.fault(("wall", 0), f"no wall {wall}, which places on maps have")
    for i, legate in enumerate(file.legate):
        if legate.unit:
            reading.one_of(("legate", i, "unit"), legate.unit, [unit.id for unit in file.unit])


def _shots(reading: FileReader, file: PackFile) -> None:
    """Who fires has a line, who is fired at a column, and nobody else."""
    fire = list(dict.fromkeys(unit.type for unit in file.unit if unit.fires))
    bombard = list(dict.fromkeys(unit.type for unit in file.unit if unit.bombards))
    targets = [kind.id for kind in file.type]
    _grid(reading, "fire", file.fire, fire, targets, FIELD_HITS)
    _grid(reading, "bombard", file.bombard, bombard, [wall.id for wall in file.wall], SIEGE_HITS)


def _grid(
    reading: FileReader, table: str, cells: Cells, rows: list[str], columns: list[str], accepted: tuple[Hit, ...]
) -> None:
    for row in rows:
        if row not in cells:
            reading.fault((table, *list(cells)[:1]), f"no line for {row}, which has units that fire there")
    for row, line in cells.items():
        if row not in rows:
            reading.fault((table, row), "no unit of that type fires there", near(row[:40], rows))
        for column in columns:
            if column not in line:
                reading.fault((table, row), f"nothing says what it does to {column}")
        for column, cell in line.items():
            at = (table, row, column)
            if column not in columns:
                reading.fault(at, "is nothing to fire at", near(column[:40], columns))
            _cell(reading, at, cell, lambda text: read_faces(text, accepted))


def _charge(reading: FileReader, cells: Mapping[str, str]) -> None:
    dice: list[int] = []
    for die, cell in cells.items():
        if _DIE.fullmatch(die):
            dice.append(int(die))
        else:
            reading.fault(("charge", die), "is no die, a whole number from -20 to 20")
        _cell(reading, ("charge", die), cell, read_clash)
    if not cells:
        reading.fault(("charge",), "no result at all")
    elif gaps := sorted(set(range(min(dice, default=0), max(dice, default=0))) - set(dice)):
        reading.fault(("charge",), f"no result for the die {gaps[0]}")


def _response(reading: FileReader, table: ResponseRows) -> None:
    at = ("response", "column")
    starts = [column.start for column in table.column]
    if table.step < 1:
        reading.fault(("response", "step"), f"{table.step} is no number of units")
    if starts[:1] != [1]:
        reading.fault(("response",), "the first column begins with 1 unit")
    for i, column in enumerate(table.column):
        if i and column.start <= starts[i - 1]:
            reading.fault((*at, i, "from"), f"{column.start} comes after {starts[i - 1]}")
        if len(column.results) < DIE:
            reading.fault((*at, i, "results"), f"{len(column.results)} results; each face of the die wants one")
        for cell in dict.fromkeys(column.results):
            _cell(reading, (*at, i, "results"), cell, read_losses)


def _cell(reading: FileReader, at: KeyPath, cell: str, read: Callable[[str], object]) -> None:
    try:
        read(cell)
    except ValueError as error:
        reading.fault(at, str(error))


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

    def line(self, units: Iterable[str]) -> UnitLine:
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
        read(source)
    except DataError as error:
        waiting = [p for p in error.problems if p.message.endswith(BLANK)]
        if others := [p for p in error.problems if p not in waiting]:
            raise DataError(*others) from error
        return len(waiting)
    return 0
