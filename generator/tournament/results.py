"""Results as an organiser fills them in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from generator.errors import DataError, Problem
from generator.tournament.columns import cells, means, plain
from generator.tournament.csvfile import Row, Table
from generator.tournament.pairings import MOST_ROUNDS, MOST_TABLE

COLUMNS = (
    "round", "table", "game", "player_a", "side_a", "player_b", "side_b",
    "score_a", "score_b", "lost_a", "lost_b", "winner", "kit", "team",
)  # fmt: skip
"""The columns of results.csv; those from score_a to winner are filled in."""
NEEDED = ("round", "player_a", "player_b", "score_a", "score_b")
MOST_COUNTED = 9999
MOST_GAMES = 99

Outcome = Literal["a", "b", "draw", "open"]


class Result(msgspec.Struct, frozen=True):
    """One game; a bye where `b` is empty. Scores and casualties are `a`'s, then `b`'s."""

    round: int
    table: int
    game: int
    a: str
    b: str
    outcome: Outcome = "open"
    scores: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    disputed: bool = False
    """Whether the scores make another the winner than the one who was named."""


def read_results(tables: Iterable[Table]) -> tuple[Result, ...]:
    """The games and byes of files; DataError with every faulty line, or where there are none."""
    problems: list[Problem] = []
    found: list[Result] = []
    seen = _Seen()
    files = tuple(tables)
    for table in files:
        for row in table.rows:
            made = _result(row)
            if isinstance(made, Result):
                problems += seen.clashes(row, made)
                found.append(made)
            else:
                problems += made
    if problems or not found:
        raise DataError(*(problems or [Problem("holds no results", table.file) for table in files]))
    return tuple(found)


def _result(row: Row) -> Result | list[Problem]:
    """A row's game, or what is wrong with it."""
    a, b = row.name("player_a"), row.name("player_b")
    number = row.number("round", 1, MOST_ROUNDS)
    problems = [found for found in (a, b, number) if isinstance(found, Problem)]
    if isinstance(a, Problem) or isinstance(b, Problem) or isinstance(number, Problem):
        return problems
    if not (a and b) and (row["score_a"] or row["score_b"]):
        return [row.problem("has a score but one player")]
    a, b = ("" if means(name, cells().bye) else name for name in (a, b))
    a, b = (a, b) if a else (b, "")
    if not a:
        return [row.problem("names nobody")]
    if not b:
        return Result(number, 0, 0, a, "")
    if plain(a) == plain(b):
        problems.append(row.problem(f"{a} meets himself"))
    counted = {column: _count(row, column, MOST_COUNTED) for column in ("score_a", "score_b", "lost_a", "lost_b")}
    at = {"table": _count(row, "table", MOST_TABLE), "game": _count(row, "game", MOST_GAMES)}
    problems += [value for value in (*counted.values(), *at.values()) if isinstance(value, Problem)]
    outcome = _outcome(row, a, b)
    problems += [outcome] if isinstance(outcome, Problem) else []
    if problems or isinstance(outcome, Problem):
        return problems
    score_a, score_b, lost_a, lost_b, table, game = (
        value if isinstance(value, int) else 0 for value in (*counted.values(), *at.values())
    )
    # Who is named where the scores are even has won by something else.
    scored = bool(row["score_a"] and row["score_b"]) and score_a != score_b
    disputed = scored and outcome != ("a" if score_a > score_b else "b")
    return Result(number, table, game, a, b, outcome, (score_a, score_b), (lost_a, lost_b), disputed)


def _count(row: Row, column: str, most: int) -> int | Problem | None:
    """The number in a column; None where the cell is empty."""
    return row.number(column, 0, most) if row[column] else None


def _outcome(row: Row, a: str, b: str) -> Outcome | Problem:
    """Who won: whom the column says, else who has counted more."""
    word, scores = row["winner"], (row["score_a"], row["score_b"])
    if word:
        said = cells()
        known: dict[Outcome, tuple[str, ...]] = {"a": (a, *said.a), "b": (b, *said.b), "draw": said.draw}
        meant = [outcome for outcome, accepted in known.items() if means(word, accepted)]
        if len(meant) == 1:
            return meant[0]
        fault = "may mean either player" if meant else "is nobody here"
        return row.problem(f"winner {word[:40]!r} {fault}", "write a, b or draw, or the player's name")
    if not any(scores):
        if row["lost_a"] or row["lost_b"]:
            return row.problem("has casualties but no score")
        return "open"
    if not all(scores):
        return row.problem("has one score only", "a player who counted nothing has 0")
    one, two = (row.number(column, 0, MOST_COUNTED) for column in ("score_a", "score_b"))
    if not isinstance(one, int) or not isinstance(two, int):
        return "open"  # what is wrong with them is told where they are read
    return "draw" if one == two else "a" if one > two else "b"


class _Seen:
    """What was read so far, and where."""

    def __init__(self) -> None:
        self.games: dict[object, Row] = {}
        self.met: dict[tuple[int, str], tuple[str, Row]] = {}
        """Whom a player met in a round."""

    def clashes(self, row: Row, made: Result) -> list[Problem]:
        """A game that was there before, or a player with two opponents in a round."""
        problems = []
        a, b = plain(made.a), plain(made.b)
        game = (made.round, made.table, made.game, *sorted((a, b)))
        first = self.games.setdefault(game, row)
        if first is not row:
            hint = f"{_where(first)}; game 1 and 2 are told apart in the column game"
            problems.append(row.problem("is a game that was there before", hint if made.b else _where(first)))
        for name, key, other in ((made.a, a, b), (made.b, b, a)):
            met, first = self.met.setdefault((made.round, key), (other, row))
            if name and met != other:
                problems.append(row.problem(f"{name} has two opponents in round {made.round}", _where(first)))
        return problems


def _where(row: Row) -> str:
    return f"first in {row.file}:{row.line}"
