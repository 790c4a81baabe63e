"""A campaign's ground: a grid of boards, types alternating, and the two boards of every crossing laid for battle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from generator.errors import WrongUsageError
from generator.games.travel_battle.ground import EDGES, TYPES, Battlefield, Edge, OrientedBoard, house_boards
from generator.games.travel_battle.maker import make_board
from generator.games.travel_battle.tables import numbers
from generator.localization import tr
from generator.model.words import Words, same
from generator.seeds import RngStreams, parse_code

STREAMS = "v1/travel_battle/campaign"
MIN_BOARDS, MAX_BOARDS = 2, 6
"""How few and how many boards a campaign may have each way."""
AREA_NAME = r"[^:/\\.]+:[0-9]+x[0-9]+:[a-z][0-9]+"
"""What an area is called outside its campaign, in small letters: `k7q2m-9fhn5:3x4:a1`."""


class Area(Struct, frozen=True):
    """A board of the campaign's map."""

    name: str
    """Its column's letter and its row, from the near left: `A1`."""
    title: Words
    oriented: OrientedBoard
    house: bool
    """Whether it is a house board; else a random one."""


class Crossing(Struct, frozen=True):
    """Two neighbouring areas, laid side by side for a battle."""

    left: Area
    right: Area
    turned: bool
    """They lie one behind the other on the campaign's map; here they are turned a quarter clockwise."""


class Campaign(Struct, frozen=True):
    """A grid of areas: rows from the near one, from the left."""

    code: str
    rows: tuple[tuple[Area, ...], ...]

    @property
    def field(self) -> Battlefield:
        """All boards joined."""
        return Battlefield(tuple(tuple(area.oriented for area in row) for row in self.rows))

    @property
    def areas(self) -> tuple[Area, ...]:
        """Every area, row by row."""
        return tuple(area for row in self.rows for area in row)

    def known_as(self, area: Area) -> str:
        """What an area is called outside its campaign."""
        return f"{self.code}:{len(self.rows[0])}x{len(self.rows)}:{area.name}"

    def crossings(self) -> Iterator[Crossing]:
        """Every pair of neighbours, each once."""
        for r, row in enumerate(self.rows):
            for c, area in enumerate(row):
                if c + 1 < len(row):
                    yield Crossing(area, row[c + 1], False)
                if r + 1 < len(self.rows):
                    yield Crossing(_quarter_turn(area), _quarter_turn(self.rows[r + 1][c]), True)


def _quarter_turn(area: Area) -> Area:
    """The area turned a quarter clockwise: the next edge lies south."""
    edge = EDGES[area.oriented.edge % len(EDGES)]
    return Area(area.name, area.title, OrientedBoard(area.oriented.board, edge), area.house)


@lru_cache(8)  # campaigns are large
def draw_campaign(columns: int, rows: int, code: str) -> Campaign:
    """A campaign of so many boards: as many of the house's as random ones, none twice."""
    streams = RngStreams(code, STREAMS)
    first = streams.at("type").below(len(TYPES))
    names = iter(streams.at("names").sample(numbers().places, min(columns * rows, len(numbers().places))))
    house = streams.at("house").shuffle(list(house_boards().values()))

    def area(c: int, r: int) -> Area:
        name = f"{chr(ord('A') + c)}{r + 1}"
        of, area_rng = TYPES[(first + c + r) % len(TYPES)], streams.under(name)
        edge: Edge = area_rng.at("turn").choice(EDGES)
        drawn = next((board for board in house if board.ground.type == of), None)
        if drawn and area_rng.at("choice").chance(1, 2):
            house.remove(drawn)
            return Area(name, drawn.name, OrientedBoard(drawn.ground, edge), True)
        return Area(
            name, next(names, same(name)), OrientedBoard(make_board(of, area_rng.under("board")), edge), False
        )

    return Campaign(code, tuple(tuple(area(c, r) for c in range(columns)) for r in range(rows)))


def parse_size(raw: str) -> tuple[int, int] | None:
    """Columns and rows of a campaign as typed, `3x4`; None for what is no size, or for one that no campaign has."""
    found = re.fullmatch(r"([0-9]{1,2})[x×]([0-9]{1,2})", raw.strip().lower())
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    return size if all(MIN_BOARDS <= n <= MAX_BOARDS for n in size) else None


def is_area(name: str) -> bool:
    """Whether a text looks like the name of an area."""
    return bool(re.fullmatch(AREA_NAME, name.lower()))


def find_area(name: str) -> tuple[Campaign, Area]:
    """The area of that name with its campaign; WrongUsageError where there is none."""
    code, size, at = name.split(":")
    if columns_rows := parse_size(size):
        campaign = draw_campaign(*columns_rows, parse_code(code))
        if found := next((area for area in campaign.areas if area.name == at.upper()), None):
            return campaign, found
    hint = tr("code, columns and rows, and area, as the campaign's map has it: K7Q2M-9FHN5:3x4:A1")
    raise WrongUsageError(tr("no area {name!r} in that campaign", name=name[:40]), hint=hint)


def find_crossing(one: str, other: str) -> Crossing | None:
    """The crossing of two areas by their names; None where they are no neighbours in one campaign."""
    if not (is_area(one) and is_area(other)):
        return None
    (campaign, first), (same_one, second) = find_area(one), find_area(other)
    names = {first.name, second.name}
    return next(
        (c for c in campaign.crossings() if campaign == same_one and {c.left.name, c.right.name} == names), None
    )
