"""Read and write CSV files with headings in many languages, any common delimiter, and protection from formulas."""

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
from generator.localization import LocalizedStr, bilingual, joined, tr, tr_external
from generator.model.words import LANGS, Lang, Words
from generator.notation import toml
from generator.notation.text import invisible_fault, name_fault, name_hint
from generator.store.folders import is_folder, is_there, read_within
from generator.tournament.damage import damage_problem, salvage
from generator.tournament.encoding import Text, read_text
from generator.tournament.file_kinds import TRF, refuse, text_kind


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column with the heading that Muster writes and other accepted headings."""

    name: Words
    also: tuple[str, ...] = ()


class _Cells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bye: tuple[str, ...]
    half_bye: tuple[str, ...]
    """Words in files of other programs for a bye that counts half."""
    no_opponent: tuple[str, ...]
    """Other words in files of other programs for a bye, which may be the names of players elsewhere."""
    not_opponents: tuple[str, ...]
    """Words in the cell of an opponent that are neither a name nor a bye, besides those of `unsure` and `gone`."""
    around: tuple[str, ...]
    """Words that may surround a number, as in "Round 3" or "3卓"."""
    a: tuple[str, ...]
    b: tuple[str, ...]
    draw: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    plays: tuple[str, ...]
    """Other words in a column of attendance that mean that a player plays."""
    titles: tuple[str, ...]
    """Words that occur in titles above a list of names."""
    family_first: tuple[str, ...]
    """Headings in languages that write the family name first."""
    gone: tuple[str, ...]
    """Words in remarks that mean that a player does not play."""
    comes_later: tuple[str, ...]
    """Words in remarks that mean that a player does not play from the first round on."""
    gone_notes: tuple[str, ...]
    """Whole notes in brackets after a name that mean that the player does not play, or may not play."""
    gone_words: tuple[str, ...]
    """Single words before or after a name, in small letters, that mean that the player does not, or may not, play."""
    gone_ends: tuple[str, ...]
    """Words at the end of a Japanese name, without a space before them, that mean that the player does not play."""
    harmless: tuple[str, ...]
    """Words in remarks that do not concern whether the player plays."""
    readings: tuple[str, ...]
    """Notes in a heading for the reading of a name, such as カナ."""
    ditto: tuple[str, ...]
    """Signs and words that repeat the cell above."""
    nothing: tuple[str, ...]
    """Remarks without content."""
    remark_headings: tuple[str, ...]
    """Headings of columns with remarks."""
    unsure: tuple[str, ...]
    """Words that mean that it is not known whether, or who, plays."""
    courtesies: tuple[str, ...]
    """Words of greetings and thanks, which do not occur in names."""
    sections: tuple[str, ...]
    """Titles of parts of a list whose players do not play yet or any more."""
    around_sections: tuple[str, ...]
    """Words that may surround such a title, as in “Cancelled players” or 欠席者一覧."""
    groups: tuple[str, ...]
    """Words before or after the name of a team in the title of a group of players."""
    vacancies: tuple[str, ...]
    """Words in the cell of a name that mean that a place is free, or that the list ends."""
    note_labels: tuple[str, ...]
    """Words before a colon at the beginning of a note."""
    sentence_words: tuple[str, ...]
    """English words of sentences that do not occur in names."""
    totals: tuple[str, ...]
    """Words in a row that counts or adds up the rows above."""
    joins: tuple[str, ...]
    """Words between the names of two players, such as “and”."""
    joins_surnames: tuple[str, ...]
    """Words between the names of two players, or between two surnames of one player, such as “y”."""
    other_headings: tuple[str, ...]
    """Headings of other columns that lists of players often have."""
    both_scores: tuple[str, ...]
    """Headings of a column with both scores of a game."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    column: dict[str, Column]
    cell: _Cells


@lru_cache(maxsize=4096)  # The same names are compared many times.
def plain(text: str) -> str:
    """Return a text in the form used for comparisons.

    Compatible characters are unified (NFKC), case is folded, and spaces, hyphens and underscores are removed.
    """
    return re.sub(r"[\s_\-‐]+", "", unicodedata.normalize("NFKC", text)).casefold() or text.strip()


@cache
def columns() -> dict[str, Column]:
    """Return the columns, keyed by their key in the code."""
    return _file().column


