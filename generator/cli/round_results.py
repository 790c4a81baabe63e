"""Read and write the files of a round that people fill in, and keep copies of replaced files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from generator.cli import console, safe_write
from generator.cli.event_folder import (
    COPIES_FOLDER,
    current_time,
    is_edited,
    is_of_earlier_version,
    read_manifest,
    result_limits,
    round_folder,
    round_folders,
    slips_file,
    with_page_hashes,
)
from generator.errors import DataError, Problem
from generator.localization import default_lang, localize, tr
from generator.model.words import Lang
from generator.store.folders import is_file, is_folder, read_within
from generator.store.manifest import NAME as MANIFEST
from generator.store.write import move_folder, remove
from generator.tournament import event_file, outside
from generator.tournament.csv_files import Table, decoded_text, is_blank, read_table
from generator.tournament.csv_files import read as listed
from generator.tournament.encoding import MARKS
from generator.tournament.event import Event, Scenarios
from generator.tournament.event_file import EventRecord, Played
from generator.tournament.packing import RESULTS, results_file
from generator.tournament.pairings import Round
from generator.tournament.player_list import encoding_remark, titles_remark
from generator.tournament.record import RecordedResults, take_results
from generator.tournament.scores import FILLED_COLUMNS, NEEDED_COLUMNS

MAX_SLIP_BYTES = 1 << 26
"""The maximum size of a PDF of completed slips, in bytes."""


def results_path(folder: Path, number: int) -> Path:
    """Return the path of the results.csv of a round."""
    return folder / round_folder(number) / RESULTS


def frozen_rounds(folder: Path, event_record: EventRecord) -> list[int]:
    """Return the numbers of rounds that have results in the record or in their files.

    Rounds that an earlier version packed are included.
    """
    return [
        one.number
        for one in event_record.round
        if one.results or filled_file(folder, one.number) or is_of_earlier_version(folder / round_folder(one.number))
    ]


def filled_file(folder: Path, number: int) -> Path | None:
    """Return the file of a round in which a person entered a result, or None.

    The file is results.csv or the form of slips.
    """
    form = slips_form(folder, number)
    if _has_entries(results_path(folder, number)):
        return results_path(folder, number)
    return form if form and any(value for page in form_fields(form) for value in page.values()) else None


def slips_form(folder: Path, number: int) -> Path | None:
    """Return the form with a round's slips if a person changed it, and None otherwise."""
    form = folder / round_folder(number) / slips_file(number)
    return form if is_edited(form) else None


def form_fields(file: Path) -> Sequence[Mapping[str, str]]:
    """Return the fields of a PDF form page by page, or an empty tuple if the form cannot be read."""
    from generator.press.check.content import filled_fields

    try:
        return filled_fields(
            read_within(file, MAX_SLIP_BYTES, tr("is larger than {limit} MiB", limit=MAX_SLIP_BYTES >> 20))
        )
    except (DataError, ValueError):
        return ()


def _has_entries(file: Path) -> bool:
    """Return whether a person entered a result in a round's file.

    A changed file that cannot be read counts as well.
    """
    if not is_edited(file) or RESULTS not in read_manifest(file.parent).get("files", {}):
        return False
    refused: list[Problem] = []
    try:
        rows = listed(file, NEEDED_COLUMNS, refused=refused).rows
    except DataError:
        return True
    return bool(refused) or any(row[column] for row in rows for column in FILLED_COLUMNS)


def has_lost_results(folder: Path, number: int) -> bool:
    """Return whether the results.csv of a packed round is missing or contains only its headings."""
    file, place = results_path(folder, number), folder / round_folder(number)
    return RESULTS in read_manifest(place).get("files", {}) and not (
        is_file(file) and not is_blank(file.read_bytes())
    )


def write_results_file(event: Event, folder: Path, every: Sequence[Round], one: Played, lang: Lang) -> Path:
    """Write the results.csv of a round again with the recorded results. Other files of the round are unchanged."""
    deal = Scenarios(event, every).deal(one.number)
    games = {(game.table, game.game): game for game in one.results}
    file = results_path(folder, one.number)
    remove(file.parent, [RESULTS])
    safe_write.write_file(file, results_file(event, one.as_round(), deal.kit_by_table, lang, games))
    return file


def has_other_pairs(folder: Path, one: Played) -> bool:
    """Return whether the results.csv of a round lists other pairs than the record.

    An unreadable file does not count.
    """
    found = _pairs(results_path(folder, one.number))
    return found is not None and any(
        event_file.pairing_set(made) != event_file.pairing_set(one.as_round()) for made in found
    )


def _pairs(file: Path) -> list[Round] | None:
    """Return the pairs that a results.csv lists, or None if the file cannot be read."""
    try:
        return outside.rounds_of_results(listed(file, NEEDED_COLUMNS)) if is_file(file) else None
    except DataError:
        return None


def is_unfit(folder: Path, one: Played, reopen: bool) -> bool:
    """Return whether a person changed the results.csv of a round so that it does not list the pairs of the record.

    A file that cannot be read counts only if the round is reopened.
    """
    file = results_path(folder, one.number)
    return is_edited(file) and (has_other_pairs(folder, one) or (reopen and _pairs(file) is None))


