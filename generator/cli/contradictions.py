"""Find manual edits of an event that contradict its packed rounds or each other, before a command continues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from generator.cli import console
from generator.cli.event_folder import is_edited, read_manifest, round_folder, round_folders
from generator.cli.other_folders import moved_rounds
from generator.cli.other_records import other_records
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.toml import Source
from generator.seeds import renewed
from generator.store.folders import is_file
from generator.tournament.csv_files import Row, Table, number, plain
from generator.tournament.csv_files import read as listed
from generator.tournament.event_file import NAME, EventRecord, parse
from generator.tournament.packing import OPENING, RESULTS
from generator.tournament.remarks import TOPICS, Topic, remarks
from generator.tournament.scores import BID_COLUMNS, NEEDED_COLUMNS


class Contradictions(NamedTuple):
    """The contradictions in an event file that is otherwise readable."""

    faults: list[Problem]
    """Contradictions between the file and packed rounds. No command continues if there are any."""
    remarks: list[Problem]
    """Contradictions within the file, which may be intended."""
    pairings: list[Problem]
    """The remarks about pairings that differ from the results.csv of a packed round."""

    @property
    def of_packed_rounds(self) -> list[Problem]:
        """The contradictions with packed rounds, for which `status` and `verify` exit with code 1."""
        return [*self.faults, *self.pairings]


class _Manifest(msgspec.Struct, frozen=True):
    """The entries in a packed round's manifest that describe its event."""

    game: str
    code: str
    options: dict[str, str] = msgspec.field(name="wishes")
    scenarios: str


_OF_ALL: tuple[Topic, ...] = ("players", "apart")
"""The topics of remarks that every command reports."""
_REMARK_TOPICS: dict[str, tuple[Topic, ...]] = {"pair": ("final",), "pack": ("clock",), "day": ("clock",)}
"""The topics of further remarks that a command reports, keyed by command. `status` reports all topics."""


_COMPARE_PAIRINGS = {"pair", "results", "standings"}
"""The commands, in addition to `status`, that read results.csv and therefore report pairings that differ from it."""


def find_contradictions(folder: Path, topics: Sequence[Topic] = TOPICS, pairings: bool = True) -> Contradictions:
    """Return the contradictions in the folder of an event.

    Raises:
        DataError: If the event's file cannot be read.
    """
    if not is_file(folder / NAME):
        return Contradictions([], [], [])
    source = Source.open(folder / NAME)
    event_record = parse(source)
    paired = [*_other_pairings(folder, event_record, source)] if pairings else []
    forms = _unfit_results_files(folder, event_record, source) if pairings else ()
    folders = [*_stray_folders(folder, event_record, source), *_moved_folders(folder, event_record, source)]
    folders += other_records(folder, event_record.code, source)
    found = [*remarks(event_record, source, topics), *folders, *forms, *paired]
    return Contradictions([*_changed_entries(folder, event_record, source)], found, paired)


def report_contradictions(folder: Path, command: str, lang: Lang) -> None:
    """Print the remarks of a command to standard error.

    Raises:
        DataError: If the event contradicts packed rounds.
    """
    found = find_contradictions(folder, (*_OF_ALL, *_REMARK_TOPICS.get(command, ())), command in _COMPARE_PAIRINGS)
    DataError.raise_if_any(found.faults)
    for problem in found.remarks:
        console.print_line(problem.describe(lang), err=True)


