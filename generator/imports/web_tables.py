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


class _Parser(HTMLParser):
    """A parser that collects all tables of a page. A table in a cell is a separate table."""

    def __init__(self, file: str) -> None:
        super().__init__(convert_charrefs=True)
        self.file = file
        self.tables: list[list[tuple[int, list[str]]]] = []
        self._open: list[list[tuple[int, list[str]]]] = []
        self._cells = self._skipped = 0
        self._text: list[str] | None = None
        self._span = 1

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
            span = next((value or "" for name, value in attributes if name == "colspan"), "1")
            self._span = min(int(span), 100) if re.fullmatch("[0-9]{1,4}", span) else 1
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
            self._open[-1][-1][1].extend([text, *[""] * (max(self._span, 1) - 1)])
        self._text = None


def read_html(text: str, file: str) -> WebTable:
    """Return the largest table of a page.

    Raises:
        DataError: If the page has no table with at least two rows.
    """
    parser = _Parser(file)
    parser.feed(text)
    parser.close()
    parser.finish()
    tables = [[(line, row) for line, row in table if any(row)] for table in parser.tables]
    filled = [table for table in tables if len(table) >= _MIN_TABLE_ROWS]
    if not filled:
        raise DataError(
            Problem(tr("the page has no table"), file, hint=tr("copy the names into a text file, one per line"))
        )
    best = max(filled, key=lambda table: sum(len(row) for _, row in table))
    return WebTable([row for _, row in best], [line for line, _ in best], len(filled) - 1)


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
