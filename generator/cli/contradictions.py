"""Hand edits of an event that contradict its packed rounds, or each other: found before a command goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from generator.cli import console
from generator.cli.event import content, edited, folders, round_folder
from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.notation.toml import Source
from generator.seeds import renewed
from generator.store.folders import is_file
from generator.tournament.csv_files import Row, Table, number, plain
from generator.tournament.csv_files import read as listed
from generator.tournament.ledger import NAME, Book, parsed
from generator.tournament.packing import OPENING, RESULTS
from generator.tournament.remarks import TOPICS, Topic, remarks
from generator.tournament.scores import BIDS, NEEDED


class Contradictions(NamedTuple):
    """What is wrong with an event's file though it reads."""

    faults: list[Problem]
    """It says otherwise than rounds that were packed: no command goes on."""
    remarks: list[Problem]
    """It contradicts itself, which may be meant."""
    pairings: list[Problem]
    """Those of the remarks that contradict the results.csv of a packed round."""

    @property
    def of_packed_rounds(self) -> list[Problem]:
        """Everything that contradicts packed rounds: `status` and `verify` exit with 1."""
        return [*self.faults, *self.pairings]


class _Manifest(msgspec.Struct, frozen=True):
    """What a packed round says of its event."""

    game: str
    code: str
    wishes: dict[str, str]
    scenarios: str


_OF_ALL: tuple[Topic, ...] = ("players", "apart")
"""The remarks that every command reports."""
_MET_BY: dict[str, tuple[Topic, ...]] = {"pair": ("final",), "pack": ("clock",), "day": ("clock",)}
"""Those that single commands report besides; `status` reports all."""


_COMPARE_PAIRINGS = {"pair", "results", "standings"}
"""The commands that read results.csv, and `status`, report pairings that differ from it."""


def contradictions(folder: Path, topics: Sequence[Topic] = TOPICS, pairings: bool = True) -> Contradictions:
    """Look for contradictions in an event's folder; DataError if its file cannot be read."""
    if not is_file(folder / NAME):
        return Contradictions([], [], [])
    source = Source.open(folder / NAME)
    book = parsed(source)
    paired = [*_results_files(folder, book, source)] if pairings else []
    forms = _forms(folder, book, source) if pairings else ()
    found = [*remarks(book, source, topics), *_folders(folder, book, source), *forms, *paired]
    return Contradictions([*_packed(folder, book, source)], found, paired)


def report_contradictions(folder: Path, command: str, lang: Lang) -> None:
    """Print the remarks that a command meets on the standard error; DataError for what contradicts packed rounds."""
    found = contradictions(folder, (*_OF_ALL, *_MET_BY.get(command, ())), command in _COMPARE_PAIRINGS)
    DataError.raise_if_any(found.faults)
    for problem in found.remarks:
        console.line(problem.describe(lang), err=True)


def _packed(folder: Path, book: Book, source: Source) -> Iterator[Problem]:
    """Entries that were changed since a round was packed."""
    packed = [(place, of) for one in book.round if (of := _manifest(folder / (place := round_folder(one.number))))]
    own = [(place, of) for place, of in packed if _same_code(of.code, book.code)]
    if packed and not own:
        place, of = packed[0]
        yield _changed(source, "code", of.code, place)
    # A round of another code is one that a new event, packed over this one, has not reached yet.
    for entry in ("game", "scenarios", "wishes"):
        for place, of in own:
            if getattr(of, entry) != getattr(book, entry):
                yield _changed(source, entry, getattr(of, entry), place)
                break


def _folders(folder: Path, book: Book, source: Source) -> Iterator[Problem]:
    """Find folders of packed rounds that the event does not have, or that were sealed otherwise."""
    known = {one.number for one in book.round} | {past.round.number for past in book.undone}
    for place in folders(folder):
        packed = content(place)
        if not (_manifest(place) and _same_code(packed["code"], book.code)):
            continue
        if packed.get("round") not in known:
            told = tr("{folder} is packed, but the event does not have this round", folder=place)
            yield source.problem(("round",), told, tr("put the round back, or move the folder away"), remark=True)
        elif (OPENING in packed.get("files", {})) != book.sealed:
            told = tr("sealed was changed since {place} was packed", place=place.name)
            hint = tr("restore it; for another event, give another folder (-o)")
            yield source.problem(("sealed",), told, hint, remark=True)


def _results_files(folder: Path, book: Book, source: Source) -> Iterator[Problem]:
    """Find rounds whose results.csv has other pairs than the event."""
    names = {plain(player.name): player.name for player in book.players}
    for at, one in enumerate(book.round):
        file = folder / round_folder(one.number) / RESULTS
        meet = {frozenset((plain(m.a), plain(m.b))) for m in one.tables}
        rows: Sequence[Row] = ()
        with suppress(DataError):  # what is wrong with its rows, `results` reports
            rows = listed(file, NEEDED).rows if is_file(file) else ()
        for row in rows:
            a, b = plain(row["player_a"]), plain(row["player_b"])
            other_round = number(row["round"]) not in (None, one.number)
            if not other_round and a in names and b in names and frozenset((a, b)) not in meet:
                told = tr("{a} and {b} stand in {file}, and do not meet here", a=names[a], b=names[b], file=file)
                hint = tr("correct the pairings, or pack the round again if they were meant to change")
                yield source.problem(("round", at, "meetings"), told, hint, remark=True)
                break


def _forms(folder: Path, book: Book, source: Source) -> Iterator[Problem]:
    """Find unchanged results.csv files with another number of games or other columns than the event asks for."""
    for one in book.round:
        file = folder / round_folder(one.number) / RESULTS
        with suppress(DataError):  # what is wrong with its rows, `results` reports
            if is_file(file) and not edited(file):
                yield from _form(listed(file, NEEDED), book, source)


def _form(table: Table, book: Book, source: Source) -> Iterator[Problem]:
    """Compare the games and the columns of bids of a results.csv that no person changed with the event."""
    hint = tr("put it back, or pack the round again if it was meant to change")
    games = max((number(row["game"]) or 0 for row in table.rows), default=0)
    if games not in (0, book.games):
        told = tr("{file} has {n} games for each table, and the event {games}", file=table.file, n=games,
                   games=book.games)  # fmt: skip
        yield source.problem(("games",), told, hint, remark=True)
    if (BIDS[0] in table.columns) != bool(book.bid):
        told = tr("the columns of bids in {file} do not fit the event", file=table.file)
        yield source.problem(("bid",), told, hint, remark=True)


def _manifest(place: Path) -> _Manifest | None:
    try:
        return msgspec.convert(content(place), _Manifest)
    except msgspec.ValidationError:
        return None


def _same_code(one: str, other: str) -> bool:
    try:
        return renewed(one) == renewed(other)
    except WrongUsageError:
        return False


def _changed(source: Source, entry: str, was: object, place: str) -> Problem:
    told = tr("was changed since {place} was packed, with {was}", place=place, was=_shown(was))
    return source.problem((entry,), told, tr("restore it; for another event, give another folder (-o)"))


def _shown(was: object) -> str:
    if isinstance(was, dict):
        return " ".join(f"--{name} {value}" for name, value in was.items()) or "–"
    return str(was)
