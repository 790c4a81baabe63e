"""Lists that an organiser typed: read, and every name in them held against what can be printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.errors import DataError, Problem
from generator.model.words import LANGS
from generator.tournament.csvfile import Row, Table, read, read_names

_NAMES = ("player_a", "player_b", "team", "name")


def listed(path: Path, needed: Sequence[str], encoding: str | None) -> Table:
    """A CSV file; DataError with each line that cannot be read, or names somebody whom no font here prints."""
    return _printable(read(path, needed, encoding))


def players(path: Path, encoding: str | None) -> Table:
    """A list of names; DataError as `listed` has it."""
    return _printable(read_names(path, encoding))


def _printable(table: Table) -> Table:
    if problems := [fault for row in table.rows for column in _NAMES if (fault := _unprinted(row, column))]:
        raise DataError(*problems)
    return table


def _unprinted(row: Row, column: str) -> Problem | None:
    """What cannot be printed of a name."""
    name = row.name(column)
    if isinstance(name, Problem) or name.isascii():
        return None
    from generator.press.type import fonts

    lacking = ""
    for lang in LANGS:  # from the smaller fonts to the larger
        fonts.register(lang)
        if not (lacking := "".join(fonts.missing(name))):
            return None
    shown = ", ".join(f"{character!r} (U+{ord(character):04X})" for character in lacking[:3])
    return row.problem(f"{column} {name[:40]!r}: no font here prints {shown}", "write it in other letters")
