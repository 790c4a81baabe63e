"""Results as entered by organisers, and the standings with points and tie-breaks computed from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from generator.errors import DataError, Problem, near_or
from generator.localization import display_width, tr
from generator.model.picture import Pen, Picture, Symbol, Use, circle
from generator.model.picture import line as stroke
from generator.model.views import Kit, Sheet
from generator.model.words import Lang, Words, same
from generator.notation import toml
from generator.tournament import csv_files
from generator.tournament.csv_files import Row, Table, cell_words, column_name, means, plain
from generator.tournament.opponents import is_dash, opponent, unclear_problem
from generator.tournament.pairings import MAX_ROUNDS, MAX_TABLE, ByeValue, words

RESULT_COLUMNS = (
    "round", "table", "game", "player_a", "side_a", "player_b", "side_b",
    "score_a", "score_b", "lost_a", "lost_b", "winner", "kit", "team",
)  # fmt: skip
"""The columns of results.csv. The columns from score_a to winner are filled in by people."""
BID_COLUMNS = ("bid_a", "bid_b")
"""The additional columns if players bid for a side."""
FILLED_COLUMNS = ("score_a", "score_b", "lost_a", "lost_b", "winner", *BID_COLUMNS)
"""The columns that people fill in."""
NEEDED_COLUMNS = ("round", "player_a", "player_b", "score_a", "score_b")
_PAIRS = ("score_a", "score_b", "lost_a", "lost_b")
MAX_SCORE = 9999
MAX_GAMES = 99
DEFAULT_GAMES = 2
"""The default number of games at a table in each round: a game and a return game with swapped sides."""

Outcome = Literal["a", "b", "draw", "open"]


class Result(msgspec.Struct, frozen=True):
    """A game, or a bye if `b` is empty. Scores and losses are those of `a` and `b`, in this order."""

    round: int
    table: int
    game: int
    a: str
    b: str
    outcome: Outcome = "open"
    scores: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    disputed: bool = False
    """Whether the named winner is not the winner by score."""
    bids: tuple[int, int] = (0, 0)
    """The bids of the players for a side."""
    halves: int | None = None
    """The value of a bye in half wins, or None for the value with the usual number of games at a table."""


def read_results(tables: Iterable[Table]) -> tuple[Result, ...]:
    """Return the games and byes in files.

    Raises:
        DataError: If lines are faulty or there are no results. The error lists every faulty line.
    """
    problems: list[Problem] = []
    found: list[Result] = []
    seen = _SeenResults()
    files = tuple(tables)
    for table in files:
        for row in table.rows:
            made = read_result(row, ())
            if isinstance(made, Result):
                problems += seen.find_conflicts(row, made)
                found.append(made)
            else:
                problems += made
    if problems or not found:
        raise DataError(*(problems or [Problem(tr("has no results"), table.file) for table in files]))
    return tuple(found)


def read_result(row: Row, players: Collection[str] | None = None) -> Result | list[Problem]:
    """Return the game in a row, or the faults of the row.

    `players` are the known players, or None if the file was written by Muster.
    """
    a, b = ("" if is_dash(row[seat]) else row.name(seat) for seat in ("player_a", "player_b"))
    number = row.number("round", 1, MAX_ROUNDS)
    problems = [found for found in (a, b, number) if isinstance(found, Problem)]
    if isinstance(a, Problem) or isinstance(b, Problem) or isinstance(number, Problem):
        return problems
    if not (a and b) and (row["score_a"] or row["score_b"]):
        return [row.problem(tr("this row has a score but only one player"))]
    kinds = {name: opponent(name, players) for name in (a, b)}
    if unclear := [name for name, kind in kinds.items() if kind == "unclear"]:
        return [unclear_problem(row, name) for name in unclear]
    a, b = ("" if kinds[name] in ("bye", "half") else name for name in (a, b))
    a, b = (a, b) if a else (b, "")
    if not a:
        return [row.problem(tr("the name is missing"))]
    if not b:
        if filled := [column for column in FILLED_COLUMNS if row[column]]:
            message = tr(
                "this row is a bye, so {column} must be empty, but it contains {value!r}",
                column=column_name(filled[0]),
                value=row[filled[0]][:40],
            )
            return [row.problem(message)]
        return Result(
            number, 0, 0, a, "", halves=bye_halves(DEFAULT_GAMES, "half") if "half" in kinds.values() else None
        )
    if plain(a) == plain(b):
        problems.append(row.problem(tr("{a} cannot be paired with themselves", a=a)))
    counted = {column: _count(row, column, MAX_SCORE) for column in (*_PAIRS, *BID_COLUMNS)}
    at = {"table": _count(row, "table", MAX_TABLE), "game": _count(row, "game", MAX_GAMES)}
    problems += [value for value in (*counted.values(), *at.values()) if isinstance(value, Problem)]
    outcome = _outcome(row, a, b)
    problems += [outcome] if isinstance(outcome, Problem) else []
    if problems or isinstance(outcome, Problem):
        return problems
    score_a, score_b, lost_a, lost_b, bid_a, bid_b, table, game = (
        value if isinstance(value, int) else 0 for value in (*counted.values(), *at.values())
    )
    # If the scores are equal, the named player won by other means.
    scored = bool(row["score_a"] and row["score_b"]) and score_a != score_b
    disputed = scored and outcome != ("a" if score_a > score_b else "b")
    counts = (score_a, score_b), (lost_a, lost_b), disputed, (bid_a, bid_b)
    return Result(number, table, game, a, b, outcome, *counts)


def _count(row: Row, column: str, maximum: int) -> int | Problem | None:
    """Return the number in a column, or None if the cell is empty."""
    return row.number(column, 0, maximum) if row[column] else None


def _outcome(row: Row, a: str, b: str) -> Outcome | Problem:
    """Return the winner that is named in the row, or else the player with the higher score."""
    word, scores = row["winner"], (row["score_a"], row["score_b"])
    if word:
        words_of_cells = cell_words()
        known: dict[Outcome, tuple[str, ...]] = {
            "a": (a, *words_of_cells.a),
            "b": (b, *words_of_cells.b),
            "draw": words_of_cells.draw,
        }
        meant = [outcome for outcome, accepted in known.items() if means(word, accepted)]
        if len(meant) == 1:
            return meant[0]
        fault = tr("could mean either player") if meant else tr("is not a player at this table")
        hint = near_or(word, [a, b], tr("write a, b or draw, or the player's name"))
        return row.problem(tr("the winner {word!r} {fault}", word=word[:40], fault=fault), hint)
    if not any(scores):
        if row["lost_a"] or row["lost_b"]:
            return row.problem(tr("this row has casualties but no score"))
        return "open"
    if not all(scores):
        return row.problem(
            tr("only one of the two scores is filled in"), tr("write 0 for a player who scored nothing")
        )
    one, two = (row.number(column, 0, MAX_SCORE) for column in ("score_a", "score_b"))
    if not isinstance(one, int) or not isinstance(two, int):
        return "open"  # The caller reports the faults of these numbers.
    return "draw" if one == two else "a" if one > two else "b"


class _SeenResults:
    """The games read so far and the rows in which they were found."""

    def __init__(self) -> None:
        self.games: dict[object, Row] = {}
        self.opponents: dict[tuple[int, str], tuple[str, Row]] = {}
        """The opponent of each player by round and plain name, with the row that says so."""

    def find_conflicts(self, row: Row, made: Result) -> list[Problem]:
        """Return problems if a game was listed before or a player has two opponents in a round."""
        problems = []
        a, b = plain(made.a), plain(made.b)
        game = (made.round, made.table, made.game, *sorted((a, b)))
        first = self.games.setdefault(game, row)
        if first is not row:
            hint = tr(
                "{where}; to record two games of a table, number them 1 and 2 in the column game",
                where=_first_place(first),
            )
            problems.append(row.problem(tr("this game is already listed"), hint if made.b else _first_place(first)))
        for name, key, other in ((made.a, a, b), (made.b, b, a)):
            opponent, first = self.opponents.setdefault((made.round, key), (other, row))
            if name and opponent != other:
                problems.append(
                    row.problem(
                        tr("{name} has two opponents in round {round}", name=name, round=made.round),
                        _first_place(first),
                    )
                )
        return problems


def _first_place(row: Row) -> str:
    return tr("also in {file}:{line}", file=row.file, line=row.line)


RANKING_COLUMNS = ("points", "wins", "margin", "lost", "opposition", "lot")
"""The columns by which players are ranked, the most important first."""
_PLAIN_COLUMNS = RANKING_COLUMNS[2:]
"""The columns that are printed as plain numbers."""
_ROWS_PER_PAGE = 12
"""The number of rows on a page if all names are long."""
_MAX_LARGE_ROWS, _MAX_LARGE_WIDTH = 20, 17
"""The maximum number of rows, and of columns of a name, with which the largest type is used."""
_WALL_HEIGHT_MM, _MIN_ROW_MM, _MAX_ROW_MM = 213.0, 7.0, 24.0
"""The height of all rows of the printed standings, and the minimum and maximum height of a row, in mm."""
_CUT_LINE_MM = 9.0
"""The height of the line below the players in the final, in mm."""
_DOT_STEP_MM, _DOTS_PER_ROW = 3.7, 10
"""The distance between two dots in mm, and the number of dots in a row."""
_DOT_RIM = Pen("#23211c", 0.35)
_DOTS = (
    Symbol("game.won", (circle(0, 0, 1.35, "#23211c", _DOT_RIM),), 2.0),
    Symbol("game.drawn", (circle(0, 0, 1.35, None, _DOT_RIM), stroke(((-1.35, 0), (1.35, 0)), _DOT_RIM)), 2.0),
    Symbol("game.lost", (circle(0, 0, 1.35, None, Pen("#8a8577", 0.2)),), 2.0),
)
"""The symbols for a game that was won, drawn or lost."""


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The values of results, as defined in data/tournament/scoring.toml."""

    source: str
    win: int
    draw: int
    loss: int
    bye: int
    """The number of wins that a bye counts as, for each game at a table."""


