"""Standings: points, and what breaks their ties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from generator.model.views import Kit, Sheet
from generator.model.words import Lang, Words, same
from generator.notation import toml
from generator.store.folders import shipped
from generator.tournament import csvout
from generator.tournament.columns import plain
from generator.tournament.results import Result
from generator.tournament.words import words

COLUMNS = ("rank", "player", "played", "points", "wins", "draws", "losses", "margin", "lost", "opposition")
MERITS = ("points", "wins", "margin", "lost", "opposition")
"""The columns that players are ranked by, the weightiest first."""
_ROWS = 12
"""So many rows of the longest names fill a page."""


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game's result is worth, as data/tournament/scoring.toml states it."""

    source: str
    win: int
    draw: int
    loss: int
    bye: int
    """So many games won."""


class Line(msgspec.Struct, frozen=True):
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

    @property
    def merit(self) -> tuple[int, ...]:
        """What he is ranked by, the greater the better."""
        return self.points, self.wins, self.margin, -self.lost, self.opposition


@cache
def scoring() -> Scoring:
    """What a result is worth."""
    return toml.read(shipped("data") / "tournament" / "scoring.toml", Scoring)


def standings(results: Iterable[Result]) -> tuple[Line, ...]:
    """Every player's standing, the best first; games without a result count for nothing."""
    worth = scoring()
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    met: dict[tuple[int, str, str], None] = {}
    for game in results:
        a, b = tallies[plain(game.a)], tallies[plain(game.b)] if game.b else None
        a.name = a.name or game.a
        if b is None:
            a.wins, a.points = a.wins + worth.bye, a.points + worth.bye * worth.win
            continue
        b.name = b.name or game.b
        if game.outcome != "open":
            one, other = sorted((plain(game.a), plain(game.b)))
            met[game.round, one, other] = None
            a.take(game.outcome, "a", game)
            b.take(game.outcome, "b", game)
    faced: defaultdict[str, int] = defaultdict(int)
    for _, one, other in met:
        faced[one] += tallies[other].points
        faced[other] += tallies[one].points
    lines = [tally.line(faced[key]) for key, tally in tallies.items()]
    lines.sort(key=lambda line: (*(-n for n in line.merit), plain(line.player)))
    merits = [line.merit for line in lines]
    return tuple(msgspec.structs.replace(line, rank=1 + merits.index(line.merit)) for line in lines)


class _Tally:
    """A player's games so far."""

    def __init__(self) -> None:
        self.name = ""
        self.played = self.points = self.wins = self.draws = self.losses = self.margin = self.lost = 0

    def take(self, outcome: str, seat: str, game: Result) -> None:
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

    def line(self, opposition: int) -> Line:
        """His standing, not yet ranked."""
        counted = self.played, self.points, self.wins, self.draws, self.losses, self.margin, self.lost
        return Line(0, self.name, *counted, opposition)


def rows(lines: Iterable[Line]) -> list[dict[str, object]]:
    """The standings as plain values."""
    return [{column: getattr(line, column) for column in COLUMNS} for line in lines]


def as_csv(lines: Iterable[Line], lang: Lang) -> bytes:
    """The standings for a spreadsheet."""
    say = words()["standings"]
    return csvout.written([say[c][lang] for c in COLUMNS], ([row[c] for c in COLUMNS] for row in rows(lines)))


def note() -> Words:
    """What a game is worth, and how ties are broken."""
    worth = scoring()
    return words()["standings"]["note"].fill(win=worth.win, draw=worth.draw, bye=worth.bye)


def standings_kit(lines: Sequence[Line], results: Sequence[Result], event: str) -> Kit:
    """The standings to hang on the wall."""
    say = words()["standings"]
    waiting = sum(bool(r.b) and r.outcome == "open" for r in results)
    last = max((r.round for r in results if r.outcome != "open"), default=0)
    title = say["title"].fill(n=last)
    view = {
        "event": event,
        "after": title,
        "rows": rows(lines),
        "note": note(),
        "open": say["open"].fill(n=waiting) if waiting else "",
    }
    name = words()["part"]["standings"]
    sheet = Sheet("standings", name, "tournament/standings.xml", view, pages=1 + len(lines) // _ROWS)
    return Kit(same(event) if event else name, title, "", (sheet,))