def _changed_entries(folder: Path, event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each entry that was changed after a round was packed."""
    packed = [
        (place, of)
        for one in event_record.round
        if (of := _round_manifest(folder / (place := round_folder(one.number))))
    ]
    of_event = [(place, of) for place, of in packed if _same_code(of.code, event_record.code)]
    if packed and not of_event:
        place, of = packed[0]
        yield _changed_problem(source, "code", of.code, place)
    # A round with another code belongs to an earlier event. The current event has not packed this round yet.
    now = {"game": event_record.game, "scenarios": event_record.scenarios, "wishes": event_record.options}
    for entry, value in now.items():
        for place, of in of_event:
            was = {"game": of.game, "scenarios": of.scenarios, "wishes": of.options}[entry]
            if was != value:
                yield _changed_problem(source, entry, was, place)
                break


def _stray_folders(folder: Path, event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each packed round that the event does not contain or that was sealed differently."""
    known = {one.number for one in event_record.round} | {past.round.number for past in event_record.undone}
    for place in round_folders(folder):
        packed = read_manifest(place)
        if not (_round_manifest(place) and _same_code(packed["code"], event_record.code)):
            continue
        if packed.get("round") not in known:
            message = tr("{folder} is a packed round that is not in the event's record", folder=place)
            yield source.problem(
                ("round",),
                message,
                tr("restore the round in the event's record, or move the folder to another place"),
                remark=True,
            )
        elif (OPENING in packed.get("files", {})) != event_record.sealed:
            message = tr("`sealed` was changed after {place} was packed", place=place.name)
            hint = tr("restore the original value; to start another event, give another folder with -o")
            yield source.problem(("sealed",), message, hint, remark=True)


def _moved_folders(folder: Path, event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each round whose folder was renamed or moved within the event."""
    at = {one.number: index for index, one in enumerate(event_record.round)}
    for number_, place in moved_rounds(folder, event_record).items():
        name = round_folder(number_)
        message = tr("the folder {name} of round {n} is missing, but {folder} contains the files of this round",
                     name=name, n=number_, folder=place)  # fmt: skip
        hint = tr("rename or move this folder to {folder}", folder=folder / name)
        yield source.problem(("round", at[number_], "number"), message, hint, remark=True)


def _other_pairings(folder: Path, event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each round whose results.csv has other pairs or byes than the event."""
    names = {plain(player.name): player.name for player in event_record.players}
    for at, one in enumerate(event_record.round):
        file = folder / round_folder(one.number) / RESULTS
        meet = {frozenset((plain(m.a), plain(m.b))) for m in one.tables}
        byes = {plain(m.a) for m in one.meetings if not m.b}
        rows: Sequence[Row] = ()
        with suppress(DataError):  # The command `results` reports faults in the rows.
            rows = listed(file, NEEDED_COLUMNS).rows if is_file(file) else ()
        for row in rows:
            a, b = plain(row["player_a"]), plain(row["player_b"])
            if number(row["round"]) not in (None, one.number) or a not in names:
                continue
            message = ""
            if b in names and frozenset((a, b)) not in meet:
                message = tr(
                    "{file} pairs {a} and {b}, who do not meet in this round", a=names[a], b=names[b], file=file
                )
            elif b and b not in names and not row["table"] and a not in byes:
                message = tr("{file} has a bye for {a}, but event.toml does not", a=names[a], file=file)
            if message:
                hint = tr("correct the pairings; if you changed them on purpose, pack the round again")
                yield source.problem(("round", at, "meetings"), message, hint, remark=True)
                break


def _unfit_results_files(folder: Path, event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each unchanged results.csv whose number of games or columns do not fit the event."""
    for one in event_record.round:
        file = folder / round_folder(one.number) / RESULTS
        with suppress(DataError):  # The command `results` reports faults in the rows.
            if is_file(file) and not is_edited(file):
                yield from _unfit_results_file(listed(file, NEEDED_COLUMNS), event_record, source)


def _unfit_results_file(table: Table, event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem if the games or bid columns of an unchanged results.csv do not fit the event."""
    hint = tr("restore the original value, or pack the round again to use the new value")
    games = max((number(row["game"]) or 0 for row in table.rows), default=0)
    if games not in (0, event_record.games):
        message = tr(
            "{file}: the number of games for each table is {n}, but it is {games} in the event",
            file=table.file,
            n=games,
            games=event_record.games,
        )
        yield source.problem(("games",), message, hint, remark=True)
    if (BID_COLUMNS[0] in table.columns) != bool(event_record.bid):
        message = tr("the columns for bids in {file} do not match the settings of the event", file=table.file)
        yield source.problem(("bid",), message, hint, remark=True)


def _round_manifest(place: Path) -> _Manifest | None:
    try:
        return msgspec.convert(read_manifest(place), _Manifest)
    except msgspec.ValidationError:
        return None


def _same_code(one: str, other: str) -> bool:
    try:
        return renewed(one) == renewed(other)
    except WrongUsageError:
        return False


def _changed_problem(source: Source, entry: str, was: object, place: str) -> Problem:
    message = tr("was changed after {place} was packed; the value was {was}", place=place, was=_format_entry(was))
    return source.problem(
        (entry,), message, tr("restore the original value; to start another event, give another folder with -o")
    )


def _format_entry(was: object) -> str:
    if isinstance(was, dict):
        return " ".join(f"--{name} {value}" for name, value in was.items()) or "–"
    return str(was)
