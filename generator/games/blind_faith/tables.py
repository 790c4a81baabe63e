"""Sides, terrain, combat tables, packs and rulings from data/blind_faith/.

A pack is a file of unit classes and combat tables. Users can replace it; see docs/formats/blind_faith_tables.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec

from generator.common.interpretations import Source as Whence
from generator.common.interpretations import rulings
from generator.common.scenario_file import FileReader, OwnersFile
from generator.common.tables import Listed, by_id
from generator.errors import near
from generator.localization import tr, tr_external
from generator.model.words import Words
from generator.notation import toml
from generator.notation.toml import Source
from generator.notation.validation import KeyPath, full_match, name_text, parsable_text, unique_in_rows
from generator.store.folders import shipped_path

Fate = Literal["none", "rout", "eliminate"]
Hit = Literal["none", "rout", "eliminate", "breach"]
FATES: tuple[Fate, ...] = get_args(Fate)
DIE = 6
FACES = range(1, DIE + 1)

_DASHES = str.maketrans("–—−‐〜~", "------")
_RANGE = re.compile(r"([a-z]+) ([1-6])(?:-([1-6]))?")
_CHARGE = re.compile(r"(defender|charger) (rout|eliminate)")
_LOSS = re.compile(r"([1-9]|[1-9][0-9]) (rout|eliminate)")


class ChargeResult(NamedTuple):
    """The results of a charge for the two units."""

    defender: Fate = "none"
    charger: Fate = "none"


class Losses(NamedTuple):
    """The numbers of units that the attacker loses in a response."""

    rout: int = 0
    eliminate: int = 0


Shots = Mapping[tuple[str, str], tuple[Hit, ...]]
"""The result of each face of the die, from 1, keyed by the type that fires and the type of the target."""


class ChargeTable(msgspec.Struct, frozen=True):
    """The results of a charge for each modified die, from `lowest`.

    The first and the last result apply to all values beyond them (ruling).
    """

    lowest: int
    results: tuple[ChargeResult, ...]

    def at(self, modified: int) -> ChargeResult:
        """Return the result for a modified die."""
        return self.results[min(max(modified - self.lowest, 0), len(self.results) - 1)]


class Column(msgspec.Struct, frozen=True):
    """A column of the response table, with its smallest number of defending units and the result for each die."""

    start: int
    results: tuple[Losses, ...]


class ResponseTable(msgspec.Struct, frozen=True):
    """The response table. Beyond the last column, every `step` additional units add 1 to the die."""

    columns: tuple[Column, ...]
    step: int

    def column(self, units: int) -> tuple[int, int]:
        """Return the 0-based column and the die modifier for `units` defending units (at least one)."""
        at = max(i for i, column in enumerate(self.columns) if units >= column.start)
        last = len(self.columns) - 1
        return at, (units - self.columns[at].start) // self.step if at == last else 0

    def at(self, units: int, die: int) -> Losses:
        """Return the attacker's losses for a die. If there are no units, there is no response."""
        if not units:
            return Losses()
        column, drm = self.column(units)
        results = self.columns[column].results
        return results[min(die + drm, len(results)) - 1]

    def bounds(self) -> tuple[tuple[int, int | None], ...]:
        """Return the smallest and largest number of units for each column. The last column has no maximum."""
        starts = [column.start for column in self.columns]
        return (*((a, b - 1) for a, b in pairwise(starts)), (starts[-1], None))


def spans(faces: Sequence[Hit]) -> tuple[tuple[Hit, int, int], ...]:
    """Return the results in a cell other than none, each with its first and last face."""
    runs = [(hit, [face for face, _ in run]) for hit, run in groupby(enumerate(faces, 1), key=lambda f: f[1])]
    return tuple((hit, run[0], run[-1]) for hit, run in runs if hit != "none")


