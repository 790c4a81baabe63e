"""Take over a running event from a TRF16 report: players, rounds, byes, forfeits, results and absences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from generator.errors import DataError, Problem
from generator.localization import LocalizedStr, tr
from generator.tournament import event_file, trf
from generator.tournament.csv_files import Row, decoded_text, plain
from generator.tournament.event_file import BIDS, CUTS, EventRecord, Game, Played
from generator.tournament.file_kinds import TRF, text_kind
from generator.tournament.pairings import MAX_ROUNDS, MAX_TABLE, ByeValue, Entrant
from generator.tournament.player_list import Absent, Listed, encoding_remark, entrants
from generator.tournament.trf import APART_TAG, BYE_HALVES, BYE_TAG, EVENT_TAG, PLANNED_TAG, Cell, PlayerLine

Winner = Literal["a", "b", "draw"]
_WINNERS: Mapping[tuple[str, str], Winner] = {("1", "0"): "a", ("0", "1"): "b", ("=", "="): "draw"}
"""The winner of a table by the marks of the first and the second player."""
_PLAYED_MARKS: Mapping[str, str] = {"+": "1", "-": "0", "W": "1", "L": "0", "D": "="}
"""The mark of a rated game for other marks with the same result."""
_OPEN = (" ", " ")
"""The marks of a table whose result is still open."""
_HALVES: Mapping[str, int] = {"1": 2, "W": 2, "+": 2, "U": 2, "F": 2, "=": 1, "D": 1, "H": 1}
"""The value of each mark in half points. Other marks are worth nothing."""
_WON_SCORE, _DRAWN_SCORE = (1, 0), (0, 0)
"""The scores that are recorded for a win of the first player and for a draw, because TRF16 has no scores. A win
without any score would count as a forfeit.
"""


class TakenOver(msgspec.Struct, frozen=True):
    """An event that was made from a report."""

    event_record: EventRecord
    rounds: int
    """The number of rounds that were taken over."""
    scored: bool
    """Whether the report has the scores of the games, because Muster wrote it."""
    left: tuple[str, ...]
    """The players who did not come to the last round and are therefore not paired any more."""
    remarks: tuple[LocalizedStr | Problem, ...]
    """Remarks on how the file was read, and on lines that could not be taken over."""


_DESCRIPTION = re.compile("001|0[1-9]2|1[0-3]2")
"""The tags of players and of lines that describe the event, such as its date. Other lines may affect pairings or
results.
"""


class _Extra:
    """The values in the additional lines of a report."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.name = ""
        self.planned = self.games = self.round_count = 0
        self.bid: event_file.Bid = ""
        self.bye: ByeValue = "full"
        self.cut: event_file.Cut = 0
        self.lots: dict[int, int] = {}
        self.finals: dict[int, int] = {}
        self.apart: list[tuple[int, ...]] = []
        self.absent: list[int] | None = None
        self.tables: dict[tuple[int, int, int], int] = {}
        """The table of two players in a round, keyed by the round and the starting numbers."""
        self.results: defaultdict[tuple[int, int], list[Game]] = defaultdict(list)
        """The games at a table, keyed by round and table."""
        self.unread: list[tuple[int, str]] = []
        """The lines that are not taken over."""
        left = trf.untagged_lines(lines)
        for at, line in enumerate(lines, 1):
            if line.strip() and trf.has_tag(line):
                self._read(at, line)
        self.unread = sorted([*self.unread, *left])

    def _read(self, at: int, line: str) -> None:
        tag, text = line[:3], line[4:].strip()
        numbers = [int(word) for word in re.findall(r"(?<!\S)[0-9]{1,6}(?!\S)", text)]
        if tag == "012":
            self.name = text
        elif tag in (PLANNED_TAG, "142") and numbers:
            self.planned = min(numbers[0], MAX_ROUNDS)
        elif tag == BYE_TAG:
            points = re.fullmatch(r"([01])[.,]([05])", text)
            halves = 2 * int(points[1]) + (points[2] == "5") if points else -1
            self.bye = next((bye for bye, value in BYE_HALVES.items() if value == halves), "full")
            if halves not in BYE_HALVES.values():
                self.unread.append((at, line))
        elif tag == APART_TAG:
            self.apart += combinations(numbers, 2)
        elif tag == trf.ABSENT_TAG:
            self.absent = [*(self.absent or ()), *numbers]
        elif tag == EVENT_TAG:
            self.absent = self.absent or []  # Muster lists every player who is absent.
            if not self._read_event_line(text.split(), numbers):
                self.unread.append((at, line))
        elif tag != trf.LONG_NAME_TAG and not _DESCRIPTION.fullmatch(tag):
            self.unread.append((at, line))

    def _read_event_line(self, words: Sequence[str], numbers: Sequence[int]) -> bool:
        """Read a line that Muster wrote, and return whether this was possible."""
        match words[:1], numbers:
            case ["games"], [1 | 2 as games]:
                self.games = games
            case ["round"], [count]:
                self.round_count = min(count, MAX_ROUNDS)
            case ["bid"], _:
                self.bid = next((bid for bid in BIDS if bid in words), "")
            case ["cut"], [size]:
                self.cut = next((cut for cut in CUTS if cut == size), 0)
            case ["lot"], [start, lot]:
                self.lots[start] = lot
            case ["final"], [number, size]:
                self.finals[number] = size
            case ["table"], [number, table, a, b]:
                self.tables[number, a, b] = table
            case ["game"], [number, table, game, *counts] if len(counts) == 6 and words[4] in get_args(Winner):
                score, lost, bid = ((counts[at], counts[at + 1]) for at in (0, 2, 4))
                won: Winner = next(word for word in get_args(Winner) if word == words[4])
                self.results[number, table].append(Game(table, game, won, score, lost, bid))
            case _:
                return False
        return True


