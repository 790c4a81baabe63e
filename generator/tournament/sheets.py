"""What a tournament adds to a game's kit: the list on the wall, table cards, result slips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.model.views import Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.tournament.event import Drawn, Event
from generator.tournament.pairings import Pairing, Round
from generator.tournament.standings import scoring
from generator.tournament.tent import fold_line, tent
from generator.tournament.words import WIDE, short, words

GAMES = (1, 2)
"""Every scenario is played so often, with sides swapped."""
_ROWS = 12
"""So many rows of the longest names fill a page."""
_LARGE, _LARGEST = 18, 12
"""So many do in type that is read from afar, and in larger type where names are brief."""
_LINES = 60
"""So many columns of a name fill two lines of a slip's cell."""
_WALL, _LEAST, _MOST = 210.0, 6.4, 15.0
"""How high the rows of the list on the wall are: together, and the lowest and the highest, in mm."""


def own_kit(event: Event, stamp: str, *sheets: Sheet) -> Kit:
    """Sheets of the event's own."""
    return Kit(event.game.title, same(short(event.name, WIDE)), stamp, sheets)


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
        "high": max(_LEAST, min(_MOST, _WALL / (len(rows) or 1))),
        "type": "h1" if len(rows) <= _LARGEST and _brief(round_) else "h2" if len(rows) <= _LARGE else "para",
        "teams": any(p.team for p in round_.pairings),
    }
    return _sheet("wall", view, pages=pages(rows))


def _brief(round_: Round) -> bool:
    """Whether names are so brief that they need no second line in large type."""
    return all(name == short(name) for p in round_.pairings for name in (p.a, p.b)) and not any(
        p.team for p in round_.pairings
    )


def table_card(event: Event, number: int, pairing: Pairing, drawn: Drawn, inside: Iterable[Words]) -> Sheet:
    """What stands on a table: its number, who plays which side when, and what else lies there."""
    sides = event.score.sides(drawn.scenario)
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=number),
        "table": words()["at"]["table"].fill(n=pairing.table),
        "team": pairing.team,
        "sides": [{"name": name, "games": list(by)} for name, by in _swapped(pairing, sides)],
        "scenario": drawn.scenario.title,
        "inside": joined(list(dict.fromkeys(inside))),
        "goal": list(event.score.goal(drawn.scenario)),
    }
    return _sheet("tablecard", view, {"tent": tent(pairing)})


def result_slip(event: Event, number: int, pairing: Pairing, drawn: Drawn) -> Sheet:
    """Two halves that say the same: both games, each player's side, and room for what came of them."""
    say = words()
    sides = event.score.sides(drawn.scenario)
    at = say["at"]
    where = at["heading"].fill(round=at["round"].fill(n=number), place=at["table"].fill(n=pairing.table))
    view = {
        "event": event.name,
        "where": at["heading"].fill(round=where, place=short(pairing.team, WIDE)) if pairing.team else where,
        "halves": [say["slip"]["upper"], say["slip"]["lower"]],
        "counted": event.score.counted,
        "lost": event.score.lost,
        "players": [short(pairing.a), short(pairing.b)],
        "rows": [
            {
                "game": words()["card"]["game"].fill(n=game),
                "player": short(name, _LINES),
                "side": by[game - 1],
                "last": seat,
            }
            for game in GAMES
            for seat, (name, by) in enumerate(_swapped(pairing, sides))
        ],
    }
    return _sheet("slip", view, {"cut": fold_line()})


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


def _sheet(part: str, view: dict[str, object], figures: dict[str, Figure] | None = None, pages: int = 1) -> Sheet:
    return Sheet(part, words()["part"][part], f"tournament/{part}.xml", view, figures or {}, pages=pages)
