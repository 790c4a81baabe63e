"""Drawn boards: a board as text that a person can read in a diff, one symbol a square.

See docs/formats/travel_board.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from generator.errors import DataError, Problem, near
from generator.games.filing import Drawn, Named, house_files, read_drawn
from generator.games.travel_battle.ground.board import HALF, SIZE, TYPES, Board, BoardType, Land
from generator.games.travel_battle.ground.terrain import by_symbol
from generator.games.whose import owned
from generator.grid.squares import Square, squares
from generator.notation import emit
from generator.notation.toml import KeyPath, Source


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it is typed: its type, and rows of symbols from the far row to the near one."""

    type: str
    rows: str


class _BoardFile(Drawn, frozen=True, forbid_unknown_fields=True, kw_only=True):
    type: str
    rows: str


@dataclass(frozen=True)
class DrawnBoard(Named):
    """A board with its name and what its ground asks of the players."""

    board: Board


def load_board(path: Path) -> DrawnBoard:
    """Read a board file; DataError names every fault with its line."""
    return read_file(Source.open(path))


def read_file(source: Source) -> DrawnBoard:
    """The board of a TOML text, with its name; DataError names every fault."""
    return owned(_read(source), source, house_boards().values(), "own")


def _read(source: Source) -> DrawnBoard:
    of = read_drawn(source, _BoardFile)
    return DrawnBoard(of.name, of.note, of.source, read_board(Drawing(of.type, of.rows), source))


def file_text(of: DrawnBoard) -> str:
    """The board file that reads back as this board."""
    return "\n".join(emit.lines(of.head | drawing(of.board))) + "\n"


@cache
def house_boards() -> Mapping[str, DrawnBoard]:
    """The shipped boards by the names of their files."""
    return house_files("travel_battle", "boards", _read)


def house_board(board: Board) -> DrawnBoard | None:
    """The house board that it is, whatever it is called; None where it is none."""
    return next((house for house in house_boards().values() if house.board == board), None)


def read_board(of: Drawing, source: Source, at: KeyPath = (), types: Sequence[BoardType] = TYPES) -> Board:
    """The board, of one of these types, of a drawing at a key of a TOML text; DataError names every fault."""
    lines = [(n, line.split()) for n, line in enumerate(of.rows.splitlines()) if line.strip()]
    kind = next((known for known in types if known == of.type), TYPES[0])
    problems: list[Problem] = []
    if of.type not in types:
        hint = "a half of a whole stands in a scenario's file alone" if of.type == HALF else near(of.type[:8], types)
        problems.append(source.problem((*at, "type"), f"no type {of.type[:8]!r}", hint))
    if len(lines) != SIZE:
        problems.append(source.problem((*at, "rows"), f"the board has {len(lines)} rows, it needs {SIZE}"))
        raise DataError(*problems)
    accepted = "accepted: " + ", ".join(f"{t.symbol} {t.name.en.lower()}" for t in by_symbol().values())
    field = squares(SIZE, SIZE)
    drawn: dict[Square, str] = {}

    def fault(number: int, message: str, hint: str = "") -> None:
        line = source.text_line((*at, "rows")) + number
        problems.append(Problem(message, source.name, line, hint))

    for row, (number, symbols) in zip(reversed(range(SIZE)), lines, strict=True):
        if len(symbols) != SIZE:
            fault(number, f"row {row + 1} has {len(symbols)} squares, it needs {SIZE}")
        for cell, symbol in zip(field.row(row), symbols, strict=False):
            if terrain := by_symbol().get(symbol):
                drawn[cell] = terrain.id
            else:
                fault(number, f"{field.name(cell)}: no terrain has the symbol {symbol[:8]!r}", accepted)
    if problems:
        raise DataError(*problems)
    return Board(kind, Land(field, {cell: drawn[cell] for cell in field.cells}))


def drawing(board: Board) -> dict[str, object]:
    """The board as the entries of a TOML table, which `read_board` reads back."""
    return {"type": board.type, "rows": picture(board.land)}


def picture(land: Land) -> str:
    """The ground as text, the far row first."""
    rows = (land.field.row(row) for row in reversed(range(land.field.rows)))
    return "\n".join(" ".join(land.terrain(cell).symbol for cell in row) for row in rows)