class Rank(msgspec.Struct, frozen=True):
    """A player's row in the standings. Players who are equal in every column have the same `rank`."""

    rank: int
    player: str
    played: int
    points: int
    wins: int
    draws: int
    losses: int
    margin: int
    """The player's scores minus those of the opponents."""
    lost: int
    """The player's losses."""
    opposition: int
    """The sum of the points of all opponents, with each opponent counted once for each meeting."""
    lot: int = 0
    """The number drawn by lot when the player joined, which is the last tie-break, or 0 if there was no lot."""

    @property
    def sort_key(self) -> tuple[int, ...]:
        """The values by which the player is ranked. Greater values are better."""
        return self.points, self.wins, self.margin, -self.lost, self.opposition, -self.lot


STANDING_COLUMNS = Rank.__struct_fields__


scoring = toml.shipped_table("tournament/scoring.toml", Scoring)
"""A function that returns the values of results from data/tournament/scoring.toml."""


def bye_halves(games: int, value: ByeValue = "full") -> int:
    """Return the value of a bye in half wins, for this number of games at a table."""
    return {"full": 2, "half": 1, "zero": 0}[value] * scoring().bye * games // 2


def bye_counts(halves: int) -> tuple[int, int]:
    """Return the points and the wins for a number of half wins."""
    return halves * scoring().win // 2, halves // 2


