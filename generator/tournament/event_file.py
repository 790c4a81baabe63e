"""The record of an event in event.toml: players, pairings, results, and earlier versions of pairings and results.

Pages and standings are generated from the record. Users may edit the file, and faults are reported with their
lines.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator import games
from generator.errors import CannotWriteError, DataError, Problem, WrongUsageError, near, nearest
from generator.localization import tr
from generator.notation.text import NAME_LIMIT, key, name_fault, name_hint, value
from generator.notation.toml import FILE_LIMIT, Source
from generator.seeds import RngStreams, parse_code
from generator.store.folders import is_file
from generator.tournament.csv_files import cell_words, means, plain
from generator.tournament.event import Mode
from generator.tournament.options import option_faults
from generator.tournament.pairings import MAX_PLAYERS, MAX_ROUNDS, MAX_TABLE, ByeValue, Entrant, Pairing, Round
from generator.tournament.scores import (
    MAX_GAMES,
    MAX_SCORE,
    Outcome,
)

NAME = "event.toml"
HEAD = "# Event record, kept by `muster tournament` (docs/tournament.md). You may edit it.\n"
"""The first line of event.toml."""
KNOWN_HEADS = HEAD + (
    "# The book of a tournament, kept by `muster tournament` (docs/tournament.md). You may change it by hand.\n"
)
"""The first lines of event.toml, now and up to version 0.2. They are not comments of the user."""
System = Literal["swiss", "rotation", "dutch"]
SYSTEMS: tuple[System, ...] = ("swiss", "rotation", "dutch")
Byes = Literal["lowest", "drawn"]
BYES: tuple[Byes, ...] = ("lowest", "drawn")
Bid = Literal["", "banners", "cards"]
BIDS: tuple[Bid, ...] = ("banners", "cards")
Cut = Literal[0, 2, 4, 8]
CUTS: tuple[Cut, ...] = (2, 4, 8)
MAX_NOTICES = 9
"""The maximum number of notices, which is the number of lines on a page of notices."""
_MAX_LIST_LINE = 100
"""The maximum number of characters of a list on one line. A longer list has a line for each entry, because the length
of lines is limited.
"""
_READ_PER_LINE = 4
"""The number of results that were read on one line of the file."""
MAX_FORMER_NAMES = 20
"""The maximum number of former names that are kept for a player. Slips with older names can no longer be read."""
_MAX_LOT = 99_999
"""The largest number that a player can draw by lot."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LIMIT)]
Text = Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)]
Number = Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
Later = Annotated[int, msgspec.Meta(ge=0, le=MAX_ROUNDS + 1)]
Table = Annotated[int, msgspec.Meta(ge=0, le=MAX_TABLE)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_SCORE)]
Stamp = Annotated[str, msgspec.Meta(max_length=40)]
_HOUR = "([01]?[0-9]|2[0-3]):[0-5][0-9]"
SPAN = f"{_HOUR}-{_HOUR}"
"""A regular expression for the times of a round, such as `9:30-11:10`."""
Hours = Annotated[str, msgspec.Meta(pattern=f"^{SPAN}$", description="such as 9:30-11:10")]
Hash = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$", description="64 hexadecimal digits")]


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player on the list of the event."""

    name: Name
    """The name of the player, which no other player may have."""
    lot: Annotated[int, msgspec.Meta(ge=1, le=10**6)]
    """The lot number drawn for the player on joining, which is used as the last tie-break."""
    team: Text = ""
    """The player's team, which is printed next to the name."""
    since: Number = 1
    """The first round in which the player may play."""
    left: Later = 0
    """The first round after the player left; 0 if the player has not left."""
    table: Table = 0
    """The table where the player must sit; 0 for any table."""
    no_bye: bool = False
    """Whether the player must never have a bye."""
    rests: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MAX_ROUNDS)] = ()
    """The rounds for which the player requested a half-point bye."""
    away: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MAX_ROUNDS)] = ()
    """The rounds that the player misses without a bye."""
    formerly: Annotated[tuple[Name, ...], msgspec.Meta(max_length=MAX_FORMER_NAMES)] = ()
    """The player's names before `tournament rename`, which are still on pages printed before."""

    def is_paired(self, number: int) -> bool:
        """Return whether the player must be paired in a round."""
        return self.is_present(number) and number not in self.rests

    def is_present(self, number: int) -> bool:
        """Return whether the player takes part in a round, possibly with a bye."""
        return self.since <= number and not 0 < self.left <= number and number not in self.away


