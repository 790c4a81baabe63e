"""A campaign's map: a grid of boards, types alternating, and the two boards of every crossing laid for battle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from generator.draw.streams import Streams
from generator.errors import Problem, WrongUsageError
from generator.games.travel_battle.board import EDGES, SIZE, TYPES, Battlefield, Edge, Laid
from generator.games.travel_battle.boards import house_boards
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.mapsheet import map_view
from generator.games.travel_battle.play import play
from generator.games.words import words
from generator.model.views import Kit, Note, Sheet
from generator.model.words import Words, joined, same

STREAMS = "v1/travel_battle/campaign"
USUAL, LEAST, MOST = "3x4", 2, 6
"""Columns and rows of boards: the usual grid, and how few or many there may be each way."""
_LETTER = 2.2
"""How large an area's name is on the campaign map, in squares."""


@dataclass(frozen=True)
class Area:
    """A board of the campaign's map."""

    name: str
    """Its column's letter and its row, from the near left: `A1`."""
    title: Words
    laid: Laid


@dataclass(frozen=True)
class Crossing:
    """Two neighbouring areas, laid side by side for a battle."""

    left: Area
    right: Area
    turned: bool
    """They lie one behind the other on the campaign's map; here they are turned a quarter clockwise."""


@dataclass(frozen=True)
class Campaign:
    """A grid of areas: rows from the near one, from the left."""

    code: str
    rows: tuple[tuple[Area, ...], ...]

    @property
    def field(self) -> Battlefield:
        """All boards joined."""
        return Battlefield(tuple(tuple(area.laid for area in row) for row in self.rows))

    def crossings(self) -> Iterator[Crossing]:
        """Every pair of neighbours, each once."""
        for r, row in enumerate(self.rows):
            for c, area in enumerate(row):
                if c + 1 < len(row):
                    yield Crossing(area, row[c + 1], False)
                if r + 1 < len(self.rows):
                    yield Crossing(_quarter(area), _quarter(self.rows[r + 1][c]), True)


def _quarter(area: Area) -> Area:
    """The area turned a quarter clockwise: the next edge lies south."""
    edge = EDGES[area.laid.edge % len(EDGES)]
    return Area(area.name, area.title, Laid(area.laid.board, edge))


def draw_campaign(columns: int, rows: int, code: str) -> Campaign:
    """A campaign of so many boards: as many of the house's as random ones, none twice."""
    streams = Streams(code, STREAMS)
    first = streams.at("type").below(len(TYPES))
    names = iter(streams.at("names").sample(play().places, min(columns * rows, len(play().places))))
    house = streams.at("house").shuffle(list(house_boards().values()))

    def area(c: int, r: int) -> Area:
        name = f"{chr(ord('A') + c)}{r + 1}"
        of, own = TYPES[(first + c + r) % len(TYPES)], streams.under(name)
        edge: Edge = own.at("turn").choice(EDGES)
        drawn = next((board for board in house if board.board.type == of), None)
        if drawn and own.at("choice").chance(1, 2):
            house.remove(drawn)
            return Area(name, drawn.name, Laid(drawn.board, edge))
        return Area(name, next(names, same(name)), Laid(make_board(of, own.under("board")), edge))

    return Campaign(code, tuple(tuple(area(c, r) for c in range(columns)) for r in range(rows)))


def campaign_kit(columns: int, rows: int, code: str) -> Kit:
    """The campaign's map on a page, then each crossing's two boards."""
    say = words("travel_battle")
    campaign = draw_campaign(columns, rows, code)
    title = say["campaign"]["title"].fill(columns=columns, rows=rows)
    sheets = [_overview(campaign, title), *map(_crossing, campaign.crossings())]
    return Kit(say["game"]["title"], title, code, tuple(sheets))


def campaign_make(options: Mapping[str, str]) -> Kit:
    """The kit of what was typed: size and seed. WrongUsageError for a size that is none."""
    size = options.get("size", USUAL)
    if not (typed := re.fullmatch(r"([0-9]{1,2})[x×]([0-9]{1,2})", size.strip().lower())):
        raise WrongUsageError(Problem(f"--size {size[:20]!r} is no size", hint="columns and rows, such as 3x4"))
    columns, rows = int(typed[1]), int(typed[2])
    if not all(LEAST <= n <= MOST for n in (columns, rows)):
        raise WrongUsageError(Problem(f"--size {size}", hint=f"from {LEAST}x{LEAST} to {MOST}x{MOST}"))
    return campaign_kit(columns, rows, options["seed"])


def _overview(campaign: Campaign, title: Words) -> Sheet:
    field = campaign.field
    notes = tuple(
        Note((2.0 * SIZE * c + SIZE - 1, 2.0 * SIZE * r + SIZE - 1), same(area.name), _LETTER)
        for r, row in enumerate(campaign.rows)
        for c, area in enumerate(row)
    )
    rows = [
        {"name": area.name, "title": area.title, "type": area.laid.board.type, "edge": area.laid.edge}
        for row in campaign.rows
        for area in row
    ]
    return Sheet(
        part="campaign",
        title=words("travel_battle")["campaign"]["overview"],
        template="travel_battle/campaign.xml",
        view={"title": title, "areas": rows},
        figures={"map": replace(map_view(field, small=True), notes=notes)},
    )


def _crossing(crossing: Crossing) -> Sheet:
    say = words("travel_battle")["campaign"]
    left, right = crossing.left, crossing.right
    field = Battlefield(((left.laid, right.laid),))
    title = say["crossing"].fill(left=left.name, right=right.name)
    lies = say["lies"].fill(left=_told(left), right=_told(right), a=left.laid.edge, b=right.laid.edge)
    told = [lies, say["turned"]] if crossing.turned else [lies]
    return Sheet(
        part="map",
        title=title,
        template="travel_battle/crossing.xml",
        view={"title": title, "told": Words(" ".join(t.en for t in told), "".join(t.ja for t in told))},
        figures={"map": map_view(field)},
        landscape=True,
    )


def _told(area: Area) -> Words:
    return joined([same(area.name), area.title])
