"""Results that come in, held against the book: only what can be true is written down, and what it was before stays.

A name must be one of the two at that table, a score within what the scenario can give, and a game that comes twice
(both halves of a slip) must say the same twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from generator.errors import DataError, Problem, near
from generator.model.words import Words
from generator.said import say
from generator.tournament.csv_files import Row, Table, plain
from generator.tournament.ledger import Book, Change, Game, Meeting, Played
from generator.tournament.ledger import outcome as scored
from generator.tournament.pairings import words
from generator.tournament.scores import Outcome, Result, read_result


class Limits(NamedTuple):
    """What can be counted at a table."""

    most: tuple[int, int] | None = None
    """By the first side and by the second, at most; None where nothing is known of it."""
    over: int = 0
    """What wins at once, so that but one side has it; 0 where nothing does."""

    def fault(self, game: int, score: tuple[int, ...]) -> str:
        """Why a game cannot end so; empty where it can. In the second game sides are swapped."""
        for told, limit in zip(score, self.most if game == 1 else self.most[::-1], strict=True) if self.most else ():
            if told > limit:
                return say("a score of {score}, but this game gives at most {most}", score=told, most=limit)
        if self.over and min(score) >= self.over:
            return say("both have {over} or more, and the first to have {over} has won", over=self.over)
        return ""


Known = Callable[[int, int], Limits]
"""What can be counted at a round's table."""


def limits(of: Callable[[int], Mapping[str, Any]]) -> Known:
    """What can be counted as the manifests of rounds state it; `of` reads that of one, empty where none is."""
    stated: dict[int, Mapping[str, Any]] = {}

    def known(number: int, table: int) -> Limits:
        if number not in stated:
            stated[number] = of(number)
        most, over = (_told(stated[number], key, table) for key in ("most", "over"))
        both = isinstance(most, list) and len(most) == 2 and all(type(n) is int for n in most)
        return Limits((most[0], most[1]) if both else None, over if type(over) is int else 0)

    return known


def _told(found: Mapping[str, Any], key: str, table: int) -> Any:
    """What a manifest says of a table under a key; None where it says nothing."""
    rows = found.get(key)
    return rows.get(str(table)) if isinstance(rows, dict) else None


def faults(book: Book, known: Known) -> Iterator[Words]:
    """Results in a book that its games cannot have come to."""
    for one in book.round:
        for game in one.results:
            if fault := known(one.number, game.table).fault(game.game, game.score):
                values = {"n": one.number, "table": game.table, "game": game.game, "fault": fault}
                yield words()["fault"]["result"].fill(**values)


class Taken(msgspec.Struct):
    """What became of results that came in."""

    book: Book
    fresh: list[tuple[int, Game]] = []
    """By round: results that were not there before."""
    corrected: list[tuple[int, Game, Game]] = []
    """By round: what was there, and what took its place."""
    emptied: list[tuple[int, Game]] = []
    """By round: results that stand although their row is empty now."""

    @property
    def changed(self) -> bool:
        """Whether the book is another than before."""
        return bool(self.fresh or self.corrected)


def taken(book: Book, tables: Iterable[Table], known: Known, at: str) -> Taken:
    """The book with the results of these files, corrected at that time; DataError with every faulty line."""
    desk = _Desk(book, known)
    for table in tables:
        for row in table.rows:
            desk.read(row)
    DataError.if_any(desk.problems)
    made = Taken(book)
    for (number, table_, game_), (_, game) in desk.games.items():
        one = made.book.at(number)
        assert one is not None
        old = next((g for g in one.results if (g.table, g.game) == (table_, game_)), None)
        if game is None:
            if old:
                made.emptied.append((number, old))
        elif old is None:
            made.fresh.append((number, game))
            made.book = made.book.with_round(replace(one, results=_sorted((*one.results, game))))
        elif old != game:
            made.corrected.append((number, old, game))
            results = _sorted((*(g for g in one.results if g is not old), game))
            changes = (*one.corrected, Change(at, old))
            made.book = made.book.with_round(replace(one, results=results, corrected=changes))
    return made


def _sorted(games: Sequence[Game]) -> tuple[Game, ...]:
    return tuple(sorted(games, key=lambda game: (game.table, game.game)))


