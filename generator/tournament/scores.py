"""Results, and the standings reckoned from them.

Results as an organiser fills them in.

Standings: points, and what breaks their ties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from generator.tournament.csv_files import Row, Table, cell_words, means, plain
from generator.tournament.pairings import MAX_ROUNDS, MAX_TABLE, words

RESULT_COLUMNS = (
    "round", "table", "game", "player_a", "side_a", "player_b", "side_b",
    "score_a", "score_b", "lost_a", "lost_b", "winner", "kit", "team",
)  # fmt: skip
"""The columns of results.csv; those from score_a to winner are filled in."""
BID_COLUMNS = ("bid_a", "bid_b")
"""Two more, where an event has bids for a side."""
FILLED_COLUMNS = ("score_a", "score_b", "lost_a", "lost_b", "winner", *BID_COLUMNS)
"""The columns that a person fills in."""
NEEDED_COLUMNS = ("round", "player_a", "player_b", "score_a", "score_b")
_PAIRS = ("score_a", "score_b", "lost_a", "lost_b")
MAX_SCORE = 9999
MAX_GAMES = 99
DEFAULT_GAMES = 2
"""So many games are played at a table where nobody says otherwise: one and its return with sides swapped."""

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
    bids: tuple[int, int] = (0, 0)
    """What each bid for his side."""
    halves: int | None = None
    """What a bye is worth, in halves of a game won; None: as where the usual number of games is played at a table."""


def read_results(tables: Iterable[Table]) -> tuple[Result, ...]:
    """The games and byes of files; DataError with every faulty line, or where there are none."""
    problems: list[Problem] = []
    found: list[Result] = []
    seen = _SeenResults()
    files = tuple(tables)
    for table in files:
        for row in table.rows:
            made = read_result(row)
            if isinstance(made, Result):
                problems += seen.find_conflicts(row, made)
                found.append(made)
            else:
                problems += made
    if problems or not found:
        raise DataError(*(problems or [Problem(tr("has no results"), table.file) for table in files]))
    return tuple(found)


def read_result(row: Row) -> Result | list[Problem]:
    """A row's game, or what is wrong with it."""
    a, b = row.name("player_a"), row.name("player_b")
    number = row.number("round", 1, MAX_ROUNDS)
    problems = [found for found in (a, b, number) if isinstance(found, Problem)]
    if isinstance(a, Problem) or isinstance(b, Problem) or isinstance(number, Problem):
        return problems
    if not (a and b) and (row["score_a"] or row["score_b"]):
        return [row.problem(tr("has a score but only one player"))]
    a, b = ("" if means(name, cell_words().bye) else name for name in (a, b))
    a, b = (a, b) if a else (b, "")
    if not a:
        return [row.problem(tr("has no name"))]
    if not b:
        return Result(number, 0, 0, a, "")
    if plain(a) == plain(b):
        problems.append(row.problem(tr("{a} plays against themselves", a=a)))
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
    # Who is named where the scores are even has won by something else.
    scored = bool(row["score_a"] and row["score_b"]) and score_a != score_b
    disputed = scored and outcome != ("a" if score_a > score_b else "b")
    counts = (score_a, score_b), (lost_a, lost_b), disputed, (bid_a, bid_b)
    return Result(number, table, game, a, b, outcome, *counts)


def _count(row: Row, column: str, maximum: int) -> int | Problem | None:
    """The number in a column; None where the cell is empty."""
    return row.number(column, 0, maximum) if row[column] else None


def _outcome(row: Row, a: str, b: str) -> Outcome | Problem:
    """Who won: whom the column says, else who has counted more."""
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
        return row.problem(tr("winner {word!r} {fault}", word=word[:40], fault=fault), hint)
    if not any(scores):
        if row["lost_a"] or row["lost_b"]:
            return row.problem(tr("has casualties but no score"))
        return "open"
    if not all(scores):
        return row.problem(tr("has only one score"), tr("write 0 for a player who scored nothing"))
    one, two = (row.number(column, 0, MAX_SCORE) for column in ("score_a", "score_b"))
    if not isinstance(one, int) or not isinstance(two, int):
        return "open"  # what is wrong with them is told where they are read
    return "draw" if one == two else "a" if one > two else "b"


