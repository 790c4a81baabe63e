"""The board of nine by nine squares, and functions that read and write positions as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from generator.games.tablut.tables import numbers

from generator.grid.squares import Square, squares

Side = Literal["attackers", "defenders"]
SIDES: tuple[Side, ...] = ("attackers", "defenders")
OTHER: Mapping[Side, Side] = {"attackers": "defenders", "defenders": "attackers"}
Man = Literal["A", "D", "K"]
SIDE: Mapping[Man, Side] = {"A": "attackers", "D": "defenders", "K": "defenders"}

BOARD = squares(9, 9)
CASTLE = Square(4, 4)
"""The konakis in the middle, which only the king may enter."""
EDGE = frozenset(cell for cell in BOARD.cells if 0 in (cell.c, cell.r) or 8 in (cell.c, cell.r))
EMPTY = "."

Men = Mapping[Square, Man]


def picture(men: Men) -> str:
    """Return the men as text, starting with the far row."""
    rows = (BOARD.row(row) for row in reversed(range(BOARD.rows)))
    return "\n".join(" ".join(men.get(cell, EMPTY) for cell in row) for row in rows)


def parsed(text: str) -> dict[Square, Man]:
    """Return the men in a text written by `picture`.

    Raises:
        ValueError: If the text is not valid.
    """
    rows = [line.split() for line in text.split("\n") if line.strip()]
    if len(rows) != BOARD.rows or any(len(row) != BOARD.columns for row in rows):
        raise ValueError(f"is not {BOARD.rows} rows of {BOARD.columns} letters, apart by spaces")
    men: dict[Square, Man] = {}
    for r, row in enumerate(reversed(rows)):
        for cell, letter in zip(BOARD.row(r), row, strict=True):
            match letter:
                case "A" | "D" | "K":
                    men[cell] = letter
                case ".":
                    continue
                case _:
                    known = " ".join((*SIDE, EMPTY))
                    raise ValueError(f"has {letter[:10]!r} on {BOARD.name(cell)}; accepted: {known}")
    return men


def start() -> dict[Square, Man]:
    """Return the men at the start of a game."""
    return parsed(numbers().rows)