_MIN_TYPO_LENGTH = 5
"""The minimum length of a name for which a difference of one letter counts as a likely typo."""


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A meeting of two players at a table, or a bye if `b` is empty."""

    a: Name
    """The first player of the pairing."""
    b: Text = ""
    """The second player of the pairing; empty for a bye."""
    table: Table = 0
    """The table of the two players; 0 for a bye."""
    team: Text = ""
    """The teams, as printed next to the names."""
    half: bool = False
    """Whether the bye is a half-point bye."""
    against: Text = ""
    """The opponent who did not come, if the bye is a win by forfeit."""


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The result of a game. In each pair of numbers, the first is for player `a` and the second for player `b`."""

    table: Table
    """The number of the table."""
    game: Annotated[int, msgspec.Meta(ge=0, le=MAX_GAMES)]
    """The number of the game at its table, counted from 1."""
    won: Literal["a", "b", "draw"]
    """The winner of the game."""
    score: tuple[Count, Count] = (0, 0)
    """The scores of the two players."""
    lost: tuple[Count, Count] = (0, 0)
    """The casualties of the two players."""
    bid: tuple[Count, Count] = (0, 0)
    """The bids of the two players."""
    elsewhere: bool = False
    """Whether the result came from a slip or from a file other than the round's `results.csv`."""


_READ = r"[0-9]{1,4}/[0-9]{1,2} (a|b|draw) [0-9]+-[0-9]+( lost [0-9]+-[0-9]+)?( bid [0-9]+-[0-9]+)?( elsewhere)?"
ReadResult = Annotated[str, msgspec.Meta(max_length=80, pattern=f"^{_READ}$", description="such as 12/1 a 3-1")]
"""A result that was read from a file, such as `12/1 a 3-1 lost 2-4`, with `elsewhere` at the end if it was not the
round's `results.csv`.
"""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result before it was corrected."""

    at: Stamp
    """The time of the correction."""
    was: Game
    """The result before the correction."""


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A round of the event."""

    number: Number
    """The number of the round, counted from 1."""
    meetings: Annotated[tuple[Meeting, ...], msgspec.Meta(max_length=MAX_TABLE)] = ()
    """The pairings and byes of the round."""
    results: Annotated[tuple[Game, ...], msgspec.Meta(max_length=MAX_TABLE * 2)] = ()
    """The results of the round so far."""
    corrected: Annotated[tuple[Change, ...], msgspec.Meta(max_length=MAX_TABLE)] = ()
    """The corrected results, as they were before the correction."""
    read: Annotated[tuple[ReadResult, ...], msgspec.Meta(max_length=MAX_TABLE * 4)] = ()
    """The results that Muster last read from files. Rows and slips equal to them do not replace later results."""
    final: Annotated[int, msgspec.Meta(ge=0, le=CUTS[-1])] = 0
    """The number of players left, in a round of the final; 0 in all other rounds."""
    printed: Hash = ""
    """The hash of the manifest of the round's pages; empty until the round has a result."""

    @property
    def tables(self) -> tuple[Meeting, ...]:
        """The meetings of two players, which excludes byes."""
        return tuple(one for one in self.meetings if one.b)

    def has_read(self, game: Game) -> bool:
        """Return whether the result that was last read for a game, from the same kind of source, is the same."""
        return _read_result(game) in self.read

    def with_read(self, games: Iterable[Game], emptied: Container[tuple[int, int]] = ()) -> Played:
        """Return the round with results that were read from files, which replace those of the same kind of source.

        `emptied` has the tables and games whose rows of `results.csv` are now empty.
        """
        read = {_read_key(text): text for text in self.read}
        read = {key: text for key, text in read.items() if key[2] or key[:2] not in emptied}
        read |= {(game.table, game.game, game.elsewhere): _read_result(game) for game in games}
        return replace(self, read=tuple(read[key] for key in sorted(read)))

    def with_written_file(self, results: Iterable[Game]) -> Played:
        """Return the round after its `results.csv` was written with these results."""
        kept = replace(self, read=tuple(read for read in self.read if _read_key(read)[2]))
        return kept.with_read(replace(game, elsewhere=False) for game in results)

    def as_round(self) -> Round:
        """Return the round in the form in which it is printed."""
        return Round(self.number, tuple(Pairing(m.table, m.a, m.b, m.team, m.half, m.against) for m in self.meetings))

    def tables_without_results(self, games: int) -> list[int]:
        """Return the tables that have fewer results than `games`."""
        there = Counter(game.table for game in self.results)
        return [m.table for m in self.tables if there[m.table] < games]


