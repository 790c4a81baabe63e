"""`muster tournament results`: record the results from results.csv files or slips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from generator.cli import console
from generator.cli.event_folder import open_event, result_limits, save_event
from generator.cli.help import Verb
from generator.cli.one_writer import writes_event
from generator.cli.player_lists import ENCODING
from generator.cli.round_results import MAX_SLIP_BYTES, record_results, results_path, slips_form
from generator.cli.tournament_cli import (
    DRY_RUN,
    FOLDER,
    command_of,
    disputed_lines,
    event_values,
    format_sentence,
    next_step,
    other_lines,
    print_next_step,
    recording_lines,
    waiting_lines,
)
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.store.folders import is_file, is_folder, is_there, missing_file_problem, read_within
from generator.store.manifest import NAME as MANIFEST
from generator.tournament import event_file
from generator.tournament.csv_files import Table
from generator.tournament.event_file import EventRecord
from generator.tournament.record import RecordedResults, format_result, take_results
from generator.tournament.slips import Seating, read_slip

_SLIP_SUFFIXES, _TABLE_SUFFIXES = (".pdf",), (".csv", ".tsv", ".txt")
"""The suffixes of files with slips, and of files with tables of results."""


@click.command(cls=Verb)
@FOLDER
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE.csv…")
@click.option("--from", "slips", multiple=True, type=click.Path(path_type=Path), metavar="FILE.pdf|DIR")
@ENCODING
@DRY_RUN
@console.answer_options
@writes_event
def results(
    folder: Path,
    files: tuple[Path, ...],
    slips: tuple[Path, ...],
    encoding: str | None,
    dry_run: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Record the results in the folders of the rounds, in the given files, or on slips.

    Rows that are impossible are rejected with their line number. All other rows are recorded.
    """
    _check_kinds(folder, files, slips)
    event_record = open_event(folder)
    refused: list[Problem] = []
    tables = _read_slips(folder, event_record, slips, refused)
    found = record_results(folder, event_record, files, tables, encoding, slips_only=bool(slips))
    found.refused = [*refused, *found.refused]
    wrote = save_event(folder, found.event_record, dry_run)
    lines = [
        *recording_lines(folder, found, lang),
        *_summary_lines(found, lang),
        *disputed_lines(found.event_record, lang),
        *waiting_lines(found.event_record, found.event_record.round, lang),
    ]
    lines += [
        *_lost_file_lines(folder, found.event_record, lang),
        *_unread_form_lines(folder, found.event_record, lang),
    ]
    lines += other_lines(folder, found.event_record, lang)
    if dry_run and wrote:
        lines.append(format_sentence("would_write", lang, file=folder / event_file.NAME))
    after = (
        _after_refusal(folder, files, slips, found.refused)
        if found.refused
        else next_step(folder, found.event_record)
    )
    if as_json:
        about = event_values(folder, found.event_record, wrote and not dry_run, lines) | recording_values(found)
        console.print_json(about | {"next": after[1]})
    else:
        for line in lines:
            console.print_line(line)
        print_next_step(*after, lang)
    if found.refused:
        error = DataError(*found.refused)
        if not as_json:
            console.print_problems(error, in_json=False)
        raise click.exceptions.Exit(error.exit_code)


def _after_refusal(
    folder: Path, files: Sequence[Path], slips: Sequence[Path], refused: Sequence[Problem]
) -> tuple[str, str]:
    """Return the next step after rows or files were rejected, as the key of its sentence and its command."""
    given = [*map(str, files), *(word for slip in slips for word in ("--from", str(slip)))]
    absent = [path for path in (*files, *slips) if not (is_there(path) or is_folder(path))]
    empty = [slip for slip in slips if is_folder(slip) and not any(_is_pdf(file) for file in slip.iterdir())]
    if absent or empty:
        lost = {str(path) for path in (*absent, *empty)}
        kept = [*(str(file) for file in files if str(file) not in lost)]
        kept += [word for slip in slips if str(slip) not in lost for word in ("--from", str(slip))]
        names = ["FILE.csv"] if set(absent) & {*files} else []
        names += ["--from", "FILE.pdf"] if lost & {*map(str, slips)} else []
        return "next_file", command_of("results", folder, *kept, *names)
    rows = any(problem.line for problem in refused)
    return "next_correct" if rows else "next_correct_file", command_of("results", folder, *given)


def _check_kinds(folder: Path, files: Sequence[Path], slips: Sequence[Path]) -> None:
    """Check that tables are given as arguments and slips with --from.

    Raises:
        WrongUsageError: If a file is given in the wrong way.
    """
    wrong = [
        Problem(
            tr("--from {file}: give a table of results without --from", file=file),
            hint=command_of("results", folder, str(file)),
        )
        for file in slips
        if file.suffix.lower() in _TABLE_SUFFIXES and not is_folder(file)
    ]
    wrong += [
        Problem(
            tr("{file}: give result slips with --from", file=file),
            hint=command_of("results", folder, "--from", f"{file}"),
        )
        for file in files
        if file.suffix.lower() in _SLIP_SUFFIXES
    ]
    WrongUsageError.raise_if_any(wrong)


