"""Table cards, slips, wall lists, and what the organiser keeps.

The half of a table card that is folded back: what is read of it from across the hall.

What a tournament adds to a game's kit: the list on the wall, table cards, result slips.

What is the organiser's alone: every code and answer of a round, and where everything lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from generator.common.fairness import certificate_line
from generator.common.pages import certificate_sheet, verdict
from generator.model.picture import Path, Pen, Picture, Symbol, Text, Use
from generator.model.views import Figure, Kit, Sheet
from generator.model.words import Words, joined, same
from generator.tournament.event import Deal, DrawnKit, Event
from generator.tournament.pairings import WIDE, Pairing, Round, short, words
from generator.tournament.scores import scoring

WIDTH, HEIGHT = 170.0, 121.0
"""In mm: half of a sheet, but for its head."""
_POINT = 25.4 / 72
_NUMBER, _NAME = 190.0, 44.0
"""The largest type, in points."""
_WIDEST = 1.08
"""How wide the widest letter of our fonts is, in the height of its type."""
_FOLD = Pen("#8a8a8a", 0.3, (2.0, 1.5))


def tent(pairing: Pairing) -> Picture:
    """The table's number and the names, upside down above the line of the fold."""
    names = short(pairing.a), short(pairing.b)
    number = str(pairing.table)
    size = min(_NAME, *(_fit(name) for name in names))
    items = (
        Text(0.0, 2.0, number, min(_NUMBER, _fit(number)), "middle", bold=True),
        Text(0.0, -24.0, names[0], size, "middle", bold=True),
        Text(0.0, -45.0, names[1], size, "middle", bold=True),
    )
    seen = Symbol(f"tent{number}", items, reach=WIDTH)
    return Picture(WIDTH, HEIGHT, (*fold_line().items, Use(seen, WIDTH / 2, HEIGHT / 2, turn=180.0)))


def _fit(text: str) -> float:
    """A size of type in which a text is no wider than the picture, whatever its letters."""
    return WIDTH / _POINT / _WIDEST / len(text)


def fold_line() -> Picture:
    """The line along which a sheet is folded or torn."""
    return Picture(WIDTH, 0.4, (Path((("M", 0.0, 0.2), ("L", WIDTH, 0.2)), pen=_FOLD),))


GAMES = (1, 2)
"""Every scenario is played so often, with sides swapped, unless the event has single games."""
_ROWS = 12
"""So many rows of the longest names fill a page."""
_LARGE, _LARGEST = 18, 12
"""So many do in type that is read from afar, and in larger type where names are brief."""
_LINES = 60
"""So many columns of a name fill two lines of a slip's cell."""
_WALL, _LEAST, _MOST = 222.0, 6.4, 24.0
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


def table_card(event: Event, number: int, pairing: Pairing, drawn: DrawnKit, inside: Iterable[Words]) -> Sheet:
    """What stands on a table: its number, who plays which side when, and what else lies there."""
    sides = event.score.sides(drawn.scenario)
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=number),
        "table": words()["at"]["table"].fill(n=pairing.table),
        "team": pairing.team,
        "sides": [{"name": name, "games": list(by[: event.games])} for name, by in _swapped(pairing, sides)],
        "scenario": drawn.scenario.title,
        "inside": joined(list(dict.fromkeys(inside))),
        "goal": list(event.score.goal(drawn.scenario)),
    }
    return _sheet("tablecard", view, {"tent": tent(pairing)})


def result_slip(event: Event, number: int, pairing: Pairing, drawn: DrawnKit) -> Sheet:
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
            for game in GAMES[: event.games]
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


def organiser_kit(event: Event, round_: Round, deal: Deal) -> Kit:
    """The organiser's sheets of a round: what was drawn for it, and how fair that is."""
    say = words()["organiser"]
    facts = [
        (say["event"], same(event.name)),
        (say["game"], event.game.title),
        (say["code"], same(event.order.code)),
        *([(say["opens"], same(event.secret_of(round_.number)))] if event.secret else []),
        (say["mode"], say[event.mode]),
        *((same(f"--{name}"), same(value)) for name, value in event.order.wishes.items()),
    ]
    played = deal.played
    tables = [{"table": p.table, "a": p.a, "b": p.b, "kit": deal.at[p.table].stamp} for p in round_.tables]
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=round_.number),
        "facts": [_fact(name, value) for name, value in facts],
        "scenarios": [_answer(event, one, deal) for one in played],
        "tables": tables,
        "several": len(played) > 1,
        "byes": [p.a for p in round_.pairings if p.bye],
    }
    title = words()["part"]["organiser"]
    many = pages(tables) + len(played)
    sheet = Sheet("organiser", title, "tournament/organiser.xml", view, pages=many)
    return own_kit(event, event.order.code, sheet, *_certificates(event, played))


def index_kit(event: Event, rounds: Sequence[tuple[int, Sequence[Mapping[str, object]]]]) -> Kit:
    """Where everything lies: for each round, as its manifest lists them, the files, pages, tables and kits."""
    rows = [row for _, found in rounds for row in found]
    view = {"event": event.name, "rounds": [_contents(number, found) for number, found in rounds]}
    many = pages(rows) + len(rounds)
    title = words()["part"]["index"]
    return own_kit(event, "", Sheet("index", title, "tournament/index.xml", view, pages=many))


def _contents(number: int, rows: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """A round of the index; `kit` where all its tables have the same."""
    kits = list(dict.fromkeys(row["kit"] for row in rows if row["kit"]))
    return {
        "round": words()["at"]["round"].fill(n=number),
        "file": rows[0]["file"],
        "kit": kits[0] if len(kits) == 1 else "",
        "rows": [dict(row) for row in rows],
    }


def _certificates(event: Event, played: Sequence[DrawnKit]) -> Iterator[Sheet]:
    """A page for each scenario, headed by its kit; none in a game that has no measures."""
    for one in played:
        if event.game.fairness and one.certificate:
            sheet = certificate_sheet(event.game.fairness, one.scenario, one.certificate)
            yield replace(sheet, side=words()["organiser"]["of"].fill(stamp=one.stamp))


def _answer(event: Event, drawn: DrawnKit, deal: Deal) -> dict[str, object]:
    """All that there is to know of a scenario."""
    say = words()["organiser"]
    again = [
        say["again_at"].fill(table=table, names=", ".join(names))
        for table, names in deal.again.items()
        if deal.at[table] is drawn
    ]
    facts = [
        (say["own"], same(drawn.code)),
        (say["tables"], say["all"] if len(deal.played) == 1 else joined([same(t) for t in deal.tables(drawn)])),
        (say["command"], same(drawn.command)),
        (say["verdict"], verdict(drawn.report, say)),
        *([(say["fairness"], certificate_line(drawn.certificate))] if drawn.certificate else []),
        *([(say["again"], joined(again))] if again else []),
    ]
    return {
        "title": say["scenario"].fill(stamp=drawn.stamp, title=drawn.scenario.title),
        "story": event.game.story(drawn.scenario),
        "facts": [_fact(name, value) for name, value in facts],
    }


def _fact(name: Words, value: Words) -> dict[str, Words]:
    return {"name": name, "value": value}
