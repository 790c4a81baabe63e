"""Record results that are entered in the studio or on a phone, with the checks of `muster tournament results`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from generator.cli.event_folder import current_time, open_event, result_limits, save_event, with_page_hashes
from generator.cli.event_version import EventChangedError
from generator.cli.studio_phones import Phones, Received, Slip, read_phones, write_phones
from generator.errors import DataError
from generator.localization import tr
from generator.tournament.csv_files import Row, Table
from generator.tournament.event_file import EventRecord
from generator.tournament.pairings import MAX_ROUNDS, MAX_TABLE
from generator.tournament.record import RecordedResults, take_results
from generator.tournament.scores import BID_COLUMNS, MAX_SCORE, RESULT_COLUMNS

Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_SCORE)]


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result as entered: the winner or a draw, and each player's score, losses and bid, if they are known."""

    game: Annotated[int, msgspec.Meta(ge=1, le=2)]
    won: Literal["a", "b", "draw"]
    score: tuple[Count, Count] | None = None
    """The scores of the two players, or None if a player did not come."""
    lost: tuple[Count, Count] | None = None
    bid: tuple[Count, Count] | None = None


class TableResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a table in a round."""

    round: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
    table: Annotated[int, msgspec.Meta(ge=1, le=MAX_TABLE)]
    games: Annotated[tuple[GameResult, ...], msgspec.Meta(min_length=1, max_length=2)]


def record_at_desk(folder: Path, entered: TableResult) -> RecordedResults:
    """Record or correct results. The caller has locked the event.

    A correction keeps the earlier result with its time, as a corrected results.csv does.

    Raises:
        DataError: If there is no such table, or a result is impossible.
    """
    record = open_event(folder)
    found = _take(folder, record, entered, "studio")
    save_event(folder, found.event_record)
    return found


def record_from_phone(folder: Path, table_slip: Slip, games: Sequence[GameResult]) -> RecordedResults:
    """Record the results of a slip for games without a result. The caller has locked the event.

    Raises:
        EventChangedError: If a game already has another result, which only the organiser may correct.
        DataError: If a result is impossible.
    """
    record = open_event(folder)
    entered = TableResult(table_slip.round, table_slip.table, tuple(games))
    one = record.find_round(table_slip.round)
    there = {game.game for game in one.results if game.table == table_slip.table} if one else set()
    if there & {game.game for game in games}:
        raise EventChangedError(
            tr("this game already has a result"), hint=tr("to correct it, ask the organiser at the desk")
        )
    found = _take(folder, record, entered, "phone")
    save_event(folder, found.event_record)
    phones, now = read_phones(folder), current_time()
    received = tuple(Received(number, game.table, game.game, now) for number, game in found.added)
    write_phones(folder, Phones(phones.slips, (*phones.received, *received)))
    return found


def _take(folder: Path, record: EventRecord, entered: TableResult, source: str) -> RecordedResults:
    names = record.players_at(entered.round, entered.table)
    if names is None:
        raise DataError(tr("there is no table {table} in round {n}", table=entered.table, n=entered.round))
    rows = tuple(_row(entered, game, names, source) for game in entered.games)
    table = Table(source, "", (*RESULT_COLUMNS, *BID_COLUMNS), rows)
    found = take_results(record, [table], result_limits(folder), current_time(), entered=True)
    if found.refused:
        raise DataError(*(problem.but(file="", line=0) for problem in found.refused))
    found.event_record = with_page_hashes(folder, found.event_record)
    return found


def _row(entered: TableResult, game: GameResult, names: tuple[str, str], source: str) -> Row:
    """Return a result as a row of results.csv. The winner is always named, because the scores may be equal."""
    cells = {"round": str(entered.round), "table": str(entered.table), "game": str(game.game)}
    cells |= {"player_a": names[0], "player_b": names[1], "winner": game.won}
    for column, pair in (("score", game.score), ("lost", game.lost), ("bid", game.bid)):
        if pair is not None:
            cells |= {f"{column}_{seat}": str(count) for seat, count in zip("ab", pair, strict=True)}
    return Row(source, 0, cells)
