"""Read tables that were copied from web pages (HTML) or chats (Markdown)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from html.parser import HTMLParser

import msgspec

from generator.errors import DataError, Problem
from generator.localization import tr
from generator.tournament.csv_files import columns, headings, plain
from generator.tournament.odd_lines import is_section_title

MAX_CELLS = 100_000
"""The maximum number of cells that are read from a page."""
_SKIPPED = ("script", "style", "template", "noscript")
_MIN_TABLE_ROWS = 2


class WebTable(msgspec.Struct, frozen=True):
    """The table with the most cells of a page, as rows of text."""

    rows: Sequence[Sequence[str]]
    lines: Sequence[int]
    """The line of each row in the file."""
    others: int
    """The number of the other tables."""
    titles: Sequence[tuple[int, str]] = ()
    """The lines and texts of rows below the first row that have only one cell, which spans several columns."""


class _Cell(msgspec.Struct, frozen=True):
    """A cell with the number of columns and rows that it spans."""

    text: str
    columns: int
    rows: int


class _Row(msgspec.Struct, frozen=True):
    """A row with its line and a text for each column. A title is the only cell of its row and spans columns."""

    line: int
    texts: Sequence[str]
    title: bool


class _Parser(HTMLParser):
    """A parser that collects all tables of a page. A table in a cell is a separate table."""

    def __init__(self, file: str) -> None:
        super().__init__(convert_charrefs=True)
        self.file = file
        self.tables: list[list[tuple[int, list[_Cell]]]] = []
        self._open: list[list[tuple[int, list[_Cell]]]] = []
        self._cells = self._skipped = 0
        self._text: list[str] | None = None
        self._span = 1, 1

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell."""
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag == "table":
            self._close_cell()
            self._open.append([])
        elif tag == "tr" and self._open:
            self._close_cell()
            self._open[-1].append((self.getpos()[0], []))
        elif tag in ("td", "th") and self._open:
            self._close_cell()
            if not self._open[-1]:
                self._open[-1].append((self.getpos()[0], []))
            self._cells += 1
            if self._cells > MAX_CELLS:
                raise DataError(Problem(tr("the page has too many cells"), self.file, self.getpos()[0]))
            given = dict(attributes)
            self._span = _span(given.get("colspan")), _span(given.get("rowspan"))
            self._text = []
        elif tag in ("br", "p", "div") and self._text is not None:
            self._text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Close a cell, a row or a table."""
        if tag in _SKIPPED:
            self._skipped = max(0, self._skipped - 1)
        elif tag in ("td", "th", "tr"):
            self._close_cell()
        elif tag == "table" and self._open:
            self._close_cell()
            self.tables.append(self._open.pop())

    def handle_data(self, data: str) -> None:
        """Add text to the open cell."""
        if self._text is not None and not self._skipped:
            self._text.append(data)

    def finish(self) -> None:
        """Close the tables that are still open at the end of the page."""
        self._close_cell()
        self.tables += self._open

    def _close_cell(self) -> None:
        if self._text is not None and self._open and self._open[-1]:
            text = " ".join("".join(self._text).split())
            self._open[-1][-1][1].append(_Cell(text, *self._span))
        self._text = None


def _span(text: str | None) -> int:
    """Return the number of columns or rows that a cell spans, given its attribute."""
    return min(max(int(text), 1), 100) if text and re.fullmatch("[0-9]{1,4}", text) else 1


def _expand(rows: Sequence[tuple[int, list[_Cell]]]) -> list[_Row]:
    """Return the rows with a text for each column. A cell that spans rows is repeated, unless it is a heading."""
    known = headings(columns())
    found: list[_Row] = []
    spanned: dict[int, tuple[str, int]] = {}
    headed = False
    for line, cells in rows:
        title = headed and len(cells) == 1 and cells[0].columns > 1 and not spanned
        title = title and not is_section_title(cells[0].text)
        headed = headed or len(cells) > 1
        made: list[str] = []
        below: dict[int, tuple[str, int]] = {}
        for cell in (*cells, None):
            while len(made) in spanned:
                text, left = spanned.pop(len(made))
                if left > 1:
                    below[len(made)] = text, left - 1
                made.append(text)
            if cell:
                texts = [cell.text, *[""] * (cell.columns - 1)]
                if cell.rows > 1:
                    again = ["" if plain(text) in known else text for text in texts]
                    below |= {n: (text, cell.rows - 1) for n, text in enumerate(again, len(made))}
                made += texts
        spanned = below
        found.append(_Row(line, made, title))
    return found


def read_html(text: str, file: str) -> WebTable:
    """Return the largest table of a page.

    Raises:
        DataError: If the page has no table with at least two rows.
    """
    parser = _Parser(file)
    parser.feed(text)
    parser.close()
    parser.finish()
    tables = [[row for row in _expand(table) if any(row.texts)] for table in parser.tables]
    filled = [table for table in tables if len(table) >= _MIN_TABLE_ROWS]
    if not filled:
        raise DataError(
            Problem(tr("the page has no table"), file, hint=tr("copy the names into a text file, one per line"))
        )
    best = max(filled, key=lambda table: sum(len(row.texts) for row in table))
    rows = [row for row in best if not row.title]
    titles = [(row.line, row.texts[0]) for row in best if row.title]
    return WebTable([row.texts for row in rows], [row.line for row in rows], len(filled) - 1, titles)


def markdown_only(text: str) -> tuple[str, list[int]]:
    """Return a text in which only the lines of its Markdown table remain, and the numbers of the other filled lines.

    If the text has no Markdown table, it is returned unchanged.
    """
    lines = text.splitlines()
    bars = [line.lstrip().startswith("|") for line in lines]
    if sum(bars) < _MIN_TABLE_ROWS:
        return text, []
    left = [at for at, (line, bar) in enumerate(zip(lines, bars, strict=True), 1) if line.strip() and not bar]
    return "\n".join(line if bar else "" for line, bar in zip(lines, bars, strict=True)) + "\n", left


def as_csv(rows: Sequence[Sequence[str]], lines: Sequence[int] = ()) -> str:
    """Return rows as CSV, in which each row is on its line of the source, or on the line of its own number."""
    out: list[str] = []
    for at, row in enumerate(rows):
        line = lines[at] if lines else at + 1
        out += [""] * (line - 1 - len(out))
        written = io.StringIO()
        csv.writer(written, lineterminator="").writerow(row)
        out.append(written.getvalue() if any(row) else "")
    return "\n".join(out) + "\n"
