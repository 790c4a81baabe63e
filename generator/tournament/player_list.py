"""Read lists of players in common forms: plain names, tables, numbered lists and TRF16."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from generator.errors import DataError, Problem
from generator.localization import LocalizedStr, joined, tr
from generator.notation.text import NAME_LIMIT
from generator.tournament.aligned_lists import headings_message, joined_headings, split_aligned
from generator.tournament.attendance import (
    attendance,
    is_about_attendance,
    is_remark_column,
    is_unclear_remark,
    may_be_absence,
)
from generator.tournament.csv_files import (
    MAX_TITLE_LINES,
    Row,
    cell_rows,
    cell_words,
    column_name,
    decoded_text,
    error_value_fault,
    format_line,
    headings,
    is_error_value,
    means,
    plain,
    row_above_problem,
    same_heading_hint,
    split_rows,
    width_fault,
)
from generator.tournament.file_kinds import TRF, text_kind
from generator.tournament.odd_lines import (
    are_answered,
    are_standings,
    has_break,
    is_gone,
    is_struck_out,
    line_fault,
    lines_fault,
    on_one_line,
    says_gone,
    section_fault,
    struck_out,
    without_double_spaces,
    without_line_through,
)
from generator.tournament.odd_rows import NAMES, OddRows
from generator.tournament.pairings import MAX_PLAYERS, Entrant
from generator.tournament.part_columns import misses_part
from generator.tournament.rows_above import TITLE, YEAR, has_title_word, rows_above
from generator.tournament.trf import player_lines

Absent = Literal["skip", "seat"]
ABSENT: tuple[Absent, ...] = ("skip", "seat")
"""The ways to treat players whom the list marks as absent."""
COLUMNS = ("name", "nickname", "team", "first_name", "last_name", "absent", "present", "status")
_NAMES = {*NAMES}
_HEADING_LINE = "name,team"
"""A line of headings that a list may begin with."""

_FORMULA = re.compile(r"=\s*[\w(\[$\"'+-]")
"""Matches a formula without a value. Names and teams are checked for formulas when players are made of the rows."""
_UNMISTAKABLE_HEADINGS = ("name", "names", "player", "players", "player name", "氏名", "名前", "選手", "選手名")
"""Headings that are not the names of players, unlike `Nom` or `Ad`."""

_NUMBER = re.compile(
    r"\s*[(\[（［]?\s*(?:no\.?|nr\.?|№|#)?\s*([0-9０-９]{1,3})\s*[.):：、．）\]］]+(?:\s+(?=\S)|(?=[^\s0-9０-９]))",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\s*([0-9０-９]{1,3})\s+(?=\S)")
_CIRCLED = re.compile(r"\s*[①-⑳㉑-㉟㊱-㊿⑴-⒇⒈-⒛]\s*(?=\S)")
_BULLET = re.compile(r"\s*(?:[-*+–—>]\s+|[•‣◦・·●○◆■□▪▶※]\s*)(?=\S)")
_MARKERS = (_NUMBER, _CIRCLED, _BULLET)
_QUOTED = re.compile(r"""["'“”„«「『](.+)["'“”»」』]""")
_MARKUP = re.compile(r"\*\*(.+)\*\*|__(.+)__|`(.+)`|\[([^\[\]]+)\]\(\S+\)")
"""Matches a name that Markdown marks as bold, as code or as a link."""
_BOX = re.compile(r"\s*(?:[-*+]\s+)?(?:\[[ xX✓]?\]|[☐☑☒✅❌])\s*\S")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}")


_MAX_LINE_CHARS = 300
"""The maximum length of a line with a name and a remark. The patterns take minutes for lines of some kilobytes."""
_AROUND = "#*\"':：?？"
"""Characters around a heading that are not part of it."""
_NOTE = re.compile(r"[(（\[［][^()（）\[\]［］]*[)）\]］]\s*$")
"""Matches a note in brackets at the end of a heading."""


class Listed(msgspec.Struct, frozen=True):
    """A list of players as read from a file."""

    file: str
    encoding: str
    rows: tuple[Row, ...]
    away: tuple[tuple[Row, str], ...] = ()
    """The rows of players who may not play, each with the cell that marks the player."""
    remarks: tuple[LocalizedStr, ...] = ()
    """Remarks on how the file was read, if this is not obvious."""
    unclear: frozenset[int] = frozenset()
    """The lines in `away` whose mark is not understood."""
    unclear_remarks: frozenset[int] = frozenset()
    """The lines in `unclear` whose mark is a remark in a column that is not about attendance."""


