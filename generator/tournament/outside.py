"""Read rounds as other pairing tools write them: printed lists, plain numbers, TRF16.

A list may have lines of titles above its headings, in English, German, French or Japanese; its columns are separated
by commas, semicolons, tabs, bars or several spaces.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from generator.errors import DataError, Problem, near
from generator.localization import tr
from generator.tournament import trf
from generator.tournament.csv_files import Row, Table, cell_words, decoded_text, headings, means, number, plain
from generator.tournament.event_file import EventRecord
from generator.tournament.file_kinds import TRF, text_kind
from generator.tournament.pairings import Round, read_pairings

_ROUND = re.compile(
    r"(?:round|runde|ronde|ronda|turno|rd|第)[ .:]*([0-9]{1,2})"
    r"|([0-9]{1,2})[. ]*(?:runde|ronde|round|回戦|ラウンド|節)",
    re.IGNORECASE,
)
"""A round's number in a title."""
_MAX_TITLE_LINES = 40
"""The lines that may stand above the headings."""


def _by_sign(sign: str, line: str) -> list[str]:
    """Return the cells of a line with a delimiter; some may be quoted."""
    return next(csv.reader([line], delimiter=sign), [])


def _by_spaces(line: str) -> list[str]:
    """Return the cells of a line that is aligned by spaces."""
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
    """Return the pairings in results.csv, which has a row for each game; raises DataError with faulty lines."""
    seen: dict[tuple[str, ...], Row] = {}
    for row in table.rows:
        seen.setdefault((row["round"], *sorted((plain(row["player_a"]), plain(row["player_b"])))), row)
    kept = [Row(row.file, row.line, {k: v for k, v in row.cells.items() if k in _COLUMNS}) for row in seen.values()]
    return list(read_pairings(Table(table.file, table.encoding, table.columns, tuple(kept))))


def read_rounds(path: Path, encoding: str | None, event_record: EventRecord, number: int) -> tuple[list[Round], str]:
    """Return a round as another tool paired it, and the file's encoding.

    Raises:
        DataError: lists each faulty line, and names that are not on the list.
    """
    decoded = decoded_text(path, encoding, [player.name for player in event_record.players])
    used, lines = decoded.encoding, decoded.text.splitlines()
    if text_kind(decoded.text) == TRF:
        return [trf.read_round(lines, str(path), event_record, number)], used
    found = (
        _number_rows(lines, str(path), event_record, number)
        if _is_number_list(lines)
        else _list_rows(lines, str(path), used, number)
    )
    DataError.raise_if_any(_unknown_names(found, event_record))
    made = read_pairings(Table(str(path), used, ("round", "table", *_SEAT_COLUMNS), tuple(found)))
    of = [one for one in made if one.number == number]
    if not of:
        there = ", ".join(str(one.number) for one in made)
        raise DataError(Problem(tr("has no round {n}", n=number), str(path), hint=tr("rounds: {known}", known=there)))
    return of, used


def _unknown_names(rows: Sequence[Row], event_record: EventRecord) -> Iterator[Problem]:
    """Yield names that are not on the list, each with the nearest name."""
    names = [player.name for player in event_record.players]
    known = {plain(name) for name in names}
    for row in rows:
        for seat in _SEAT_COLUMNS:
            name = row[seat]
            if name and not means(name, cell_words().bye) and plain(name) not in known:
                yield row.problem(tr("there is no player named {name!r}", name=name[:40]), near(name[:80], names))


def _list_rows(lines: Sequence[str], file: str, used: str, number: int) -> list[Row]:
    """Return the rows of a list below the first line of headings that has both players."""
    for at, line in enumerate(lines[:_MAX_TITLE_LINES]):
        for parted in _SPLITTERS:
            keys = _heading_columns(parted(line))
            if set(_SEAT_COLUMNS) <= set(keys):
                title = next((int(m[1] or m[2]) for above in lines[:at] if (m := _ROUND.search(above))), number)
                return [*_rows(lines, at, parted, keys, title, file)]
    hint = tr(
        "begin the file with a line of headings for both players, such as {heads}", heads="table,player_a,player_b"
    )
    raise DataError(Problem(tr("this line contains no known column heading"), file, 1, hint))


def _heading_columns(heads: Sequence[str]) -> list[str]:
    """Return the column that each heading means; of two headings for names, the second is the other player's."""
    known = headings(_COLUMNS)
    found = [known.get(plain(head.strip().strip('".')), "") for head in heads]
    keys: list[str] = []
    for key in found:
        seat = key in ("name", "player_a") and ("player_a" in keys or key == "name")
        keys.append(("player_b" if "player_a" in keys else "player_a") if seat else key)
    return [key if key and key not in keys[:at] else "" for at, key in enumerate(keys)]


def _rows(
    lines: Sequence[str], at: int, parted: Callable[[str], list[str]], keys: Sequence[str], title: int, file: str
) -> Iterator[Row]:
    """Yield the rows below the headings; lines below the list are left out."""
    for line, text in enumerate(lines[at + 1 :], at + 2):
        cut = [cell.strip() for cell in parted(text)]
        if not any(cut) or set(text.strip()) <= set("-=+| _"):
            continue
        if keys[0] == "table" and parted is _by_spaces and number(cut[0].rstrip(".:)")) is None:
            cut.insert(0, "")  # a bye has no table, and an empty cell cannot be seen among spaces
        found = {key: cell for key, cell in zip(keys, cut, strict=False) if key}
        found["table"] = re.sub(r"[.:)]$", "", found.get("table", ""))
        if "player_a" not in found or (len(cut) <= keys.index("player_b") and number(found["table"]) is None):
            continue  # a line below the list, such as the date of printing
        if means(found.get("player_b", ""), ("", *cell_words().bye)) or means(
            found.get("player_a", ""), cell_words().bye
        ):
            found["table"] = ""
        yield Row(file, line, {"round": str(title)} | found)


def _is_number_list(lines: Sequence[str]) -> bool:
    """Return whether a file holds numbers only: the number of pairs, then two numbers in each line."""
    full = [line.split() for line in lines if line.strip()]
    return bool(full) and len(full[0]) == 1 and all(re.fullmatch("[0-9]{1,5}", n) for row in full for n in row)


def _number_rows(lines: Sequence[str], file: str, event_record: EventRecord, number_: int) -> list[Row]:
    """Return pairs of players' numbers, as in the TRF file of the event, as rows; 0 is a bye."""
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
    """Return the player with a number; empty for a bye, None if there is none."""
    if not at:
        return ""
    return event_record.players[at - 1].name if at <= len(event_record.players) else None