def _read_result(game: Game) -> str:
    """Return a result in the form in which the event's file keeps the results that were read."""
    words_ = [f"{game.table}/{game.game}", game.won, "-".join(map(str, game.score))]
    words_ += [f"lost {game.lost[0]}-{game.lost[1]}"] if any(game.lost) else []
    words_ += [f"bid {game.bid[0]}-{game.bid[1]}"] if any(game.bid) else []
    return " ".join([*words_, *(["elsewhere"] if game.elsewhere else [])])


def _read_key(read: str) -> tuple[int, int, bool]:
    """Return the table and the game of a result that was read, and whether it was not in `results.csv`."""
    table, _, game = read.partition(" ")[0].partition("/")
    return int(table), int(game), read.endswith(" elsewhere")


class Undone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round that was reopened, in its former state."""

    at: Stamp
    """The time at which the round was reopened."""
    round: Played
    """The round as it was before it was reopened."""


class EventRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The record of an event: settings, players, rounds and results."""

    name: Name
    """The name of the event."""
    game: Name
    """The game of the event; `muster games` lists the games."""
    code: Name
    """The code from which all scenarios are generated."""
    scenarios: Mode = "duplicate"
    """Whether all tables play the same scenario: `duplicate` or `per-table`."""
    system: System = "swiss"
    """The pairing system."""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=MAX_ROUNDS)] = 0
    """The planned number of rounds; 0 if the number is not set."""
    games: Literal[1, 2] = 2
    """The number of games at a table in each round."""
    byes: Byes = "lowest"
    """Who gets a bye: `lowest` (the lowest-ranked player) or `drawn` (a player drawn by lot)."""
    bye: ByeValue = "full"
    """The value of a bye: `full` (all games of the round won), `half` (half of that) or `zero` (no points)."""
    bid: Bid = ""
    """The currency of bids for the choice of a side: `banners` or `cards`; empty if players do not bid."""
    cut: Cut = 0
    """The number of players in the final after the other rounds, or 0 if there is no final."""
    clock: Annotated[tuple[Hours, ...], msgspec.Meta(max_length=MAX_ROUNDS)] = ()
    """The start and end times of the rounds, such as `9:30-11:10`; later rounds may be left out."""
    notices: Annotated[tuple[Text, ...], msgspec.Meta(max_length=MAX_NOTICES)] = ()
    """The notices for the players, one in each element."""
    sealed: bool = False
    """Whether the rounds are sealed."""
    players: Annotated[tuple[Player, ...], msgspec.Meta(max_length=10 * MAX_PLAYERS)] = ()
    """All players who have ever been on the list."""
    apart: Annotated[tuple[tuple[Name, Name], ...], msgspec.Meta(max_length=1000)] = ()
    """The pairs of players who must not meet."""
    options: dict[str, Text] = msgspec.field(name="wishes", default_factory=dict)
    """The options that apply to every scenario, by name."""
    files: dict[str, str] = {}
    """The hashes of the files that the organiser supplied, by file name."""
    round: tuple[Played, ...] = ()
    """The paired rounds, in ascending order."""
    undone: tuple[Undone, ...] = ()
    """The reopened rounds, as they were before they were reopened."""

    def byes_in_round(self, number: int) -> tuple[list[str], list[str]]:
        """Return the players with a full bye in a round, and the players with a bye that counts half.

        If the round is not paired yet, the result has only the players who asked for a bye that counts half.
        """
        if one := self.find_round(number):
            byes = [meeting for meeting in one.meetings if not meeting.b]
            return [m.a for m in byes if not m.half], [m.a for m in byes if m.half]
        return [], [player.name for player in self.players if player.is_present(number) and number in player.rests]

    @property
    def next_number(self) -> int:
        """The number of the next round to be paired."""
        return max((one.number for one in self.round), default=0) + 1

    def find_round(self, number: int) -> Played | None:
        """Return a round, or None if the round is not paired."""
        return next((one for one in self.round if one.number == number), None)

    def players_at(self, number: int, table: int) -> tuple[str, str] | None:
        """Return the first and the second player at a table of a round, or None if no game is played there."""
        one = self.find_round(number)
        return next(((m.a, m.b) for m in one.tables if m.table == table), None) if one else None

    def find_player(self, name: str) -> Player | None:
        """Return the player with this name, or None if there is none."""
        return next((one for one in self.players if plain(one.name) == plain(name)), None)

    def require_player(self, name: str) -> Player:
        """Return the player with this name.

        Raises:
            WrongUsageError: If there is no such player. The hint is the most similar name.
        """
        if found := self.find_player(name):
            return found
        hint = near(name[:NAME_LIMIT], [one.name for one in self.players])
        raise WrongUsageError(tr("there is no player named {name!r}", name=name[:40]), hint=hint)

    def names_by_former(self) -> dict[str, str]:
        """Return the current name of each player, keyed by former names in plain form.

        Former names that another player has now are excluded.
        """
        used = {plain(one.name) for one in self.players}
        return {plain(was): one.name for one in self.players for was in one.formerly if plain(was) not in used}

    def known_names(self, name: str) -> tuple[str, ...]:
        """Return a player's name and former names."""
        found = self.find_player(name)
        return (name, *found.formerly) if found else (name,)

    def with_round(self, made: Played) -> EventRecord:
        """Return the record with a round added or replaced."""
        kept = [one for one in self.round if one.number != made.number]
        return replace(self, round=tuple(sorted([*kept, made], key=lambda one: one.number)))

    def with_player(self, made: Player) -> EventRecord:
        """Return the record with a player added or replaced."""
        if self.find_player(made.name) is None:
            return replace(self, players=(*self.players, made))
        return replace(
            self, players=tuple(made if plain(one.name) == plain(made.name) else one for one in self.players)
        )