def read(path: Path, encoding: str | None = None) -> Listed:
    """Read a list of players.

    Raises:
        DataError: If lines are not players. The error lists every such line.
    """
    text = decoded_text(path, encoding)
    remarks = [encoding_remark(str(path), text.encoding)] if text.legacy else []
    if text_kind(text.text) == TRF:
        rows = [Row(str(path), at, {"name": name}) for at, name in player_lines(text.text.splitlines(), str(path))]
        return Listed(str(path), text.encoding, tuple(rows), (), tuple(remarks))
    return _Reader(str(path), text.encoding, text.text, remarks).listed()


def read_text(file: str, text: str, refused: list[Problem]) -> Listed:
    """Read a list of players from the text of a table.

    Faulty rows below the headings are skipped and their problems are added to `refused`.

    Raises:
        DataError: If the text is not a list of players, or lines of a list without headings are not players. The
            error lists every such line.
    """
    return _Reader(file, "utf-8", text, (), refused).listed()


def encoding_remark(file: str, encoding: str) -> LocalizedStr:
    """Return a remark on the encoding with which a file was read."""
    return tr(
        "{file} was read as {encoding}; to choose another encoding, add --encoding", file=file, encoding=encoding
    )


def ignored_remark(file: str, heads: Sequence[str]) -> LocalizedStr:
    """Return a remark on columns that are not used."""
    return tr("{file}: columns not used: {heads}", file=file, heads=[head[:40] for head in heads])


def titles_remark(file: str, line: int, titles: Sequence[str]) -> LocalizedStr:
    """Return a remark on the lines above the headings in a line, which are not used."""
    texts = [title[:60] for title in titles]
    return tr("{file}:{line}: these are the headings; the lines above were ignored: {texts}",
              file=file, line=line, texts=texts)  # fmt: skip


def entrants(listed: Listed, absent: Absent | None = None, minimum: int = 2) -> list[Entrant]:
    """Return the players of a list.

    `absent` determines whether players who are marked as absent are skipped or seated. `minimum` is the minimum
    number of players, which is 1 if they join an event that already has players.

    Raises:
        DataError: If lines are faulty, or `absent` is None and players are marked as absent. The error lists all
            of them.
    """
    marked = {row.line for row, _ in listed.away}
    if absent is None:
        DataError.raise_if_any(absences(listed))
    rows = [row for row in listed.rows if absent == "seat" or row.line not in marked]
    problems: list[Problem] = []
    found: dict[str, tuple[Row, Entrant]] = {}
    for row in rows:
        name, team = row.name("name"), row.name("team")
        problems += [fault for fault in (name, team) if isinstance(fault, Problem)]
        if isinstance(name, Problem) or isinstance(team, Problem):
            continue
        if means(name, ("", *cell_words().bye)):
            problems.append(row.problem(tr("the name is missing")))
        elif plain(name) in found:
            hint = tr(
                "the name is already in line {line}; if two players have the same name, write the names differently",
                line=found[plain(name)][0].line,
            )
            problems.append(row.problem(tr("{name} appears twice", name=name), hint))
        else:
            found[plain(name)] = row, Entrant(name, team)
    if not problems and not minimum <= len(found) <= MAX_PLAYERS:
        hint = tr("an event needs 2 to {most_players} players", most_players=MAX_PLAYERS)
        if not found:
            hint = tr("no player of the list takes part")
        problems.append(Problem(tr("number of players: {count}", count=len(found)), listed.file, hint=hint))
    DataError.raise_if_any(problems)
    return [player for _, player in found.values()]


def absences(listed: Listed) -> Iterator[Problem]:
    """Yield a problem for each player who is marked as absent."""
    for row, mark in listed.away:
        yield absence(listed, row, mark)


