"""Find what python-calamine ignores in Excel workbooks: struck-out cells, notes, hidden rows, errors and formulas."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.parsers import expat

import msgspec

Cell = tuple[int, int]
"""The row and the column of a cell, counted from 0."""
MAX_NOTE_CHARS = 200
"""The maximum length of a note that is shown."""
_REFERENCE = re.compile("([A-Z]{1,3})([0-9]{1,7})")
_MAX_FORMULA_CHARS = 100
"""The maximum length of a formula or an error that is shown."""
_CHUNK = 1 << 16
_OFF = ("0", "false", "none")


class Texts(NamedTuple):
    """Equal cells whose text the library leaves out, such as the error of a formula."""

    row: int
    """The first row, counted from 0."""
    rows: int
    column: int
    """The first column, counted from 0."""
    columns: int
    text: str


class Marks(msgspec.Struct):
    """The cells of a sheet that are struck out or have notes, its hidden rows, and texts that are left out."""

    struck: set[Cell] = msgspec.field(default_factory=set)
    """The cells whose text is struck out."""
    partly_struck: set[Cell] = msgspec.field(default_factory=set)
    """The cells in which only a part of the text is struck out."""
    hidden: set[int] = msgspec.field(default_factory=set)
    """The rows that are hidden."""
    notes: dict[Cell, str] = msgspec.field(default_factory=dict)
    texts: list[Texts] = msgspec.field(default_factory=list)
    """Errors, formulas without a stored value, and texts of OpenDocument cells without a type."""


def read_marks(archive: zipfile.ZipFile) -> dict[str, Marks]:
    """Return the marks of each sheet of an Excel workbook, keyed by the name of the sheet.

    The parts of the archive must have been checked for their size and for document types.

    Raises:
        expat.ExpatError: If a part is not valid XML.
    """
    parts = {*archive.namelist()}
    if "xl/workbook.xml" not in parts:
        return {}
    styles = _Styles(archive) if "xl/styles.xml" in parts else None
    texts = _Texts(archive, "xl/sharedStrings.xml") if "xl/sharedStrings.xml" in parts else None
    targets = _relations(archive, "xl/workbook.xml")
    found: dict[str, Marks] = {}
    for name, relation in _sheets(archive):
        part = targets.get(relation, ("", ""))[1]
        if part in parts:
            found[name] = _Sheet(archive, part, styles.struck if styles else (), texts.states if texts else ()).marks
            for kind, target in _relations(archive, part).values():
                if kind.endswith("/comments") and target in parts:
                    found[name].notes |= _Notes(archive, target).notes
    return found


def cell_of(reference: str) -> Cell | None:
    """Return the cell of a reference such as `B3`, or None if the reference is not valid."""
    match = _REFERENCE.fullmatch(reference)
    if match is None or int(match[2]) == 0:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - 64
    return int(match[2]) - 1, column - 1


class _Part:
    """An XML part that is read once. Subclasses handle its elements, whose names have no prefix."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = lambda tag, attributes: self._start(_local(tag), attributes)
        self._parser.EndElementHandler = lambda tag: self._end(_local(tag))
        self._parser.CharacterDataHandler = self._data
        with archive.open(part) as opened:
            while chunk := opened.read(_CHUNK):
                self._parser.Parse(chunk, False)
        self._parser.Parse(b"", True)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        pass

    def _end(self, tag: str) -> None:
        pass

    def _data(self, text: str) -> None:
        pass


class _Elements(_Part):
    """All elements of a small part with their attributes."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self.elements: list[tuple[str, dict[str, str]]] = []
        super().__init__(archive, part)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements.append((tag, attributes))


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the name of each sheet and the key of its relationship."""
    for tag, attributes in _Elements(archive, "xl/workbook.xml").elements:
        if tag == "sheet":
            yield attributes.get("name", ""), next((v for k, v in attributes.items() if k.endswith(":id")), "")


def _relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return the kind and the target of each relationship of a part, keyed by the relationship's key."""
    folder, name = posixpath.split(part)
    path = f"{folder}/_rels/{name}.rels"
    if path not in archive.namelist():
        return {}
    return {
        attributes.get("Id", ""): (
            attributes.get("Type", ""),
            posixpath.normpath(posixpath.join("/" + folder, attributes.get("Target", ""))).lstrip("/"),
        )
        for tag, attributes in _Elements(archive, path).elements
        if tag == "Relationship"
    }


class _Styles(_Part):
    """The cell formats whose font is struck out."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.struck: list[bool] = []
        """Whether each cell format is struck out."""
        self._fonts: list[bool] = []
        self._open: list[str] = []
        super().__init__(archive, "xl/styles.xml")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        within = self._open[-1] if self._open else ""
        if tag == "font" and within == "fonts":
            self._fonts.append(False)
        elif tag == "strike" and self._open[-2:] == ["fonts", "font"]:
            self._fonts[-1] = attributes.get("val", "1") not in _OFF
        elif tag == "xf" and within == "cellXfs":
            font = attributes.get("fontId", "")
            at = int(font) if font.isdecimal() and len(font) < 7 else -1
            self.struck.append(0 <= at < len(self._fonts) and self._fonts[at])
        self._open.append(tag)

    def _end(self, tag: str) -> None:
        self._open.pop()


class _Text:
    """A text with parts in different fonts."""

    def __init__(self) -> None:
        self._struck = self._plain = self._in_struck = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element of the text."""
        if tag == "r":
            self._in_struck = False
        elif tag == "strike":
            self._in_struck = attributes.get("val", "1") not in _OFF

    def data(self, text: str) -> None:
        """Add letters."""
        if text.strip():
            self._struck, self._plain = self._struck or self._in_struck, self._plain or not self._in_struck

    def state(self) -> bool | None:
        """Return whether the text is struck out, or None if only a part of it is."""
        return None if self._struck and self._plain else self._struck


