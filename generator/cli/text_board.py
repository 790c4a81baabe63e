"""Draw a map with its units in characters, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from generator.grid.hexes import Cell
from generator.localization import display_width
from generator.model.views import MapView
from generator.model.words import Lang

HEX_CHARS = 6
"""The width of a hex in columns of the terminal. An id with figures, such as `P12:4`, fits with a space."""
NARROW_HEX_CHARS = 5
"""The width of a hex of a grid whose columns are straight, so that 15 columns fit next to each other."""
SQUARE_CHARS = 4
"""The width of a square in columns of the terminal, so that 20 squares fit next to each other."""
FILLER = ""
"""The content of the column that a wide character covers besides its own."""
CLOSED = "closed"
"""The look of cells that no unit can enter."""


def text_board(
    view: MapView, units: Mapping[str, Sequence[str]], lang: Lang, columns: int = 80, turned: bool = False
) -> list[str]:
    """Return the lines of a board, with a legend of its terrain.

    `units` has the texts of the units on each cell, by the name of the cell. Hexes show their names; squares have
    rulers. A board wider than `columns` is divided into parts. `turned` shows it from the far side.
    """
    hexes = _is_staggered(view)
    marks = terrain_marks(view, lang)
    canvas = _Canvas()
    for cell in view.grid.cells:
        row, column = _place(view, cell, hexes, turned)
        name = view.grid.name(cell)
        here = list(units.get(name, ()))
        mark = marks.get(view.features.get(cell, "")) or marks.get(view.ground[cell], "")
        closed = view.ground[cell] == CLOSED
        if hexes:
            canvas.write(row, column, " ".join(here))
            canvas.write(row + 1, column, "####" if closed else f"{name} {mark}".rstrip())
        else:
            canvas.write(row, column, here[0] if here else mark or ".")
            canvas.write(row + 1, column, here[1] if len(here) > 1 else mark if here else "")
    if not hexes:
        _add_rulers(canvas, view, turned)
    parts = canvas.parts(columns, HEX_CHARS if hexes else SQUARE_CHARS, 0 if hexes else SQUARE_CHARS)
    lines = [line for part in parts for line in [*part, ""]][:-1]
    return [*lines, *_legend(view, marks, lang)]


def terrain_marks(view: MapView, lang: Lang) -> dict[str, str]:
    """Return a mark of one or two columns for each look of terrain and features except the most common one.

    In English a mark is the first two letters of the terrain's name, or other letters if these are taken; in
    Japanese it is the first character that is not taken.
    """
    ordinary = Counter(view.ground.values()).most_common(1)[0][0]
    names = {line.sample: line.text[lang] for line in view.legend if isinstance(line.sample, str)}
    marks: dict[str, str] = {}
    for look in dict.fromkeys((*view.ground.values(), *view.features.values())):
        if look not in (ordinary, CLOSED) and look in names:
            taken = set(marks.values())
            marks[look] = next(mark for mark in _abbreviations(names[look], lang) if mark not in taken)
    return marks


def _abbreviations(name: str, lang: Lang) -> Iterable[str]:
    """Yield possible marks for a name."""
    if lang == "ja":
        yield from (letter for letter in name if display_width(letter) == 2)
    letters = [letter for letter in name.lower() if letter.isalnum()]
    yield from (letters[0] + other for other in letters[1:])
    yield from (f"{letters[0]}{number}" for number in range(1, 10))


def _legend(view: MapView, marks: Mapping[str, str], lang: Lang) -> list[str]:
    """Return the marks with their names, in one line. A mark that is a whole name needs no entry."""
    names = {line.sample: line.text[lang] for line in view.legend if isinstance(line.sample, str)}
    rows = [f"{mark} = {names[look]}" for look, mark in marks.items() if mark != names[look]]
    if CLOSED in view.ground.values():
        rows.append(f"#### = {names.get(CLOSED, CLOSED)}")
    return ["  ".join(rows)] if rows else []


def _is_staggered(view: MapView) -> bool:
    """Return whether the cells are hexes, whose rows or columns are shifted by half a cell."""
    return len(view.grid.corners(view.grid.cells[0])) > 4


def _place(view: MapView, cell: Cell, hexes: bool, turned: bool) -> tuple[int, int]:
    """Return the line and the column at which a cell is drawn, before all are moved to the upper left corner."""
    x, y = view.grid.centre(cell)
    if turned:
        x, y = -x, -y
    if not hexes:
        return -y, x * SQUARE_CHARS // 2
    # Hexes with a corner at the top have centres at (2q + r, 3r); the others have exchanged axes.
    if any(corner[0] == view.grid.centre(cell)[0] for corner in view.grid.corners(cell)):
        return -y * 2 // 3, x * HEX_CHARS // 2
    return -y, x * NARROW_HEX_CHARS // 3


def _add_rulers(canvas: _Canvas, view: MapView, turned: bool) -> None:
    """Add the letters of the columns and the numbers of the rows to a board of squares."""
    top, left = min(row for row, _ in canvas.texts), min(column for _, column in canvas.texts)
    for cell in view.grid.cells:
        name = view.grid.name(cell)
        row, column = _place(view, cell, hexes=False, turned=turned)
        canvas.write(top - 1, column, name.rstrip("0123456789"))
        canvas.write(row, left - SQUARE_CHARS, name.lstrip("abcdefghijklmnopqrstuvwxyz"))


class _Canvas:
    """Texts at lines and columns, which may be negative."""

    def __init__(self) -> None:
        self.texts: dict[tuple[int, int], str] = {}

    def write(self, row: int, column: int, text: str) -> None:
        """Place a text. An earlier text at the same place is replaced."""
        self.texts[row, column] = text

    def parts(self, columns: int, step: int, ruler: int) -> list[list[str]]:
        """Return the lines, divided into equally wide parts of at most `columns`.

        Each part begins with the first `ruler` columns. A part ends at a multiple of `step` columns.
        """
        top, left = min(row for row, _ in self.texts), min(column for _, column in self.texts)
        right = max(column + display_width(text) for (_, column), text in self.texts.items())
        grid: dict[int, list[str]] = {}
        for (row, column), text in sorted(self.texts.items()):
            line = grid.setdefault(row - top, [" "] * (right - left + 2))
            at = column - left
            for letter in text:
                wide = display_width(letter) == 2
                line[at : at + 1 + wide] = [letter, FILLER] if wide else [letter]
                at += 1 + wide
        width = right - left - ruler
        count = -(-width // max(step, columns - ruler))
        span = -(-width // (count * step)) * step
        parts = [
            ["".join([*grid[row][:ruler], *_cut(grid[row], start, start + span)]).rstrip() for row in sorted(grid)]
            for start in range(ruler, ruler + width, span)
        ]
        return [part if part[-1] else part[:-1] for part in parts]


def _cut(line: Sequence[str], start: int, end: int) -> list[str]:
    """Return the columns of a line in a range, without halves of wide characters."""
    part = list(line[start:end])
    if part and part[0] == FILLER:
        part[0] = " "
    if end < len(line) and line[end] == FILLER and part:
        part[-1] = " "
    return part
