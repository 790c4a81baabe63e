"""Check incoming results and add them to the record. The former values of corrected results are kept.

Each name must be one of the two at the table, and each score must be possible in the scenario. If a game is given
twice (on both halves of a slip), both results must be the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from generator.errors import Problem, near, nearest
from generator.localization import lang_option, tr
from generator.model.words import Words
from generator.notation.text import CommandWord, suggested_command
from generator.tournament.csv_files import Row, Table, accepted_headings, column_name, number, plain
from generator.tournament.event_file import Change, EventRecord, Game, Meeting, Played, as_cells
from generator.tournament.event_file import outcome_of_score as scored
from generator.tournament.pairings import words
from generator.tournament.scores import BID_COLUMNS, FILLED_COLUMNS, RESULT_COLUMNS, Outcome, Result, read_result
from generator.tournament.unread_cells import Sides, unread_cells


class Limits(NamedTuple):
    """The limits for the results at a table."""

    max_scores: tuple[int, int] | None = None
    """The maximum scores of the first and the second side, or None if unknown."""
    winning_score: int = 0
    """The score that wins at once, so that only one side can reach it, or 0 if there is none."""
    kit: str = ""
    """The kit at the table. Empty if unknown."""
    sides: Sides | None = None
    """The sides of the players at the table, or None if unknown."""
    max_lost: tuple[int, int] | None = None
    """The maximum losses of the first and the second side, or None if unknown."""

    def fault(self, game: int, score: tuple[int, ...], lost: tuple[int, ...] = (0, 0)) -> str:
        """Return the reason that a result is impossible, or an empty string if it is possible.

        Game 2 has swapped sides.
        """
        for count, limit in zip(lost, self.max_lost[:: 1 if game == 1 else -1], strict=True) if self.max_lost else ():
            if count > limit:
                return tr(
                    "the casualties are {count}, but this side can lose at most {limit}", count=count, limit=limit
                )
        for count_, limit in (
            zip(score, self.max_scores if game == 1 else self.max_scores[::-1], strict=True)
            if self.max_scores
            else ()
        ):
            if count_ > limit:
                return tr(
                    "the score is {score}, but the highest possible score in this game is {most}",
                    score=count_,
                    most=limit,
                )
        if self.winning_score and min(score) >= self.winning_score:
            return tr(
                "both scores are {over} or more, but the game ends when one player reaches {over}",
                over=self.winning_score,
            )
        return ""


LimitsOfTable = Callable[[int, int], Limits]
"""A function that returns the limits for a round number and a table number."""


def manifest_limits(of: Callable[[int], Mapping[str, Any]]) -> LimitsOfTable:
    """Return the limits stated in manifests.

    `of` returns the manifest of a round, or an empty mapping if there is none.
    """
    stated: dict[int, Mapping[str, Any]] = {}

    def known(number: int, table: int) -> Limits:
        if number not in stated:
            stated[number] = of(number)
        winning_score = _table_value(stated[number], "over", table)
        return Limits(
            _two_numbers(stated[number], "most", table),
            winning_score if type(winning_score) is int else 0,
            _kit(stated[number], table),
            _sides(stated[number], table),
            _two_numbers(stated[number], "max_lost", table),
        )

    return known


def _table_value(found: Mapping[str, Any], key: str, table: int) -> Any:
    """Return the value for a table under a key of a manifest, or None if there is none."""
    rows = found.get(key)
    return rows.get(str(table)) if isinstance(rows, dict) else None


def _two_numbers(found: Mapping[str, Any], key: str, table: int) -> tuple[int, int] | None:
    """Return the two numbers for a table under a key of a manifest, or None if there are none."""
    two = _table_value(found, key, table)
    both = isinstance(two, list) and len(two) == 2 and all(type(n) is int for n in two)
    return (two[0], two[1]) if both else None


def _sides(found: Mapping[str, Any], table: int) -> Sides | None:
    """Return the sides at a table according to a manifest, or None if it does not state them."""
    try:
        sides: Sides = msgspec.convert(_table_value(found, "sides", table), Sides)
    except msgspec.ValidationError:
        return None
    return sides


def _kit(found: Mapping[str, Any], table: int) -> str:
    """Return the kit of a table according to a manifest, or an empty string if there is none."""
    pages = found.get("pages")
    rows = [row for row in pages if isinstance(row, dict)] if isinstance(pages, list) else []
    kit = next((row.get("kit") for row in rows if row.get("table") == table), "")
    return kit if isinstance(kit, str) else ""


def result_faults(event_record: EventRecord, known: LimitsOfTable) -> Iterator[Words]:
    """Yield the recorded results that are impossible."""
    for one in event_record.round:
        for game in one.results:
            if fault := known(one.number, game.table).fault(game.game, game.score, game.lost):
                values = {"n": one.number, "table": game.table, "game": game.game, "fault": fault}
                yield words()["fault"]["result"].fill(**values)


class Missing(msgspec.Struct, frozen=True):
    """Rows that are missing from a round's results.csv."""

    round: int
    file: str
    tables: tuple[int, ...] = ()
    """Tables that have no rows."""
    games: tuple[tuple[int, int], ...] = ()
    """The table and game numbers of other missing rows."""
    byes: tuple[str, ...] = ()
    """Players whose bye has no row."""
    rows: tuple[str, ...] = ()
    """The missing rows as lines of the file, with the recorded results."""