def _summary_lines(found: RecordedResults, lang: Lang) -> Iterator[str]:
    """Yield a line if there are no new results."""
    if not (found.changed or found.refused):
        some = any(one.results for one in found.event_record.round)
        yield format_sentence("nothing_new" if some else "none_yet", lang)


def _lost_file_lines(folder: Path, event_record: EventRecord, lang: Lang) -> Iterator[str]:
    """Yield a line for each packed round that lacks results and whose results.csv was deleted or renamed."""
    undone = {past.round.number for past in event_record.undone}  # Muster itself removed the files of these rounds.
    for one in event_record.round:
        file = results_path(folder, one.number)
        if (
            one.number not in undone
            and is_file(file.parent / MANIFEST)
            and not is_file(file)
            and one.tables_without_results(event_record.games)
        ):
            yield format_sentence("no_sheet", lang, n=one.number, file=file)


def _unread_form_lines(folder: Path, event_record: EventRecord, lang: Lang) -> Iterator[str]:
    """Yield a line for each completed form in the folders of the rounds that has unrecorded results."""
    for one in event_record.round:
        if form := slips_form(folder, one.number):
            refused: list[Problem] = []
            tables = _read_slips(folder, event_record, [form], refused)
            if take_results(event_record, tables, result_limits(folder), "").changed:
                command = command_of("results", folder, "--from", str(form))
                yield format_sentence("form_filled", lang, file=form, command=command)


def recording_values(found: RecordedResults) -> dict[str, object]:
    """Return what was done with each result, as plain values for JSON (docs/json.md)."""
    return {
        "recorded": [{"round": n, "table": game.table, "game": game.game} for n, game in found.added],
        "changed": [
            {
                "round": n,
                "table": new.table,
                "game": new.game,
                "before": format_result(old),
                "after": format_result(new),
            }
            for n, old, new in found.corrected
        ],
        "emptied": [{"round": n, "table": game.table, "game": game.game} for n, game in found.emptied],
        "superseded": [
            {
                "round": kept.round,
                "table": kept.read.table,
                "game": kept.read.game,
                "recorded": format_result(kept.recorded) if kept.recorded else "",
                "read": format_result(kept.read),
                "file": kept.file,
                "line": kept.line,
            }
            for kept in found.superseded
        ],
        "missing": [
            {
                "round": one.round,
                "file": one.file,
                "tables": list(one.tables),
                "games": [{"table": table, "game": game} for table, game in one.games],
                "byes": list(one.byes),
                "rows": list(one.rows),
            }
            for one in found.missing
        ],
        "unread": [{"file": file, "columns": heads} for file, heads in found.unread],
        "unread_cells": [console.problem_values(cell) for cell in found.unread_cells],
        "problems": [console.problem_values(problem) for problem in found.refused],
    }


def _read_slips(
    folder: Path, event_record: EventRecord, places: Sequence[Path], refused: list[Problem]
) -> list[Table]:
    """Read the completed slips in these folders and files. Problems are added to `refused`."""
    kits = result_limits(folder)
    seating = Seating(
        event_record.players_at, lambda number, table: kits(number, table).kit, event_record.known_names
    )
    found: list[Table] = []
    for place in places:
        try:
            for file in _find_pdfs(place):
                try:
                    found.append(read_slip(str(file), _read_fields(file), seating, refused))
                except DataError as error:
                    refused += error.problems
        except DataError as error:
            refused += error.problems
    return found


def _find_pdfs(place: Path) -> list[Path]:
    """Return the PDFs in a folder, or the file itself.

    Raises:
        DataError: If the folder contains no PDFs, or there is no such file.
    """
    if not (is_there(place) or is_folder(place)):
        raise DataError(missing_file_problem(place, ".pdf"))
    if not is_folder(place):
        return [place]
    inside = sorted(filter(_is_pdf, place.iterdir()))
    if not inside:
        raise DataError(Problem(tr("contains no PDF"), str(place)))
    return inside


def _is_pdf(file: Path) -> bool:
    return file.suffix.lower() in _SLIP_SUFFIXES


def _read_fields(file: Path) -> Sequence[Mapping[str, str]]:
    """Return the fields of each page of a PDF, keyed by name.

    Raises:
        DataError: If the PDF cannot be read.
    """
    from generator.press.check.content import EncryptedPdfError, filled_fields

    content = read_within(file, MAX_SLIP_BYTES, tr("is larger than {limit} MiB", limit=MAX_SLIP_BYTES >> 20))
    try:
        return filled_fields(content)
    except EncryptedPdfError as error:
        hint = tr("save the PDF without a password, or type the results into results.csv")
        raise DataError(Problem(tr("is encrypted with a password"), str(file), hint=hint)) from error
    except ValueError as error:
        raise DataError(Problem(tr("cannot be read as a PDF"), str(file))) from error