def take_over(
    path: Path, encoding: str | None, begun: EventRecord, games: int | None = None, absent: Absent | None = None
) -> TakenOver:
    """Return an event with the players, rounds and results of a TRF16 report.

    `begun` has the settings of the new event. `games` is the number of games at a table; by default it is the number
    in the report, or 1. `absent` determines whether players who missed the last round are paired again (`seat`).

    Raises:
        DataError: If the file is not a TRF16 report, or if lines are faulty. The error lists every faulty line.
    """
    text, file = decoded_text(path, encoding), str(path)
    if text_kind(text.text) != TRF:
        hint = tr("give a file in the format TRF16, such as Muster's standings.trf")
        raise DataError(Problem(tr("this is not a TRF16 file"), file, hint=hint))
    lines = text.text.splitlines()
    players, extra = trf.players_by_number(lines, file), _Extra(lines)
    rows = [Row(file, of.line, {"name": of.name}) for of in players.values()]
    listed = entrants(Listed(file, text.encoding, tuple(rows)), "seat")
    name_of = {start: one.name for start, one in zip(players, listed, strict=True)}
    last = _last_round(players, extra, file)
    record = replace(
        begun,
        players=_enrolled(begun.code, listed, name_of, extra),
        rounds=begun.rounds or max(extra.planned, last),
        games=2 if (games or extra.games or 1) == 2 else 1,
        bid=begun.bid or extra.bid,
        bye=extra.bye if begun.bye == "full" else begun.bye,
        cut=begun.cut or extra.cut,
    )
    record = replace(record, apart=tuple(_apart(record, name_of, extra)))
    scored = bool(extra.results) and extra.games == record.games
    for number in range(1, last + 1):
        record = event_file.with_rounds(record, [trf.read_round(lines, file, record, number)])
        record = _with_results(record, number, file, players, name_of, extra if scored else _Extra(()))
    record, requests = _with_requests(record, last, file, players, name_of, extra)
    missed = [] if absent == "seat" else _missing_players(record, last, extra.absent, name_of)
    record = _with_absences(record, last, missed)
    remarks: list[LocalizedStr | Problem] = [encoding_remark(file, text.encoding)] if text.legacy else []
    remarks += requests
    remarks += [Problem(tr("“{text}” cannot be imported", text=line[:60].strip()), file, at)
                for at, line in extra.unread]  # fmt: skip
    remarks += _point_remarks(file, players, record)
    return TakenOver(record, last, scored, tuple(missed), tuple(remarks))


def event_title(path: Path, encoding: str | None) -> str:
    """Return the name of the event in a report, or an empty string without one."""
    return _Extra(decoded_text(path, encoding).text.splitlines()).name