def standings(
    results: Iterable[Result], lots: Mapping[str, int] | None = None, players: Iterable[str] = ()
) -> tuple[Rank, ...]:
    """Return every player's row in the standings, the best first. Games without a result are ignored.

    `lots` are the numbers drawn by lot, keyed by plain name. `players` are included even if they have not played.
    """
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    for name in players:
        tallies[plain(name)].name = name
    pairs: dict[tuple[int, str, str], None] = {}
    for game in results:
        a, b = tallies[plain(game.a)], tallies[plain(game.b)] if game.b else None
        a.name = a.name or game.a
        if b is None:
            points, wins = bye_counts(bye_halves(DEFAULT_GAMES) if game.halves is None else game.halves)
            a.wins, a.points = a.wins + wins, a.points + points
            continue
        b.name = b.name or game.b
        if game.outcome != "open":
            one, other = sorted((plain(game.a), plain(game.b)))
            pairs[game.round, one, other] = None
            a.add_game(game.outcome, "a", game)
            b.add_game(game.outcome, "b", game)
    faced: defaultdict[str, int] = defaultdict(int)
    for _, one, other in pairs:
        faced[one] += tallies[other].points
        faced[other] += tallies[one].points
    lines = [tally.as_rank(faced[key], (lots or {}).get(key, 0)) for key, tally in tallies.items()]
    lines.sort(key=lambda line: (*(-n for n in line.sort_key), plain(line.player)))
    merits = [line.sort_key for line in lines]
    return tuple(msgspec.structs.replace(line, rank=1 + merits.index(line.sort_key)) for line in lines)