class _Texts(_Part):
    """The texts that the sheets share, each with whether it is struck out or None if only a part of it is."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self.states: list[bool | None] = []
        self._text: _Text | None = None
        self._reading = 0
        super().__init__(archive, part)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "si":
            self._text = _Text()
        elif tag == "rPh":
            self._reading += 1
        elif self._text:
            self._text.start(tag, attributes)

    def _end(self, tag: str) -> None:
        if tag == "rPh":
            self._reading -= 1
        elif tag == "si" and self._text:
            self.states.append(self._text.state())
            self._text = None

    def _data(self, text: str) -> None:
        if self._text and not self._reading:
            self._text.data(text)


class _Sheet(_Part):
    """The marks in a sheet, given the struck-out cell formats and shared texts."""

    def __init__(
        self, archive: zipfile.ZipFile, part: str, formats: Sequence[bool], texts: Sequence[bool | None]
    ) -> None:
        self.marks = Marks()
        self._formats, self._texts = formats, texts
        self._cell: Cell | None = None
        self._index: list[str] | None = None
        self._shared = False
        self._text: _Text | None = None
        self._type = ""
        self._next: Cell = (-1, 0)
        """The position of a cell without a reference."""
        self._formula: list[str] | None = None
        self._value: list[str] | None = None
        self._open = ""
        super().__init__(archive, part)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._open = tag
        if tag == "row":
            row = attributes.get("r", "")
            if attributes.get("hidden", "0") not in _OFF and row.isdecimal() and len(row) < 8:
                self.marks.hidden.add(int(row) - 1)
            self._next = (int(row) - 1 if row.isdecimal() and len(row) < 8 else self._next[0] + 1), 0
        elif tag == "c":
            self._cell = cell_of(attributes["r"]) if "r" in attributes else self._next
            self._next = (self._cell[0], self._cell[1] + 1) if self._cell else self._next
            self._type, self._formula, self._value = attributes.get("t", ""), None, None
            self._shared = attributes.get("t") == "s"
            style = attributes.get("s", "")
            at = int(style) if style.isdecimal() and len(style) < 7 else -1
            if self._cell and 0 <= at < len(self._formats) and self._formats[at]:
                self.marks.struck.add(self._cell)
        elif tag == "v" and self._shared:
            self._index = []
        elif tag == "v":
            self._value = []
        elif tag == "f":
            self._formula = []
        elif tag == "is":
            self._text = _Text()
        elif self._text:
            self._text.start(tag, attributes)

    def _end(self, tag: str) -> None:
        self._open = ""
        if tag == "c" and self._cell:
            self._add_text(*self._cell)
        if tag == "v" and self._index is not None:
            index = "".join(self._index)
            at = int(index) if index.isdecimal() and len(index) < 8 else -1
            self._mark(self._texts[at] if 0 <= at < len(self._texts) else False)
            self._index = None
        elif tag == "is" and self._text:
            self._mark(self._text.state())
            self._text = None

    def _add_text(self, row: int, column: int) -> None:
        """Add the text of a cell with an error, or with a formula whose value is not stored."""
        value = "".join(self._value or ()).strip()
        if self._type == "e" and value:
            self.marks.texts.append(Texts(row, 1, column, 1, value[:_MAX_FORMULA_CHARS]))
        elif self._formula is not None and not value and self._type in ("", "n", "b", "e", "d"):
            self.marks.texts.append(Texts(row, 1, column, 1, formula_text("".join(self._formula))))

    def _mark(self, state: bool | None) -> None:
        if self._cell and state is not False:
            (self.marks.struck if state else self.marks.partly_struck).add(self._cell)

    def _data(self, text: str) -> None:
        if self._index is not None:
            self._index.append(text)
        elif self._text:
            self._text.data(text)
        elif self._open == "v" and self._value is not None:
            self._value.append(text)
        elif self._open == "f" and self._formula is not None:
            self._formula.append(text)


class _Notes(_Part):
    """The notes on the cells of a sheet."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self.notes: dict[Cell, str] = {}
        self._cell: Cell | None = None
        self._text: list[str] = []
        super().__init__(archive, part)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "comment":
            self._cell, self._text = cell_of(attributes.get("ref", "")), []

    def _end(self, tag: str) -> None:
        if tag == "comment" and self._cell:
            self.notes[self._cell] = note_text("".join(self._text))
            self._cell = None

    def _data(self, text: str) -> None:
        self._text.append(text)


def formula_text(formula: str) -> str:
    """Return a formula on one line, beginning with an equals sign."""
    return f"={' '.join(formula.split()).removeprefix('=')}"[:_MAX_FORMULA_CHARS]


def note_text(text: str) -> str:
    """Return the text of a note on one line."""
    return " ".join(text.split())[:MAX_NOTE_CHARS]


def _local(tag: str) -> str:
    """Return the name of an element without its prefix."""
    return tag.rpartition(":")[2]
