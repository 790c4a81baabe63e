"""Print result slips, and read those that were filled in as PDF.

A slip has its mark as a QR code: `K7Q2M-9FHN5/4/3/0C2A9F` is the kit, the round, the table and the pairing. The names
of its fields begin with the mark, followed by the game, the seat, the value, and the half of the slip.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from generator.errors import DataError, Problem
from generator.localization import tr
from generator.model.picture import Picture
from generator.model.views import Code, Kit, Sheet
from generator.tournament.csv_files import Row, Table, plain
from generator.tournament.event import Deal, DrawnKit, Event
from generator.tournament.pages import (
    GAMES,
    QR_SIDE_MM,
    event_kit,
    event_sheet,
    fitted_text,
    fold_line,
    mark,
    pairing_id,
    sides_by_player,
    table_number,
)
from generator.tournament.pairings import Pairing, Round, words
from generator.tournament.scores import BID_COLUMNS, RESULT_COLUMNS

SEATS = ("a", "b")
_NAME_ROOM = 54.0, 10.0, 14.0
"""The width and height of a name's room in its row in mm, and its largest type in points."""
_SIGNATURE_ROOM, _BID_ROOM = (78.0, 4.0, 8.0), (48.0, 4.0, 8.0)
"""The same for the names above signatures, and above bids."""
_ROOMS_MM: dict[tuple[bool, bool], dict[str, float]] = {
    (False, False): {"gap": 6, "high": 14, "signs": 12, "remarks": 9},
    (False, True): {"gap": 4, "high": 13, "signs": 10, "remarks": 8},
    (True, False): {"gap": 6, "high": 12.4, "signs": 9, "remarks": 9},
    (True, True): {"gap": 2, "high": 11.6, "signs": 7, "remarks": 0},
}
"""Heights in mm by whether there are bids, and whether names take several lines: the gap around the cut, a row, the
signatures, and the remarks, which may have no room."""
_FIELD = re.compile(
    r"(?P<kit>[^/]+)/(?P<round>[0-9]{1,3})/(?P<table>[0-9]{1,4})/(?P<who>[0-9A-F]{6})"
    r"/(?P<game>[12])/(?P<seat>[ab])/(?P<what>won|score|lost|bid)/(?P<half>[12])"
)


class Seating(NamedTuple):
    """The facts that slips are checked against."""

    seated: Callable[[int, int], tuple[str, str] | None]
    """The two players at a round's table; None if there is no such table."""
    kit: Callable[[int, int], str] = lambda _round, _table: ""
    """The kit at a round's table; empty if it is unknown."""
    names: Callable[[str], Sequence[str]] = lambda name: (name,)
    """A player's current and former names; slips printed before a renaming have a former one."""


def result_slip(event: Event, number_: int, pairing: Pairing, drawn: DrawnKit, fields: bool = False) -> Sheet:
    """Return a slip of two equal halves: each game with the players' sides, and room for the results.

    With `fields`, it is a form whose fields are named by the slip's mark, so that they can be read.
    """
    texts = words()
    sides = event.score.sides(drawn.scenario)
    known = mark(drawn.stamp, number_, pairing)
    extra_figures: dict[str, Picture | Code] = {
        "mark": Code(known, QR_SIDE_MM),
        "table": table_number(pairing.table, 12.0),
    }
    extra_figures |= {"team": fitted_text(pairing.team, 100.0, 5.0, 8.0)}
    names = tuple(zip(SEATS, (pairing.a, pairing.b), strict=True))
    extra_figures |= {seat: fitted_text(name, *_NAME_ROOM) for seat, name in names}
    over_lines = {f"signs_{seat}": fitted_text(name, *_SIGNATURE_ROOM) for seat, name in names}
    over_lines |= {f"bids_{seat}": fitted_text(name, *_BID_ROOM) for seat, name in names} if event.bid else {}
    deep = any(figure.height > _SIGNATURE_ROOM[1] for figure in over_lines.values())
    view = {
        **_ROOMS_MM[bool(event.bid), deep],
        "team": bool(pairing.team),
        "scenario": drawn.scenario.title,
        "mark": known if fields else "",
        "kit": drawn.stamp,
        "halves": [texts["slip"]["upper"], texts["slip"]["lower"]],
        "counted": event.score.counted,
        "lost": event.score.lost,
        "bid": texts["slip"][f"bid_{event.bid}"] if event.bid else "",
        "rows": [
            {
                "game": texts["card"]["game"].fill(n=game),
                "player": SEATS[seat],
                "side": by[game - 1],
                "last": seat,
                "key": f"{known}/{game}/{SEATS[seat]}" if fields else "",
            }
            for game in GAMES[: event.games]
            for seat, (_, by) in enumerate(sides_by_player(pairing, sides))
        ],
    }
    return event_sheet(
        "slip", event, number_, view, {"cut": fold_line()}, extra_figures={**extra_figures, **over_lines}
    )