def column_name(key: str) -> LocalizedStr:
    """Return the heading that Muster writes above a column in each language."""
    name = columns()[key].name
    return bilingual(name.en, name.ja)


def heading_line(keys: Iterable[str]) -> LocalizedStr:
    """Return the first line of a CSV file with these columns, as Muster writes it in each language."""
    return joined(map(column_name, keys), ",", ",")


def accepted_headings(key: str) -> tuple[str, ...]:
    """Return the accepted headings of a column, beginning with its key and the headings that Muster writes."""
    column = columns()[key]
    return tuple(dict.fromkeys((key, *(column.name[lang] for lang in LANGS), *column.also)))


def headings(keys: Iterable[str]) -> dict[str, str]:
    """Return the column for each accepted heading, keyed by the heading's plain form."""
    return {plain(text): key for key in keys for text in accepted_headings(key)}


def cell_words() -> _Cells:
    """Return the words that are recognised in cells."""
    return _file().cell


def means(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a cell contains one of these words."""
    return plain(text) in plain_words(words)


@lru_cache(maxsize=256)  # The lists of words, and their combinations.
def plain_words(words: tuple[str, ...]) -> frozenset[str]:
    """Return words in the form used for comparisons."""
    return frozenset(map(plain, words))


def number(text: str) -> int | None:
    """Return the whole number in a cell, ignoring words around it, or None if there is none.

    The number has at most six digits. "2.0" and "2,0", which spreadsheets and scripts write, are read as 2.
    """
    stripped = unicodedata.normalize("NFKC", text).casefold().strip()
    for word in cell_words().around:
        stripped = stripped.removeprefix(plain(word)).removesuffix(plain(word)).strip()
    found = re.fullmatch("([0-9]{1,6})(?:[.,]0+)?", stripped)
    return int(found[1]) if found else None


_file = toml.shipped_table("tournament/columns.toml", _File)


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The characters at the start of a cell that make spreadsheets treat it as a formula."""


def write(lang: Lang, keys: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Return rows below the headings of these columns as CSV. Missing cells are empty."""
    return csv_bytes(
        [columns()[key].name[lang] for key in keys], ([row.get(key, "") for key in keys] for row in rows)
    )


def csv_bytes(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows below the given headings as CSV, in UTF-8 with a byte order mark.

    Texts that look like formulas are escaped.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heads)
    writer.writerows([_escape_formula(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _escape_formula(cell: object) -> object:
    """Return a cell with an apostrophe before it if it would be a formula, and any other cell unchanged."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


FILE_LIMIT = 1 << 20
ROW_LIMIT = 10_000
PLAYER_LIST_COLUMNS = ("name", "nickname", "first_name", "last_name", "absent", "present", "status")
"""The columns that occur only in lists of players."""
MAX_TITLE_LINES = 40
"""The maximum number of title lines above the headings."""
_ERROR_VALUE = re.compile(
    r"#(?:[A-ZÀ-Þ_/0-9¡¿]{2,12}[!?]|N/?[AVD]|N/DISP|N/B|I/T|GETTING_DATA|BUSY!?)|(?:Err|Error|エラー|Fehler):\s?[0-9]{3}",
    re.IGNORECASE,
)
"""Matches the error of a formula as spreadsheets show it, in several languages."""
_NAME_FORMULA = ("=", "+", "-", "@")
"""The characters at the start of a name that make spreadsheets treat it as a formula."""
_MAX_HEADINGS_LISTED = 8
"""The maximum number of headings that a message about a missing column lists."""
DELIMITERS = ",;\t|，；、"
"""The delimiters of cells. If several are equally plausible, the first is used."""
LINE_BREAK = "\u2028"
"""The sign between the lines of a cell of a spreadsheet or web page, which are read as one line of CSV."""
_SEATS = ("player_a", "player_b")
_MIN_CELLS_OF_OTHER_ROW = 5
"""The number of cells with which a line that has another separator than the headings is a row, not a title."""
_BAR = re.compile(r"(?<!\\)\|")
"""Matches a bar of a Markdown table. A bar after a backslash is part of a cell."""
_MIN_ROW_SEPARATORS = 2
"""The number of separators with which a line counts as a separate row. A table has at least three columns."""


class Row(msgspec.Struct, frozen=True):
    """A line of a file, with its number (counted from 1) and its cells, keyed by column. Missing cells are empty."""

    file: str
    line: int
    cells: Mapping[str, str]
    extra: Mapping[str, str] = {}
    """Filled cells in unknown columns, keyed by the column's heading, or by the column's number if it has no heading.
    """

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def problem(self, message: str, hint: str = "") -> Problem:
        """Return a problem at this line."""
        return Problem(message, self.file, self.line, hint)

    def number(self, column: str, low: int, high: int) -> int | Problem:
        """Return the whole number in a column, or a problem if there is no number from `low` to `high`."""
        found = number(self[column])
        if found is None or not low <= found <= high:
            return self.problem(
                tr(
                    "{column} {value!r} is not a number from {low} to {high}",
                    column=column_name(column),
                    value=self[column][:40],
                    low=low,
                    high=high,
                )
            )
        return found

    def name(self, column: str) -> str | Problem:
        """Return the name in a column with single spaces, or a problem if it is not valid.

        The name is an empty string if the cell is empty.
        """
        name = " ".join(unicodedata.normalize("NFC", self[column]).split())
        if is_error_value(name):
            return self.problem(*error_value_fault(column_name(column), name))
        if unicodedata.normalize("NFKC", name).startswith(_NAME_FORMULA) and not means(name, cell_words().bye):
            hint = tr(
                "begin the name with another character, because spreadsheet programs evaluate a cell "
                "that begins with one of {formula}",
                formula=" ".join(_NAME_FORMULA),
            )
            return self.problem(
                tr("{column} {name!r} is a formula, not a name", column=column_name(column), name=name[:40]), hint
            )
        if name and (fault := name_fault(name)):
            return self.problem(
                tr("{column} {name!r} {fault}", column=column_name(column), name=name[:40], fault=fault),
                name_hint(name),
            )
        return name


def is_error_value(cell: str) -> bool:
    """Return whether a cell contains the error of a formula, such as `#N/A`, `#BEZUG!` or `Err:502`."""
    return bool(_ERROR_VALUE.fullmatch(cell.strip()))


def error_value_fault(head: str, cell: str) -> tuple[str, str]:
    """Return a message and a hint about the error of a formula, or a formula without a value, in a column."""
    message = tr("{head} contains {cell!r} instead of the value of a formula", head=head, cell=cell[:40])
    return message, tr("correct the formula, or type its value into the cell")


class Table(msgspec.Struct, frozen=True):
    """The content of a file, with its name and encoding."""

    file: str
    encoding: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    ignored: tuple[str, ...] = ()
    """The headings of columns that are not used."""
    delimiter: str = ","
    """The delimiter of the cells."""
    heads: Mapping[str, str] = {}
    """The headings of the known columns, keyed by column."""
    titles: tuple[str, ...] = ()
    """The lines above the headings, which are not read."""
    first_line: int = 1
    """The line of the headings."""

    def unused(self, used: Collection[str]) -> list[str]:
        """Return the headings of unknown columns, and of filled columns that are not among `used`."""
        other = [key for key in self.columns if key not in used and any(row[key] for row in self.rows)]
        untitled = dict.fromkeys(int(head) for row in self.rows for head in row.extra if head.isdecimal())
        labels = [tr("column {n}, which has no heading", n=n) for n in untitled if str(n) not in self.ignored]
        return [*(self.heads.get(key, key) for key in other), *self.ignored, *labels]

    def line(self, cells: Mapping[str, object]) -> str:
        """Return cells, keyed by column, as a line of this file."""
        row = [str(_escape_formula(cells.get(column, ""))) for column in self.columns]
        if self.delimiter == "|":
            return f"| {' | '.join(row)} |"
        out = io.StringIO()
        csv.writer(out, delimiter=self.delimiter, lineterminator="").writerow(row)
        return out.getvalue()


def is_blank(content: bytes) -> bool:
    """Return whether a table is empty except for its headings."""
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
    """Read a CSV file. `names` are players who may occur in it, which helps to detect the encoding.

    If `refused` is given, faulty rows are skipped and their problems are added to it. Rows are faulty if they have
    too few or too many cells, damaged bytes, an open quotation mark or invisible characters.

    Raises:
        DataError: If the file cannot be read or lacks a needed column, or if rows are faulty and `refused` is not
            given.
    """
    text = decoded_text(path, encoding, names, tolerant=refused is not None)
    if text_kind(text.text) == TRF:
        hint = tr(
            "pair the rounds of this file one at a time: {command}",
            command="muster tournament pair EVENT --pairings FILE",
        )
        raise DataError(Problem(tr("this is a TRF16 file"), str(path), hint=hint))
    return read_table(text.text, str(path), text.encoding, needed, refused, names)


def table_headings() -> dict[str, str]:
    """Return the column for each heading that a table of pairings or results may have, keyed by its plain form."""
    return headings(key for key in columns() if key not in PLAYER_LIST_COLUMNS)


def read_table(
    text: str,
    file: str,
    encoding: str,
    needed: Sequence[str],
    refused: list[Problem] | None = None,
    names: Collection[str] = (),
) -> Table:
    """Return the table in the text of a file, as `read` does.

    A row above the headings is faulty. Other lines above the headings are titles.

    Raises:
        DataError: If a needed column is missing, or if rows are faulty and `refused` is not given.
    """
    known = table_headings()
    open_quotes: list[Problem] | None = None if refused is None else []
    rows = cell_rows(text, file, known, open_quotes)
    if not rows:
        raise DataError(
            *(open_quotes or ()),
            Problem(
                tr("is empty"),
                file,
                hint=tr("this file needs the columns {needed}", needed=[*map(column_name, needed)]),
            ),
        )
    headed = (
        at for at, (_, row) in enumerate(rows[:MAX_TITLE_LINES]) if {*needed} <= {known.get(plain(c)) for c in row}
    )
    if refused is not None and open_quotes:
        refused += open_quotes
    first = next(headed, 0)
    table = _table(file, encoding, rows[first:], needed, known, refused)
    keys = [known.get(plain(head), "") for head in rows[first][1]]
    names = {*names, *(row[seat] for row in table.rows for seat in _SEATS)}
    lost = {at for at, row in rows[:first] if is_row_of_table(row, keys, names)}
    faults = [row_above_problem(file, at, row) for at, row in rows[:first] if at in lost]
    if refused is None:
        DataError.raise_if_any(faults)
    else:
        refused += faults
    titles = tuple(format_line(row) for at, row in rows[:first] if at not in lost)
    return replace(table, delimiter=_delimiter(_body(text), known), titles=titles, first_line=rows[first][0])


def is_row_of_table(cells: Sequence[str], keys: Sequence[str], names: Collection[str]) -> bool:
    """Return whether a line above the headings of a table of pairings or results is one of its rows, not a title.

    `keys` are the columns of the table, and `names` are names of players. A row has a player in a cell, or both
    players and a number in their columns. A line that mentions two players is not a title either.
    """
    players = {plain(name): name for name in names if len(name) > 1 and not means(name, cell_words().bye)}
    if any(plain(cell) in players for cell in cells):
        return True
    by = dict(zip(keys, cells, strict=False))
    has_number = any(number(by.get(key, "")) is not None for key in ("round", "table", "score_a", "score_b"))
    if has_number and by.get("player_a") and by.get("player_b"):
        return True
    line = format_line(cells)
    if line in cells and any(sum(map(bool, line.split(sign))) >= _MIN_CELLS_OF_OTHER_ROW for sign in DELIMITERS):
        return True
    return sum(bool(_mention(name).search(line)) for name in players.values()) > 1


@lru_cache(maxsize=1024)  # Every line is searched for the same names.
def _mention(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a name in a line."""
    edge = r"\b" if name.isascii() else ""
    return re.compile(rf"{edge}{re.escape(name)}{edge}", re.IGNORECASE)


def row_above_problem(file: str, line: int, cells: Sequence[str]) -> Problem:
    """Return a problem for a row above the line of headings."""
    hint = tr("move the line of headings to the top of the file, or delete this row")
    return Problem(tr("the row “{text}” is above the headings", text=format_line(cells)[:60]), file, line, hint)


def format_line(cells: Iterable[str]) -> str:
    """Return the filled cells of a line, separated by commas."""
    return ", ".join(filter(None, cells))


def decoded_text(
    path: Path, encoding: str | None = None, names: Collection[str] = (), tolerant: bool = False
) -> Text:
    """Return the text of a file and its encoding.

    If `tolerant` is true, the caller must handle invisible characters and damaged bytes.

    Raises:
        DataError: If the file is not text with names. The error has the line.
    """
    if not is_there(path):
        raise DataError(Problem(tr("is a folder") if is_folder(path) else tr("no such file"), str(path)))
    content = read_within(path, FILE_LIMIT, tr("is larger than 1 MiB"))
    refuse(content, str(path))
    known = (*(word for key in columns() for word in accepted_headings(key)), *names)
    try:
        found = read_text(content, str(path), encoding, known, invisible=tolerant)
    except DataError:
        whole = salvage(content, encoding, known) if tolerant else None
        if whole is None:
            raise
        found = whole
    refuse(found.text.encode(errors="replace"), str(path))
    return found


def cell_rows(
    text: str, file: str, known: Mapping[str, str], refused: list[Problem] | None = None
) -> list[tuple[int, list[str]]]:
    """Return the number and the cells of every line that is not empty, split at the delimiter of the headings."""
    body = _body(text)
    skipped = len(io.StringIO(text, newline="").readlines()) - len(body)
    return split_rows(body, _delimiter(body, known), file, 1 + skipped, refused)


def _body(text: str) -> list[str]:
    """Return the lines of a text, without the line `sep=…` with which some spreadsheets begin."""
    lines = io.StringIO(text, newline="").readlines()
    return lines[bool(lines) and plain(lines[0]).startswith("sep=") :]


def _delimiter(lines: Sequence[str], known: Mapping[str, str]) -> str:
    """Return the delimiter of the headings."""
    return max(
        DELIMITERS,
        key=lambda mark: max((_count_headings(line, mark, known) for line in _possible_headings(lines)), default=0),
    )


def split_rows(
    lines: Sequence[str], delimiter: str, file: str, first: int = 1, refused: list[Problem] | None = None
) -> list[tuple[int, list[str]]]:
    """Return the number and the cells of each line. The first number is `first`.

    Markdown tables are split at their bars.

    If `refused` is given, lines that cannot be split are skipped and their problems are added to it. An open
    quotation mark affects only its own line, because the lines below are then read one by one.

    Raises:
        DataError: If a line cannot be split and `refused` is not given, or if there are too many rows.
    """
    if delimiter == "|":
        cut = [
            (at, [cell.strip().replace(r"\|", "|") for cell in _BAR.split(line.strip().strip("|"))])
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
    """Yield the number and the cells of each line, or of several lines that are joined by a quoted cell."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    begun = width = 0
    try:
        for row in reader:
            joined = lines[begun + 1 : reader.line_num]
            closed = len(row) == width  # A quoted line break in a cell leaves the number of cells as it is.
            width = max(width, len(row))
            if (
                refused is not None
                and not closed
                and any(line.count(delimiter) >= _MIN_ROW_SEPARATORS for line in joined)
            ):
                break  # The lines joined by a quotation mark are separate rows.
            yield first + begun, row
            begun = reader.line_num
        else:
            return
    except csv.Error as error:
        if refused is None:
            raise DataError(_split_problem(file, first + begun, error)) from error
    for at, line in enumerate(lines[begun:], first + begun):
        try:
            yield at, next(csv.reader([line], delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            refused.append(_split_problem(file, at, error))


def _split_problem(file: str, line: int, error: csv.Error) -> Problem:
    """Return a problem for a line that cannot be split into cells."""
    if str(error) == "unexpected end of data":
        hint = tr("close or delete the quotation mark; inside a quoted cell, write every quotation mark twice")
        return Problem(tr("a quotation mark is not closed"), file, line, hint)
    hint = tr("inside a quoted cell, write every quotation mark twice")
    return Problem(tr("cannot be read as CSV: {reason}", reason=tr_external(str(error))), file, line, hint)


def _possible_headings(lines: Sequence[str]) -> list[str]:
    """Return the lines that may contain headings."""
    return [line for line in lines[: 2 * MAX_TITLE_LINES] if line.strip(f" \r\n{DELIMITERS}")][:MAX_TITLE_LINES]


def _count_headings(line: str, delimiter: str, known: Mapping[str, str]) -> int:
    """Return the number of known headings in a line when it is split at the delimiter."""
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
    """Return a table with the cells of the rows, keyed by column."""
    (line, heads), *body = rows
    keys = [known.get(plain(head), "") for head in heads]
    strange = [head for head, key in zip(heads, keys, strict=True) if head and not key]
    problems = [
        Problem(tr("the column {key} is missing", key=column_name(key)), file, line, _missing_hint(key, strange))
        for key in needed
        if key not in keys
    ]
    if not any(keys):
        hint = tr("begin the file with a line of column headings, such as {needed}", needed=heading_line(needed))
        raise DataError(Problem(tr("this line contains no known column heading"), file, line, hint))
    both = next((head for head in strange if means(head, cell_words().both_scores)), "")
    if both and {"score_a", "score_b"} <= {*needed} - {*keys}:
        scores = [column_name("score_a"), column_name("score_b")]
        message = tr("the column {head} has both scores in one cell", head=both[:40])
        hint = tr("write the two scores in two columns, {columns}, as in 2 and 1 instead of 2-1", columns=scores)
        if strange.count(both) > 1:
            message = tr("the column {key} appears twice", key=both[:40])
            hint = tr("name the two columns {columns}", columns=scores)
        lacking = [key for key in needed if key not in keys]
        at = [lacking.index("score_a"), lacking.index("score_b")]
        problems = [problem for n, problem in enumerate(problems) if n not in at]
        problems.append(Problem(message, file, line, hint))
    twice = dict.fromkeys(key for key in keys if key and keys.count(key) > 1)
    problems += [
        Problem(
            tr("the column {key} appears twice", key=column_name(key)),
            file,
            line,
            same_heading_hint([head for head, other in zip(heads, keys, strict=True) if other == key]),
        )
        for key in twice
    ]
    DataError.raise_if_any(problems)
    min_cells = 1 + max(at for at, key in enumerate(keys) if key)
    faults = {at: fault for at, row in body if (fault := _row_fault(file, at, row, min_cells, len(keys)))}
    if refused is None:
        DataError.raise_if_any(faults.values())
    else:
        refused += faults.values()
    made = [_row(file, at, heads, keys, row) for at, row in body if at not in faults]
    by_key = {key: head for key, head in zip(keys, heads, strict=True) if key}
    return Table(file, encoding, tuple(by_key), tuple(made), tuple(strange), heads=by_key)


def same_heading_hint(heads: Sequence[str]) -> str:
    """Return a hint about headings that have the same meaning."""
    return tr("these headings have the same meaning: {heads}; keep only one of these columns",
              heads=[head[:40] for head in heads])  # fmt: skip


def _row(file: str, line: int, heads: Sequence[str], keys: Sequence[str], row: Sequence[str]) -> Row:
    """Return a line with its cells, keyed by column."""
    extra = {
        head or str(at): cell
        for at, (head, key, cell) in enumerate(zip(heads, keys, row, strict=False), 1)
        if cell and not key
    }
    return Row(file, line, {key: cell for key, cell in zip(keys, row, strict=False) if key}, extra)


def _row_fault(file: str, line: int, row: Sequence[str], min_cells: int, max_cells: int) -> Problem | None:
    """Return a problem if a line cannot be read as a row, and None otherwise."""
    return (
        damage_problem(file, line, "".join(row))
        or width_fault(file, line, row, min_cells, max_cells)
        or _invisible_fault(file, line, row)
    )


def width_fault(file: str, line: int, row: Sequence[str], min_cells: int, max_cells: int) -> Problem | None:
    """Return a problem if a line has too many or too few cells, and None otherwise."""
    message = tr(
        "the number of cells in this row is {count}, but the number of columns is {most}",
        count=len(row),
        most=max_cells,
    )
    if any(row[max_cells:]):
        return Problem(message, file, line, tr("put quotation marks around a cell that contains the separator"))
    return (
        Problem(message, file, line, tr("keep the separators around empty cells")) if len(row) < min_cells else None
    )


def _invisible_fault(file: str, line: int, row: Sequence[str]) -> Problem | None:
    """Return a problem if a cell of a line contains an invisible character, and None otherwise."""
    fault = next(filter(None, (invisible_fault(cell, accepted="\t\r\n") for cell in row)), "")
    return Problem(fault, file, line, tr("type the text of the cell again")) if fault else None


def _missing_hint(key: str, strange: list[str]) -> str:
    """Return a hint for a missing column, with the heading that may be meant or the accepted headings."""
    if strange and (guess := near(key, strange)).startswith("did"):
        return guess
    known = accepted_headings(key)
    return tr(
        "accepted headings: {known}",
        known=[*known[:_MAX_HEADINGS_LISTED], *(["…"] if len(known) > _MAX_HEADINGS_LISTED else [])],
    )
