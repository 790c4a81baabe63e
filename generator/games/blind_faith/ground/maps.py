"""Drawn maps: an operational map as text that a person can read in a diff, one symbol a hex.

See docs/formats/operational_map.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from generator.errors import DataError, Problem, near
from generator.games.blind_faith.ground.opmap import OpMap, Place
from generator.games.blind_faith.ground.terrain import by_symbol, place_kinds
from generator.games.filing import Drawn, Named, house_files, near_cell, read_drawn
from generator.games.whose import owned
from generator.grid.field import HexField
from generator.grid.field import field as field_of
from generator.grid.hexes import Hex
from generator.model.words import LANGS, Words, same
from generator.notation import emit
from generator.notation.text import name_fault
from generator.notation.toml import KeyPath, Source

COLUMNS, ROWS = range(4, 27), range(4, 31)
"""How wide and high a map may be: columns are named by one letter."""


class PlaceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place as it is typed."""

    kind: str
    name: Words | str


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map as it is typed: rows of symbols from the far row to the near one, and the places by their hexes."""

    rows: str
    places: dict[str, PlaceRow] = {}


class _MapFile(Drawn, frozen=True, forbid_unknown_fields=True, kw_only=True):
    rows: str
    places: dict[str, PlaceRow]


@dataclass(frozen=True)
class DrawnMap(Named):
    """A map with its name and what its ground asks of the players."""

    map: OpMap


def load_map(path: Path) -> DrawnMap:
    """Read a map file; DataError names every fault with its line."""
    return read_file(Source.open(path))


def read_file(source: Source) -> DrawnMap:
    """The map of a TOML text, with its name; DataError names every fault."""
    return owned(_read(source), source, house_maps().values(), "own")


def _read(source: Source) -> DrawnMap:
    of = read_drawn(source, _MapFile)
    return DrawnMap(of.name, of.note, of.source, read_map(Drawing(of.rows, of.places), source))


@cache
def house_maps() -> Mapping[str, DrawnMap]:
    """The shipped maps by the names of their files."""
    return house_files("blind_faith", "maps", _read)


def file_text(of: DrawnMap) -> str:
    """The map file that reads back as this map."""
    return "\n".join([*emit.lines(of.head), *map_lines(of.map)]) + "\n"


def map_lines(of: OpMap, table: str = "") -> list[str]:
    """The entries of a map in a TOML table of that name, which `read_map` reads back."""
    lines = emit.lines({"rows": picture(of)})
    if of.places or not table:
        lines += ["", f"[{table}.places]" if table else "[places]"]
        placed = [(cell, of.places[cell]) for cell in of.field.cells if cell in of.places]
        lines += emit.lines({of.name(c): {"kind": p.kind, "name": asdict(p.name)} for c, p in placed})
    return lines


def picture(of: OpMap) -> str:
    """The ground as text, the far row first."""
    rows = []
    for row in reversed(range(of.rows)):
        rows.append(" " * (row % 2) + " ".join(of.terrain(cell).symbol for cell in of.field.row(row)))
    return "\n".join(rows)


_Fault = Callable[[KeyPath, str, str], None]


def read_map(of: Drawing, source: Source, at: KeyPath = ()) -> OpMap:
    """The map of a drawing that stands at a key of a TOML text; DataError names every fault."""
    lines = [(n, line.split()) for n, line in enumerate(of.rows.splitlines()) if line.strip()]
    problems: list[Problem] = []

    def fault(keys: KeyPath, message: str, hint: str = "") -> None:
        problems.append(source.problem((*at, *keys), message, hint))

    columns = len(lines[0][1]) if lines else 0
    for count, span, what in ((len(lines), ROWS, "rows"), (columns, COLUMNS, "columns")):
        if count not in span:
            fault(("rows",), f"the map has {count} {what}", f"{span[0]} to {span[-1]} are possible")
    if problems:
        raise DataError(*problems)
    field = field_of((columns,) * len(lines))
    accepted = "accepted: " + ", ".join(f"{t.symbol} {t.name.en.lower()}" for t in by_symbol().values())
    ground: dict[Hex, str] = {}
    for row, (number, symbols) in zip(reversed(range(len(lines))), lines, strict=True):
        line = source.text_line((*at, "rows")) + number
        if len(symbols) != columns:
            message = f"row {row + 1} has {len(symbols)} hexes, the first drawn row {columns}"
            problems.append(Problem(message, source.name, line))
        for cell, symbol in zip(field.row(row), symbols, strict=False):
            if terrain := by_symbol().get(symbol):
                ground[cell] = terrain.id
            else:
                message = f"{field.name(cell)}: no terrain has the symbol {symbol[:8]!r}"
                problems.append(Problem(message, source.name, line, accepted))
    places = _places(of.places, field, fault)
    if problems:
        raise DataError(*problems)
    return OpMap(columns, len(lines), {cell: ground[cell] for cell in field.cells}, places)


def _places(table: Mapping[str, PlaceRow], field: HexField, fault: _Fault) -> dict[Hex, Place]:
    found: dict[Hex, Place] = {}
    for key, row in table.items():
        at = ("places", key)
        cell = field.find(key)
        if cell is None:
            last = field.name(field.cells[-1])
            fault(at, f"no hex {key!r}", near_cell(key, field.find, f"A1 to {last}"))
        if row.kind not in place_kinds():
            fault((*at, "kind"), f"no kind of place {row.kind!r}", near(row.kind, place_kinds()))
        name = same(row.name) if isinstance(row.name, str) else row.name
        for wrong in dict.fromkeys(name_fault(name[lang]) for lang in LANGS):
            if wrong:
                fault((*at, "name"), wrong, "")
        if cell is not None:
            found[cell] = Place(row.kind, name)
    return {cell: found[cell] for cell in field.cells if cell in found}
