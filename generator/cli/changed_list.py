"""Pack a changed list of players again: new players join, and missing players drop out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from generator.cli.event_folder import round_folder
from generator.cli.tournament_cli import command_of, format_sentence
from generator.errors import WrongUsageError
from generator.localization import tr
from generator.model.words import Lang
from generator.store.folders import is_file
from generator.store.manifest import NAME as MANIFEST
from generator.tournament import event_file
from generator.tournament.csv_files import plain
from generator.tournament.event_file import SYSTEMS, EventRecord, Player
from generator.tournament.matching import pair_round
from generator.tournament.pairings import Entrant, Round, rotation


class ChangedList(NamedTuple):
    """The result of packing a list of players again."""

    event_record: EventRecord
    rounds: Sequence[Round]
    """The rounds that are paired from the list."""
    changes: Sequence[Callable[[Lang], str]]
    """For each player who joined, returned or dropped out, a function that returns a line to report the change.

    The first players of an event are not changes.
    """


def pair_changed_list(
    folder: Path,
    event_record: EventRecord,
    players: Sequence[Entrant],
    count: int,
    only: Sequence[int],
    frozen: Sequence[int],
) -> ChangedList:
    """Pair the rounds of a list in rotation, except rounds that the event has already played.

    Rounds before the first of `only` and rounds that were played stay unchanged. Later rounds are paired so that
    no two players meet again.

    Raises:
        WrongUsageError: If the event pairs its rounds by results.
    """
    fresh = rotation(players, count)
    if not event_record.round:
        is_new = not event_record.players
        event_record, changes = _update_players(event_record, players, 1)
        return ChangedList(replace(event_record, system=SYSTEMS[1]), fresh, () if is_new else changes)
    if all(
        event_file.is_unchanged(event_record, one.number, one) for one in fresh if event_record.find_round(one.number)
    ):
        return ChangedList(event_record, fresh, ())
    if event_record.system != SYSTEMS[1]:
        hint = tr(
            "change the players with {join} and {drop}, then run {pair}",
            join=command_of("join", folder, "NAME"),
            drop=command_of("drop", folder, "NAME"),
            pair=command_of("pair", folder),
        )
        raise WrongUsageError(
            tr("{folder} contains an event whose rounds are paired by results", folder=folder), hint=hint
        )
    first = min(only) if only else max(frozen, default=0) + 1
    event_record, changes = _update_players(event_record, players, first)
    if first == 1:
        return ChangedList(event_record, fresh, changes)
    last = max(count, *(one.number for one in event_record.round))
    begin = first if changes else event_record.next_number
    before = replace(event_record, round=tuple(one for one in event_record.round if one.number < begin))
    rounds = []
    for number in range(begin, last + 1):
        made = pair_round(before, number).round
        before = before.with_round(made)
        rounds.append(made.as_round())
    return ChangedList(event_record, rounds, changes)


def _update_players(
    event_record: EventRecord, players: Sequence[Entrant], first: int
) -> tuple[EventRecord, list[Callable[[Lang], str]]]:
    """Return the event with the players of a list from round `first` on, and a report for each change."""
    listed = {plain(player.name) for player in players}
    changes: list[Callable[[Lang], str]] = []

    def note_change(sentence: str, player: Player) -> None:
        changes.append(lambda lang: format_sentence(sentence, lang, name=player.name, lot=player.lot, n=first))

    for player in event_record.players:
        if player.is_present(first) and plain(player.name) not in listed:
            event_record = event_record.with_player(replace(player, left=first))
            note_change("dropped", player)
    for entrant in players:
        old = event_record.find_player(entrant.name)
        if old is None:
            (made,) = event_file.enroll(
                event_record.code, [entrant], first, [player.lot for player in event_record.players]
            )
        elif old.is_present(first):
            continue
        else:
            made = event_file.rejoin(old, first) if old.left else replace(old, since=min(old.since, first))
        event_record = event_record.with_player(made)
        note_change("joined" if old is None else "back", made)
    return event_record, changes


def requested_rounds(
    event_record: EventRecord, given: Sequence[Round], only: Sequence[int], file: Path, lang: Lang
) -> tuple[Sequence[Round], list[str]]:
    """Return the rounds of a file, except rounds that the event pairs differently and that were not requested.

    The second result is a line for each omitted round.
    """
    left = [
        one.number
        for one in given
        if only
        and one.number not in only
        and event_record.find_round(one.number)
        and not event_file.is_unchanged(event_record, one.number, one)
    ]
    lines = [format_sentence("as_book", lang, n=n, file=file) for n in left]
    return [one for one in given if one.number not in left], lines


def outdated(folder: Path, event_record: EventRecord, given: Sequence[Round], only: Sequence[int]) -> list[int]:
    """Return the numbers of packed rounds whose pairings change but that this command does not pack."""
    return [
        one.number
        for one in given
        if only
        and one.number not in only
        and is_file(folder / round_folder(one.number) / MANIFEST)
        and not event_file.is_unchanged(event_record, one.number, one)
    ]


def outdated_lines(folder: Path, numbers: Sequence[int], lang: Lang) -> list[str]:
    """Return a line for each of these outdated rounds."""
    return [format_sentence("paired_anew", lang, n=n, command=command_of("pack", folder)) for n in numbers]