class KeptResult(NamedTuple):
    """A row or slip that was not recorded, because Muster has already read it and the record was changed later."""

    round: int
    recorded: Game | None
    """The recorded result, which is kept, or None if it was deleted from the event's file."""
    read: Game
    """The result in the row or slip."""
    file: str
    line: int


class RecordedResults(msgspec.Struct):
    """The record with new results, and everything that was not recorded."""

    event_record: EventRecord
    added: list[tuple[int, Game]] = []
    """New results, each with its round."""
    corrected: list[tuple[int, Game, Game]] = []
    """Corrected results, each with its round, the former result and the new one."""
    emptied: list[tuple[int, Game]] = []
    """Results that are kept although their row in results.csv was emptied, each with its round."""
    superseded: list[KeptResult] = []
    """Rows and slips that have not changed since they were read, although the record has changed."""
    missing: list[Missing] = []
    """Rows that are missing from their file. Results that were recorded from them are kept."""
    unread: list[tuple[str, list[str]]] = []
    """Headings of filled columns that Muster does not read, keyed by file."""
    unread_cells: list[Problem] = []
    """Changed cells that contain no part of a result, such as a side, in rows that were recorded."""
    refused: list[Problem] = []
    """The faults of rows that were not recorded."""

    @property
    def changed(self) -> bool:
        """Whether the record has changed."""
        return bool(self.added or self.corrected)