def last_played(results: Iterable[Result]) -> int:
    """Return the number of the last round that has a result, or 0 if there is none."""
    return max((game.round for game in results if game.b and game.outcome != "open"), default=0)


def of_played_rounds(results: Sequence[Result]) -> list[Result]:
    """Return the results without byes of rounds that are only paired, after the last round with a result.

    A round that consists only of byes and forfeits has nothing left to play, so it counts.
    """
    last, with_games = last_played(results), {game.round for game in results if game.b}
    return [game for game in results if game.b or game.round <= last or game.round not in with_games]


class _Tally:
    """The totals of a player's games so far."""

    def __init__(self) -> None:
        self.name = ""
        self.played = self.points = self.wins = self.draws = self.losses = self.margin = self.lost = 0

    def add_game(self, outcome: str, seat: str, game: Result) -> None:
        """Add a game that the player played in `seat`."""
        worth, at = scoring(), "ab".index(seat)
        self.played += 1
        self.margin += game.scores[at] - game.scores[1 - at]
        self.lost += game.lost[at]
        if outcome == "draw":
            self.draws, self.points = self.draws + 1, self.points + worth.draw
        elif outcome == seat:
            self.wins, self.points = self.wins + 1, self.points + worth.win
        else:
            self.losses, self.points = self.losses + 1, self.points + worth.loss

    def as_rank(self, opposition: int, lot: int) -> Rank:
        """Return the player's row in the standings, without a rank."""
        counted = self.played, self.points, self.wins, self.draws, self.losses, self.margin, self.lost
        return Rank(0, self.name, *counted, opposition, lot)


def standings_rows(lines: Iterable[Rank]) -> list[dict[str, object]]:
    """Return the standings as plain values for JSON."""
    return [msgspec.structs.asdict(line) for line in lines]


def ranking_columns(lines: Sequence[Rank]) -> tuple[str, ...]:
    """Return the columns that rank these rows, the most important first. Lots are omitted if none were drawn."""
    return _without_unused_lots(RANKING_COLUMNS, lines)


def _without_unused_lots(names: Sequence[str], lines: Sequence[Rank]) -> tuple[str, ...]:
    return tuple(name for name in names if name != "lot" or any(line.lot for line in lines))


def standings_csv(lines: Sequence[Rank], lang: Lang) -> bytes:
    """Return the standings as a CSV file."""
    texts, columns = words()["standings"], _without_unused_lots(STANDING_COLUMNS, lines)
    return csv_files.csv_bytes(
        [texts[c][lang] for c in columns], ([row[c] for c in columns] for row in standings_rows(lines))
    )


def standings_note(
    lines: Sequence[Rank], results: Iterable[Result], games: int = DEFAULT_GAMES, bye: ByeValue = "full"
) -> Words:
    """Return the note on the value of games and byes, and on tie-breaks.

    `games` is the number of games at a table, and `bye` the value of a bye. Byes that count half are mentioned only
    if there are any.
    """
    worth, texts = scoring(), words()["standings"]
    points, wins = bye_counts(bye_halves(games, bye))
    byes = texts["byes"].fill(points=points, wins=wins)
    fewer = bye_halves(games, "half")
    if bye != "half" and any(not game.b and game.halves == fewer for game in results):
        points, wins = bye_counts(fewer)
        byes = texts["and_half"].fill(byes=byes, points=points, wins=wins)
    template = texts["note_lot" if "lot" in ranking_columns(lines) else "note"]
    return template.fill(win=worth.win, draw=worth.draw, byes=byes)


def standings_title(results: Sequence[Result]) -> Words:
    """Return the title of the standings: the last round with a result, and whether the round is complete."""
    texts, last = words()["standings"], last_played(results)
    games = [game for game in results if game.b and game.round == last]
    played = sum(game.outcome != "open" for game in games)
    if not last:
        return texts["title_before"]
    return (
        texts["title"].fill(n=last)
        if played == len(games)
        else texts["during"].fill(n=last, m=played, games=len(games))
    )