def slips_kit(event: Event, round_: Round, deal: Deal) -> Kit:
    """Return the slips of all tables of a round, to be printed separately or sent as a form to fill in."""
    sheets = [result_slip(event, round_.number, p, deal.kit_by_table[p.table], fields=True) for p in round_.tables]
    return event_kit(event, "", *sheets)


class _Half(NamedTuple):
    """A game on one half of a slip."""

    page: int
    kit: str
    round: int
    table: int
    who: str
    game: int
    half: int


def read_slip(
    file: str, pages: Sequence[Mapping[str, str]], seating: Seating, refused: list[Problem] | None = None
) -> Table:
    """Return the results on filled slips as rows of results.csv, without empty ones.

    `pages` holds the fields of each page by name (`press.content.filled`); a row's line is the number of its page.
    The halves of a slip are separate rows, which must agree. Faults of a slip are added to `refused`, or raised as
    DataError if that is not given: another kit, a table that does not exist or has other players, two winners.

    Raises:
        DataError: the pages have no fields of a slip at all.
    """
    halves: dict[_Half, dict[str, str]] = {}
    for page, fields in enumerate(pages, 1):
        for name, value in fields.items():
            if found := _FIELD.fullmatch(name):
                at = _Half(
                    page, found["kit"], int(found["round"]), int(found["table"]), found["who"],
                    int(found["game"]), int(found["half"]),
                )  # fmt: skip
                halves.setdefault(at, {})[f"{found['what']}_{found['seat']}"] = value
    if not halves:
        hint = tr("print the result slips as fillable forms, and save the PDF after filling in the form")
        raise DataError(Problem(tr("has no form fields for a result slip"), file, hint=hint))
    made = [_row(file, at, fields, seating) for at, fields in halves.items() if any(fields.values())]
    problems = dict.fromkeys(row for row in made if isinstance(row, Problem))
    if refused is None:
        DataError.raise_if_any(problems)
    else:
        refused += problems
    return Table(file, "", (*RESULT_COLUMNS, *BID_COLUMNS), tuple(row for row in made if isinstance(row, Row)))


def _row(file: str, at: _Half, fields: Mapping[str, str], seating: Seating) -> Row | Problem:
    names = seating.seated(at.round, at.table)
    if names is None:
        return Problem(tr("there is no table {table} in round {n}", table=at.table, n=at.round), file, at.page)
    kit = seating.kit(at.round, at.table)
    if kit and plain(kit) != plain(at.kit):
        message = tr("this slip is for kit {kit}, not for round {n}, table {table}", kit=at.kit[:40], n=at.round,
                   table=at.table)  # fmt: skip
        hint = tr("the kit of this table is {kit}; record a slip of another event in that event", kit=kit)
        return Problem(message, file, at.page, hint)
    if at.who not in {pairing_id(a, b) for a in seating.names(names[0]) for b in seating.names(names[1])}:
        message = tr(
            "this is not the slip of {a} and {b}, who play at table {table}", a=names[0], b=names[1], table=at.table
        )
        return Problem(message, file, at.page, tr("the round was paired again after this slip was printed"))
    won = [seat for seat in SEATS if fields.get(f"won_{seat}")]
    if len(won) == len(SEATS):
        message = tr(
            "table {table}, game {game}: both players are ticked as the winner", table=at.table, game=at.game
        )
        return Problem(message, file, at.page)
    written = {name: value for name, value in fields.items() if not name.startswith("won")}
    facts = {"round": at.round, "table": at.table, "game": at.game, "kit": at.kit}
    return Row(
        file,
        at.page,
        {
            **{name: str(value) for name, value in facts.items()},
            "player_a": names[0],
            "player_b": names[1],
            "winner": "".join(won),
            **written,
        },
    )
