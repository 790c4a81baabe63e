"""The cells of a deployment card as text: four rows as its owner sees them, the far row first."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from generator.games.battlelore.forces.units import Kind
from generator.games.battlelore.ground.board import CARD_ROWS
from generator.games.battlelore.lore import Banner, Race, Weapon, lore
from generator.games.call_to_arms.forces.cards import CardUnit

EMPTY = "---"
CELL = f"{EMPTY}, or the letters of a banner, a weapon and perhaps a race, such as BC, GSG"


@dataclass(frozen=True)
class CellFault:
    """What is wrong in a text of cells; `line` counts its lines from 0."""

    line: int
    message: str
    hint: str


def read_cells(text: str) -> tuple[tuple[CardUnit, ...], list[CellFault]]:
    """The units of a card in card order, and every fault of the text."""
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]
    if len(lines) != len(CARD_ROWS):
        message = f"{len(lines)} rows of cells, a card has {len(CARD_ROWS)}"
        return (), [CellFault(lines[0][0] if lines else 0, message, "the far row first, the baseline last")]
    units: list[CardUnit] = []
    faults: list[CellFault] = []
    for row, (number, cells) in zip(reversed(range(len(CARD_ROWS))), lines, strict=True):
        if len(cells) != CARD_ROWS[row]:
            shape = ", ".join(str(n) for n in reversed(CARD_ROWS))
            message = f"{len(cells)} cells in a row of {CARD_ROWS[row]}"
            faults.append(CellFault(number, message, f"from the far row: {shape} cells; {EMPTY} for an empty one"))
            continue
        for column, cell in enumerate(cells):
            kind, wrong = _kind(cell)
            units += [CardUnit(column, row, kind)] if kind else []
            faults += [CellFault(number, message, hint) for message, hint in wrong]
    return tuple(units), faults


def _kind(cell: str) -> tuple[Kind | None, list[tuple[str, str]]]:
    """What stands in a cell, and (message, hint) for whatever is wrong in it; an empty cell is neither."""
    if set(cell) == {"-"}:
        return None, []
    tables = lore()
    letters = unicodedata.normalize("NFKC", cell).upper()
    if len(letters) not in (2, 3):
        return None, [(f"{cell[:12]!r} is no cell", CELL)]
    letters = letters if len(letters) == 3 else letters + tables.races["human"].letter
    wrong: list[tuple[str, str]] = []

    def named(letter: str, what: str, kinds: Iterable[Banner | Weapon | Race]) -> str:
        by_letter = {kind.letter: kind for kind in kinds}
        if letter in by_letter:
            return by_letter[letter].id
        accepted = ", ".join(f"{kind.letter} {kind.name.en.lower()}" for kind in by_letter.values())
        wrong.append((f"{cell!r}: {letter!r} is no {what}", f"accepted: {accepted}"))
        return ""

    kind = Kind(
        named(letters[0], "banner", tables.banners.values()),
        named(letters[1], "weapon", tables.weapons.values()),
        named(letters[2], "race", tables.races.values()),
    )
    return None if wrong else kind, wrong


def cell_name(cell: tuple[int, int]) -> str:
    """A card's cell by name: `b2` is the second from the owner's left in the second row from his baseline."""
    column, row = cell
    return f"{chr(ord('a') + column)}{row + 1}" if column >= 0 else "-"


def read_cell_name(name: str) -> tuple[int, int] | None:
    """The cell of that name as column and row; None where cards have no such cell."""
    cells = {cell_name((c, r)): (c, r) for r, length in enumerate(CARD_ROWS) for c in range(length)}
    return cells.get(name.lower())