def standings_kit(
    lines: Sequence[Rank],
    results: Sequence[Result],
    event: str,
    cut: int = 0,
    final: bool = False,
    games: int = DEFAULT_GAMES,
    bye: ByeValue = "full",
) -> Kit:
    """Return the standings for the wall. The rows fill the page, and short names are printed in large type.

    `games` is the number of games at a table, and `bye` the value of a bye. A line is printed below the first `cut`
    players, who play in the final.
    """
    texts = words()["standings"]
    waiting = sum(bool(r.b) and r.outcome == "open" for r in results)
    last = last_played(results)
    title = standings_title(results)
    before = {line.player: line.rank for line in standings(r for r in results if r.round < last)}
    brief = len(lines) <= _MAX_LARGE_ROWS and all(display_width(line.player) <= _MAX_LARGE_WIDTH for line in lines)
    entries = zip(standings_rows(lines), lines, _rank_changes(lines, before), _deciding_columns(lines), strict=True)
    displayed_rows = [
        row
        | {
            "margin": f"{line.margin:+}".replace("-", "−") if line.margin else "0",
            "record": _record_key(line),
            "moved": move,
            "telling": parts,
        }
        for row, line, move, parts in entries
    ]
    through = cut if cut < len(lines) else 0
    max_games = max((line.wins + line.draws + line.losses for line in lines), default=0)
    view = {
        "event": event,
        "after": title,
        "rows": displayed_rows,
        "cut": through,
        "high": max(
            _MIN_ROW_MM, min(_MAX_ROW_MM, (_WALL_HEIGHT_MM - bool(through) * _CUT_LINE_MM) / (len(lines) or 1))
        ),
        "type": "h1" if brief else "h2",
        "dots": min(max(max_games, 1), _DOTS_PER_ROW) * _DOT_STEP_MM + 4,
        "moves": any(line.player in before for line in lines),
        "note": standings_note(lines, results, games, bye),
        "columns": [name for name in ranking_columns(lines) if name in _PLAIN_COLUMNS],
        "through": texts["final" if final else "cut"].fill(n=through),
        "open": texts["open"].fill(n=waiting) if waiting else "",
    }
    name = words()["part"]["standings"]
    figures = {_record_key(line): _record_picture(line) for line in lines}
    sheet = Sheet(
        "standings", name, "tournament/standings.xml", view, figures, pages=1 + len(lines) // _ROWS_PER_PAGE
    )
    return Kit(same(event) if event else name, title, "", (sheet,))


def _record_key(line: Rank) -> str:
    """Return the key of the picture that shows a player's record."""
    return f"won{line.wins}-drawn{line.draws}-lost{line.losses}"


def _record_picture(line: Rank) -> Picture:
    """Return a picture with a dot for each game: full for a win, with a bar for a draw, and empty for a loss."""
    counts = line.wins, line.draws, line.losses
    games = [kind for kind, count in zip(_DOTS, counts, strict=True) for _ in range(count)]
    across = min(len(games), _DOTS_PER_ROW)
    deep = -(-len(games) // _DOTS_PER_ROW)
    items = tuple(
        Use(dot, (i % _DOTS_PER_ROW + 0.5) * _DOT_STEP_MM, (deep - i // _DOTS_PER_ROW - 0.5) * _DOT_STEP_MM)
        for i, dot in enumerate(games)
    )
    return Picture(max(across, 1) * _DOT_STEP_MM, max(deep, 1) * _DOT_STEP_MM, items)


def _rank_changes(lines: Iterable[Rank], before: Mapping[str, int]) -> Iterator[str]:
    """Yield the number of ranks that each player gained or lost since the previous round."""
    for line in lines:
        up = before.get(line.player, line.rank) - line.rank
        yield f"▲{up}" if up > 0 else f"▽{-up}" if up < 0 else "–" if line.player in before else ""


def _deciding_columns(lines: Sequence[Rank]) -> Iterator[list[str]]:
    """Yield the first columns in which each player differs from the players above and below."""
    parting = [
        next((name for name, a, b in zip(RANKING_COLUMNS, one.sort_key, other.sort_key, strict=False) if a != b), "")
        for one, other in pairwise(lines)
    ]
    for above, below in zip(["", *parting], [*parting, ""], strict=True):
        yield [name for name in (above, below) if name]