class _SeenResults:
    """What was read so far, and where."""

    def __init__(self) -> None:
        self.games: dict[object, Row] = {}
        self.opponents: dict[tuple[int, str], tuple[str, Row]] = {}
        """Whom a player met in a round."""

    def find_conflicts(self, row: Row, made: Result) -> list[Problem]:
        """A game that was there before, or a player with two opponents in a round."""
        problems = []
        a, b = plain(made.a), plain(made.b)
        game = (made.round, made.table, made.game, *sorted((a, b)))
        first = self.games.setdefault(game, row)
        if first is not row:
            hint = tr("{where}; the column game distinguishes games 1 and 2", where=_first_place(first))
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
    return tr("first in {file}:{line}", file=row.file, line=row.line)


RANKING_COLUMNS = ("points", "wins", "margin", "lost", "opposition", "lot")
"""The columns that players are ranked by, the weightiest first."""
_PLAIN_COLUMNS = RANKING_COLUMNS[2:]
"""Those that stand as plain numbers on the wall."""
_ROWS_PER_PAGE = 12
"""So many rows of the longest names fill a page."""
_MAX_LARGE_ROWS, _MAX_LARGE_WIDTH = 20, 17
"""So many rows of names of so many columns are set in the largest type."""
_WALL_HEIGHT_MM, _MIN_ROW_MM, _MAX_ROW_MM = 213.0, 7.0, 24.0
"""How high the rows of the list on the wall are: together, and the lowest and the highest, in mm."""
_CUT_LINE_MM = 9.0
"""How high the line is below those who play the final, in mm."""
_DOT_STEP_MM, _DOTS_PER_ROW = 3.7, 10
"""From dot to dot in mm, and how many stand in a row."""
_DOT_RIM = Pen("#23211c", 0.35)
_DOTS = (
    Symbol("game.won", (circle(0, 0, 1.35, "#23211c", _DOT_RIM),), 2.0),
    Symbol("game.drawn", (circle(0, 0, 1.35, None, _DOT_RIM), stroke(((-1.35, 0), (1.35, 0)), _DOT_RIM)), 2.0),
    Symbol("game.lost", (circle(0, 0, 1.35, None, Pen("#8a8577", 0.2)),), 2.0),
)
"""What stands for a game won, drawn, lost."""


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game's result is worth, as data/tournament/scoring.toml states it."""

    source: str
    win: int
    draw: int
    loss: int
    bye: int
    """So many games won."""


class Rank(msgspec.Struct, frozen=True):
    """A player's standing; `rank` is shared by those whom nothing tells apart."""

    rank: int
    player: str
    played: int
    points: int
    wins: int
    draws: int
    losses: int
    margin: int
    """What he counted for victory, less what his opponents counted."""
    lost: int
    """His own casualties."""
    opposition: int
    """The points of all whom he met, of each as often as they met."""
    lot: int = 0
    """The number that was drawn for him when he came, the last tie-break; 0 where there was no drawing."""

    @property
    def sort_key(self) -> tuple[int, ...]:
        """What he is ranked by, the greater the better."""
        return self.points, self.wins, self.margin, -self.lost, self.opposition, -self.lot


STANDING_COLUMNS = Rank.__struct_fields__


scoring = toml.shipped_table("tournament/scoring.toml", Scoring)
"""What a result is worth."""


def bye_halves(games: int, half: bool = False) -> int:
    """What a bye is worth where so many games are played at a table, in halves of a game won."""
    return scoring().bye * games // (2 if half else 1)


def bye_counts(halves: int) -> tuple[int, int]:
    """The points and the games won that so many halves of a game won come to."""
    return halves * scoring().win // 2, halves // 2