def read_faces(cell: str, accepted: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the result of each face from a text such as `rout 4-5, eliminate 6`.

    Raises:
        ValueError: If the text is invalid.
    """
    faces: list[Hit] = ["none"] * DIE
    for part in _parts(cell):
        match = _RANGE.fullmatch(part)
        word = next((hit for hit in accepted if match and match[1] == hit), None)
        if not match or not word:
            raise ValueError(
                tr(
                    "{part!r} is not a valid entry; write a result and its dice, such as {name} 5-6",
                    part=part,
                    name=accepted[0],
                )
            )
        first, last = int(match[2]), int(match[3] or match[2])
        if last < first:
            raise ValueError(tr("the dice of {part!r} are in the wrong order; write the lower die first", part=part))
        for face in range(first, last + 1):
            if faces[face - 1] != "none":
                raise ValueError(tr("the die {face} appears twice", face=face))
            faces[face - 1] = word
    return tuple(faces)


def read_charge_result(cell: str) -> ChargeResult:
    """Return the result from a text such as `defender rout, charger rout`.

    Raises:
        ValueError: If the text is invalid.
    """
    found: dict[str, Fate] = {}
    for part in _parts(cell):
        match = _CHARGE.fullmatch(part)
        if not match:
            raise ValueError(
                tr(
                    "{part!r} is not a valid result; write none, defender rout, defender eliminate, charger rout …",
                    part=part,
                )
            )
        if match[1] in found:
            raise ValueError(tr("{name} appears twice", name=match[1]))
        found[match[1]] = "rout" if match[2] == "rout" else "eliminate"
    return ChargeResult(**found)


def read_losses(cell: str) -> Losses:
    """Return the losses from a text such as `1 rout, 2 eliminate`.

    Raises:
        ValueError: If the text is invalid.
    """
    found: dict[str, int] = {}
    for part in _parts(cell):
        match = _LOSS.fullmatch(part)
        if not match:
            raise ValueError(
                tr("{part!r} is not a valid loss; write a number and a result, such as 2 rout", part=part)
            )
        if match[2] in found:
            raise ValueError(tr("{name} appears twice", name=match[2]))
        found[match[2]] = int(match[1])
    return Losses(**found)


def _parts(cell: str) -> list[str]:
    """Return the parts of a cell with normalized letters; empty for `none`."""
    text = unicodedata.normalize("NFKC", cell).translate(_DASHES).replace("、", ",").strip().lower()
    return [] if text == "none" else [re.sub(r"\s*-\s*", "-", " ".join(p.split())) for p in text.split(",")]


class Terrain(Listed, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain, as described at the head of terrain.toml."""

    symbol: str
    move: int | None = None
    water: bool = False


class PlaceKind(Listed, frozen=True, forbid_unknown_fields=True):
    """A kind of place. `wall` is the id of its kind of wall in the house pack."""

    wall: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Whence
    terrain: tuple[Terrain, ...]
    place: tuple[PlaceKind, ...]


_file = toml.shipped_table("blind_faith/terrain.toml", _File)
terrains = by_id(lambda: _file().terrain)
"""Returns every kind of terrain, keyed by id."""


@cache
def by_symbol() -> Mapping[str, Terrain]:
    """Return every kind of terrain, keyed by its symbol in a drawn map."""
    return {terrain.symbol: terrain for terrain in terrains().values()}


place_kinds = by_id(lambda: _file().place)
"""Returns every kind of place, keyed by id."""


def terrain_source() -> Whence:
    """Return the source of the movement costs."""
    return _file().source


Side = Literal["hussite", "crusader"]
Role = Literal["attack", "defence"]
Symbol = Literal["wagon", "cavalry", "foot", "handgun_horse", "leader", "siege", "cardinal"]
SIDES: tuple[Side, ...] = get_args(Side)
ROLES: tuple[Role, ...] = get_args(Role)

UnitLine = tuple[str, ...]
"""Ids of the classes of units in a stack, front or reserve, one for each unit, in the pack's order."""


_Id = Annotated[str, full_match("[a-z][a-z0-9_]*", "an id of small letters, digits and _")]
_Name = Annotated[Words, name_text()]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type of unit or a kind of wall, with its id and name."""

    id: _Id
    """The id for tables, with lower-case letters, digits and `_`."""
    name: _Name
    """The name, in both languages."""


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit class; each unit of a stack belongs to one class."""

    id: _Id
    """The id for scenarios, with lower-case letters, digits and `_`."""
    name: _Name
    """The name, in both languages."""
    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=1)]
    """The sides that can have the unit."""
    type: str
    """The type of the unit: its row in the fire table when it fires, its column when it is fired at."""
    symbol: Symbol
    """The drawing on the counter."""
    movement: Annotated[int, msgspec.Meta(ge=1, le=30)]
    """The movement points of the unit."""
    drm: Annotated[int, msgspec.Meta(ge=-6, le=6)]
    """The number added to the roll when the unit charges, and subtracted when the unit is charged."""
    points: Annotated[int, msgspec.Meta(ge=1, le=99)]
    """The cost of the unit, which is a house value."""
    fires: tuple[Role, ...] = ()
    """When the unit fires."""
    each_box: bool = False
    """In defence, the unit fires at every front box of the attacker, with one die for each box."""
    intercepts: bool = False
    """Whether the unit can intercept."""
    infantry: bool = False
    """Whether the unit stays behind when other units of its stack intercept."""
    bombards: bool = False
    """Whether the unit can bombard in a siege."""
    max_count: Annotated[int, msgspec.Meta(ge=0, le=99)] = msgspec.field(name="most", default=0)
    """The number of units of this class that exist; 0 for no limit."""
    crusade: bool = False
    """Whether the unit is available only during a crusade."""


