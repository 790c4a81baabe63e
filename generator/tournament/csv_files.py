"""Lists that organisers type, and tables written for them.

What the columns of the CSV files are called, and what may stand in their cells.

Writing CSV that opens in any spreadsheet, and in which none finds a formula.

Reading CSV as spreadsheets of any country save it.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from generator.errors import DataError, Problem, near
from generator.localization import tr, tr_external
from generator.model.words import LANGS, Lang, Words
from generator.notation import toml
from generator.notation.text import invisible_fault, name_fault, name_hint
from generator.store.folders import is_folder, is_there, read_within
from generator.tournament.damage import damage, salvaged
from generator.tournament.encoding import Text, read_text
from generator.tournament.file_kinds import TRF, refuse, text_kind


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column: its heading as Muster writes it, and others that are read."""

    name: Words
    also: tuple[str, ...] = ()


class _Cells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bye: tuple[str, ...]
    around: tuple[str, ...]
    """What may stand round a number: "Round 3", "3卓"."""
    a: tuple[str, ...]
    b: tuple[str, ...]
    draw: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    titles: tuple[str, ...]
    """Words of a title above a list of names."""
    family_first: tuple[str, ...]
    """Headings of languages that write the family name first."""
    gone: tuple[str, ...]
    """Words of a remark that a player does not play."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    column: dict[str, Column]
    cell: _Cells


@lru_cache(maxsize=4096)  # names are held against one another over and over
def plain(text: str) -> str:
    """A text as words are compared: compatible characters, case, spaces, hyphens and underscores made one."""
    return re.sub(r"[\s_\-‐]+", "", unicodedata.normalize("NFKC", text)).casefold() or text.strip()


@cache
def columns() -> dict[str, Column]:
    """The columns by what the code calls them."""
    return _file().column


def spelt(key: str) -> tuple[str, ...]:
    """The headings that mean a column, the one Muster writes first."""
    column = columns()[key]
    return tuple(dict.fromkeys((key, *(column.name[lang] for lang in LANGS), *column.also)))


def headings(keys: Iterable[str]) -> dict[str, str]:
    """Which of these columns each heading means, by its plain form."""
    return {plain(text): key for key in keys for text in spelt(key)}


def cells() -> _Cells:
    """Words in cells."""
    return _file().cell


def means(text: str, words: tuple[str, ...]) -> bool:
    """Whether a cell says one of these words."""
    return plain(text) in {plain(word) for word in words}


def number(text: str) -> int | None:
    """Return the whole number in a cell, with the words that may stand around it; None if there is none.

    It has at most six digits. Spreadsheets and scripts write 2 as "2.0" or "2,0" too.
    """
    bare = unicodedata.normalize("NFKC", text).casefold().strip()
    for word in cells().around:
        bare = bare.removeprefix(plain(word)).removesuffix(plain(word)).strip()
    found = re.fullmatch("([0-9]{1,6})(?:[.,]0+)?", bare)
    return int(found[1]) if found else None


_file = toml.shipped_table("tournament/columns.toml", _File)


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so is a formula to some spreadsheet."""