def standings(
    results: Iterable[Result], lots: Mapping[str, int] | None = None, players: Iterable[str] = ()
) -> tuple[Rank, ...]:
    """Return every player's standing, the best first; games without a result count for nothing.

    `lots` are the numbers drawn, by plain name; `players` are listed even if they have played nothing.
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
    """Return the last round that has a result; 0 if none has."""
    return max((game.round for game in results if game.b and game.outcome != "open"), default=0)


def of_played_rounds(results: Sequence[Result]) -> list[Result]:
    """Leave out byes of rounds after the last one that has a result: these have only been paired.

    A round of byes and forfeits alone has nothing left to play, and counts.
    """
    last, with_games = last_played(results), {game.round for game in results if game.b}
    return [game for game in results if game.b or game.round <= last or game.round not in with_games]


class _Tally:
    """A player's games so far."""

    def __init__(self) -> None:
        self.name = ""
        self.played = self.points = self.wins = self.draws = self.losses = self.margin = self.lost = 0

    def add_game(self, outcome: str, seat: str, game: Result) -> None:
        """A game that he played in that seat."""
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
        """His standing, not yet ranked."""
        counted = self.played, self.points, self.wins, self.draws, self.losses, self.margin, self.lost
        return Rank(0, self.name, *counted, opposition, lot)


def standings_rows(lines: Iterable[Rank]) -> list[dict[str, object]]:
    """The standings as plain values."""
    return [msgspec.structs.asdict(line) for line in lines]


def ranking_columns(lines: Sequence[Rank]) -> tuple[str, ...]:
    """The columns that these are ranked by, the weightiest first: without lots where none were drawn."""
    return _without_unused_lots(RANKING_COLUMNS, lines)


def _without_unused_lots(names: Sequence[str], lines: Sequence[Rank]) -> tuple[str, ...]:
    return tuple(name for name in names if name != "lot" or any(line.lot for line in lines))


def standings_csv(lines: Sequence[Rank], lang: Lang) -> bytes:
    """The standings for a spreadsheet."""
    texts, columns = words()["standings"], _without_unused_lots(STANDING_COLUMNS, lines)
    return csv_files.csv_bytes(
        [texts[c][lang] for c in columns], ([row[c] for c in columns] for row in standings_rows(lines))
    )


def standings_note(lines: Sequence[Rank], results: Iterable[Result], games: int = DEFAULT_GAMES) -> Words:
    """What a game and a bye are worth where so many games are played at a table, and how ties are broken.

    What a bye is worth that counts half is said where somebody had one.
    """
    worth, texts = scoring(), words()["standings"]
    points, wins = bye_counts(bye_halves(games))
    byes = texts["byes"].fill(points=points, wins=wins)
    fewer = bye_halves(games, half=True)
    if any(not game.b and game.halves == fewer for game in results):
        points, wins = bye_counts(fewer)
        byes = texts["and_half"].fill(byes=byes, points=points, wins=wins)
    template = texts["note_lot" if "lot" in ranking_columns(lines) else "note"]
    return template.fill(win=worth.win, draw=worth.draw, byes=byes)


def standings_title(results: Sequence[Result]) -> Words:
    """Return the title of standings: how far the last round with a result has come."""
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
) -> Kit:
    """The standings to hang on the wall: as high as the page, and read from afar where names are brief.

    `games` are played at a table. A line stands below the first `cut`, who play the final, or played it.
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
        "note": standings_note(lines, results, games),
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
    """What the picture of his games is called."""
    return f"won{line.wins}-drawn{line.draws}-lost{line.losses}"


def _record_picture(line: Rank) -> Picture:
    """A dot for each game: full for one won, with a bar for a draw, empty for one lost."""
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
    """Who came up since the round before, and who went down, by how many ranks."""
    for line in lines:
        up = before.get(line.player, line.rank) - line.rank
        yield f"▲{up}" if up > 0 else f"▽{-up}" if up < 0 else "–" if line.player in before else ""


def _deciding_columns(lines: Sequence[Rank]) -> Iterator[list[str]]:
    """What parts each player from those above and below him: the first column that is not the same."""
    parting = [
        next((name for name, a, b in zip(RANKING_COLUMNS, one.sort_key, other.sort_key, strict=False) if a != b), "")
        for one, other in pairwise(lines)
    ]
    for above, below in zip(["", *parting], [*parting, ""], strict=True):
        yield [name for name in (above, below) if name]