def _last_round(players: Mapping[int, PlayerLine], extra: _Extra, file: str) -> int:
    """Return the number of the last round that was paired.

    A later round may already have requests for byes, which no opponent and no bye of a pairing show.

    Raises:
        DataError: If the report has too many rounds.
    """
    count = max(of.round_count for of in players.values())
    if count > MAX_ROUNDS:
        line = next(of.line for of in players.values() if of.round_count == count)
        message = tr("number of rounds: {count}; an event can have at most {most}", count=count, most=MAX_ROUNDS)
        raise DataError(Problem(message, file, line))
    paired = (
        number
        for number in range(count, 0, -1)
        if any((cell := of.cell(number)) is None or cell.against or cell.mark in "U+-" for of in players.values())
    )
    return max(next(paired, 0), min(extra.round_count, count))


def _enrolled(
    code: str, listed: Sequence[Entrant], name_of: Mapping[int, str], extra: _Extra
) -> tuple[event_file.Player, ...]:
    """Return the players with the lots of the report, or with lots that are drawn if the report has not all lots."""
    made = event_file.enroll(code, listed)
    lots = [extra.lots.get(start, 0) for start in name_of]
    if not all(lots) or len({*lots}) < len(lots):
        return tuple(made)
    return tuple(replace(player, lot=lot) for player, lot in zip(made, lots, strict=True))


def _apart(record: EventRecord, name_of: Mapping[int, str], extra: _Extra) -> Iterator[tuple[str, str]]:
    """Yield the pairs of players who must not meet."""
    for a, b in dict.fromkeys(extra.apart):
        if a in name_of and b in name_of and a != b:
            yield name_of[a], name_of[b]


def _with_results(
    record: EventRecord,
    number: int,
    file: str,
    players: Mapping[int, PlayerLine],
    name_of: Mapping[int, str],
    extra: _Extra,
) -> EventRecord:
    """Return the record with the results of a round.

    Raises:
        DataError: If the marks of two players contradict each other.
    """
    one = record.find_round(number)
    assert one is not None
    start_of = {plain(name): start for start, name in name_of.items()}
    cells = {start: of.cell(number) or Cell() for start, of in players.items()}
    one = _with_forfeited_tables(one, number, name_of, extra)
    starts = {m.table: (start_of[plain(m.a)], start_of[plain(m.b)]) for m in one.tables}
    tables = {at: extra.tables.get((number, *pair), 0) for at, pair in starts.items()}
    numbered = (
        all(tables.values())
        and len({*tables.values()}) == len(tables)
        and max(tables.values(), default=0) <= MAX_TABLE
    )
    if numbered:
        one = replace(one, meetings=tuple(replace(m, table=tables[m.table]) if m.b else m for m in one.meetings))
        starts = {tables[at]: pair for at, pair in starts.items()}
    problems: list[Problem] = []
    results: list[Game] = []
    for table, (a, b) in starts.items():
        marks = _played((cells[a].mark, cells[b].mark))
        games = [game for game in extra.results[number, table] if game.game <= record.games] if numbered else []
        if games and _mark_of(games, record.games) == marks:
            results += games
        elif marks in _WINNERS:
            results += _games(table, _WINNERS[marks], record.games)
        elif marks != _OPEN:
            message = tr(
                "round {n}: the results “{a}” of {name} and “{b}” of {other} do not fit together",
                n=number, a=cells[a].mark, b=cells[b].mark, name=name_of[a], other=name_of[b],
            )  # fmt: skip
            problems.append(Problem(message, file, players[a].line))
    DataError.raise_if_any(problems)
    one = replace(one, results=tuple(results), final=_final(one, extra.finals.get(number, 0)))
    return record.with_round(one)


def _with_forfeited_tables(one: Played, number: int, name_of: Mapping[int, str], extra: _Extra) -> Played:
    """Return a round in which games without any score, which TRF16 shows as forfeits, are tables again."""
    table_of = {
        frozenset((plain(name_of[a]), plain(name_of[b]))): (table, name_of[a], name_of[b])
        for (round_, a, b), table in extra.tables.items()
        if round_ == number and a in name_of and b in name_of
    }
    meetings = []
    free = max((m.table for m in one.tables), default=0)
    for m in one.meetings:
        if m.against and (found := table_of.get(frozenset((plain(m.a), plain(m.against))))):
            free += 1
            m = event_file.Meeting(found[1], found[2], free)
        meetings.append(m)
    return replace(one, meetings=tuple(sorted(meetings, key=lambda m: (not m.b, m.table))))


