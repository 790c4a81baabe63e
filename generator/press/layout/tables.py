"""Tables that continue on the following pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, groupby, takewhile
from typing import Any, Literal

import msgspec

from generator.press.layout.flowables import Flowable
from generator.press.layout.styles import BLACK, DARK, HEAVY, LIGHT, RULE, TINT
from generator.press.pdf.canvas import Canvas
from generator.press.pdf.tags import Level, Place

_MAX_CELL_DEPTH = 72_000.0
"""Height in points that exceeds the height of any table cell."""
_MIN_SPANNING_HEIGHT = 12.0
"""Minimum height in points of cells that span several columns, which gives small type some space."""
VerticalAlign = Literal["top", "middle", "bottom"]
Rules = Literal["light", "none", "grid", "lines"]
TableKind = Literal["data", "list", "layout", "columns"]
"""How programs read a table aloud: as a table, as a list with an item for each row, or cell by cell, in rows or in
columns."""


_ELEMENTS: dict[TableKind, str] = {"data": "Table", "list": "L", "layout": "", "columns": ""}
_ROW_ELEMENTS: dict[TableKind, str] = {"data": "TR", "list": "LI", "layout": "", "columns": ""}
"""Types of the elements of a table and of its rows."""


class Cell(msgspec.Struct, frozen=True):
    """The content of a table cell, the number of columns that it spans, its vertical alignment, and its tint."""

    flowables: list[Any]
    span: int
    valign: VerticalAlign
    tint: str = ""


class Row(msgspec.Struct, frozen=True):
    """A table row and its minimum height in points."""

    cells: Sequence[Cell]
    min_height: float
    tinted: bool


class Grid(Flowable):
    """A table with columns of the given widths in points. The first `head` rows are repeated on every page.

    `room` is the vertical and horizontal padding of the cells in points. `cut` is true if the table continues from
    the previous page. `kind` is how the table is read aloud, `row_heads` whether the first cell of each row is its
    heading, and `column_heads` the number of rows that are read as headings. Each row is measured only once.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        widths: Sequence[float],
        head: int,
        room: tuple[float, float],
        rules: Rules,
        heights: Sequence[float] = (),
        cut: bool = False,
        kind: TableKind = "layout",
        row_heads: bool = False,
        column_heads: int = 0,
    ) -> None:
        self.rows, self.widths, self.head, self.rules, self.cut = rows, widths, head, rules, cut
        self.pad, self.side = room
        self.edges = list(accumulate(widths, initial=0.0))
        self.heights = heights
        self.kind, self.row_heads, self.column_heads = kind, row_heads, column_heads

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the sum of the column widths and the sum of the row heights."""
        self.heights = self.heights or [self._row_height(row) for row in self.rows]
        return self.edges[-1], self._row_tops()[0]

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the table between two rows below the head."""
        depths = accumulate(self.heights)
        fit = sum(1 for _ in takewhile(lambda depth: depth <= height, depths))
        if fit <= self.head:
            return []
        if fit == len(self.rows):
            return [self]
        rows, heights = ((*of[: self.head], *of[fit:]) for of in (self.rows, self.heights))
        parts = (self.rows[:fit], self.heights[:fit], self.cut), (rows, heights, True)
        room, kind = (self.pad, self.side), self.kind
        # Rows that are read as headings are in the second part only if they are repeated.
        heads = self.column_heads, min(self.column_heads, self.head)
        made = [
            Grid(r, self.widths, self.head, room, self.rules, h, cut, kind, self.row_heads, n)
            for (r, h, cut), n in zip(parts, heads, strict=True)
        ]
        if element := _ELEMENTS[kind]:
            place = self.place or Place((Level(element),), 1)
            made[0].place, made[1].place = place.before_split, place
        made[0].before, made[1].after = self.before, self.after
        return [*made]

    def draw(self, canvas: Canvas) -> None:
        """Draw background tints, the content of the cells, and the rules, in this order."""
        tops = self._row_tops()
        if any(row.tinted or any(cell.tint for cell in row.cells) for row in self.rows):
            with canvas.artifact():
                for row, top, bottom in zip(self.rows, tops, tops[1:], strict=False):
                    self._draw_tints(canvas, row, top, bottom)
        self.role = _ELEMENTS[self.kind]
        with self.tagged(canvas):
            if self.kind == "columns":
                self._draw_columns(canvas, tops)
            else:
                self._draw_rows(canvas, tops)
        if self.rules != "none":
            with canvas.artifact():
                canvas.round_lines()
                (self._draw_grid if self.rules == "grid" else self._draw_rules)(canvas, tops)

    def _draw_rows(self, canvas: Canvas, tops: list[float]) -> None:
        """Draw the content of the cells row by row."""
        for number, (row, top, bottom) in enumerate(zip(self.rows, tops, tops[1:], strict=False)):
            if self.cut and number < self.head and not canvas.tags.recording:
                # The head is repeated only for readers who see the page.
                with canvas.artifact():
                    self._draw_row(canvas, row, number, top, bottom)
            else:
                self._draw_row(canvas, row, number, top, bottom)

    def _draw_columns(self, canvas: Canvas, tops: list[float]) -> None:
        """Draw the cells in the order of their first columns, and from top to bottom in each column."""
        places = [
            (column, number, cell)
            for number, row in enumerate(self.rows)
            for column, cell in zip(accumulate([c.span for c in row.cells], initial=0), row.cells, strict=False)
        ]
        for column, number, cell in sorted(places, key=lambda place: place[:2]):
            self._draw_cell(canvas, cell, column, tops[number + 1], tops[number] - tops[number + 1])

    def _draw_tints(self, canvas: Canvas, row: Row, top: float, bottom: float) -> None:
        """Draw the background of a row and of its cells."""
        if row.tinted:
            canvas.fill(TINT)
            canvas.rectangle(0, top, self.edges[-1], bottom - top, filled=True)
        column = 0
        for cell in row.cells:
            if cell.tint:
                left, right = self.edges[column], self.edges[column + cell.span]
                canvas.fill(cell.tint)
                canvas.rectangle(left, bottom, right - left, top - bottom, filled=True)
            column += cell.span

    def _draw_row(self, canvas: Canvas, row: Row, number: int, top: float, bottom: float) -> None:
        """Draw the cells of a row inside their elements."""
        tags, column = canvas.tags, 0
        row_element = _ROW_ELEMENTS[self.kind]
        if row_element:
            tags.enter(row_element)
        is_listed = self.kind == "list"
        has_body = is_listed and not all(map(_is_blank, row.cells[1:]))
        for at, cell in enumerate(row.cells):
            if self.kind == "data":
                head = number < self.column_heads
                tags.enter(*_cell_element(head, self.row_heads and not at, cell.span))
                self._draw_cell(canvas, cell, column, bottom, top - bottom)
                tags.leave()
            else:
                # All cells after the label are the body of the list item.
                if (is_listed and not at) or (has_body and at == 1):
                    tags.enter("LBody" if at else "Lbl")
                self._draw_cell(canvas, cell, column, bottom, top - bottom)
                if (is_listed and not at) or (has_body and at == len(row.cells) - 1):
                    tags.leave()
            column += cell.span
        if row_element:
            tags.leave()

    def _row_tops(self) -> list[float]:
        """Return the heights of the rows' top edges above the bottom of the table, ending with 0.

        Compensated summation keeps rounding errors small in long tables.
        """
        found, height, lost = [0.0], 0.0, 0.0
        for high in reversed(self.heights):
            more = high - lost
            total = height + more
            height, lost = total, (total - height) - more
            found.append(height)
        return found[::-1]

    def _row_height(self, row: Row) -> float:
        column, high = 0, row.min_height
        for cell in row.cells:
            min_content = _MIN_SPANNING_HEIGHT if cell.span > 1 else 0.0
            high = max(
                high, max(min_content, self._cell_heights(cell, column, _MAX_CELL_DEPTH)[1]) + (self.pad + self.pad)
            )
            column += cell.span
        return high

    def _cell_heights(self, cell: Cell, column: int, height: float) -> tuple[list[float], float]:
        """Return the heights of the flowables in a cell, and their total including the space between them."""
        edges, end = self.edges, column + cell.span
        room = (self.widths[column] if cell.span == 1 else edges[end] - edges[column]) - self.side - self.side
        highs, whole = list[float](), 0.0
        for each in cell.flowables:
            high = float(each.wrap(room, height - self.pad - self.pad)[1])
            highs.append(high)
            whole += high + each.after + each.before
        return highs, whole - cell.flowables[0].before - cell.flowables[-1].after if highs else 0.0

    def _draw_cell(self, canvas: Canvas, cell: Cell, column: int, bottom: float, height: float) -> None:
        highs, whole = self._cell_heights(cell, column, height)
        if cell.valign == "top":
            y = bottom + height - self.pad
        elif cell.valign == "bottom":
            y = bottom + self.pad + whole
        else:
            y = bottom + (height + self.pad - self.pad + whole) / 2
        y += cell.flowables[0].before if highs else 0.0
        for each, high in zip(cell.flowables, highs, strict=True):
            y = y - each.before - high
            each.draw_on(canvas, self.edges[column] + self.side, y)
            y -= each.after

    def _draw_rules(self, canvas: Canvas, tops: list[float]) -> None:
        """Draw a light line below each row, lines between columns if requested, and a heavy line below the head."""
        canvas.stroke(LIGHT, RULE)
        if self.rules == "lines":
            self._draw_column_rules(canvas, tops, self.head)
        # A continued table repeats the line of the previous page's last row above its own first row.
        for y in (*([tops[self.head]] if self.cut else []), *tops[1:]):
            canvas.line(0, y, self.edges[-1], y)
        if self.head:
            canvas.stroke(BLACK, HEAVY)
            canvas.line(0, tops[self.head], self.edges[-1], tops[self.head])

    def _draw_grid(self, canvas: Canvas, tops: list[float]) -> None:
        """Draw a line around every cell."""
        wide, high = self.edges[-1], tops[0]
        canvas.stroke(DARK, 0.5)
        for y in (high, 0.0):
            canvas.line(0, y, wide, y)
        for x in (0.0, wide):
            canvas.line(x, 0, x, high)
        for y in tops[1:-1]:
            canvas.line(0, y, wide, y)
        self._draw_column_rules(canvas, tops, 0)

    def _draw_column_rules(self, canvas: Canvas, tops: list[float], first: int) -> None:
        """Draw lines between columns, starting at row `first` and leaving out spanning cells."""
        begins = [set(accumulate((cell.span for cell in row.cells), initial=0)) for row in self.rows]
        for column, x in enumerate(self.edges[1:-1], start=1):
            rows = range(len(self.rows) - 1, first - 1, -1)
            for parted, run in groupby(rows, key=lambda row: column in begins[row]):
                between = list(run)
                if parted:
                    canvas.line(x, tops[between[0] + 1], x, tops[between[-1]])


def _is_blank(cell: Cell) -> bool:
    """Return whether a cell has only empty texts."""
    return all(getattr(flowable, "text", None) == "" for flowable in cell.flowables)


@lru_cache(64)  # Two kinds of headings and data cells, each with a few spans.
def _cell_element(is_head: bool, is_row_head: bool, span: int) -> tuple[str, bytes]:
    """Return the type of a cell's element and its attributes."""
    parts = [b"/O /Table"]
    if is_head or is_row_head:
        parts.append(b"/Scope /Column" if is_head else b"/Scope /Row")
    if span > 1:
        parts.append(b"/ColSpan %d" % span)
    return ("TH" if is_head or is_row_head else "TD"), (b" /A << %b >>" % b" ".join(parts) if parts[1:] else b"")
