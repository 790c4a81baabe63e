"""A list of players that is packed again: whoever is new in it joins, whoever is missing drops out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from generator.cli.desk import command_of, said
from generator.cli.event import round_folder
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.tournament import ledger
from generator.tournament.csv_files import plain
from generator.tournament.ledger import SYSTEMS, Book, Player
from generator.tournament.matching import paired
from generator.tournament.pairings import Entrant, Round, rotation


class Relisted(NamedTuple):
    """An event after a list was packed again."""

    book: Book
    rounds: Sequence[Round]
    """The rounds that are paired from the list."""
    changes: Sequence[Callable[[Lang], str]]
    """Who joined, came back and dropped out, a line each."""


def relisted(
    folder: Path, book: Book, players: Sequence[Entrant], count: int, only: Sequence[int], frozen: Sequence[int]
) -> Relisted:
    """Pair the rounds of a list in rotation, as an event that stands has them.

    Rounds before the first of `only`, or those that were played, stay as they are; the rounds after them are paired
    so that nobody meets again.

    Raises:
        WrongUsageError: the event pairs its rounds in another way.
    """
    fresh = rotation(players, count)
    if not book.round:
        book, changes = _changed(book, players, 1)
        return Relisted(replace(book, system=SYSTEMS[1]), fresh, changes)
    if all(ledger.still(book, one.number, one) for one in fresh if book.at(one.number)):
        return Relisted(book, fresh, ())
    if book.system != SYSTEMS[1]:
        hint = tr(
            "who plays changes with {join} and {drop}; then {pair}",
            join=command_of("join", folder, "NAME"),
            drop=command_of("drop", folder, "NAME"),
            pair=command_of("pair", folder),
        )
        raise WrongUsageError(
            tr("{folder} holds an event whose rounds are paired by results", folder=folder), hint=hint
        )
    first = min(only) if only else max(frozen, default=0) + 1
    book, changes = _changed(book, players, first)
    if first == 1:
        return Relisted(book, fresh, changes)
    last = max(count, *(one.number for one in book.round))
    begin = first if changes else book.next
    before = replace(book, round=tuple(one for one in book.round if one.number < begin))
    rounds = []
    for number in range(begin, last + 1):
        made = paired(before, number).round
        before = before.with_round(made)
        rounds.append(made.of())
    return Relisted(book, rounds, changes)


def _changed(book: Book, players: Sequence[Entrant], first: int) -> tuple[Book, list[Callable[[Lang], str]]]:
    """The event with the players of a list from a round on, and what is told of each who came or left."""
    listed = {plain(player.name) for player in players}
    changes: list[Callable[[Lang], str]] = []

    def told(sentence: str, player: Player) -> None:
        changes.append(lambda lang: said(sentence, lang, name=player.name, lot=player.lot, n=first))

    for player in book.players:
        if player.here(first) and plain(player.name) not in listed:
            book = book.with_player(replace(player, left=first))
            told("dropped", player)
    for entrant in players:
        old = book.player(entrant.name)
        if old is None:
            (made,) = ledger.enrolled(book.code, [entrant], first, [player.lot for player in book.players])
        elif old.here(first):
            continue
        else:
            made = ledger.back(old, first) if old.left else replace(old, since=min(old.since, first))
        book = book.with_player(made)
        told("joined" if old is None else "back", made)
    return book, changes


def asked_rounds(
    book: Book, given: Sequence[Round], only: Sequence[int], file: Path, lang: Lang
) -> tuple[Sequence[Round], list[str]]:
    """The rounds of a file, without those that the event has, are paired otherwise, and were not asked for."""
    left = [
        one.number
        for one in given
        if only and one.number not in only and book.at(one.number) and not ledger.still(book, one.number, one)
    ]
    lines = [said("as_book", lang, n=n, file=file) for n in left]
    return [one for one in given if one.number not in left], lines


def outdated(folder: Path, book: Book, given: Sequence[Round], only: Sequence[int]) -> list[int]:
    """Return the packed rounds that are paired anew and are not packed now."""
    return [
        one.number
        for one in given
        if only
        and one.number not in only
        and is_file(folder / round_folder(one.number) / MANIFEST)
        and not ledger.still(book, one.number, one)
    ]


def outdated_lines(folder: Path, numbers: Sequence[int], lang: Lang) -> list[str]:
    """Report such rounds, a line each."""
    return [said("paired_anew", lang, n=n, command=command_of("pack", folder)) for n in numbers]