class _Desk:
    """Reads rows, and keeps what is wrong with them."""

    def __init__(self, book: Book, known: Known) -> None:
        self.book, self.known = book, known
        self.problems: list[Problem] = []
        self.games: dict[tuple[int, int, int], tuple[Row, Game | None]] = {}
        self._meetings: dict[int, Mapping[str, Meeting]] = {
            one.number: {plain(name): m for m in one.meetings for name in (m.a, m.b) if name} for one in book.round
        }

    def read(self, row: Row) -> None:
        """Take a row, or note what is wrong with it."""
        made = read_result(row)
        if not isinstance(made, Result):
            self.problems += made
            return
        one = self.book.at(made.round)
        if one is None:
            hint = say("rounds: {known}", known=[r.number for r in self.book.round])
            self.problems.append(row.problem(say("there is no round {n}", n=made.round), hint))
            return
        found = self._there(row, made, one)
        if isinstance(found, Problem):
            self.problems.append(found)
        elif found.b:
            self._take(row, made, found)

    def _there(self, row: Row, made: Result, one: Played) -> Meeting | Problem:
        """Where the two of a row sit, or what is wrong with their names."""
        sits = self._meetings[one.number]
        at = next((m for m in one.tables if m.table == made.table), None) if made.table else None
        for name in filter(None, (made.a, made.b)):
            if plain(name) in sits:
                continue
            here = (
                [at.a, at.b] if at else [m for m in dict.fromkeys(n for p in one.meetings for n in (p.a, p.b)) if m]
            )
            told = say("{name!r} plays in no round {n}", name=name[:40], n=one.number)
            return row.problem(told, near(name, here))
        found = sits[plain(made.a)]
        if {plain(found.a), plain(found.b)} != {plain(made.a), plain(made.b)}:
            told = say("{a} does not meet {b} in round {n}", a=made.a, b=made.b or "–", n=one.number)
            hint = say("table {table}: {a} – {b}", table=found.table, a=found.a, b=found.b or "–")
            return row.problem(told, hint)
        if made.table and found.table != made.table:
            told = say("{a} and {b} sit at table {table}", a=found.a, b=found.b, table=found.table)
            return row.problem(told)
        return found

    def _take(self, row: Row, made: Result, m: Meeting) -> None:
        """Keep a game, or note that it cannot be."""
        number = made.game or self._number(made.round, m.table)
        if number > self.book.games:
            self.problems.append(row.problem(say("a table plays {games} games", games=self.book.games)))
            return
        game = self._game(row, made, m, number)
        if isinstance(game, Problem):
            self.problems.append(game)
            return
        key = made.round, m.table, number
        before, old = self.games.get(key, (row, None))
        if old is not None and game is not None and old != game:
            told = say(
                "table {table}, game {game}: the halves of the slip differ: {one} and {other}",
                table=m.table,
                game=number,
                one=shown(old),
                other=shown(game),
            )
            self.problems.append(row.problem(told, say("first in {file}:{line}", file=before.file, line=before.line)))
            return
        self.games[key] = (before, old) if old is not None else (row, game)

    def _number(self, round_: int, table: int) -> int:
        """Which game of its table a row is that does not say so."""
        return 1 + sum(key[:2] == (round_, table) for key in self.games)

    def _game(self, row: Row, made: Result, m: Meeting, number: int) -> Game | Problem | None:
        """The game as the table has its seats; None while nothing is filled in."""
        if made.outcome == "open":
            return None
        turned = plain(made.a) != plain(m.a)
        score, lost, bid = (pair[::-1] if turned else pair for pair in (made.scores, made.lost, made.bids))
        won = _other(made.outcome) if turned else made.outcome
        if any(bid) and not self.book.bid:
            return row.problem(say("has a bid, but this event has none"), say("begin it with --bid"))
        if self.book.bid == "banners" and not row["winner"]:
            won = scored((score[0] - bid[0], score[1] - bid[1]))
        if fault := self.known(made.round, m.table).fault(number, score):
            return row.problem(fault)
        assert won != "open"
        return Game(m.table, number, won, (score[0], score[1]), (lost[0], lost[1]), (bid[0], bid[1]))


def _other(won: Outcome) -> Outcome:
    """The same, seen from the other seat."""
    return "b" if won == "a" else "a" if won == "b" else won


def shown(game: Game) -> str:
    """A result in a few signs."""
    winner = {"a": ">", "b": "<", "draw": "="}[game.won]
    return f"{game.score[0]} {winner} {game.score[1]} ({game.lost[0]}/{game.lost[1]})"
