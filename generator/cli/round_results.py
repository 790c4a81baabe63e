"""The files of an event's rounds that a person fills in: what was typed, and copies before they are replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from generator.cli import console, put
from generator.cli.event import COPIES, content, earlier, edited, folders, known, noted, now, round_folder, slips_file
from generator.errors import DataError, Problem
from generator.localization import default_lang, localize, tr
from generator.model.words import Lang
from generator.store.folders import is_file, read_within
from generator.store.manifest import NAME as MANIFEST
from generator.store.write import remove
from generator.tournament import ledger, outside
from generator.tournament.csv_files import Table, is_blank
from generator.tournament.csv_files import read as listed
from generator.tournament.event import Event, Scenarios
from generator.tournament.ledger import Book, Played
from generator.tournament.packing import RESULTS, results_file
from generator.tournament.pairings import Round
from generator.tournament.player_list import encoding_remark
from generator.tournament.record import Taken, taken
from generator.tournament.scores import FILLED, NEEDED

SLIP_LIMIT = 1 << 26
"""The largest PDF of filled slips that is read, in bytes."""


def sheet(folder: Path, number: int) -> Path:
    """Return where a round's results.csv lies."""
    return folder / round_folder(number) / RESULTS


def frozen(folder: Path, event_record: Book) -> list[int]:
    """Return the rounds that were played, wholly or in part: they have results in the record, or filled in.

    Rounds that an earlier version packed are among them.
    """
    return [
        one.number
        for one in event_record.round
        if one.results or filled_file(folder, one.number) or earlier(folder / round_folder(one.number))
    ]


def filled_file(folder: Path, number: int) -> Path | None:
    """Return the file of a round in which a person wrote a result, results.csv or the form of slips; None if none."""
    form = slips_form(folder, number)
    if _has_entries(sheet(folder, number)):
        return sheet(folder, number)
    return form if form and any(value for page in form_fields(form) for value in page.values()) else None


def slips_form(folder: Path, number: int) -> Path | None:
    """Return a round's form of slips if a person changed it; None otherwise."""
    form = folder / round_folder(number) / slips_file(number)
    return form if edited(form) else None


def form_fields(file: Path) -> Sequence[Mapping[str, str]]:
    """Return the fields of a form page by page; none if it cannot be read."""
    from generator.press.check.content import filled_fields

    try:
        return filled_fields(read_within(file, SLIP_LIMIT, tr("larger than {limit} MiB", limit=SLIP_LIMIT >> 20)))
    except (DataError, ValueError):
        return ()


def _has_entries(file: Path) -> bool:
    """Whether a person wrote a result into a round's file; one that cannot be read may hold some."""
    if not edited(file) or RESULTS not in content(file.parent).get("files", {}):
        return False
    refused: list[Problem] = []
    try:
        rows = listed(file, NEEDED, refused=refused).rows
    except DataError:
        return True
    return bool(refused) or any(row[column] for row in rows for column in FILLED)


def lost_sheet(folder: Path, number: int) -> bool:
    """Whether a packed round's results.csv is missing, or has nothing but its headings."""
    file, place = sheet(folder, number), folder / round_folder(number)
    return RESULTS in content(place).get("files", {}) and not (is_file(file) and not is_blank(file.read_bytes()))


def write_sheet(event: Event, folder: Path, every: Sequence[Round], one: Played, lang: Lang) -> Path:
    """Write a round's results.csv again, with the results that are recorded; the round's other files stay."""
    deal = Scenarios(event, every).deal(one.number)
    games = {(game.table, game.game): game for game in one.results}
    file = sheet(folder, one.number)
    remove(file.parent, [RESULTS])
    put.file(file, results_file(event, one.of(), deal.at, lang, games))
    return file


def other_pairs(folder: Path, one: Played) -> bool:
    """Whether a round's results.csv lists other pairs than the record; False if it cannot be read."""
    found = _pairs(sheet(folder, one.number))
    return found is not None and any(ledger.pairs(made) != ledger.pairs(one.of()) for made in found)


