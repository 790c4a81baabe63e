"""Turn tables of other programs into lists of players, pairings or results in Muster's form."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from generator.errors import DataError, Problem
from generator.imports import web_tables, workbooks
from generator.imports.text_files import FILE_LIMIT as TEXT_LIMIT
from generator.localization import LocalizedStr, tr
from generator.model.words import Lang
from generator.notation.foreign import Foreign
from generator.tournament import csv_files, pairings, player_list, scores
from generator.tournament.csv_files import Row, cell_rows, csv_bytes, plain, read_table, table_headings
from generator.tournament.encoding import read_text
from generator.tournament.file_kinds import refuse

ListKind = Literal["players", "pairings", "results"]


class TakenList(msgspec.Struct, frozen=True):
    """A table in Muster's form."""

    kind: ListKind
    keys: tuple[str, ...]
    """The columns that are written."""
    rows: tuple[dict[str, str], ...]
    problems: tuple[Problem, ...] = ()
    """Rows that could not be taken."""
    remarks: tuple[Problem | LocalizedStr, ...] = ()
    away: tuple[str, ...] = ()
    """Players who are marked as absent."""
    played: bool = False
    """Whether the pairings have results that are not imported."""

    def content(self, lang: Lang) -> bytes:
        """Return the table as CSV."""
        if self.kind != "players":
            return csv_files.write(lang, self.keys, self.rows)
        return csv_bytes(
            [csv_files.columns()[key].name[lang] for key in self.keys],
            ([row.get(key, "") for key in self.keys] for row in self.rows),
        )


def take_list(
    content: bytes, file: str, foreign: Foreign | None, encoding: str | None = None, sheet: str = ""
) -> TakenList:
    """Return a table of players, pairings or results.

    Raises:
        DataError: If the file is damaged, or its table has another content.
        WrongUsageError: If there is no such sheet.
    """
    remarks: list[Problem | LocalizedStr] = []
    problems: list[Problem] = []
    others: list[Problem] = []
    used = "utf-8"
    not_texts: Collection[tuple[int, str]] = ()
    if foreign and foreign.kind == "workbook":
        of = workbooks.read(content, file, sheet)
        text = web_tables.as_csv(of.rows)
        remarks += of.remarks
        not_texts = of.not_texts
        if of.others:
            hint = tr("to import another sheet, add --sheet NAME")
            others = [Problem(tr("sheets not read: {names}", names=[*of.others]), file, hint=hint, remark=True)]
            remarks += others
    else:
        if foreign is None:
            refuse(content, file)
        limit = csv_files.FILE_LIMIT if foreign is None else TEXT_LIMIT
        if len(content) > limit:
            raise DataError(Problem(tr("is larger than {limit} MiB", limit=limit >> 20), file))
        known = [word for key in csv_files.columns() for word in csv_files.accepted_headings(key)]
        decoded = read_text(content, file, encoding, known, invisible=True)  # Rows are checked one by one.
        text, used = decoded.text, decoded.encoding
        if decoded.legacy:
            remarks.append(player_list.encoding_remark(file, used))
        if foreign and foreign.kind == "web_table":
            table = web_tables.read_html(text, file)
            text = web_tables.as_csv(table.rows, table.lines)
            problems += [Problem(tr("“{text}” looks like a title and is left out", text=title[:60]), file, at)
                         for at, title in table.titles]  # fmt: skip
            remarks += [Problem(tr("struck out: {texts}", texts=[struck[:40]]), file, at, remark=True)
                        for at, struck in table.struck]  # fmt: skip
            if table.hidden:
                message = tr("hidden rows: {rows}", rows=[*table.hidden])
                remarks.append(Problem(message, file, table.hidden[0], workbooks.HIDDEN_HINT, remark=True))
            if table.others:
                message = tr("the page has {count} more tables, which are left out", count=table.others)
                remarks.append(Problem(message, file, remark=True))
        else:
            text, left = web_tables.markdown_only(text)
            remarks += [Problem(tr("this line is not part of the table and is left out"), file, at, remark=True)
                        for at in left]  # fmt: skip
    seats = _seat_columns(text, file)
    if "player_b" in seats:
        hint = tr("these rows are imported; delete the rows that do not count")
        remarks = [
            one.but(hint=hint) if isinstance(one, Problem) and one.hint == workbooks.HIDDEN_HINT else one
            for one in remarks
        ]
        text = text.replace("~~", "").replace(csv_files.LINE_BREAK, " ")
        return _results(text, file, used, remarks, problems, seats, not_texts)
    try:
        return _players(text, file, remarks, problems, not_texts)
    except DataError as error:
        raise DataError(*error.problems, *others) from error


def _seat_columns(text: str, file: str) -> set[str]:
    """Return the columns of a table of pairings or results that the first lines of a text have."""
    known = table_headings()
    rows = cell_rows(text, file, csv_files.headings(csv_files.columns()), [])[: csv_files.MAX_TITLE_LINES]
    found = ({known.get(plain(cell), "") for cell in row} for _, row in rows)
    return next((keys for keys in found if {"player_a", "player_b"} <= keys), set())


