"""What a tournament adds to a game's kit: the list on the wall, table cards, result slips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.model.picture import Picture, Text
from generator.model.views import Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.tournament.event import Drawn, Event
from generator.tournament.pairings import Pairing, Round
from generator.tournament.standings import scoring
from generator.tournament.words import short, words

GAMES = (1, 2)
"""Every scenario is played so often, with sides swapped."""
_ROWS = 28
"""So many lines of a list fill a page."""
_LARGE = 18
"""So many do in type that is read from afar."""


def own_kit(event: Event, stamp: str, *sheets: Sheet) -> Kit:
    """Sheets of the event's own."""
    return Kit(event.game.title, same(short(event.name)), stamp, sheets)


def pages(rows: Sequence[object]) -> int:
    """How many pages a list may take."""
    return 1 + len(rows) // _ROWS


def wall_list(event: Event, round_: Round) -> Sheet:
    """Who meets whom where, to hang on the wall."""
    rows = [
        {"table": p.table or "", "a": p.a, "b": words()["at"]["bye"] if p.bye else p.b, "team": p.team}
        for p in round_.pairings
    ]
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=round_.number),
        "rows": rows,
        "large": len(rows) <= _LARGE,
        "teams": any(p.team for p in round_.pairings),
    }
    return _sheet("wall", view, pages=pages(rows))


def table_card(event: Event, number: int, pairing: Pairing, drawn: Drawn, inside: Iterable[Words]) -> Sheet:
    """What stands on a table: its number, who plays which side when, and what else lies there."""
    sides = event.score.sides(drawn.scenario)
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=number),
        "a": pairing.a,
        "b": pairing.b,
        "team": pairing.team,
        "sides": [{"name": name, "games": list(by)} for name, by in _swapped(pairing, sides)],
        "scenario": drawn.scenario.title,
        "inside": joined(list(dict.fromkeys(inside))),
        "goal": list(event.score.goal(drawn.scenario)),
        "certificate": drawn.certificate or "",
    }
    return _sheet("tablecard", view, {"number": _numeral(pairing.table)})


def result_slip(event: Event, number: int, pairing: Pairing, drawn: Drawn) -> Sheet:
    """Two halves that say the same: both games, each player's side, and room for what came of them."""
    say = words()
    sides = event.score.sides(drawn.scenario)
    at = [say["at"]["round"].fill(n=number), say["at"]["table"].fill(n=pairing.table)]
    view = {
        "event": event.name,
        "where": joined([*at, same(pairing.team)] if pairing.team else at),
        "halves": [say["slip"]["upper"], say["slip"]["lower"]],
        "counted": event.score.counted,
        "lost": event.score.lost,
        "rows": [
            {"game": game, "player": name, "side": by[game - 1]}
            for game in GAMES
            for name, by in _swapped(pairing, sides)
        ],
    }
    return _sheet("slip", view)


def bye_slip(event: Event, number: int, pairing: Pairing) -> Sheet:
    """What a player without an opponent is given."""
    say, worth = words()["bye"], scoring()
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=number),
        "name": pairing.a,
        "lines": [say["none"], say["worth"].fill(n=worth.bye, points=worth.bye * worth.win), say["back"]],
    }
    return _sheet("bye", view)


def _swapped(pairing: Pairing, sides: tuple[Words, Words]) -> tuple[tuple[str, tuple[Words, Words]], ...]:
    """Each player with the side that is his in the first game and in the second."""
    one, two = sides
    return (pairing.a, (one, two)), (pairing.b, (two, one))


def _numeral(number: int) -> Picture:
    """The table's number, to be read across a hall."""
    return Picture(170.0, 52.0, (Text(85.0, 6.0, str(number), 160.0, "middle", bold=True),))


def _sheet(part: str, view: dict[str, object], figures: dict[str, Figure] | None = None, pages: int = 1) -> Sheet:
    return Sheet(part, words()["part"][part], f"tournament/{part}.xml", view, figures or {}, pages=pages)
