"""Drawn maps: a board as text that a person can read in a diff, one symbol a hex.

See docs/formats/map.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from generator.common.scenario_file import MapHead, NamedGround, house_files, near_cell, read_drawn
from generator.common.whose import owned
from generator.errors import DataError, Problem, near
from generator.games.battlelore.ground import Board, profiles
from generator.games.battlelore.tables import lore
from generator.grid.field import HexField
from generator.grid.hexes import DIRECTIONS, Hex
from generator.notation.toml import Source
from generator.notation.validation import KeyPath


class MapForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it is typed: rows of symbols from the far row to the near one, features, cliff sides."""

    profile: str
    """The board: how many rows, and how long; `battlelore` or `memoir`."""
    rows: str
    """One symbol for each hex, apart by spaces, the far row first."""
    features: dict[str, str] = {}
    """What lies on a hex, by the hex: `stakes`, `rampart`."""
    cliffs: dict[str, tuple[str, ...]] = {}
    """The sheer sides of each cliff hex."""


class MapFile(MapHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A drawn map as its file has it."""

    profile: str
    """The board: how many rows, and how long; `battlelore` or `memoir`."""
    rows: str
    """One symbol for each hex, apart by spaces, the far row first."""
    features: dict[str, str] = msgspec.field(default_factory=dict)
    """What lies on a hex, by the hex: `stakes`, `rampart`."""
    cliffs: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The sheer sides of each cliff hex."""


@dataclass(frozen=True)
class DrawnMap(NamedGround):
    """A map with its name and what its ground asks of the players."""

    board: Board


def load_map(path: Path) -> DrawnMap:
    """Read a map file; DataError names every fault with its line."""
    return read_map(Source.open(path))


def read_map(source: Source) -> DrawnMap:
    """The map of a TOML text."""
    return owned(_read(source), source, house_maps().values(), "own")


def _read(source: Source) -> DrawnMap:
    of = read_drawn(source, MapFile)
    board = read_board(MapForm(of.profile, of.rows, of.features, of.cliffs), source)
    return DrawnMap(of.name, of.note, of.source, board)


@cache
def house_maps() -> Mapping[str, DrawnMap]:
    """The shipped maps by the names of their files."""
    return house_files("battlelore", "maps", _read)


def read_board(of: MapForm, source: Source, at: KeyPath = ()) -> Board:
    """The board of a drawing that stands at a key of a TOML text; DataError names every fault."""
    if of.profile not in profiles():
        hint = near(of.profile, profiles())
        raise DataError(source.problem((*at, "profile"), f"no board profile {of.profile!r}", hint))
    field = profiles()[of.profile].field
    problems: list[Problem] = []

    def fault(keys: KeyPath, message: str, hint: str = "") -> None:
        problems.append(source.problem((*at, *keys), message, hint))

    def fault_in_row(number: int, message: str, hint: str = "") -> None:
        line = source.text_line((*at, "rows")) + number
        problems.append(Problem(message, source.name, line, hint))

    board = Board(
        of.profile,
        _ground(of.rows, field, fault_in_row),
        _features(of.features, field, fault),
        _walls(of.cliffs, field, fault),
    )
    if problems:
        raise DataError(*problems)
    return board


def drawing(board: Board) -> dict[str, object]:
    """The board as the entries of a TOML table, which `read_board` reads back."""
    field = board.field
    table: dict[str, object] = {"profile": board.profile, "rows": picture(board)}
    if board.features:
        table["features"] = {field.name(c): board.features[c] for c in field.cells if c in board.features}
    if board.walls:
        table["cliffs"] = {
            field.name(c): [DIRECTIONS[d] for d in board.walls[c]] for c in field.cells if c in board.walls
        }
    return table


def picture(board: Board) -> str:
    """The ground as text, the far row first."""
    rows = []
    for row in reversed(range(len(board.field.rows))):
        symbols = (board.terrain(cell).symbol for cell in board.field.row(row))
        rows.append(" " * (row % 2) + " ".join(symbols))
    return "\n".join(rows)


_Fault = Callable[[KeyPath, str, str], None]
_RowFault = Callable[[int, str, str], None]


def _ground(text: str, field: HexField, fault: _RowFault) -> dict[Hex, str]:
    rows = [(n, line.split()) for n, line in enumerate(text.splitlines()) if line.strip()]
    if len(rows) != len(field.rows):
        fault(-1, f"the map has {len(rows)} rows, the board {len(field.rows)}", "")
        return {}
    accepted = "accepted: " + ", ".join(f"{t.symbol} {t.name.en.lower()}" for t in lore().terrain.values())
    ground: dict[Hex, str] = {}
    for row, (number, symbols) in zip(reversed(range(len(field.rows))), rows, strict=True):
        if len(symbols) != field.rows[row]:
            fault(number, f"row {row + 1} has {len(symbols)} hexes, the board {field.rows[row]}", "")
        for cell, symbol in zip(field.row(row), symbols, strict=False):
            terrain = lore().by_symbol.get(symbol)
            if terrain:
                ground[cell] = terrain.id
            else:
                fault(number, f"{field.name(cell)}: no terrain has the symbol {symbol[:8]!r}", accepted)
    return ground


def _features(table: Mapping[str, str], field: HexField, fault: _Fault) -> dict[Hex, str]:
    found: dict[Hex, str] = {}
    for name, feature in table.items():
        cell = _cell(("features", name), field, fault)
        if feature not in lore().features:
            fault(("features", name), f"no feature {feature!r}", near(feature, lore().features))
        if cell:
            found[cell] = feature
    return found


def _walls(table: Mapping[str, tuple[str, ...]], field: HexField, fault: _Fault) -> dict[Hex, tuple[int, ...]]:
    found: dict[Hex, tuple[int, ...]] = {}
    for name, sides in table.items():
        cell = _cell(("cliffs", name), field, fault)
        for side in dict.fromkeys(sides):
            if side not in DIRECTIONS:
                fault(("cliffs", name), f"no direction {side!r}", near(side, DIRECTIONS))
            elif sides.count(side) > 1:
                fault(("cliffs", name), f"direction {side} stands there twice", "")
        if cell:
            found[cell] = tuple(DIRECTIONS.index(side) for side in sides if side in DIRECTIONS)
    return found


def _cell(keys: tuple[str, str], field: HexField, fault: _Fault) -> Hex | None:
    name = keys[1]
    cell = field.find(name)
    if cell is None:
        last = field.name(field.cells[-1])
        fault(keys, f"no hex {name!r}", near_cell(name, field.find, f"A1 to {last}"))
    return cell
