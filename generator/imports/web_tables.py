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
from generator.tournament.csv_files import LINE_BREAK, columns, headings, plain
from generator.tournament.odd_lines import is_section_title, struck_out

MAX_CELLS = 100_000
"""The maximum number of cells that are read from a page."""
_SKIPPED = ("script", "style", "template", "noscript")
_MAX_DEPTH = 100
"""The maximum depth of the elements in a cell whose styles are read."""
_MIN_TABLE_ROWS = 2
_STRUCK_TAGS = ("s", "del", "strike")
_READING_TAGS = ("rt", "rp", "rtc")
"""The elements that contain the reading of a word, such as furigana."""
_PARAGRAPH_TAGS = ("p", "div", "li")
_VOID_TAGS = ("img", "input", "hr", "wbr", "link", "meta", "embed", "source", "track", "area", "base")
_STRUCK = re.compile("line-through", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)


class WebTable(msgspec.Struct, frozen=True):
    """The table with the most cells of a page, as rows of text."""

    rows: Sequence[Sequence[str]]
    lines: Sequence[int]
    """The line of each row in the file."""
    others: int
    """The number of the other tables."""
    titles: Sequence[tuple[int, str]] = ()
    """The lines and texts of rows below the first row that have only one cell, which spans several columns."""
    struck: Sequence[tuple[int, str]] = ()
    """The lines and texts of cells that are struck out."""
    hidden: Sequence[int] = ()
    """The lines of hidden rows."""


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


class _Style(msgspec.Struct, frozen=True):
    """Whether the text of an element is struck out, hidden, or the reading of a word."""

    tag: str = ""
    struck: bool = False
    hidden: bool = False
    reading: bool = False


