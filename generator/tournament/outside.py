"""Read rounds from the files of other pairing tools: printed lists, plain numbers and TRF16.

A list may have title lines above its headings, in English, German, French or Japanese. Its columns are separated
by commas, semicolons, tabs, bars or several spaces.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from generator.errors import DataError, Problem, near_or
from generator.localization import LocalizedStr, tr
from generator.tournament import trf
from generator.tournament.csv_files import (
    Row,
    Table,
    decoded_text,
    format_line,
    heading_line,
    headings,
    is_row_of_table,
    number,
    plain,
    row_above_problem,
)
from generator.tournament.event_file import EventRecord
from generator.tournament.file_kinds import TRF, text_kind
from generator.tournament.opponents import opponent, unclear_problem
from generator.tournament.pairings import Round, read_pairings
from generator.tournament.player_list import ignored_remark, titles_remark

_ROUND = re.compile(
    r"(?:round|runde|ronde|ronda|turno|rd|第)[ .:]*([0-9]{1,2})"
    r"|([0-9]{1,2})[. ]*(?:runde|ronde|round|回戦|ラウンド|節)",
    re.IGNORECASE,
)
"""Matches the number of a round in a title."""
_MAX_TITLE_LINES = 40
"""The maximum number of lines above the headings."""


def _by_sign(sign: str, line: str) -> list[str]:
    """Return the cells of a line that has delimiters. Cells may be quoted."""
    return next(csv.reader([line], delimiter=sign), [])


def _by_spaces(line: str) -> list[str]:
    """Return the cells of a line that is aligned with spaces."""
    return re.split(r"\s{2,}", line.strip())


_SPLITTERS: tuple[Callable[[str], list[str]], ...] = (
    partial(_by_sign, "\t"),
    partial(_by_sign, ";"),
    partial(_by_sign, "|"),
    _by_spaces,
    partial(_by_sign, ","),
)
"""The ways to split a line into cells."""
_SEAT_COLUMNS = ("player_a", "player_b")
_COLUMNS = ("round", "table", *_SEAT_COLUMNS, "name", "team")


def rounds_of_results(table: Table) -> list[Round]:
    """Return the pairings in a results.csv, which has a row for each game.

    Raises:
        DataError: If a line is faulty.
    """
    seen: dict[tuple[str, ...], Row] = {}
    for row in table.rows:
        seen.setdefault((row["round"], *sorted((plain(row["player_a"]), plain(row["player_b"])))), row)
    kept = [Row(row.file, row.line, {k: v for k, v in row.cells.items() if k in _COLUMNS}) for row in seen.values()]
    return list(read_pairings(Table(table.file, table.encoding, table.columns, tuple(kept)), None))


def read_rounds(
    path: Path, encoding: str | None, event_record: EventRecord, number: int
) -> tuple[list[Round], str, list[Problem | LocalizedStr]]:
    """Return a round as paired by another tool, the encoding of its file, and what the file contains beyond it.

    Raises:
        DataError: If lines are faulty or names are not on the list. The error lists all of them.
    """
    decoded = decoded_text(path, encoding, [player.name for player in event_record.players])
    used, lines = decoded.encoding, decoded.text.splitlines()
    if text_kind(decoded.text) == TRF:
        of_report = trf.read_round(lines, str(path), event_record, number)
        return [of_report], used, [_left_out(str(path), at) for at, _ in trf.untagged_lines(lines)]
    remarks: list[Problem | LocalizedStr] = []
    names = [player.name for player in event_record.players]
    found = (
        _number_rows(lines, str(path), event_record, number)
        if _is_number_list(lines)
        else _list_rows(lines, str(path), number, names, remarks)
    )
    DataError.raise_if_any(_unknown_names(found, event_record))
    DataError.raise_if_any(_unread_players(found, lines, str(path), event_record, number))
    made = read_pairings(Table(str(path), used, ("round", "table", *_SEAT_COLUMNS), tuple(found)), names)
    of = [one for one in made if one.number == number]
    if not of:
        there = [str(one.number) for one in made]
        raise DataError(Problem(tr("has no round {n}", n=number), str(path), hint=tr("rounds: {known}", known=there)))
    remarks += [
        Problem(tr("the pairings of round {n} are not used", n=one.number), str(path), remark=True)
        for one in made
        if one.number != number
    ]
    return of, used, remarks


def _unknown_names(rows: Sequence[Row], event_record: EventRecord) -> Iterator[Problem]:
    """Yield a problem for each name that is not on the list, with the most similar name as the hint."""
    names = [player.name for player in event_record.players]
    known = {plain(name) for name in names}
    for row in rows:
        for seat in _SEAT_COLUMNS:
            name = row[seat]
            kind = opponent(name, names)
            if kind == "unclear":
                yield unclear_problem(row, name)
            elif kind == "player" and plain(name) not in known:
                hint = tr("accepted: {words}; for a bye, leave the cell empty or write bye", words=names)
                message = tr("there is no player named {name!r}", name=name[:40])
                yield row.problem(message, near_or(name[:80], names, hint))


def _unread_players(
    rows: Sequence[Row], lines: Sequence[str], file: str, event_record: EventRecord, number: int
) -> Iterator[Problem]:
    """Yield a problem for each player who is only in cells that are not read, as in a table with two halves."""
    seated = {plain(row[seat]) for row in rows for seat in _SEAT_COLUMNS}
    left = {plain(p.name): p.name for p in event_record.players if p.is_paired(number)}
    for row in rows:
        cells = {plain(cell) for parted in _SPLITTERS for cell in parted(lines[row.line - 1])}
        for name in (name for key, name in left.items() if key in cells and key not in seated):
            message = tr("{name} is in a column that is not read, and in no pairing", name=name)
            yield Problem(message, file, row.line, _one_pairing_hint())


def _one_pairing_hint() -> str:
    """Return a hint for a table that has several pairings on a line."""
    return tr("write each pairing on a separate line, with one column for each of its two players")


def _list_rows(
    lines: Sequence[str], file: str, number: int, players: Collection[str], remarks: list[Problem | LocalizedStr]
) -> list[Row]:
    """Return the rows below the first line of headings that includes both players.

    Columns and lines that are not read are added to `remarks`.
    """
    for at, line in enumerate(lines[:_MAX_TITLE_LINES]):
        for parted in _SPLITTERS:
            keys = _heading_columns(parted(line))
            if set(_SEAT_COLUMNS) <= set(keys):
                _check_seats(parted(line), file, at + 1)
                above = [(n, [cell.strip() for cell in parted(text)]) for n, text in enumerate(lines[:at], 1)]
                DataError.raise_if_any(
                    row_above_problem(file, n, cells) for n, cells in above if is_row_of_table(cells, keys, players)
                )
                if titles := [format_line(cells) for _, cells in above if any(cells)]:
                    remarks.append(titles_remark(file, at + 1, titles))
                title = next((int(m[1] or m[2]) for above in lines[:at] if (m := _ROUND.search(above))), number)
                found, left = _rows(lines, at, parted, keys, title, file, players)
                if unused := _unused(parted(line), keys, [parted(lines[row.line - 1]) for row in found]):
                    remarks.append(ignored_remark(file, unused))
                remarks += [_left_out(file, n) for n in left]
                return found
    hint = tr(
        "begin the file with a line of headings for both players, such as {heads}",
        heads=heading_line(("table", *_SEAT_COLUMNS)),
    )
    raise DataError(Problem(tr("this line contains no known column heading"), file, 1, hint))


def _left_out(file: str, line: int) -> Problem:
    """Return a remark that a line is not read."""
    return Problem(tr("this line is not part of the table and is left out"), file, line, remark=True)


def _check_seats(heads: Sequence[str], file: str, line: int) -> None:
    """Check that a table does not have more than two columns of players, as in a table with two halves.

    Raises:
        DataError: If it has more.
    """
    known = headings(_COLUMNS)
    seats = [head.strip() for head in heads if known.get(plain(head.strip().strip('".'))) in ("name", *_SEAT_COLUMNS)]
    if len(seats) > len(_SEAT_COLUMNS):
        message = tr("the table has more than two columns of players: {heads}", heads=seats)
        raise DataError(Problem(message, file, line, _one_pairing_hint()))


def _heading_columns(heads: Sequence[str]) -> list[str]:
    """Return the column of each heading. If there are two headings for names, the second is for the opponent."""
    known = headings(_COLUMNS)
    found = [known.get(plain(head.strip().strip('".')), "") for head in heads]
    keys: list[str] = []
    for key in found:
        seat = key in ("name", "player_a") and ("player_a" in keys or key == "name")
        keys.append(("player_b" if "player_a" in keys else "player_a") if seat else key)
    return [key if key and key not in keys[:at] else "" for at, key in enumerate(keys)]


def _unused(heads: Sequence[str], keys: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the headings of the columns that are not read, and labels for filled columns without a heading."""
    titled = {at: head.strip() for at, head in enumerate(heads) if head.strip()}
    width = max([len(heads), *map(len, rows)])
    untitled = [
        at for at in range(width) if at not in titled and any("".join(row[at : at + 1]).strip() for row in rows)
    ]
    found = [titled[at] for at, key in enumerate(keys) if at in titled and not key]
    return [*dict.fromkeys(found), *(tr("column {n}, which has no heading", n=at + 1) for at in untitled)]


