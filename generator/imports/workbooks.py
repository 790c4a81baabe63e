"""Read the sheets of spreadsheets (.xlsx, .ods, .xls) with python-calamine, within limits on size and memory."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from xml.parsers import expat

import msgspec

from generator.errors import DataError, Problem, WrongUsageError, near
from generator.imports.cell_marks import Marks, Texts, formula_text, note_text, read_marks
from generator.localization import tr, tr_external
from generator.tournament.csv_files import LINE_BREAK, columns, headings, is_error_value, plain
from generator.tournament.odd_lines import says_gone, struck_out

HIDDEN_HINT = tr("the players in these rows are marked as absent")
"""The hint about hidden rows of a list of players."""
FILE_LIMIT = 8 << 20
"""The maximum size in bytes of a spreadsheet. A list of 500 players has about 30 KiB."""
_MAX_UNPACKED = 64 << 20
"""The maximum size in bytes of the unpacked parts of a spreadsheet together, which prevents zip bombs."""
_MAX_PARTS = 2000
"""The maximum number of files in the archive."""
_MAX_CELLS = 400_000
"""The maximum number of cells in the rectangle from the first to the last cell in use.

The library keeps all of them in memory, including empty ones.
"""
MAX_ROWS, MAX_COLUMNS = 10_000, 200
"""The maximum number of rows and columns of a sheet that are read."""
_NOT_TEXTS = (bool, datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
"""The types of cells that a spreadsheet makes of an input that is not text or a number."""
_Range = tuple[tuple[int, int], tuple[int, int]]
"""Merged cells: the row and the column of the first and the last cell, counted from 0."""
_MAX_STYLE_DEPTH = 8
"""The maximum number of styles that a style is based on."""
_CHUNK = 1 << 16
_CELL = re.compile(rb'<(?:\w+:)?c\b[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"')
_END_OF_READING = b"</text:ruby-text>"
_DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class Sheet(msgspec.Struct, frozen=True):
    """A sheet of a spreadsheet as rows of text. The first row is row 1."""

    name: str
    rows: Sequence[Sequence[str]]
    others: tuple[str, ...] = ()
    """The names of the other sheets that are not empty."""
    remarks: tuple[Problem, ...] = ()
    """Cells that are struck out or have notes, and hidden rows."""
    not_texts: frozenset[tuple[int, str]] = frozenset()
    """The cells that hold a date, a time or a logical value, each as its row and its text."""


class _Archive(msgspec.Struct):
    """The merged cells and the marks of a spreadsheet, which the library does not report."""

    merged: dict[int, list[_Range]] = msgspec.field(default_factory=dict)
    """The merged cells of an OpenDocument spreadsheet, keyed by the number of the sheet, counted from 0."""
    marks_by_number: dict[int, Marks] = msgspec.field(default_factory=dict)
    """The marks of the sheets of an OpenDocument spreadsheet, keyed by the number of the sheet."""
    marks_by_name: dict[str, Marks] = msgspec.field(default_factory=dict)
    """The marks of the sheets of an Excel workbook, keyed by the name of the sheet."""

    def marks(self, number: int, name: str) -> Marks:
        """Return the marks of a sheet."""
        return self.marks_by_number.get(number) or self.marks_by_name.get(name) or Marks()


def read(content: bytes, file: str, sheet: str = "") -> Sheet:
    """Return a sheet by its name, or the first sheet that is not empty.

    Raises:
        DataError: If the file is damaged or too large, or has no filled sheet.
        WrongUsageError: If there is no sheet with this name, or the library is not installed.
    """
    archive = _check_archive(content, file) if content.startswith(b"PK") else _Archive()
    content = _without_readings(content) if content.startswith(b"PK") else content
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        hint = tr("install the package: pip install python-calamine; or save the sheet as CSV UTF-8")
        raise WrongUsageError(
            tr("spreadsheets need the package python-calamine, which is not installed"), hint=hint
        ) from error
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            names = list(book.sheet_names)
            if sheet and sheet not in names:
                raise WrongUsageError(
                    tr("there is no sheet named {name!r}", name=sheet[:40]), hint=near(sheet, names)
                )
            filled = [
                (name, rows, archive.marks(at, name), not_texts)
                for at, name in enumerate(names[:_MAX_PARTS])
                for rows, not_texts in [_rows(book.get_sheet_by_name(name), archive.marks(at, name), file)]
                if rows
            ]
            merged = {
                name: book.get_sheet_by_name(name).merged_cell_ranges or archive.merged.get(at, [])
                for at, name in enumerate(names[:_MAX_PARTS])
            }
    except (CalamineError, OSError, ValueError) as error:
        reason = tr_external(" ".join(str(error).split())[:120])
        raise DataError(Problem(tr("the spreadsheet is damaged: {reason}", reason=reason), file)) from error
    chosen = [one for one in filled if one[0] == sheet] if sheet else filled[:1]
    if not chosen:
        raise DataError(Problem(tr("is empty"), file, hint=tr("write one player's name on each line")))
    name, rows, marks, not_texts = chosen[0]
    remarks = _apply_marks(rows, marks, file)
    _spread(rows, merged[name])
    others = tuple(other for other, *_ in filled if other != name)
    return Sheet(name, rows, others, tuple(remarks), frozenset(not_texts))


def _apply_marks(rows: list[list[str]], marks: Marks, file: str) -> list[Problem]:
    """Mark cells that are struck out and the cells of hidden rows as `~~text~~`, and return remarks on them.

    The cells of rows with a note that means that a player does not play are marked in the same way. Rows of headings
    are not marked.
    """
    known = headings(columns())
    remarks: list[Problem] = []
    hidden: list[int] = []
    struck: dict[int, list[str]] = {}
    for at, row in enumerate(rows):
        if any(plain(text) in known for text in row):
            continue
        notes = [(row[n], marks.notes[at, n]) for n in range(len(row)) if (at, n) in marks.notes]
        for text, note in notes:
            message = tr("the cell “{text}” has a note: {note}", text=text[:40], note=note)
            remarks.append(Problem(message, file, at + 1, remark=True))
        if at in marks.hidden and any(row):
            hidden.append(at + 1)
        is_gone = at in marks.hidden or any(says_gone(note) for _, note in notes)
        for n, text in enumerate(row):
            if text and ((at, n) in marks.struck or (at, n) in marks.partly_struck):
                struck.setdefault(at + 1, []).append(text.replace(LINE_BREAK, " ")[:40])
            if text and (is_gone or (at, n) in marks.struck):
                row[n] = struck_out(text)
            elif text and (at, n) in marks.partly_struck:
                row[n] = f"{text} ~~"
    if hidden:
        message = tr("hidden rows: {rows}", rows=hidden)
        remarks.append(Problem(message, file, hidden[0], HIDDEN_HINT, remark=True))
    remarks += [
        Problem(tr("struck out: {texts}", texts=texts), file, line, remark=True) for line, texts in struck.items()
    ]
    return remarks


def _rows(of: object, marks: Marks, file: str) -> tuple[list[list[str]], set[tuple[int, str]]]:
    """Return the rows of a sheet as text, and its cells with dates, times and logical values.

    The rows are an empty list if the sheet is empty.
    """
    cells = of.to_python(skip_empty_area=False)  # type: ignore[attr-defined]
    height = max([len(cells), *(texts.row + texts.rows for texts in marks.texts)])
    width = max([*map(len, cells), *(texts.column + texts.columns for texts in marks.texts)], default=0)
    if height > MAX_ROWS or width > MAX_COLUMNS:
        message = tr("the sheet has {rows} rows and {columns} columns, but at most {most_rows} rows and "
                     "{most_columns} columns can be read", rows=height, columns=width, most_rows=MAX_ROWS,
                     most_columns=MAX_COLUMNS)  # fmt: skip
        raise DataError(Problem(message, file, hint=tr("copy the table to a new sheet")))
    rows = [[_text(cell) for cell in row] for row in cells]
    not_texts = {(at, _text(cell)) for at, row in enumerate(cells, 1) for cell in row if isinstance(cell, _NOT_TEXTS)}
    if marks.texts:
        rows = [[*row, *[""] * (width - len(row))] for row in (*rows, *[[]] * (height - len(rows)))]
    for first, count, column, columns_, text in marks.texts:
        for row in rows[first : first + count]:
            row[column : column + columns_] = [text] * columns_
    return (rows if any(cell for row in rows for cell in row) else []), not_texts


def _spread(rows: list[list[str]], merged: Sequence[_Range]) -> None:
    """Repeat the text of merged cells in each of their rows, unless it is a heading."""
    known = headings(columns())
    for (top, left), (bottom, _) in merged:
        if top < len(rows) and left < len(rows[top]) and plain(text := rows[top][left]) not in known:
            for row in rows[top + 1 : bottom + 1]:
                row[left : left + 1] = [text]


def _text(cell: object) -> str:
    """Return a cell as text. Whole numbers have no decimals, and lines are separated by `LINE_BREAK`."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time):
        return cell.isoformat(" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
    return LINE_BREAK.join(filter(None, (" ".join(line.split()) for line in str(cell).splitlines())))


def _without_readings(content: bytes) -> bytes:
    """Return an OpenDocument spreadsheet without the readings above words, which the library adds to the text."""
    source = zipfile.ZipFile(io.BytesIO(content))
    if "content.xml" not in source.namelist() or b"<text:ruby-text" not in (text := source.read("content.xml")):
        return content
    kept, at = [], 0
    while (start := text.find(b"<text:ruby-text", at)) >= 0 and (end := text.find(_END_OF_READING, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_END_OF_READING)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for part in source.infolist():
            is_content = part.filename == "content.xml"
            archive.writestr(part.filename, b"".join([*kept, text[at:]]) if is_content else source.read(part))
    return made.getvalue()


def _check_archive(content: bytes, file: str) -> _Archive:
    """Check the unpacked size and the extent of the sheets before the library reads the file.

    Return the merged cells of an OpenDocument spreadsheet, and the marks of the cells.

    Raises:
        DataError: If the archive is damaged, or unpacked parts or sheets are too large.
    """
    total = 0
    found = _Archive()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > _MAX_PARTS:
                raise DataError(Problem(tr("the archive has too many files"), file))
            for part in parts:
                extent = _OpenDocumentExtent() if part.filename == "content.xml" else _Extent()
                for chunk in _chunks(archive, part):
                    total += len(chunk)
                    if total > _MAX_UNPACKED:
                        message = tr("the unpacked file is larger than {limit} MiB", limit=_MAX_UNPACKED >> 20)
                        raise DataError(Problem(message, file))
                    if part.filename.endswith((".xml", ".rels")):
                        extent.add(chunk)
                if fault := extent.fault():
                    raise DataError(Problem(fault, file, hint=tr("copy the table to a new sheet")))
                if isinstance(extent, _OpenDocumentExtent):
                    found.merged, found.marks_by_number = extent.merged, extent.marks
            found.marks_by_name = read_marks(archive)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError, zlib.error,
            expat.ExpatError) as error:  # fmt: skip
        reason = tr_external(str(error)[:120])
        raise DataError(Problem(tr("the spreadsheet is damaged: {reason}", reason=reason), file)) from error
    return found


def _chunks(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the unpacked content of a part in pieces."""
    with archive.open(part) as opened:
        while chunk := opened.read(_CHUNK):
            yield chunk


class _Extent:
    """The extent of the cells in an XML part that is read in pieces."""

    _OVERLAP = 200
    """The number of bytes at the end of a piece that are examined again with the next piece."""

    def __init__(self) -> None:
        self.columns = self.rows = 0
        self.forbidden = False
        self._end = b""

    def add(self, chunk: bytes) -> None:
        """Examine the next piece."""
        text = self._end + chunk
        self.forbidden = self.forbidden or bool(_DOCTYPE.search(text))
        for found in _CELL.finditer(text):
            self.columns = max(self.columns, _column_number(found[1]))
            self.rows = max(self.rows, int(found[2]))
        self._end = text[-self._OVERLAP :]

    def fault(self) -> str:
        """Return a message if the cells in use span too large an area, and an empty string otherwise."""
        if self.forbidden:
            return tr("the file declares a document type")
        if self.columns * self.rows > _MAX_CELLS or self.rows > 2 * MAX_ROWS:
            return tr("the sheet spans {rows} rows and {columns} columns", rows=self.rows, columns=self.columns)
        return ""


class _OpenDocumentExtent(_Extent):
    """The extent of the cells in use in the content of an OpenDocument spreadsheet, which repeats rows and cells."""

    def __init__(self) -> None:
        super().__init__()
        self._row = self._column = 0
        self._sheet = -1
        self._repeated_rows = 1
        self.merged: dict[int, list[_Range]] = {}
        self.marks: dict[int, Marks] = {}
        self._styles: dict[str, str] = {}
        """The parent of each style."""
        self._struck_styles: set[str] = set()
        self._style = self._row_style = ""
        self._cell: tuple[int, int] | None = None
        self._cell_is_struck = False
        self._spans: list[bool] = []
        """Whether each open span is struck out."""
        self._letters = {True: False, False: False}
        """Whether the cell has letters that are struck out, and letters that are not."""
        self._note: list[str] | None = None
        self._texts: list[str] = []
        """The paragraphs of the cell."""
        self._is_typed = self._is_error = False
        self._formula: str | None = None
        self._cells_with_texts = 0
        self._reading = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._start, self._finish
        self._parser.CharacterDataHandler = self._data

    def add(self, chunk: bytes) -> None:
        """Examine the next piece."""
        self.forbidden = self.forbidden or bool(_DOCTYPE.search(self._end + chunk))
        self._end = chunk[-self._OVERLAP :]
        if not self.forbidden:
            self._parser.Parse(chunk, False)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._mark(tag, {key.rpartition(":")[2]: value for key, value in attributes.items()})
        if tag.endswith(":table"):
            self._row = 0
            self._sheet += 1
        elif tag.endswith(":table-row"):
            self._repeated_rows = _repeat(attributes, "rows")
            self._column = 0
        elif tag.endswith("-cell"):
            self._texts = []
            types = {
                key.startswith("calcext:"): text for key, text in attributes.items() if key.endswith(":value-type")
            }
            self._is_typed, self._is_error = False in types, "error" in types.values()
            self._formula = next((text for key, text in attributes.items() if key.endswith(":formula")), None)
            if (height := _repeat(attributes, "rows", "spanned")) > 1:
                last = self._row + height - 1, self._column + _repeat(attributes, "columns", "spanned") - 1
                self.merged.setdefault(self._sheet, []).append(((self._row, self._column), last))
            self._column += _repeat(attributes, "columns")
            if any(key.endswith(":value-type") for key in attributes):
                self.columns = max(self.columns, self._column)
                self.rows = max(self.rows, self._row + self._repeated_rows)

    def _mark(self, tag: str, attributes: dict[str, str]) -> None:
        """Collect the styles, the rows and the parts of a cell that are struck out, hidden or notes."""
        name = tag.rpartition(":")[2]
        if name == "style":
            self._style = attributes.get("name", "")
            self._styles[self._style] = attributes.get("parent-style-name", "")
        elif name == "text-properties":
            lines = (attributes.get(f"text-line-through-{key}", "none") for key in ("style", "type"))
            if any(line != "none" for line in lines):
                self._struck_styles.add(self._style)
        elif name == "table-row":
            self._row_style = attributes.get("default-cell-style-name", "")
            if attributes.get("visibility") in ("collapse", "filter"):
                self._sheet_marks().hidden.add(self._row)
        elif name == "table-cell":
            self._cell = self._row, self._column
            self._cell_is_struck = self._is_struck(attributes.get("style-name", self._row_style))
            self._spans, self._letters = [], {True: False, False: False}
        elif name == "span":
            self._spans.append(self._is_struck(attributes.get("style-name", "")))
        elif name == "annotation":
            self._note = []
        elif name == "p" and self._note is None:
            self._texts.append("")
        elif name in ("s", "tab", "line-break") and self._note is None and self._texts:
            self._texts[-1] += " "
        elif name == "ruby-text":
            self._reading += 1

    def _is_struck(self, style: str) -> bool:
        """Return whether a style or one of its parents is struck out."""
        for _ in range(_MAX_STYLE_DEPTH):
            if style in self._struck_styles:
                return True
            style = self._styles.get(style, "")
        return False

    def _sheet_marks(self) -> Marks:
        return self.marks.setdefault(self._sheet, Marks())

    def fault(self) -> str:
        """Return a message if the cells in use span too large an area, and an empty string otherwise."""
        if self._cells_with_texts > _MAX_CELLS:
            return tr("the sheet spans {rows} rows and {columns} columns", rows=self.rows, columns=self.columns)
        return super().fault()

    def _add_texts(self, row: int, column: int) -> None:
        """Add the text of a cell without a type, of an error, or of a formula without a value."""
        text = LINE_BREAK.join(filter(None, (" ".join(part.split()) for part in self._texts)))
        if self._formula is not None and not self._is_typed and not text:
            text = formula_text(self._formula.partition("=")[2] or self._formula)
        if text and (not self._is_typed or self._is_error or is_error_value(text)):
            made = Texts(row, self._repeated_rows, column, self._column - column, text)
            self.columns, self.rows = max(self.columns, self._column), max(self.rows, row + self._repeated_rows)
            self._cells_with_texts += made.rows * made.columns
            self._sheet_marks().texts.append(made)

    def _data(self, text: str) -> None:
        if self._note is None and self._cell and self._texts and not self._reading:
            self._texts[-1] += text
        if self._note is not None:
            self._note.append(text)
        elif self._cell and text.strip() and not self._reading:
            self._letters[self._cell_is_struck or any(self._spans)] = True

    def _finish(self, tag: str) -> None:
        if tag.endswith(":table-row"):
            self._row += self._repeated_rows
        name = tag.rpartition(":")[2]
        if name == "span" and self._spans:
            self._spans.pop()
        elif name == "ruby-text":
            self._reading -= 1
        elif name == "annotation" and self._note is not None:
            if self._cell:
                self._sheet_marks().notes[self._cell] = note_text(" ".join(self._note))
            self._note = None
        elif name == "table-cell" and self._cell:
            self._add_texts(*self._cell)
            if self._letters[True]:
                of = self._sheet_marks()
                (of.partly_struck if self._letters[False] else of.struck).add(self._cell)
            self._cell = None


def _repeat(attributes: dict[str, str], what: str, how: str = "repeated") -> int:
    """Return how often a row or a cell is repeated, or how many rows or columns a cell spans."""
    text = next((value for key, value in attributes.items() if key.endswith(f"number-{what}-{how}")), "1")
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 1


def _column_number(letters: bytes) -> int:
    """Return the number of a column, counted from 1: A is 1, and AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