def is_event_file(content: bytes) -> bool:
    """Return whether a file contains an event record. A byte order mark, CRLF, and another first line are allowed."""
    try:
        found = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return content.startswith(tuple(KNOWN_HEADS.encode().splitlines(keepends=True)))
    return {"name", "game", "code"} <= found.keys()


def write(event_record: EventRecord) -> bytes:
    """Return the content of event.toml for a record, with one line for each player, pair and result."""
    whole: dict[str, object] = msgspec.to_builtins(event_record)
    lines = [HEAD]
    for name, of in whole.items():
        if name not in ("players", "round", "undone", "wishes", "files"):
            line = f"{name} = {value(of)}\n"
            lines.append(
                _list_lines(name, map(value, of))
                if isinstance(of, tuple | list) and len(line) > _MAX_LIST_LINE
                else line
            )
    lines.append(_list_lines("players", map(value, msgspec.to_builtins(event_record.players))))
    for name, table in (("wishes", event_record.options), ("files", event_record.files)):
        if table:
            lines.append(f"\n[{name}]\n")
            lines += [f"{key(option)} = {value(of)}\n" for option, of in table.items()]
    for one in event_record.round:
        lines.append("\n[[round]]\n")
        lines += _round_lines(one)
    for past in event_record.undone:
        lines.append(f"\n[[undone]]\nat = {value(past.at)}\n\n[undone.round]\n")
        lines += _round_lines(past.round)
    return "".join(lines).encode()


def _round_lines(one: Played) -> Iterator[str]:
    """Yield the entries of a round. The results that were read are short, so several of them are on a line."""
    for name, of in msgspec.to_builtins(one).items():
        if name == "read":
            rows = (", ".join(map(value, of[at : at + _READ_PER_LINE])) for at in range(0, len(of), _READ_PER_LINE))
            yield _list_lines(name, rows)
        else:
            yield _list_lines(name, map(value, of)) if isinstance(of, tuple | list) else f"{name} = {value(of)}\n"


def _list_lines(name: str, rows: Iterable[str]) -> str:
    """Return a list with these rows of entries, each on a line."""
    return f"{name} = [\n{''.join(f'    {row},' + chr(10) for row in rows)}]\n"


def read(folder: Path) -> EventRecord | None:
    """Return the record in a folder, or None if there is none.

    Raises:
        DataError: If the file is faulty. The error lists every faulty line.
    """
    file = folder / NAME
    return parse(Source.open(file)) if is_file(file) else None