def _rows(
    lines: Sequence[str],
    at: int,
    parted: Callable[[str], list[str]],
    keys: Sequence[str],
    title: int,
    file: str,
    players: Collection[str],
) -> tuple[list[Row], list[int]]:
    """Return the rows below the headings, and the numbers of the lines that are not part of the list."""
    rows: list[Row] = []
    left: list[int] = []
    for line, text in enumerate(lines[at + 1 :], at + 2):
        cut = [cell.strip() for cell in parted(text)]
        if not any(cut) or set(text.strip()) <= set("-=+| _"):
            continue
        if keys[0] == "table" and parted is _by_spaces and number(cut[0].rstrip(".:)")) is None:
            cut.insert(0, "")  # A bye has no table, and an empty cell cannot be recognised among spaces.
        found = {key: cell for key, cell in zip(keys, cut, strict=False) if key}
        found["table"] = re.sub(r"[.:)]$", "", found.get("table", ""))
        if "player_a" not in found or (len(cut) <= keys.index("player_b") and number(found["table"]) is None):
            left.append(line)  # The line is below the list and contains, for example, the date of printing.
            continue
        if any(opponent(found.get(seat, ""), players) in ("bye", "half") for seat in _SEAT_COLUMNS):
            found["table"] = ""
        rows.append(Row(file, line, {"round": str(title)} | found))
    return rows, left


