"""Find results in files of an event's folder that no command reads, such as “results (1).csv”."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from generator.cli.event_folder import result_limits, round_folders
from generator.cli.round_results import form_fields
from generator.errors import DataError, Problem
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.store.manifest import foreign_files
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
_RESULTS_NAME = re.compile("results?|結果", re.IGNORECASE)
"""Matches the names of spreadsheets that may contain results. Muster does not read their cells."""


def other_results(folder: Path, event_record: EventRecord) -> Iterator[tuple[str, Path]]:
    """Yield each file of an event that has unrecorded results, with the key of the sentence that reports it."""
    for file in _candidates(folder):
        if file.suffix.lower() in _SPREADSHEET_SUFFIXES:
            yield "sheet_unread", file
        elif file.suffix.lower() == _SLIP_SUFFIX:
            if _has_unrecorded_slips(file, folder, event_record):
                yield "slips_unread", file
        elif _is_unrecorded(file, folder, event_record):
            yield "copy_unread", file


def _candidates(folder: Path) -> Iterator[Path]:
    """Yield the files that may contain results. Files that Muster wrote and each round's results.csv are excluded."""
    places = [folder, *round_folders(folder)]
    for place in places:
        names = foreign_files(place) if is_file(place / MANIFEST) else sorted(path.name for path in place.iterdir())
        for name in names:
            file = place / name
            ending = file.suffix.lower()
            if not is_file(file) or (name == RESULTS and place != folder):
                continue
            if ending in (*_TABLE_SUFFIXES, _SLIP_SUFFIX) or (
                ending in _SPREADSHEET_SUFFIXES and _RESULTS_NAME.search(file.stem)
            ):
                yield file


def _is_unrecorded(file: Path, folder: Path, event_record: EventRecord) -> bool:
    """Return whether a table has results that are not recorded, or that would be rejected."""
    refused: list[Problem] = []
    try:
        table: Table = listed(
            file, NEEDED_COLUMNS, names=[player.name for player in event_record.players], refused=refused
        )
    except DataError:
        return False  # The file is, for example, a list of players or pairings.
    if not any(row[column] for row in table.rows for column in FILLED_COLUMNS):
        return False
    found = take_results(event_record, [table], result_limits(folder), "", refused=refused)
    return found.changed or bool(found.refused)


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