def parse(source: Source) -> EventRecord:
    """Return the record in a file.

    Raises:
        DataError: If the file is faulty. The error lists every faulty line.
    """
    event_record = source.read(EventRecord)
    DataError.raise_if_any(sorted(_faults(event_record, source), key=lambda problem: problem.line))
    return event_record


def check_readable(content: bytes, file: Path) -> None:
    """Check that Muster will be able to read a record that it is about to write.

    Raises:
        CannotWriteError: If the file or one of its entries is too long.
    """
    if len(content) > FILE_LIMIT:
        hint = tr("nothing was written; play the next rounds as another event, in another folder given with -o")
        raise CannotWriteError(tr("{file} would be larger than 1 MiB", file=file), hint=hint)
    try:
        parse(Source.of(content, str(file)))
    except DataError as error:
        hint = tr("nothing was written")
        problems = (
            Problem(tr("{file} would not be readable: {fault}", file=file, fault=problem.message), hint=hint)
            for problem in error.problems
        )
        raise CannotWriteError(*problems) from error


def _faults(event_record: EventRecord, source: Source) -> Iterator[Problem]:
    """Yield a problem for each contradiction in a record."""
    if event_record.game not in games.names():
        yield source.problem(
            ("game",),
            tr("there is no game named {game!r}", game=event_record.game),
            near(event_record.game, games.names()),
        )
    else:
        game = games.load(event_record.game)
        yield from (source.problem(*strange) for strange in game.unknown_options(event_record.options))
        yield from (source.problem(*fault) for fault in option_faults(game, event_record.options, event_record.files))
    try:
        parse_code(event_record.code)
    except WrongUsageError as error:
        yield from (source.problem(("code",), problem.message, problem.hint) for problem in error.problems)
    for keys, text in _texts(event_record):
        if text and (fault := name_fault(text)):
            yield source.problem(keys, fault, name_hint(text))
    names: dict[str, int] = {}
    drawn: dict[int, str] = {}
    for at, player in enumerate(event_record.players):
        if means(player.name, cell_words().bye):
            yield source.problem(("players", at), tr("the name is missing"))
        if plain(player.name) in names:
            yield source.problem(("players", at), tr("{name} appears twice", name=player.name))
        names[plain(player.name)] = at
        if (other := drawn.setdefault(player.lot, player.name)) != player.name:
            message = tr(
                "{name} and {other} have the same lot number, {lot}", name=player.name, other=other, lot=player.lot
            )
            yield source.problem(("players", at), message, tr("give one of the two players another number"))
    for at, pair in enumerate(event_record.apart):
        if plain(pair[0]) == plain(pair[1]):
            yield source.problem(("apart", at), tr("the pair lists {name} twice", name=pair[0]))
        for name in pair:
            if plain(name) not in names:
                yield source.problem(("apart", at), *_unknown_name(name, event_record))
    numbers: list[int] = []
    for at, one in enumerate(event_record.round):
        if one.number in numbers or one.number != max([one.number, *numbers]):
            yield source.problem(
                ("round", at, "number"), tr("the rounds must be in order, and each round must appear once")
            )
        numbers.append(one.number)
        yield from _round_faults(event_record, one, ("round", at), source)