def _mark_of(games: Sequence[Game], count: int) -> tuple[str, str]:
    """Return the marks of both players that TRF16 has for these games, of which there should be `count`."""
    won = sum((game.won == "a") - (game.won == "b") for game in games)
    return _OPEN if len(games) < count else ("1", "0") if won > 0 else ("0", "1") if won < 0 else ("=", "=")


def _played(marks: tuple[str, str]) -> tuple[str, str]:
    """Return the marks of a rated game with the same result."""
    first, second = (_PLAYED_MARKS.get(mark, mark) for mark in marks)
    return first, second


def _games(table: int, won: Winner, games: int) -> list[Game]:
    """Return the games at a table for a result in TRF16."""
    score = _DRAWN_SCORE if won == "draw" else _WON_SCORE if won == "a" else _WON_SCORE[::-1]
    return [Game(table, game, won, score) for game in range(1, games + 1)]


def _final(one: Played, size: int) -> int:
    return size if size == 2 * len(one.tables) else 0


def _with_requests(
    record: EventRecord,
    last: int,
    file: str,
    players: Mapping[int, PlayerLine],
    name_of: Mapping[int, str],
    extra: _Extra,
) -> tuple[EventRecord, list[Problem]]:
    """Return the record with the byes and absences that players requested for the next round, and remarks."""
    remarks: list[Problem] = []
    for start, of in players.items():
        player, cell = record.require_player(name_of[start]), of.cell(last + 1) or Cell()
        if cell.mark == "H":
            record = record.with_player(replace(player, rests=(last + 1,)))
        elif cell.mark == "Z" and last:
            record = record.with_player(replace(player, away=(*player.away, last + 1)))
        elif cell.mark == "F":
            message = tr(
                "{name} has a bye that counts in full in round {n}; Muster pairs the player",
                name=player.name,
                n=last + 1,
            )
            remarks.append(
                Problem(message, file, of.line, tr("if the player does not come, use muster tournament drop"))
            )
    return record, remarks


def _missing_players(
    record: EventRecord, last: int, absent: Iterable[int] | None, name_of: Mapping[int, str]
) -> list[str]:
    """Return the players who are not paired any more.

    These are the players whom the report lists as absent, or else those who missed the last round.
    """
    if absent is not None:
        return [name_of[start] for start in dict.fromkeys(absent) if start in name_of]
    if not last:
        return []
    there = _present(record, last)
    return [one.name for one in record.players if plain(one.name) not in there and last + 1 not in one.rests]


def _present(record: EventRecord, number: int) -> set[str]:
    """Return the players who have an opponent or a bye in a round, or lost by forfeit, as plain names."""
    one = record.find_round(number)
    return {plain(name) for m in one.meetings for name in (m.a, m.b, m.against) if name} if one else set()


def _with_absences(record: EventRecord, last: int, missed: Iterable[str]) -> EventRecord:
    """Return the record with the rounds that each player missed, and without the players who left."""
    there = {number: _present(record, number) for number in range(1, last + 1)}
    gone = {plain(name) for name in missed}
    for player in record.players:
        key = plain(player.name)
        out = [number for number in there if key not in there[number]]
        left = 0
        if key in gone:
            left = 1 + max((number for number in there if key in there[number]), default=0)
        away = {*player.away, *out} if not left else {number for number in out if number < left}
        record = record.with_player(replace(player, left=left, away=tuple(sorted(away))))
    return record


def _point_remarks(file: str, players: Mapping[int, PlayerLine], record: EventRecord) -> Iterator[Problem]:
    """Yield a remark for each player whose points in the report are not those of the player's rounds.

    The byes of a round that has only been paired may be counted or not.
    """
    every = [one.number for one in record.round]
    played = max((one.number for one in record.round if one.results), default=0)
    counted = [one.number for one in record.round if one.number <= played or not one.tables]
    worth = {**_HALVES, "U": BYE_HALVES[record.bye]}
    for of in players.values():
        declared = re.fullmatch(r"\s*([0-9]{1,3})(?:[.,]([05]))?\s*", of.points)
        if declared is None:
            continue
        halves = [sum(worth.get((of.cell(at) or Cell()).mark, 0) for at in rounds) for rounds in (counted, every)]
        if 2 * int(declared[1]) + (declared[2] == "5") not in halves:
            message = tr(
                "{name} has {points} points in the file, but the player's rounds give {counted}",
                name=of.name, points=declared[0].strip(), counted=f"{halves[0] / 2:.1f}",
            )  # fmt: skip
            yield Problem(message, file, of.line)