class Legate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A papal legate: a marker, or a unit if `unit` names its class."""

    id: _Id
    """The id for scenarios, with lower-case letters, digits and `_`."""
    name: _Name
    """The name of the legate."""
    unit: str = ""
    """The unit class of the legate; left out if the legate is a marker."""


switches = partial(rulings, "blind_faith")
"""Returns the rulings that a scenario of this game can select."""


FIELD_HITS: tuple[Hit, ...] = ("rout", "eliminate")
SIEGE_HITS: tuple[Hit, ...] = ("breach",)
BLANK = tr("not filled in yet")
NUMBERS = ("movement", "drm", "points", "most")
"""The numbers of a unit that a form may leave blank."""
_TABLES = ("fire", "bombard", "charge", "response")

_Die = Annotated[str, full_match("-?([0-9]|1[0-9]|20)", "a die, a whole number from -20 to 20,")]
_Shot = Annotated[str, parsable_text(partial(read_faces, accepted=FIELD_HITS))]
_Breach = Annotated[str, parsable_text(partial(read_faces, accepted=SIEGE_HITS))]
_ChargeCell = Annotated[str, parsable_text(read_charge_result)]
_Loss = Annotated[str, parsable_text(read_losses)]
_Rows = unique_in_rows("id")

Cells = Mapping[str, Mapping[str, str]]


class ColumnRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of the response table."""

    start: int = msgspec.field(name="from")
    """The smallest number of units in the defender's front to which the column applies."""
    results: Annotated[tuple[_Loss, ...], msgspec.Meta(min_length=DIE)]
    """The result for each roll, starting with a roll of 1, such as `\"none\"` or `\"1 rout, 1 eliminate\"`."""


class ResponseRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The response table."""

    step: Annotated[int, msgspec.Meta(ge=1)]
    """For each further group of this number of units in the last column, 1 is added to the roll."""
    column: tuple[ColumnRow, ...]
    """The columns, beginning with the smallest number of units."""


class PackFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pack of unit classes and combat tables; table cells are written as text."""

    name: Annotated[Words, name_text()]
    """The name of the pack."""
    boxes: Annotated[int, msgspec.Meta(ge=1, le=9)]
    """The number of the attacker's front boxes."""
    type: Annotated[tuple[Named, ...], _Rows]
    """The types of units, which are the rows and columns of the fire table."""
    wall: Annotated[tuple[Named, ...], _Rows]
    """The kinds of walls, which are the targets of a bombardment."""
    unit: Annotated[tuple[Unit, ...], _Rows]
    """The classes of units."""
    fire: dict[str, dict[str, _Shot]]
    """The result for each type that fires and each target type, such as `"rout 5, eliminate 6"`."""
    bombard: dict[str, dict[str, _Breach]]
    """The result for each type that bombards and each wall, such as `"breach 5-6"`."""
    charge: dict[_Die, _ChargeCell]
    """The result for each modified roll, such as `"defender rout"`."""
    response: ResponseRows
    """The response table, with the attacker's losses in a charge."""
    legate: Annotated[tuple[Legate, ...], _Rows] = ()
    """Papal legates."""
    note: Annotated[Words, name_text(400, optional=True)] = Words("", "")
    """A note that is printed with the tables."""
    source: Literal["house", "owner"] = "owner"
    """Who made the pack; `"house"` applies only while all values equal the shipped pack's."""


def read(source: Source) -> PackFile:
    """Return the contents of a pack file.

    Raises DataError with every fault and every blank, in the order of lines.
    """
    # Replace each blank with a valid value, so that one reading finds blanks and all other faults.
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
    """Yield every blank that is permitted, with its keys, its container, and its key or index in the container."""
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
            reading.fault(("unit", i, "intercepts"), tr("infantry cannot intercept"))
        if unit.each_box and "defence" not in unit.fires:
            reading.fault(("unit", i, "each_box"), tr("only a unit that fires in defence can fire at each box"))
    for side in SIDES:
        if not any(side in unit.sides for unit in file.unit):
            reading.fault(("unit", 0), tr("the side {side} has no unit", side=tr_external(side)))
    walls = [wall.id for wall in file.wall]
    for wall in dict.fromkeys(kind.wall for kind in place_kinds().values()):
        if wall not in walls:
            reading.fault(
                ("wall", 0), tr("the wall {wall} is missing, although places on maps have this wall", wall=wall)
            )
    for i, legate in enumerate(file.legate):
        if legate.unit:
            reading.one_of(("legate", i, "unit"), legate.unit, [unit.id for unit in file.unit])