def _texts(event_record: EventRecord) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield each text that is printed, with its keys in the file."""
    yield ("name",), event_record.name
    for at, line in enumerate(event_record.notices):
        yield ("notices", at), line
    for at, player in enumerate(event_record.players):
        yield ("players", at), player.name
        yield ("players", at), player.team
    for number, one in enumerate(event_record.round):
        for at, meeting in enumerate(one.meetings):
            yield ("round", number, "meetings", at), meeting.team
            yield ("round", number, "meetings", at), meeting.against
    for option, text in event_record.options.items():
        yield ("wishes", option), text


def _unknown_name(name: str, event_record: EventRecord) -> tuple[str, str]:
    """Return the message for a name that is not on the list, and the most similar name."""
    return tr("there is no player named {name!r}", name=name[:40]), near(
        name, [one.name for one in event_record.players]
    )


def _round_faults(
    event_record: EventRecord, one: Played, keys: tuple[str | int, ...], source: Source
) -> Iterator[Problem]:
    """Yield a problem for each contradiction in a round."""
    seen: dict[str, int] = {}
    names = {plain(player.name) for player in event_record.players}
    for at, meeting in enumerate(one.meetings):
        here = (*keys, "meetings", at)
        for name in filter(None, (meeting.a, meeting.b)):
            if plain(name) not in names:
                yield source.problem(here, *_unknown_name(name, event_record))
            if plain(name) in seen:
                message = tr("{name} plays", name=name)
                yield source.problem(
                    here, tr("{message} twice in round {number}", message=message, number=one.number)
                )
            seen[plain(name)] = at
        if bool(meeting.b) != bool(meeting.table):
            yield source.problem(here, tr("a pair must have a table, and a bye must not have a table"))
    for table, many in Counter(m.table for m in one.tables).items():
        if table and many > 1:
            message = tr("table {table} is used", table=table)
            yield source.problem(
                (*keys, "meetings"), tr("{message} twice in round {number}", message=message, number=one.number)
            )
    if one.final and one.final != 2 * len(one.tables):
        message = tr(
            "this round of the final is for {final} players, but {count} are paired",
            final=one.final,
            count=2 * len(one.tables),
        )
        yield source.problem((*keys, "final"), message)
    there = {meeting.table for meeting in one.tables}
    games_seen: set[tuple[int, int]] = set()
    for at, game in enumerate(one.results):
        here = (*keys, "results", at)
        if game.table not in there:
            yield source.problem(here, tr("there is no table {table} in round {n}", table=game.table, n=one.number))
        if not 1 <= game.game <= event_record.games:
            yield source.problem(here, tr("the number of games for each table is {games}", games=event_record.games))
        if (game.table, game.game) in games_seen:
            yield source.problem(here, tr("this game is already listed"))
        games_seen.add((game.table, game.game))


def draw_lots(code: str, names: Sequence[str], taken: Iterable[int] = ()) -> list[int]:
    """Return a different number for each name.

    The numbers follow from the event's code, so that no player can choose them.
    """
    there, found = set(taken), list[int]()
    for name in names:
        stream = RngStreams(code, "v1/tournament-lot").at(plain(name))
        lot = 1 + stream.below(_MAX_LOT)
        while lot in there:
            lot = 1 + stream.below(_MAX_LOT)
        there.add(lot)
        found.append(lot)
    return found


def enroll(code: str, entrants: Sequence[Entrant], since: int = 1, taken: Iterable[int] = ()) -> list[Player]:
    """Return new players, each with a number drawn by lot."""
    drawn = draw_lots(code, [one.name for one in entrants], taken)
    return [Player(one.name, lot, one.team, since) for one, lot in zip(entrants, drawn, strict=True)]


def rejoin(player: Player, first: int) -> Player:
    """Return a player who left and plays again from round `first` on. The rounds between are marked as missed."""
    away = {*player.away, *range(player.left, first)}
    return replace(player, left=0, away=tuple(sorted(away)))


def has_played(event_record: EventRecord, player: Player) -> bool:
    """Return whether a player has an opponent or a bye in a paired round, or had one in a round that was reopened."""
    rounds = (*event_record.round, *(past.round for past in event_record.undone))
    return any(
        plain(player.name) in (plain(m.a), plain(m.b), plain(m.against)) for one in rounds for m in one.meetings
    )


def with_rounds(event_record: EventRecord, rounds: Iterable[Round]) -> EventRecord:
    """Return the record with rounds that were paired elsewhere. New players in these rounds are added to the list.

    The results of a round are kept if the same players meet at the same tables.
    """
    for one in rounds:
        known = {plain(player.name): player.name for player in event_record.players}
        new = [Entrant(name) for p in one.pairings for name in (p.a, p.b) if name and plain(name) not in known]
        first = min([one.number, *(r.number for r in event_record.round)])
        since = 1 if one.number == first else one.number
        for player in enroll(event_record.code, new, since, [player.lot for player in event_record.players]):
            event_record = event_record.with_player(player)
        players = {plain(player.name): player for player in event_record.players}
        for p in one.pairings:
            for player in (players[plain(name)] for name in (p.a, p.b) if name):
                if (now := _in_round(player, one.number, plays=bool(p.b))) != player:
                    event_record = event_record.with_player(now)
        meetings = tuple(Meeting(p.a, p.b, p.table, p.team, p.half, p.against) for p in one.pairings)
        old = event_record.find_round(one.number)
        if old is None or _seats(old.as_round()) != _seats(one):
            event_record = event_record.with_round(Played(one.number, meetings))
    return event_record


def _in_round(player: Player, number: int, plays: bool) -> Player:
    """Return a player as present in a round, even if the player was to join later, had left, or was absent."""
    if 0 < player.left <= number:
        player = rejoin(player, number)
    away = tuple(n for n in player.away if n != number)
    rests = tuple(n for n in player.rests if n != number) if plays else player.rests
    return replace(player, since=min(player.since, number), away=away, rests=rests)


def _seats(of: Round) -> list[tuple[int, str, str, str]]:
    """Return the tables and players of a round.

    The result does not include whether a bye is worth half a point, because pairings made by other tools do
    not record it.
    """
    return [(p.table, p.a, p.b, p.team) for p in of.pairings]


def likely_typos(event_record: EventRecord, rounds: Iterable[Round]) -> list[tuple[int, str, str]]:
    """Return the new names in rounds that resemble missing players, with the round and the player's name."""
    known = {plain(player.name): player.name for player in event_record.players}
    found = []
    for one in sorted(rounds, key=lambda one: one.number):
        here = {plain(name): name for p in one.pairings for name in (p.a, p.b) if name}
        missing = [name for key, name in known.items() if key not in here]
        new = [name for key, name in here.items() if key not in known]
        found += [(one.number, name, meant) for name in new if (meant := nearest(name, missing))]
        known |= here
    return found


