"""`muster tournament results`: take what was filled in, in results.csv or on slips, into an event's record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from generator.cli import console
from generator.cli.desk import (
    DRY,
    FOLDER,
    command_of,
    disputed_lines,
    follows,
    other_lines,
    row,
    said,
    taken_lines,
    tell_next,
    waiting,
)
from generator.cli.event import keep, known, opened
from generator.cli.help import Verb
from generator.cli.lists import ENCODING
from generator.cli.one_writer import writes_event
from generator.cli.round_results import SLIP_LIMIT, recorded, sheet, slips_form
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.store.folders import is_file, is_folder, is_there, missing, read_within
from generator.store.manifest import NAME as MANIFEST
from generator.tournament import ledger
from generator.tournament.csv_files import Table
from generator.tournament.ledger import Book
from generator.tournament.record import Taken, shown, taken
from generator.tournament.slips import Seating, read_slip

_PDF, _TABLES = (".pdf",), (".csv", ".tsv", ".txt")
"""How the names of slips end, and those of tables."""


@click.command(cls=Verb)
@FOLDER
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE.csv…")
@click.option("--from", "slips", multiple=True, type=click.Path(path_type=Path), metavar="FILE.pdf|DIR")
@ENCODING
@DRY
@console.answer_options
@writes_event
def results(
    folder: Path,
    files: tuple[Path, ...],
    slips: tuple[Path, ...],
    encoding: str | None,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> None:
    """Record the results filled in in the rounds' folders, in these files, or on slips.

    Rows that cannot be true are refused with their line; all others are recorded.
    """
    _by_kind(folder, files, slips)
    event_record = opened(folder)
    refused: list[Problem] = []
    tables = _read_slips(folder, event_record, slips, refused)
    found = recorded(folder, event_record, files, tables, encoding, slips_only=bool(slips))
    found.refused = [*refused, *found.refused]
    wrote = keep(folder, found.book, dry)
    lines = [
        *taken_lines(folder, found, lang),
        *_summary(found, lang),
        *disputed_lines(found.book, lang),
        *waiting(found.book, found.book.round, lang),
    ]
    lines += [*_without_file(folder, found.book, lang), *_forms(folder, found.book, lang)]
    lines += other_lines(folder, found.book, lang)
    if dry and wrote:
        lines.append(said("would_write", lang, file=folder / ledger.NAME))
    after = _after_refusal(folder, files, slips, found.refused) if found.refused else follows(folder, found.book)
    if as_json:
        about = row(folder, found.book, wrote and not dry, lines) | as_values(found)
        console.as_json(about | {"next": after[1]})
    else:
        for line in lines:
            console.line(line)
        tell_next(*after, lang)
    if found.refused:
        error = DataError(*found.refused)
        if not as_json:
            console.problems(error, in_json=False)
        raise click.exceptions.Exit(error.exit_code)


def _after_refusal(
    folder: Path, files: Sequence[Path], slips: Sequence[Path], refused: Sequence[Problem]
) -> tuple[str, str]:
    """Return the sentence about the next step once something was refused, and its command."""
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


def _by_kind(folder: Path, files: Sequence[Path], slips: Sequence[Path]) -> None:
    """WrongUsageError if a table is named as a slip, or a slip as a table."""
    wrong = [
        Problem(
            tr("--from {file}: a table of results goes without --from", file=file),
            hint=command_of("results", folder, str(file)),
        )
        for file in slips
        if file.suffix.lower() in _TABLES and not is_folder(file)
    ]
    wrong += [
        Problem(
            tr("{file}: a slip goes with --from", file=file), hint=command_of("results", folder, "--from", f"{file}")
        )
        for file in files
        if file.suffix.lower() in _PDF
    ]
    WrongUsageError.raise_if_any(wrong)


def _summary(found: Taken, lang: Lang) -> Iterator[str]:
    """Say so if nothing came in."""
    if not (found.changed or found.refused):
        some = any(one.results for one in found.book.round)
        yield said("nothing_new" if some else "none_yet", lang)


def _without_file(folder: Path, event_record: Book, lang: Lang) -> Iterator[str]:
    """Name the packed rounds that lack results and whose results.csv was deleted or renamed."""
    undone = {past.round.number for past in event_record.undone}  # Muster itself took their files away
    for one in event_record.round:
        file = sheet(folder, one.number)
        if (
            one.number not in undone
            and is_file(file.parent / MANIFEST)
            and not is_file(file)
            and one.waiting(event_record.games)
        ):
            yield said("no_sheet", lang, n=one.number, file=file)


def _forms(folder: Path, event_record: Book, lang: Lang) -> Iterator[str]:
    """Name the forms in the rounds' folders that were filled in and are not recorded."""
    for one in event_record.round:
        if form := slips_form(folder, one.number):
            refused: list[Problem] = []
            tables = _read_slips(folder, event_record, [form], refused)
            if taken(event_record, tables, known(folder), "").changed:
                command = command_of("results", folder, "--from", str(form))
                yield said("form_filled", lang, file=form, command=command)


def as_values(found: Taken) -> dict[str, object]:
    """Return the fate of each result as plain values (docs/json.md)."""
    return {
        "recorded": [{"round": n, "table": game.table, "game": game.game} for n, game in found.fresh],
        "changed": [
            {"round": n, "table": new.table, "game": new.game, "before": shown(old), "after": shown(new)}
            for n, old, new in found.corrected
        ],
        "emptied": [{"round": n, "table": game.table, "game": game.game} for n, game in found.emptied],
        "superseded": [
            {
                "round": n,
                "table": old.table,
                "game": old.game,
                "recorded": shown(old),
                "read": shown(read),
                "file": file,
            }
            for n, old, read, file in found.superseded
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
        "unread_cells": [console.problem_row(cell) for cell in found.unread_cells],
        "problems": [console.problem_row(problem) for problem in found.refused],
    }


def _read_slips(folder: Path, event_record: Book, places: Sequence[Path], refused: list[Problem]) -> list[Table]:
    """Read the filled slips in these folders and files; what cannot be taken is added to `refused`."""
    kits = known(folder)
    seating = Seating(event_record.seated, lambda number, table: kits(number, table).kit, event_record.names)
    found: list[Table] = []
    for place in places:
        try:
            for file in _pdfs(place):
                try:
                    found.append(read_slip(str(file), _filled(file), seating, refused))
                except DataError as error:
                    refused += error.problems
        except DataError as error:
            refused += error.problems
    return found


def _pdfs(place: Path) -> list[Path]:
    """Return the PDFs in a folder, or the one that was named; DataError if there is none."""
    if not (is_there(place) or is_folder(place)):
        raise DataError(missing(place, ".pdf"))
    if not place.is_dir():
        return [place]
    inside = sorted(filter(_is_pdf, place.iterdir()))
    if not inside:
        raise DataError(Problem(tr("has no PDF"), str(place)))
    return inside


def _is_pdf(file: Path) -> bool:
    return file.suffix.lower() in _PDF


def _filled(file: Path) -> Sequence[Mapping[str, str]]:
    """Return what was filled in on each page of a PDF; DataError if it cannot be read."""
    from generator.press.check.content import EncryptedPdfError, filled_fields

    content = read_within(file, SLIP_LIMIT, tr("larger than {limit} MiB", limit=SLIP_LIMIT >> 20))
    try:
        return filled_fields(content)
    except EncryptedPdfError as error:
        hint = tr("save it without a password, or type it into results.csv")
        raise DataError(Problem(tr("is encrypted with a password"), str(file), hint=hint)) from error
    except ValueError as error:
        raise DataError(Problem(tr("cannot be read as a PDF"), str(file))) from error