def _is_number_list(lines: Sequence[str]) -> bool:
    """Return whether a file contains only numbers: the number of pairs, followed by two numbers on each line."""
    full = [line.split() for line in lines if line.strip()]
    return bool(full) and len(full[0]) == 1 and all(re.fullmatch("[0-9]{1,5}", n) for row in full for n in row)


def _number_rows(lines: Sequence[str], file: str, event_record: EventRecord, number_: int) -> list[Row]:
    """Return the rows for pairs of player numbers.

    The numbers are those in the event's TRF file, and 0 means a bye.
    """
    full = [(at, line.split()) for at, line in enumerate(lines, 1) if line.strip()]
    problems, rows = [], []
    for at, row in full[1:]:
        if len(row) != 2:
            problems.append(Problem(tr("write two numbers on this line"), file, at))
            continue
        names = [_player_by_number(event_record, int(n)) for n in row]
        for n, name in zip(row, names, strict=True):
            if name is None:
                hint = tr("give a number from {least} to {most}", least=1, most=len(event_record.players))
                problems.append(Problem(tr("there is no player named {name!r}", name=n), file, at, hint))
        rows.append(Row(file, at, {"round": str(number_), "player_a": names[0] or "", "player_b": names[1] or ""}))
    if int(full[0][1][0]) != len(full) - 1:
        message = tr(
            "the first line gives the number of pairs as {count}, but the file contains {there}",
            count=full[0][1][0][:6],
            there=len(full) - 1,
        )
        problems.append(Problem(message, file, full[0][0]))
    DataError.raise_if_any(problems)
    return rows


def _player_by_number(event_record: EventRecord, at: int) -> str | None:
    """Return the player with this number, an empty string for a bye (0), or None if there is no such player."""
    if not at:
        return ""
    return event_record.players[at - 1].name if at <= len(event_record.players) else None