def write(lang: Lang, keys: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Rows under the headings of those columns; a column that a row lacks stays empty."""
    return written([columns()[key].name[lang] for key in keys], ([row.get(key, "") for key in keys] for row in rows))


def written(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows under headings of one's own: UTF-8 with its mark, texts made harmless, numbers as they are."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: object) -> object:
    """A text that would be a formula, with an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


FILE_LIMIT = 1 << 20
ROW_LIMIT = 10_000
OF_LISTS = ("name", "first_name", "last_name", "absent", "present", "status")
"""Columns that only a list of players has."""
MOST_TITLES = 40
"""Lines of titles that may stand above the headings."""
_FORMULA = ("=", "+", "-", "@")
"""A name that begins so is a formula to some spreadsheet."""
_SHOWN = 8
"""So many headings are told where none was found."""
DELIMITERS = ",;\t|"
_OF_ROW = 2
"""Separators that show that a line is a row of its own: a table has at least three columns."""


class Row(msgspec.Struct, frozen=True):
    """A line of the file: its 1-based number, and its cells by column; a cell that is not there is empty."""

    file: str
    line: int
    cells: Mapping[str, str]
    extra: Mapping[str, str] = {}
    """Filled cells of columns that are not read, by their heading, or by the number of a column without one."""

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def problem(self, message: str, hint: str = "") -> Problem:
        """A problem in this line."""
        return Problem(message, self.file, self.line, hint)

    def number(self, column: str, low: int, high: int) -> int | Problem:
        """The whole number in a column, or what is wrong with it."""
        found = number(self[column])
        if found is None or not low <= found <= high:
            return self.problem(
                tr(
                    "{column} {value!r} is not a number from {low} to {high}",
                    column=column,
                    value=self[column][:40],
                    low=low,
                    high=high,
                )
            )
        return found

    def name(self, column: str) -> str | Problem:
        """The name in a column with its spaces made plain, or what is wrong with it; empty where there is none."""
        name = " ".join(unicodedata.normalize("NFC", self[column]).split())
        if unicodedata.normalize("NFKC", name).startswith(_FORMULA) and not means(name, cells().bye):
            hint = tr(
                "a spreadsheet would evaluate it, because it begins with {formula}: begin it with another character",
                formula=" ".join(_FORMULA),
            )
            return self.problem(tr("{column} {name!r} is a formula, not a name", column=column, name=name[:40]), hint)
        if name and (fault := name_fault(name)):
            return self.problem(
                tr("{column} {name!r} {fault}", column=column, name=name[:40], fault=fault),
                name_hint(name),
            )
        return name


class Table(msgspec.Struct, frozen=True):
    """A file that was read: its name, what it was encoded in, its columns, its rows."""

    file: str
    encoding: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    ignored: tuple[str, ...] = ()
    """Headings of columns that are not read."""
    delimiter: str = ","
    """What stands between two cells."""

    def line(self, cells: Mapping[str, object]) -> str:
        """Return a row as a line of this file."""
        row = [str(_harmless(cells.get(column, ""))) for column in self.columns]
        if self.delimiter == "|":
            return f"| {' | '.join(row)} |"
        out = io.StringIO()
        csv.writer(out, delimiter=self.delimiter, lineterminator="").writerow(row)
        return out.getvalue()


def is_blank(content: bytes) -> bool:
    """Return whether a table has lost everything but, at most, its headings."""
    known = headings(columns())
    for encoding in ("utf-8-sig", "utf-16"):
        try:
            rows = cell_rows(content.decode(encoding), "", known)
        except (UnicodeError, DataError):
            continue
        return not rows or (len(rows) == 1 and all(plain(cell) in known for cell in rows[0][1] if cell))
    return False


def read(
    path: Path,
    needed: Sequence[str],
    encoding: str | None = None,
    names: Collection[str] = (),
    refused: list[Problem] | None = None,
) -> Table:
    """Read a CSV file; `names` are players whom it may name, which help to find its encoding.

    Rows with too few or too many cells, with damaged bytes, an open quotation mark or invisible characters are an
    error too, or are left out and added to `refused` if that is given.

    Raises:
        DataError: with its line, if it cannot be read or lacks one of the columns needed.

    """
    known = headings(key for key in columns() if key not in OF_LISTS)
    text = decoded_text(path, encoding, names, tolerant=refused is not None)
    if text_kind(text.text) == TRF:
        hint = tr("pair its rounds one by one: {command}", command="muster tournament pair EVENT --pairings FILE")
        raise DataError(Problem(tr("this is a TRF16 file"), str(path), hint=hint))
    open_quotes: list[Problem] | None = None if refused is None else []
    rows = cell_rows(text.text, str(path), known, open_quotes)
    if not rows:
        raise DataError(
            *(open_quotes or ()),
            Problem(tr("is empty"), str(path), hint=tr("it needs the columns {needed}", needed=[*needed])),
        )
    headed = (at for at, (_, row) in enumerate(rows[:MOST_TITLES]) if {*needed} <= {known.get(plain(c)) for c in row})
    if refused is not None and open_quotes:
        refused += open_quotes
    table = _table(str(path), text.encoding, rows[next(headed, 0) :], needed, known, refused)
    return replace(table, delimiter=_delimiter(_body(text.text), known))


def decoded_text(
    path: Path, encoding: str | None = None, names: Collection[str] = (), tolerant: bool = False
) -> Text:
    """Return the text of a file and its encoding; DataError with its line if it is not a text of names.

    If `tolerant`, invisible characters and damaged bytes are left to the caller.
    """
    if not is_there(path):
        raise DataError(Problem(tr("is a folder") if is_folder(path) else tr("no such file"), str(path)))
    content = read_within(path, FILE_LIMIT, tr("is larger than 1 MiB"))
    refuse(content, str(path))
    known = (*(word for key in columns() for word in spelt(key)), *names)
    try:
        found = read_text(content, str(path), encoding, known, invisible=tolerant)
    except DataError:
        whole = salvaged(content, encoding, known) if tolerant else None
        if whole is None:
            raise
        found = whole
    refuse(found.text.encode(errors="replace"), str(path))
    return found


def cell_rows(
    text: str, file: str, known: Mapping[str, str], refused: list[Problem] | None = None
) -> list[tuple[int, list[str]]]:
    """Return the cells of every line that is not empty, with its number, under the delimiter of its headings."""
    body = _body(text)
    skipped = len(io.StringIO(text, newline="").readlines()) - len(body)
    return split_rows(body, _delimiter(body, known), file, 1 + skipped, refused)


def _body(text: str) -> list[str]:
    """Return the lines of a text without a spreadsheet's own first line."""
    lines = io.StringIO(text, newline="").readlines()
    return lines[bool(lines) and plain(lines[0]).startswith("sep=") :]


def _delimiter(lines: Sequence[str], known: Mapping[str, str]) -> str:
    """Return the sign between the cells of the headings."""
    return max(DELIMITERS, key=lambda mark: max((_heads(line, mark, known) for line in _first(lines)), default=0))


def split_rows(
    lines: Sequence[str], delimiter: str, file: str, first: int = 1, refused: list[Problem] | None = None
) -> list[tuple[int, list[str]]]:
    """Return the cells of lines, the first of which has that number; those of a Markdown table at its bars.

    Raises:
        DataError: for the first line that cannot be split, unless such lines are added to `refused`. A quotation
            mark that is not closed costs its own line only: those below it are then read one by one.

    """
    if delimiter == "|":
        cut = [
            (at, [cell.strip() for cell in line.strip().strip("|").split("|")])
            for at, line in enumerate(lines, first)
        ]
        return [(at, row) for at, row in cut if any(cell.strip("-:=+ ") for cell in row)]
    rows: list[tuple[int, list[str]]] = []
    for at, row in _split(lines, delimiter, file, first, refused):
        if any(cell.strip() for cell in row):
            rows.append((at, [cell.strip() for cell in row]))
        if len(rows) > ROW_LIMIT + 1:
            raise DataError(Problem(tr("has more than {row_limit} rows", row_limit=ROW_LIMIT), file, at))
    return rows


def _split(
    lines: Sequence[str], delimiter: str, file: str, first: int, refused: list[Problem] | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line, or of several lines that a quoted cell joins."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    begun = 0
    try:
        for row in reader:
            joined = lines[begun + 1 : reader.line_num]
            if refused is not None and any(line.count(delimiter) >= _OF_ROW for line in joined):
                break  # the lines that a quotation mark joins are rows
            yield first + begun, row
            begun = reader.line_num
        else:
            return
    except csv.Error as error:
        if refused is None:
            raise DataError(_unsplit(file, first + begun, error)) from error
    for at, line in enumerate(lines[begun:], first + begun):
        try:
            yield at, next(csv.reader([line], delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            refused.append(_unsplit(file, at, error))


def _unsplit(file: str, line: int, error: csv.Error) -> Problem:
    """Describe a line that cannot be split into cells."""
    if str(error) == "unexpected end of data":
        hint = tr("close it or delete it; a quotation mark inside a quoted cell is doubled")
        return Problem(tr("opens a quotation mark that is not closed"), file, line, hint)
    hint = tr("double a quotation mark inside a quoted cell")
    return Problem(tr("cannot be read as CSV: {reason}", reason=tr_external(str(error))), file, line, hint)


def _first(lines: Sequence[str]) -> list[str]:
    """Return the lines that may be headings."""
    return [line for line in lines[: 2 * MOST_TITLES] if line.strip(f" \r\n{DELIMITERS}")][:MOST_TITLES]


def _heads(line: str, delimiter: str, known: Mapping[str, str]) -> int:
    """Return how many headings a line has that are known, with that sign between them."""
    cut = line.strip().strip("|") if delimiter == "|" else line.rstrip("\r\n")
    return sum(plain(cell.strip().strip('"')) in known for cell in cut.split(delimiter))


def _table(
    file: str,
    encoding: str,
    rows: list[tuple[int, list[str]]],
    needed: Sequence[str],
    known: Mapping[str, str],
    refused: list[Problem] | None = None,
) -> Table:
    """The rows by column."""
    (line, heads), *body = rows
    keys = [known.get(plain(head), "") for head in heads]
    strange = [head for head, key in zip(heads, keys, strict=True) if head and not key]
    problems = [
        Problem(tr("the column {key} is missing", key=key), file, line, _missing(key, strange))
        for key in needed
        if key not in keys
    ]
    if not any(keys):
        hint = tr("the first line names the columns, such as {needed}", needed=",".join(needed))
        problems.insert(0, Problem(tr("has no known headings"), file, line, hint))
    twice = dict.fromkeys(key for key in keys if key and keys.count(key) > 1)
    problems += [Problem(tr("the column {key} appears twice", key=key), file, line) for key in twice]
    DataError.raise_if_any(problems)
    least = 1 + max(at for at, key in enumerate(keys) if key)
    faults = {at: fault for at, row in body if (fault := _row_fault(file, at, row, least, len(keys)))}
    if refused is None:
        DataError.raise_if_any(faults.values())
    else:
        refused += faults.values()
    made = [_row(file, at, heads, keys, row) for at, row in body if at not in faults]
    return Table(file, encoding, tuple(key for key in keys if key), tuple(made), tuple(strange))


def _row(file: str, line: int, heads: Sequence[str], keys: Sequence[str], row: Sequence[str]) -> Row:
    """Return a line's cells by column."""
    extra = {
        head or str(at): cell
        for at, (head, key, cell) in enumerate(zip(heads, keys, row, strict=False), 1)
        if cell and not key
    }
    return Row(file, line, {key: cell for key, cell in zip(keys, row, strict=False) if key}, extra)


def _row_fault(file: str, line: int, row: Sequence[str], least: int, most: int) -> Problem | None:
    """Return a problem if a line cannot be read as a row."""
    return damage(file, line, "".join(row)) or _width(file, line, row, least, most) or _invisible(file, line, row)


def _width(file: str, line: int, row: Sequence[str], least: int, most: int) -> Problem | None:
    """What is wrong with how many cells a line has."""
    message = tr("has {count} cells, but there are only {most} columns", count=len(row), most=most)
    if any(row[most:]):
        return Problem(message, file, line, tr("put quotation marks around a cell that contains the separator"))
    return Problem(message, file, line, tr("keep the separators of empty cells")) if len(row) < least else None


def _invisible(file: str, line: int, row: Sequence[str]) -> Problem | None:
    """Return a problem if a cell of a line holds an invisible character."""
    fault = next(filter(None, (invisible_fault(cell, accepted="\t\r\n") for cell in row)), "")
    return Problem(fault, file, line, tr("type the cell again")) if fault else None


def _missing(key: str, strange: list[str]) -> str:
    """What to say of a column that is not there: which heading may mean it, or how it may be headed."""
    if strange and (guess := near(key, strange)).startswith("did"):
        return guess
    known = spelt(key)
    return tr("accepted headings: {known}", known=[*known[:_SHOWN], *(["…"] if len(known) > _SHOWN else [])])