def _not_text_problem(row: Row, text: str) -> Problem:
    """Return a problem for a cell of a spreadsheet that should contain a name."""
    message = tr("“{text}” is a date, a time or a logical value in the spreadsheet, not a name", text=text)
    return row.problem(message, tr("format the cell as text, and type the name again"))


def _players(
    text: str,
    file: str,
    remarks: list[Problem | LocalizedStr],
    problems: list[Problem],
    not_texts: Collection[tuple[int, str]],
) -> TakenList:
    """Return a list of players."""
    listed = player_list.read_text(file, text, problems)
    marks = {row.line for row, _ in listed.away}
    rows: list[dict[str, str]] = []
    seen: dict[str, int] = {}
    for row in listed.rows:
        name, team = row.name("name"), row.name("team")
        faults = [fault for fault in (name, team) if isinstance(fault, Problem)]
        if not isinstance(name, Problem) and not isinstance(team, Problem):
            if not name:
                faults = [row.problem(tr("the name is missing"))]
            elif (row.line, name) in not_texts:
                faults = [_not_text_problem(row, name)]
            elif plain(name) in seen:
                hint = tr("the name is already in line {line}; if two players have the same name, write the names "
                          "differently", line=seen[plain(name)])  # fmt: skip
                faults = [row.problem(tr("{name} appears twice", name=name), hint)]
            else:
                seen[plain(name)] = row.line
                rows.append({"name": name, "team": team, "absent": "x" if row.line in marks else ""})
        problems += faults
    keys = [key for key in ("name", "team", "absent") if key == "name" or any(row[key] for row in rows)]
    away = tuple(row["name"] for row in rows if row["absent"])
    remarks += [
        player_list.absence(listed, row, mark).but(hint="", remark=True)
        for row, mark in listed.away
        if row.line in listed.unclear
    ]
    return TakenList(
        "players",
        tuple(keys),
        tuple(rows),
        tuple(sorted(problems, key=lambda one: one.line)),
        (*remarks, *listed.remarks),
        away,
    )


def _results(
    text: str,
    file: str,
    encoding: str,
    remarks: list[Problem | LocalizedStr],
    problems: list[Problem],
    seats: Collection[str],
    not_texts: Collection[tuple[int, str]],
) -> TakenList:
    """Return a table of pairings, or of results if its columns `seats` include scores.

    Pairings of a single round need no column for the round.
    """
    scored = {"score_a", "score_b"} <= {*seats}
    needed = scores.NEEDED_COLUMNS if scored else [key for key in pairings.NEEDED if key != "round" or key in seats]
    table = read_table(text, file, encoding, needed, problems)
    rows: list[dict[str, str]] = []
    for row in table.rows:
        fault = _row_faults(row, scored, "round" in table.columns)
        names = [row[seat] for seat in ("player_a", "player_b") if (row.line, row[seat]) in not_texts]
        fault = fault or [_not_text_problem(row, name) for name in names]
        problems += fault
        if not fault:
            rows.append(dict(row.cells))
    if not rows and not problems:
        raise DataError(Problem(tr("is empty"), file))
    order: Sequence[str] = (*scores.RESULT_COLUMNS, *scores.BID_COLUMNS) if scored else pairings.COLUMNS
    if table.titles:
        remarks = [*remarks, player_list.titles_remark(file, table.first_line, table.titles)]
    if unused := table.unused(order):
        remarks = [*remarks, player_list.ignored_remark(file, unused)]
    keys = tuple(key for key in order if key in table.columns)
    unread = None if scored else _results_problem(table)
    problems += [unread] if unread else []
    kind: ListKind = "results" if scored else "pairings"
    return TakenList(kind, keys, tuple(rows), tuple(problems), tuple(remarks), played=unread is not None)


def _results_problem(table: csv_files.Table) -> Problem | None:
    """Return a problem if a table of pairings has results in columns that are not imported."""
    of_results = ("score_a", "score_b", "winner")
    keys = [key for key in of_results if any(row[key] for row in table.rows)]
    both = [head for head in table.ignored if csv_files.means(head, csv_files.cell_words().both_scores)]
    heads = [
        *(table.heads[key] for key in keys),
        *(head for head in both if any(head in row.extra for row in table.rows)),
    ]
    if not heads:
        return None
    scores_ = [csv_files.column_name("score_a"), csv_files.column_name("score_b")]
    hint = tr("to import them, write the two scores in two columns, {columns}, as in 2 and 1 instead of 2-1",
              columns=scores_)  # fmt: skip
    message = tr("these rounds were played, but their results are not imported: {heads}", heads=heads)
    return Problem(message, table.file, hint=hint)


def _row_faults(row: Row, scored: bool, has_round: bool) -> list[Problem]:
    """Return the faults of a row of pairings or results."""
    made = scores.read_result(row if has_round else Row(row.file, row.line, {**row.cells, "round": "1"}), ())
    if isinstance(made, list):
        return made
    return [] if scored or made.outcome == "open" else [row.problem(tr("this row has a score but only one player"))]