def find_files(path: Path, name: str) -> list[Path]:
    """Return the file itself, or the files with this name in the folder of a round or event.

    Raises:
        DataError: If the folder contains no such file.
    """
    if not is_folder(path):
        return [path]
    if (path / name).is_file():
        return [path / name]
    found = [folder / name for folder in round_folders(path) if (folder / name).is_file()]
    if not found:
        raise DataError(
            Problem(tr("does not contain {name}, and neither do the folders of the rounds", name=name), str(path))
        )
    return found


def move_to_copies(folder: Path, numbers: Iterable[int]) -> list[Path]:
    """Move completed results out of reopened rounds into the folder of copies, and return the paths of the copies."""
    copies: list[Path] = []
    for number in numbers:
        place = folder / round_folder(number)
        for name in (RESULTS, slips_file(number)):
            if is_edited(place / name):
                copies.append(keep_copy(folder, place / name))
                remove(place, [name])
        remove(place, [RESULTS])
    return copies


def move_packed_rounds(folder: Path, numbers: Iterable[int]) -> list[tuple[int, Path]]:
    """Move the folders of packed rounds to the folder of copies, and return the rounds and the new paths."""
    moved: list[tuple[int, Path]] = []
    for number in numbers:
        place = folder / round_folder(number)
        if not read_manifest(place):
            continue
        copy = _unused_copy(folder, place.name)
        move_folder(place, copy)
        moved.append((number, copy))
    return moved


def remove_outdated(folder: Path, numbers: Iterable[int]) -> None:
    """Remove the results.csv of rounds whose pairings change, unless a person changed the file."""
    for number in numbers:
        if is_file(file := results_path(folder, number)) and not is_edited(file):
            remove(file.parent, [RESULTS])


def keep_copy(folder: Path, file: Path) -> Path:
    """Copy a file to the event's folder of copies under an unused name, and return the path of the copy."""
    parent = "" if file.parent == folder else f"{file.parent.name}-"
    copy = _unused_copy(folder, f"{parent}{file.stem}", file.suffix)
    safe_write.write_file(copy, file.read_bytes())
    return copy


def _unused_copy(folder: Path, stem: str, suffix: str = "") -> Path:
    """Return a path in the event's folder of copies that does not exist, with this name and a number."""
    number = 1
    while (copy := folder / COPIES_FOLDER / f"{stem}-{number}{suffix}").exists():
        number += 1
    return copy


def record_results(
    folder: Path,
    event_record: EventRecord,
    files: Sequence[Path] = (),
    slips: Sequence[Table] = (),
    encoding: str | None = None,
    slips_only: bool = False,
) -> RecordedResults:
    """Return the record with results added from the folders of the rounds, or from the given files and slips.

    The field `refused` of the result contains the rows that cannot be recorded.
    """
    sheet_files = {
        str(file): one.number for one in event_record.round if is_edited(file := results_path(folder, one.number))
    }
    places = {Path(file).resolve(): number for file, number in sheet_files.items()}
    tables, refused, names = list[Table](), list[Problem](), [player.name for player in event_record.players]
    for file in files or ([] if slips_only else map(Path, sheet_files)):
        try:
            tables.append(table := listed(file, NEEDED_COLUMNS, encoding, names, refused))
        except DataError as error:
            refused += _encoding_problems(file, encoding, names) or error.problems
        else:
            if not table.encoding.startswith("utf"):
                console.print_line(localize(encoding_remark(table.file, table.encoding), default_lang()), err=True)
            if table.titles:
                remark = titles_remark(table.file, table.first_line, table.titles)
                console.print_line(localize(remark, default_lang()), err=True)
    sheets = {table.file: places[at] for table in tables if (at := Path(table.file).resolve()) in places}
    found = take_results(
        event_record, [*tables, *slips], result_limits(folder), current_time(), sheets, refused, insist=bool(files)
    )
    found.event_record = with_page_hashes(folder, found.event_record)
    return found


_UNTRIED_ENCODING = "euc_jp"
"""An encoding of Japanese text that is not tried for every file, because few programs write it."""


def _encoding_problems(file: Path, encoding: str | None, names: Sequence[str]) -> Sequence[Problem]:
    """Return the problems with the encoding of a file without known headings, which may be none."""
    raw = file.read_bytes() if is_file(file) else b""
    if encoding or not raw or raw.startswith(tuple(MARKS)):
        return ()
    try:
        read_table(raw.decode(_UNTRIED_ENCODING), str(file), _UNTRIED_ENCODING, NEEDED_COLUMNS, refused=[])
    except (UnicodeError, DataError):
        pass
    else:
        hint = tr(
            "save the file as CSV in UTF-8, or give its encoding with --encoding {form}", form=_UNTRIED_ENCODING
        )
        return (Problem(tr("is text in {forms}", forms=_UNTRIED_ENCODING), str(file), hint=hint),)
    try:
        raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            decoded_text(file, None, names)
        except DataError as error:
            return error.problems
    return ()


def round_state(folder: Path, event_record: EventRecord, one: Played) -> str:
    """Return the state of a round: `paired`, `packed`, `open` if results are missing, or `played`."""
    if one.results:
        return "open" if one.tables_without_results(event_record.games) else "played"
    place = folder / round_folder(one.number)
    there = is_file(place / MANIFEST) and not has_lost_results(folder, one.number)
    return "packed" if there and (is_edited(place / RESULTS) or not has_other_pairs(folder, one)) else "paired"