def absence(listed: Listed, row: Row, mark: str) -> Problem:
    """Return a problem for a player who is marked as absent, or whose mark is not understood."""
    hint = tr("add --absent skip to leave these players out, or --absent seat to include them")
    if row.line in listed.unclear:
        hint = tr("write yes or no in the cell, or add --absent skip to leave these players out, or --absent seat to "
                  "include them")  # fmt: skip
        if row.line in listed.unclear_remarks:
            hint = tr(
                "delete the remark if the player takes part, or add --absent skip to leave these players out, or "
                "--absent seat to include them"
            )
        return row.problem(tr("it is unclear whether {name} plays: {mark}", name=row["name"][:80], mark=mark), hint)
    return row.problem(tr("{name} is marked as absent or late: {mark}", name=row["name"][:80], mark=mark), hint)


class _Reader:
    """A reader for the lines of a list."""

    def __init__(
        self,
        file: str,
        encoding: str,
        text: str,
        remarks: Sequence[LocalizedStr],
        refused: list[Problem] | None = None,
    ) -> None:
        self.file, self.encoding, self.text = file, encoding, text
        self.lines = io.StringIO(text, newline="").readlines()
        self.known = headings(COLUMNS)
        self.remarks = list(remarks)
        self.refused = refused
        """The problems of rows that are skipped, or None if every faulty row is an error."""
        self.unclear: set[int] = set()
        """The lines with a mark of attendance that is not understood."""
        self.unclear_remarks: set[int] = set()
        """The lines whose remarks are not understood, although other remarks in the column mean an absence."""

    def listed(self) -> Listed:
        """Return the list.

        Raises:
            DataError: If lines cannot be read. The error lists every such line.
        """
        if not self.text.strip():
            raise self._empty()
        rows, headed = self._headed()
        if headed is None:
            made = self._plain_list()
            away: list[tuple[Row, str]] = []
        else:
            made, away = self._table(rows, headed)
            made = self._without_faults(made, self._too_long(made))
        made = self._on_one_line(made)
        made = self._unmarked([self._without_markup(row) for row in made], headed is not None)
        made = self._without_odd(made, headed is not None)
        marked = {row.line for row, _ in away}
        away += [
            (row, tr("“{text}”", text=row["name"][:60]))
            for row in made
            if row.line not in marked and is_gone(row["name"])
        ]
        by_line = {row.line: self._without_line_through(row) for row in made}
        return Listed(
            self.file,
            self.encoding,
            tuple(by_line.values()),
            tuple((by_line[row.line], mark) for row, mark in away if row.line in by_line),
            tuple(self.remarks),
            frozenset(self.unclear | self.unclear_remarks),
            frozenset(self.unclear_remarks),
        )

    def _on_one_line(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows without line breaks in the names.

        Raises:
            DataError: If a cell contains several names on separate lines, and faulty rows are not skipped.
        """
        words = [len(row["name"].split()) for row in rows if row["name"] and not has_break(row["name"])]
        full_names = 2 * sum(count > 1 for count in words) > len(words)
        odd = [(row, lines_fault(row["name"], full_names)) for row in rows if has_break(row["name"])]
        rows = self._without_faults(rows, [row.problem(*fault) for row, fault in odd if fault])
        return [Row(row.file, row.line, {key: on_one_line(text) for key, text in row.cells.items()}) for row in rows]

    def _empty(self) -> DataError:
        return DataError(Problem(tr("is empty"), self.file, hint=tr("write one player's name on each line")))

    @staticmethod
    def _too_long(rows: Sequence[Row]) -> list[Problem]:
        """Return a problem for each line that is far too long for a name, before patterns search the lines."""
        return [
            row.problem(
                tr("“{text}” is longer than {limit} characters", text=row["name"][:60], limit=NAME_LIMIT),
                tr("write one player's name on each line"),
            )
            for row in rows
            if len(row["name"]) > _MAX_LINE_CHARS
        ]

    def _without_faults(self, rows: Sequence[Row], faults: Sequence[Problem]) -> list[Row]:
        """Return the rows without faults.

        Raises:
            DataError: If there are faults and faulty rows are not skipped.
        """
        if self.refused is None:
            DataError.raise_if_any(faults)
        else:
            self.refused += faults
        lines = {fault.line for fault in faults}
        return [row for row in rows if row.line not in lines]

    def _key(self, head: str) -> str:
        """Return the column of a heading, or an empty string if it is unknown.

        Headings such as "Dropped?" and "Checked in (y/n)" are accepted.
        """
        heading = head.strip().strip(_AROUND).strip()
        short = _NOTE.sub("", heading).strip(_AROUND).strip()
        return self.known.get(plain(heading)) or self.known.get(plain(short), "")

    def _keys(self, heads: Sequence[str]) -> list[str]:
        """Return the column of each heading. A nickname is used as the name if there is no column for names."""
        keys = [self._key(head) for head in heads]
        keys = ["" if self._is_reading(head, keys) else key for head, key in zip(heads, keys, strict=True)]
        nickname = "" if _NAMES & {*keys} else "name"
        return [nickname if key == "nickname" else key for key in keys]

    def _is_reading(self, head: str, keys: Sequence[str]) -> bool:
        """Return whether a heading such as `氏名（カナ）` is for the reading of a name that has another column."""
        note = _NOTE.search(head.strip().strip(_AROUND).strip())
        key = self._key(head)
        if not note or key not in _NAMES or not means(note[0].strip(" 　()（）[]［］"), cell_words().readings):
            return False
        return keys.count(key) > 1 or "name" in {*keys} - {key}

    def _headed(self) -> tuple[list[tuple[int, list[str]]], list[str] | None]:
        """Return the rows from the headings on, and the column of each heading, or None if there are no headings."""
        rows = cell_rows(self.text, self.file, self.known)
        if not rows:
            raise self._empty()
        for is_aligned in (False, True):
            parted: Sequence[tuple[int, list[str]]] = rows
            if is_aligned:
                aligned = split_aligned(self.lines, self.file, self._is_name_heading)
                if aligned is None:
                    continue
                self._without_faults([], aligned.problems)
                parted = aligned.rows
            heads = [self._keys(row) for _, row in parted[:MAX_TITLE_LINES]]
            heading_rows = [at for at, keys in enumerate(heads) if _NAMES & {*keys}]
            # If several lines contain headings, a heading such as “Players” may be a title above the others.
            at = max(
                heading_rows, key=lambda n: (sum(map(bool, heads[n])), is_aligned and len(heads[n])), default=None
            )
            if at is not None and not (at and len(heads[at]) == 1 and self._is_name(parted, at)):
                line = parted[at][0]
                DataError.raise_if_any(self._second_table(parted, heading_rows, at))
                above = parted[:at]
                lost = rows_above(above, parted[at:], heads[at], self._key)
                self._without_faults([], [row_above_problem(self.file, *row) for row in lost])
                if titles := [format_line(cells) for n, cells in above if (n, cells) not in lost]:
                    self.remarks.append(titles_remark(self.file, line, titles))
                return list(parted[at:]), heads[at]
        seats = headings(("player_a", "player_b"))
        if {"player_a", "player_b"} <= {seats.get(plain(head), "") for head in rows[0][1]}:
            hint = tr("give pairings with --pairings, and results with muster tournament results")
            message = tr("this is a table of pairings or results, not a list of players")
            raise DataError(Problem(message, self.file, rows[0][0], hint))
        return rows, None

    def _second_table(
        self, rows: Sequence[tuple[int, list[str]]], heading_rows: Sequence[int], at: int
    ) -> Iterator[Problem]:
        """Yield a problem if the headings in row `at` are below the headings and the rows of another table.

        A single cell just above, such as “Players”, is the title of the table.
        """
        first = heading_rows[0]
        if at - first > (1 if sum(map(bool, rows[first][1])) > 1 else 2):
            line, cells = rows[at]
            message = tr(
                "“{text}” looks like the headings of a second table", text=", ".join(filter(None, cells))[:60]
            )
            yield Problem(message, self.file, line, tr("keep only one table in the file"))

    @staticmethod
    def _is_name(rows: Sequence[tuple[int, list[str]]], at: int) -> bool:
        """Return whether a heading is really a name in a plain list, because more names are above than below it."""
        return at > len(rows) - at - 1

    def _is_name_heading(self, head: str) -> bool:
        return self._key(head) in {*_NAMES, "nickname"}

    def _plain_list(self) -> list[Row]:
        """Return the rows of a list that has no headings and one name on each line."""
        table = sum(line.lstrip().startswith("|") for line in self.lines) > 1
        order = ("|",) if table else ("\t", ";", ",")
        delimiter = next((sign for sign in order if any(sign in line for line in self.lines)), ",")
        rows = split_rows(self.lines, delimiter, self.file)
        hint = tr(
            "begin the list with the line {named}, or put each name that contains {delimiters} in quotation marks",
            named=_HEADING_LINE.replace(",", delimiter),
            delimiters=delimiter,
        )
        if delimiter == "\t":
            hint = tr("begin the list with a line of the headings name and team, separated by a tab")
        DataError.raise_if_any(
            Problem(
                tr("this line has {count} cells, but the file has no column headings", count=len(row)),
                self.file,
                at,
                hint,
            )
            for at, row in rows
            if any(row[1:])
        )
        found = [Row(self.file, at, {"name": row[0].rstrip("、，")}) for at, row in rows]
        DataError.raise_if_any(self._too_long(found))
        if not found:
            raise self._empty()
        if joined_headings(found[0]["name"], self._is_name_heading):
            hint = tr("separate the columns with commas or tabs")
            raise DataError(found[0].problem(headings_message(found[0]["name"]), hint))
        DataError.raise_if_any(
            row.problem(
                tr("“{text}” is the heading of a column, not a name", text=row["name"]),
                tr("move the line of headings to the top of the file, or delete this row"),
            )
            for row in found
            if means(row["name"], _UNMISTAKABLE_HEADINGS)
        )
        first, gap = found[0], [at for at, line in enumerate(self.lines, 1) if not line.strip()]
        inner = [at for at in gap if first.line < at < found[-1].line]
        # If the only gap is below the first line, this line is a title.
        titled = len(found) > 3 and inner and inner[0] == first.line + 1 and inner[-1] - inner[0] == len(inner) - 1
        titled = titled and found[1].line == inner[-1] + 1
        titled = titled or [row for row in found if YEAR.search(row["name"])] == [first]
        for row in found:
            title = titled if row is first else False
            if title or TITLE.search(row["name"]) or (row is first and has_title_word(row["name"])):
                hint = tr(
                    "delete this line; if the line is a name, begin the list with the line {named}",
                    named=_HEADING_LINE.split(",")[0],
                )
                raise DataError(
                    row.problem(tr("“{text}” looks like a title, not a name", text=row["name"][:60]), hint)
                )
        return found

    def _table(
        self, rows: Sequence[tuple[int, list[str]]], keys: Sequence[str]
    ) -> tuple[list[Row], list[tuple[Row, str]]]:
        """Return the rows below the headings, and the rows of players who are marked as absent."""
        (line, heads), *body = rows
        twice = dict.fromkeys(
            key for key in keys if key and key not in ("absent", "present", "status") and keys.count(key) > 1
        )
        DataError.raise_if_any(
            Problem(
                tr("the column {key} appears twice", key=column_name(key)),
                self.file,
                line,
                same_heading_hint([head for head, other in zip(heads, keys, strict=True) if other == key]),
            )
            for key in twice
        )
        parts = _parts(keys)
        body = [(at, self._whole(row, len(heads))) for at, row in body]
        min_cells = 1 + min(at for at, key in enumerate(keys) if key in _NAMES)
        odd = OddRows(self.file, heads, keys, self.known, body)
        DataError.raise_if_any(odd.stops())
        faults = odd.faults() or list(self._other_separators(body, len(heads)))
        faults += [
            fault
            for at, row in body
            if at not in {one.line for one in faults}
            and (fault := width_fault(self.file, at, row, min_cells, len(heads)))
        ]
        good = self._without_faults([Row(self.file, at, {}) for at, _ in body], faults)
        lines = {row.line for row in good}
        body = [(at, row) for at, row in body if at in lines]
        filled = {
            at for at, key in enumerate(keys) if key == "present" and any(row[at : at + 1] != [""] for _, row in body)
        }
        used = {key for key in keys if key} - ({"first_name", "last_name"} if parts == ("name",) else set())
        # The columns whose cells show whether the player plays. An empty cell is such a mark only in some of them.
        attended = {
            at
            for at, key in enumerate(keys)
            if key in ("absent", "present")
            or (key == "status" and is_about_attendance([row[at] for _, row in body if at < len(row)]))
        }
        used -= {"status"} - {keys[at] for at in attended}
        remarked = [n for n, key in enumerate(keys) if key not in used and self._has_absences(n, heads[n], body)]
        crossed = [n for n, head in enumerate(heads) if means(head, cell_words().remark_headings)]
        read = {n for n, key in enumerate(keys) if key in used} | {*attended, *remarked, *crossed}
        checked_later = {n for n, key in enumerate(keys) if key == "team" or (key == "name" and parts == ("name",))}
        lost = [
            Problem(message, self.file, at, hint)
            for at, row in body
            for n in sorted(read)
            if n < len(row) and (is_error_value(row[n]) or (n not in checked_later and _FORMULA.match(row[n])))
            for message, hint in [error_value_fault(heads[n] or tr("column {n}", n=n + 1), row[n])]
        ]
        self._without_faults([], lost)
        body = [(at, row) for at, row in body if at not in {fault.line for fault in lost}]
        columns = {
            n: [row[n] for _, row in body if n < len(row)]
            for n, key in enumerate(keys)
            if heads[n] and key not in used
        }
        unknown: list[Problem] = []
        """Problems of rows with the sign for the team of a row above that has no team."""
        made: list[Row] = []
        away: list[tuple[Row, str]] = []
        above = ""
        for at, row in body:
            cell = dict(zip([(n, key) for n, key in enumerate(keys)], row, strict=False))
            by = {key: text for (_, key), text in cell.items() if key}
            name = self._joined(by, parts, heads, keys)
            team = by.get("team", "")
            if means(team, cell_words().ditto):
                if not above:
                    hint = tr("write the team in this row, because the row above has no team")
                    unknown.append(Problem(tr("“{text}” is not a team", text=team), self.file, at, hint))
                team = above
            above = team
            found = Row(self.file, at, {"name": name, "team": team})
            made.append(found)
            marks = [
                tr("{head} is “{text}”", head=heads[n] or tr("column {n}", n=n + 1), text=row[n][:40])
                if row[n]
                else tr("{head} is empty", head=heads[n])
                for n, key in enumerate(keys[: len(row)])
                if _is_away(key, row[n], n in attended, n in filled) or _cell_says_gone(key, row[n], key in used)
            ]
            marks += [
                tr("{head} is “{text}”", head=heads[n], text=row[n][:40])
                if row[n]
                else tr("{head} is empty", head=heads[n])
                for n, of_column in columns.items()
                if n < len(row)
                and not _cell_says_gone("", row[n], False)
                and misses_part(heads[n], of_column, row[n])
            ]
            unread = [n for n in remarked if n < len(row) and is_unclear_remark(row[n])]
            unread += [n for n in crossed if n not in remarked and n < len(row) and may_be_absence(row[n])]
            if unread and not marks:
                self.unclear_remarks.add(at)
                marks = [
                    tr("{head} is “{text}”", head=heads[n] or tr("column {n}", n=n + 1), text=row[n][:40])
                    for n in unread
                ]
            if marks:
                away.append((found, joined(marks)))
            if any(attendance(keys[n], row[n]) == "unclear" for n in attended if row[n : n + 1] not in ([], [""])):
                self.unclear.add(at)
        made = self._without_faults(made, unknown)
        spare = [head for head, key in zip(heads, keys, strict=True) if head and key not in used]
        spare += [
            tr("column {n}, which has no heading", n=n)
            for n, head in enumerate(heads, 1)
            if not head and any(row[n - 1 : n] not in ([], [""]) for _, row in body)
        ]
        empty = [heads[n] for n, key in enumerate(keys) if key == "present" and n not in filled]
        if spare or empty:
            self.remarks.append(ignored_remark(self.file, [*spare, *empty]))
        return made, away

    def _other_separators(self, body: Sequence[tuple[int, Sequence[str]]], count: int) -> Iterator[Problem]:
        """Yield a problem for each row that is one cell with another separator than the other rows."""
        hint = tr("use the same separator in every row, and keep the separators around empty cells")
        if count > 1 and any(len(row) > 1 for _, row in body):
            for at, row in body:
                if len(row) == 1 and re.search(r"[,;\t|]\s*\S", row[0]):
                    message = tr("“{text}” has another separator than the headings", text=row[0][:60])
                    yield Problem(message, self.file, at, hint)

    @staticmethod
    def _has_absences(n: int, head: str, body: Sequence[tuple[int, Sequence[str]]]) -> bool:
        """Return whether a column is for remarks, and a remark means that a player does not play."""
        cells = [row[n] for _, row in body if n < len(row)]
        return is_remark_column(head, cells) and any(cell and says_gone(cell) for cell in cells)

    def _whole(self, row: list[str], count: int) -> list[str]:
        """Return a row in which “Alder, Ann” is one cell, if the list has only one column."""
        return [", ".join(filter(None, row))] if count == 1 and len(row) == 2 and self._spaced_commas() else row

    def _spaced_commas(self) -> bool:
        """Return whether every comma is followed by a space and is therefore part of a name."""
        return not re.search(r",(?![ \u3000]|\s*$)", self.text, re.MULTILINE)

    @staticmethod
    def _joined(by: Mapping[str, str], parts: tuple[str, ...], heads: Sequence[str], keys: Sequence[str]) -> str:
        """Return a name that is composed from its columns, in the order that is usual in its language."""
        first, last = (by.get(key, "").strip() for key in (parts if len(parts) == 2 else (parts[0], parts[0])))
        if len(parts) == 1:
            return first
        is_struck = all(map(is_struck_out, filter(None, (first, last)))) and bool(first + last)
        if is_struck:
            first, last = without_line_through(first), without_line_through(last)
        name_headings = {plain(head) for head, key in zip(heads, keys, strict=True) if key in parts}
        eastern = bool(name_headings & {plain(head) for head in cell_words().family_first})
        name = " ".join(filter(None, (last, first) if eastern or _is_eastern(first + last) else (first, last)))
        return struck_out(name) if is_struck else name

    def _unmarked(self, rows: list[Row], headed: bool) -> list[Row]:
        """Return rows without list numbers, bullets, or quotation marks around every name.

        Raises:
            DataError: If only some rows have numbers or bullets, or the list is a checklist.
        """
        if boxed := [row for row in rows if _BOX.match(row["name"])]:
            hint = tr("keep only the players who take part, one per line, and delete the check boxes")
            raise DataError(boxed[0].problem(tr("this is a checklist"), hint))
        names = [row["name"] for row in rows if row["name"]]
        numbers = [int(m[1]) for name in names if (m := _BARE_NUMBER.match(name))]
        if (
            numbers
            and len(numbers) == len(names)
            and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            and numbers[0] < 2
        ):
            return [self._without(row, _BARE_NUMBER.match) for row in rows]
        if not headed and len(numbers) == len(names) > 1 and len({*numbers}) > 1:
            hint = tr(
                "number the lines 1, 2, 3 …, or remove all numbers; if the numbers are part of the names, begin the "
                "list with the line {named}",
                named=_HEADING_LINE.split(",")[0],
            )
            raise DataError(
                rows[0].problem(tr("“{text}” looks like a line of a numbered list", text=names[0][:60]), hint)
            )
        if len(names) > 1 and all(_QUOTED.fullmatch(name) for name in names):
            return [self._without(row, lambda _: None) for row in rows]
        for marker in _MARKERS:
            marked = [row for row in rows if marker.match(row["name"]) and not means(row["name"], cell_words().bye)]
            if names and len(marked) == len(names):
                return [self._without(row, marker.match) for row in rows]
            if len(marked) > 1 and marker is not _BULLET:
                other = next(row for row in rows if row["name"] and row not in marked)
                hint = tr("number every line, or remove all numbers; {other} has no number", other=other["name"][:40])
                raise DataError(
                    marked[0].problem(
                        tr("“{text}” looks like a line of a numbered list", text=marked[0]["name"][:60]), hint
                    )
                )
        return rows

    @staticmethod
    def _without(row: Row, match: Callable[[str], re.Match[str] | None]) -> Row:
        found = match(row["name"])
        name = row["name"][found.end() :] if found else row["name"]
        if quoted := _QUOTED.fullmatch(name.strip()):
            name = quoted[1]
        return Row(row.file, row.line, {**row.cells, "name": name})

    def _without_odd(self, rows: list[Row], headed: bool) -> list[Row]:
        """Return the rows without lines that are addresses, results or pairs rather than names.

        Raises:
            DataError: If there are such lines and they are not skipped.
        """
        hint = tr("keep only the names, one per line")
        addresses = [
            row.problem(tr("“{text}” contains an e-mail address", text=row["name"][:60]), hint)
            for row in rows
            if _ADDRESS.search(row["name"])
        ]
        if not headed:
            rows = [
                Row(row.file, row.line, {**row.cells, "name": name})
                for row, name in zip(rows, without_double_spaces([row["name"] for row in rows]), strict=True)
            ]
            DataError.raise_if_any(addresses)
            DataError.raise_if_any(row.problem(*odd) for row in rows if (odd := line_fault(row["name"], headed)))
            self._refuse_numbers(rows)
        rows = self._without_faults(rows, addresses)
        rows = self._without_faults(
            rows, [row.problem(*odd) for row in rows if (odd := line_fault(row["name"], headed))]
        )
        listed = [row["name"] for row in rows if row["name"]]
        hint = tr(
            "delete this line, and the names below it that do not play; if the line is a name, begin the list with "
            "the line {named}",
            named=_HEADING_LINE.split(",")[0],
        )
        DataError.raise_if_any(
            row.problem(tr("“{text}” looks like a title, not a name", text=row["name"][:60]), hint)
            for row in rows
            if not headed and section_fault(listed, row["name"])
        )
        if not headed and are_answered(listed):
            message = tr("“{text}” looks like a name and a mark", text=listed[0][:60])
            raise DataError(rows[0].problem(message, _answers_hint()))
        if not headed and are_standings([row["name"] for row in rows if row["name"]]):
            hint = tr(
                "keep only the names; if the whole lines are names, begin the list with the line {named}",
                named="name",
            )
            message = tr("“{text}” looks like a name with points", text=rows[0]["name"][:60])
            raise DataError(rows[0].problem(message, hint))
        return rows

    @staticmethod
    def _refuse_numbers(rows: Sequence[Row]) -> None:
        """Check that the lines are not pairs of numbers, and that the last line is not a total.

        Raises:
            DataError: If they are.
        """
        pairs = [row for row in rows if re.fullmatch(r"[0-9]+\s+[0-9]+", row["name"])]
        if pairs and all(re.fullmatch(r"[0-9\s]*", row["name"]) for row in rows):
            hint = tr("give pairings with --pairings, and results with muster tournament results")
            message = tr("“{text}” looks like the numbers of two players", text=pairs[0]["name"][:60])
            raise DataError(pairs[0].problem(message, hint))
        if rows and means(rows[-1]["name"].rstrip(":： "), cell_words().totals):
            message = tr("“{text}” is not a name", text=rows[-1]["name"][:60])
            raise DataError(rows[-1].problem(message, tr("delete this line, or write the player's name")))

    @staticmethod
    def _without_markup(row: Row) -> Row:
        """Return a row in which the name is not bold or a link, as in `**Ann**` and `[Ann](https://example.org)`."""
        found = _MARKUP.fullmatch(row["name"])
        name = next(filter(None, found.groups())) if found else row["name"]
        return Row(row.file, row.line, {**row.cells, "name": name})

    @staticmethod
    def _without_line_through(row: Row) -> Row:
        """Return a row without a line through the name or the team, as in `~~Ann~~`."""
        return Row(row.file, row.line, {key: without_line_through(text) for key, text in row.cells.items()})


def _answers_hint() -> str:
    """Return a hint for a list with an answer after each name."""
    return tr(
        "keep only the names of the players who take part, one per line, or begin the list with the line {named}",
        named="name,status",
    )


def _parts(keys: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that make up a name: a single column, or the columns of the first name and the last name.

    If there is a column for only one of these, a column called name contains the other: “Name, Vorname”, “Nombre,
    Apellidos”.
    """
    there = _NAMES & {*keys}
    if there == {"name", "first_name"}:
        return "first_name", "name"
    if there == {"name", "last_name"}:
        return "name", "last_name"
    return ("name",) if "name" in there else ("first_name", "last_name")


def _is_eastern(name: str) -> bool:
    """Return whether a name has Japanese, Chinese or Korean letters, and therefore begins with the family name."""
    return any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" or ord(c) > 0x1FFFF for c in name)


def _cell_says_gone(key: str, cell: str, used: bool) -> bool:
    """Return whether a remark, or a cell in the team column, means that the player does not play."""
    return says_gone(cell) if not used else key == "team" and means(cell, cell_words().gone)


def _is_away(key: str, cell: str, attended: bool, filled: bool) -> bool:
    """Return whether a cell means, or may mean, that the player does not play."""
    return attended and attendance(key, cell) != "here" if cell else filled
