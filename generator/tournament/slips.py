"""Print result slips, and read slips that were filled in as PDF forms.

The QR code of a slip contains its mark: `K7Q2M-9FHN5/4/3/0C2A9F` consists of the kit, the round, the table and the
pairing. The names of the form fields begin with the mark, followed by the game, the seat, the value, and the half
of the slip.
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
"""The width and height of the space for a name in its row, in mm, and the maximum type size, in points."""
_SIGNATURE_ROOM, _BID_ROOM = (78.0, 4.0, 8.0), (48.0, 4.0, 8.0)
"""The space and type size for the names above signatures, and for the names above bids."""
_ROOMS_MM: dict[tuple[bool, bool], dict[str, float]] = {
    (False, False): {"gap": 6, "high": 14, "signs": 12, "remarks": 9},
    (False, True): {"gap": 4, "high": 13, "signs": 10, "remarks": 8},
    (True, False): {"gap": 6, "high": 12.4, "signs": 9, "remarks": 9},
    (True, True): {"gap": 2, "high": 11.6, "signs": 7, "remarks": 0},
}
"""The heights of the gap around the cut, a row, the signatures and the remarks, in mm.

The key states whether there are bids, and whether names have several lines. A height of 0 omits the remarks.
"""
_FIELD = re.compile(
    r"(?P<kit>[^/]+)/(?P<round>[0-9]{1,3})/(?P<table>[0-9]{1,4})/(?P<who>[0-9A-F]{6})"
    r"/(?P<game>[12])/(?P<seat>[ab])/(?P<what>won|score|lost|bid)/(?P<half>[12])"
)


class Seating(NamedTuple):
    """The facts against which slips are checked."""

    seated: Callable[[int, int], tuple[str, str] | None]
    """Return the two players at a table of a round, or None if there is no such table."""
    kit: Callable[[int, int], str] = lambda _round, _table: ""
    """Return the kit at a table of a round, or an empty string if it is unknown."""
    names: Callable[[str], Sequence[str]] = lambda name: (name,)
    """Return the current and former names of a player. Slips printed before a renaming have a former name."""


def result_slip(event: Event, number_: int, pairing: Pairing, drawn: DrawnKit, fields: bool = False) -> Sheet:
    """Return a result slip with two equal halves, each with the games, the players' sides, and space for the results.

    With `fields`, the slip is a form. The names of its fields begin with the slip's mark, so that results can be
    read.
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
    """Return the slips for all tables of a round, to be printed separately or sent to players as a form."""
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
    """Return the results on completed slips as rows of results.csv. Empty results are omitted.

    `pages` contains the fields of each page, keyed by name (`press.check.content.filled_fields`). The line number
    of a row is the number of its page. The halves of a slip are separate rows, which must agree. If `refused` is
    given, the faults of slips are added to it. Faults are a wrong kit, a table that does not exist or has other
    players, and two winners.

    Raises:
        DataError: If the pages have no fields of a slip, or a slip is faulty and `refused` is not given.
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