def _pairs(file: Path) -> list[Round] | None:
    """Return the pairs that a results.csv lists; None if it cannot be read."""
    try:
        return outside.of_results(listed(file, NEEDED)) if is_file(file) else None
    except DataError:
        return None


def misfit(folder: Path, one: Played, reopen: bool) -> bool:
    """Whether a person changed a round's results.csv so that it does not list the pairs of the record.

    One that cannot be read may list them; it stays unless the round is reopened.
    """
    file = sheet(folder, one.number)
    return edited(file) and (other_pairs(folder, one) or (reopen and _pairs(file) is None))


def files_named(path: Path, name: str) -> list[Path]:
    """The file itself, or those of that name in a round's folder or an event's; DataError where there is none."""
    if not path.is_dir():
        return [path]
    if (path / name).is_file():
        return [path / name]
    found = [folder / name for folder in folders(path) if (folder / name).is_file()]
    if not found:
        raise DataError(Problem(tr("has no {name}, and neither do its rounds", name=name), str(path)))
    return found


def set_aside(folder: Path, numbers: Iterable[int]) -> list[Path]:
    """Take what was filled in out of rounds that are reopened, and return the copies that are kept of it."""
    copies: list[Path] = []
    for number in numbers:
        place = folder / round_folder(number)
        for name in (RESULTS, slips_file(number)):
            if edited(place / name):
                copies.append(keep_copy(folder, place / name))
                remove(place, [name])
        remove(place, [RESULTS])
    return copies


def remove_outdated(folder: Path, numbers: Iterable[int]) -> None:
    """Remove the results.csv of rounds that are paired anew, if nothing was typed in it."""
    for number in numbers:
        if is_file(file := sheet(folder, number)) and not edited(file):
            remove(file.parent, [RESULTS])


def keep_copy(folder: Path, file: Path) -> Path:
    """Copy a file into the event's folder of copies, under a name that is free."""
    place, parent = folder / COPIES, "" if file.parent == folder else f"{file.parent.name}-"
    number = 1
    while (copy := place / f"{parent}{file.stem}-{number}{file.suffix}").exists():
        number += 1
    put.file(copy, file.read_bytes())
    return copy


def recorded(
    folder: Path,
    event_record: Book,
    files: Sequence[Path] = (),
    slips: Sequence[Table] = (),
    encoding: str | None = None,
    slips_only: bool = False,
) -> Taken:
    """Return the record with the results filled in in the rounds' folders, or in these files and on these slips.

    Whatever cannot be taken is among the `refused`.
    """
    sheet_files = {str(file): one.number for one in event_record.round if edited(file := sheet(folder, one.number))}
    places = {Path(file).resolve(): number for file, number in sheet_files.items()}
    tables, refused, names = list[Table](), list[Problem](), [player.name for player in event_record.players]
    for file in files or ([] if slips_only else map(Path, sheet_files)):
        try:
            tables.append(table := listed(file, NEEDED, encoding, names, refused))
        except DataError as error:
            refused += error.problems
        else:
            if not table.encoding.startswith("utf"):
                console.line(localize(encoding_remark(table.file, table.encoding), default_lang()), err=True)
    sheets = {table.file: places[at] for table in tables if (at := Path(table.file).resolve()) in places}
    found = taken(event_record, [*tables, *slips], known(folder), now(), sheets, refused, insist=bool(files))
    found.book = noted(folder, found.book)
    return found


def state(folder: Path, event_record: Book, one: Played) -> str:
    """Return how far a round has come: `paired`, `packed`, `open` while results are missing, `played`."""
    if one.results:
        return "open" if one.waiting(event_record.games) else "played"
    place = folder / round_folder(one.number)
    there = is_file(place / MANIFEST) and not lost_sheet(folder, one.number)
    return "packed" if there and (edited(place / RESULTS) or not other_pairs(folder, one)) else "paired"