def _shots(reading: FileReader, file: PackFile) -> None:
    """Check that there is a row for every type that fires and a column for every target, and no others."""
    fire = list(dict.fromkeys(unit.type for unit in file.unit if unit.fires))
    bombard = list(dict.fromkeys(unit.type for unit in file.unit if unit.bombards))
    targets = [kind.id for kind in file.type]
    _grid(reading, "fire", file.fire, fire, targets)
    _grid(reading, "bombard", file.bombard, bombard, [wall.id for wall in file.wall])


def _grid(reading: FileReader, table: str, cells: Cells, rows: list[str], columns: list[str]) -> None:
    for row in rows:
        if row not in cells:
            reading.fault(
                (table, *list(cells)[:1]), tr("the line for {row} is missing; units of this type fire there", row=row)
            )
    for row, line in cells.items():
        if row not in rows:
            reading.fault((table, row), tr("no unit of that type fires there"), near(row[:40], rows))
        for column in columns:
            if column not in line:
                reading.fault((table, row), tr("the result for {column} is missing", column=column))
        for column in line:
            if column not in columns:
                reading.fault(
                    (table, row, column), tr("units cannot fire at this target"), near(column[:40], columns)
                )


def _charge(reading: FileReader, cells: Mapping[str, str]) -> None:
    dice = list(map(int, cells))
    if not cells:
        reading.fault(("charge",), tr("the table has no results"))
    elif gaps := sorted(set(range(min(dice, default=0), max(dice, default=0))) - set(dice)):
        reading.fault(("charge",), tr("the result for a roll of {die} is missing", die=gaps[0]))


def _response(reading: FileReader, table: ResponseRows) -> None:
    at = ("response", "column")
    starts = [column.start for column in table.column]
    if starts[:1] != [1]:
        reading.fault(("response",), tr("the first column must begin with 1 unit"))
    for i, column in enumerate(table.column):
        if i and column.start <= starts[i - 1]:
            reading.fault(
                (*at, i, "from"),
                tr(
                    "the columns are not in order: {start} is after {before}",
                    start=column.start,
                    before=starts[i - 1],
                ),
            )


class Pack(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A complete and consistent set of unit classes and combat tables."""

    name: Words
    note: Words
    source: Literal["house", "owner"]
    boxes: int
    """The number of the attacker's front boxes in a field battle."""
    types: tuple[Named, ...]
    walls: tuple[Named, ...]
    units: Mapping[str, Unit]
    """The unit classes keyed by id, in the pack's order."""
    legates: tuple[Legate, ...]
    fire: Shots
    """The fire table, keyed by the firing type and the target type."""
    bombard: Shots
    """The bombardment table, keyed by the bombarding type and the kind of wall."""
    charge: ChargeTable
    response: ResponseTable

    @cached_property
    def legate_names(self) -> dict[str, Words]:
        """The names of the legates, keyed by id."""
        return {legate.id: legate.name for legate in self.legates}

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.units)}

    def line(self, units: Iterable[str]) -> UnitLine:
        """Return these units in the pack's order.

        Raises:
            KeyError: If a class is not in the pack.
        """
        return tuple(sorted(units, key=self._rank.__getitem__))

    def of_side(self, side: Side) -> tuple[Unit, ...]:
        """Return the unit classes of a side."""
        return tuple(unit for unit in self.units.values() if side in unit.sides)

    def points(self, units: Iterable[str]) -> int:
        """Return the total points of these units."""
        return sum(self.units[unit].points for unit in units)


def _read(source: Source) -> Pack:
    file = read(source)
    hits: list[Shots] = []
    for table, accepted in ((file.fire, FIELD_HITS), (file.bombard, SIEGE_HITS)):
        hits.append({(a, b): read_faces(cell, accepted) for a, row in table.items() for b, cell in row.items()})
    charge = {int(die): read_charge_result(cell) for die, cell in file.charge.items()}
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
    """Return the path of the shipped pack."""
    return shipped_path("data") / "blind_faith" / "pack.toml"


def blank_form() -> Path:
    """Return the path of the form for a pack, which has no numbers and is meant to be copied."""
    return shipped_path("data") / "blind_faith" / "blank.toml"