def take_results(
    event_record: EventRecord,
    tables: Iterable[Table],
    known: LimitsOfTable,
    at: str,
    sheets: Mapping[str, int] | None = None,
    refused: Iterable[Problem] = (),
    insist: bool = False,
    entered: bool = False,
) -> RecordedResults:
    """Return the record with the results in these files, and everything that could not be recorded.

    `at` is the current time. `sheets` maps each round's own results.csv to the round. Such a file must contain
    only this round, and its missing or empty rows are reported. `refused` lists lines that could not be read as
    rows.

    A row or slip that contains the same result as when it was last read does not replace a later result, and does not
    restore a result that was deleted from the event's file. With `insist`, such rows of a results.csv are recorded
    anyway, because the user named the file. With `entered`, the rows are not from a file: a person enters them now.
    """
    reader = _RowReader(event_record, known, sheets or {})
    for problem in refused:
        reader.problems.append(problem)
        reader.unreadable[problem.file] = reader.unreadable.get(problem.file, 0) + 1
    every = tuple(tables)
    for table in every:
        reader.begin(table)
        for row in table.rows:
            reader.read(row)
    problems = sorted(reader.problems, key=lambda problem: (problem.file, problem.line))
    made = RecordedResults(
        event_record, refused=problems, unread=[*reader.unread.items()], missing=reader.missing(every)
    )
    made.unread_cells = reader.unread_cells
    read: defaultdict[int, list[Game]] = defaultdict(list)
    empty: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    for (n, table_, game_), (row, game) in reader.games.items():
        one = made.event_record.find_round(n)
        assert one is not None
        old = next((g for g in one.results if (g.table, g.game) == (table_, game_)), None)
        if game is None:
            if row.file in reader.sheets:
                empty[n].add((table_, game_))
                if old and not old.elsewhere:
                    made.emptied.append((n, old))
            continue
        read[n].append(game)
        others = (g for g in one.results if g is not old)
        if old and _same(old, game):
            if not old.elsewhere or game.elsewhere:
                continue
            # By now, results.csv contains the result of the slip too.
            one = replace(one, results=_sorted((*others, game)))
        elif one.has_read(game) and not entered and not (insist and not game.elsewhere):
            made.superseded.append(KeptResult(n, old, game, row.file, row.line))
            continue
        elif old is None:
            made.added.append((n, game))
            one = replace(one, results=_sorted((*others, game)))
        else:
            made.corrected.append((n, old, game))
            one = replace(one, results=_sorted((*others, game)), corrected=(*one.corrected, Change(at, old)))
        made.event_record = made.event_record.with_round(one)
    if not entered:
        made.event_record = _with_read(made.event_record, read, empty)
    return made


def _with_read(
    event_record: EventRecord, read: Mapping[int, Sequence[Game]], empty: Mapping[int, Container[tuple[int, int]]]
) -> EventRecord:
    """Return the record with the results that were read, and without those of rows that are now empty, by round."""
    for one in event_record.round:
        now = one.with_read(read.get(one.number, ()), empty.get(one.number, ()))
        event_record = event_record if now == one else event_record.with_round(now)
    return event_record


def _same(one: Game, other: Game) -> bool:
    """Return whether two results are equal, regardless of their sources."""
    return replace(one, elsewhere=False) == replace(other, elsewhere=False)


def _sorted(games: Sequence[Game]) -> tuple[Game, ...]:
    return tuple(sorted(games, key=lambda game: (game.table, game.game)))


_MIN_LAYOUT_COLUMNS = 10
"""The number of Muster's columns with which a file counts as made from a results.csv, including its kit and team
columns.
"""