class _Parser(HTMLParser):
    """A parser that collects all tables of a page. A table in a cell is a separate table."""

    def __init__(self, file: str) -> None:
        super().__init__(convert_charrefs=True)
        self.file = file
        self.tables: list[list[tuple[int, list[_Cell]]]] = []
        self.struck: list[tuple[int, str]] = []
        self.hidden: list[int] = []
        self._open: list[list[tuple[int, list[_Cell]]]] = []
        self._styles: list[tuple[_Style, _Style]] = []
        """The styles of each open table and its open row."""
        self._known = headings(columns())
        self._cells = self._skipped = 0
        self._css: list[str] | None = None
        self._classes: tuple[set[str], set[str]] = set(), set()
        """The classes whose text is struck out or hidden."""
        self._text: list[tuple[str, bool]] | None = None
        """The parts of the open cell, each with whether it is struck out."""
        self._inline: list[_Style] = []
        """The open elements in the cell, beginning with the cell itself."""
        self._span = 1, 1

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Open a table, a row, a cell, or an element in a cell."""
        given = dict(attributes)
        if tag in _SKIPPED:
            self._skipped += 1
            self._css = [] if tag == "style" else None
        elif tag == "table":
            self._close_cell()
            self._open.append([])
            self._styles.append((self._style(tag, given), _Style()))
        elif tag in ("tbody", "thead", "tfoot") and self._styles:
            self._styles[-1] = self._style(tag, given), _Style()
        elif tag == "tr" and self._open:
            self._close_cell()
            self._open[-1].append((self.getpos()[0], []))
            self._styles[-1] = self._styles[-1][0], self._style(tag, given)
        elif tag in ("td", "th") and self._open:
            self._close_cell()
            if not self._open[-1]:
                self._open[-1].append((self.getpos()[0], []))
            self._cells += 1
            if self._cells > MAX_CELLS:
                raise DataError(Problem(tr("the page has too many cells"), self.file, self.getpos()[0]))
            self._span = _span(given.get("colspan")), _span(given.get("rowspan"))
            self._text = []
            around = [self._style(tag, given), *self._styles[-1]]
            self._inline = [_Style(tag, struck=any(style.struck for style in around))]
        elif self._text is not None:
            self._open_inline(tag, given)

    def _open_inline(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Open an element in a cell."""
        if self._text is not None and tag in ("br", *_PARAGRAPH_TAGS):
            self._text.append(("\n", False))
        if tag == "br" or tag in _VOID_TAGS or len(self._inline) > _MAX_DEPTH:
            return
        while self._inline[-1].tag in ("p", *_READING_TAGS) and tag in (*_PARAGRAPH_TAGS, *_READING_TAGS, "rb"):
            self._inline.pop()  # The end of such an element may be omitted.
        self._inline.append(self._style(tag, attributes, self._inline[-1]))

    def _style(self, tag: str, attributes: dict[str, str | None], around: _Style | None = None) -> _Style:
        """Return the style of an element in an element with the style `around`."""
        around = around or _Style()
        style = attributes.get("style") or ""
        classes = (attributes.get("class") or "").split()
        struck, hidden = self._classes
        return _Style(
            tag,
            around.struck or tag in _STRUCK_TAGS or bool(_STRUCK.search(style)) or not struck.isdisjoint(classes),
            around.hidden or "hidden" in attributes or bool(_HIDDEN.search(style)) or not hidden.isdisjoint(classes),
            around.reading or tag in _READING_TAGS,
        )

    def handle_endtag(self, tag: str) -> None:
        """Close a cell, a row, a table, or an element in a cell."""
        if tag in _SKIPPED:
            self._skipped = max(0, self._skipped - 1)
            if tag == "style" and self._css is not None:
                self._read_css("".join(self._css))
                self._css = None
        elif tag in ("td", "th", "tr"):
            self._close_cell()
        elif tag == "table" and self._open:
            self._close_cell()
            self.tables.append(self._open.pop())
            self._styles.pop()
        elif self._text is not None:
            if tag in _PARAGRAPH_TAGS:
                self._text.append(("\n", False))
            at = next((at for at in range(len(self._inline) - 1, 0, -1) if self._inline[at].tag == tag), 0)
            if at:
                del self._inline[at:]

    def _read_css(self, text: str) -> None:
        """Collect the classes whose text is struck out or hidden."""
        for rule in text.split("}"):
            selectors, _, body = rule.rpartition("{")
            for pattern, found in zip((_STRUCK, _HIDDEN), self._classes, strict=True):
                if pattern.search(body):
                    lasts = (selector.split()[-1:] for selector in selectors.split(","))
                    found |= {last[0].rpartition(".")[2] for last in lasts if last and "." in last[0]}

    def handle_data(self, data: str) -> None:
        """Add text to the open cell."""
        if self._css is not None:
            self._css.append(data)
        elif self._text is not None and not self._skipped:
            style = self._inline[-1]
            if not style.hidden and not style.reading:
                self._text.append((re.sub(r"\s", " ", data), style.struck))

    def finish(self) -> None:
        """Close the tables that are still open at the end of the page."""
        self._close_cell()
        self.tables += self._open

    def _close_cell(self) -> None:
        if self._text is not None and self._open and self._open[-1]:
            line, cells = self._open[-1][-1]
            text, struck = _cell_text(self._text)
            is_heading = plain(text) in self._known
            if struck and not is_heading:
                self.struck.append((line, struck))
            if text and not is_heading and any(style.hidden for style in self._styles[-1]):
                text = struck_out(text)
                self.hidden += [] if line in self.hidden[-1:] else [line]
            cells.append(_Cell(struck if is_heading and struck else text, *self._span))
        self._text = None


def _cell_text(parts: Sequence[tuple[str, bool]]) -> tuple[str, str]:
    """Return the text of a cell with `LINE_BREAK` between its lines, and the part of the text that is struck out.

    Struck-out parts are between `~~` and `~~`.
    """
    filled = [struck for text, struck in parts if text.strip()]
    struck = _lines("".join(text if is_struck or not text.strip() else " " for text, is_struck in parts))
    if not any(filled):
        return _lines("".join(text for text, _ in parts)), ""
    if all(filled):
        return struck_out(struck), struck.replace(LINE_BREAK, " ")
    marked = "".join(f"~~{text}~~" if is_struck and text.strip() else text for text, is_struck in parts)
    return _lines(marked.replace("~~~~", "")), struck.replace(LINE_BREAK, " ")


def _lines(text: str) -> str:
    """Return the lines of a text that are not empty, with `LINE_BREAK` between them."""
    return LINE_BREAK.join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


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
    lines = [row.line for row in rows]
    known = {*lines}
    struck = [(line, text) for line, text in parser.struck if line in known]
    hidden = [line for line in parser.hidden if line in known]
    return WebTable([row.texts for row in rows], lines, len(filled) - 1, titles, struck, hidden)


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