def find_near_name(event_record: EventRecord, name: str) -> str:
    """Return the name of a player that differs from `name` by one letter, or an empty string if there is none.

    Names with fewer than five letters, or that differ in a digit, often belong to different players and are
    ignored.
    """
    made = plain(name)
    near_ = (player.name for player in event_record.players if is_near(made, plain(player.name)))
    return next(near_, "")


def is_near(one: str, two: str) -> bool:
    """Return whether two names differ by one letter that is omitted, added, changed, or swapped with the next."""
    if one == two or max(len(one), len(two)) < _MIN_TYPO_LENGTH or abs(len(one) - len(two)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    if any(text[at : at + 1].isdecimal() for text in (one, two)):
        return False
    swapped = one[at : at + 2] == two[at : at + 2][::-1] and one[at + 2 :] == two[at + 2 :]
    changed = one[at + 1 :] == two[at + 1 :]
    return swapped or changed or one[at + 1 :] == two[at:] or one[at:] == two[at + 1 :]


def reopen_round(event_record: EventRecord, number: int, at: str) -> EventRecord:
    """Return the record without a round, which is moved to `undone`. `at` is the current time."""
    one = event_record.find_round(number)
    if one is None:
        return event_record
    rounds = tuple(of for of in event_record.round if of.number != number)
    return replace(event_record, round=rounds, undone=(*event_record.undone, Undone(at, one)))


def is_unchanged(event_record: EventRecord, number: int, given: Round) -> bool:
    """Return whether the pairings of a round are the same as in the record, in any order."""
    one = event_record.find_round(number)
    return one is not None and pairing_set(one.as_round()) == pairing_set(given)


def pairing_set(of: Round) -> set[tuple[int, str, str]]:
    """Return the tables and players of a round as a set."""
    return {(p.table, plain(p.a), plain(p.b)) for p in of.pairings}


def as_cells(game: Game, bids: bool) -> dict[str, object]:
    """Return a recorded game as the cells of results.csv that a person fills in."""
    cells: dict[str, object] = {"score_a": game.score[0], "score_b": game.score[1]}
    cells |= {"lost_a": game.lost[0], "lost_b": game.lost[1]}
    cells |= {"bid_a": game.bid[0], "bid_b": game.bid[1]} if bids else {}
    return cells | ({} if game.won == outcome_of_score(game.score) and not bids else {"winner": game.won})


def is_disputed(game: Game, bid: Bid) -> bool:
    """Return whether the scores of a game, less bids of banners, imply another winner than the recorded one."""
    bids = game.bid if bid == "banners" else (0, 0)
    return outcome_of_score((game.score[0] - bids[0], game.score[1] - bids[1])) not in ("draw", game.won)


def outcome_of_score(score: tuple[int, int]) -> Outcome:
    """Return the player with the higher score, or `draw` if the scores are equal."""
    return "draw" if score[0] == score[1] else "a" if score[0] > score[1] else "b"