class _RowReader:
    """A reader that collects the results and faults of rows."""

    def __init__(self, event_record: EventRecord, known: LimitsOfTable, sheets: Mapping[str, int]) -> None:
        self.event_record, self.known, self.sheets = event_record, known, sheets
        self.problems: list[Problem] = []
        self.games: dict[tuple[int, int, int], tuple[Row, Game | None]] = {}
        self.unread: dict[str, list[str]] = {}
        self.unread_cells: list[Problem] = []
        self.unreadable: dict[str, int] = {}
        """The number of lines in each file that could not be read as rows; each may be a row that is missing."""
        self._columns: frozenset[str] = frozenset()
        self._former = event_record.names_by_former()
        self._tables: dict[str, Table] = {}
        """The rounds' own files, by name."""
        self._disputed: set[tuple[int, int, int]] = set()
        self._unnumbered: dict[tuple[int, int], tuple[Row, int]] = {}
        """The first row of each table that does not state its game, with the number that the game got."""
        self._seen: dict[str, set[tuple[int, int]]] = {}
        """Table and game of each row that names both players of a table, by file."""
        self._byes: dict[str, set[str]] = {}
        """Players whose bye has a row, by file and plain name."""
        self._tables_in_doubt: dict[str, set[int]] = {}
        """Tables that a refused row may have meant, by file; 0 for a bye."""
        self._meetings: dict[int, Mapping[str, Meeting]] = {
            one.number: {plain(name): m for m in one.meetings for name in (m.a, m.b) if name}
            for one in event_record.round
        }

    def begin(self, table: Table) -> None:
        """Start to read a file."""
        self._columns = frozenset(table.columns)
        if table.file in self.sheets:
            self._tables[table.file] = table
            self._seen[table.file], self._byes[table.file], self._tables_in_doubt[table.file] = set(), set(), set()

    def missing(self, tables: Iterable[Table]) -> list[Missing]:
        """Return the missing rows of each round's own file, except for tables that a rejected row may be about."""
        return [found for table in tables if table.file in self._seen and (found := self._missing_rows(table.file))]

    def _missing_rows(self, file: str) -> Missing | None:
        one = self.event_record.find_round(self.sheets[file])
        if one is None:
            return None
        seen, unsure = self._seen[file], self._tables_in_doubt[file]
        lacking = {
            m.table: [game for game in range(1, self.event_record.games + 1) if (m.table, game) not in seen]
            for m in one.tables
            if m.table not in unsure
        }
        whole = tuple(table for table, games in lacking.items() if len(games) == self.event_record.games)
        some = tuple((table, game) for table, games in lacking.items() if table not in whole for game in games)
        byes = tuple(m.a for m in one.meetings if not m.b and 0 not in unsure and plain(m.a) not in self._byes[file])
        missing = len(whole) * self.event_record.games + len(some) + len(byes)
        if missing <= self.unreadable.get(file, 0):
            return None
        games = sorted([*((table, game) for table in whole for game in range(1, self.event_record.games + 1)), *some])
        rows = [self._row(file, one, table, game) for table, game in games]
        rows += [self._tables[file].line({"round": one.number, "player_a": a, "player_b": "bye"}) for a in byes]
        return Missing(one.number, file, whole, some, byes, tuple(rows))

    def _row(self, file: str, one: Played, table: int, game: int) -> str:
        """Return the row of a game as a line of its file. Its sides are taken from other rows of the file."""
        meeting = next(m for m in one.tables if m.table == table)
        sides = self._sides(self._tables[file], meeting, game)
        cells: dict[str, object] = {"round": one.number, "table": table, "game": game, "team": meeting.team}
        cells |= {"player_a": meeting.a, "side_a": sides[0], "player_b": meeting.b, "side_b": sides[1]}
        cells |= {"kit": self.known(one.number, table).kit}
        known = next((g for g in one.results if (g.table, g.game) == (table, game)), None)
        return self._tables[file].line(cells | (as_cells(known, bool(self.event_record.bid)) if known else {}))

    @staticmethod
    def _sides(table: Table, meeting: Meeting, game: int) -> tuple[str, str]:
        """Return the sides of a game, from the table's other game (swapped) or the same game at another table."""
        other = ("", "")
        for row in table.rows:
            sides = row["side_a"], row["side_b"]
            same = number(row["game"]) == game
            if number(row["table"]) == meeting.table and plain(row["player_a"]) == plain(meeting.a) and any(sides):
                return sides if same else sides[::-1]
            if same and any(sides) and not any(other):
                other = sides
        return other

    def read(self, row: Row) -> None:
        """Record a row, or add its faults."""
        if strange := self._layout_problem(row):
            self._refuse(row, strange)
            return
        made = read_result(row)
        if not isinstance(made, Result):
            self._refuse(row, *made)
            return
        made = replace(made, a=self._current_name(made.a), b=self._current_name(made.b))
        one = self.event_record.find_round(made.round)
        sheet_round = self.sheets.get(row.file, made.round)
        if sheet_round != made.round:
            message = tr("this row is for round {n}, but the file is for round {own}", n=made.round, own=sheet_round)
            place = PurePath(row.file).parent.parent
            words_: list[CommandWord] = [
                "muster",
                "tournament",
                "pack",
                place,
                "--round",
                str(sheet_round),
                "--reopen",
                *lang_option(),
            ]
            hint = tr(
                "correct the file, or keep a copy and write the file again with {command}",
                command=suggested_command(words_),
            )
            self._refuse(row, row.problem(message, hint))
        elif one is None:
            hint = tr("rounds: {known}", known=[r.number for r in self.event_record.round])
            self._refuse(row, row.problem(tr("there is no round {n}", n=made.round), hint))
        elif isinstance(found := self._find_meeting(row, made, one), Problem):
            self._refuse(row, found)
        elif found.b:
            self._take(row, made, found)
            self._compare(row, made, found)
        else:
            self._byes.get(row.file, set()).add(plain(found.a))
            self._compare(row, made, found)

    def _compare(self, row: Row, made: Result, at: Meeting) -> None:
        """Add a problem for each cell that differs from what Muster wrote, if the file has Muster's layout."""
        if self._is_own(row) and not (self.problems and self.problems[-1].line == row.line):
            sides = self.known(made.round, at.table).sides if made.game else None
            row = Row(row.file, row.line, {**row.cells, "player_a": self._current_name(row["player_a"])})
            self.unread_cells += unread_cells(row, at, made.game, sides)

    def _is_own(self, row: Row) -> bool:
        """Return whether the file of a row was made from a results.csv of Muster."""
        return row.file in self.sheets or len(self._columns.intersection(RESULT_COLUMNS)) >= _MIN_LAYOUT_COLUMNS

    def _current_name(self, name: str) -> str:
        """Return the current name of a player who may have been renamed."""
        return self._former.get(plain(name), name)

    def _refuse(self, row: Row, *problems: Problem) -> None:
        """Add the faults of a row, and the tables that the row may be about."""
        self.problems += problems
        if row.file not in self._tables_in_doubt:
            return
        sits = self._meetings.get(self.sheets[row.file], {})
        names = [plain(self._current_name(row[seat])) for seat in ("player_a", "player_b")]
        meant = {sits[name].table for name in names if name in sits} | {number(row["table"]) or 0}
        self._tables_in_doubt[row.file] |= meant

    def _layout_problem(self, row: Row) -> Problem | None:
        """Return a fault in the columns of a row, if the row is in a file with Muster's layout."""
        if not self._is_own(row):
            self._note_unread(row)
            return None
        lacking = {text: key for key in FILLED_COLUMNS if key not in self._columns for text in accepted_headings(key)}
        for head, cell in row.extra.items():
            if head.isdecimal():
                message = tr("column {n} contains {value!r}, but has no heading", n=int(head), value=cell[:40])
                return row.problem(message, tr("give every column a heading, or empty the cell"))
            if meant := nearest(head, lacking):
                message = tr("there is no column named {head!r}", head=head[:40])
                return row.problem(message, tr("did you mean {word}?", word=lacking[meant]))
            losses = [key for key in ("lost_a", "lost_b") if key not in self._columns]
            if row.file in self.sheets and losses and number(cell) is not None:
                key = column_name(losses[0])
                message = tr(
                    "the column {key} is missing, and the column {head} is not read", key=key, head=head[:40]
                )
                return row.problem(message, tr("name the column {key}, or empty its cells", key=key))
        self._note_unread(row)
        at = number(row["round"]), number(row["table"])
        kit = self.known(at[0], at[1]).kit if at[0] and at[1] else ""
        if kit and row["team"] == kit:
            return row.problem(
                tr("the column team contains the kit id {kit}, so the headings do not match the columns", kit=kit)
            )
        if kit and row["kit"] and plain(row["kit"]) != plain(kit):
            message = tr("the kit of round {n}, table {table} is not {value!r}", value=row["kit"][:40], n=at[0],
                       table=at[1])  # fmt: skip
            return row.problem(message, tr("the kit of this table is {kit}", kit=kit))
        return None

    def _note_unread(self, row: Row) -> None:
        """Note the filled columns of a row that Muster does not read."""
        for head in row.extra:
            known = self.unread.setdefault(row.file, [])
            label = tr("column {n}, which has no heading", n=int(head)) if head.isdecimal() else head
            if label not in known:
                known.append(label)

    def _find_meeting(self, row: Row, made: Result, one: Played) -> Meeting | Problem:
        """Return the meeting of the players in a row, or a fault in their names."""
        sits = self._meetings[one.number]
        at = next((m for m in one.tables if m.table == made.table), None) if made.table else None
        for name in filter(None, (made.a, made.b)):
            if plain(name) in sits:
                continue
            here = (
                [at.a, at.b] if at else [m for m in dict.fromkeys(n for p in one.meetings for n in (p.a, p.b)) if m]
            )
            message = tr("{name!r} does not play in round {n}", name=name[:40], n=one.number)
            return row.problem(message, near(name, here))
        found = sits[plain(made.a)]
        if {plain(found.a), plain(found.b)} != {plain(made.a), plain(made.b)}:
            if not found.b:
                return row.problem(tr("{name} has a bye in round {n}", name=found.a, n=one.number))
            hint = tr("table {table}: {a} – {b}", table=found.table, a=found.a, b=found.b)
            if not made.b:
                return row.problem(tr("{name} has no bye in round {n}", name=made.a, n=one.number), hint)
            return row.problem(
                tr("{a} does not play against {b} in round {n}", a=made.a, b=made.b, n=one.number), hint
            )
        if made.table and found.table != made.table:
            message = tr("{a} and {b} play at table {table}", a=found.a, b=found.b, table=found.table)
            return row.problem(message)
        return found

    def _take(self, row: Row, made: Result, m: Meeting) -> None:
        """Add the game of a row, or its fault."""
        is_unnumbered = not made.game and not row["game"]
        first = self._unnumbered.get((made.round, m.table)) if is_unnumbered else None
        if first and self._repeats_unnumbered(row, made, m, *first):
            return
        game_ = made.game or self._number(made.round, m.table)
        if is_unnumbered and (row["score_a"] or row["winner"]):
            self._unnumbered[made.round, m.table] = row, game_
        if game_ > self.event_record.games or (row["game"] and not made.game):
            self._refuse(
                row, row.problem(tr("the number of games for each table is {games}", games=self.event_record.games))
            )
            return
        game = self._game(row, made, m, game_)
        if isinstance(game, Problem):
            self._refuse(row, game)
            return
        key = made.round, m.table, game_
        if row.file in self._seen:
            self._seen[row.file].add(key[1:])
        before, old = self.games.get(key, (row, None))
        if key in self._disputed:
            self.problems += [self._differs(row, m, game_, game, old)] if game else []
        elif old is not None and game is not None and _other_sides(before, row):
            # One of the two rows is the table's other game, with a wrong game number.
            message = tr("table {table} has 2 rows for game {game}, with different sides", table=m.table, game=game_)
            hint = tr(
                "the other row is {file}:{line}; correct the game number of one of the rows",
                file=before.file,
                line=before.line,
            )
            back = tr(
                "the other row is {file}:{line}; correct the game number of one of the rows",
                file=row.file,
                line=row.line,
            )
            self.problems += [before.problem(message, back), row.problem(message, hint)]
            self._tables_in_doubt.get(row.file, set()).add(m.table)
            self._disputed.add(key)
            del self.games[key]
        elif old is not None and game is not None and not _same(old, game):
            # It is unknown which of the two results is right, so neither is recorded.
            hint = tr("also in {file}:{line}", file=before.file, line=before.line)
            self.problems += [
                self._differs(before, m, game_, old, game),
                self._differs(row, m, game_, old, game, hint),
            ]
            self._disputed.add(key)
            del self.games[key]
        else:
            self.games[key] = (before, old) if old is not None else (row, game)

    def _repeats_unnumbered(self, row: Row, made: Result, m: Meeting, first: Row, number_: int) -> bool:
        """Refuse a row without a game number whose table already has such a row, and return whether it was refused.

        The two rows may be two games, one game that was listed twice, or a correction. An equal row does not affect
        the first row; otherwise neither is recorded.
        """
        game = self._game(row, made, m, number_)
        key = made.round, m.table, number_
        _, old = self.games.get(key, (first, None))
        if game is None or isinstance(game, Problem):
            return False
        message = tr("table {table} has more than one row without a number in the column game", table=m.table)
        if key not in self._disputed and old is not None and not _same(old, game):
            self._refuse(first, first.problem(message, _unnumbered_hint(row)))
            self._disputed.add(key)
            del self.games[key]
        self._refuse(row, row.problem(message, _unnumbered_hint(first)))
        return True

    def _differs(self, row: Row, m: Meeting, game: int, one: Game, other: Game | None, hint: str = "") -> Problem:
        """Return a problem for a game with two different results."""
        message = tr(
            "table {table}, game {game}: there are two different results: {one} and {other}",
            table=m.table,
            game=game,
            one=format_result(one),
            other=format_result(other) if other else "–",
        )
        return row.problem(message, hint)

    def _number(self, round_: int, table: int) -> int:
        """Return the number of a game whose row does not state it, which is the next number at its table."""
        return 1 + sum(key[:2] == (round_, table) for key in [*self.games, *self._disputed])

    def _game(self, row: Row, made: Result, m: Meeting, game: int) -> Game | Problem | None:
        """Return the game of a row in the order of the table's players, or None if nothing is filled in."""
        if made.outcome == "open":
            if bids := [column for column in BID_COLUMNS if row[column]]:
                return row.problem(tr("this row has a value for {column} but no score", column=column_name(bids[0])))
            return None
        turned = plain(made.a) != plain(m.a)
        score, lost, bid = (pair[::-1] if turned else pair for pair in (made.scores, made.lost, made.bids))
        won = _from_other_seat(made.outcome) if turned else made.outcome
        if any(bid) and not self.event_record.bid:
            return row.problem(
                tr("this row has a bid, but this event has no bids"), tr("to use bids, start the event with --bid")
            )
        if self.event_record.bid == "banners" and not row["winner"]:
            won = scored((score[0] - bid[0], score[1] - bid[1]))
        if fault := self.known(made.round, m.table).fault(game, score, lost):
            return row.problem(fault)
        assert won != "open"
        counts = (score[0], score[1]), (lost[0], lost[1]), (bid[0], bid[1])
        return Game(m.table, game, won, *counts, elsewhere=row.file not in self.sheets)


def _unnumbered_hint(other: Row) -> str:
    """Return a hint for one of two rows of a table that do not state their game."""
    return tr(
        "the other row is {file}:{line}; number the games 1 and 2 in the column game, or delete the row that does "
        "not count",
        file=other.file,
        line=other.line,
    )


def _other_sides(one: Row, other: Row) -> bool:
    """Return whether two rows of a file assign different sides to the same players."""
    sides = [
        {plain(row[f"player_{seat}"]): plain(row[f"side_{seat}"]) for seat in "ab" if row[f"side_{seat}"]}
        for row in (one, other)
    ]
    both = sides[0].keys() & sides[1].keys()
    return one.file == other.file and any(sides[0][name] != sides[1][name] for name in both)


def _from_other_seat(won: Outcome) -> Outcome:
    """Return the outcome with the two players exchanged."""
    return "b" if won == "a" else "a" if won == "b" else won


def format_result(game: Game) -> str:
    """Return a result in a short form, such as `3 > 1 (2/4)`."""
    winner = {"a": ">", "b": "<", "draw": "="}[game.won]
    return f"{game.score[0]} {winner} {game.score[1]} ({game.lost[0]}/{game.lost[1]})"
