"""Find results in files and folders of an event that no command reads, such as “results (1).csv”."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from generator.cli.event_folder import result_limits, round_folders
from generator.cli.other_folders import other_folders
from generator.cli.round_results import form_fields
from generator.errors import DataError, Problem
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import as_listed, foreign_files
from generator.tournament.csv_files import Table
from generator.tournament.csv_files import read as listed
from generator.tournament.event_file import EventRecord
from generator.tournament.packing import RESULTS
from generator.tournament.record import take_results
from generator.tournament.scores import FILLED_COLUMNS, NEEDED_COLUMNS
from generator.tournament.slips import Seating, read_slip

_SLIP_SUFFIX = ".pdf"
_TABLE_SUFFIXES = (".csv", ".tsv", ".txt")
_SPREADSHEET_SUFFIXES = (".xlsx", ".xls", ".ods", ".numbers")
_OTHER_SUFFIXES = (".json", ".toml", ".trf", ".png", ".jpg", ".jpeg", ".heic", ".gif", ".zip", ".py")
"""Endings of files that are never tables of results."""
_RESULTS_NAME = re.compile("results?|結果", re.IGNORECASE)
"""Matches the names of files that contain results."""


def other_results(folder: Path, event_record: EventRecord) -> Iterator[tuple[str, Path, int]]:
    """Yield each file of an event that has unrecorded results.

    Each is given with the key of the sentence that reports it, and with the number of rows that are not recorded,
    which is 0 if the file is not a table.
    """
    for file in _candidates(folder, event_record):
        if file.suffix.lower() in _SPREADSHEET_SUFFIXES:
            yield "sheet_unread", file, 0
        elif file.suffix.lower() == _SLIP_SUFFIX:
            if _has_unrecorded_slips(file, folder, event_record):
                yield "slips_unread", file, 0
        elif (rows := _unrecorded_rows(file, folder, event_record)) is None:
            yield "rejected_file", file, 0
        elif rows:
            yield "copy_unread", file, rows


def _candidates(folder: Path, event_record: EventRecord) -> Iterator[Path]:
    """Yield the files that may contain results. Files that Muster wrote and each round's results.csv are excluded."""
    places = [folder, *round_folders(folder)]
    for place in other_folders(folder, event_record):  # A results.csv in one of these is not read by any command.
        inside = (path for path in sorted(place.iterdir()) if is_file(path) and not as_listed(path))
        yield from (path for path in inside if _may_have_results(path))
    for place in places:
        names = foreign_files(place) if is_file(place / MANIFEST) else sorted(path.name for path in place.iterdir())
        for name in names:
            file = place / name
            if is_file(file) and (name != RESULTS or place == folder) and _may_have_results(file):
                yield file


def _may_have_results(file: Path) -> bool:
    """Return whether the name of a file allows that it contains results.

    Copies such as `results copy`, `results.csv.bak` or `results.csv~` may have any ending.
    """
    name, ending = file.name.lower(), file.suffix.lower()
    if ending in (*_TABLE_SUFFIXES, _SLIP_SUFFIX):
        return True
    if ending in _OTHER_SUFFIXES:
        return False
    is_copy = not ending or any(suffix in name for suffix in _TABLE_SUFFIXES)
    return bool(_RESULTS_NAME.search(name)) or (is_copy and ending not in _SPREADSHEET_SUFFIXES)


def _unrecorded_rows(file: Path, folder: Path, event_record: EventRecord) -> int | None:
    """Return the number of rows of a table whose results are not recorded, or would be rejected.

    The result is None if the name of the file means that it contains results, but the file cannot be read.
    """
    refused: list[Problem] = []
    try:
        table: Table = listed(
            file, NEEDED_COLUMNS, names=[player.name for player in event_record.players], refused=refused
        )
    except DataError:
        # A file with another name is, for example, a list of players or pairings.
        return None if _RESULTS_NAME.search(file.name) else 0
    if not any(row[column] for row in table.rows for column in FILLED_COLUMNS):
        return 0
    found = take_results(event_record, [table], result_limits(folder), "", refused=refused)
    return len(found.added) + len(found.corrected) + len({problem.line for problem in found.refused})


def _has_unrecorded_slips(file: Path, folder: Path, event_record: EventRecord) -> bool:
    """Return whether a PDF has completed slips with results that are not recorded, or that would be rejected."""
    kits = result_limits(folder)
    seating = Seating(
        event_record.players_at, lambda number, table: kits(number, table).kit, event_record.known_names
    )
    refused: list[Problem] = []
    try:
        table = read_slip(str(file), form_fields(file), seating, refused)
    except DataError:
        return False  # The file contains no slips.
    return bool(refused) or take_results(event_record, [table], kits, "").changed
